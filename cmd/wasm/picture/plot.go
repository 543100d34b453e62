package picture

import (
	"checkpointlab/core/event"
	"checkpointlab/render/figure"
)

// The plot's distance to the edges of its panel.
const (
	plotPadX, plotPadY  = 16, 10
	phonePadX, phonePad = 0, 4
)

func plotPad(mode string) (x, y float64) {
	switch mode {
	case "phone":
		return phonePadX, phonePad
	case "embed":
		return 0, 0
	}
	return plotPadX, plotPadY
}

// bare reports whether a layout's plot stands without panel, title, strip and scrubber.
func bare(mode string) bool { return mode == "phone" || mode == "embed" }

// Heights of the plot without its padding: with title, strip and scrubber, of a comparison, bare, and bare where a phone's window has a
// room for the pipeline above: there the document gives it what is left.
const (
	fullPlot  = 274
	lanesPlot = 236
	barePlot  = 176
	leastPlot = 108
)

func plotHeight(w *Widths, lanes []figure.Lane) float64 {
	_, pad := plotPad(w.Mode)
	switch {
	case w.Space && (len(lanes) > 1 || w.Mode == "phone"):
		return spaceHeight(lanes) + 2*pad
	case w.Mode == "phone" && w.Room > 0 && !w.Sweep:
		return leastPlot + 2*pad
	case bare(w.Mode):
		return barePlot + 2*pad
	case len(lanes) > 1:
		return lanesPlot + 2*pad
	}
	return fullPlot + 2*pad
}

// spaceHeight is what a checkpoint of each lane in space and time needs.
func spaceHeight(lanes []figure.Lane) float64 {
	high := 0.0
	for i := range lanes {
		high = max(high, figure.SpaceHeight(lanes[i].View))
	}
	return high * float64(len(lanes))
}

// pinnedCommit is the index of the commit of the pinned checkpoint plus one, 0 for the newest.
func (p *Picture) pinnedCommit() int {
	l := &p.lanes[0]
	id := p.checkpointOf(p.pinned)
	for i := range l.History.Commits {
		if c := &l.History.Commits[i]; id != 0 && c.Checkpoint == id && c.At <= l.View.At {
			return i + 1
		}
	}
	return 0
}

// Scrub is where the scrubber's line runs, with the height of what may be grasped: on a phone all of the plot.
func (p *Picture) Scrub() Box {
	b, a := p.boxes.Plot, &p.figure.Area
	at := Box{X: b.X + a.Left, W: a.Right - a.Left}
	if a.ScrubY == 0 {
		at.Y, at.H = b.Y+a.Top, a.Bottom-a.Top
		return at
	}
	at.Y = b.Y + a.ScrubY
	return at
}

// Axis is the stretch of time that the plot and its scrubber show.
func (p *Picture) Axis() (begin, end event.Time) { return p.figure.Area.Begin, p.figure.Area.End }
