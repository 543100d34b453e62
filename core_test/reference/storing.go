package reference

import (
	"checkpointlab/core/checkpoint"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/core/state"
	"checkpointlab/core/state/storage"
)

// storeFiles begins to write a snapshot's files, and its channel state if that is complete.
func (t *task) storeFiles(id event.Checkpoint, savepoint bool) {
	u, s, v := t.uploads[id], t.run.saves[id], t.run.vault
	switch {
	case s == nil: // given up
		return
	case u.tooLarge:
		t.declineStored(id)
		return
	case v == nil:
		return
	}
	p := s.part(t)
	if t.logged != nil && !savepoint {
		t.logged.persist(id, u, p)
	}
	if v.order(t.writes(storage.Snapshot, id), p.threads, p.made...) {
		u.left++
	}
	if o := &t.run.setup.Options; o.Unaligned && o.Mode == option.ExactlyOnce && !savepoint {
		if u.shares = true; !u.flows() {
			v.share(t, id)
		}
	}
}

// snapshotState takes the task's state for a checkpoint; of one that was given up nobody hears.
func (t *task) snapshotState(u *upload, id event.Checkpoint, savepoint bool) {
	s, kind := t.run.saves[id], state.Checkpoint
	switch {
	case s != nil:
		kind = s.kind
	case savepoint:
		kind = state.CanonicalSavepoint
	}
	p, tooLarge := t.takeState(id, kind, false)
	if t.logged == nil || kind != state.Checkpoint {
		u.sync, u.async = t.vertex.Snapshot.Sync+p.sync, t.vertex.Snapshot.Async+p.async
	}
	if u.full, u.stored, u.tooLarge = p.full, p.stored, tooLarge; s != nil {
		s.parts[t] = p
	}
}

// writes is an order of a task to write something for a checkpoint.
func (t *task) writes(purpose storage.Purpose, id event.Checkpoint) storage.Head {
	return storage.Head{Op: storage.Write, Purpose: purpose, Client: t.id, Manager: int32(t.run.manager(t)), Gen: uint32(t.life), ID: id}
}

// declineStored gives up what a task could not store.
func (t *task) declineStored(id event.Checkpoint) {
	t.giveUp(id)
	t.tellCoordinator(func() { t.run.declined(t, id, event.CheckpointAsyncException) })
	t.mayBeOver()
}

// stored is the end of an order of a task for a snapshot.
func (v *vault) stored(e *storage.Effect) {
	t := v.run.all[e.Client]
	u, same := t.uploads[e.ID], uint32(t.life) == e.Gen
	if !same || u == nil || !u.begun || v.run.saves[e.ID] == nil {
		if e.OK {
			v.store.Regret(v.run.now, e)
			v.plan()
		}
		if same && t.end.closing && u != nil && u.begun { // no word of the abort reaches it any more
			t.giveUp(e.ID)
			t.mayBeOver()
		}
		return
	}
	switch {
	case !e.OK:
		t.declineStored(e.ID)
	case e.Purpose == storage.ChannelState:
		v.shared(t, e.ID)
	default:
		t.partStored(u, e.ID)
	}
}

// kindOf is the kind of snapshot that is asked of the tasks: the first checkpoint after a start without a claim is a full one.
func (r *Run) kindOf(e *checkpoint.Effect) state.Kind {
	switch {
	case e.Snapshot.IsSavepoint() && e.Format == checkpoint.Native:
		return state.NativeSavepoint
	case e.Snapshot.IsSavepoint():
		return state.CanonicalSavepoint
	case r.coordinator.ForcesFull(), e.Format == checkpoint.Full:
		return state.FullCheckpoint
	}
	return state.Checkpoint
}

func isSavepoint(k state.Kind) bool {
	return k == state.NativeSavepoint || k == state.CanonicalSavepoint
}
