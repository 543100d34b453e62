// Package figure puts the parts of the picture together in one scene: the pipeline of each run that is shown, the latency
// plot with its time axis, and the Gantt of one checkpoint. It is the one place that joins them, for stills and for the page.
//
//	var f figure.Figure                                   // keep it: its memory is reused
//	f.Build(&view, history, figure.Options{Width: 1392})  // every frame in which something changed
//	canvas.Draw(screen, &f.Scene, theme, ratio)
//
// Build lays the parts out as the design has it (section 5); Compose puts them into boxes that a document has laid out, and
// takes several runs. Options.KeepPlot leaves the plot as it was, so that a game loop rebuilds it at most ten times a second.
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
	Pipeline scene.Options      // Width, Height, Lang and Layout are set by the figure
	Plot     plot.Options       // Width, Lang, Now, End, Computed and Lanes are set by the figure; Build sets Bare, too
	Gantt    event.Checkpoint   // 0 = the newest completed one
	Spaces   []event.Checkpoint // instead of the plot, a checkpoint of each lane in space and time; nil = the plot
	Sweep    *plot.Sweep        // instead of the plot; nil = the plot
	Details  Detail             // below the pipeline of each lane of a comparison
	Gantts   []event.Checkpoint // whose phases the lanes' Gantts show
	KeepPlot bool               // the plot may be of shortly before
}

// Box is an area of the scene in CSS px.
type Box struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
	W float64 `json:"w"`
	H float64 `json:"h"`
}

// Lane is one run at an instant.
type Lane struct {
	View    *core.View
	History *core.History
	Name    string // at its curve, where there are several
}

// Boxes are where the parts stand; a part whose box has no width is not drawn.
type Boxes struct {
	W, H        float64 // of the whole
	Pipelines   []Box   // one a lane
	Plot, Gantt Box
}

// Part is a part of the picture, and where its scene's corner stands.
type Part struct {
	Scene *scene.Scene
	X, Y  float64
	Lane  int
}

// Figure is the whole picture.
type Figure struct {
	Scene    scene.Scene
	Pipeline Box       // of Build
	Plot     Box       // the plot's scene; Area is relative to it
	Gantt    Box       // empty where the layout has none
	Area     plot.Area // of the plot
	Parts    []Part

	pipelines   []*scene.Scene
	plot, gantt scene.Scene
	spaces      []*scene.Scene // of lanes
	around      [2]Box         // panels of Build
	details     []*details     // of lanes
	lanes       []Lane         // of Build
	curves      []plot.Lane
	made        made
	shown       phases
}

// phases is what the Gantt was built for.
type phases struct {
	id      event.Checkpoint
	at      event.Time
	w, h    float64
	lang    scene.Lang
	history *core.History
}

// made is what the plot was built for.
type made struct {
	now, computed  event.Time
	width, height  float64
	bare           bool
	lang           scene.Lang
	pinned, lanes  int
	framed         event.Checkpoint
	notes          event.Time // the sum of their instants
	zoom           [2]event.Time
	loop           [2]event.Time
	history, ghost *core.History
	shaded         *core.History
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
	pipeline := f.pipeline(0)
	scene.Build(v, h, p, pipeline)
	if o.Height > 0 {
		o.Plot.Height = min(mostPlot, o.Height-around-pipeline.Height)
	}
	o.Plot.Bare = layout == scene.Phone || layout == scene.Embed
	f.lanes = append(f.lanes[:0], Lane{View: v, History: h})
	f.buildPlot(f.lanes, f.Plot.W, o)
	f.place()
	f.buildGantt(f.lanes[0], f.Gantt.W, f.plot.Height-8, o)
	f.Parts = append(f.Parts[:0], Part{Scene: pipeline}, Part{Scene: &f.plot, X: f.Plot.X, Y: f.Plot.Y})
	if f.Gantt.W > 0 {
		f.Parts = append(f.Parts, Part{Scene: &f.gantt, X: f.Gantt.X, Y: f.Gantt.Y})
	}
	f.compose(o.Width)
}

// Compose draws lanes into boxes. With several lanes the plot has a curve of each; strip and Gantt are a lane's own, below its
// pipeline.
func (f *Figure) Compose(lanes []Lane, at Boxes, o Options) {
	f.Parts = f.Parts[:0]
	for i := range lanes {
		b := at.Pipelines[i]
		if b.W <= 0 {
			continue
		}
		p := o.Pipeline
		p.Width, p.Lang, p.Layout = b.W, o.Lang, o.Layout
		s := f.pipeline(i)
		scene.Build(lanes[i].View, lanes[i].History, p, s)
		if o.Details != NoDetails && len(lanes) > 1 {
			f.detail(lanes, i, s, o)
		}
		f.Parts = append(f.Parts, Part{s, b.X, b.Y, i})
	}
	f.Plot, f.Gantt = at.Plot, at.Gantt
	if at.Plot.W > leastPlot && len(lanes) > 0 {
		o.Plot.Height = at.Plot.H
		switch {
		case o.Sweep != nil:
			f.made, f.Area = made{}, plot.Area{}
			plot.BuildSweep(*o.Sweep, at.Plot.W, at.Plot.H, &f.plot)
		case len(o.Spaces) == len(lanes):
			f.buildSpaces(lanes, at.Plot, o)
		default:
			f.buildPlot(lanes, at.Plot.W, o)
		}
		if len(o.Spaces) != len(lanes) {
			f.Parts = append(f.Parts, Part{Scene: &f.plot, X: at.Plot.X, Y: at.Plot.Y})
		}
	}
	if len(lanes) == 1 && at.Gantt.W > 0 && at.Gantt.H > 0 {
		f.buildGantt(lanes[0], at.Gantt.W, at.Gantt.H, o)
		f.Parts = append(f.Parts, Part{Scene: &f.gantt, X: at.Gantt.X, Y: at.Gantt.Y})
	}
	f.Join(&f.Scene, at.W, at.H)
}

// leastPlot is a width below which a plot says nothing.
const leastPlot = 100

// Join puts the parts together in s on panels, whose boxes are their outer edges; what only the layout of the first pipeline
// changes comes first.
func (f *Figure) Join(s *scene.Scene, w, h float64, panels ...Box) {
	s.Reset(w, h)
	for _, b := range panels {
		if b.W > 0 && b.H > 0 {
			s.Frame(scene.ID{}, b.X, b.Y, b.W, b.H, token.Panel, token.Rule, 1).Radius = token.R3
		}
	}
	ground := len(s.Marks)
	for _, p := range f.Parts {
		s.Append(p.Scene, p.X, p.Y)
	}
	if len(f.pipelines) > 0 && len(f.Parts) > 0 {
		s.Static, s.Level = ground+f.Parts[0].Scene.Static, f.pipelines[0].Level
	}
}

// pipeline is the scene of a lane's pipeline.
func (f *Figure) pipeline(lane int) *scene.Scene {
	for len(f.pipelines) <= lane {
		f.pipelines = append(f.pipelines, new(scene.Scene))
	}
	return f.pipelines[lane]
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

// buildPlot draws the plot, unless it is there already.
func (f *Figure) buildPlot(lanes []Lane, width float64, o Options) {
	v := lanes[0].View
	p := o.Plot
	p.Width, p.Lang, p.Now, p.End, p.Computed = width, o.Lang, v.At, v.Duration, v.Computed
	p.Framed = o.gantt(v)
	now := made{now: v.At, computed: v.Computed, width: width, height: p.Height, bare: p.Bare, lang: o.Lang, pinned: p.Pinned,
		lanes: len(lanes), framed: p.Framed, zoom: p.Zoom, loop: p.Loop, history: lanes[0].History, ghost: p.Ghost}
	for i := range lanes { // the clock is that of the run that is longest
		p.Now, p.End = max(p.Now, lanes[i].View.At), max(p.End, lanes[i].View.Duration)
		now.computed = min(now.computed, lanes[i].View.Computed)
	}
	now.now = p.Now
	for i := range p.Notes {
		now.notes += p.Notes[i].At
	}
	if len(lanes) > 1 {
		now.shaded = lanes[p.Shade].History
		p.Lanes = f.curves[:0]
		for i := range lanes {
			p.Lanes = append(p.Lanes, plot.Lane{Name: lanes[i].Name, History: lanes[i].History})
		}
		f.curves, p.Ghost = p.Lanes, nil
	}
	if o.KeepPlot {
		now.now, now.computed = f.made.now, f.made.computed
	}
	if now == f.made {
		return
	}
	now.now, now.computed = p.Now, p.Computed
	f.made = now
	f.Area = plot.Build(lanes[0].History, p, &f.plot)
}

// buildSpaces draws a checkpoint of each lane in space and time in the plot's place, one below the other on one time axis.
func (f *Figure) buildSpaces(lanes []Lane, b Box, o Options) {
	f.made, f.Area = made{}, plot.Area{}
	for len(f.spaces) < len(lanes) {
		f.spaces = append(f.spaces, new(scene.Scene))
	}
	axis := [2]event.Time{event.Never, 0}
	for i := range lanes {
		if own := scene.SpaceAxis(lanes[i].View, lanes[i].History, o.Spaces[i]); own[1] > 0 {
			axis[0], axis[1] = min(axis[0], own[0]), max(axis[1], own[1])
		}
	}
	high := b.H / float64(len(lanes))
	for i := range lanes {
		s, shown := f.spaces[i], scene.Space{Checkpoint: o.Spaces[i], Axis: axis}
		if len(lanes) > 1 {
			shown.Name = lanes[i].Name
		}
		s.Reset(b.W, high)
		top := float64(i) * high
		if a := scene.SpaceTime(lanes[i].View, lanes[i].History, shown, b.W, high, o.Lang, s); a.End > 0 {
			f.Area = plot.Area{Left: a.Left, Right: a.Right, Bottom: top + a.Axis, ScrubY: top + a.Axis, Begin: a.Begin, End: a.End}
		}
		f.Parts = append(f.Parts, Part{Scene: s, X: b.X, Y: b.Y + top, Lane: i})
	}
}

// spaceRow, spaceRows and spaceAround are what SpaceHeight leaves for a checkpoint in space and time, in px.
const (
	spaceRow, spaceAround = 17.0, 96.0
	spaceRows             = 12
)

// SpaceHeight leaves a line for each subtask, up to a dozen.
func SpaceHeight(v *core.View) float64 {
	rows := 0
	for i := range v.Vertices {
		rows += len(v.Vertices[i].Tasks)
	}
	return spaceAround + spaceRow*float64(min(rows, spaceRows))
}

// gantt is the checkpoint whose phases the Gantt shows.
func (o *Options) gantt(v *core.View) event.Checkpoint {
	if o.Gantt != 0 {
		return o.Gantt
	}
	return v.Coord.LastCompleted
}

// buildGantt draws the phases of one checkpoint.
func (f *Figure) buildGantt(l Lane, w, h float64, o Options) {
	if w <= 0 {
		return
	}
	id := o.gantt(l.View)
	now := phases{id, l.View.At, w, h, o.Lang, l.History}
	if o.KeepPlot {
		now.at = f.shown.at
	}
	if now == f.shown {
		return
	}
	now.at = l.View.At
	f.shown = now
	f.gantt.Reset(w, h)
	scene.Gantt(l.View, l.History, id, w, h, o.Lang, &f.gantt)
}

// place puts the plot and the Gantt below the pipeline.
func (f *Figure) place() {
	f.Pipeline = Box{0, 0, f.pipelines[0].Width, f.pipelines[0].Height}
	f.Plot.Y, f.Plot.H = f.pipelines[0].Height+gap, f.plot.Height
	if f.Plot.X > 0 {
		f.Plot.Y += inset
	}
	if f.Gantt.W > 0 {
		f.Gantt.Y, f.Gantt.H = f.Plot.Y, f.plot.Height
	}
}

// compose joins the parts of Build on their panels.
func (f *Figure) compose(width float64) {
	height := f.Plot.Y + f.Plot.H
	var panels []Box
	if f.Plot.X > 0 {
		height += 4
		f.around[0] = panel(f.Plot, padding)
		panels = f.around[:1]
	}
	if f.Gantt.W > 0 {
		f.around[1] = panel(f.Gantt, inset)
		panels = f.around[:2]
	}
	f.Join(&f.Scene, width, height, panels...)
}

// panel is the outer edge of a panel around a part.
func panel(b Box, side float64) Box {
	return Box{b.X - side, b.Y - inset, b.W + 2*side, b.H + inset + 4}
}
