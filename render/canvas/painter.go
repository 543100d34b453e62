//go:build js && wasm

package canvas

import (
	"image"
	"math"

	"github.com/hajimehoshi/ebiten/v2"

	"checkpointlab/render/damage"
	"checkpointlab/render/scene"
	"checkpointlab/render/token"
)

// Painter draws scenes. The zero value is ready; it is not safe for concurrent use.
type Painter struct {
	batch batch
	atlas atlas
	grids []grid
	seen  damage.Screen

	s     *scene.Scene
	theme token.Theme
	scale float64
}

// Draw paints a scene at scale device pixels per CSS px and leaves the rest transparent, so that the document shows through. It
// paints what differs from the picture before, which the screen must have kept, in the rows that are seen.
func (p *Painter) Draw(screen *ebiten.Image, s *scene.Scene, theme token.Theme, scale float64, seen damage.Rows) {
	if p.scale != scale {
		p.atlas.reset() // another ratio needs other letters and sprites
	}
	p.s, p.theme, p.scale = s, theme, scale
	size := screen.Bounds().Size()
	parts := p.seen.Changed(s, theme, scale, size.X, size.Y, seen)
	for _, part := range parts { // all of them first, so that they are one draw call, and the marks another
		screen.SubImage(part).(*ebiten.Image).Clear()
	}
	for _, part := range parts {
		p.marks(screen.SubImage(part).(*ebiten.Image), part)
	}
}

// Forget says that the screen has lost its pixels.
func (p *Painter) Forget() { p.seen.Forget() }

// marks draws the marks of a part in order. When the atlas runs full, it is emptied and the part is begun anew.
func (p *Painter) marks(to *ebiten.Image, part image.Rectangle) {
	for attempt := 0; attempt < 2; attempt++ {
		p.batch.reset()
		p.atlas.full = false
		for _, i := range p.seen.In(part) {
			m := &p.s.Marks[i]
			if m.Kind == scene.Grid {
				p.flush(to)
				p.drawGrid(to, m, p.ordinal(i))
				continue
			}
			p.mark(m)
		}
		if !p.atlas.full {
			break
		}
		p.atlas.reset()
	}
	p.flush(to)
}

// flush hands the batch over.
func (p *Painter) flush(to *ebiten.Image) {
	if len(p.batch.indices) > 0 {
		to.DrawTriangles32(p.batch.vertices, p.batch.indices, p.atlas.image(), &p.batch.options)
	}
	p.batch.reset()
}

func (p *Painter) mark(m *scene.Mark) {
	switch m.Kind {
	case scene.Rect:
		p.rect(m)
	case scene.Line:
		p.polyline([]scene.Point{{X: m.X, Y: m.Y}, {X: m.X + m.W, Y: m.Y + m.H}}, m.Stroke, m.Dash, p.colour(m.Fill, m.Alpha))
	case scene.Text:
		p.text(m)
	case scene.Sprite:
		p.sprite(m)
	case scene.Path:
		p.path(m)
	}
}

// rgba is a straight-alpha colour of the batch.
type rgba [4]float32

func (p *Painter) colour(t token.Token, alpha uint8) rgba {
	c := t.Color(p.theme)
	return rgba{float32(c.R) / 255, float32(c.G) / 255, float32(c.B) / 255, float32(alpha) / 255}
}

// snap is the device pixel edge nearest to a CSS px.
func (p *Painter) snap(v float32) float32 { return float32(math.Round(float64(v) * p.scale)) }

// thick is a stroke's width in whole device pixels.
func (p *Painter) thick(v float32) float32 {
	return float32(max(1, math.Round(float64(v)*p.scale)))
}
