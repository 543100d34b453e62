//go:build js && wasm

// Command wasm is the lab in a browser: Ebitengine draws the picture, and a small object of functions joins it to the
// page (web/api.js describes it). It thinks nothing of its own: player decides what is shown, picture how.
//
// It is started by web/stage-boot.js inside a frame of its own, because Ebitengine takes the size of the document's body
// and styles it. The frame's document is as many CSS px as the screen has device px.
package main

import (
	"syscall/js"

	"github.com/hajimehoshi/ebiten/v2"
)

func main() {
	start := js.Global().Get("checkpointLabStart")
	b := newBridge(start.Get("wake"), start.Get("draw"), start.Get("lang").String())
	start.Call("ready", b.object())
	if !start.Get("picture").Bool() {
		paceHeap()
		select {} // no picture can be drawn: controls and texts work all the same
	}
	if err := run(b); err != nil {
		start.Call("crash", err.Error())
	}
}

// run draws until the page goes. The deprecated mode is the only one in which Ebitengine makes no frame, and so no draw
// call, until one is asked for; the others present sixty a second.
func run(b *bridge) error {
	ebiten.SetFPSMode(ebiten.FPSModeVsyncOffMinimum) //nolint:staticcheck
	ebiten.SetScreenClearedEveryFrame(false)         // the pixel of game is filled anyway
	return ebiten.RunGameWithOptions(&game{b: b}, &ebiten.RunGameOptions{
		InitUnfocused:     true,
		ScreenTransparent: true,
		DisableHiDPI:      true, // the frame is as large as the screen's pixels, see web/stage.js
	})
}
