package reference

import "checkpointlab/core"

// The coordinator knows of each source whether it works off a backlog; while one does, another interval holds (spec 2.1).

// sayBacklog is somebody who says so of sources, or that it is over.
func (r *Run) sayBacklog(a *core.Action) {
	for _, t := range r.subtasks(a.Vertex) {
		if a.Subtask < 0 || a.Subtask == t.index {
			t.behind = !a.Over
		}
	}
	r.tellBacklog()
}

// tellBacklog gives the coordinator what holds for all sources, if it is something new.
func (r *Run) tellBacklog() {
	some := false
	for _, t := range r.all {
		some = some || t.behind
	}
	if some != r.backlog {
		r.backlog = some
		r.carryOut(r.coordinator.SetBacklog(r.now, some, nil))
	}
}

// caughtUp tells the coordinator that the last record was read that was there at the start.
func (t *task) caughtUp() {
	if t.log.past > 0 && t.inWork.position == t.log.past-1 {
		t.tellCoordinator(func() { t.notBehind() })
	}
}

func (t *task) notBehind() {
	t.behind = false
	t.run.tellBacklog()
}
