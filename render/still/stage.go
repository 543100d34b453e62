package still

import (
	"checkpointlab/core"
	"checkpointlab/render/figure"
	"checkpointlab/render/font"
	"checkpointlab/render/scene"
	"checkpointlab/render/token"
)

// buildStage is Build in the place of the lab page's picture, where web/lab.css has its boxes in a window of 1440 px, or of 960 px
// in the medium layout, where the Gantt stands further down.
func buildStage(v *core.View, h *core.History, p Page) *scene.Scene {
	const (
		between   = 8.0 + 1 // pipeline and panels, and a panel's edge
		panel     = 964.0   // of the plot, beside that of the Gantt
		ganttLeft = panel + 12 + 1
		padX      = 16.0 // of the plot in its panel
		pad       = 10.0
	)
	f := &figure.Figure{}
	o := p.Figure
	width, plot := float64(StageWidth), panel
	if o.Layout == scene.Medium {
		width, plot = MediumWidth, MediumWidth
	} else {
		o.Layout = scene.Wide
	}
	o.Width = width
	f.Build(v, h, o) // for the heights
	top := f.Pipeline.H + between + pad
	at := figure.Boxes{W: width, H: top + f.Plot.H + pad, Pipelines: []figure.Box{{W: width, H: f.Pipeline.H}},
		Plot: figure.Box{X: 1 + padX, Y: top, W: plot - 2 - 2*padX, H: f.Plot.H}}
	if o.Layout == scene.Wide {
		at.Gantt = figure.Box{X: ganttLeft + pad, Y: top, W: width - ganttLeft - 1 - 2*pad, H: f.Plot.H}
	}
	f.Compose([]figure.Lane{{View: v, History: h}}, at, o)
	return &f.Scene
}

// buildEmbed is Build in the place of an embed's caption and picture, as web/embed.css and web/embed/place.js lay them out at
// 960 × 540.
func buildEmbed(v *core.View, h *core.History, p Page) *scene.Scene {
	const (
		high             = 490.0 // without the row of controls
		side, head       = 16.0, 42.0
		between, least   = 12.0, 176.0
		readable         = 0.75 // place.js: the least scale
		width, roomBelow = EmbedWidth - 2*side, high - head
	)
	o := p.Figure
	o.Layout, o.Plot.Bare = scene.Embed, true
	pipe := embedHeight(v, h, o, width)
	scale := min(1, roomBelow/(pipe+between+least))
	if scale < readable {
		scale, o.Pipeline.Height = 1, roomBelow-between-least
		pipe = embedHeight(v, h, o, width)
	}
	w := width / scale
	at := figure.Boxes{W: w, H: roomBelow / scale, Pipelines: []figure.Box{{W: w, H: pipe}},
		Plot: figure.Box{Y: pipe + between, W: w, H: roomBelow/scale - pipe - between}}
	f := &figure.Figure{}
	f.Compose([]figure.Lane{{View: v, History: h}}, at, o)
	s := &scene.Scene{}
	s.Reset(EmbedWidth/scale, high/scale)
	s.Rect(scene.ID{}, 0, 0, s.Width, s.Height, token.Panel)
	s.Append(&f.Scene, side/scale, head/scale)
	watch, size := p.watch(v, h), token.T17/scale
	for size > token.T12/scale && font.Width(watch, font.Regular, size) > w {
		size--
	}
	s.Write(scene.ID{}, side/scale, 30/scale, size, token.Ink, font.Regular, scene.Start, watch)
	return s
}

// embedHeight is how high a pipeline is.
func embedHeight(v *core.View, h *core.History, o figure.Options, width float64) float64 {
	var s scene.Scene
	p := o.Pipeline
	p.Width, p.Lang, p.Layout = width, o.Lang, o.Layout
	scene.Build(v, h, p, &s)
	return s.Height
}
