package raster

import (
	"image"
	"image/draw"

	xfont "golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"checkpointlab/render/font"
	"checkpointlab/render/scene"
)

// faces are the letters of a canvas by weight and size, and its scratch memory.
type faces struct {
	fonts   [2]*opentype.Font
	sized   map[faceKey]xfont.Face
	outline outline
	corners []scene.Point
	placed  []scene.Point
}

type faceKey struct {
	weight font.Weight
	size   float32
}

// face opens a weight at a size in device pixels.
func (c *Canvas) face(w font.Weight, size float32) xfont.Face {
	if f, ok := c.faces.sized[faceKey{w, size}]; ok {
		return f
	}
	if c.faces.fonts[w] == nil {
		parsed, err := opentype.Parse(font.Data(w))
		if err != nil {
			panic(err) // an embedded file
		}
		c.faces.fonts[w] = parsed
	}
	face, err := opentype.NewFace(c.faces.fonts[w], &opentype.FaceOptions{Size: float64(size) * c.Scale, DPI: 72, Hinting: xfont.HintingNone})
	if err != nil {
		panic(err) // a size that is not a number
	}
	if c.faces.sized == nil {
		c.faces.sized = map[faceKey]xfont.Face{}
	}
	c.faces.sized[faceKey{w, size}] = face
	return face
}

func weightOf(m *scene.Mark) font.Weight {
	if m.Bold {
		return font.Bold
	}
	return font.Regular
}

// text draws the letters at the advances of package font, so that a line is as wide as the scene assumed.
func (c *Canvas) text(s *scene.Scene, m *scene.Mark) {
	x, y := (float64(m.X)-c.x)*c.Scale, (float64(m.Y)-c.y)*c.Scale
	w := weightOf(m)
	src := c.ink(m.Fill, m.Alpha)
	for _, r := range s.Text(m) {
		c.Letter(r, w, m.Size, x, y, src)
		x += float64(font.Advance(r, w)) * float64(m.Size) / 1000 * c.Scale
	}
}

// Letter draws one letter with its origin at (x, y) in device pixels. A letter that the bold face lacks is drawn regular.
func (c *Canvas) Letter(r rune, w font.Weight, size float32, x, y float64, src image.Image) {
	dot := fixed.Point26_6{X: fixed.Int26_6(x * 64), Y: fixed.Int26_6(y*64 + 0.5)}
	face := c.face(w, size)
	if w == font.Bold {
		if _, ok := face.GlyphAdvance(r); !ok || c.lacks(r) {
			face = c.face(font.Regular, size)
		}
	}
	dr, mask, mp, _, ok := face.Glyph(dot, r)
	if ok && !dr.Empty() {
		draw.DrawMask(c.Image, dr, src, image.Point{}, mask, mp, draw.Over)
	}
}

// lacks reports whether the bold face has no glyph for r.
func (c *Canvas) lacks(r rune) bool {
	i, err := c.faces.fonts[font.Bold].GlyphIndex(nil, r)
	return err != nil || i == 0
}
