package task

import (
	"checkpointlab/core/event"
	"checkpointlab/core/sim"
	"checkpointlab/core/state"
	"checkpointlab/core/state/storage"
)

// Materializations of a changelog: the wrapped backend's snapshots, independent of checkpoints.

// Materialize is a materialization being due: the thread begins it between two records (PeriodicMaterializationManager.triggerMaterialization).
func (w *World) Materialize(now event.Time, id event.Task, gen uint32) {
	if t := &w.Tasks[id]; t.Gen == gen && t.Alive {
		w.Mail(now, id, event.MailMaterialize, 0)
	}
}

// materializeNext makes the next materialization due.
func (w *World) materializeNext(now event.Time, t *Task) {
	w.Queue.Push(sim.Item{At: now + t.log.every, Kind: event.DueMaterialize, A: t.ID, Gen: t.Gen})
}

// materialize begins a snapshot of the wrapped backend, independently of checkpoints. None is made without a change, or as long as no
// completed checkpoint is based on the last one, unless that failed (ChangelogKeyedStateBackend.initMaterialization).
func (w *World) materialize(now event.Time, t *Task) {
	c := t.log
	c.counts.Started++
	if c.settled < c.made || !c.Changed() {
		c.counts.Completed++
		c.counts.Duration = 0
		w.materializeNext(now, t)
		return
	}
	if _, ok := c.Materialize(now); !ok {
		panic("task: two materializations at a time")
	}
	c.number++
	c.making, c.made = c.number, c.number
	c.next.Reset()
	t.Backend.Snapshot(now, c.making, state.Checkpoint, &c.next)
	c.next.DropOperator()
	c.next.PutInline(w.Inline)
	w.armBackend(now, t)
	i := w.Store.Place(storage.Head{Op: storage.Write, Purpose: storage.Materialize, Client: t.ID, Manager: t.Manager, Gen: t.Gen, Threads: c.next.Threads})
	w.adopt(t, c.next.Upload)
	for _, f := range c.next.Upload {
		if f.There {
			continue
		}
		w.Store.Add(i, storage.Item{Owner: t.ID, Shared: true, ID: f.ID, Bytes: f.Bytes})
	}
	w.Store.Start(now, i)
}

// MaterializeStored is called when a materialization is stored, or is not. The next one is due so long after that.
func (w *World) MaterializeStored(now event.Time, e *storage.Effect) {
	t := &w.Tasks[e.Client]
	if t.Gen != e.Gen || !t.Alive {
		if e.OK {
			w.Store.Regret(now, e)
		}
		return
	}
	w.materializeNext(now, t)
	w.settle(now, t)
	if b, ok := t.Backend.(state.Releasing); ok {
		b.Written(t.log.making)
	}
	if e.OK {
		t.log.written = true
		w.tellLog(now, t, event.MailMaterialized, 0)
		return
	}
	c := t.log
	c.counts.Failed++
	c.settled = max(c.settled, c.making)
	t.Backend.Aborted(now, c.making)
	w.carryLog(now, t, c.Materialized(false, w.logged[:0]))
}

// materialized is the thread hearing that a materialization is stored: checkpoints from now on are based on it.
func (w *World) materialized(now event.Time, t *Task) {
	c := t.log
	c.counts.Completed++
	c.counts.Duration = now - c.Began()
	c.of, c.written = c.making, false
	c.base, c.next = c.next, c.base
	c.discarded = append(append(c.discarded[:0], c.next.Reused...), c.next.Upload...)
	c.next.Reset() // else the log would still own them
	w.release(now, t, c.discarded)
	w.carryLog(now, t, c.Materialized(true, w.logged[:0]))
}

// snapshotID is the id by which the backend knows what a task stores for a checkpoint: under a changelog a savepoint is numbered with the
// materializations, and a native one counts as one (ChangelogKeyedStateBackend.nativeSavepoint).
func (t *Task) snapshotID(id event.Checkpoint, kind state.Kind) event.Checkpoint {
	if t.log == nil {
		return id
	}
	if t.log.number++; kind == state.NativeSavepoint {
		t.log.made = t.log.number
	}
	t.log.uses = append(t.log.uses, basis{id, t.log.number})
	return t.log.number
}

// backendID is snapshotID of a snapshot that was taken.
func (t *Task) backendID(id event.Checkpoint) event.Checkpoint {
	if t.log != nil {
		for _, u := range t.log.uses {
			if u.id == id {
				return u.of
			}
		}
	}
	return id
}

// confirmLog is a completed checkpoint: the wrapped backend hears of the materialization that it is based on
// (ChangelogKeyedStateBackend.notifyCheckpointComplete).
func (t *Task) confirmLog(now event.Time, id event.Checkpoint) {
	c := t.log
	kept := c.uses[:0]
	for _, u := range c.uses {
		switch {
		case u.id > id:
			kept = append(kept, u)
		case u.id == id && u.of > c.settled && u.of <= c.made:
			t.Backend.Confirmed(now, u.of)
			c.settled = u.of
		}
	}
	c.uses = kept
}
