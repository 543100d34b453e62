// Package ttf names the faces of a typesetter.
package ttf

import (
	"codeberg.org/go-latex/latex/drawtex"
	"golang.org/x/image/font/opentype"
)

// Fonts are the faces by style.
type Fonts struct{ Default, Rm, It, Bf, BfIt *opentype.Font }

// Backend is a typesetter's view of the faces.
type Backend struct{}

// NewFrom is a backend over faces.
func NewFrom(*drawtex.Canvas, *Fonts) *Backend { return &Backend{} }
