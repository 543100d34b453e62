package plot

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"

	labfont "checkpointlab/render/font"
	"checkpointlab/render/scene"
	"checkpointlab/render/token"
)

// ink is a token as a colour, so that a plot passes through gonum without a theme.
type ink struct {
	token token.Token
	alpha uint8
}

// RGBA makes ink a color.Color; the recorder never asks for it.
func (i ink) RGBA() (r, g, b, a uint32) { return i.token.Color(token.Light).RGBA() }

func solid(t token.Token) color.Color { return ink{t, scene.Opaque} }

// recorder is a vg.Canvas that writes marks into a scene: 1 vg.Length is 1 CSS px, y grows downwards again.
type recorder struct {
	s      *scene.Scene
	height float64
	id     scene.ID // what is drawn stands for this
	state
	stack  []state
	points []scene.Point
}

type state struct {
	width float64
	dash  scene.Dash
	ink   ink
	x, y  float64
}

var _ vg.CanvasSizer = (*recorder)(nil)

func newRecorder(s *scene.Scene, height float64) *recorder {
	return &recorder{s: s, height: height, state: state{width: 1, ink: ink{token.Ink, scene.Opaque}}}
}

func (r *recorder) Size() (x, y vg.Length)              { return vg.Length(r.s.Width), vg.Length(r.height) }
func (r *recorder) SetLineWidth(w vg.Length)            { r.width = float64(w) }
func (r *recorder) Push()                               { r.stack = append(r.stack, r.state) }
func (r *recorder) Pop()                                { r.state = r.stack[len(r.stack)-1]; r.stack = r.stack[:len(r.stack)-1] }
func (r *recorder) Translate(p vg.Point)                { r.x, r.y = r.x+float64(p.X), r.y+float64(p.Y) }
func (r *recorder) Rotate(rad float64)                  { refuse(rad == 0, "turned") }
func (r *recorder) Scale(x, y float64)                  { refuse(x == 1 && y == 1, "scaled") }
func (r *recorder) DrawImage(vg.Rectangle, image.Image) { refuse(false, "images") }

// refuse holds the plots of this package to what marks can say.
func refuse(ok bool, what string) {
	if !ok {
		panic("plot: marks cannot be " + what)
	}
}

func (r *recorder) SetColor(c color.Color) {
	if i, ok := c.(ink); ok {
		r.ink = i
		return
	}
	r.ink = ink{token.Ink, scene.Opaque}
}

// SetLineDash knows the design's patterns only; others are drawn as the nearest one.
func (r *recorder) SetLineDash(pattern []vg.Length, _ vg.Length) {
	r.dash = scene.Unbroken
	if len(pattern) < 2 {
		return
	}
	best := math.Inf(1)
	for d := scene.Dash33; d <= scene.Dash11; d++ {
		on, off := d.Pattern()
		if miss := math.Abs(float64(on)-float64(pattern[0])) + math.Abs(float64(off)-float64(pattern[1])); miss < best {
			best, r.dash = miss, d
		}
	}
}

func dashes(d scene.Dash) []vg.Length {
	on, off := d.Pattern()
	return []vg.Length{vg.Length(on), vg.Length(off)}
}

func (r *recorder) at(p vg.Point) scene.Point {
	return scene.Point{X: float32(float64(p.X) + r.x), Y: float32(r.height - float64(p.Y) - r.y)}
}

// flatten is a path's parts as points; arcs become polygons.
func (r *recorder) flatten(path vg.Path, each func(points []scene.Point)) {
	r.points = r.points[:0]
	emit := func() {
		if len(r.points) > 1 {
			each(r.points)
		}
		r.points = r.points[:0]
	}
	for _, c := range path {
		switch c.Type {
		case vg.MoveComp:
			emit()
			r.points = append(r.points, r.at(c.Pos))
		case vg.LineComp:
			r.points = append(r.points, r.at(c.Pos))
		case vg.ArcComp:
			for i := 0; i <= 12; i++ {
				sin, cos := math.Sincos(c.Start + c.Angle*float64(i)/12)
				p := vg.Point{X: c.Pos.X + c.Radius*vg.Length(cos), Y: c.Pos.Y + c.Radius*vg.Length(sin)}
				r.points = append(r.points, r.at(p))
			}
		case vg.CurveComp:
			r.points = append(r.points, r.at(c.Pos))
		case vg.CloseComp:
			if len(r.points) > 0 {
				r.points = append(r.points, r.points[0])
			}
		}
	}
	emit()
}

// Stroke records lines; points that do not bend a line are left out.
func (r *recorder) Stroke(path vg.Path) {
	if r.width <= 0 {
		return
	}
	r.flatten(path, func(points []scene.Point) {
		points = thin(points, tolerance)
		if len(points) == 2 {
			a, b := points[0], points[1]
			m := r.s.Line(r.id, float64(a.X), float64(a.Y), float64(b.X), float64(b.Y), r.ink.token, float32(r.width))
			m.Dash, m.Alpha = r.dash, r.ink.alpha
			return
		}
		m := r.s.Polyline(r.id, points, r.ink.token, float32(r.width))
		m.Dash, m.Alpha = r.dash, r.ink.alpha
	})
}

// Fill records boxes and convex polygons; a full circle becomes a disc.
func (r *recorder) Fill(path vg.Path) {
	if len(path) > 0 {
		if c, ok := circleOf(path); ok {
			at, d := r.at(c.Pos), 2*float64(c.Radius)
			r.s.Sprite(r.id, scene.Disc, float64(at.X)-d/2, float64(at.Y)-d/2, d, d, r.ink.token).Alpha = r.ink.alpha
			return
		}
	}
	r.flatten(path, func(points []scene.Point) {
		if x, y, w, h, ok := boxOf(points); ok {
			r.s.Rect(r.id, x, y, w, h, r.ink.token).Alpha = r.ink.alpha
			return
		}
		r.s.Polygon(r.id, points, r.ink.token).Alpha = r.ink.alpha
	})
}

func circleOf(path vg.Path) (vg.PathComp, bool) {
	for _, c := range path {
		if c.Type == vg.ArcComp && math.Abs(c.Angle) >= 2*math.Pi-1e-6 {
			return c, true
		}
	}
	return vg.PathComp{}, false
}

// boxOf recognises an axis-aligned rectangle.
func boxOf(p []scene.Point) (x, y, w, h float64, ok bool) {
	if len(p) == 5 && p[0] == p[4] {
		p = p[:4]
	}
	if len(p) != 4 || !(p[0].X == p[1].X && p[1].Y == p[2].Y && p[2].X == p[3].X && p[3].Y == p[0].Y ||
		p[0].Y == p[1].Y && p[1].X == p[2].X && p[2].Y == p[3].Y && p[3].X == p[0].X) {
		return 0, 0, 0, 0, false
	}
	x0, x1 := min(p[0].X, p[2].X), max(p[0].X, p[2].X)
	y0, y1 := min(p[0].Y, p[2].Y), max(p[0].Y, p[2].Y)
	return float64(x0), float64(y0), float64(x1 - x0), float64(y1 - y0), true
}

// FillString records a text at its baseline.
func (r *recorder) FillString(f font.Face, pt vg.Point, text string) {
	at := r.at(pt)
	weight := labfont.Regular
	if f.Font.Weight > 0 {
		weight = labfont.Bold
	}
	r.s.Write(r.id, float64(at.X), float64(at.Y), float64(f.Font.Size), r.ink.token, weight, scene.Start, text)
}

// tolerance is how far a left-out point may lie from the line, in px.
const tolerance = 0.15

// thin leaves out the points of a line that runs to the right as long as they lie within a height of it; where the line
// stands or turns back, points stay. It keeps the range of slopes from the last kept point that miss no point since, so
// that its cost is one step a point.
func thin(points []scene.Point, within float64) []scene.Point {
	if len(points) < 3 {
		return points
	}
	kept := points[:1]
	low, high := math.Inf(-1), math.Inf(1)
	for i := 1; i < len(points); i++ {
		from := kept[len(kept)-1]
		dx, dy := float64(points[i].X-from.X), float64(points[i].Y-from.Y)
		if slope := dy / dx; i == 1 || dx > 0 && slope >= low && slope <= high {
			low, high = narrowed(low, high, dx, dy, within)
			continue
		}
		from = points[i-1]
		kept = append(kept, from)
		low, high = narrowed(math.Inf(-1), math.Inf(1), float64(points[i].X-from.X), float64(points[i].Y-from.Y), within)
	}
	return append(kept, points[len(points)-1])
}

// narrowed is a range of slopes that also passes a point at (dx, dy); a point that is not on the right leaves none.
func narrowed(low, high, dx, dy, within float64) (float64, float64) {
	if dx <= 0 {
		return math.Inf(1), math.Inf(-1)
	}
	return max(low, (dy-within)/dx), min(high, (dy+within)/dx)
}
