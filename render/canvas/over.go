//go:build js && wasm

package canvas

import (
	"github.com/hajimehoshi/ebiten/v2"

	"checkpointlab/render/scene"
	"checkpointlab/render/token"
)

// DrawOver paints a scene on a cleared screen and leaves the rest transparent, so that the document shows through. It
// bakes nothing: where a pixel costs more than a triangle, as in software, a ground as large as the screen costs most.
func (p *Painter) DrawOver(screen *ebiten.Image, s *scene.Scene, theme token.Theme, scale float64) {
	p.begin(s, theme, scale)
	p.marks(screen, 0, len(s.Marks))
}
