package barrier

import (
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// Kind is which handler a task has.
type Kind uint8

// The kinds (spec 3.1).
const (
	AlignedKind     Kind = iota // exactly once, unaligned off
	TrackerKind                 // at least once
	UnalignedKind               // always unaligned; Flink has it in tests only, alternating with timeout 0 does the same
	AlternatingKind             // exactly once, unaligned on
)

// KindOf is the kind that a configuration asks for (spec 3.1; InputProcessorUtil#createCheckpointBarrierHandler).
func KindOf(c *option.Config) Kind {
	switch {
	case c.Mode == option.AtLeastOnce:
		return TrackerKind
	case c.Unaligned:
		return AlternatingKind
	default:
		return AlignedKind
	}
}

// phase is where a single-checkpoint handler stands, one for each state class of Flink.
type phase uint8

const (
	waiting             phase = iota // WaitingForFirstBarrier, AlternatingWaitingForFirstBarrier
	collecting                       // CollectingBarriers, AlternatingCollectingBarriers
	waitingUnaligned                 // AlternatingWaitingForFirstBarrierUnaligned
	collectingUnaligned              // AlternatingCollectingBarriersUnaligned
)

// Handler is the barrier handler of one task. Make it with New or None, copy it with CopyFrom only. What every buffer looks
// at stands in it, the rest elsewhere.
type Handler struct {
	kind             Kind
	phase            phase
	afterTasksFinish bool
	open             int // channels of all gates without those that ended
	measure          alignment
	*progress
}

// progress is where a handler stands with its checkpoints.
type progress struct {
	channels int // of all gates

	// The one checkpoint of the kinds that handle one at a time.
	current event.Checkpoint // -1 = none yet
	ended   event.Checkpoint // last cancelled or completed; -1 = none
	pending Barrier          // the one that began current
	count   int              // channels in aligned
	target  int              // open channels when current began
	timer   bool             // the timer of current may still act
	owed    bool             // AlignmentEnded has to follow
	// The coordinator's request is being taken as a barrier.
	requested bool

	aligned   set // their barrier was processed, or they ended meanwhile
	blocked   set
	announced set // announcement processed, barrier not yet
	storing   set
	closed    set

	tracker tracker
	gate    gate
}

// None is the handler of a task that does not run.
func None() Handler { return Handler{progress: new(progress)} }

// New makes the handler of a task with that many channels over all its gates; a source has 0 and uses OnTrigger.
// afterTasksFinish is execution.checkpointing.checkpoints-after-tasks-finish.enabled.
func New(kind Kind, channels int, afterTasksFinish bool) Handler {
	if channels < 0 {
		panic("barrier: a negative number of channels")
	}
	h := Handler{kind: kind, afterTasksFinish: afterTasksFinish, open: channels,
		progress: &progress{channels: channels, current: -1, ended: -1, gate: gate{performed: -1, latestAborted: -1}}}
	h.measure.id = -1
	h.phase = h.first()
	w := words(channels)
	all := make(set, 5*w) // of them and of closed: a wide job makes many
	h.closed = all[4*w:]
	if kind == TrackerKind {
		h.tracker = newTracker(w)
		return h
	}
	h.aligned, h.blocked, h.announced, h.storing = all[:w:w], all[w:2*w:2*w], all[2*w:3*w:3*w], all[3*w:4*w:4*w]
	return h
}

// CopyFrom makes h a deep copy of o and reuses h's memory.
func (h *Handler) CopyFrom(o *Handler) {
	old, at := *h.progress, h.progress
	*at = *o.progress
	*h = *o
	h.progress = at
	h.aligned = append(old.aligned[:0], o.aligned...)
	h.blocked = append(old.blocked[:0], o.blocked...)
	h.announced = append(old.announced[:0], o.announced...)
	h.storing = append(old.storing[:0], o.storing...)
	h.closed = append(old.closed[:0], o.closed...)
	h.tracker.slots = append(old.tracker.slots[:0], o.tracker.slots...)
	h.tracker.sets = append(old.tracker.sets[:0], o.tracker.sets...)
	h.gate.aborted = append(old.gate.aborted[:0], o.gate.aborted...)
}

// OnBarrier is a barrier taken from channel ch.
func (h *Handler) OnBarrier(now event.Time, ch int32, b Barrier, out []Effect) []Effect {
	if h.kind == TrackerKind {
		return h.trackBarrier(now, ch, b, out)
	}
	return h.barrier(now, ch, b, out)
}

// OnAnnouncement is the announcement of the barrier that waits in channel ch behind data (spec 3.5). The tracker ignores it.
func (h *Handler) OnAnnouncement(now event.Time, ch int32, b Barrier, out []Effect) []Effect {
	if h.kind == TrackerKind {
		return out
	}
	return h.announcement(now, ch, b, out)
}

// OnCancel is a cancellation marker of checkpoint id taken from channel ch.
func (h *Handler) OnCancel(now event.Time, ch int32, id event.Checkpoint, out []Effect) []Effect {
	if h.kind == TrackerKind {
		return h.trackCancel(ch, id, out)
	}
	return h.cancel(id, out)
}

// OnEndOfPartition is the end of channel ch. It panics if the channel ended before.
func (h *Handler) OnEndOfPartition(now event.Time, ch int32, out []Effect) []Effect {
	if !h.closed.add(ch) {
		panic("barrier: a channel ended twice")
	}
	h.open--
	if h.kind == TrackerKind {
		return h.trackEnd(now, ch, out)
	}
	return h.endOfPartition(now, ch, out)
}

// OnTimer is the due timer of a RegisterTimer effect. What it does does not depend on how late it is.
func (h *Handler) OnTimer(_ event.Time, id event.Checkpoint, out []Effect) []Effect {
	if !h.timer || id != h.current {
		return out
	}
	return h.timeOut(h.pending, -1, out)
}

// OnTrigger is the coordinator's request. A source performs the checkpoint at once; a task whose producers have all
// finished takes it as the barrier of each channel that has not ended (spec 2.3, 3.6;
// StreamTask#triggerUnfinishedChannelsCheckpoint).
func (h *Handler) OnTrigger(now event.Time, b Barrier, out []Effect) []Effect {
	if h.open == 0 {
		h.current, h.ended = max(h.current, b.ID), max(h.ended, b.ID)
		h.measure.begin(now, b)
		h.measure.end(0)
		return h.perform(b, h.init(b, out))
	}
	h.requested = true
	for ch := range int32(h.channels) {
		if !h.closed.has(ch) {
			out = h.OnBarrier(now, ch, b, out)
		}
	}
	h.requested = false
	return out
}

// OnAborted is the coordinator's notification that checkpoint id was aborted. An id that the task has not yet performed is
// remembered: its alignment goes on, but ends in PassCancel (spec 2.5, 3.6).
func (h *Handler) OnAborted(id event.Checkpoint) { h.gate.abort(id) }

// OnBytes counts bytes of data processed; those outside an alignment are not counted.
func (h *Handler) OnBytes(bytes int64) {
	if h.measure.active {
		h.measure.bytes += bytes
	}
}

// Latest is the id that the handler knows as the latest: pending, completed or aborted; -1 = none. The tracker's is the
// newest tracked one.
func (h *Handler) Latest() event.Checkpoint {
	if h.kind == TrackerKind {
		return h.tracker.last()
	}
	return h.current
}

// Pending says whether barriers of a checkpoint are still awaited.
func (h *Handler) Pending() bool {
	if h.kind == TrackerKind {
		return len(h.tracker.slots) > 0
	}
	return h.current != h.ended && h.current >= 0
}

// Blocked says whether channel ch waits for the end of an alignment.
func (h *Handler) Blocked(ch int32) bool { return h.kind != TrackerKind && h.blocked.has(ch) }

// Aligned is how many channels' barriers of the pending checkpoint came, of how many; 0, 0 when none is pending. The
// tracker answers for the newest.
func (h *Handler) Aligned() (have, of int) {
	if !h.Pending() {
		return 0, 0
	}
	if h.kind == TrackerKind {
		t := &h.tracker.slots[len(h.tracker.slots)-1]
		return t.count, t.target
	}
	return h.count, h.target
}

// Aligning says whether an alignment is being measured: the first barrier came and the last did not.
func (h *Handler) Aligning() bool { return h.measure.active }

// AlignmentDuration is the running alignment's time so far, else the last one's, in ns (checkpointAlignmentTime).
func (h *Handler) AlignmentDuration(now event.Time) event.Time { return h.measure.at(now) }

// StartDelay is the time from the last measured checkpoint's creation to its first barrier here, in ns
// (checkpointStartDelayNanos).
func (h *Handler) StartDelay() event.Time { return h.measure.startDelay }

// Open is the number of channels that have not ended.
func (h *Handler) Open() int { return h.open }

// AppendPending appends the ids of the checkpoints that are awaited or, in the tracker, still tracked, oldest first.
func (h *Handler) AppendPending(ids []event.Checkpoint) []event.Checkpoint {
	if h.kind != TrackerKind {
		if h.Pending() {
			ids = append(ids, h.current)
		}
		return ids
	}
	for i := range h.tracker.slots {
		ids = append(ids, h.tracker.slots[i].barrier.ID)
	}
	return ids
}
