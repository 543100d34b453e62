// Package figure puts the parts of the picture together: the pipeline, the latency plot with its time axis, and the
// Gantt of one checkpoint, laid out as the design has it (section 5), in one scene.
//
//	var f figure.Figure                                   // keep it: its memory is reused
//	f.Build(&view, history, figure.Options{Width: 1392})  // every frame in which something changed
//	canvas.Draw(screen, &f.Scene, theme, ratio)
//
// Options.KeepPlot leaves plot and Gantt as they were, so that a game loop rebuilds them at most ten times a second.
package figure

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/render/plot"
	"checkpointlab/render/scene"
	"checkpointlab/render/token"
)

// Options choose how a view is drawn.
type Options struct {
	Width    float64 // CSS px
	Height   float64 // CSS px at most; 0 = as high as needed
	Lang     scene.Lang
	Layout   scene.Layout
	Pipeline scene.Options    // Width, Height, Lang and Layout are set by the figure
	Plot     plot.Options     // Width, Lang, Now, End, Computed and Bare are set by the figure
	Gantt    event.Checkpoint // 0 = the newest completed one
	KeepPlot bool
}

// Box is an area of the scene in CSS px.
type Box struct{ X, Y, W, H float64 }

// Figure is the whole picture of a view.
type Figure struct {
	Scene    scene.Scene
	Pipeline Box
	Plot     Box // the plot's scene; Area is relative to it
	Gantt    Box // empty where the layout has none
	Area     plot.Area

	pipeline, plot, gantt scene.Scene
	made                  made
}

// made is what a kept plot must have been made for.
type made struct {
	width, height float64
	layout        scene.Layout
	lang          scene.Lang
}

// Distances in px.
const (
	gap      = 12.0
	padding  = 16.0
	inset    = 10.0  // above a panel's title
	mostPlot = 440.0 // a plot does not grow higher
)

// Build draws a view and the history up to it.
func (f *Figure) Build(v *core.View, h *core.History, o Options) {
	layout := o.Layout
	if layout == scene.Auto {
		layout = scene.LayoutFor(o.Width)
	}
	split(f, o.Width, layout)
	around := gap
	if layout == scene.Wide || layout == scene.Medium {
		around += inset + 4
	}
	p := o.Pipeline
	p.Width, p.Lang, p.Layout = o.Width, o.Lang, layout
	if o.Height > 0 {
		p.Height = o.Height - around - plot.LeastHeight
	}
	scene.Build(v, h, p, &f.pipeline)
	if o.Height > 0 {
		o.Plot.Height = min(mostPlot, o.Height-around-f.pipeline.Height)
	}
	if now := (made{f.Plot.W, o.Plot.Height, layout, o.Lang}); !o.KeepPlot || now != f.made {
		f.made = now
		f.buildPlot(v, h, o, layout)
	}
	f.place()
	f.compose(o.Width)
}

// split divides the width between plot and Gantt.
func split(f *Figure, width float64, layout scene.Layout) {
	f.Plot, f.Gantt = Box{W: width}, Box{}
	if layout == scene.Wide {
		plotW := float64(int(width * 0.6925))
		f.Plot = Box{X: padding, W: plotW - 2*padding}
		f.Gantt = Box{X: plotW + gap + inset, W: width - plotW - gap - 2*inset}
	}
	if layout == scene.Medium {
		f.Plot = Box{X: padding, W: width - 2*padding}
	}
}

func (f *Figure) buildPlot(v *core.View, h *core.History, o Options, layout scene.Layout) {
	p := o.Plot
	p.Width, p.Lang, p.Now, p.End, p.Computed = f.Plot.W, o.Lang, v.At, v.Duration, v.Computed
	p.Bare = layout == scene.Phone || layout == scene.Embed
	f.Area = plot.Build(h, p, &f.plot)
	if f.Gantt.W <= 0 {
		return
	}
	id := o.Gantt
	if id == 0 {
		id = v.Coord.LastCompleted
	}
	f.gantt.Reset(f.Gantt.W, f.plot.Height)
	scene.Gantt(v, h, id, f.Gantt.W, f.plot.Height-8, o.Lang, &f.gantt)
}

// place puts the plot and the Gantt below the pipeline.
func (f *Figure) place() {
	f.Pipeline = Box{0, 0, f.pipeline.Width, f.pipeline.Height}
	f.Plot.Y, f.Plot.H = f.pipeline.Height+gap, f.plot.Height
	if f.Plot.X > 0 {
		f.Plot.Y += inset
	}
	if f.Gantt.W > 0 {
		f.Gantt.Y, f.Gantt.H = f.Plot.Y, f.plot.Height
	}
}

// compose joins the parts: what only the layout changes comes first.
func (f *Figure) compose(width float64) {
	s := &f.Scene
	height := f.Plot.Y + f.Plot.H
	if f.Plot.X > 0 {
		height += 4
	}
	s.Reset(width, height)
	s.Level = f.pipeline.Level
	if f.Plot.X > 0 {
		f.panel(f.Plot, padding)
	}
	if f.Gantt.W > 0 {
		f.panel(f.Gantt, inset)
	}
	s.AppendRange(&f.pipeline, 0, f.pipeline.Static, 0, 0)
	s.Static = len(s.Marks)
	s.AppendRange(&f.pipeline, f.pipeline.Static, len(f.pipeline.Marks), 0, 0)
	s.Append(&f.plot, f.Plot.X, f.Plot.Y)
	if f.Gantt.W > 0 {
		s.Append(&f.gantt, f.Gantt.X, f.Gantt.Y)
	}
}

func (f *Figure) panel(b Box, side float64) {
	f.Scene.Frame(scene.ID{}, b.X-side, b.Y-inset, b.W+2*side, b.H+inset+4, token.Panel, token.Rule, 1).Radius = token.R3
}
