package plot

import (
	"math"

	"checkpointlab/render/font"
	"checkpointlab/render/scene"
	"checkpointlab/render/token"
)

// Sweep is a few measures over the values of one setting, each in a small plot of its own.
type Sweep struct {
	Title   string   // the setting's name
	Note    string   // beside the title: how far it is computed
	Values  []string // of the setting, in order
	Current int      // the value that the run in view has; -1 = none of them
	Panels  []Panel
}

// Panel is one measure.
type Panel struct {
	Title  string
	Points []float64 // NaN where nothing was measured or is not computed yet
	Texts  []string  // the values in words
}

// Sizes of a panel in px.
const (
	panelGap   = 28.0
	leastPanel = 150.0
	panelHead  = 70.0 // down to the plot: title of all, title of its own, the greatest value
	panelFoot  = 30.0
)

// BuildSweep draws a sweep into s, which it resets.
func BuildSweep(w Sweep, width, height float64, s *scene.Scene) {
	s.Reset(width, height)
	b := builder{s: s}
	end := b.write(scene.ID{What: scene.Plot}, 0, 14, 13, token.Ink, font.Bold, scene.Start, w.Title)
	b.write(scene.ID{What: scene.Plot}, end+14, 14, 12, token.Ink2, font.Regular, scene.Start, w.Note)
	n := min(len(w.Panels), max(1, int(width/leastPanel))) // a narrow one shows the first
	if n == 0 {
		return
	}
	each := (width - panelGap*float64(n-1)) / float64(n)
	for i := range n {
		b.panel(&w, i, float64(i)*(each+panelGap), each)
	}
}

// panel draws one measure: a line through its points from 0 up, the greatest and the least in words.
func (b *builder) panel(w *Sweep, i int, x, width float64) {
	p := &w.Panels[i]
	top, bottom := panelHead, b.s.Height-panelFoot
	b.write(scene.ID{}, x, 40, 12, token.Ink, font.Bold, scene.Start, p.Title)
	b.s.Line(scene.ID{}, x, bottom+0.5, x+width, bottom+0.5, token.Line, 1)
	b.s.Line(scene.ID{}, x, top, x+width, top, token.Rule, 1).Dash = scene.Dash13
	most := 0.0
	for _, v := range p.Points {
		if !math.IsNaN(v) {
			most = max(most, v)
		}
	}
	at := func(k int) (float64, float64) {
		y := bottom
		if most > 0 {
			y = bottom - (bottom-top)*p.Points[k]/most
		}
		return x + 8 + (width-16)*(float64(k)+0.5)/float64(max(1, len(p.Points))), y
	}
	b.panelLine(p, at)
	b.panelPoints(w, i, at, most)
	b.panelValues(w, x, width, bottom)
}

// panelLine joins neighbouring points that are both there.
func (b *builder) panelLine(p *Panel, at func(int) (float64, float64)) {
	var points []scene.Point
	flush := func() {
		if len(points) > 1 {
			b.s.Polyline(scene.ID{}, points, token.Ink, 1.75)
		}
		points = points[:0]
	}
	for k := range p.Points {
		if math.IsNaN(p.Points[k]) {
			flush()
			continue
		}
		x, y := at(k)
		points = append(points, scene.Point{X: float32(x), Y: float32(y)})
	}
	flush()
}

// panelPoints marks the points; the run in view by a ring, the greatest and that run by its value.
func (b *builder) panelPoints(w *Sweep, i int, at func(int) (float64, float64), most float64) {
	p, named := &w.Panels[i], false
	for k := range p.Points {
		if math.IsNaN(p.Points[k]) {
			continue
		}
		x, y := at(k)
		id := scene.ID{What: scene.SweepPoint, A: int32(i), B: int32(k)}
		if k == w.Current {
			m := b.s.Sprite(id, scene.Ring, x-5, y-5, 10, 10, token.Panel)
			m.Edge, m.Stroke = token.Ink, 2
		} else {
			b.s.Sprite(id, scene.Disc, x-3.5, y-3.5, 7, 7, token.Ink)
		}
		if k == w.Current || p.Points[k] == most && !named {
			named = named || p.Points[k] == most
			b.write(id, b.inside(x, font.Width(p.Texts[k], font.Regular, 11)), y-8, 11, token.Ink2, font.Regular, scene.Middle, p.Texts[k])
		}
	}
}

// inside is the middle of a text of a width that is to stand at x, moved so that the edges of the picture do not cut it.
func (b *builder) inside(x, width float64) float64 {
	return max(width/2, min(x, b.s.Width-width/2))
}

// panelValues writes the setting's values below, as many as have room.
func (b *builder) panelValues(w *Sweep, x, width, bottom float64) {
	free := x - 1e9
	for k, text := range w.Values {
		at := x + 8 + (width-16)*(float64(k)+0.5)/float64(len(w.Values))
		wide := font.Width(text, font.Regular, 11)
		if at-wide/2 < free+5 || at+wide/2 > x+width+panelGap/2 {
			continue
		}
		at = b.inside(at, wide)
		free = at + wide/2
		weight := font.Regular
		if k == w.Current {
			weight = font.Bold
		}
		b.write(scene.ID{}, at, bottom+16, 11, token.Ink3, weight, scene.Middle, text)
	}
}
