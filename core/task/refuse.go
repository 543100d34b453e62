package task

import (
	"checkpointlab/core/event"
	"checkpointlab/core/sim"
	"checkpointlab/core/sink"
)

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

// refused is how long a sink tries in vain to commit up to a checkpoint; false: until its last attempt. In 1.18 it tries once, and what
// is refused is left: up to which checkpoint, 0 = nothing.
func (w *World) refused(now event.Time, t *Task, upTo event.Checkpoint) (span event.Time, left event.Checkpoint, ok bool) {
	x := &t.refuses
	if x.till <= now {
		return 0, 0, true
	}
	writer, upTo := &w.Writers[t.Writer], w.commitsUpTo(t, upTo)
	if w.commitsLater() {
		span, left = writer.RefusedOnce(now, upTo, x.till, x.each)
		return span, left, true
	}
	span, ok = writer.Refused(now, upTo, x.till, x.each)
	return span, 0, ok
}

// commitsLater reports whether refused commits are tried again by a timer, as 1.18 does it (sink.CommitterConfig.Later).
func (w *World) commitsLater() bool { return w.Rules.Options.Version == "1.18" }

// retryLater lets a committer of 1.18 call again while it has collected something, also for a checkpoint that is not complete. Each call
// that leaves something begins a timer of its own (CommitterOperator.commitAndEmitCheckpoints); behind the end of the input none fires
// (StreamOperatorWrapper.quiesceTimeServiceAndFinishOperator).
func (w *World) retryLater(now event.Time, t *Task) {
	writer := &w.Writers[t.Writer]
	if w.commitsLater() && t.Alive && writer.Transactional && writer.Unfinished() && !writer.Ended() {
		w.Queue.Push(sim.Item{At: now + sink.RetryDelay, Kind: event.DueMail, A: t.ID, B: event.MailRetry, Gen: t.Gen})
	}
}

// retry is the timer of retryLater; true: the call holds the thread.
func (w *World) retry(now event.Time, t *Task) bool {
	writer := &w.Writers[t.Writer]
	if writer.Ended() {
		return false
	}
	id := writer.Completed()
	if oldest := writer.Oldest(); oldest == 0 || oldest > id {
		w.retryLater(now, t)
		return false
	}
	span, left, _ := w.refused(now, t, id)
	t.holds.call, t.holds.again, t.holds.left = id, true, left
	return w.callFor(now, t, span)
}

// commitOwed lets a sink begin with the commits of the checkpoint that it goes on from and that were refused so far; if they are
// again, it fails before it has read anything (CommitterOperator.initializeState). It counts as running meanwhile.
func (w *World) commitOwed(now event.Time, t *Task) {
	id := t.owes
	if t.owes = 0; id == 0 {
		return
	}
	span, left, ok := w.refused(now, t, id)
	if !ok {
		span = max(span, LeastAttempt)
	}
	t.holds.call, t.holds.owes, t.holds.left, t.holds.fails = id, true, left, !ok
	w.callFor(now, t, span)
}
