package reference

import (
	"checkpointlab/core"
	"checkpointlab/core/checkpoint"
	"checkpointlab/core/event"
	"checkpointlab/core/state"
)

// carryOut does what the coordinator wants, in order. Its questions are answered at once.
func (r *Run) carryOut(effects []checkpoint.Effect) {
	for i := 0; i < len(effects); i++ {
		switch e := effects[i]; e.Kind {
		case checkpoint.ArmTick:
			r.agenda.afterIn(r.master(), e.At, func() { r.carryOut(r.coordinator.Tick(r.now, e.Seq, nil)) })
		case checkpoint.ArmExpiry:
			r.agenda.afterIn(r.master(), e.At, func() { r.carryOut(r.coordinator.Expire(r.now, e.ID, nil)) })
		case checkpoint.Plan:
			ok, late := r.ready()
			effects = r.coordinator.Planned(r.now, ok, event.NotAllRequiredTasksRunning, effects)
			if late {
				effects = r.allRun(effects)
			}
		case checkpoint.Begin:
			r.begin(e.ID, r.kindOf(&e))
			r.tell(event.Event{Kind: event.CheckpointTriggered, Checkpoint: e.ID, A: int64(e.Snapshot), B: int64(e.Format)})
			effects = r.coordinator.Triggered(r.now, e.ID, true, event.NoReason, effects)
		case checkpoint.Trigger:
			m := mail{kind: event.MailTrigger, id: e.ID, began: e.At, savepoint: e.Snapshot.IsSavepoint()}
			switch e.Snapshot {
			case checkpoint.StopWithSavepoint:
				m.stop = suspended
			case checkpoint.StopWithDrain:
				m.stop = drained
			}
			r.sendTo(r.asked(), m)
		case checkpoint.Finalize:
			switch {
			case r.endedInPart(e.ID):
				effects = r.coordinator.Finalized(r.now, e.ID, event.CheckpointDeclinedTaskClosing, effects)
				continue
			case r.vault != nil:
				r.vault.finalize(e.ID)
				continue
			case r.setup.Control.Finalize == 0:
				effects = r.coordinator.Finalized(r.now, e.ID, event.NoReason, effects)
				continue
			}
			r.agenda.afterIn(r.master(), r.now+r.setup.Control.Finalize, func() { r.carryOut(r.coordinator.Finalized(r.now, e.ID, event.NoReason, nil)) })
		case checkpoint.Completed:
			r.tell(event.Event{Kind: event.CheckpointCompleted, Checkpoint: e.ID, A: e.Duration})
			if r.vault != nil && e.Snapshot.IsSavepoint() {
				r.vault.keep(e.ID)
			}
			if e.Snapshot == checkpoint.Savepoint { // no failover goes back to it
				delete(r.saves, e.ID)
			}
			if e.Snapshot.IsSynchronous() {
				r.stopped, r.savepoint = true, e.ID
			}
		case checkpoint.NotifyComplete:
			r.sendTo(r.tasks, mail{kind: event.MailComplete, id: e.ID})
		case checkpoint.NotifyAborted:
			r.sendTo(r.tasks, mail{kind: event.MailAborted, id: e.ID})
		case checkpoint.Failed:
			r.tell(event.Event{Kind: event.CheckpointFailed, Checkpoint: e.ID, A: int64(e.Reason)})
			if r.vault != nil {
				r.vault.clean(e.ID, true)
			}
			delete(r.saves, e.ID)
			effects = r.goOn(&e, effects)
		case checkpoint.Subsumed:
			if r.vault != nil {
				r.vault.clean(e.ID, false)
			}
			if !r.vault.holds(e.ID) {
				delete(r.saves, e.ID)
			}
		case checkpoint.Deleted:
			if r.vault != nil {
				r.vault.cleanEnded(e.ID)
			}
		case checkpoint.Dropped:
			r.tell(event.Event{Kind: event.CheckpointDropped, A: int64(e.Reason)})
			effects = r.goOn(&e, effects)
		case checkpoint.FailJob:
			r.fail(r.tasks, -1)
		}
	}
}

// stop is a user who stops the job with a savepoint: until then no other checkpoint is taken.
func (r *Run) stop(a *core.Action) {
	kind, format := checkpoint.StopWithSavepoint, checkpoint.Canonical
	if a.Drain {
		kind = checkpoint.StopWithDrain
	}
	if a.Native {
		format = checkpoint.Native
	}
	r.stopping, r.rescale = false, 0
	if r.failed || r.jobFinished {
		return
	}
	effects := r.coordinator.Stop(r.now, event.CheckpointCoordinatorSuspend, nil)
	r.stopping, r.apart = true, 0
	effects = r.coordinator.RequestAs(r.now, kind, format, effects)
	r.asks = r.coordinator.Requests()
	r.carryOut(effects)
}

// goOn lets the periodic checkpoints go on when a savepoint failed that the job was to stop with.
func (r *Run) goOn(e *checkpoint.Effect, effects []checkpoint.Effect) []checkpoint.Effect {
	if !e.Snapshot.IsSynchronous() {
		return effects
	}
	if e.Request == r.asks {
		r.stopping, r.rescale = false, 0
	}
	return r.coordinator.Resume(r.now, r.firstDelay(), effects)
}

// sendTo sends a mail by RPC.
func (r *Run) sendTo(tasks []*task, m mail) {
	for _, t := range tasks {
		t.later(r.now+r.setup.Control.RPC, func() { t.mail(m) })
	}
}

// acknowledged is a task's acknowledgement that has come.
func (r *Run) acknowledged(t *task, id event.Checkpoint) {
	if v, s := r.vault, r.saves[id]; v != nil && s != nil {
		if v.uses.unknown(s.part(t)) {
			return
		}
		v.uses.registerPart(s.part(t), id)
	}
	r.tell(event.Event{Kind: event.TaskAcknowledged, Task: t.id, Checkpoint: id})
	r.carryOut(r.coordinator.Ack(r.now, id, t.id, nil))
}

// declined is a task that gave a checkpoint up.
func (r *Run) declined(t *task, id event.Checkpoint, reason event.Reason) {
	r.carryOut(r.coordinator.Decline(r.now, id, t.id, reason, nil))
}

// begin is a checkpoint that is triggered: the part of a task that has finished is what it came to.
func (r *Run) begin(id event.Checkpoint, kind state.Kind) {
	s := newSave()
	s.kind, s.phase = kind, r.phaseNumber
	for v := range r.setup.Vertices {
		s.parallelism[v] = r.setup.Vertices[v].Parallelism
	}
	for _, t := range r.all {
		if t.end.finished || t.retired {
			s.put(t)
			s.part(t).taken = t.end.at
		}
	}
	r.saves[id] = s
}
