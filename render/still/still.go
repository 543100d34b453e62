package still

import (
	"io"

	"checkpointlab/core"
	"checkpointlab/render/caption"
	"checkpointlab/render/figure"
	"checkpointlab/render/font"
	"checkpointlab/render/format"
	"checkpointlab/render/scene"
	"checkpointlab/render/token"
	"checkpointlab/web/texts"
)

// Size of a still in CSS px.
const (
	Width  = 1600
	Height = 900

	NarrowWidth = 390
	BesideWidth = 900
	StageWidth  = 1392
	MediumWidth = 912
	EmbedWidth  = 960

	PaperWidth  = 900
	PaperHeight = 780
)

// Size is that of a frame in CSS px.
type Size struct{ W, H float64 }

// Page is what a still says around the picture.
type Page struct {
	Title   string // the scenario's
	Caption string // what to watch; empty = what render/caption says
	Seed    uint64
	Link    string // where the live figure is
	Figure  figure.Options
	Theme   token.Theme
	Narrow  bool // for a column: the layout of a phone, NarrowWidth wide and as high as it needs, without a caption
	Stage   bool // in the place of the lab page's picture: what stands on its ground and its panels, without them, StageWidth wide, or MediumWidth in the medium layout
	Embed   bool // in the place of an embed's caption and picture, EmbedWidth wide, or more where an embed makes a high pipeline smaller
	Frame   Size // an embed without controls in a frame of this size, in which all else is as with Embed; 0, 0 = none
	Plot    bool // of a Frame the plot alone
	Paper   bool // for a page of text: PaperWidth × PaperHeight, so that what it says is still read at the width of a sheet
	Beside  bool // for a figure beside a text, which has a caption of its own: BesideWidth wide, pipeline and plot as a page lays them out there
}

// Build lays a still out: caption on top, the picture, then seed, clock and link. It has no controls.
func Build(v *core.View, h *core.History, p Page) *scene.Scene {
	if p.Narrow {
		return buildNarrow(v, h, p)
	}
	if p.Beside {
		return buildBeside(v, h, p)
	}
	if p.Stage {
		return buildStage(v, h, p)
	}
	if p.Embed || p.Frame != (Size{}) {
		return buildEmbed(v, h, p)
	}
	const margin, head, foot = 24.0, 78.0, 40.0
	f := &figure.Figure{}
	o := p.Figure
	width, height := float64(Width), float64(Height)
	o.Layout = scene.Wide
	if p.Paper {
		width, height, o.Layout = PaperWidth, PaperHeight, scene.Medium
	}
	o.Width, o.Height = width-2*margin, height-head-foot
	f.Build(v, h, o)
	s := &scene.Scene{}
	s.Reset(width, height)
	s.Write(scene.ID{}, margin, 31, token.T13, token.Ink2, font.Regular, scene.Start, p.Title)
	clock := string(format.Seconds(nil, v.At, 3))
	s.Write(scene.ID{}, width-margin, 31, token.T13, token.Ink, font.Bold, scene.End, clock)
	watch, size := p.watch(v, h), float64(token.T17)
	for size > token.T12 && font.Width(watch, font.Regular, size) > o.Width {
		size--
	}
	s.Write(scene.ID{}, margin, 60, size, token.Ink, font.Regular, scene.Start, watch)
	s.Append(&f.Scene, margin, head)
	seed := append([]byte(words.seed[o.Lang]), format.Count(nil, int64(p.Seed))...)
	s.Write(scene.ID{}, margin, height-18, token.T12, token.Ink3, font.Regular, scene.Start,
		string(seed)+" · "+clock+" · "+words.model[o.Lang])
	s.Write(scene.ID{}, width-margin, height-18, token.T12, token.Ink3, font.Regular, scene.End, p.Link)
	return s
}

// watch is the sentence above the picture.
func (p *Page) watch(v *core.View, h *core.History) string {
	if p.Caption != "" {
		return p.Caption
	}
	return caption.Plain(caption.Of(texts.Must(p.Figure.Lang.String()), v, h, 0))
}

// buildNarrow is Build for a column.
func buildNarrow(v *core.View, h *core.History, p Page) *scene.Scene {
	const margin, head, foot = 16.0, 40.0, 36.0
	f := &figure.Figure{}
	o := p.Figure
	o.Width, o.Height, o.Layout = NarrowWidth-2*margin, 0, scene.Phone
	f.Build(v, h, o)
	s := &scene.Scene{}
	height := head + f.Scene.Height + foot
	s.Reset(NarrowWidth, height)
	s.Write(scene.ID{}, margin, 25, token.T13, token.Ink, font.Bold, scene.Start, p.Title)
	s.Append(&f.Scene, margin, head)
	seed := append([]byte(words.seed[o.Lang]), format.Count(nil, int64(p.Seed))...)
	s.Write(scene.ID{}, margin, height-14, token.T12, token.Ink3, font.Regular, scene.Start,
		string(seed)+" · "+string(format.Seconds(nil, v.At, 3)))
	return s
}

// buildBeside is Build for a figure beside a text.
func buildBeside(v *core.View, h *core.History, p Page) *scene.Scene {
	const between = 18.0
	f := &figure.Figure{}
	o := p.Figure
	o.Width, o.Layout = BesideWidth, scene.Medium
	f.Build(v, h, o) // for the heights
	at := figure.Boxes{W: BesideWidth, Pipelines: []figure.Box{{W: BesideWidth, H: f.Pipeline.H}},
		Plot: figure.Box{Y: f.Pipeline.H + between, W: BesideWidth, H: f.Plot.H}}
	at.H = at.Plot.Y + at.Plot.H
	f.Compose([]figure.Lane{{View: v, History: h}}, at, o)
	s := &scene.Scene{}
	s.Reset(at.W, at.H)
	s.Rect(scene.ID{}, 0, 0, at.W, at.H, token.Panel)
	s.Append(&f.Scene, 0, 0)
	return s
}

// words of a still, English and Korean.
var words = struct{ seed, model [2]string }{
	seed:  [2]string{"seed ", "시드 "},
	model: [2]string{"a computed run, not a recording", "계산한 실행이며 녹화가 아니다"},
}

// WriteSVG writes the still of a view as SVG.
func WriteSVG(w io.Writer, v *core.View, h *core.History, p Page) error {
	return SVG(w, Build(v, h, p), p.Theme, p.Title)
}
