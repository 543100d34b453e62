//go:build js && wasm

package main

import "github.com/hajimehoshi/ebiten/v2"

// game draws a frame whenever the bridge asked for one.
type game struct{ b *bridge }

func (g *game) Update() error { return nil }

func (g *game) Draw(screen *ebiten.Image) { g.b.draw(screen) }

func (g *game) Layout(width, height int) (int, int) { return max(1, width), max(1, height) }
