//go:build js && wasm

package main

import (
	"strings"
	"syscall/js"

	"github.com/hajimehoshi/ebiten/v2"

	"checkpointlab/cmd/wasm/picture"
	"checkpointlab/cmd/wasm/player"
	"checkpointlab/render/caption"
	"checkpointlab/render/damage"
	"checkpointlab/render/figure"
	"checkpointlab/render/plot"
	"checkpointlab/render/scene"
	"checkpointlab/render/still"
	"checkpointlab/render/token"
)

// state is player.State and what the picture reads out.
type state struct {
	player.State
	Knobs      []player.Knob `json:"knobs"` // null if the caller has them, or wants none
	Readout    string        `json:"readout"`
	ReadoutBox picture.Box   `json:"readoutBox"`
	Axis       [2]float64    `json:"axis"` // what the scrubber runs over, in s
}

// The settings are long and rarely change: they are left out for a caller who has them, whose argument says which, or who wants
// none, whose argument is negative.
func (b *bridge) state(args []js.Value) any {
	s := state{State: b.player.State()}
	if args[0].Type() != js.TypeNumber || args[0].Int() >= 0 && args[0].Int() != s.Settings {
		s.Knobs = b.player.Settings()
	}
	b.update()
	s.Readout, s.ReadoutBox = b.picture.Reading()
	s.Axis = b.axis()
	return text(s)
}

// update is build unless the picture is the player's.
func (b *bridge) update() {
	if b.built != b.player.Touched() {
		b.build()
	}
}

// build makes the picture of the player's instant.
func (b *bridge) build() {
	now := b.now.Invoke().Float()
	fresh := !b.player.Playing() || now-b.plotted >= plotEvery
	if fresh {
		b.plotted = now
	}
	shot := picture.Shot{Lanes: b.see(), Ghost: b.player.Ghost(), Fresh: fresh, Shaded: max(1, b.player.Selected())}
	b.notes = b.notes[:0]
	for _, h := range b.player.Happenings() {
		b.notes = append(b.notes, plot.Note(h))
	}
	shot.Plot.Notes = b.notes
	shot.Space = b.player.Face() == player.FaceSpace
	shot.Sweep = b.player.SweepPlot()
	shot.Focus, shot.Dim = b.player.Cue()
	shot.Motion, shot.Steps = b.player.Motion()
	shot.Plot.LeastAge, shot.Plot.Zoom, shot.Plot.Loop = b.player.ExpectedAge(), b.player.Axis(), b.player.Span()
	b.picture.Build(shot)
	b.built = b.player.Touched()
}

// see is every lane at the playhead.
func (b *bridge) see() []figure.Lane {
	b.lanes = b.lanes[:0]
	for i := range b.player.Lanes() {
		v, h := b.player.Lane(i)
		b.lanes = append(b.lanes, figure.Lane{View: v, History: h, Name: player.LaneName(i)})
	}
	return b.lanes
}

// plotEvery is the distance of two plots while a run plays, in ms.
const plotEvery = 100

func (b *bridge) measure(args []js.Value) any {
	var w picture.Widths
	read(args[0], &w)
	w.Space, w.Sweep = b.player.Face() == player.FaceSpace, b.player.Face() == player.FaceSweep
	b.reshaped() // the page is about to lay it out
	return text(b.picture.Measure(w, b.see()))
}

// placed is what the document must know of the picture to put its own controls into it.
type placed struct {
	Scrub picture.Box `json:"scrub"`
}

func (b *bridge) place(args []js.Value) any {
	var at picture.Place
	read(args[0], &at)
	b.picture.Put(at)
	b.build()
	b.refresh()
	return text(placed{b.picture.Scrub()})
}

// axis is the stretch of time that plot and scrubber show, in seconds.
func (b *bridge) axis() [2]float64 {
	from, to := b.picture.Axis()
	if to <= from { // nothing is laid out
		from, to = 0, b.player.Duration()
	}
	return [2]float64{float64(from) / 1e9, float64(to) / 1e9}
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
	if b.picture.Pin(args[0].String()) {
		b.relay()
	}
	b.refresh()
	return nil
}

// relay tells the page that the boxes need other heights.
func (b *bridge) relay() {
	if b.laidOut.Truthy() {
		b.laidOut.Invoke()
	}
}

// export is what was recorded of the selected lane, as a text: a series as csv or json, or the trace.
func (b *bridge) export(args []js.Value) any {
	var out strings.Builder
	if err := b.player.Export(&out, args[0].String(), args[1].String()); err != nil {
		panic(err) // a builder takes everything
	}
	return out.String()
}

// still is the picture as an SVG document, for paper and where no canvas can be drawn; in light colours unless a theme is named.
func (b *bridge) still(args []js.Value) any {
	var s scene.Scene
	b.build()
	b.picture.Still(&s)
	return b.svg(&s, args)
}

// sheet is the picture as an SVG document for a file: with its sentence, and below it what the page says of where it comes from.
func (b *bridge) sheet(args []js.Value) any {
	var s scene.Scene
	b.build()
	state := b.player.State()
	about := picture.Sheet{Caption: caption.Join(state.Caption), Source: args[1].String()}
	for _, l := range state.Lanes {
		name := l.Tag + "  " + l.Title
		for _, set := range l.Settings {
			name += ", " + set.Name + " " + set.Value
		}
		about.Lanes = append(about.Lanes, name)
	}
	b.picture.Sheet(about, &s)
	return b.svg(&s, args)
}

// svg writes a scene in the theme that the first argument names.
func (b *bridge) svg(s *scene.Scene, args []js.Value) string {
	var out strings.Builder
	theme := token.Light
	if len(args) > 0 && args[0].String() == "dark" {
		theme = token.Dark
	}
	if err := still.SVG(&out, s, theme, b.player.State().Said); err != nil {
		panic(err) // a builder takes everything
	}
	return out.String()
}

// draw is called by Ebitengine for a frame that was asked for, or after the frame was resized.
func (b *bridge) draw(screen *ebiten.Image) {
	b.asked = false
	start := b.now.Invoke().Float()
	b.painter.Draw(screen, b.picture.Scene(), b.picture.Colours(), b.picture.Ratio(), b.rows(screen.Bounds().Dy()))
	if b.stats.Frames++; b.stats.Frames == 1 {
		paceHeap()
	}
	b.stats.Drawn += b.now.Invoke().Float() - start
}

// around is how much above and below what a reader sees is painted, as a share of it: as far as may be scrolled between two frames.
const around = 0.5

// rows are what is painted of a screen: all of it, but while a run plays no more than is seen, and what is near.
func (b *bridge) rows(high int) damage.Rows {
	if b.shown.whole {
		return damage.Rows{To: high}
	}
	ratio, more := b.picture.Ratio(), around*(b.window[1]-b.window[0])
	return damage.Rows{From: int((b.window[0] - more) * ratio), To: int((b.window[1] + more) * ratio)}
}
