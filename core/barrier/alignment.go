package barrier

import "checkpointlab/core/event"

// alignment measures the latest alignment of a task, by the rules of Flink's CheckpointBarrierHandler.
type alignment struct {
	active     bool             // between first and last barrier
	done       bool             // duration and total are known
	bytes      int64            // so far
	total      int64            // of the finished one
	id         event.Checkpoint // measured last; -1 = none
	start      event.Time
	startDelay event.Time
	duration   event.Time
}

// begin is the first barrier of a checkpoint.
func (a *alignment) begin(now event.Time, b Barrier) {
	*a = alignment{id: b.ID, active: true, start: now, startDelay: max(0, now-b.Timestamp)}
}

// end is the last barrier.
func (a *alignment) end(duration event.Time) {
	a.duration, a.total, a.done = duration, a.bytes, true
	a.active, a.bytes = false, 0
}

// reset forgets the measurement; the start delay stays, as in Flink.
func (a *alignment) reset() {
	a.active, a.done = false, false
	a.duration, a.bytes, a.total = 0, 0, 0
}

// at is the duration of the running alignment so far, else of the last one; 0 after an abort.
func (a *alignment) at(now event.Time) event.Time {
	if a.active {
		return now - a.start
	}
	return a.duration
}

// fill puts the measurement into an effect; -1 says that it goes on. Another checkpoint's effect gets zeros, which is what
// Flink reports for a tracker's older checkpoint.
func (a *alignment) fill(e *Effect) {
	if e.ID != a.id {
		return
	}
	e.StartDelay, e.Alignment, e.Bytes = a.startDelay, -1, -1
	if a.done {
		e.Alignment, e.Bytes = a.duration, a.total
	}
}
