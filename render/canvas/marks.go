//go:build js && wasm

package canvas

import (
	"math"

	"checkpointlab/render/font"
	"checkpointlab/render/scene"
	"checkpointlab/render/token"
)

// rect fills a box, hatches it, and draws its edge inside.
func (p *Painter) rect(m *scene.Mark) {
	x0, y0, x1, y1 := p.snap(m.X), p.snap(m.Y), p.snap(m.X+m.W), p.snap(m.Y+m.H)
	if m.W > 0 && x1 <= x0 {
		x1 = x0 + 1
	}
	if m.H > 0 && y1 <= y0 {
		y1 = y0 + 1
	}
	r := float32(0)
	if m.Radius > 0 {
		r = min(p.thick(float32(m.Radius)), (x1-x0)/2, (y1-y0)/2)
		r = float32(math.Floor(float64(r)))
	}
	if m.Fill != token.None {
		p.fill(x0, y0, x1, y1, r, m)
	}
	if m.Edge == token.None {
		return
	}
	c, t := p.colour(m.Edge, m.Alpha), p.thick(m.Stroke)
	switch {
	case m.Dash != scene.Unbroken:
		p.dashedFrame(x0, y0, x1, y1, t, m.Dash, c)
	case r > 0:
		p.roundFrame(x0, y0, x1, y1, r, t, c)
	default:
		p.frame(x0, y0, x1, y1, t, c)
	}
}

// fill paints the ground of a box: a colour, or a hatch over its ground.
func (p *Painter) fill(x0, y0, x1, y1, r float32, m *scene.Mark) {
	c := p.colour(m.Fill, m.Alpha)
	switch m.Hatch {
	case scene.Solid:
		if r > 0 {
			p.roundBox(x0, y0, x1, y1, r, c)
			return
		}
		p.batch.box(x0, y0, x1, y1, c)
	case scene.Backpressured, scene.Dots:
		p.batch.box(x0, y0, x1, y1, c)
		p.hatch(x0, y0, x1, y1, m.Hatch, p.colour(token.Hatch, m.Alpha))
	case scene.Stored:
		tint := c
		tint[3] *= scene.Tint / 255.0
		p.batch.box(x0, y0, x1, y1, tint)
		p.hatch(x0, y0, x1, y1, m.Hatch, c)
	default:
		p.hatch(x0, y0, x1, y1, m.Hatch, c)
	}
}

// hatch covers a box with tiles that hang on the screen, so that neighbouring boxes match.
func (p *Painter) hatch(x0, y0, x1, y1 float32, h scene.Hatch, c rgba) {
	m, side := p.atlas.tile(h, p.scale)
	if p.atlas.full {
		return
	}
	s := float32(side)
	for ty := float32(math.Floor(float64(y0/s))) * s; ty < y1; ty += s {
		for tx := float32(math.Floor(float64(x0/s))) * s; tx < x1; tx += s {
			l, t, r, b := max(x0, tx), max(y0, ty), min(x1, tx+s), min(y1, ty+s)
			p.batch.quad(l, t, r, b, region{m.x0 + l - tx, m.y0 + t - ty, m.x0 + r - tx, m.y0 + b - ty}, c)
		}
	}
}

func (p *Painter) frame(x0, y0, x1, y1, t float32, c rgba) {
	t = min(t, (x1-x0)/2, (y1-y0)/2)
	if t < 1 {
		p.batch.box(x0, y0, x1, y1, c)
		return
	}
	p.batch.box(x0, y0, x1, y0+t, c)
	p.batch.box(x0, y1-t, x1, y1, c)
	p.batch.box(x0, y0+t, x0+t, y1-t, c)
	p.batch.box(x1-t, y0+t, x1, y1-t, c)
}

// corners adds the four quarters of a round mask.
func (p *Painter) corners(x0, y0, x1, y1, r float32, m mask, c rgba) {
	for i, at := range [4][2]float32{{x0, y0}, {x1 - r, y0}, {x0, y1 - r}, {x1 - r, y1 - r}} {
		u, v := m.x0+float32(i%2)*r, m.y0+float32(i/2)*r
		p.batch.quad(at[0], at[1], at[0]+r, at[1]+r, region{u, v, u + r, v + r}, c)
	}
}

func (p *Painter) roundBox(x0, y0, x1, y1, r float32, c rgba) {
	p.corners(x0, y0, x1, y1, r, p.atlas.corner(r, 0), c)
	p.batch.box(x0+r, y0, x1-r, y0+r, c)
	p.batch.box(x0, y0+r, x1, y1-r, c)
	p.batch.box(x0+r, y1-r, x1-r, y1, c)
}

func (p *Painter) roundFrame(x0, y0, x1, y1, r, t float32, c rgba) {
	r = max(r, t)
	p.corners(x0, y0, x1, y1, r, p.atlas.corner(r, t), c)
	p.batch.box(x0+r, y0, x1-r, y0+t, c)
	p.batch.box(x0+r, y1-t, x1-r, y1, c)
	p.batch.box(x0, y0+r, x0+t, y1-r, c)
	p.batch.box(x1-t, y0+r, x1, y1-r, c)
}

// dashedFrame walks round the box; each side begins with a dash.
func (p *Painter) dashedFrame(x0, y0, x1, y1, t float32, d scene.Dash, c rgba) {
	p.dashes(x0, x1, d, func(a, b float32) {
		p.batch.box(a, y0, b, y0+t, c)
		p.batch.box(a, y1-t, b, y1, c)
	})
	p.dashes(y0+t, y1-t, d, func(a, b float32) {
		p.batch.box(x0, a, x0+t, b, c)
		p.batch.box(x1-t, a, x1, b, c)
	})
}

// dashes cuts a length into whole device pixels.
func (p *Painter) dashes(from, to float32, d scene.Dash, dash func(a, b float32)) {
	on, off := d.Pattern()
	on, off = p.thick(on), p.thick(off)
	for a := from; a < to; a += on + off {
		dash(a, min(to, a+on))
	}
}

// polyline strokes; what runs along an axis is snapped, the rest fades at its sides.
func (p *Painter) polyline(points []scene.Point, stroke float32, d scene.Dash, c rgba) {
	for i := 1; i < len(points); i++ {
		a, b := points[i-1], points[i]
		switch {
		case a.Y == b.Y:
			p.horizontal(min(a.X, b.X), max(a.X, b.X), a.Y, stroke, d, c)
		case a.X == b.X:
			p.vertical(min(a.Y, b.Y), max(a.Y, b.Y), a.X, stroke, d, c)
		default:
			p.slanted(a, b, stroke, d, c)
		}
	}
}

// across is where a stroke of t device pixels around v begins.
func (p *Painter) across(v, t float32) float32 {
	return float32(math.Round(float64(v)*p.scale - float64(t)/2))
}

func (p *Painter) horizontal(x0, x1, y, stroke float32, d scene.Dash, c rgba) {
	t := p.thick(stroke)
	top := p.across(y, t)
	if d == scene.Unbroken {
		p.batch.box(p.snap(x0), top, max(p.snap(x1), p.snap(x0)+1), top+t, c)
		return
	}
	p.dashes(p.snap(x0), p.snap(x1), d, func(a, b float32) { p.batch.box(a, top, b, top+t, c) })
}

func (p *Painter) vertical(y0, y1, x, stroke float32, d scene.Dash, c rgba) {
	t := p.thick(stroke)
	left := p.across(x, t)
	if d == scene.Unbroken {
		p.batch.box(left, p.snap(y0), left+t, max(p.snap(y1), p.snap(y0)+1), c)
		return
	}
	p.dashes(p.snap(y0), p.snap(y1), d, func(a, b float32) { p.batch.box(left, a, left+t, b, c) })
}

func (p *Painter) slanted(a, b scene.Point, stroke float32, d scene.Dash, c rgba) {
	s := float32(p.scale)
	on, off := d.Pattern()
	if on == 0 {
		p.batch.segment(a.X*s, a.Y*s, b.X*s, b.Y*s, stroke*s, c)
		return
	}
	l := float32(math.Hypot(float64(b.X-a.X), float64(b.Y-a.Y)))
	ux, uy := (b.X-a.X)/l, (b.Y-a.Y)/l
	for t := float32(0); t < l; t += on + off {
		e := min(l, t+on)
		p.batch.segment((a.X+ux*t)*s, (a.Y+uy*t)*s, (a.X+ux*e)*s, (a.Y+uy*e)*s, stroke*s, c)
	}
}

func (p *Painter) path(m *scene.Mark) {
	points := p.s.Points(m)
	if m.Fill != token.None {
		p.batch.fan(points, float32(p.scale), p.colour(m.Fill, m.Alpha))
		return
	}
	p.polyline(points, m.Stroke, m.Dash, p.colour(m.Edge, m.Alpha))
}

// sprite draws a shape's mask, tinted.
func (p *Painter) sprite(m *scene.Mark) {
	x, y := p.snap(m.X), p.snap(m.Y)
	if m.Fill != token.None {
		p.blit(x, y, p.atlas.sprite(m.Shape, m.W, m.H, 0, p.scale), p.colour(m.Fill, m.Alpha))
	}
	if m.Edge != token.None {
		p.blit(x, y, p.atlas.sprite(m.Shape, m.W, m.H, m.Stroke, p.scale), p.colour(m.Edge, m.Alpha))
	}
}

func (p *Painter) blit(x, y float32, m mask, c rgba) {
	if m.x1 > m.x0 {
		p.batch.quad(x+m.dx, y+m.dy, x+m.dx+m.x1-m.x0, y+m.dy+m.y1-m.y0, m.region, c)
	}
}

// text draws letters at the advances of package font, to a quarter of a device pixel.
func (p *Painter) text(m *scene.Mark) {
	w := font.Regular
	if m.Bold {
		w = font.Bold
	}
	c := p.colour(m.Fill, m.Alpha)
	x, y := float64(m.X)*p.scale, p.snap(m.Y)
	for _, r := range p.s.Text(m) {
		if r != ' ' && r != '\u202f' && r != '\u00a0' {
			whole := math.Floor(x)
			sub := uint8((x - whole) * 4)
			p.blit(float32(whole), y, p.atlas.letter(r, m.Bold, m.Size, sub, p.scale), c)
		}
		x += float64(font.Advance(r, w)) * float64(m.Size) / 1000 * p.scale
	}
}
