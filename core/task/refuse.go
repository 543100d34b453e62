package task

import "checkpointlab/core/event"

// LeastAttempt is the shortest time that an attempt to start takes. Flink's clock counts milliseconds; a failure within the
// millisecond in which the back-off ended would be merged into the one before it, with no back-off left, forever.
const LeastAttempt = event.Millisecond

// refusal is an outside system that refuses commits; it outlives the task.
type refusal struct {
	till event.Time
	each event.Time // what an attempt takes
}

// RefuseCommits lets the outside system of a sink refuse commits for a while; each attempt takes a time.
func (w *World) RefuseCommits(now event.Time, id event.Task, span, each event.Time) {
	w.Tasks[id].refuses = refusal{now + span, each}
}

// refused is how long a sink tries in vain to commit up to a checkpoint; false: until its last attempt.
func (w *World) refused(now event.Time, t *Task, upTo event.Checkpoint) (event.Time, bool) {
	if t.refuses.till <= now {
		return 0, true
	}
	return w.Writers[t.Writer].Refused(now, w.commitsUpTo(t, upTo), t.refuses.till, t.refuses.each)
}

// commitOwed lets a sink begin with the commits of the checkpoint that it goes on from and that were refused so far; if they are
// again, it fails before it has read anything (CommitterOperator.initializeState). It counts as running meanwhile.
func (w *World) commitOwed(now event.Time, t *Task) {
	id := t.owes
	if t.owes = 0; id == 0 {
		return
	}
	span, ok := w.refused(now, t, id)
	if !ok {
		span = max(span, LeastAttempt)
	}
	t.holds.call, t.holds.owes, t.holds.fails = id, true, !ok
	if span > 0 {
		w.hang(now, t, span)
		return
	}
	t.holds.on = true
	w.released(now, t)
}
