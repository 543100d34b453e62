package scene

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
)

// recent is how many checkpoints back the beginning of a state is looked for.
const recent = 8

// changed is since when a subtask is in its state and in which it was before, as far as the trace tells: 0 = not known.
func changed(v *core.View, h *core.History, t *core.TaskView) (since event.Time, before core.TaskState) {
	switch t.State {
	case core.Aligning:
		return t.Since, core.Running
	case core.Syncing:
		if p := phasesOf(h, t, t.Checkpoint); p != nil && p.Alignment > 0 && !p.Unaligned {
			return t.Since, core.Aligning
		}
		return t.Since, core.Running
	case core.Uploading:
		if p := phasesOf(h, t, t.Checkpoint); p != nil && p.SyncEnded > 0 {
			return p.SyncEnded, core.Syncing
		}
	case core.Failed, core.Waiting:
		return lastFailure(v, h), core.Running
	case core.Running:
		return runsSince(v, h, t)
	}
	return 0, t.State
}

// phasesOf is a subtask's part of a checkpoint.
func phasesOf(h *core.History, t *core.TaskView, id event.Checkpoint) *core.TaskPhases {
	if h == nil {
		return nil
	}
	for i := len(h.Checkpoints) - 1; i >= 0; i-- {
		if c := &h.Checkpoints[i]; c.ID == id && id != 0 && int(t.Task) < len(c.Tasks) {
			return &c.Tasks[t.Task]
		}
	}
	return nil
}

// lastFailure is when the job failed last.
func lastFailure(v *core.View, h *core.History) (at event.Time) {
	if h == nil {
		return 0
	}
	for i := range h.Failures {
		if f := &h.Failures[i]; f.At <= v.At {
			at = f.At
		}
	}
	return at
}

// runsSince is when a running subtask's last snapshot was over, or when it ran again after a failure.
func runsSince(v *core.View, h *core.History, t *core.TaskView) (since event.Time, before core.TaskState) {
	before = core.Running
	if h == nil {
		return 0, before
	}
	for i := range h.Failures {
		if at := h.Failures[i].RunningAt; at > since && at <= v.At {
			since, before = at, core.Restoring
		}
	}
	for i, n := len(h.Checkpoints)-1, 0; i >= 0 && n < recent; i-- {
		c := &h.Checkpoints[i]
		if c.Triggered > v.At || int(t.Task) >= len(c.Tasks) {
			continue
		}
		n++
		p := &c.Tasks[t.Task]
		if p.SyncEnded < 0 {
			continue
		}
		if at := p.SyncEnded + max(0, p.Async); at > since && at <= v.At {
			since, before = at, core.Uploading
			if p.Async <= 0 {
				before = core.Syncing
			}
		}
	}
	return since, before
}
