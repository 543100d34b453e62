package task

import (
	"checkpointlab/core/event"
	"checkpointlab/core/sim"
	"checkpointlab/core/state"
)

// payAccess makes the cost of a record that begins now its own and that of its accesses to the state.
func (t *Task) payAccess(now event.Time) {
	if t.Working != nil {
		t.Cost = t.slowed(t.Own) + t.slowed(t.Working.Cost(now))
	}
}

// limitByState ends the step where the backend has something to decide, or at the latest with the last record of a part of time.
func (w *World) limitByState(now event.Time, t *Task, size int32) {
	s := &t.Step
	s.N = t.Working.Limit(now, s.N, size)
	if each := t.each(); each > 0 && s.N > 1 {
		if turns := t.Working.Turns(now); turns != event.Never {
			s.N = min(s.N, max(1, (turns-1-now)/each))
		}
	}
}

// leaveState is the end of a task: its backend gives back what it has taken.
func (t *Task) leaveState() {
	if b, ok := t.Backend.(state.Leaving); ok {
		b.Left()
	}
}

// access books the accesses to the state of records that were processed.
func (w *World) access(now event.Time, t *Task, r *event.Run) {
	if t.Working != nil || t.log != nil {
		w.accessState(now, t, r)
	}
}

func (w *World) accessState(now event.Time, t *Task, r *event.Run) {
	if t.Working != nil {
		t.Working.Access(now, *r)
		w.armBackend(now, t)
		w.outOfMemory(now, t)
	}
	if t.log != nil {
		bytes := r.Count * t.Change
		if b, ok := t.Working.(state.Logging); ok {
			bytes += b.Logged(r.Count)
		}
		w.carryLog(now, t, t.log.Append(now, bytes, w.logged[:0]))
	}
}

// outOfMemory ends a task manager's process when the state of one of its tasks does not fit: all its tasks fail.
func (w *World) outOfMemory(now event.Time, t *Task) {
	m, ok := t.Working.(state.Mortal)
	if !ok || !m.Dead() {
		return
	}
	for i := range w.Tasks {
		if other := &w.Tasks[i]; other.Manager == t.Manager && other.Alive {
			w.failed(now, other, event.OutOfMemory)
		}
	}
}

// armBackend queues what happens next in the task's backend by itself.
func (w *World) armBackend(now event.Time, t *Task) {
	if t.Working == nil {
		return
	}
	at := t.Working.NextEvent(now)
	if at == event.Never || t.happens > now && t.happens <= at {
		return
	}
	t.happens = at
	w.Queue.Push(sim.Item{At: at, Kind: event.DueBackend, A: t.ID, Gen: t.Gen})
}

// BackendEvent is something that happens in a task's backend. Records from the next one on may cost something else.
func (w *World) BackendEvent(now event.Time, id event.Task, gen uint32) {
	t := &w.Tasks[id]
	if t.Gen != gen || !t.Alive {
		return
	}
	if t.happens <= now {
		t.happens = 0
	}
	w.settle(now, t)
	t.Working.Happen(now)
	w.armBackend(now, t)
	w.interrupt(now, t)
}

// restoreState gives a task that starts its part of the checkpoint that the job goes on from; nil = there is none.
func (w *World) restoreState(now event.Time, t *Task, s *Save) {
	t.happens = 0
	if s == nil {
		t.Backend.Restore(now, 0, state.Checkpoint, true, nil)
	} else {
		parts, own := w.PartsOf(t.ID, s, w.parts[:0])
		w.parts = parts
		id := s.ID
		if _, notes := t.Backend.(state.Noting); notes && t.log != nil {
			id = 0 // the backend's own snapshots are materializations, numbered by themselves, and none is what the log makes up
		}
		t.Backend.Restore(now, id, s.Kind, own && (!s.Foreign || w.Rules.BuildOn), parts)
	}
	w.restoreLog(now, t, s)
	w.armBackend(now, t)
}
