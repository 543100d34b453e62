package barrier

import (
	"fmt"
	"slices"
	"testing"

	"checkpointlab/core/event"
	"pgregory.net/rapid"
)

// world stands around a handler: senders that stop at their barriers, channels that announce, timers. Each channel has a
// stream of inputs; what comes next of which channel is drawn.
type world struct {
	t       *rapid.T
	kind    Kind
	h, twin Handler // the twin is a copy taken at drawn moments; it gets the same inputs
	out     []Effect
	echo    []Effect
	now     event.Time
	streams [][]input
	blocked []bool // senders
	storing []bool
	ended   []bool
	timers  []Effect

	notify             bool // the coordinator reports aborts now and then
	performed, aborted []event.Checkpoint
	going              event.Checkpoint // an unaligned one whose alignment goes on; -1 = none
	log                []string
}

// input is one element of a channel's stream.
type input struct {
	kind      string // barrier, announcement, cancel, end
	b         Barrier
	announced bool
}

// draw makes the streams: each channel has for each id in order a barrier or a cancellation marker, or nothing any more
// after its end.
func draw(t *rapid.T, kind Kind, cancels, ends bool) *world {
	n := rapid.IntRange(1, 5).Draw(t, "channels")
	after := rapid.Bool().Draw(t, "after tasks finish")
	w := &world{t: t, kind: kind, h: New(kind, n, after), twin: New(kind, n, after), going: -1,
		streams: make([][]input, n), blocked: make([]bool, n), storing: make([]bool, n), ended: make([]bool, n)}
	ids := rapid.IntRange(1, 6).Draw(t, "ids")
	for id := range event.Checkpoint(ids) {
		b, announce := w.drawBarrier(id)
		cancelled := cancels && rapid.IntRange(0, 2).Draw(t, "cancelled") == 0
		for ch := range n {
			if cancelled && rapid.Bool().Draw(t, "cancel") {
				w.streams[ch] = append(w.streams[ch], input{kind: "cancel", b: b})
				continue
			}
			own := b
			if own.Timeoutable() && rapid.IntRange(0, 4).Draw(t, "switched upstream") == 0 {
				own = own.AsUnaligned()
			}
			// a cancelled id is not announced: a marker that meets it before a barrier would be ignored
			announced := announce && own.Timeoutable() && !cancelled && rapid.Bool().Draw(t, "remote")
			if announced {
				w.streams[ch] = append(w.streams[ch], input{kind: "announcement", b: own})
			}
			w.streams[ch] = append(w.streams[ch], input{kind: "barrier", b: own, announced: announced})
		}
	}
	for ch := range n {
		if ends && rapid.Bool().Draw(t, "ends") {
			at := rapid.IntRange(0, len(w.streams[ch])).Draw(t, "end")
			for at > 0 && w.streams[ch][at-1].kind == "announcement" { // its barrier stands in the channel, too
				at--
			}
			w.streams[ch] = append(w.streams[ch][:at:at], input{kind: "end"})
		}
	}
	return w
}

func (w *world) drawBarrier(id event.Checkpoint) (b Barrier, announce bool) {
	b = Barrier{ID: id, Timestamp: event.Time(id) * 100}
	switch w.kind {
	case TrackerKind:
		b.Alignment = AtLeastOnce
	case UnalignedKind:
		b.Alignment = Unaligned
	case AlternatingKind:
		b.Alignment = rapid.SampledFrom([]Alignment{Aligned, TimeoutableAligned, TimeoutableAligned, Unaligned, ForcedAligned}).Draw(w.t, "alignment")
		if b.Alignment == TimeoutableAligned {
			b.Timeout = event.Time(rapid.IntRange(1, 300).Draw(w.t, "timeout"))
		}
	}
	return b, b.Timeoutable()
}

// run hands in everything that can come, in a drawn order, until nothing can.
func (w *world) run() {
	for {
		var can []int32
		for ch := range w.streams {
			if len(w.streams[ch]) > 0 && !w.blocked[ch] {
				can = append(can, int32(ch))
			}
		}
		if len(can) == 0 {
			return
		}
		w.now += event.Time(rapid.IntRange(0, 60).Draw(w.t, "wait"))
		if rapid.IntRange(0, 5).Draw(w.t, "copy") == 0 {
			w.twin.CopyFrom(&w.h)
		}
		w.fireTimers()
		if w.notify && rapid.IntRange(0, 9).Draw(w.t, "notify") == 0 {
			id := event.Checkpoint(rapid.IntRange(0, 6).Draw(w.t, "given up"))
			w.log = append(w.log, fmt.Sprintf("%d given up %d", w.now, id))
			w.h.OnAborted(id)
			w.twin.OnAborted(id)
		}
		w.take(rapid.SampledFrom(can).Draw(w.t, "channel"))
	}
}

// fireTimers fires due timers, or leaves them for later, as a busy task does.
func (w *world) fireTimers() {
	for i := 0; i < len(w.timers); {
		e := w.timers[i]
		if e.At > w.now || rapid.IntRange(0, 3).Draw(w.t, "late") == 0 {
			i++
			continue
		}
		w.timers = slices.Delete(w.timers, i, i+1)
		w.log = append(w.log, fmt.Sprintf("%d timer %d", w.now, e.ID))
		w.out = w.h.OnTimer(w.now, e.ID, w.out[:0])
		w.echo = w.twin.OnTimer(w.now, e.ID, w.echo[:0])
		w.check()
	}
}

// take hands in the next element of a channel.
func (w *world) take(ch int32) {
	in := w.streams[ch][0]
	w.streams[ch] = w.streams[ch][1:]
	w.log = append(w.log, fmt.Sprintf("%d %s %d/%d", w.now, in.kind, in.b.ID, ch))
	w.h.OnBytes(5)
	w.twin.OnBytes(5)
	switch in.kind {
	case "barrier":
		w.blocked[ch] = in.b.BlocksSender()
		w.out = w.h.OnBarrier(w.now, ch, in.b, w.out[:0])
		w.echo = w.twin.OnBarrier(w.now, ch, in.b, w.echo[:0])
	case "announcement":
		w.out = w.h.OnAnnouncement(w.now, ch, in.b, w.out[:0])
		w.echo = w.twin.OnAnnouncement(w.now, ch, in.b, w.echo[:0])
	case "cancel":
		w.out = w.h.OnCancel(w.now, ch, in.b.ID, w.out[:0])
		w.echo = w.twin.OnCancel(w.now, ch, in.b.ID, w.echo[:0])
	case "end":
		w.ended[ch] = true
		w.out = w.h.OnEndOfPartition(w.now, ch, w.out[:0])
		w.echo = w.twin.OnEndOfPartition(w.now, ch, w.echo[:0])
	}
	w.check()
}

func (w *world) fail(format string, args ...any) {
	w.t.Helper()
	w.t.Fatalf("%s\n%v\neffects %s", fmt.Sprintf(format, args...), w.log, show(w.out))
}

// check carries the effects out and holds what always holds.
func (w *world) check() {
	if !slices.Equal(w.out, w.echo) {
		w.fail("a copy answers %s", show(w.echo))
	}
	for _, e := range w.out {
		w.carryOut(e)
	}
	for ch := range w.blocked {
		if w.h.Blocked(int32(ch)) != w.blocked[ch] {
			w.fail("channel %d is blocked at the sender: %v", ch, w.blocked[ch])
		}
	}
	if have, of := w.h.Aligned(); have > of || (w.kind != TrackerKind && w.h.Pending() && have == of) {
		w.fail("%d of %d aligned", have, of)
	}
}

func (w *world) carryOut(e Effect) {
	switch e.Kind {
	case Resume:
		if !w.blocked[e.Channel] {
			w.fail("channel %d is resumed, but not blocked", e.Channel)
		}
		w.blocked[e.Channel] = false
	case Snapshot:
		if slices.Contains(w.performed, e.ID) || slices.Contains(w.aborted, e.ID) {
			w.fail("%d is performed again or after its abort", e.ID)
		}
		w.performed = append(w.performed, e.ID)
		if e.Alignment < 0 {
			w.going = e.ID
		}
	case AlignmentEnded:
		if w.going != e.ID || e.Alignment < 0 || e.Bytes < 0 {
			w.fail("%d does not go on", e.ID)
		}
		w.going = -1
	case PassCancel:
		if slices.Contains(w.performed, e.ID) || slices.Contains(w.aborted, e.ID) {
			w.fail("%d is passed on as cancelled", e.ID)
		}
		w.performed = append(w.performed, e.ID)
	case Abort:
		if slices.Contains(w.aborted, e.ID) {
			w.fail("%d is aborted twice", e.ID)
		}
		w.aborted = append(w.aborted, e.ID)
		w.going = -1
	case RegisterTimer:
		if e.At < w.now {
			w.fail("a timer in the past")
		}
		w.timers = append(w.timers, e)
	case MakePriority:
		if i := slices.IndexFunc(w.streams[e.Channel], func(in input) bool { return in.kind == "barrier" }); i != 0 || !w.streams[e.Channel][0].announced {
			w.fail("channel %d has no announced barrier", e.Channel)
		}
	case StoreInput:
		if w.storing[e.Channel] || w.ended[e.Channel] {
			w.fail("channel %d is stored already or has ended", e.Channel)
		}
		w.storing[e.Channel] = true
	case StopStoring:
		if !w.storing[e.Channel] {
			w.fail("channel %d is not stored", e.Channel)
		}
		w.storing[e.Channel] = false
	}
}

// atEnd holds what holds once all channels told everything.
func (w *world) atEnd() {
	for ch := range w.streams {
		if len(w.streams[ch]) > 0 || w.blocked[ch] {
			w.fail("channel %d waits forever", ch)
		}
		if w.storing[ch] {
			w.fail("channel %d is stored forever", ch)
		}
	}
	if w.kind != TrackerKind && w.h.Pending() {
		w.fail("%d is pending", w.h.Latest())
	}
	if w.going >= 0 {
		w.fail("the alignment of %d does not end", w.going)
	}
}

var allKinds = map[string]Kind{"aligned": AlignedKind, "tracker": TrackerKind, "unaligned": UnalignedKind, "alternating": AlternatingKind}

// TestAnyInputsKeepTheHandlersPromises: each id is performed at most once and not after its abort, senders are blocked exactly when the handler
// says so, nobody waits once all was told, a copy answers as the original.
func TestAnyInputsKeepTheHandlersPromises(t *testing.T) {
	for name, kind := range allKinds {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				w := draw(t, kind, true, true)
				w.notify = true
				w.run()
				w.atEnd()
			})
		})
	}
}

// TestAlignedPerformsEachCompleteCheckpoint: since senders wait, no id can be overtaken: an id is performed if no channel
// cancels it, else aborted.
func TestAlignedPerformsEachCompleteCheckpoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := draw(t, AlignedKind, true, false)
		var whole, cancelled []event.Checkpoint
		for i := range w.streams[0] {
			if slices.ContainsFunc(w.streams, func(s []input) bool { return s[i].kind == "cancel" }) {
				cancelled = append(cancelled, w.streams[0][i].b.ID)
			} else {
				whole = append(whole, w.streams[0][i].b.ID)
			}
		}
		w.run()
		w.atEnd()
		if !slices.Equal(w.performed, whole) || !slices.Equal(w.aborted, cancelled) {
			w.fail("performed %v of %v, aborted %v of %v", w.performed, whole, w.aborted, cancelled)
		}
	})
}

// TestTrackerAgainstCounting: without cancellations a checkpoint is performed with the barrier that makes it whole, unless
// a newer one was before.
func TestTrackerAgainstCounting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := draw(t, TrackerKind, false, false)
		n := len(w.streams)
		seen, last := map[event.Checkpoint]int{}, event.Checkpoint(-1)
		var want []event.Checkpoint
		before := w.log
		w.run()
		for _, line := range w.log[len(before):] {
			var at event.Time
			var id event.Checkpoint
			var ch int
			if _, err := fmt.Sscanf(line, "%d barrier %d/%d", &at, &id, &ch); err != nil {
				t.Fatal(err)
			}
			if seen[id]++; seen[id] == n && id > last {
				last = id
				want = append(want, id)
			}
		}
		if !slices.Equal(w.performed, want) || len(w.aborted) > 0 {
			w.fail("performed %v, expected %v", w.performed, want)
		}
	})
}
