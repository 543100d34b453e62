// Package barrier decides what one task does with checkpoint barriers: when it blocks channels, when it takes its
// snapshot, what it stores of the data in flight, when it gives a checkpoint up.
//
// A Handler is a pure state machine. The task hands it what it takes from its channels (OnBarrier, OnAnnouncement,
// OnCancel, OnEndOfPartition), the bytes it processes (OnBytes), due timers (OnTimer) and the coordinator's word
// (OnTrigger, OnAborted), each with the present instant. The Handler appends Effects to the caller's buffer, and the
// caller carries them out in order. All inputs of a task share one Handler; channels are numbered 0..n-1 over all gates
// (spec 3.1).
//
// Four kinds: AlignedKind blocks each channel from its barrier on until all barriers came; TrackerKind counts and never
// blocks (at least once); UnalignedKind takes the snapshot at the first barrier and stores the data in flight;
// AlternatingKind begins aligned and turns unaligned when the alignment takes longer than the barrier's timeout.
//
// The rules are those of Flink's SingleCheckpointBarrierHandler with its states and of CheckpointBarrierTracker (spec
// 3.2–3.5, 3.7), and of the first step of SubtaskCheckpointCoordinatorImpl#checkpointState (spec 3.6).
package barrier

import (
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// Alignment is how a barrier wants to be treated, Flink's CheckpointOptions.AlignmentType with the timeout told apart.
type Alignment uint8

// The alignments.
const (
	Aligned            Alignment = iota // channels wait for each other; savepoints always
	TimeoutableAligned                  // aligned until Barrier.Timeout after the barrier's creation, then unaligned
	Unaligned                           // a priority event that overtakes data
	ForcedAligned                       // would overtake, but came over an exchange that cannot carry it (spec 3.7)
	AtLeastOnce                         // no alignment: the sender goes on sending
)

// Barrier is one checkpoint barrier as it stands in a channel.
type Barrier struct {
	ID        event.Checkpoint // 0 or more, rising
	Timestamp event.Time       // when the coordinator created the checkpoint
	Alignment Alignment
	Timeout   event.Time // ns from Timestamp on; 0 = none. ForcedAligned keeps it to turn back
	Savepoint bool
	Stop      bool // the job stops with this savepoint
}

// Make is the barrier that a checkpoint of this configuration starts with (spec 3.1, 3.5, 3.7; CheckpointOptions#forConfig).
func Make(c *option.Config, id event.Checkpoint, created event.Time, savepoint bool) Barrier {
	b := Barrier{ID: id, Timestamp: created, Savepoint: savepoint}
	switch {
	case c.Mode == option.AtLeastOnce:
		b.Alignment = AtLeastOnce
	case savepoint || !c.Unaligned:
		b.Alignment = Aligned
	case c.AlignedTimeout == 0:
		b.Alignment = Unaligned
	default:
		b.Alignment, b.Timeout = TimeoutableAligned, c.AlignedTimeout
	}
	return b
}

// Timeoutable says whether the barrier may turn unaligned; only such a barrier is announced on a remote channel (spec 3.5).
func (b Barrier) Timeoutable() bool { return b.Alignment == TimeoutableAligned && b.Timeout > 0 }

// BlocksSender says whether the subpartition that hands the barrier out waits for ResumeConsumption (spec 3.2).
func (b Barrier) BlocksSender() bool { return b.Alignment != Unaligned && b.Alignment != AtLeastOnce }

// AsUnaligned is the barrier after the switch: it has no timeout any more.
func (b Barrier) AsUnaligned() Barrier {
	b.Alignment, b.Timeout = Unaligned, 0
	return b
}

// UnalignedUnsupported is the barrier as it is written to an exchange that cannot carry unaligned ones (spec 3.7,
// CheckpointOptions#withUnalignedUnsupported).
func (b Barrier) UnalignedUnsupported() Barrier {
	if b.Alignment == Unaligned || b.Timeoutable() {
		b.Alignment = ForcedAligned
	}
	return b
}

// UnalignedSupported turns a forced-aligned barrier back to what it was (CheckpointOptions#withUnalignedSupported).
func (b Barrier) UnalignedSupported() Barrier {
	if b.Alignment != ForcedAligned {
		return b
	}
	if b.Timeout > 0 {
		b.Alignment = TimeoutableAligned
	} else {
		b.Alignment = Unaligned
	}
	return b
}

// Deadline is when the alignment times out, not before now. Flink takes the time that has passed from clocks of whole milliseconds
// (BarrierAlignmentUtil#getTimerDelay).
func (b Barrier) Deadline(now event.Time) event.Time { return now + max(b.Timeout-b.passed(now), 0) }

// timedOut is the passive check: later than the deadline, not at it (SingleCheckpointBarrierHandler's isTimedOut).
func (b Barrier) timedOut(now event.Time) bool { return b.Timeoutable() && b.Timeout < b.passed(now) }

// passed is the time since the checkpoint was triggered, in whole milliseconds of the clock.
func (b Barrier) passed(now event.Time) event.Time {
	return (now/event.Millisecond - b.Timestamp/event.Millisecond) * event.Millisecond
}
