package task

import (
	"checkpointlab/core/event"
	"checkpointlab/core/network"
)

// begin prepares the next step: the inputs that have a record in hand alternate, until one without has to be asked.
func (w *World) begin(now event.Time, t *Task) {
	s := &t.Step
	s.K, s.Paced, s.Mark, s.Fire, s.Start, s.N = 0, false, false, false, now, event.Never
	if t.plain { // nothing else cuts the step
		e := &t.Hands[0].Entry
		s.K, s.Gates[0], s.N = 1, 0, w.alike(t, e)
		if t.Kind == Map {
			s.N = w.Net.Boundary(t.Outs[0], w.sizeOf(e), s.N)
		}
		return
	}
	if len(t.Hands) == 1 && !w.Rules.EventTime { // it has a record
		e := &t.Hands[0].Entry
		s.K, s.Gates[0], s.N = 1, 0, w.alike(t, e)
		w.limit(now, t, w.sizeOf(e))
		return
	}
	w.beginAny(now, t)
}

// sizeOf is the size in bytes of the records of a buffer in hand, or of the first one if they differ: its runs are not read
// before they have to be.
func (w *World) sizeOf(e *network.Entry) int32 {
	if w.Net.Slab.Uniform() {
		return max(1, w.Net.Slab.Size())
	}
	return max(1, w.Net.Slab.Front(&e.Runs).Size)
}

// beginAny is begin of a task with several inputs, or with watermarks.
func (w *World) beginAny(now event.Time, t *Task) {
	s, size := &t.Step, int32(1)
	for i := range t.Hands {
		g := t.gate(i)
		h := &t.Hands[g]
		if !h.Valid && !w.Net.Waiting(t.Gates[g]) && !t.measured(g) {
			continue
		}
		if !h.Valid || h.Entry.Records == 0 {
			s.N = int64(s.K)
			break
		}
		if w.Rules.EventTime && w.Net.Slab.Front(&h.Entry.Runs).IsMark() { // it is taken by itself
			if s.K == 0 {
				s.K, s.N, s.Mark = 1, 1, true
				s.Gates[0] = int8(g)
				return
			}
			s.N = int64(s.K)
			break
		}
		size = max(size, w.Net.Slab.Front(&h.Entry.Runs).Size)
		s.Gates[s.K] = int8(g)
		s.K++
	}
	if len(t.Gates) > 1 && (t.ByGate != nil || t.Step.apart) && s.K > 0 {
		t.ofOneInput()
	}
	for i := int8(0); i < s.K; i++ {
		s.N = min(s.N, w.alike(t, &t.Hands[s.Gates[i]].Entry)*int64(s.K)+int64(i))
	}
	w.limit(now, t, size)
}

// alike is how many records a step can take from a buffer in hand: all up to a watermark, or those of one size if they are
// written on.
func (w *World) alike(t *Task, e *network.Entry) int64 {
	switch {
	case w.Net.Slab.Uniform():
		return e.Records
	case len(t.Outs) > 0 || t.Working != nil:
	case w.Rules.EventTime:
		return w.Net.Slab.BeforeMark(e.Runs)
	default:
		return e.Records
	}
	return w.Net.Slab.SameSize(e.Runs)
}

// limit cuts the step where an output has to be asked for something.
func (w *World) limit(now event.Time, t *Task, size int32) {
	if t.Working != nil && t.Kind != Source { // whose operator state no record touches
		w.limitByState(now, t, size)
	}
	if t.log != nil && t.Kind != Source {
		t.limitByLog()
	}
	if w.Rules.BufferTimeout == 0 && len(t.Outs) > 0 || t.asks || t.locked && !t.LockedPast { // behind the first record of a lock mails are read
		t.Step.N = 1
	}
	if t.locked && t.LockedPast { // … or behind the last one of the snapshot
		t.Step.N = min(t.Step.N, w.Logs[t.Log].Unread())
	}
	if t.Size > 0 {
		size = t.Size
	}
	for _, p := range t.Outs {
		if t.EmitNum == t.EmitDen && !t.Burst {
			t.Step.N = w.Net.Boundary(p, size, t.Step.N)
			continue
		}
		seen := t.turned()
		if out := t.emitted(seen+t.Step.N) - t.emitted(seen); out > 0 {
			t.Step.N = min(t.Step.N, t.inputsFor(w.Net.Boundary(p, size, out)))
		}
	}
}

// beginRead prepares a source's next step: what is in the log one record after another, or records as they arrive. It is false
// if no record will come.
func (w *World) beginRead(now event.Time, t *Task) bool {
	log, s := &w.Logs[t.Log], &t.Step
	s.K, s.Start, s.Paced = 0, now, false
	switch {
	case t.align.paused, t.awaits:
		s.N = 0
	case log.Unlimited():
		s.N = log.Readable(now, t.Cost)
	case log.Arrival(log.Next) == event.Never:
		s.N = 0
	case log.Arrival(log.Next) > now:
		s.Paced, s.N = true, log.Keeping(t.Cost)
	default:
		s.N = log.Behind(now, t.Cost)
	}
	if s.N > 0 {
		w.limit(now, t, t.Size)
	}
	return s.N > 0
}
