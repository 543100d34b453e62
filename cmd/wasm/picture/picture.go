// Package picture is the page's picture: it puts what render/figure draws into the boxes that the document gives, and says
// how high a box must be, what lies under a point, what can be focused and what a mark reads. It is pure; cmd/wasm draws
// what it builds.
package picture

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/render/figure"
	"checkpointlab/render/plot"
	"checkpointlab/render/scene"
	"checkpointlab/render/token"
)

// Box is a part of the stage in CSS px.
type Box = figure.Box

// Widths are what the document has decided: the layout and the boxes' widths.
type Widths struct {
	Mode  string    `json:"mode"` // wide, medium, phone or embed
	Pipe  float64   `json:"pipe"`
	Plot  float64   `json:"plot"`
	Gantt float64   `json:"gantt"`
	Lanes []float64 `json:"lanes"` // of the lanes' pipelines in a comparison; 0 = not shown
	Room  float64   `json:"room"`  // a pipeline's height at most, on a phone where that can be; 0 = as high as needed

	Details bool `json:"details"` // strip and Gantt below each lane of an embed's comparison; a page's always has them
	Strips  bool `json:"strips"`  // the strip alone
	Space   bool `json:"-"`       // the plot's place shows checkpoints in space and time
	Sweep   bool `json:"-"`       // or measures over a setting
}

// Heights are what the boxes need.
type Heights struct {
	Pipe  float64   `json:"pipe"`
	Plot  float64   `json:"plot"`
	Gantt float64   `json:"gantt"`
	Lanes []float64 `json:"lanes"`
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
	Lanes []Box   `json:"lanes"` // of a comparison
	Room  float64 `json:"room"`  // as in Widths

	Details bool `json:"details"` // as in Widths
	Strips  bool `json:"strips"`
}

// detail is what stands below each of so many lanes.
func detail(mode string, lanes int, details, strips bool) figure.Detail {
	switch {
	case lanes < 2:
	case mode != "embed" || details:
		return figure.Details
	case strips:
		return figure.Strips
	}
	return figure.NoDetails
}

// Shot is what is to be seen.
type Shot struct {
	Lanes  []figure.Lane    // at least one
	Ghost  *core.History    // of the run before; nil = none
	Plot   plot.Options     // notes, the span that is shown, the least height of its axis
	Fresh  bool             // else the plot may be of shortly before: it takes longer than a frame should
	Shaded int              // the lane whose difference from the first is shaded
	Space  bool             // a checkpoint of each lane in space and time instead of the plot
	Sweep  *plot.Sweep      // instead of the plot; nil = the plot
	Focus  event.Checkpoint // whose marks stand out while Dim is above 0
	Dim    float64          // 0 to 1

	Motion func(since event.Time) (ms float64) // as in scene.Options, and so is
	Steps  bool
}

// mark is something in the picture: a mark of a lane.
type mark struct {
	lane int
	id   scene.ID
}

// Picture is the whole picture of one instant. Its memory is used again by the next Build.
type Picture struct {
	lang  scene.Lang
	theme token.Theme
	more  bool // contrast
	place Place

	lanes  []figure.Lane
	sweep  *plot.Sweep
	notes  []plot.Note
	figure figure.Figure
	boxes  figure.Boxes
	gantts []event.Checkpoint // of lanes
	spaces []event.Checkpoint // of lanes
	opened event.Task         // the merged subtask that is shown with its neighbours plus one; 0 = none

	hovered, focused, pinned mark
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

// Contrast says whether the reader asks for more of it.
func (p *Picture) Contrast(more bool) { p.more = more }

// Colours is the theme in use.
func (p *Picture) Colours() token.Theme {
	if p.more {
		return p.theme | token.More
	}
	return p.theme
}

// Ratio is device px per CSS px, below 1 for a picture that is shown smaller; 1 as long as there is no place.
func (p *Picture) Ratio() float64 {
	if p.place.Ratio <= 0 {
		return 1
	}
	return p.place.Ratio
}

// Put gives the boxes their places.
func (p *Picture) Put(at Place) { p.place = at }

var layouts = map[string]scene.Layout{"wide": scene.Wide, "medium": scene.Medium, "phone": scene.Phone, "embed": scene.Embed}

// layoutOf is the pipelines' layout: side by side, only what moves is drawn.
func layoutOf(mode string, lanes int) scene.Layout {
	if lanes > 1 && mode != "phone" {
		return scene.Embed
	}
	return layouts[mode]
}

// Measure says how high the boxes must be for views of the lanes. It needs the jobs' shapes and not their state.
func (p *Picture) Measure(w Widths, lanes []figure.Lane) Heights {
	out := Heights{Plot: plotHeight(&w, lanes), Gantt: ganttHeight(w.Mode, lanes[0].View), Lanes: []float64{}}
	out.Pipe = p.pipeHeight(&w, w.Pipe, 1, lanes[0])
	for i, width := range w.Lanes {
		if i < len(lanes) {
			out.Lanes = append(out.Lanes, p.pipeHeight(&w, width, len(lanes), lanes[i]))
		}
	}
	return out
}

func (p *Picture) pipeHeight(w *Widths, width float64, lanes int, l figure.Lane) float64 {
	if width <= 0 {
		return 0
	}
	var s scene.Scene
	scene.Build(l.View, l.History, scene.Options{Width: width, Height: w.Room, Lang: p.lang, Layout: layoutOf(w.Mode, lanes), Open: p.opened}, &s)
	return s.Height + figure.DetailsHeight(detail(w.Mode, lanes, w.Details, w.Strips), l.View, width)
}

const (
	ganttPad = 10 // above and beside the Gantt in its panel
	mostRows = 12
)

// ganttHeight leaves a line for each subtask, up to a dozen.
func ganttHeight(mode string, v *core.View) float64 {
	return figure.GanttHeight(v, mostRows) + ganttPad
}

// Build draws what is to be seen.
func (p *Picture) Build(s Shot) {
	p.lanes, p.sweep, p.notes = s.Lanes, s.Sweep, s.Plot.Notes
	for _, m := range []*mark{&p.hovered, &p.focused, &p.pinned} {
		if m.lane >= len(p.lanes) { // its lane was taken away
			*m = mark{}
		}
	}
	p.layOut()
	if p.lanes[0].View == nil || p.place.W <= 0 {
		return
	}
	o := figure.Options{Lang: p.lang, Layout: layoutOf(p.place.Mode, len(p.lanes)), Plot: s.Plot, Gantt: p.shown(0), KeepPlot: !s.Fresh}
	if o.Details = detail(p.place.Mode, len(p.lanes), p.place.Details, p.place.Strips); o.Details != figure.NoDetails {
		p.gantts = p.gantts[:0]
		for i := range p.lanes {
			p.gantts = append(p.gantts, p.shown(i))
		}
		o.Gantts = p.gantts
	}
	o.Pipeline.Open, o.Pipeline.Height, o.Pipeline.Motion = p.opened, p.place.Room, s.Motion
	o.Pipeline.Steps = s.Steps
	if s.Dim > 0 && !p.more {
		o.Pipeline.Focus, o.Pipeline.Dim = s.Focus, s.Dim
	}
	if s.Space && p.spacious() {
		p.spaces = p.spaces[:0]
		for i := range p.lanes {
			p.spaces = append(p.spaces, p.inSpace(i))
		}
		o.Spaces = p.spaces
	}
	o.Sweep = s.Sweep
	o.Plot.Ghost, o.Plot.Shade, o.Plot.Pinned = s.Ghost, s.Shaded, p.pinnedCommit()
	o.Plot.Bare = bare(p.place.Mode)
	p.figure.Compose(p.lanes, p.boxes, o)
	if p.more {
		strengthen(&p.figure.Scene)
	}
}

// leastStrength is the least that a stroke or a text has where more contrast is asked for.
const leastStrength = 140

// strengthen makes faint strokes and texts stronger; what is faint because it lies under others stays.
func strengthen(s *scene.Scene) {
	for i := range s.Marks {
		m := &s.Marks[i]
		if m.Kind == scene.Line || m.Kind == scene.Text || m.Kind == scene.Path && m.Fill == token.None {
			m.Alpha = max(m.Alpha, leastStrength)
		}
	}
}

// spacious reports whether the plot's place has room for checkpoints in space and time: below an embed's pipeline it has not.
func (p *Picture) spacious() bool {
	return !bare(p.place.Mode) || p.place.Pipe.W == 0 || p.boxes.Plot.H >= spaceHeight(p.lanes)
}

// layOut is the place without the panels' padding.
func (p *Picture) layOut() {
	at := &p.place
	padX, padY := plotPad(at.Mode)
	p.boxes.W, p.boxes.H = at.W, at.H
	p.boxes.Plot = Box{X: at.Plot.X + padX, Y: at.Plot.Y + padY, W: at.Plot.W - 2*padX, H: at.Plot.H - 2*padY}
	p.boxes.Gantt = Box{X: at.Gantt.X + ganttPad, Y: at.Gantt.Y + ganttPad, W: at.Gantt.W - 2*ganttPad, H: at.Gantt.H - ganttPad}
	p.boxes.Pipelines = append(p.boxes.Pipelines[:0], at.Pipe)
	if len(p.lanes) > 1 && len(at.Lanes) > 0 {
		p.boxes.Pipelines = append(p.boxes.Pipelines[:0], at.Lanes...)
	}
	for len(p.boxes.Pipelines) < len(p.lanes) { // the document has not laid the newest one out yet
		p.boxes.Pipelines = append(p.boxes.Pipelines, Box{})
	}
}

// Still is the whole picture on its panels, for paper and files: there the document's own boxes are not below it.
func (p *Picture) Still(s *scene.Scene) {
	if bare(p.place.Mode) {
		p.figure.Join(s, p.place.W, p.place.H)
		return
	}
	p.figure.Join(s, p.place.W, p.place.H, edge(p.place.Plot), edge(p.place.Gantt))
}

// edge is the outer edge of a box of the document, whose line lies around it; nothing of one that is not there.
func edge(b Box) Box {
	if b.W <= 0 || b.H <= 0 {
		return Box{}
	}
	return Box{X: b.X - 1, Y: b.Y - 1, W: b.W + 2, H: b.H + 2}
}

// shown is the checkpoint of a lane whose phases are shown: the pinned one, so that all lanes show the same, else the newest
// that has ended, without those that were declined before they had an id.
func (p *Picture) shown(lane int) event.Checkpoint {
	if id := p.checkpointOf(p.pinned); id != 0 {
		return id
	}
	l := &p.lanes[lane]
	for i := len(l.History.Checkpoints) - 1; i >= 0; i-- {
		if c := &l.History.Checkpoints[i]; c.ID != 0 && c.Ended > 0 && c.Ended <= l.View.At {
			return c.ID
		}
	}
	return 0
}

// inSpace is the checkpoint of a lane that is shown in space and time: the pinned one, else the newest that was triggered.
func (p *Picture) inSpace(lane int) event.Checkpoint {
	if id := p.checkpointOf(p.pinned); id != 0 {
		return id
	}
	l := &p.lanes[lane]
	for i := len(l.History.Checkpoints) - 1; i >= 0; i-- {
		if c := &l.History.Checkpoints[i]; c.ID != 0 && c.Triggered <= l.View.At {
			return c.ID
		}
	}
	return 0
}

// checkpointOf is the checkpoint that a mark is about, 0 if it is about none.
func (p *Picture) checkpointOf(m mark) event.Checkpoint {
	switch m.id.What {
	case scene.Passage:
		if h := p.lanes[m.lane].History; int(m.id.A) < len(h.Passages) {
			return h.Passages[m.id.A].Checkpoint
		}
	case scene.Checkpoint:
		return event.Checkpoint(m.id.A)
	case scene.Phases:
		return event.Checkpoint(m.id.B)
	case scene.Commit:
		if h := p.lanes[m.lane].History; int(m.id.A) < len(h.Commits) {
			return h.Commits[m.id.A].Checkpoint
		}
	}
	return 0
}

// Scene is the whole picture. It is valid until the next Build.
func (p *Picture) Scene() *scene.Scene { return &p.figure.Scene }
