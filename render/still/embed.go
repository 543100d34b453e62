package still

import (
	"checkpointlab/core"
	"checkpointlab/render/figure"
	"checkpointlab/render/font"
	"checkpointlab/render/scene"
	"checkpointlab/render/token"
)

// The embed's own layout, as web/embed.css and web/embed/place.js have it, in CSS px.
const (
	embedHigh   = 490.0 // of 540, without the row of controls
	embedSide   = 16.0
	embedHead   = 42.0
	embedFoot   = 6.0   // without a row of controls
	embedLeast  = 720.0 // a narrower picture gets smaller as a whole
	betweenPlot = 12.0
	embedPlot   = 176.0 // least height
	readable    = 0.75  // the least scale
)

// buildEmbed is Build in the place of an embed's caption and picture at 960 × 540, or in a frame of a size.
func buildEmbed(v *core.View, h *core.History, p Page) *scene.Scene {
	frame, foot := p.Frame, embedFoot
	if frame == (Size{}) {
		frame, foot = Size{EmbedWidth, embedHigh}, 0
	}
	width, room := frame.W-2*embedSide, frame.H-embedHead-foot
	o := p.Figure
	o.Layout, o.Plot.Bare = scene.Embed, true
	at, scale := embedBoxes(v, h, &o, width, room, p.Plot)
	f := &figure.Figure{}
	f.Compose([]figure.Lane{{View: v, History: h}}, at, o)
	s := &scene.Scene{}
	s.Reset(frame.W/scale, frame.H/scale)
	s.Rect(scene.ID{}, 0, 0, s.Width, s.Height, token.Panel)
	s.Append(&f.Scene, embedSide/scale, embedHead/scale)
	watch, size := p.watch(v, h), token.T17/scale
	for size > token.T12/scale && font.Width(watch, font.Regular, size) > at.W {
		size--
	}
	s.Write(scene.ID{}, embedSide/scale, 30/scale, size, token.Ink, font.Regular, scene.Start, watch)
	return s
}

// embedBoxes are the places of pipeline and plot in px of the picture, and how many CSS px one of them is. It lowers the pipeline's
// level of detail where both would become too small.
func embedBoxes(v *core.View, h *core.History, o *figure.Options, width, room float64, plotAlone bool) (at figure.Boxes, scale float64) {
	if plotAlone {
		return figure.Boxes{W: width, H: room, Pipelines: make([]figure.Box, 1), Plot: figure.Box{W: width, H: room}}, 1
	}
	across := min(1, width/embedLeast)
	pipe := embedHeight(v, h, *o, width/across)
	scale = min(across, room/(pipe+betweenPlot+embedPlot))
	if scale < readable {
		scale, o.Pipeline.Height = across, room/across-betweenPlot-embedPlot
		pipe = embedHeight(v, h, *o, width/across)
	}
	w, high := width/scale, room/scale
	top := pipe + betweenPlot
	return figure.Boxes{W: w, H: high, Pipelines: []figure.Box{{W: w, H: pipe}}, Plot: figure.Box{Y: top, W: w, H: high - top}}, scale
}

// embedHeight is how high a pipeline is.
func embedHeight(v *core.View, h *core.History, o figure.Options, width float64) float64 {
	var s scene.Scene
	p := o.Pipeline
	p.Width, p.Lang, p.Layout = width, o.Lang, o.Layout
	scene.Build(v, h, p, &s)
	return s.Height
}
