package finding

import (
	"slices"
	"strconv"

	"checkpointlab/core"
	"checkpointlab/core/event"
)

func number(n int) string { return strconv.Itoa(n) }

// byCheckpoint tells whether a checkpoint that failed is what failed the job: too many failures in a row.
func (r *run) byCheckpoint(f *core.FailureRecord) bool {
	for i := range r.h.Checkpoints {
		c := &r.h.Checkpoints[i]
		if c.Outcome != core.FailedCheckpoint || c.Ended != f.At {
			continue
		}
		switch c.Reason {
		case event.CheckpointCoordinatorSuspend, event.CheckpointCoordinatorShutdown, event.JobFailoverRegion, event.TaskFailure:
		default:
			return true
		}
	}
	return false
}

// byLeader tells whether the JobManager lost its leadership then.
func (r *run) byLeader(f *core.FailureRecord) bool {
	return slices.ContainsFunc(r.s.Script, func(a core.Action) bool { return a.Do == core.Elect && a.At == f.At })
}

// restarts says where they come from.
func (r *run) restarts() {
	n, own, led := 0, 0, 0
	for i := range r.h.Failures {
		f := &r.h.Failures[i]
		if f.Rescaled {
			continue
		}
		if r.byLeader(f) {
			led++
			continue
		}
		n++
		if r.byCheckpoint(f) {
			own++
		}
	}
	if led > 0 {
		r.say("leader: so many times the JobManager lost its leadership: %d. All tasks were cancelled, and another JobManager led from then on, from the latest completed checkpoint. No restart strategy counts that", led)
	}
	switch {
	case n == 0:
	case own == 0:
		r.say("restarts: none of the %d restarts follows a failed checkpoint: the cause is external (a task or its TaskManager was lost), not checkpointing", n)
	default:
		r.say("restarts: %d of the %d restarts come from checkpoints that failed: execution.checkpointing.tolerable-failed-checkpoints is %d", own, n, r.s.Options.Tolerable)
	}
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
			back = f.At - c.Triggered
		}
	}
	from := "the start"
	if f.RestoredTo > 0 {
		from = "completed checkpoint " + strconv.FormatInt(f.RestoredTo, 10)
	}
	switch {
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
	list, failed := r.periodic(history), r.v.Coord.FailedTotal
	if len(list) < history || failed == 0 {
		return
	}
	last := event.Time(0)
	for _, c := range list {
		if c.Outcome == core.FailedCheckpoint {
			return
		}
	}
	for i := range r.h.Checkpoints {
		if c := &r.h.Checkpoints[i]; c.Outcome == core.FailedCheckpoint {
			last = c.Ended
		}
	}
	r.say("healthy now: the last %d checkpoints did not fail; the %d failures that the counter shows are old (the last one %s before the end), for it counts from the job's start", history, failed, span(r.v.At-last))
}
