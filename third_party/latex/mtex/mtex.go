// Package mtex would typeset formulas.
package mtex

import (
	"errors"

	"codeberg.org/go-latex/latex/drawtex"
	"codeberg.org/go-latex/latex/font/ttf"
	"codeberg.org/go-latex/latex/tex"
)

// Renderer draws a formula.
type Renderer interface {
	Render(width, height, dpi float64, cnv *drawtex.Canvas) error
}

// ErrNoTeX says that this build typesets nothing.
var ErrNoTeX = errors.New("mtex: this build has no TeX; use gonum/plot's plain text handler")

// Parse fails.
func Parse(string, float64, float64, *ttf.Backend) (tex.Node, error) { return nil, ErrNoTeX }
