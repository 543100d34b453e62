// Package checkpoint is the checkpoint coordinator as a pure state machine (spec 2).
//
// It has no clock and sends nothing: each input carries the instant, and what is to be done is appended to the caller's
// slice of effects. The caller handles the effects in their order; one that calls back (Plan, Begin) may be answered at
// once or later, but is answered exactly once.
//
// Read in this order:
//
//   - Request, Decider: one queue of requests; which of them may start, which waits, which is dropped (2.2).
//   - FailureManager: which failures count against the tolerable ones (2.6).
//   - Coordinator: the periodic timer (2.1), the trigger phase (2.3), acknowledgements and completion (2.4), aborts and
//     expiry (2.5), the store of retained checkpoints.
//
// One checkpoint, with control times of zero:
//
//	Tick      → ArmTick (the next firing), Plan
//	Planned   → Begin (it has an id and is pending), ArmExpiry
//	Triggered → Trigger (ask the sources by RPC)
//	Ack …     → Completed, Subsumed (left the store), NotifyComplete, perhaps the next Plan
//
// The plan is answered on its own because a plan that fails takes no id: in the recorded runs the first trigger after a
// start often fails, it counts in total and failed, and yet the ids have no gap.
//
// States of checkpoints are the caller's; Discard and Subsumed say when they are no longer needed.
package checkpoint
