package finding

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// someFailures in a row without a completed checkpoint are no accident.
const someFailures = 3

// standstill: failures come faster than checkpoints complete, so that all is read again and again.
func (r *run) standstill() {
	o := &r.s.Options
	n, to, first, last := 0, event.Checkpoint(0), event.Time(0), event.Time(0)
	for i := range r.h.Failures {
		f := &r.h.Failures[i]
		if f.Rescaled || f.Cause == event.CheckpointsFailed {
			continue
		}
		if n++; n == 1 || f.RestoredTo != to {
			n, to, first = 1, f.RestoredTo, f.At
		}
		last = f.At
	}
	if latest := r.v.Coord.LastCompleted; n < someFailures || latest > to || o.Interval == 0 {
		return
	}
	between := (last - first) / event.Time(n-1)
	switch {
	case between >= o.Interval:
	case to == 0:
		r.say("standstill: a failure comes every %s, and the first checkpoint only after execution.checkpointing.interval (%s): none has completed, and each restart reads all from the start again. A shorter interval saves what is done between two failures",
			span(between), option.FormatDuration(o.Interval))
	default:
		r.say("standstill: a failure comes every %s, and the next checkpoint only after execution.checkpointing.interval (%s): the last %d restarts went back to checkpoint %d, and each read all since then again. A shorter interval saves what is done between two failures",
			span(between), option.FormatDuration(o.Interval), n, to)
	}
}

// uncovered: no checkpoint starts while a source works off its backlog, and a failure went back to before it.
func (r *run) uncovered() {
	if f := r.lastRestore(); f != nil && r.s.Options.IntervalDuringBacklog == 0 && r.s.Options.Interval > 0 && r.history() && r.atStart(f) {
		r.say("backlog: behind its first trigger no checkpoint starts while a source works off its backlog (execution.checkpointing.interval-during-backlog is 0): the failure went back to the start, %d records. A long interval in its place keeps some of that work", f.Reread)
	}
}

// atStart reports whether a failure goes back to the start, or to what the scheduler's first trigger made of it, which comes in a backlog,
// too (CheckpointCoordinator.ScheduledTrigger), and that is long ago.
func (r *run) atStart(f *core.FailureRecord) bool {
	for i := range r.h.Checkpoints {
		if c := &r.h.Checkpoints[i]; c.ID == f.RestoredTo && c.ID != 0 {
			within := r.s.Control.LogLead + r.s.Options.Interval
			return c.Triggered <= within && f.At > within+r.s.Options.Interval
		}
	}
	return f.RestoredTo == 0
}

// history reports whether a source begins with a backlog.
func (r *run) history() bool {
	for v := range r.s.Vertices {
		if r.s.Vertices[v].History > 0 {
			return true
		}
	}
	return false
}

// lingering: a job that has failed for good leaves transactions open, which block readers until the broker aborts them.
func (r *run) lingering() {
	if !r.v.Coord.JobFailed {
		return
	}
	for v := range r.v.Vertices {
		records := int64(0)
		for i := range r.v.Vertices[v].Tasks {
			for _, t := range r.v.Vertices[v].Tasks[i].Output.Transactions {
				records += t.Records
			}
		}
		if s := &r.s.Vertices[v]; s.Kind == core.Sink && s.Guarantee == core.ExactlyOnce && records > 0 {
			r.say("lingering: the transactions that %s had open hold %d records. Until the broker aborts them, %s after each began, a read_committed reader sees nothing that stands behind them in the same partitions, whoever wrote it; what was pre-committed and is not committed by a new start until then is lost",
				s.Name, records, span(s.OpenAtMost()))
			return
		}
	}
}

// deleting: checkpoints start later than they are due, for so many of those before are still being deleted
// (CheckpointRequestDecider.chooseRequestToExecute).
func (r *run) deleting() {
	o, list := &r.s.Options, r.completed(history)
	if o.Interval == 0 {
		return
	}
	waited, n, deletes := event.Time(0), event.Time(0), int64(0)
	for i := range max(0, len(list)-1) {
		due := max(list[i+1].Triggered+o.Interval, list[i+1].Ended+o.MinPause)
		if c := r.cleanedAt(list[i].Triggered); c != nil && list[i].Triggered > due {
			waited, n, deletes = waited+list[i].Triggered-due, n+1, c.Deletes
		}
	}
	if n == 0 || waited/n < max(leastSlow, o.Interval/slowParts) {
		return
	}
	remedy := "execution.checkpointing.cleaner.parallel-mode deletes with all of the JobManager's I/O threads at once"
	switch {
	case o.Version == "1.18":
		remedy = "Flink 1.18 deletes a checkpoint's files one after the other, 1.19 and later by all of the JobManager's I/O threads at once (FLINK-33090)"
	case o.ParallelClean:
		remedy = "Fewer and larger files, or more I/O threads of the JobManager (jobmanager.io-pool.size), make that shorter"
	}
	r.say("deleting: %d of the last %d checkpoints started %s late on average, for the files of earlier ones were still being deleted (%d requests for the last of them), and no checkpoint starts while more than %d are. %s",
		n, len(list), span(waited/n), deletes, o.MaxConcurrent, remedy)
}

// cleanedAt is the checkpoint whose files were all deleted at an instant; nil = none.
func (r *run) cleanedAt(at event.Time) *core.CheckpointRecord {
	for i := range r.h.Checkpoints {
		if c := &r.h.Checkpoints[i]; c.Cleaned == at && c.Deletes > 0 {
			return c
		}
	}
	return nil
}
