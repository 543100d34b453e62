package task

import (
	"checkpointlab/core/event"
	"checkpointlab/core/sim"
)

// Freeze lets a task's work stand still for a while, because its whole process does: the record in work, the thread's hold and the
// asynchronous parts of snapshots end so much later. What else falls due in the process is put off by the caller. A source's log
// grows on.
func (w *World) Freeze(now event.Time, id event.Task, span event.Time) {
	t := &w.Tasks[id]
	if !t.Alive {
		return
	}
	for _, p := range t.Outs {
		w.Net.Await(p)
	}
	for i := range t.Uploads {
		if u := &t.Uploads[i]; u.until > now {
			u.until += span
		}
	}
	if t.Thread == Sync {
		t.syncUntil += span
		if t.holds.deaf && t.holds.till < event.Never {
			t.holds.till += span
		}
		return
	}
	w.freezeStep(now, t, span)
}

// freezeStep cuts the step in work behind the record in work, which ends so much later. What is between two records looks again when
// the process goes on.
func (w *World) freezeStep(now event.Time, t *Task, span event.Time) {
	w.settle(now, t)
	s := &t.Step
	if w.justRead(now, t) {
		w.become(now, t, Busy)
	}
	switch {
	case s.N == 0:
		return
	case s.Paced && w.midRecord(t, now):
		log := &w.Logs[t.Log]
		at := log.Arrival(log.Next + w.Done(t, now))
		w.become(now, t, Busy)
		t.Spent[Busy] += now - at
		t.Spent[Idle] -= now - at
		s.Paced, s.Start = false, at
		t.mailed++
	case s.Paced || !w.begun(now, t):
		s.N = 0
		s.Gen++
		w.poke(now, t)
		return
	}
	s.Start += span
	if t.Kind == Source {
		t.stood += span
	}
	s.booked = false
	w.endAfter(t, 1)
}

// justRead reports whether a source that reads records as they arrive has finished one at this instant: its thread has not found yet that
// there is no other.
func (w *World) justRead(now event.Time, t *Task) bool {
	if !t.Step.Paced || t.Thread != Idle || w.looked(now, t) {
		return false
	}
	return w.readUntil(t, 0) == now
}

// syncFor holds the thread for a while; SyncEnd ends that.
func (w *World) syncFor(now event.Time, t *Task, span event.Time) {
	t.syncUntil = now + span
	w.Queue.Push(sim.Item{At: t.syncUntil, Kind: event.DueSync, A: t.ID, Gen: t.Gen})
}

// uploadFor lets an asynchronous part take so long; AsyncEnd ends that.
func (w *World) uploadFor(now event.Time, t *Task, u *Upload, span event.Time) {
	u.until = now + span
	w.Queue.Push(sim.Item{At: u.until, Kind: event.DueAsync, A: t.ID, ID: u.ID, Gen: t.Gen})
}
