//go:build js && wasm

// Command empty is the least that Ebitengine can be in a page: what web/test/numbers.test.mjs compares the lab's start with.
package main

import (
	"syscall/js"

	"github.com/hajimehoshi/ebiten/v2"
)

type game struct{}

func (game) Update() error { return nil }

// Draw says that there is a picture.
func (game) Draw(*ebiten.Image) {
	js.Global().Get("document").Get("documentElement").Get("dataset").Set("ready", "true")
}

func (game) Layout(w, h int) (int, int) { return w, h }

func main() {
	if err := ebiten.RunGame(game{}); err != nil {
		panic(err)
	}
}
