// Package plot draws visibility latency over time with gonum/plot: what is drawn there passes through a vg.Canvas of ours
// that records marks, so that the same plot goes to the canvas, the SVG and the PNG.
//
//	var s scene.Scene
//	area := plot.Build(history, plot.Options{Width: 932, Now: view.At, End: view.Duration}, &s)
//	t := area.TimeAt(x)       // for the scrubber
//
// Axes are fixed by the whole history (and the ghost's), never by what is shown so far. It allocates: build it when
// something changed, at most ten times a second.
package plot

import (
	"strconv"

	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	xfont "golang.org/x/image/font"
	"golang.org/x/image/font/opentype"

	"checkpointlab/core"
	"checkpointlab/core/event"
	labfont "checkpointlab/render/font"
	"checkpointlab/render/format"
	"checkpointlab/render/scene"
	"checkpointlab/render/token"
)

// Note is a change in the world that the time axis names, such as "sink 50 → 200 µs".
type Note struct {
	At   event.Time
	Text string
}

// Options choose what is drawn.
type Options struct {
	Width, Height float64 // CSS px; Height 0 = as high as the parts need
	Lang          scene.Lang
	Now           event.Time    // the cursor; curves end here
	End           event.Time    // of the axis: the run's duration
	Begin         event.Time    // of the axis; set by Zoom
	Zoom          [2]event.Time // the part of the run that the axis shows; 0, 0 = all of it
	Loop          [2]event.Time // a span that is marked: it plays again and again; 0, 0 = none
	LeastAge      event.Time    // the top of the age axis is at least that
	Computed      event.Time    // the run is computed up to here; 0 = to the end
	MaxAge        event.Time    // top of the age axis; 0 = from the histories
	MaxCheckpoint event.Time    // top of the strip; 0 = from the history
	Ghost         *core.History
	Pinned        int              // index of a commit plus one; 0 = the newest
	Framed        event.Checkpoint // in the strip: whose phases are shown elsewhere; 0 = that of the pinned or newest commit
	Notes         []Note
	Bare          bool   // the plot alone: no title, no checkpoint strip, no scrubber (embed and phone)
	Lanes         []Lane // the runs of a comparison, the first included: a curve each, no ghost, no commits, no strip
	Shade         int    // the lane whose difference from the first is shaded; 0 = none
}

// Area says where the plot's parts stand in the scene, for pointers and DOM overlays.
type Area struct {
	Left, Right     float64 // x of Begin and of End
	Top, Bottom     float64 // of the age axis
	ScrubY          float64 // middle of the scrubber; 0 = none
	StripTop, Strip float64 // of the checkpoint strip; 0 = none
	Begin, End      event.Time
}

// X is the place of an instant.
func (a *Area) X(t event.Time) float64 {
	return a.Left + (a.Right-a.Left)*float64(t-a.Begin)/float64(max(1, a.End-a.Begin))
}

// TimeAt is the instant at a place, kept within the run.
func (a *Area) TimeAt(x float64) event.Time {
	return a.Begin + event.Time(min(1, max(0, (x-a.Left)/(a.Right-a.Left)))*float64(a.End-a.Begin))
}

// Sizes of the parts in px.
const (
	titleH    = 26.0
	plotH     = 142.0
	bareH     = 176.0
	leastBare = 96.0
	tickH     = 13.0 // least distance of two ages on the axis
	stripH    = 46.0
	scrubH    = 52.0
	leftRoom  = 44.0
	rightRoom = 12.0
)

// LeastHeight is the height of a plot with all its parts.
const LeastHeight = titleH + plotH + stripH + scrubH + 8

// Build draws the plot into s, which it resets, and returns where things stand.
func Build(h *core.History, o Options, s *scene.Scene) Area {
	if h == nil {
		h = &core.History{}
	}
	height, below := LeastHeight, stripH+scrubH+8
	switch {
	case o.Bare && o.Height > 0:
		height = leastBare
	case o.Bare:
		height = bareH
	case len(o.Lanes) > 0:
		height, below = LeastHeight-stripH, scrubH+8
	}
	height = max(height, o.Height)
	s.Reset(o.Width, height)
	if o.Zoom[1] > o.Zoom[0] {
		o.Begin, o.End = max(0, o.Zoom[0]), min(o.End, o.Zoom[1])
	}
	b := builder{h: h, o: o, s: s, lang: o.Lang}
	b.area = Area{Left: leftRoom, Right: o.Width - rightRoom, Top: titleH + 8, Bottom: height - below, Begin: o.Begin, End: o.End}
	if o.Bare {
		b.area.Top, b.area.Bottom = 8, height-24
		if b.narrow() {
			b.area.Top = titleH + 6
		}
	}
	b.shown()
	b.gonum()
	b.labels()
	if o.Bare {
		b.timeAxis(height - 6)
		return b.area
	}
	b.title()
	if len(o.Lanes) == 0 {
		b.strip(height - scrubH - 4)
	}
	b.scrub()
	return b.area
}

// builder holds one plot under construction.
type builder struct {
	h       *core.History
	o       Options
	s       *scene.Scene
	lang    scene.Lang
	area    Area
	commits []core.CommitRecord // up to now
	steps   []step
	top     event.Time // of the age axis
	unit    event.Time // of its ticks
	low     bool       // the strip is BuildLowStrip's
}

// shown finds the prefix of the history up to now and the age axis.
func (b *builder) shown() {
	n := 0
	for n < len(b.h.Commits) && b.h.Commits[n].At <= b.o.Now {
		n++
	}
	b.commits = b.h.Commits[:n]
	b.top = b.o.MaxAge
	if b.top == 0 {
		b.top = max(event.Millisecond, b.o.LeastAge, highest(b.h, b.o.Ghost))
		for i := range b.o.Lanes {
			b.top = max(b.top, highest(b.o.Lanes[i].History))
		}
	}
	b.unit = scene.RoundStep(b.top, int64(min(5, max(1, (b.area.Bottom-b.area.Top)/tickH))))
	if r := b.top % b.unit; r != 0 {
		b.top += b.unit - r
	}
	b.steps = steps(b.h, b.o.Now, b.o.Begin, 6*seconds(b.span())/(b.area.Right-b.area.Left))
}

// gonum draws grid, curves and dots.
func (b *builder) gonum() {
	p := gonum.New()
	p.BackgroundColor = nil
	p.TextHandler = handler
	p.HideAxes() // its labels are written where the strip and the scrubber need them
	p.X.Padding, p.Y.Padding = 0, 0
	p.Add(horizontals{b.ageTicks(), stroke(token.Rule, scene.Opaque, 1, scene.Unbroken)})
	p.Add(looped{b.o.Loop, b.o.Begin, b.o.End})
	p.Add(verticals{b.noteTimes(), stroke(token.Ink3, scene.Opaque, 1, scene.Dash23)})
	if len(b.o.Lanes) > 0 {
		b.laneCurves(p)
	} else {
		b.runCurves(p)
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = seconds(b.o.Begin), seconds(b.o.Begin+b.span()), 0, seconds(b.top) // adding a curve may have changed them
	r := newRecorder(b.s, b.s.Height)
	c := draw.New(r)
	p.Draw(draw.Crop(c, vg.Length(b.area.Left), vg.Length(b.area.Right-b.o.Width),
		vg.Length(b.s.Height-b.area.Bottom), vg.Length(-b.area.Top)))
}

// runCurves adds what is told of one run.
func (b *builder) runCurves(p *gonum.Plot) {
	p.Add(commits{b.steps})
	if b.o.Ghost != nil {
		p.Add(line(ages(b.o.Ghost, b.o.Begin, known(b.o.Ghost, b.o.End)), stroke(token.Line, 150, 1, scene.Unbroken)))
	}
	if future := ages(b.h, max(b.o.Now, b.o.Begin), known(b.h, b.o.End)); len(future) > 1 {
		for _, part := range b.besideNow(future) {
			p.Add(line(part, stroke(token.Ink3, 70, 1, scene.Unbroken)))
		}
	}
	now := min(b.o.Now, b.o.End)
	p.Add(line(pipeline(b.h, b.o.Begin, now, 2*seconds(b.span())/(b.area.Right-b.area.Left)), stroke(token.Pipe, scene.Opaque, token.WLine, scene.Unbroken)))
	p.Add(line(ages(b.h, b.o.Begin, now), stroke(token.Ink, scene.Opaque, 1.75, scene.Unbroken)))
	if i := b.pinned(); i >= 0 && !b.o.Bare && b.in(b.h.Commits[i].At) {
		p.Add(verticals{[]float64{seconds(b.h.Commits[i].At)}, stroke(token.Ink3, scene.Opaque, 1, scene.Unbroken)})
	}
	p.Add(dots{b.commits, b.in})
}

// in reports whether an instant is on the axis.
func (b *builder) in(t event.Time) bool { return t >= b.o.Begin && t <= b.o.End }

// pinned is the commit whose numbers the title says; -1 = none.
func (b *builder) pinned() int {
	if i := b.o.Pinned - 1; i >= 0 && i < len(b.commits) {
		return i
	}
	return len(b.commits) - 1
}

func (b *builder) ageTicks() (ticks []float64) {
	for t := event.Time(0); t <= b.top; t += b.unit {
		ticks = append(ticks, seconds(t))
	}
	return ticks
}

// tick writes a time without its unit, except the last one of an axis.
func (b *builder) tick(t, last event.Time) string {
	text := strconv.FormatFloat(seconds(t), 'f', -1, 64)
	if t >= 1000*event.Second {
		text = string(format.Count(nil, t/event.Second))
	}
	if t == last {
		text += "\u202fs"
	}
	return text
}

func (b *builder) noteTimes() (at []float64) {
	for _, n := range b.o.Notes {
		if n.At > 0 && n.At <= b.o.Now && b.in(n.At) {
			at = append(at, seconds(n.At))
		}
	}
	return at
}

// handler lets gonum measure text with the project's face.
var handler = text.Plain{Fonts: font.NewCache(collection())}

func collection() (all font.Collection) {
	for w, weight := range [...]xfont.Weight{labfont.Regular: xfont.WeightNormal, labfont.Bold: xfont.WeightBold} {
		face, err := opentype.Parse(labfont.Data(labfont.Weight(w)))
		if err != nil {
			panic(err) // an embedded file
		}
		all = append(all, font.Face{Font: font.Font{Typeface: labfont.Family, Weight: weight}, Face: face})
	}
	return all
}
