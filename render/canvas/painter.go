//go:build js && wasm

package canvas

import (
	"math"

	"github.com/hajimehoshi/ebiten/v2"

	"checkpointlab/render/scene"
	"checkpointlab/render/token"
)

// Painter draws scenes. The zero value is ready; it is not safe for concurrent use.
type Painter struct {
	batch batch
	atlas atlas
	grids []grid
	grid  int // grids drawn in this frame

	s     *scene.Scene
	theme token.Theme
	scale float64
	x, y  float64 // device px of the scene's left top corner

	ground     *ebiten.Image // the baked static marks
	groundHash uint64
}

// Draw paints the whole screen: the page's ground, then the scene at scale device pixels per CSS px.
func (p *Painter) Draw(screen *ebiten.Image, s *scene.Scene, theme token.Theme, scale float64) {
	p.begin(s, theme, scale)
	size := screen.Bounds().Size()
	p.bake(size.X, size.Y)
	screen.DrawImage(p.ground, nil)
	p.marks(screen, s.Static, len(s.Marks))
}

// begin sets what is drawn; another ratio needs other letters and sprites.
func (p *Painter) begin(s *scene.Scene, theme token.Theme, scale float64) {
	if p.scale != scale {
		p.atlas.reset()
	}
	p.s, p.theme, p.scale, p.grid = s, theme, scale, 0
}

// bake draws the static marks into an image, once per layout, theme and ratio.
func (p *Painter) bake(w, h int) {
	hash := p.s.StaticFingerprint() ^ uint64(p.theme)<<63 ^ math.Float64bits(p.scale)
	if p.ground != nil && p.groundHash == hash && p.ground.Bounds().Dx() == w && p.ground.Bounds().Dy() == h {
		return
	}
	if p.ground == nil || p.ground.Bounds().Dx() != w || p.ground.Bounds().Dy() != h {
		if p.ground != nil {
			p.ground.Deallocate()
		}
		p.ground = ebiten.NewImage(w, h)
	}
	p.ground.Fill(token.Page.Color(p.theme))
	p.marks(p.ground, 0, p.s.Static)
	p.groundHash = hash
}

// marks draws a range of marks in order. When the atlas runs full, it is emptied and the range is begun anew.
func (p *Painter) marks(to *ebiten.Image, from, end int) {
	for attempt := 0; attempt < 2; attempt++ {
		p.batch.reset()
		p.atlas.full = false
		for i := from; i < end; i++ {
			m := &p.s.Marks[i]
			if m.Kind == scene.Grid {
				p.flush(to)
				p.drawGrid(to, m)
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
