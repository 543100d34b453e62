package barrier

import "checkpointlab/core/event"

// EffectKind says what the caller has to do.
type EffectKind uint8

// The effects. ID is always set.
const (
	// Block: Channel stays blocked from its barrier on; its sender has stopped by itself.
	Block EffectKind = iota
	// Resume: send ResumeConsumption to the sender of Channel. It follows a Block, or answers an ignored barrier.
	Resume
	// Start: channel state of ID begins. If Barrier is Unaligned the unread rests of the buffers in hand are stored now;
	// if it is TimeoutableAligned only output may be stored later, at the output's own timeout.
	Start
	// Snapshot: pass Barrier on, then take the snapshot (spec 3.6). StartDelay, Alignment, Bytes and Unaligned are set.
	Snapshot
	// PassCancel: the coordinator gave ID up before the task came to it: pass a cancellation marker on instead of a
	// snapshot and drop what was stored for ID (spec 3.6 step 0).
	PassCancel
	// AlignmentEnded: the last barrier of the unaligned ID came; its asynchronous part may end. Alignment and Bytes are set.
	AlignmentEnded
	// Abort: decline ID for Reason at the coordinator, pass a cancellation marker on, drop what was stored for ID.
	Abort
	// RegisterTimer: call OnTimer for ID at At, between records. A timer that came too late is ignored by the Handler.
	RegisterTimer
	// MakePriority: the announced barrier in Channel moves to the front; it is not converted.
	MakePriority
	// StoreInput: input state of ID takes the data queued in Channel ahead of the barrier (all of it if the barrier has not
	// arrived) and the data that arrives before the barrier does (truth/mechanisms 9).
	StoreInput
	// StopStoring: no more of Channel is stored for ID.
	StopStoring
)

var effectNames = [...]string{"Block", "Resume", "Start", "Snapshot", "PassCancel", "AlignmentEnded", "Abort",
	"RegisterTimer", "MakePriority", "StoreInput", "StopStoring"}

// String is the kind's name.
func (k EffectKind) String() string { return effectNames[k] }

// Effect is one thing to do. Fields that a kind does not name are zero; Channel is -1 where no channel is meant.
type Effect struct {
	Kind       EffectKind
	Unaligned  bool // Snapshot: Barrier is unaligned, output in flight is state, too
	Reason     event.Reason
	Channel    int32
	ID         event.Checkpoint
	At         event.Time
	Barrier    Barrier
	StartDelay event.Time // ns from the barrier's creation to the first barrier at this task
	Alignment  event.Time // ns from first to last barrier; -1 = it goes on and AlignmentEnded follows
	Bytes      int64      // processed during the alignment; -1 = it goes on
}

// emit appends an effect that needs a kind, an id and a channel only.
func emit(out []Effect, k EffectKind, id event.Checkpoint, ch int32) []Effect {
	return append(out, Effect{Kind: k, ID: id, Channel: ch})
}
