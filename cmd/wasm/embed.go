//go:build js && wasm

package main

import (
	"fmt"
	"syscall/js"

	"checkpointlab/core/event"
)

// address opens the query of an embed's address; its instant is computed at once as that of a link is, so that the first picture
// is of it.
func (b *bridge) address(args []js.Value) any {
	spend := b.within(arrival)
	a := b.player.OpenAddress(args[0].String())
	b.player.Reach(spend)
	b.refresh()
	return text(a)
}

// key is what a name in an address stands for; the name itself if for nothing.
func (b *bridge) key(args []js.Value) any { return b.player.Key(args[0].String()) }

// passed lists what checkpoints did between two instants, in seconds: after the first, up to the second.
func (b *bridge) passed(args []js.Value) any {
	return text(b.player.Passed(event.Time(args[0].Float()*1e9+0.5), event.Time(args[1].Float()*1e9+0.5)))
}

// scene is a hash of all that is drawn, to compare pictures by without their pixels.
func (b *bridge) scene([]js.Value) any {
	b.update()
	return fmt.Sprintf("%016x", b.picture.Scene().Fingerprint())
}
