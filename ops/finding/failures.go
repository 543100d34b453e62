package finding

import (
	"strconv"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

func number(n int) string { return strconv.Itoa(n) }

// causes counts the failures by what they came from.
func (r *run) causes() (by map[event.Cause]int, n int) {
	by = map[event.Cause]int{}
	for i := range r.h.Failures {
		if f := &r.h.Failures[i]; !f.Rescaled {
			by[f.Cause]++
			n++
		}
	}
	return by, n - by[event.LeaderLost]
}

// restarts says where they come from.
func (r *run) restarts() {
	by, n := r.causes()
	if led := by[event.LeaderLost]; led > 0 {
		r.say("leader: so many times the JobManager lost its leadership: %d. All tasks were cancelled, and another JobManager led from then on, from the latest completed checkpoint. No restart strategy counts that", led)
	}
	if n == 0 {
		return
	}
	if own := by[event.CheckpointsFailed]; own > 0 {
		r.say("restarts: %d of %d come from checkpoints that failed: execution.checkpointing.tolerable-failed-checkpoints is %d", own, n, r.s.Options.Tolerable)
	}
	if lost := by[event.TaskKilled] + by[event.ManagerLost]; lost == n {
		r.say("restarts: none of %d follows a failed checkpoint: the cause is external (a task or its TaskManager was lost), not checkpointing", n)
	} else if lost > 0 {
		r.say("restarts: %d of %d are external (a task or its TaskManager was lost)", lost, n)
	}
	for _, c := range []struct {
		of   event.Cause
		says string
	}{
		{event.SinkFailed, r.sinkFailed()},
		{event.SavepointFailed, "restarts: %d of %d come from the savepoint with which the job was to stop: it failed when tasks had stopped with it already, so all started anew from the last checkpoint"},
		{event.StateUnfit, "restarts: %d of %d come from state that a task cannot read: it fails whenever it starts, however often"},
		{event.StateUnread, "restarts: %d of %d come from restores: the checkpoint could not be read from the storage, so that each attempt failed as the one before. Look at the storage, not at the job"},
		{event.NoSlots, "restarts: %d of %d are attempts without slots: those of the lost TaskManager were not there in time (NoResourceAvailableException)"},
		{event.OutOfMemory, r.unfit()},
		{event.RequestGivenUp, "restarts: %d of %d come from asynchronous I/O: a request was given up after its timeout and its retries"},
		{event.SyncTooLong, "restarts: %d of %d come from the synchronous part of a snapshot, which took longer than it may"},
		{event.LogUnwritten, "restarts: %d of %d come from the changelog, which could not be written"},
	} {
		if by[c.of] > 0 {
			r.say(c.says, by[c.of], n)
		}
	}
}

// sinkFailed is what a sink says whose transactions failed: the broker had aborted them, or what is outside refused the commits.
func (r *run) sinkFailed() string {
	for i := range r.h.Failures {
		f := &r.h.Failures[i]
		for k := range r.s.Script {
			a := &r.s.Script[k]
			if f.Cause != event.SinkFailed || a.Do != core.RefuseCommits || f.At < a.At || f.At > a.At+2*a.For {
				continue
			}
			return "restarts: %d of %d come from the sink: the outside system refused its commits, and after sink.committer.retries attempts the task failed. After the restart it begins with the same commit, so that nothing is lost and nothing is shown meanwhile: look at that system, not at transaction.timeout.ms or the interval"
		}
	}
	return "restarts: %d of %d come from the sink: its transaction was open for longer than transaction.timeout.ms, so the broker had aborted it, and the producer was fenced at the checkpoint. What it held is read and written again, and fails again while an interval and a checkpoint take longer than that timeout"
}

// unfit is what state that does not fit its TaskManager says.
func (r *run) unfit() string {
	if r.s.Options.Backend == option.HashMap {
		return "restarts: %d of %d come from memory: the state did not fit the TaskManager, whose process ended"
	}
	return "restarts: %d of %d come from the local disk: the state did not fit it (No space left on device), and all tasks of the TaskManager failed"
}

// restores says what going back to a completed checkpoint has cost, and what it has not.
func (r *run) restores() {
	f := r.lastRestore()
	if f == nil {
		return
	}
	lost, again := int64(0), int64(0)
	exactly := true
	for v := range r.v.Vertices {
		if r.s.Vertices[v].Kind == core.Sink {
			exactly = exactly && r.s.Vertices[v].Guarantee == core.ExactlyOnce
		}
		for i := range r.v.Vertices[v].Tasks {
			lost += r.v.Vertices[v].Tasks[i].Output.Lost
			again += r.v.Vertices[v].Tasks[i].Output.Duplicates
		}
	}
	back := event.Time(-1)
	for i := range r.h.Checkpoints {
		if c := &r.h.Checkpoints[i]; c.ID == f.RestoredTo {
			back = r.broke(f) - c.Triggered
		}
	}
	from := "completed checkpoint " + strconv.FormatInt(f.RestoredTo, 10)
	switch {
	case f.RestoredTo == 0 && lost == 0:
		r.say("restore: from the start, for no checkpoint had completed: %d records were read again, all that had been read. None is lost by checkpointing", f.Reread)
	case lost > 0:
		r.say("loss: %d records are lost: their transactions were open for longer than the broker's timeout while the job was down. A checkpoint cannot bring them back; "+
			"transaction.timeout.ms has to be above the longest downtime, the interval and the checkpoint's duration together", lost)
	case !exactly || again > 0:
		r.say("restore: from %s; %d records were read again, none is lost by checkpointing, and %d are shown twice by sinks that are not exactly-once", from, f.Reread, again)
	case back >= 0:
		r.say("restore: from %s, whose barrier was taken %s before the failure; %d records were read again. No record is lost by checkpointing: what was in progress is read again; "+
			"a loss has to be looked for in the source or in the sink's commit", from, span(back), f.Reread)
	}
}

// broke is when the outage began that a failure belongs to: attempts to start that failed go on with it.
func (r *run) broke(f *core.FailureRecord) event.Time {
	since := f.At
	for i := len(r.h.Failures) - 1; i >= 0; i-- {
		switch g := &r.h.Failures[i]; {
		case g.At > f.At || g == f:
		case g.RunningAt >= 0:
			return since
		default:
			since = g.At
		}
	}
	return since
}

func (r *run) lastRestore() *core.FailureRecord {
	for i := len(r.h.Failures) - 1; i >= 0; i-- {
		if f := &r.h.Failures[i]; !f.Rescaled && f.RunningAt > f.At {
			return f
		}
	}
	return nil
}

// oldFailures: the counter of failed checkpoints counts from the start.
func (r *run) oldFailures() {
	if last, failed := r.before(), r.v.Coord.FailedTotal; last != nil && r.failedElse() {
		r.say("healthy now: the last %d checkpoints did not fail; the failures that the counter shows (%d) are old, the last one (%s) %s before the end, for it counts from the job's start", history, failed, last.Reason, span(r.v.At-last.Ended))
	}
}

// noFault: all that failed were triggers that found a task which was not running yet.
func (r *run) noFault() {
	if last, failed := r.before(), r.v.Coord.FailedTotal; last != nil && !r.failedElse() {
		r.say("healthy now: the last %d checkpoints did not fail; those that the counter shows (%d) came while a task was not running yet, at the start or after a restart (%s), which is no fault", history, failed, last.Reason)
	}
}

// before is the last checkpoint that failed, if the last ones did not; nil if none has.
func (r *run) before() (last *core.CheckpointRecord) {
	list := r.periodic(history)
	if len(list) < history || r.v.Coord.FailedTotal == 0 {
		return nil
	}
	for _, c := range list {
		if c.Outcome == core.FailedCheckpoint {
			return nil
		}
	}
	for i := range r.h.Checkpoints {
		if c := &r.h.Checkpoints[i]; c.Outcome == core.FailedCheckpoint {
			last = c
		}
	}
	return last // nil: it failed before it had begun
}

// failedElse reports whether a checkpoint failed for more than that its tasks did not run yet.
func (r *run) failedElse() bool {
	for i := range r.h.Checkpoints {
		if c := &r.h.Checkpoints[i]; c.Outcome == core.FailedCheckpoint && c.Reason != event.NotAllRequiredTasksRunning {
			return true
		}
	}
	return false
}

// refused: a new version of the job that could not start.
func (r *run) refused() {
	for i := range r.h.Refusals {
		r.say("refused: the job could not start from checkpoint %d. %s", r.h.Refusals[i].Checkpoint, r.h.Refusals[i].Words)
	}
}
