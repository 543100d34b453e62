// Package picture puts the parts of the page's picture together: the pipeline, the plot with its strip and scrubber, and
// the phases of one checkpoint, each in the box that the document gives it. It says how high a box must be, what lies
// under a point, what can be focused and what a mark reads. It is pure; cmd/wasm draws what it builds.
package picture

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/render/plot"
	"checkpointlab/render/scene"
	"checkpointlab/render/token"
)

// Box is a part of the stage in CSS px.
type Box struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
	W float64 `json:"w"`
	H float64 `json:"h"`
}

// Widths are what the document has decided: the layout and the boxes' widths.
type Widths struct {
	Mode  string  `json:"mode"` // wide, medium, phone or embed
	Pipe  float64 `json:"pipe"`
	Plot  float64 `json:"plot"`
	Gantt float64 `json:"gantt"`
	Room  float64 `json:"room"` // the pipeline's height at most; 0 = as high as needed
}

// Heights are what the boxes need.
type Heights struct {
	Pipe  float64 `json:"pipe"`
	Plot  float64 `json:"plot"`
	Gantt float64 `json:"gantt"`
}

// Place is where everything stands.
type Place struct {
	Mode  string  `json:"mode"`
	Ratio float64 `json:"ratio"` // device px per CSS px
	W     float64 `json:"w"`     // of the stage
	H     float64 `json:"h"`
	Pipe  Box     `json:"pipe"`
	Plot  Box     `json:"plot"`
	Gantt Box     `json:"gantt"`
	Room  float64 `json:"room"` // as in Widths
}

// part is a scene and its top left corner on the stage.
type part struct {
	scene *scene.Scene
	x, y  float64
}

// Picture is the whole picture of one instant. Its memory is used again by the next Build.
type Picture struct {
	lang  scene.Lang
	theme token.Theme
	place Place

	view    *core.View
	history *core.History
	ghost   *core.History

	all         scene.Scene // the parts together
	pipe, gantt scene.Scene
	plot        plotPart
	parts       []part
	notes       []plot.Note

	hovered, focused, pinned scene.ID
	targets                  []scene.Target
}

// New is a picture without a place: it draws nothing until it has one.
func New() *Picture { return &Picture{lang: scene.Korean} }

// Lang chooses the language of the picture's words.
func (p *Picture) Lang(lang string) { p.lang = scene.ParseLang(lang) }

// Theme chooses the colours: "dark", else light.
func (p *Picture) Theme(name string) {
	p.theme = token.Light
	if name == "dark" {
		p.theme = token.Dark
	}
}

// Colours is the theme in use.
func (p *Picture) Colours() token.Theme { return p.theme }

// Ratio is device px per CSS px.
func (p *Picture) Ratio() float64 { return p.place.Ratio }

// Put gives the boxes their places.
func (p *Picture) Put(at Place) { p.place = at }

var layouts = map[string]scene.Layout{"wide": scene.Wide, "medium": scene.Medium, "phone": scene.Phone, "embed": scene.Embed}

func (p *Picture) options(mode string, width, room float64) scene.Options {
	return scene.Options{Width: width, Height: room, Lang: p.lang, Layout: layouts[mode]}
}

// Measure says how high the boxes must be for a view. It needs the job's shape and not its state.
func (p *Picture) Measure(w Widths, v *core.View, h *core.History) Heights {
	var s scene.Scene
	scene.Build(v, h, p.options(w.Mode, w.Pipe, w.Room), &s)
	return Heights{Pipe: s.Height, Plot: plotHeight(w.Mode), Gantt: ganttHeight(w.Mode, v)}
}

const (
	ganttTop, ganttRow, ganttFoot = 28, 17, 46 // of scene.Gantt
	ganttPad                      = 10         // above and beside it in its panel
	mostRows                      = 12
)

// ganttHeight leaves a line for each subtask, up to a dozen.
func ganttHeight(mode string, v *core.View) float64 {
	rows := 0
	for i := range v.Vertices {
		rows += len(v.Vertices[i].Tasks)
	}
	return float64(ganttTop + ganttRow*min(rows, mostRows) + ganttFoot + ganttPad)
}

// Build draws the instant of a view; the ghost is the history of the run before, or nil. Unless it is to be fresh, the
// plot may be one of shortly before: it takes longer than a frame should.
func (p *Picture) Build(v *core.View, h, ghost *core.History, fresh bool) {
	p.view, p.history, p.ghost = v, h, ghost
	p.parts = p.parts[:0]
	if p.place.Pipe.W <= 0 {
		return
	}
	scene.Build(v, h, p.options(p.place.Mode, p.place.Pipe.W, p.place.Room), &p.pipe)
	p.parts = append(p.parts, part{&p.pipe, p.place.Pipe.X, p.place.Pipe.Y})
	p.buildPlot(fresh)
	p.buildGantt()
	p.join()
}

// join puts the parts together.
func (p *Picture) join() {
	p.all.Reset(p.place.W, p.place.H)
	for _, part := range p.parts {
		p.all.Append(part.scene, part.x, part.y)
	}
	p.all.Static = p.pipe.Static
}

// Still is the whole picture on its panels, for paper: there the document's own boxes are not below it.
func (p *Picture) Still(s *scene.Scene) {
	s.Reset(p.place.W, p.place.H)
	if !bare(p.place.Mode) {
		panel(s, p.place.Plot)
		panel(s, p.place.Gantt)
	}
	s.Append(&p.all, 0, 0)
}

// panel draws the ground of a box whose edge lies around it.
func panel(s *scene.Scene, b Box) {
	if b.W > 0 && b.H > 0 {
		s.Frame(scene.ID{}, b.X-1, b.Y-1, b.W+2, b.H+2, token.Panel, token.Rule, 1).Radius = 8
	}
}

func (p *Picture) buildGantt() {
	b := p.place.Gantt
	if b.W <= 2*ganttPad || b.H <= ganttPad {
		return
	}
	w, h := b.W-2*ganttPad, b.H-ganttPad
	p.gantt.Reset(w, h)
	scene.Gantt(p.view, p.history, p.shown(), w, h, p.lang, &p.gantt)
	p.parts = append(p.parts, part{&p.gantt, b.X + ganttPad, b.Y + ganttPad})
}

// shown is the checkpoint whose phases are shown: the pinned one, else the newest that has ended.
func (p *Picture) shown() event.Checkpoint {
	if id := p.checkpointOf(p.pinned); id != 0 {
		return id
	}
	for i := len(p.history.Checkpoints) - 1; i >= 0; i-- {
		if c := &p.history.Checkpoints[i]; c.Ended > 0 && c.Ended <= p.view.At {
			return c.ID
		}
	}
	return 0
}

// checkpointOf is the checkpoint that a mark is about, 0 if it is about none.
func (p *Picture) checkpointOf(id scene.ID) event.Checkpoint {
	switch id.What {
	case scene.Checkpoint:
		return event.Checkpoint(id.A)
	case scene.Phases:
		return event.Checkpoint(id.B)
	case scene.Commit:
		if int(id.A) < len(p.history.Commits) {
			return p.history.Commits[id.A].Checkpoint
		}
	}
	return 0
}

// Scene is the whole picture. It is valid until the next Build.
func (p *Picture) Scene() *scene.Scene { return &p.all }
