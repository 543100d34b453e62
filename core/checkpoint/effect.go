package checkpoint

import "checkpointlab/core/event"

// EffectKind says what the caller has to do.
type EffectKind uint8

// The kinds of effects, with the fields that they use besides Kind.
const (
	// ArmTick: call Tick(At, Seq) at At. At most one tick is armed; an older one is ignored by its Seq.
	ArmTick EffectKind = iota
	// ArmExpiry: call Expire(At, ID) at At; it does nothing if ID has ended by then.
	ArmExpiry
	// Plan: answer with Planned whether all required tasks run. Request, Snapshot, At (the checkpoint's timestamp).
	Plan
	// Begin: ID is pending now; snapshot the operator coordinators and answer with Triggered. Request, Snapshot, Format, At.
	Begin
	// Trigger: ask the sources by RPC for ID with the timestamp At. Request, Snapshot, Format: Full also where ForcesFull asks for it.
	Trigger
	// Finalize: every task has acknowledged ID; write its metadata and call Finalized (only with SlowFinalize).
	Finalize
	// Completed: ID is complete, Duration after its timestamp. Request, Snapshot.
	Completed
	// Subsumed: ID left the store.
	Subsumed
	// Deleted: ID left the store as the job ended; delete what is its alone, and shared files that no other one uses.
	Deleted
	// NotifyComplete: tell all tasks that ID is complete; Other is the checkpoint that it pushed out of the store or 0.
	NotifyComplete
	// Discard: the state that Task acknowledged for ID is not needed.
	Discard
	// RegionLost: ID goes without the region of Task, for Reason; tell its tasks that it is aborted, and discard what they stored.
	RegionLost
	// Merge: ID is to be complete with the part that Other has of the region of Task.
	Merge
	// Failed: the checkpoint ID failed for Reason; ID 0 failed before it had an id. Request, Snapshot.
	Failed
	// NotifyAborted: tell all tasks that ID is given up for Reason; Other is the latest completed checkpoint or 0.
	NotifyAborted
	// Dropped: the Request left the queue without a start, for Reason. Snapshot.
	Dropped
	// FailJob: more failures than tolerable, the last for Reason; the job has to restart, so the caller calls LeaveRunning. It is
	// the last effect of its call, and no checkpoint starts until the next Stop or Start.
	FailJob
)

var effectNames = [...]string{"arm tick", "arm expiry", "plan", "begin", "trigger", "finalize", "completed", "subsumed", "deleted",
	"notify complete", "discard", "region lost", "merge", "failed", "notify aborted", "dropped", "fail job"}

// String is the kind in words.
func (k EffectKind) String() string { return effectNames[k] }

// Effect is one thing to do. Unused fields are 0.
type Effect struct {
	Kind     EffectKind
	Reason   event.Reason
	Snapshot Snapshot
	Format   Format
	Task     event.Task
	ID       event.Checkpoint
	Other    event.Checkpoint
	Request  int64
	Seq      int64
	At       event.Time
	Duration event.Time // ns
}
