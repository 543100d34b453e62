//go:build js && wasm

package main

import (
	"strings"
	"syscall/js"

	"github.com/hajimehoshi/ebiten/v2"

	"checkpointlab/cmd/wasm/picture"
	"checkpointlab/cmd/wasm/player"
	"checkpointlab/render/plot"
	"checkpointlab/render/scene"
	"checkpointlab/render/still"
	"checkpointlab/render/token"
)

// state is player.State and what the picture reads out.
type state struct {
	player.State
	Readout    string      `json:"readout"`
	ReadoutBox picture.Box `json:"readoutBox"`
}

func (b *bridge) state([]js.Value) any {
	s := state{State: b.player.State()}
	b.build()
	s.Readout, s.ReadoutBox = b.picture.Reading()
	return text(s)
}

// build makes the picture of the player's instant.
func (b *bridge) build() {
	b.notes = b.notes[:0]
	for _, h := range b.player.Happenings() {
		b.notes = append(b.notes, plot.Note(h))
	}
	b.picture.Name(b.notes)
	now := b.now.Invoke().Float()
	fresh := !b.player.Playing() || now-b.plotted >= plotEvery
	if fresh {
		b.plotted = now
	}
	b.picture.Build(b.player.View(), b.player.History(), b.player.Ghost(), fresh)
}

// plotEvery is the distance of two plots while a run plays, in ms.
const plotEvery = 100

func (b *bridge) measure(args []js.Value) any {
	var w picture.Widths
	read(args[0], &w)
	return text(b.picture.Measure(w, b.player.View(), b.player.History()))
}

func (b *bridge) place(args []js.Value) any {
	var at picture.Place
	read(args[0], &at)
	b.picture.Put(at)
	b.build()
	b.refresh()
	return text(map[string]picture.Box{"scrub": b.picture.Scrub()})
}

func (b *bridge) targets([]js.Value) any { return text(b.picture.Targets()) }

func (b *bridge) hover(args []js.Value) any {
	if b.picture.Hover(args[0].Float(), args[1].Float()) {
		b.refresh()
	}
	return nil
}

func (b *bridge) focus(args []js.Value) any {
	b.picture.Focus(args[0].String())
	b.refresh()
	return nil
}

func (b *bridge) pin(args []js.Value) any {
	b.picture.Pin(args[0].String())
	b.refresh()
	return nil
}

// still is the picture as an SVG document, for paper and where no canvas can be drawn; in light colours unless a theme is named.
func (b *bridge) still(args []js.Value) any {
	var s scene.Scene
	var out strings.Builder
	b.build()
	b.picture.Still(&s)
	theme := token.Light
	if len(args) > 0 && args[0].String() == "dark" {
		theme = token.Dark
	}
	if err := still.SVG(&out, &s, theme, b.player.State().Said); err != nil {
		panic(err) // a builder takes everything
	}
	return out.String()
}

// draw is called by Ebitengine for a frame that was asked for, or after the frame was resized.
func (b *bridge) draw(screen *ebiten.Image) {
	start := b.now.Invoke().Float()
	b.painter.DrawOver(screen, b.picture.Scene(), b.picture.Colours(), max(1, b.picture.Ratio()))
	b.stats.Frames++
	b.stats.Drawn += b.now.Invoke().Float() - start
}
