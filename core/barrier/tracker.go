package barrier

import "checkpointlab/core/event"

// maxTracked is how many checkpoints the tracker follows; the oldest falls out silently (spec 3.3).
const maxTracked = 50

// tracked is one checkpoint of which some barriers or cancellations came. An aborted one stays until all its channels
// were heard of.
type tracked struct {
	barrier Barrier // of an aborted one only the id is set
	set     int8    // which of the tracker's sets is its own
	aborted bool
	count   int
	target  int // open channels when it was first heard of
}

// tracker counts barriers for several checkpoints at once: CheckpointBarrierTracker.
type tracker struct {
	words  int
	latest event.Checkpoint // highest id that was ever tracked; -1 = none
	used   uint64           // which sets are taken
	slots  []tracked        // oldest first
	sets   []uint64         // maxTracked sets of words each
}

func newTracker(words int) tracker {
	return tracker{words: words, latest: -1, slots: make([]tracked, 0, maxTracked), sets: make([]uint64, maxTracked*words)}
}

// last is the newest tracked id, or -1.
func (t *tracker) last() event.Checkpoint {
	if len(t.slots) == 0 {
		return -1
	}
	return t.slots[len(t.slots)-1].barrier.ID
}

// find is the slot of id, or -1.
func (t *tracker) find(id event.Checkpoint) int {
	for i := range t.slots {
		if t.slots[i].barrier.ID == id {
			return i
		}
	}
	return -1
}

// track adds a checkpoint that ch was the first to tell of; it is newer than all others.
func (t *tracker) track(b Barrier, ch int32, open int, aborted bool) {
	if len(t.slots) == maxTracked {
		t.drop(1)
	}
	n := int8(0)
	for t.used&(1<<n) != 0 {
		n++
	}
	t.used |= 1 << n
	t.latest = b.ID
	t.slots = append(t.slots, tracked{barrier: b, set: n, target: open, aborted: aborted})
	own := t.set(n)
	own.clear()
	t.mark(len(t.slots)-1, ch)
}

func (t *tracker) set(n int8) set { return set(t.sets[int(n)*t.words : (int(n)+1)*t.words]) }

// mark counts ch for slot i and reports whether all channels were heard of.
func (t *tracker) mark(i int, ch int32) bool {
	s := &t.slots[i]
	if t.set(s.set).add(ch) {
		s.count++
	}
	return s.count == s.target
}

// drop forgets the n oldest.
func (t *tracker) drop(n int) {
	for i := range t.slots[:n] {
		t.used &^= 1 << t.slots[i].set
	}
	t.slots = t.slots[:copy(t.slots, t.slots[n:])]
}

// trackBarrier counts a barrier. The last one of a checkpoint takes the snapshot and drops the older ones silently.
func (h *Handler) trackBarrier(now event.Time, ch int32, b Barrier, out []Effect) []Effect {
	t := &h.tracker
	if b.ID > t.latest && h.open == 1 {
		h.measure.begin(now, b)
		h.measure.end(0)
		return h.perform(b, out)
	}
	if i := t.find(b.ID); i >= 0 {
		if t.mark(i, ch) {
			out = h.trackDone(now, i, out)
		}
		return out
	}
	if b.ID > t.latest { // an older one cannot complete any more
		h.measure.begin(now, b)
		t.track(b, ch, h.open, false)
	}
	return out
}

// trackDone removes slot i with all older ones and takes its snapshot unless it was aborted. Only the newest one's
// alignment is measured.
func (h *Handler) trackDone(now event.Time, i int, out []Effect) []Effect {
	s := h.tracker.slots[i]
	h.tracker.drop(i + 1)
	if s.aborted {
		return out
	}
	if s.barrier.ID == h.tracker.latest {
		h.measure.end(now - h.measure.start)
	}
	return h.perform(s.barrier, out)
}

// trackCancel aborts every older tracked checkpoint and id itself, each once.
func (h *Handler) trackCancel(ch int32, id event.Checkpoint, out []Effect) []Effect {
	const why = event.CheckpointDeclinedOnCancellationBarrier
	t := &h.tracker
	if id > t.latest && h.open == 1 {
		h.measure.reset()
		return h.giveUp(id, why, out)
	}
	n := 0
	for n < len(t.slots) && t.slots[n].barrier.ID < id {
		out = h.trackAbort(n, why, out)
		n++
	}
	t.drop(n)
	if len(t.slots) > 0 && t.slots[0].barrier.ID == id {
		out = h.trackAbort(0, why, out)
		if t.mark(0, ch) {
			t.drop(1)
		}
	} else if id > t.latest {
		out = h.giveUp(id, why, out)
		t.track(Barrier{ID: id}, ch, h.open, true)
	}
	return out
}

// trackAbort gives slot i up if that has not happened yet.
func (h *Handler) trackAbort(i int, why event.Reason, out []Effect) []Effect {
	s := &h.tracker.slots[i]
	if s.aborted {
		return out
	}
	s.aborted = true
	return h.giveUp(s.barrier.ID, why, out)
}

// trackEnd lets the newest checkpoint that waited only for ch complete, or aborts all, by checkpoints-after-tasks-finish.
func (h *Handler) trackEnd(now event.Time, ch int32, out []Effect) []Effect {
	t := &h.tracker
	if !h.afterTasksFinish {
		for i := range t.slots {
			out = h.trackAbort(i, event.CheckpointDeclinedInputEndOfStream, out)
		}
		t.drop(len(t.slots))
		h.measure.reset()
		return out
	}
	for i := len(t.slots) - 1; i >= 0; i-- {
		if t.mark(i, ch) {
			return h.trackDone(now, i, out)
		}
	}
	return out
}
