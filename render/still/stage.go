package still

import (
	"checkpointlab/core"
	"checkpointlab/render/figure"
	"checkpointlab/render/scene"
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
