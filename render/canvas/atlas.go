//go:build js && wasm

package canvas

import (
	"image"
	"image/color"
	"math"

	"github.com/hajimehoshi/ebiten/v2"

	"checkpointlab/render/font"
	"checkpointlab/render/raster"
	"checkpointlab/render/scene"
	"checkpointlab/render/token"
)

// atlasSize in device pixels; 2048 is safe on every WebGL device.
const atlasSize = 2048

// region is a part of the atlas in pixels.
type region struct{ x0, y0, x1, y1 float32 }

// white is the middle of the white texels in the atlas' corner.
var white = region{1, 1, 1, 1}

// key names a mask of the atlas: a letter, a sprite, a hatch tile or a round corner.
type key struct {
	kind  uint8
	rune  rune
	shape uint8
	bold  bool
	sub   uint8 // quarter pixels to the right
	w, h  float32
	edge  float32
}

const (
	letterKey uint8 = iota
	spriteKey
	hatchKey
	cornerKey
)

// mask is a white picture in the atlas and where it lies relative to its origin, in device pixels.
type mask struct {
	region
	dx, dy float32
}

// atlas bakes masks on first use and packs them in shelves.
type atlas struct {
	img    *ebiten.Image
	masks  map[key]mask
	x, y   int
	shelf  int
	full   bool
	pens   map[float64]*raster.Canvas
	pixels []byte
}

// reset forgets all masks.
func (a *atlas) reset() {
	a.masks = nil
	a.x, a.y, a.shelf, a.full = 0, 0, 0, false
	a.pens = nil
}

// image is the texture; its corner is white.
func (a *atlas) image() *ebiten.Image {
	if a.img == nil {
		a.img = ebiten.NewImageWithOptions(image.Rect(0, 0, atlasSize, atlasSize), &ebiten.NewImageOptions{Unmanaged: true})
	}
	if a.masks == nil {
		a.masks = map[key]mask{}
		w := make([]byte, 3*3*4)
		for i := range w {
			w[i] = 255
		}
		a.img.SubImage(image.Rect(0, 0, 3, 3)).(*ebiten.Image).WritePixels(w)
		a.x, a.y, a.shelf = 4, 0, 4
	}
	return a.img
}

// get is the mask of a key, baked by draw into a transparent canvas of w × h device pixels when it is new. Letters and sprites are
// cut to what they cover: drawn in software every empty pixel costs as much as a full one.
func (a *atlas) get(k key, scale float64, w, h int, dx, dy float32, draw func(*raster.Canvas)) mask {
	img := a.image()
	if m, ok := a.masks[k]; ok {
		return m
	}
	c := raster.New(w, h, scale, token.Light)
	draw(c)
	if k.kind == letterKey || k.kind == spriteKey {
		box := covered(c.Image)
		c.Image = c.Image.SubImage(box).(*image.RGBA)
		dx, dy = dx+float32(box.Min.X), dy+float32(box.Min.Y)
	}
	return a.put(img, k, c.Image, dx, dy)
}

// covered is the least box around all pixels that are not clear.
func covered(img *image.RGBA) (box image.Rectangle) {
	w := img.Rect.Dx()
	for i := 3; i < len(img.Pix); i += 4 {
		if img.Pix[i] != 0 {
			at := image.Pt(i/4%w, i/4/w)
			box = box.Union(image.Rectangle{at, at.Add(image.Pt(1, 1))})
		}
	}
	return box
}

// put packs a picture's coverage.
func (a *atlas) put(img *ebiten.Image, k key, src *image.RGBA, dx, dy float32) mask {
	w, h := src.Rect.Dx(), src.Rect.Dy()
	if a.x+w+1 > atlasSize {
		a.x, a.y, a.shelf = 0, a.y+a.shelf+1, 0
	}
	if a.y+h+1 > atlasSize {
		a.full = true
		return mask{}
	}
	a.pixels = a.pixels[:0]
	for y := range h {
		row := src.Pix[y*src.Stride : y*src.Stride+4*w]
		for x := 3; x < len(row); x += 4 {
			a.pixels = append(a.pixels, row[x], row[x], row[x], row[x])
		}
	}
	if len(a.pixels) > 0 {
		img.SubImage(image.Rect(a.x, a.y, a.x+w, a.y+h)).(*ebiten.Image).WritePixels(a.pixels)
	}
	m := mask{region{float32(a.x), float32(a.y), float32(a.x + w), float32(a.y + h)}, dx, dy}
	a.x, a.shelf = a.x+w+1, max(a.shelf, h)
	a.masks[k] = m
	return m
}

// letter is a letter at a size in CSS px, shifted right by quarters of a device pixel.
func (a *atlas) letter(r rune, bold bool, size float32, sub uint8, scale float64) mask {
	k := key{kind: letterKey, rune: r, bold: bold, sub: sub, w: size}
	w := font.Regular
	if bold {
		w = font.Bold
	}
	em := int(math.Ceil(float64(size) * scale))
	left, base := em/4+1, em+1
	return a.get(k, scale, em*3/2+left+2, em*3/2+2, float32(-left), float32(-base), func(c *raster.Canvas) {
		a.pen(c, scale).Letter(r, w, size, float64(left)+float64(sub)/4, float64(base), image.NewUniform(color.White))
	})
}

// pen is a canvas that keeps its opened faces; it draws into c's image.
func (a *atlas) pen(c *raster.Canvas, scale float64) *raster.Canvas {
	if a.pens == nil {
		a.pens = map[float64]*raster.Canvas{}
	}
	p, ok := a.pens[scale]
	if !ok {
		p = c
		a.pens[scale] = p
	}
	p.Image = c.Image
	return p
}

// sprite is a shape in a box of w × h CSS px, filled or, with an edge, its outline.
func (a *atlas) sprite(shape scene.Shape, w, h, edge float32, scale float64) mask {
	const air = 2
	width := int(math.Ceil(float64(w)*scale)) + 2*air + 2
	height := int(math.Ceil(float64(h)*scale)) + 2*air + 2
	k := key{kind: spriteKey, shape: uint8(shape), w: w, h: h, edge: edge}
	return a.get(k, scale, width, height, -air, -air, func(c *raster.Canvas) {
		c.At(-air/scale, -air/scale)
		m := scene.Mark{Kind: scene.Sprite, Shape: shape, W: w, H: h, Alpha: scene.Opaque, Fill: token.Ink}
		if edge > 0 {
			m.Fill, m.Edge, m.Stroke = token.None, token.Ink, edge
		}
		c.Mark(nil, &m)
	})
}

// tile is a hatch whose period is rounded to device pixels, so that it repeats without a seam. Its side is the period
// times a whole number, near 48 CSS px.
func (a *atlas) tile(h scene.Hatch, scale float64) (m mask, side int) {
	p := &raster.Patterns[h]
	period := int(max(3, math.Round(p.Period*scale)))
	side = max(1, int(48*scale)/period) * period
	m = a.get(key{kind: hatchKey, shape: uint8(h)}, scale, side, side, 0, 0, func(c *raster.Canvas) {
		for y := range side {
			for x := range side {
				c.Image.SetRGBA(x, y, color.RGBA{A: uint8(255 * p.Share(float64(x), float64(y), float64(period)))})
			}
		}
	})
	return m, side
}

// corner is a disc of radius r device pixels, or a ring when the edge is not 0.
func (a *atlas) corner(r, edge float32) mask {
	d := int(2 * r)
	return a.get(key{kind: cornerKey, w: r, edge: edge}, 1, d, d, 0, 0, func(c *raster.Canvas) {
		m := scene.Mark{Kind: scene.Rect, W: 2 * r, H: 2 * r, Radius: uint8(r), Alpha: scene.Opaque, Fill: token.Ink}
		if edge > 0 {
			m.Fill, m.Edge, m.Stroke = token.None, token.Ink, edge
		}
		c.Mark(nil, &m)
	})
}
