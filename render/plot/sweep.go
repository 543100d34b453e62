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
	Texts  []string  // the values in words, why there is none; "" = not computed yet
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
	b.panelPoints(w, i, at, most, labelling{b: b, left: x - panelGap/3, right: x + width + panelGap/3})
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

// panelPoints marks the points; the run in view by a ring, the greatest and that run by its value. Where nothing was measured a
// cross stands on the axis, the first of them with the reason.
func (b *builder) panelPoints(w *Sweep, i int, at func(int) (float64, float64), most float64, l labelling) {
	p, named := &w.Panels[i], false
	for k := range p.Points {
		if x, y := at(k); !math.IsNaN(p.Points[k]) {
			l.curve = append(l.curve, scene.Point{X: float32(x), Y: float32(y)})
		}
	}
	none := -1
	for k := range p.Points {
		id := scene.ID{What: scene.SweepPoint, A: int32(i), B: int32(k)}
		x, y := at(k)
		switch {
		case math.IsNaN(p.Points[k]) && p.Texts[k] != "":
			b.s.Sprite(id, scene.Failed, x-3.5, b.s.Height-panelFoot-9, 7, 7, token.Ink3)
			if none < 0 {
				none = k
			}
			continue
		case math.IsNaN(p.Points[k]):
			continue
		case k == w.Current:
			m := b.s.Sprite(id, scene.Ring, x-5, y-5, 10, 10, token.Panel)
			m.Edge, m.Stroke = token.Ink, 2
		default:
			b.s.Sprite(id, scene.Disc, x-3.5, y-3.5, 7, 7, token.Ink)
		}
	}
	for k := range p.Points { // the greatest is named by its first point
		if math.IsNaN(p.Points[k]) || k != w.Current && (named || p.Points[k] != most) {
			continue
		}
		named = named || p.Points[k] == most
		x, y := at(k)
		l.write(scene.ID{What: scene.SweepPoint, A: int32(i), B: int32(k)}, x, y, p.Texts[k])
	}
	if none >= 0 {
		x, _ := at(none)
		l.write(scene.ID{What: scene.SweepPoint, A: int32(i), B: int32(none)}, x, b.s.Height-panelFoot-6, p.Texts[none])
	}
}

// labelling writes values beside points where neither the curve nor another value passes.
type labelling struct {
	b           *builder
	left, right float64 // of the panel
	curve       []scene.Point
	taken       []scene.Point // left top and right bottom corners of what is written
}

// write puts a text above its point, or, where something passes there, below or beside it.
func (l *labelling) write(id scene.ID, x, y float64, text string) {
	wide := font.Width(text, font.Regular, 11)
	bestX, bestY, least := 0.0, 0.0, math.Inf(1)
	for _, d := range [][2]float64{{0, -8}, {0, 17}, {-wide/2 - 9, 4}, {wide/2 + 9, 4}, {-wide/2 - 7, -7}, {wide/2 + 7, -7}, {wide/2 + 7, 15}, {-wide/2 - 7, 15}, {0, -20}} {
		at, base := l.b.inside(max(l.left+wide/2, min(x+d[0], l.right-wide/2)), wide), y+d[1]
		if cost := l.passing(at-wide/2-2, base-10, at+wide/2+2, base+3); cost < least {
			bestX, bestY, least = at, base, cost
		}
	}
	l.taken = append(l.taken, scene.Point{X: float32(bestX - wide/2), Y: float32(bestY - 10)}, scene.Point{X: float32(bestX + wide/2), Y: float32(bestY + 3)})
	l.b.write(id, bestX, bestY, 11, token.Ink2, font.Regular, scene.Middle, text)
}

// passing counts px of the curve inside a box, and much for a text that it would touch or a part of it outside the panel.
func (l *labelling) passing(x0, y0, x1, y1 float64) (cost float64) {
	for i := 0; i+1 < len(l.taken); i += 2 {
		a, b := l.taken[i], l.taken[i+1]
		if x0 < float64(b.X) && x1 > float64(a.X) && y0 < float64(b.Y) && y1 > float64(a.Y) {
			cost += 100
		}
	}
	if y0 < panelHead-28 || y1 > l.b.s.Height-panelFoot {
		cost += 50
	}
	for i := range l.curve {
		p, q := l.curve[i], l.curve[min(i+1, len(l.curve)-1)]
		steps := 1 + math.Hypot(float64(q.X-p.X), float64(q.Y-p.Y))/2
		for k := 0.0; k < steps; k++ {
			x, y := float64(p.X)+float64(q.X-p.X)*k/steps, float64(p.Y)+float64(q.Y-p.Y)*k/steps
			if x0 <= x && x <= x1 && y0 <= y && y <= y1 {
				cost += 2
			}
		}
	}
	return cost
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
