package raster

import (
	"image"
	"image/color"
	"math"

	"checkpointlab/render/scene"
	"checkpointlab/render/token"
)

// source is what a mark is filled from: a colour or a texture.
func (c *Canvas) source(t token.Token, h scene.Hatch, alpha uint8) image.Image {
	if h == scene.Solid {
		return c.ink(t, alpha)
	}
	return &texture{hatch: h, ink: t.Color(c.Theme), ground: token.Hatch.Color(c.Theme), alpha: alpha, scale: c.Scale,
		x: c.x * c.Scale, y: c.y * c.Scale}
}

// texture is a hatch as an endless image; the pattern hangs on the scene, not on the mark, so that neighbours match.
type texture struct {
	hatch       scene.Hatch
	ink, ground color.RGBA
	alpha       uint8
	scale, x, y float64
}

func (t *texture) ColorModel() color.Model { return color.RGBAModel }
func (t *texture) Bounds() image.Rectangle { return image.Rect(-1e9, -1e9, 1e9, 1e9) }

// samples per pixel and axis.
const samples = 4

// At averages the pattern over a pixel.
func (t *texture) At(x, y int) color.Color {
	p := &Patterns[t.hatch]
	share := p.Share(float64(x)+t.x, float64(y)+t.y, p.Period*t.scale)
	switch t.hatch {
	case scene.Backpressured, scene.Dots:
		return mix(t.ink, t.ground, share, t.alpha)
	case scene.Stored:
		return fade(t.ink, (share+(1-share)*scene.Tint/255)*float64(t.alpha)/255)
	}
	return fade(t.ink, share*float64(t.alpha)/255)
}

// Pattern is the stroke of a hatch: it repeats every Period px along both axes and covers the phases From to To of 0 to 1.
// The phase of a point is (X·x + Y·y) / Period; a dotted pattern covers it on both axes at once.
type Pattern struct {
	Period   float64
	X, Y     float64
	From, To float64
	Both     bool
}

// diagonal is the period along the axes of 45° stripes 4 px apart.
const diagonal = 4 * math.Sqrt2

// Patterns are the measures of web/tokens.css, by scene.Hatch.
var Patterns = [scene.Hatches]Pattern{
	scene.Backpressured: {Period: diagonal, X: 1, Y: 1, To: 1.5 / 4},
	scene.Alignment:     {Period: diagonal, X: 1, Y: 1, To: 1.2 / 4},
	scene.Stored:        {Period: diagonal, X: 1, Y: -1, To: 2.0 / 4},
	scene.Dots:          {Period: 4, X: 1, From: 1.0 / 4, To: 2.4 / 4, Both: true},
	scene.Replay:        {Period: 4, X: 1, To: 1.4 / 4},
	scene.Dotted:        {Period: 3.5, X: 1, To: 1.5 / 3.5},
}

// Covers reports whether a point lies in the stroke, with the period stretched to so many units.
func (p *Pattern) Covers(x, y, period float64) bool {
	at := modulo((p.X*x+p.Y*y)/period, 1)
	if at < p.From || at >= p.To {
		return false
	}
	if !p.Both {
		return true
	}
	at = modulo(y/period, 1)
	return at >= p.From && at < p.To
}

// Share is how much of a pixel the stroke covers; x, y and period are in pixels.
func (p *Pattern) Share(x, y, period float64) float64 {
	hits := 0
	for i := range samples {
		for j := range samples {
			if p.Covers(x+(float64(i)+0.5)/samples, y+(float64(j)+0.5)/samples, period) {
				hits++
			}
		}
	}
	return float64(hits) / (samples * samples)
}

func modulo(v, m float64) float64 { return v - m*math.Floor(v/m) }

func mix(a, b color.RGBA, share float64, alpha uint8) color.Color {
	f := func(a, b uint8) uint8 { return uint8(float64(a)*(1-share) + float64(b)*share + 0.5) }
	return color.NRGBA{f(a.R, b.R), f(a.G, b.G), f(a.B, b.B), alpha}
}

func fade(a color.RGBA, alpha float64) color.Color {
	return color.NRGBA{a.R, a.G, a.B, uint8(alpha*255 + 0.5)}
}
