package plot

import (
	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/render/scene"
	"checkpointlab/render/token"
)

// stroke is a line style in the design's words.
func stroke(t token.Token, alpha uint8, width float64, d scene.Dash) draw.LineStyle {
	sty := draw.LineStyle{Color: ink{t, alpha}, Width: vg.Length(width)}
	if d != scene.Unbroken {
		sty.Dashes = dashes(d)
	}
	return sty
}

// line is a gonum line in a style.
func line(xys plotter.XYs, sty draw.LineStyle) *plotter.Line {
	return &plotter.Line{XYs: xys, LineStyle: sty}
}

// identify sets what the next marks stand for.
func identify(c draw.Canvas, id scene.ID) {
	if r, ok := c.Canvas.(*recorder); ok {
		r.id = id
		return
	}
	if inner, ok := c.Canvas.(draw.Canvas); ok {
		identify(inner, id)
	}
}

// commits draws the records that each commit made visible: the grey range, the mean solid, the 99th percentile dashed.
type commits struct{ steps []step }

// Plot implements plot.Plotter.
func (b commits) Plot(c draw.Canvas, p *gonum.Plot) {
	x, y := p.Transforms(&c)
	mean := stroke(token.Ink2, scene.Opaque, token.WLine, scene.Unbroken)
	p99 := stroke(token.Ink2, scene.Opaque, token.WLine, scene.Dash53)
	for i := range b.steps {
		s := &b.steps[i]
		identify(c, scene.ID{What: scene.Commit, A: int32(s.last)})
		from, to := x(s.from)+1, x(s.to)-1
		if to-from < 1 {
			from, to = x(s.from), x(s.to)
		}
		c.FillPolygon(ink{token.Band, scene.Opaque}, []vg.Point{{X: from, Y: y(s.min)}, {X: to, Y: y(s.min)}, {X: to, Y: y(s.max)}, {X: from, Y: y(s.max)}})
		c.StrokeLine2(mean, from, y(s.mean), to, y(s.mean))
		c.StrokeLine2(p99, from, y(s.p99), to, y(s.p99))
	}
	identify(c, scene.ID{})
}

// dotRadius of a commit.
const dotRadius = 3.2

// dots marks the completions in their checkpoints' hues, at the peaks they end. Dots that would touch are left out, the
// newest never.
type dots struct {
	every []core.CommitRecord
	in    func(event.Time) bool
}

// Plot implements plot.Plotter.
func (d dots) Plot(c draw.Canvas, p *gonum.Plot) {
	x, y := p.Transforms(&c)
	last := vg.Length(-1e9)
	for i := range d.every {
		m := &d.every[i]
		if !d.in(m.At) {
			continue
		}
		at := vg.Point{X: x(seconds(m.At)), Y: y(seconds(m.Max))}
		if at.X-last < 2*dotRadius+1 && i+1 < len(d.every) {
			continue
		}
		last = at.X
		identify(c, scene.ID{What: scene.Commit, A: int32(i)})
		for _, g := range []draw.GlyphStyle{{Color: solid(token.Panel), Radius: dotRadius + 1}, {Color: solid(token.Hue(m.Checkpoint)), Radius: dotRadius}} {
			g.Shape = draw.CircleGlyph{}
			c.DrawGlyph(g, at)
		}
	}
	identify(c, scene.ID{})
}

// verticals are lines over the height of the plot.
type verticals struct {
	at    []float64 // seconds
	style draw.LineStyle
}

// Plot implements plot.Plotter.
func (v verticals) Plot(c draw.Canvas, p *gonum.Plot) {
	x, _ := p.Transforms(&c)
	for _, t := range v.at {
		c.StrokeLine2(v.style, x(t), c.Min.Y, x(t), c.Max.Y)
	}
}

// looped tints the span that plays again and again.
type looped struct {
	span       [2]event.Time
	begin, end event.Time
}

// Plot implements plot.Plotter.
func (l looped) Plot(c draw.Canvas, p *gonum.Plot) {
	from, to := max(l.span[0], l.begin), min(l.span[1], l.end)
	if to <= from {
		return
	}
	x, _ := p.Transforms(&c)
	a, b := x(seconds(from)), x(seconds(to))
	c.FillPolygon(ink{token.Wash, scene.Opaque}, []vg.Point{{X: a, Y: c.Min.Y}, {X: b, Y: c.Min.Y}, {X: b, Y: c.Max.Y}, {X: a, Y: c.Max.Y}})
}

// horizontals are the grid.
type horizontals struct {
	at    []float64 // seconds
	style draw.LineStyle
}

// Plot implements plot.Plotter.
func (h horizontals) Plot(c draw.Canvas, p *gonum.Plot) {
	_, y := p.Transforms(&c)
	for _, t := range h.at {
		c.StrokeLine2(h.style, c.Min.X, y(t), c.Max.X, y(t))
	}
}
