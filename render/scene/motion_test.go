package scene_test

import (
	"strings"
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/render/internal/sample"
	"checkpointlab/render/scene"
	"checkpointlab/render/token"
)

// slowly is a tenth of real time: 100 µs of the run in a ms on the screen.
const slowly = 100 * event.Microsecond

// paced is Options.Motion of a view to which the run was played at one pace, 0 = not at all.
func paced(v *core.View, pace event.Time) func(event.Time) float64 {
	if pace == 0 {
		return nil
	}
	return func(since event.Time) float64 { return float64(v.At-since) / float64(pace) }
}

func moving(v *core.View, h *core.History, pace event.Time) *scene.Scene {
	var s scene.Scene
	scene.Build(v, h, scene.Options{Width: 1392, Motion: paced(v, pace)}, &s)
	return &s
}

// xOf is the left end of the first rectangle of an id; ok is false if there is none.
func xOf(s *scene.Scene, id scene.ID) (x float32, ok bool) {
	for i := range s.Marks {
		if m := &s.Marks[i]; m.ID == id && m.Kind == scene.Rect {
			return m.X, true
		}
	}
	return 0, false
}

// A queue that has moved up slides by one place within 80 ms on the screen, forward only, and ends where the state has it.
func TestQueuesSlide(t *testing.T) {
	v := sample.Alignment()
	c := &v.Exchanges[0].Channels[3] // FFo|, one in hand
	id := scene.ID{What: scene.Barrier, Place: scene.Receiver, A: c.Channel, B: 3}
	rest, ok := xOf(moving(v, nil, 0), id)
	if !ok {
		t.Fatal("no barrier")
	}
	c.Taken = v.At
	begin, _ := xOf(moving(v, nil, slowly), id)
	if d := rest - begin; d < 8.9 || d > 9.1 {
		t.Errorf("it begins %v px from its place, want one place of 9", d)
	}
	last := begin
	for ms := event.Time(0); ms <= 80; ms += 4 {
		c.Taken = v.At - ms*slowly
		x, _ := xOf(moving(v, nil, slowly), id)
		if x < last {
			t.Errorf("%d ms: it goes back from %v to %v", ms, last, x)
		}
		last = x
	}
	if last != rest {
		t.Errorf("after 80 ms it stands at %v, want %v", last, rest)
	}
	if x, _ := xOf(moving(v, nil, 0), id); x != rest {
		t.Errorf("at rest it stands at %v, want %v", x, rest)
	}
	sender := scene.ID{What: scene.Buffer, Place: scene.Sender, A: c.Channel}
	rest, _ = xOf(moving(v, nil, slowly), sender)
	c.Moved = v.At
	if begin, _ = xOf(moving(v, nil, slowly), sender); rest-begin < 8.9 {
		t.Errorf("the sender's queue begins %v px from its place, want one place", rest-begin)
	}
}

// A barrier that overtakes flies over the cells from the last one that it passes to the task; cells turn as it passes them.
func TestOvertakingBarriersFly(t *testing.T) {
	v := sample.Unaligned()
	v.Coord.Pending[0].Unaligned = true
	c := &v.Exchanges[0].Channels[0] // SSS at the sender, >SSSSSSSSSS at the receiver
	const way = 2 * event.Millisecond
	h := &core.History{Passages: []core.Passage{{Channel: c.Channel, Checkpoint: 7, To: 2}}}
	flying := scene.ID{What: scene.Barrier, Place: scene.Transit, A: c.Channel}
	lastX, lastStriped := float32(0), -1
	for k := event.Time(0); k < 10; k++ {
		h.Passages[0].Sent = v.At - way*k/10
		h.Passages[0].Received = h.Passages[0].Sent + way
		s := moving(v, h, slowly)
		x, ok := xOf(s, flying)
		if !ok || x <= lastX {
			t.Errorf("%d tenths: the barrier is at %v (%v), it was at %v", k, x, ok, lastX)
		}
		striped := 0
		for i := range s.Marks {
			if m := &s.Marks[i]; m.ID.What == scene.Buffer && m.ID.A == c.Channel && m.Hatch == scene.Stored {
				striped++
			}
		}
		if striped < lastStriped {
			t.Errorf("%d tenths: %d cells have turned, %d had", k, striped, lastStriped)
		}
		lastX, lastStriped = x, striped
		if s.Fingerprint() != moving(v, h, slowly).Fingerprint() {
			t.Errorf("%d tenths: the same instant gives two pictures", k)
		}
		if _, ok := xOf(s, scene.ID{What: scene.Barrier, Place: scene.Receiver, A: c.Channel}); ok {
			t.Errorf("%d tenths: it is drawn twice", k)
		}
	}
	if says := scene.Readout(v, h, flying, scene.English); !strings.Contains(says, "barrier 7, unaligned") {
		t.Errorf("on its way it reads %q", says)
	}
	if lastStriped < 8 {
		t.Errorf("at the end %d of 13 cells have turned", lastStriped)
	}
	if _, ok := xOf(moving(v, h, 0), flying); ok {
		t.Error("at rest it flies")
	}
}

// inks are the receiver's buffers of a channel from the head on: d dark, l light, s striped.
func inks(s *scene.Scene, channel int32) string {
	tones := map[int32]byte{}
	for i := range s.Marks {
		m := &s.Marks[i]
		if m.ID.What != scene.Buffer || m.ID.Place != scene.Receiver || m.ID.A != channel || m.Fill == token.None {
			continue
		}
		switch {
		case m.Hatch == scene.Stored:
			tones[m.ID.B] = 's'
		case m.Fill == token.BufPre:
			tones[m.ID.B] = 'd'
		default:
			tones[m.ID.B] = 'l'
		}
	}
	text := make([]byte, 0, len(tones))
	for i := range int32(64) {
		if t, ok := tones[i]; ok {
			text = append(text, t)
		}
	}
	return string(text)
}

// What a barrier has overtaken at the receiver is ahead of it though it stands behind it in the queue, until the task has stored it;
// while the barrier flies it turns as it is passed. What came after the barrier is light, and what the task has stored since it has
// seen another channel's barrier stays so.
func TestOvertakenInputTurnsAsItIsPassed(t *testing.T) {
	v := sample.Unaligned()
	v.Coord.Pending[0].Unaligned = true
	c := &v.Exchanges[0].Channels[0] // >SSSSSSSSSS at the receiver
	for i := range c.Receiver[1:] {
		cell := &c.Receiver[i+1]
		cell.Stored, cell.Checkpoint = false, 0
		if i < 8 {
			cell.Overtaken = 7
		}
	}
	if got := inks(moving(v, nil, 0), c.Channel); got != "ddddddddll" {
		t.Errorf("before the task has seen the barrier: %s", got)
	}
	h := &core.History{Passages: []core.Passage{{Channel: c.Channel, Checkpoint: 7, To: 2}}}
	seen := map[string]bool{}
	for part := event.Time(0); part < 100; part++ {
		h.Passages[0].Sent, h.Passages[0].Received = v.At-part*event.Microsecond, v.At+(100-part)*event.Microsecond
		got := inks(moving(v, h, slowly), c.Channel)
		turned := strings.TrimLeft(got[:8], "d")
		if strings.Trim(turned, "s") != "" || got[8:] != "ll" {
			t.Fatalf("at %d %% of the way: %s", part, got)
		}
		seen[got] = true
	}
	if len(seen) < 7 {
		t.Errorf("the eight buffers turn in %d steps", len(seen))
	}
	for i := range 8 {
		c.Receiver[i+1].Stored, c.Receiver[i+1].Checkpoint = true, 7
	}
	if got := inks(moving(v, h, slowly), c.Channel); got != "ssssssssll" {
		t.Errorf("stored already: %s", got)
	}
}

// What a commit has made visible slides into its place, and the sync part's glyph takes the place of the one before.
func TestCommitsSlideAndGlyphsFade(t *testing.T) {
	v := sample.Alignment()
	h := &core.History{Commits: []core.CommitRecord{{At: v.At, Checkpoint: 6, Records: 20_000}}}
	striped := func(s *scene.Scene) (w float32) {
		for i := range s.Marks {
			if m := &s.Marks[i]; m.ID.What == scene.Output && m.Hatch == scene.Stored {
				w = max(w, m.W)
			}
		}
		return w
	}
	begin := striped(moving(v, h, slowly))
	h.Commits[0].At = v.At - 160*slowly
	middle := striped(moving(v, h, slowly))
	h.Commits[0].At = v.At - 320*slowly
	if end := striped(moving(v, h, slowly)); !(begin > middle && middle > 0 && end == 0) {
		t.Errorf("stripes of %v, %v, %v px at 0, 160 and 320 ms", begin, middle, end)
	}
	aligning := &v.Vertices[1].Tasks[1]
	glyphs := func(s *scene.Scene) (alphas []uint8) {
		for i := range s.Marks {
			if m := &s.Marks[i]; m.Kind == scene.Sprite && m.ID == (scene.ID{What: scene.Card, A: aligning.Task}) {
				alphas = append(alphas, m.Alpha)
			}
		}
		return alphas
	}
	aligning.Since = v.At - 30*slowly
	if got := glyphs(moving(v, h, slowly)); len(got) != 2 || got[0] <= got[1] {
		t.Errorf("after 30 of 120 ms the glyphs are as strong as %v", got)
	}
	aligning.Since = v.At - 120*slowly
	if got := glyphs(moving(v, h, slowly)); len(got) != 1 || got[0] != scene.Opaque {
		t.Errorf("after 120 ms the glyphs are as strong as %v", got)
	}
}

// Under reduced motion all stand where the state has them; for 300 ms the wire of a barrier that was sent or received stands out, and
// so does the task that it goes to.
func TestStepsHaveWiresInsteadOfMotion(t *testing.T) {
	v := sample.Unaligned()
	v.Coord.Pending[0].Unaligned = true
	c := &v.Exchanges[0].Channels[0] // to task 2
	c.Taken, c.Moved = v.At, v.At
	v.Vertices[1].Tasks[0].Since = v.At
	h := &core.History{Passages: []core.Passage{{Channel: c.Channel, Checkpoint: 7, To: 2}}, Commits: []core.CommitRecord{{At: v.At, Checkpoint: 6, Records: 20_000}}}
	steps := func() *scene.Scene {
		var s scene.Scene
		scene.Build(v, h, scene.Options{Width: 1392, Motion: paced(v, slowly), Steps: true}, &s)
		return &s
	}
	rest := moving(v, h, 0)
	for _, k := range []struct {
		sent, received event.Time // ms before and after now
		shown          bool
	}{{10, 10, true}, {299, 5000, true}, {301, 5000, false}, {900, -10, true}, {900, -299, true}, {900, -301, false}, {-10, 10, false}} {
		h.Passages[0].Sent, h.Passages[0].Received = v.At-k.sent*slowly, v.At+k.received*slowly
		s := steps()
		wires, frames := 0, 0
		for i := range s.Marks {
			m := &s.Marks[i]
			switch {
			case m.ID.What == scene.Wire && m.ID.A == c.Channel && m.Kind == scene.Line && m.Fill == token.Hue(7) && m.Dash == scene.Unbroken:
				wires++
			case m.ID == (scene.ID{What: scene.Card, A: 2}) && m.Kind == scene.Rect && m.Stroke == 2 && m.Edge == token.Hue(7):
				frames++
			}
		}
		if (wires > 0) != k.shown || (frames == 1) != k.shown {
			t.Errorf("sent %d ms ago, received in %d ms: %d parts of the wire, %d frames stand out", k.sent, k.received, wires, frames)
		}
		if len(s.Marks)-wires-frames != len(rest.Marks) {
			t.Errorf("%d marks without what stands out, at rest there are %d", len(s.Marks)-wires-frames, len(rest.Marks))
		}
	}
}

// A picture in motion allocates nothing, either.
func TestMotionDoesNotAllocate(t *testing.T) {
	v, h := sample.Unaligned(), sample.History()
	v.Coord.Pending[0].Unaligned = true
	for i := range v.Exchanges[0].Channels {
		c := &v.Exchanges[0].Channels[i]
		c.Taken, c.Moved = v.At, v.At
		h.Passages = append(h.Passages, core.Passage{Channel: c.Channel, Checkpoint: 7, Sent: v.At - 1, Received: v.At + 5})
	}
	var s scene.Scene
	o := scene.Options{Width: 1392, Motion: paced(v, slowly)}
	scene.Build(v, h, o, &s)
	if n := testing.AllocsPerRun(20, func() { scene.Build(v, h, o, &s) }); n != 0 {
		t.Errorf("%v allocations a picture, want none", n)
	}
}
