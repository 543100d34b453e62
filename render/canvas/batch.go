//go:build js && wasm

package canvas

import (
	"math"

	"github.com/hajimehoshi/ebiten/v2"

	"checkpointlab/render/scene"
)

// batch collects triangles over the atlas.
type batch struct {
	vertices []ebiten.Vertex
	indices  []uint32
	options  ebiten.DrawTrianglesOptions
}

func (b *batch) reset() { b.vertices, b.indices = b.vertices[:0], b.indices[:0] }

// quad adds a box in device pixels with a region of the atlas.
func (b *batch) quad(x0, y0, x1, y1 float32, r region, c rgba) {
	n := uint32(len(b.vertices))
	b.vertex(x0, y0, r.x0, r.y0, c)
	b.vertex(x1, y0, r.x1, r.y0, c)
	b.vertex(x1, y1, r.x1, r.y1, c)
	b.vertex(x0, y1, r.x0, r.y1, c)
	b.indices = append(b.indices, n, n+1, n+2, n, n+2, n+3)
}

func (b *batch) vertex(x, y, u, v float32, c rgba) {
	b.vertices = append(b.vertices, ebiten.Vertex{DstX: x, DstY: y, SrcX: u, SrcY: v,
		ColorR: c[0], ColorG: c[1], ColorB: c[2], ColorA: c[3]})
}

// box adds a filled box of the white texel.
func (b *batch) box(x0, y0, x1, y1 float32, c rgba) {
	if x1 > x0 && y1 > y0 {
		b.quad(x0, y0, x1, y1, white, c)
	}
}

// segment adds a slanted stroke whose long sides fade over one device pixel.
func (b *batch) segment(x0, y0, x1, y1, width float32, c rgba) {
	dx, dy := float64(x1-x0), float64(y1-y0)
	l := math.Hypot(dx, dy)
	if l == 0 {
		return
	}
	nx, ny := float32(dy/l), float32(-dx/l)
	inner, outer := max(0, width/2-0.5), width/2+0.5
	clear := c
	clear[3] = 0
	if width < 1 {
		c[3] *= width
	}
	n := uint32(len(b.vertices))
	for _, p := range [2][2]float32{{x0, y0}, {x1, y1}} {
		for _, side := range [4]struct {
			d float32
			c rgba
		}{{outer, clear}, {inner, c}, {-inner, c}, {-outer, clear}} {
			b.vertex(p[0]+nx*side.d, p[1]+ny*side.d, white.x0, white.y0, side.c)
		}
	}
	for k := uint32(0); k < 3; k++ {
		b.indices = append(b.indices, n+k, n+k+1, n+k+4, n+k+1, n+k+5, n+k+4)
	}
}

// fan adds a filled convex polygon.
func (b *batch) fan(points []scene.Point, scale float32, c rgba) {
	n := uint32(len(b.vertices))
	for _, p := range points {
		b.vertex(p.X*scale, p.Y*scale, white.x0, white.y0, c)
	}
	for i := 2; i < len(points); i++ {
		b.indices = append(b.indices, n, n+uint32(i-1), n+uint32(i))
	}
}
