//go:build js && wasm

package canvas

import (
	"github.com/hajimehoshi/ebiten/v2"

	"checkpointlab/render/scene"
	"checkpointlab/render/token"
)

// grid is a compact matrix as a small image, one pixel a cell; it is written again only when its cells change.
type grid struct {
	img    *ebiten.Image
	cells  []token.Token
	theme  token.Theme
	pixels []byte
}

// drawGrid stretches the image of the scene's grid number n over the mark's box, without smoothing.
func (p *Painter) drawGrid(to *ebiten.Image, m *scene.Mark, n int) {
	for len(p.grids) <= n {
		p.grids = append(p.grids, grid{})
	}
	g := &p.grids[n]
	cells := p.s.Cells(m)
	cols, rows := int(m.Cols), len(cells)/int(m.Cols)
	g.update(cells, cols, rows, p.theme)
	x0, y0, x1, y1 := p.snap(m.X), p.snap(m.Y), p.snap(m.X+m.W), p.snap(m.Y+m.H)
	var o ebiten.DrawImageOptions
	o.GeoM.Scale(float64(x1-x0)/float64(cols), float64(y1-y0)/float64(rows))
	o.GeoM.Translate(float64(x0), float64(y0))
	o.ColorScale.ScaleAlpha(float32(m.Alpha) / 255)
	to.DrawImage(g.img, &o)
}

// ordinal is how many grids the scene has before a mark.
func (p *Painter) ordinal(mark int) (n int) {
	for i := range p.s.Marks[:mark] {
		if p.s.Marks[i].Kind == scene.Grid {
			n++
		}
	}
	return n
}

func (g *grid) update(cells []token.Token, cols, rows int, theme token.Theme) {
	if g.img != nil && (g.img.Bounds().Dx() != cols || g.img.Bounds().Dy() != rows) {
		g.img.Deallocate()
		g.img = nil
	}
	if g.img != nil && g.theme == theme && same(g.cells, cells) {
		return
	}
	if g.img == nil {
		g.img = ebiten.NewImage(cols, rows)
	}
	g.cells, g.theme, g.pixels = append(g.cells[:0], cells...), theme, g.pixels[:0]
	for _, t := range cells {
		c := t.Color(theme)
		g.pixels = append(g.pixels, c.R, c.G, c.B, c.A)
	}
	g.img.WritePixels(g.pixels)
}

func same(a, b []token.Token) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
