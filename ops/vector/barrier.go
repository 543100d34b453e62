package vector

import (
	"encoding/json"
	"errors"
	"fmt"

	"checkpointlab/core/barrier"
	"checkpointlab/core/event"
	"checkpointlab/core/network"
)

// barrierGiven is the given part of the four barrier files. Channels is a number, or one letter a channel: R is remote (it
// queues and announces), L is local. Gates are the channels of each gate of a task with several, in its place.
type barrierGiven struct {
	Unit, Handler          string
	Channels               json.RawMessage
	Gates                  []int
	CheckpointsAfterFinish *bool // default true
	BufferBytes            *int64
	ClockStep              *int64 `json:"clockStepMsAfterEachEvent"`
	Note                   string
}

// barrierKinds are the handlers that the files name.
var barrierKinds = map[string]barrier.Kind{
	"aligned": barrier.AlignedKind, "tracker": barrier.TrackerKind,
	"unaligned": barrier.UnalignedKind, "alternating": barrier.AlternatingKind,
}

// barrierRun drives one handler and notes what its effects do: it stands for the task, its channels and their senders.
type barrierRun struct {
	kind  barrier.Kind
	gates []int // channels of each, if the case names a channel by its gate
	h     barrier.Handler
	out   []barrier.Effect
	now   event.Time
	bytes int64 // of a buffer without a size

	chans  []barrierChannel
	ready  []int32 // channels with elements in the order the gate takes them, prioritized ones first
	timers []barrierTimer

	triggered   []int64
	options     []string
	aborted     []int64
	reasons     []string // of the aborts
	sequence    []int64
	lastBytes   int64      // of the last snapshot; -1 = not known yet
	alignment   event.Time // of the last snapshot; -1 = it goes on
	firstID     event.Checkpoint
	firstAt     event.Time // the first barrier of firstID was taken
	endAt       event.Time // the last one
	endedBefore bool       // at the last abort, the all-barriers future was done
	ended       event.Checkpoint
	startedID   event.Checkpoint // since the last check of in-flight data; -1 = none
	inflight    []int            // event indices stored since then
	stored      map[string]int   // buffers stored by channel
	storedBytes int64            // of the buffers stored
	closed      bool             // nothing more comes
	held        bool             // data came behind the barrier of a blocked channel
}

// barrierTimer is a registered alignment timer.
type barrierTimer struct {
	at event.Time
	id event.Checkpoint
}

// runBarrier replays a case of the aligned, tracker or unaligned handler, whose elements are polled as they arrive, or of
// the alternating handler, whose channels queue.
func runBarrier(c Case) (Status, string) {
	var g barrierGiven
	if err := Decode(c.Given, &g); err != nil {
		return Unknown("given", err)
	}
	r, err := newBarrierRun(c, g)
	if err != nil {
		return Unknown("given", err)
	}
	if r.kind == barrier.AlternatingKind {
		return r.replay(c, r.alternatingEvent, 0)
	}
	step := event.Millisecond
	if r.kind == barrier.TrackerKind {
		step = event.Second // as the file's schema has it
	}
	if g.ClockStep != nil {
		step = *g.ClockStep * event.Millisecond
	}
	return r.replay(c, r.polledEvent, step)
}

func newBarrierRun(c Case, g barrierGiven) (*barrierRun, error) {
	kind, ok := barrierKinds[Unit(c)]
	if !ok {
		return nil, fmt.Errorf("handler %q", Unit(c))
	}
	r := &barrierRun{kind: kind, lastBytes: -1, startedID: -1, firstID: -1, ended: -1, bytes: 1, stored: map[string]int{}}
	var n int
	var letters string
	if len(g.Gates) > 0 && len(g.Channels) == 0 {
		r.gates = g.Gates
		for _, size := range g.Gates {
			n += max(size, 0)
		}
		r.chans = make([]barrierChannel, n)
	} else if json.Unmarshal(g.Channels, &n) == nil {
		r.chans = make([]barrierChannel, n)
	} else if json.Unmarshal(g.Channels, &letters) == nil {
		for _, l := range letters {
			if l != 'R' && l != 'L' {
				return nil, fmt.Errorf("channel %q", l)
			}
			r.chans = append(r.chans, barrierChannel{remote: l == 'R'})
		}
	} else {
		return nil, fmt.Errorf("channels %s", g.Channels)
	}
	if g.BufferBytes != nil {
		r.bytes = *g.BufferBytes
	}
	r.h = barrier.New(kind, len(r.chans), g.CheckpointsAfterFinish == nil || *g.CheckpointsAfterFinish)
	return r, nil
}

// replay carries the events out, with the checks of expect.checks in between, and then holds all of expect.
func (r *barrierRun) replay(c Case, do func(i int, verb string, args []json.RawMessage) error, step event.Time) (Status, string) {
	checks, expect, err := barrierExpect(c.Expect)
	if err != nil {
		return Unknown("expect", err)
	}
	f, left, err := followBarrier(r, expect)
	if err != nil {
		return Unknown("expect", err)
	}
	if s, diff := r.checkAfter(checks, -1); s != Pass {
		return s, diff
	}
	for i, raw := range c.Events {
		verb, args, err := Event(raw)
		if err != nil {
			return Unknown(fmt.Sprintf("event %d", i), err)
		}
		for j := range args {
			args[j] = r.flat(args[j])
		}
		if verb == "check" {
			if len(args) != 1 {
				return Unknown(fmt.Sprintf("event %d", i), errors.New("a check has one object"))
			}
			if s, diff := r.check(args[0]); s != Pass {
				return s, fmt.Sprintf("event %d: %s", i, diff)
			}
		} else if err := do(i, verb, args); err != nil {
			var w barrierWrong
			if errors.As(err, &w) {
				return Fail, fmt.Sprintf("event %d: %v", i, w)
			}
			return Unknown(fmt.Sprintf("event %d", i), err)
		}
		r.now += step
		if s, diff := r.checkAfter(checks, i); s != Pass {
			return s, fmt.Sprintf("after event %d: %s", i, diff)
		}
		if s, diff := f.behind(barrierValues{r}, i, verb); s != Pass {
			return s, diff
		}
	}
	for i := range checks {
		if i >= len(c.Events) {
			return Unknown("expect", fmt.Errorf("a check after event %d of %d", i, len(c.Events)))
		}
	}
	left, s, diff := f.compare(left)
	if s != Pass {
		return s, diff
	}
	return r.check(left)
}

// barrierWrong is an event that the machine did not bear out.
type barrierWrong string

func (w barrierWrong) Error() string { return string(w) }

// polledEvent is an element that is polled as it arrives.
func (r *barrierRun) polledEvent(i int, verb string, args []json.RawMessage) error {
	n, err := barrierNumbers(args)
	if err != nil {
		return err
	}
	switch {
	case verb == "buf" && (len(n) == 1 || len(n) == 2):
		size := r.bytes
		if len(n) == 2 {
			size = n[1]
		}
		return r.polledBuffer(i, n[0], size)
	case verb == "barrier" && len(n) == 2:
		return r.take(n[1], barrierElement{kind: "barrier", barrier: barrier.Barrier{ID: n[0], Alignment: r.plainAlignment()}})
	case verb == "cancel" && len(n) == 2:
		return r.take(n[1], barrierElement{kind: "cancel", barrier: barrier.Barrier{ID: n[0]}})
	case verb == "eop" && len(n) == 1:
		return r.take(n[0], barrierElement{kind: "eop"})
	case verb == "advance" && len(n) == 1:
		r.now += n[0] * event.Millisecond
		return r.runTimers()
	}
	return fmt.Errorf("verb %q with %d arguments", verb, len(n))
}

// plainAlignment is what a barrier without further words means to this handler.
func (r *barrierRun) plainAlignment() barrier.Alignment {
	switch r.kind {
	case barrier.TrackerKind:
		return barrier.AtLeastOnce
	case barrier.UnalignedKind:
		return barrier.Unaligned
	}
	return barrier.Aligned
}

// polledBuffer is data that is polled as it arrives; behind the barrier of a blocked channel it would wait at the sender.
func (r *barrierRun) polledBuffer(i int, ch, size int64) error {
	if err := r.checkChannel(ch); err != nil {
		return err
	}
	c := &r.chans[ch]
	if c.blocked {
		r.held = true
	}
	if c.queue.Pass(&network.Entry{Kind: network.Data}) != 0 {
		r.inflight = append(r.inflight, i)
		r.store(int32(ch), size)
	}
	r.h.OnBytes(size)
	return nil
}

func (r *barrierRun) checkChannel(ch int64) error {
	if ch < 0 || ch >= int64(len(r.chans)) {
		return fmt.Errorf("channel %d of %d", ch, len(r.chans))
	}
	return nil
}

// take hands an element to the machine and carries its effects out.
func (r *barrierRun) take(ch int64, e barrierElement) error {
	if err := r.checkChannel(ch); err != nil {
		return err
	}
	c := int32(ch)
	r.out = r.out[:0]
	switch e.kind {
	case "barrier":
		if !r.chans[c].remote {
			r.chans[c].queue.Pass(&network.Entry{Kind: network.Barrier, ID: e.barrier.ID})
		}
		r.chans[c].blocked = r.chans[c].blocked || e.barrier.BlocksSender()
		if e.barrier.ID > r.firstID {
			r.firstID, r.firstAt = e.barrier.ID, r.now
		}
		r.out = r.h.OnBarrier(r.now, c, e.barrier, r.out)
	case "announcement":
		r.out = r.h.OnAnnouncement(r.now, c, e.barrier, r.out)
	case "cancel":
		r.out = r.h.OnCancel(r.now, c, e.barrier.ID, r.out)
	case "eop":
		r.chans[c].blocked, r.chans[c].booked = false, false
		r.out = r.h.OnEndOfPartition(r.now, c, r.out)
	case "data":
		if !r.chans[c].remote && r.chans[c].queue.Pass(&network.Entry{Kind: network.Data}) != 0 { // it is stored as it passes
			r.store(c, e.bytes)
		}
		r.h.OnBytes(e.bytes)
	}
	return r.carryOut()
}

// carryOut does what the effects say, in order.
func (r *barrierRun) carryOut() error {
	for _, e := range r.out {
		switch e.Kind {
		case barrier.Block:
			r.chans[e.Channel].booked = true
		case barrier.Resume:
			r.chans[e.Channel].blocked, r.chans[e.Channel].booked = false, false
		case barrier.Start:
			r.startedID = e.ID
		case barrier.Snapshot:
			r.triggered = append(r.triggered, e.ID)
			r.sequence = append(r.sequence, e.ID)
			r.options = append(r.options, alignmentWord(e.Barrier.Alignment))
			r.measured(e)
		case barrier.AlignmentEnded:
			r.ended = e.ID
			r.measured(e)
		case barrier.Abort:
			r.aborted = append(r.aborted, e.ID)
			r.sequence = append(r.sequence, -e.ID)
			r.reasons = append(r.reasons, e.Reason.String())
			r.endedBefore = r.ended == e.ID
		case barrier.RegisterTimer:
			r.timers = append(r.timers, barrierTimer{e.At, e.ID})
		case barrier.MakePriority:
			if err := r.makePriority(e.Channel, e.ID); err != nil {
				return err
			}
		case barrier.StoreInput:
			if err := r.storeInput(e.Channel, e.ID); err != nil {
				return err
			}
		case barrier.StopStoring:
			r.chans[e.Channel].queue.Stop(e.ID)
		default:
			return barrierWrong(fmt.Sprintf("effect %v", e.Kind))
		}
	}
	for ch := range r.chans {
		if r.chans[ch].booked != r.h.Blocked(int32(ch)) {
			return barrierWrong(fmt.Sprintf("effects and handler differ on whether channel %d is blocked", ch))
		}
	}
	return nil
}

// measured notes what a snapshot or the end of its alignment reports.
func (r *barrierRun) measured(e barrier.Effect) {
	r.alignment, r.lastBytes = e.Alignment, e.Bytes
	if e.Alignment >= 0 {
		r.endAt = r.now
	}
}

var alignmentWords = [...]string{barrier.Aligned: "aligned", barrier.TimeoutableAligned: "timeout",
	barrier.Unaligned: "unaligned", barrier.ForcedAligned: "forced aligned", barrier.AtLeastOnce: "at least once"}

func alignmentWord(a barrier.Alignment) string { return alignmentWords[a] }

// barrierNumbers reads arguments that are all numbers; a letter A, B, … stands for 1, 2, ….
func barrierNumbers(args []json.RawMessage) ([]int64, error) {
	n := make([]int64, len(args))
	for i, a := range args {
		var s string
		if json.Unmarshal(a, &s) == nil && len(s) == 1 && s[0] >= 'A' && s[0] <= 'Z' {
			n[i] = int64(s[0]-'A') + 1
		} else if err := json.Unmarshal(a, &n[i]); err != nil {
			return nil, fmt.Errorf("argument %d is %s, expected a number", i+1, a)
		}
	}
	return n, nil
}
