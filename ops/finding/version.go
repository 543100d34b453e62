package finding

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// What a new version of the job shows that was started from a snapshot of the old one.

// newVersion is a start of a new version: the action that asked for it and when the version ran; nil if there was none.
func (r *run) newVersion() (*core.Action, *core.FailureRecord) {
	for i := len(r.h.Failures) - 1; i >= 0; i-- {
		f := &r.h.Failures[i]
		if !f.Rescaled || f.RestoredTo <= 0 || f.RunningAt < 0 {
			continue
		}
		for k := len(r.s.Script) - 1; k >= 0; k-- {
			if a := &r.s.Script[k]; a.At <= f.At && (a.Do == core.RestoreJob || a.Do == core.RescaleJob) {
				if a.Do == core.RestoreJob {
					return a, f
				}
				break
			}
		}
	}
	return nil, nil
}

// letGo: state that no operator of the new version has taken, and that was allowed.
func (r *run) letGo() {
	a, f := r.newVersion()
	if a == nil || !a.Renamed || !r.s.Options.IgnoreUnclaimed {
		return
	}
	for i := range r.h.Checkpoints {
		c := &r.h.Checkpoints[i]
		if c.ID != f.RestoredTo {
			continue
		}
		size := int64(0)
		for t := r.first[a.Vertex]; t < len(c.Tasks) && t < r.first[a.Vertex]+r.s.Vertices[a.Vertex].Parallelism; t++ {
			size += max(0, c.Tasks[t].Size)
		}
		r.say("state let go: %s of %s was in snapshot %d, and no operator of the new version has its uid. execution.state-recovery.ignore-unclaimed-state (--allowNonRestoredState) let the job start without it, so that the operator began with none and nothing failed. Give it its former uid and start from that snapshot again; leave the option off unless an operator was removed on purpose",
			bytes(size), r.s.Vertices[a.Vertex].Name, c.ID)
		return
	}
}

// firstFull: by NO_CLAIM the first checkpoint of a new version uses no file of the snapshot that it was started from (FLIP-203).
func (r *run) firstFull() {
	a, f := r.newVersion()
	o := &r.s.Options
	if a == nil || o.ClaimMode != option.NoClaim || o.Backend == option.HashMap || !o.Incremental {
		return
	}
	tried := 0
	for i := range r.h.Checkpoints {
		c := &r.h.Checkpoints[i]
		if c.Savepoint || c.ID <= 0 || c.Triggered < f.RunningAt {
			continue
		}
		full, stored := int64(0), int64(0)
		for t := range c.Tasks {
			full, stored = full+max(0, c.Tasks[t].Size), stored+max(0, c.Tasks[t].Stored)
		}
		switch {
		case c.Outcome == core.FailedCheckpoint:
			if c.Reason == event.CheckpointExpired {
				tried++
			}
		case c.Outcome != core.Completed:
		case stored < 100<<20 || stored*10 < full*9 || c.Duration() < longDown:
			return
		default:
			r.say("first checkpoint: %d, the first that completed behind the start from a snapshot, stored all of its %s and took %s. By execution.state-recovery.claim-mode NO_CLAIM it may use no file of that snapshot; those behind it are incremental again. CLAIM goes on with its files", c.ID, bytes(stored), span(c.Duration()))
			return
		}
	}
	if tried > 1 {
		r.say("first checkpoint: %d have expired since the start from a snapshot and none has completed. By execution.state-recovery.claim-mode NO_CLAIM the first one may use no file of that snapshot, so that each attempt stores all of the state until one completes within execution.checkpointing.timeout (%s): give that more time, or start with CLAIM", tried, span(o.Timeout))
	}
}
