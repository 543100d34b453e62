package figure

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/render/plot"
	"checkpointlab/render/scene"
)

// details are a lane's checkpoint strip and the Gantt of one of its checkpoints, below its pipeline.
type details struct {
	strip, gantt scene.Scene
	made         detailed
}

// detailed is what they were built for.
type detailed struct {
	history *core.History
	at      event.Time
	id      event.Checkpoint
	longest event.Time
	zoom    [2]event.Time
	width   float64
	lang    scene.Lang
	low     bool
}

// Distances in px, and how much of a lane is shown.
const (
	ganttTop, ganttRow, ganttFoot = 28.0, 17.0, 46.0 // of scene.Gantt
	laneRows                      = 8                // of its Gantt
	above                         = 10.0             // between pipeline and details
	beside                        = 700.0            // from this width on strip and Gantt stand side by side
	stripShare                    = 0.56             // of the width, then
)

// Detail is what stands below the pipeline of each lane of a comparison.
type Detail uint8

// What stands there.
const (
	NoDetails Detail = iota
	Strips           // the checkpoint strip alone, low
	Details          // strip and Gantt
)

// GanttHeight leaves a line for each subtask, at most so many.
func GanttHeight(v *core.View, most int) float64 {
	rows := 0
	for i := range v.Vertices {
		rows += len(v.Vertices[i].Tasks)
	}
	return ganttTop + ganttRow*float64(min(rows, most)) + ganttFoot
}

// DetailsHeight is what a lane of a comparison needs below its pipeline.
func DetailsHeight(d Detail, v *core.View, width float64) float64 {
	switch d {
	case NoDetails:
		return 0
	case Strips:
		return plot.LowStripHeight
	}
	if width >= beside {
		return above + max(plot.StripHeight, GanttHeight(v, laneRows))
	}
	return above + plot.StripHeight + GanttHeight(v, laneRows)
}

// detail adds strip and Gantt of lane i below its pipeline. All strips have one scale, that of the longest checkpoint.
func (f *Figure) detail(lanes []Lane, i int, pipeline *scene.Scene, o Options) {
	for len(f.details) <= i {
		f.details = append(f.details, new(details))
	}
	l, d, width := &lanes[i], f.details[i], pipeline.Width
	now := detailed{history: l.History, at: l.View.At, zoom: o.Plot.Zoom, width: width, lang: o.Lang}
	if i < len(o.Gantts) {
		now.id = o.Gantts[i]
	}
	end := event.Time(0)
	for k := range lanes {
		now.longest = max(now.longest, plot.Longest(lanes[k].History))
		end = max(end, lanes[k].View.Duration)
	}
	if o.KeepPlot {
		now.at = d.made.at
	}
	side, high := width, GanttHeight(l.View, laneRows)
	if width >= beside && o.Details == Details {
		side = float64(int(width * stripShare))
	}
	if now.low = o.Details == Strips; now != d.made {
		now.at = l.View.At
		d.made = now
		p := plot.Options{Width: side, Lang: o.Lang, Now: now.at, End: end, Computed: l.View.Computed, Zoom: now.zoom, MaxCheckpoint: now.longest, Framed: now.id}
		if now.low {
			plot.BuildLowStrip(l.History, p, &d.strip)
		} else {
			plot.BuildStrip(l.History, p, &d.strip)
		}
		gantt := width
		if width >= beside {
			gantt -= side
		}
		d.gantt.Reset(gantt, high)
		scene.Gantt(l.View, l.History, now.id, gantt, high, o.Lang, &d.gantt)
	}
	y := pipeline.Height + above
	switch {
	case now.low:
		pipeline.Append(&d.strip, 0, pipeline.Height)
	case width >= beside:
		pipeline.Append(&d.strip, 0, y)
		pipeline.Append(&d.gantt, side, y)
	default:
		pipeline.Append(&d.strip, 0, y)
		pipeline.Append(&d.gantt, 0, y+plot.StripHeight)
	}
	pipeline.Height += DetailsHeight(o.Details, l.View, width)
}
