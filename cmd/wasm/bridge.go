//go:build js && wasm

package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"syscall/js"

	"github.com/hajimehoshi/ebiten/v2"

	"checkpointlab/cmd/wasm/picture"
	"checkpointlab/cmd/wasm/player"
	"checkpointlab/core/event"
	"checkpointlab/render/canvas"
	"checkpointlab/render/figure"
	"checkpointlab/render/plot"
	"checkpointlab/render/token"
)

// How much of a frame the simulation may take, in ms: while a run plays the next frame waits for it, while nothing moves only a
// reader's next input.
const playingShare, restingShare = 8, 30

// beginning is how long a reader who changes a setting waits for the beginning of the new run, in ms: it is drawn in the same call,
// and with that it is within 100 ms.
const beginning = 80

// arrival is how long opening a link may take to compute its instant at once, in ms, unless the page sets another time; longer
// runs are computed in the background.
const arrival = 150

// bridge joins the page, the player and the picture.
type bridge struct {
	player  *player.Player
	picture *picture.Picture
	painter canvas.Painter
	wake    js.Value // asks for a tick
	frame   js.Value // gives Ebitengine a frame now
	now     js.Value // performance.now, bound

	shown   look
	asked   bool       // for a frame that is not drawn yet
	waited  bool       // for: a picture that is drawn and not shown yet, while there is more to do; the next turn does nothing
	news    bool       // of the player that the page has not been told
	held    bool       // back: news, once, for a picture
	seen    bool       // the stage is on the screen
	window  [2]float64 // the rows of the stage that are, from and to in CSS px; empty as long as the page has not said
	changed js.Value   // the page's callbacks
	laidOut js.Value
	stats   stats
	lanes   []figure.Lane // reused, as are
	notes   []plot.Note
	shape   string  // of the jobs, as the page has measured it
	plotted float64 // when the plot was built last
	built   int     // what the picture was built of, by Player.Touched
}

func newBridge(wake, frame js.Value, lang string) *bridge {
	performance := js.Global().Get("performance")
	b := &bridge{
		player: player.Blank(lang), picture: picture.New(), wake: wake, frame: frame, seen: true,
		now: performance.Get("now").Call("bind", performance),
	}
	// Ebitengine, which listens after this, sets the canvas' size whenever it is told of one, and with that the pixels are gone.
	js.Global().Call("addEventListener", "resize", js.FuncOf(func(js.Value, []js.Value) any { b.painter.Forget(); return nil }))
	return b
}

// object is what web/api.js describes.
func (b *bridge) object() js.Value {
	o := js.Global().Get("Object").New()
	for name, f := range map[string]func([]js.Value) any{
		"measure": b.measure, "place": b.place, "targets": b.targets, "hover": b.hover, "focus": b.focus, "pin": b.pin,
		"open": b.open, "state": b.state, "tick": b.tick, "stats": b.measured, "still": b.still, "sheet": b.sheet,
		"address": b.address, "key": b.key, "passed": b.passed, "scene": b.scene,
		"theme":    b.does(func(a []js.Value) { b.picture.Theme(a[0].String()) }),
		"contrast": b.does(func(a []js.Value) { b.picture.Contrast(a[0].Bool()) }),
		"lang":     b.does(func(a []js.Value) { b.player.Lang(a[0].String()); b.picture.Lang(a[0].String()) }),
		"motion":   b.does(func(a []js.Value) { b.player.Reduced(a[0].Bool()) }),
		"window":   func(a []js.Value) any { b.window = [2]float64{a[0].Float(), a[1].Float()}; return nil },
		"visible":  b.does(func(a []js.Value) { b.seen = a[0].Bool() }),
		"play":     b.does(func([]js.Value) { b.player.Play() }),
		"pause":    b.does(func([]js.Value) { b.player.Pause() }),
		"loop":     b.does(func([]js.Value) { b.player.Loop() }),
		"speed":    b.does(func(a []js.Value) { b.player.SetSpeed(a[0].Float()) }),
		"seek":     b.does(func(a []js.Value) { b.player.Seek(event.Time(a[0].Float() * 1e9)) }),
		"home":     b.does(func([]js.Value) { b.player.Home() }),
		"end":      b.does(func([]js.Value) { b.player.End() }),
		"answer":   b.does(func(a []js.Value) { b.player.Answer(a[0].Int()) }),
		"expect":   b.expect,

		"stepForward": b.does(func([]js.Value) { b.player.Step(1) }),
		"stepBack":    b.does(func([]js.Value) { b.player.Step(-1) }),
		"checkpoint":  b.does(func(a []js.Value) { b.player.Checkpoint(a[0].Int()) }),

		"compare":    b.does(func([]js.Value) { b.player.Compare() }),
		"addLane":    b.does(func([]js.Value) { b.player.AddLane() }),
		"removeLane": b.does(func(a []js.Value) { b.player.RemoveLane(a[0].Int()) }),
		"selectLane": b.does(func(a []js.Value) { b.player.SelectLane(a[0].Int()) }),
		"turnLanes":  b.does(func([]js.Value) { b.player.TurnLanes() }),

		"repeat": b.does(func([]js.Value) { b.player.Repeat() }),
		"zoom":   b.does(func(a []js.Value) { b.player.Zoom(a[0].Int()) }),
		"even":   b.does(func(a []js.Value) { b.player.Even(a[0].Bool()) }),

		"face":        b.does(func(a []js.Value) { b.player.Turn(a[0].String()) }),
		"export":      b.export,
		"sweep":       b.answers(func(a []js.Value) player.Result { return b.player.Sweep(a[0].String(), a[1].String()) }),
		"cancelSweep": b.does(func([]js.Value) { b.player.CancelSweep() }),

		"act": b.answers(func(a []js.Value) player.Result {
			return b.player.Act(a[0].String(), a[1].String(), a[2].Int(), a[3].String())
		}),
		"resetAll": b.answers(func([]js.Value) player.Result { return b.player.Reset() }),

		"load":  b.answers(func(a []js.Value) player.Result { return b.player.Load(a[0].String()) }),
		"set":   b.answers(func(a []js.Value) player.Result { return b.player.Set(a[0].String(), a[1].String()) }),
		"reset": b.answers(func(a []js.Value) player.Result { return b.player.Set(a[0].String(), "") }),
		"apply": b.answers(func(a []js.Value) player.Result { return b.player.Apply(a[0].String()) }),

		"rebuild": b.answers(func(a []js.Value) player.Result { return b.player.Rebuild(a[0].String()) }),

		"scenarios":    func([]js.Value) any { return text(b.player.List()) },
		"flinkBlock":   func([]js.Value) any { return b.player.FlinkBlock() },
		"scenarioText": func([]js.Value) any { return b.player.ScenarioText() },
		"link":         func([]js.Value) any { return b.player.Link() },
		"onChange":     func(a []js.Value) any { b.changed = a[0]; return nil },
		"onLayout":     func(a []js.Value) any { b.laidOut = a[0]; return nil },
	} {
		o.Set(name, js.FuncOf(func(_ js.Value, args []js.Value) any { return called(name, f, args) }))
	}
	return o
}

// mostArguments is more than any function takes.
const mostArguments = 6

// called calls a function of the page's. A value that is missing or of another kind is the caller's mistake and answered
// as one: it must not end the program.
func called(name string, f func([]js.Value) any, args []js.Value) (answer any) {
	for len(args) < mostArguments {
		args = append(args, js.Undefined())
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *js.ValueError:
			answer = text(player.Result{Error: name + ": " + r.Error()})
		case unreadable:
			answer = text(player.Result{Error: name + ": " + r.Error()})
		default:
			panic(r)
		}
	}()
	return f(args)
}

// does wraps a command: after it the clock runs until everything is at rest again.
func (b *bridge) does(f func([]js.Value)) func([]js.Value) any {
	return func(args []js.Value) any {
		f(args)
		b.refresh()
		return nil
	}
}

// answers wraps a command with a result.
func (b *bridge) answers(f func([]js.Value) player.Result) func([]js.Value) any {
	return func(args []js.Value) any {
		spend := b.within(beginning)
		r := f(args)
		b.refresh()
		if r.OK && b.player.Begin(spend) {
			b.waited = b.look()
			b.player.Shown()
		}
		return text(r)
	}
}

// look makes a new picture, if anybody sees it, and reports whether it is another one.
func (b *bridge) look() bool {
	if !b.seen {
		return false
	}
	b.fit()
	b.build()
	return b.show()
}

// refresh asks for a new picture and for the clock.
func (b *bridge) refresh() {
	b.player.Touch()
	b.wake.Invoke()
}

func text(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // all that is told can be written
	}
	return string(data)
}

// unreadable is what a caller gave instead of the JSON of api.js.
type unreadable struct{ error }

func read(arg js.Value, into any) {
	if err := json.Unmarshal([]byte(arg.String()), into); err != nil {
		panic(unreadable{err})
	}
}

func (b *bridge) open(args []js.Value) any {
	b.picture.Forget()
	wait := float64(arrival)
	if args[1].Type() == js.TypeNumber {
		wait = args[1].Float()
	}
	spend := b.within(wait)
	r := b.player.Open(args[0].String())
	b.player.Reach(spend)
	b.refresh()
	return text(r)
}

// within reports whether so many ms from now have not passed yet.
func (b *bridge) within(ms float64) func() bool {
	start := b.now.Invoke().Float()
	return func() bool { return b.now.Invoke().Float()-start < ms }
}

// expect takes the links that the reader will probably open next; no new picture is needed for that.
func (b *bridge) expect(args []js.Value) any {
	var fragments []string
	read(args[0], &fragments)
	b.player.Expect(fragments)
	b.wake.Invoke()
	return nil
}

// What tick answers: no other turn is wanted, one at the next frame, or one at once.
const rest, nextFrame, atOnce = 0, 1, 2

// tick is one turn of the clock; it answers when another is wanted.
func (b *bridge) tick(args []js.Value) any {
	if b.waited {
		b.waited = false
		return nextFrame
	}
	start := b.now.Invoke().Float()
	share := float64(restingShare)
	if b.player.Playing() {
		share = playingShare
	}
	o := b.player.Tick(args[0].Float(), func() bool { return b.now.Invoke().Float()-start < share })
	b.news = b.news || o.Notify
	drawn := o.Draw && b.look()
	b.waited = drawn && !b.player.Playing() && (o.More || b.news)
	b.tell(drawn)
	b.stats.Ticks++
	b.stats.Ticked += b.now.Invoke().Float() - start
	switch {
	case o.Soon && !b.asked:
		return atOnce
	case o.More || b.news:
		return nextFrame
	}
	return rest
}

// tell tells the page of news; a picture that was drawn just now is to be shown first, but not one after the other.
func (b *bridge) tell(drawn bool) {
	if b.held = b.news && drawn && !b.held; b.held || !b.news {
		return
	}
	b.news = false
	b.inform()
}

// inform has the page ask for the state.
func (b *bridge) inform() {
	if b.changed.Truthy() {
		from := b.now.Invoke().Float()
		b.changed.Invoke()
		b.player.Told(b.now.Invoke().Float() - from)
	}
}

// fit has the picture laid out anew when a job's shape has changed, or what stands in the plot's place needs another height. The page
// is told first: it has places for as many pipelines as it knows of, and the picture is drawn into them next.
func (b *bridge) fit() {
	if b.reshaped() {
		b.inform()
		b.relay()
	}
}

// reshaped notes the jobs' shape, and reports whether it is another one than that which the page has measured, or been told of.
func (b *bridge) reshaped() bool {
	var shape strings.Builder
	for _, l := range b.see() {
		for i := range l.View.Vertices {
			fmt.Fprint(&shape, l.View.Vertices[i].Name, len(l.View.Vertices[i].Tasks), " ")
		}
		shape.WriteByte('|')
	}
	shape.WriteString(b.player.Face())
	now := shape.String()
	if now == b.shape {
		return false
	}
	b.shape = now
	b.picture.Forget()
	return true
}

// show draws a frame if it would show anything new: at once, or as soon as Ebitengine can. It reports whether it would.
func (b *bridge) show() bool {
	whole := !b.player.Playing() || b.window[0] >= b.window[1]
	look := look{b.picture.Scene().Fingerprint(), b.picture.Colours(), b.picture.Ratio(), whole}
	if look == b.shown {
		return false
	}
	b.shown, b.asked = look, true
	ebiten.ScheduleFrame()
	b.frame.Invoke()
	return true
}

// look is everything that a frame depends on.
type look struct {
	scene uint64
	theme token.Theme
	ratio float64
	whole bool // also what is scrolled out of the window
}

func (b *bridge) measured([]js.Value) any { return text(b.stats) }

// stats is what the browser tests measure.
type stats struct {
	Frames int     `json:"frames"` // drawn
	Drawn  float64 `json:"drawn"`  // ms spent on them
	Ticks  int     `json:"ticks"`
	Ticked float64 `json:"ticked"` // ms spent on them, building included
}
