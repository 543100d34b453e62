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
	hits := 0
	for i := range samples {
		for j := range samples {
			px := (float64(x) + t.x + (float64(i)+0.5)/samples) / t.scale
			py := (float64(y) + t.y + (float64(j)+0.5)/samples) / t.scale
			if t.stripe(px, py) {
				hits++
			}
		}
	}
	share := float64(hits) / (samples * samples)
	switch t.hatch {
	case scene.Backpressured, scene.Dots:
		return mix(t.ink, t.ground, share, t.alpha)
	case scene.Stored:
		return fade(t.ink, (share+(1-share)*scene.Tint/255)*float64(t.alpha)/255)
	}
	return fade(t.ink, share*float64(t.alpha)/255)
}

// stripe reports whether a point in CSS px lies in the pattern's stroke.
func (t *texture) stripe(x, y float64) bool {
	const r = math.Sqrt2 / 2
	switch t.hatch {
	case scene.Backpressured:
		return modulo((x+y)*r, 4) < 1.5
	case scene.Alignment:
		return modulo((x+y)*r, 4) < 1.2
	case scene.Stored:
		return modulo((x-y)*r, 4) < 2
	case scene.Dots:
		return in(modulo(x, 4)) && in(modulo(y, 4))
	case scene.Replay:
		return modulo(x, 4) < 1.4
	case scene.Dotted:
		return modulo(x, 3.5) < 1.5
	}
	return true
}

func in(v float64) bool { return v >= 1 && v < 2.4 }

func modulo(v, m float64) float64 { return v - m*math.Floor(v/m) }

func mix(a, b color.RGBA, share float64, alpha uint8) color.Color {
	f := func(a, b uint8) uint8 { return uint8(float64(a)*(1-share) + float64(b)*share + 0.5) }
	return color.NRGBA{f(a.R, b.R), f(a.G, b.G), f(a.B, b.B), alpha}
}

func fade(a color.RGBA, alpha float64) color.Color {
	return color.NRGBA{a.R, a.G, a.B, uint8(alpha*255 + 0.5)}
}
