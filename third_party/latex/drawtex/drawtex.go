// Package drawtex holds what a typesetter would have drawn: nothing.
package drawtex

import "golang.org/x/image/font/opentype"

// Canvas is always empty.
type Canvas struct{}

// New is an empty canvas.
func New() *Canvas { return &Canvas{} }

// Ops is what was drawn.
func (*Canvas) Ops() []Op { return nil }

// Op is one thing drawn.
type Op any

// Glyph is one character of a face.
type Glyph struct {
	Size   float64
	Font   *opentype.Font
	Symbol string
}

// GlyphOp is a glyph at a place.
type GlyphOp struct {
	X, Y  float64
	Glyph Glyph
}

// RectOp is a filled rectangle.
type RectOp struct{ X1, Y1, X2, Y2 float64 }
