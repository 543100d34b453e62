package picture

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/render/plot"
	"checkpointlab/render/scene"
)

// plotPart is the plot with the strip and the scrubber.
type plotPart struct {
	scene scene.Scene
	area  plot.Area
	made  made
}

// made is what the plot was built for.
type made struct {
	instant
	box            Box
	lang           scene.Lang
	mode           string
	pinned         scene.ID
	history, ghost *core.History
}

// instant is what changes from frame to frame.
type instant struct{ now, computed event.Time }

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

// bare tells whether a layout's plot stands without panel, title, strip and scrubber.
func bare(mode string) bool { return mode == "phone" || mode == "embed" }

// Heights of the plot without its padding: with title, strip and scrubber, or bare.
const (
	fullPlot = 274
	barePlot = 150
)

func plotHeight(mode string) float64 {
	_, pad := plotPad(mode)
	if bare(mode) {
		return barePlot + 2*pad
	}
	return fullPlot + 2*pad
}

func (p *Picture) buildPlot(fresh bool) {
	b := p.place.Plot
	padX, padY := plotPad(p.place.Mode)
	if b.W <= 2*padX+100 {
		return
	}
	now := made{
		instant: instant{p.view.At, p.view.Computed}, box: b, lang: p.lang, mode: p.place.Mode, pinned: p.pinned,
		history: p.history, ghost: p.ghost,
	}
	if !fresh {
		now.instant = p.plot.made.instant
	}
	if now != p.plot.made {
		now.instant = instant{p.view.At, p.view.Computed}
		p.plot.made = now
		p.plot.area = plot.Build(p.history, plot.Options{
			Width: b.W - 2*padX, Height: b.H - 2*padY, Lang: p.lang, Now: p.view.At, End: p.view.Duration,
			Computed: p.view.Computed, Ghost: p.ghost, Pinned: p.pinnedCommit(), Notes: p.notes, Bare: bare(p.place.Mode),
		}, &p.plot.scene)
	}
	p.parts = append(p.parts, part{&p.plot.scene, b.X + padX, b.Y + padY})
}

// pinnedCommit is the index of the commit of the pinned checkpoint plus one, 0 for the newest.
func (p *Picture) pinnedCommit() int {
	id := p.checkpointOf(p.pinned)
	for i := range p.history.Commits {
		if c := &p.history.Commits[i]; id != 0 && c.Checkpoint == id && c.At <= p.view.At {
			return i + 1
		}
	}
	return 0
}

// Scrub is where the scrubber's line runs, with the height of what may be grasped: on a phone all of the plot.
func (p *Picture) Scrub() Box {
	b, a := p.place.Plot, &p.plot.area
	padX, padY := plotPad(p.place.Mode)
	at := Box{X: b.X + padX + a.Left, W: a.Right - a.Left}
	if a.ScrubY == 0 {
		at.Y, at.H = b.Y+padY+a.Top, a.Bottom-a.Top
		return at
	}
	at.Y = b.Y + padY + a.ScrubY
	return at
}

// Name is the texts beside the changes in the world on the time axis.
func (p *Picture) Name(notes []plot.Note) { p.notes = notes }
