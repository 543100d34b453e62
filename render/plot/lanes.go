package plot

import (
	"sort"

	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/render/font"
	"checkpointlab/render/format"
	"checkpointlab/render/scene"
	"checkpointlab/render/token"
)

// Lane is one run of a comparison.
type Lane struct {
	Name    string // at its curve: "B"
	History *core.History
}

// laneStyles tell the lanes apart by the line and not only by the colour: A solid ink, B dashed.
var laneStyles = [...]struct {
	colour token.Token
	dash   scene.Dash
}{{token.Ink, scene.Unbroken}, {token.Pipe, scene.Dash53}, {token.Ink2, scene.Dash23}, {token.Line, scene.Unbroken}}

// styleOf is the line of a lane.
func styleOf(i int, alpha uint8) draw.LineStyle {
	l := laneStyles[i%len(laneStyles)]
	return stroke(l.colour, alpha, 1.75, l.dash)
}

// laneCurves adds a curve for each lane, its future faint, and shades where one of them differs from the first.
func (b *builder) laneCurves(p *gonum.Plot) {
	first := ages(b.o.Lanes[0].History, b.o.Begin, b.o.Now)
	if k := b.o.Shade; k > 0 && k < len(b.o.Lanes) {
		other := ages(b.o.Lanes[k].History, b.o.Begin, b.o.Now)
		p.Add(shade{first, other, seconds(b.top) / 25})
	}
	values := b.laneLabels()
	for i := range b.o.Lanes {
		future := []plotter.XYs{ages(b.o.Lanes[i].History, max(b.o.Now, b.o.Begin), known(b.o.Lanes[i].History, b.o.End))}
		for k := range values {
			future = b.clear(future, values[k].box())
		}
		for _, part := range future {
			if len(part) > 1 {
				p.Add(line(part, styleOf(i, 70)))
			}
		}
	}
	for i := len(b.o.Lanes) - 1; i >= 0; i-- {
		p.Add(line(ages(b.o.Lanes[i].History, b.o.Begin, b.o.Now), styleOf(i, scene.Opaque)))
	}
}

// shade fills what lies between two curves where they differ by more than a height.
type shade struct {
	a, b  plotter.XYs
	least float64
}

// shadeAlpha leaves the curves and the grid readable.
const shadeAlpha = 46

// Plot implements plot.Plotter.
func (s shade) Plot(c draw.Canvas, p *gonum.Plot) {
	x, y := p.Transforms(&c)
	cuts := s.cuts()
	for i := 0; i+1 < len(cuts); i++ {
		from, to := cuts[i], cuts[i+1]
		if x(to)-x(from) < 0.25 {
			continue
		}
		a0, a1 := valueIn(s.a, from, to)
		b0, b1 := valueIn(s.b, from, to)
		if d0, d1 := a0-b0, a1-b1; max(d0, -d0) < s.least && max(d1, -d1) < s.least {
			continue
		}
		c.FillPolygon(ink{token.Pipe, shadeAlpha}, []vg.Point{{X: x(from), Y: y(a0)}, {X: x(to), Y: y(a1)}, {X: x(to), Y: y(b1)}, {X: x(from), Y: y(b0)}})
	}
}

// cuts are the places where either curve bends, and where they cross, in order.
func (s shade) cuts() (all []float64) {
	for _, curve := range []plotter.XYs{s.a, s.b} {
		for i := range curve {
			all = append(all, curve[i].X)
		}
	}
	sort.Float64s(all)
	for i, n := 0, len(all); i+1 < n; i++ {
		from, to := all[i], all[i+1]
		a0, a1 := valueIn(s.a, from, to)
		b0, b1 := valueIn(s.b, from, to)
		if d0, d1 := a0-b0, a1-b1; d0*d1 < 0 {
			all = append(all, from+(to-from)*d0/(d0-d1))
		}
	}
	sort.Float64s(all)
	return all
}

// valueIn is a curve at both ends of a stretch in which it does not bend; beyond its ends it stands.
func valueIn(curve plotter.XYs, from, to float64) (first, last float64) {
	if len(curve) == 0 {
		return 0, 0
	}
	mid := (from + to) / 2
	i := sort.Search(len(curve), func(i int) bool { return curve[i].X > mid })
	switch i {
	case 0:
		return curve[0].Y, curve[0].Y
	case len(curve):
		return curve[i-1].Y, curve[i-1].Y
	}
	a, b := curve[i-1], curve[i]
	if b.X == a.X {
		return b.Y, b.Y
	}
	at := func(x float64) float64 { return a.Y + (b.Y-a.Y)*(x-a.X)/(b.X-a.X) }
	return at(from), at(to)
}

// laneLabel is a lane's name and its age at the cursor.
type laneLabel struct {
	lane int
	x, y float64 // left end and baseline
	wide float64
	text string
}

// box is what a label covers.
func (l *laneLabel) box() area { return area{l.x - 3, l.y - 11, l.x + l.wide + 3, l.y + 4} }

// laneLabels are the lanes' values where they stand beside the cursor, from the highest, moved apart where they would touch; none where the
// cursor is not on the axis or the plot has no room for them.
func (b *builder) laneLabels() (all []laneLabel) {
	if b.narrow() || !b.in(b.o.Now) {
		return nil
	}
	x := b.area.X(b.o.Now)
	for i := range b.o.Lanes {
		age := ageAt(b.o.Lanes[i].History, b.o.Now)
		text := b.laneValue(i)
		l := laneLabel{lane: i, x: x + 9, y: b.y(seconds(age)), wide: font.Width(text, font.Bold, 12), text: text}
		if l.x+l.wide > b.area.Right+rightRoom {
			l.x = x - 9 - l.wide
		}
		all = append(all, l)
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].y < all[j].y })
	lowest := b.area.Bottom - 2 - 14*float64(len(all)-1)
	for i := range all {
		l := &all[i]
		l.y = min(max(l.y+4, b.area.Top+10+14*float64(i)), lowest+14*float64(i))
		if i > 0 {
			l.y = max(l.y, all[i-1].y+14)
		}
	}
	return all
}

// laneValue is a lane's name and its age at the cursor.
func (b *builder) laneValue(i int) string {
	l := &b.o.Lanes[i]
	return l.Name + " " + string(format.Seconds(nil, ageAt(l.History, b.o.Now), 1))
}

// laneDots marks the lanes' ages at the cursor.
func (b *builder) laneDots(x float64) {
	for i := range b.o.Lanes {
		b.dot(x, ageAt(b.o.Lanes[i].History, b.o.Now), laneStyles[i].colour)
	}
}

// laneValues writes the lanes' ages beside the cursor.
func (b *builder) laneValues() {
	for _, l := range b.laneLabels() {
		b.ground(l.x, l.y, l.wide, 12)
		b.write(scene.ID{What: scene.Plot}, l.x, l.y, 12, laneStyles[l.lane].colour, font.Bold, scene.Start, l.text)
	}
}

// laneTitle says the lanes' ages in the title of a plot that has no room for them at the cursor.
func (b *builder) laneTitle(x float64) {
	for i := range b.o.Lanes {
		text := b.laneValue(i)
		if x+font.Width(text, font.Bold, 12) > b.o.Width {
			return
		}
		x = 10 + b.write(scene.ID{What: scene.Plot}, x, 14, 12, laneStyles[i].colour, font.Bold, scene.Start, text)
	}
}

// span is the length of the time axis.
func (b *builder) span() event.Time { return max(1, b.o.End-b.o.Begin) }
