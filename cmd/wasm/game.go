//go:build js && wasm

package main

import (
	"image/color"

	"github.com/hajimehoshi/ebiten/v2"
)

// game draws a frame whenever the bridge asked for one. It draws straight onto the screen: the image in between that
// Ebitengine has for a game would be filled and copied at the cost of the whole picture, so it is a single pixel.
type game struct {
	b   *bridge
	odd bool
}

func (g *game) Update() error { return nil }

// Draw changes the pixel in between: without a change Ebitengine leaves out frames.
func (g *game) Draw(pixel *ebiten.Image) {
	g.odd = !g.odd
	c := color.RGBA{}
	if g.odd {
		c.A = 255
	}
	pixel.Fill(c)
}

// DrawFinalScreen draws the picture; the screen is as large as the frame's body, and clear.
func (g *game) DrawFinalScreen(screen ebiten.FinalScreen, _ *ebiten.Image, _ ebiten.GeoM) {
	g.b.draw(screen.(*ebiten.Image))
}

func (g *game) Layout(int, int) (int, int) { return 1, 1 }
