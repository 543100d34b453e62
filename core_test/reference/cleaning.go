package reference

import (
	"slices"

	"checkpointlab/core/event"
	"checkpointlab/core/state/storage"
)

// keep leaves a snapshot's files to the user.
func (v *vault) keep(id event.Checkpoint) {
	if s := v.run.saves[id]; s != nil {
		for _, t := range v.run.all {
			for _, f := range s.part(t).files() {
				if !f.inline {
					v.store.Keep(f.Owner, f.ID)
				}
			}
		}
		v.store.Keep(storage.Master, uint64(id))
	}
}

// clean deletes what a checkpoint has in the storage that failed or was subsumed: what it alone has, and, if it was the last one to
// have it, what it shared with others. What is still being written is deleted by its task.
func (v *vault) clean(id event.Checkpoint, failed bool) {
	if id == 0 {
		return
	}
	if failed {
		v.store.Cancel(v.run.now, storage.Master, id)
		v.plan()
		v.delete(storage.Cleaning, id, v.own(id))
		return
	}
	v.uses.held = append(v.uses.held, id)
	items := v.release(id)
	v.delete(storage.Cleaning, id, append(items, v.unused(v.lowest())...))
}

// cleanEnded deletes what a checkpoint has as the job ends.
func (v *vault) cleanEnded(id event.Checkpoint) {
	items := append(v.release(0), v.own(id)...)
	v.delete(storage.Ending, id, append(items, v.unused(v.lowest())...))
}

// shutDown is the end of the store with its job: what no retained checkpoint uses is deleted, whoever had stored it. What only a checkpoint
// had that was given up stays if it is younger, and nobody deletes it any more (DefaultCompletedCheckpointStore.shutdown).
func (v *vault) shutDown() {
	items := append(v.release(0), v.unused(v.lowest())...)
	if len(items) > 0 {
		v.delete(storage.Ending, 0, items)
	}
	for _, id := range v.uses.held {
		v.keep(id)
	}
	for n := range v.uses.of {
		if !v.had(n) {
			v.store.Abandon(n.owner, n.id)
		}
	}
	v.uses = newUses()
}

// had reports whether some checkpoint has a file.
func (v *vault) had(n name) bool {
	for _, s := range v.run.saves {
		for _, p := range s.parts {
			for _, f := range p.files() {
				if f.name() == n {
					return true
				}
			}
		}
	}
	return false
}

// lowest is the oldest checkpoint that is retained.
func (v *vault) lowest() event.Checkpoint {
	if retained := v.run.coordinator.Retained(); len(retained) > 0 {
		return retained[0]
	}
	return event.Never
}

// release gives what those subsumed checkpoints have that nothing keeps any more, and forgets them but for the latest.
func (v *vault) release(latest event.Checkpoint) (items []storage.Item) {
	var kept []event.Checkpoint
	for _, id := range v.uses.held {
		if v.uses.keeps(id, v.lowest()) {
			kept = append(kept, id)
			continue
		}
		items = append(items, v.own(id)...)
		if id != latest {
			delete(v.run.saves, id)
		}
	}
	v.uses.held = kept
	return items
}

// holds reports whether a subsumed checkpoint stays.
func (v *vault) holds(id event.Checkpoint) bool { return v != nil && slices.Contains(v.uses.held, id) }

// own is what is there of a checkpoint that no other one has, if it is not its user's.
func (v *vault) own(id event.Checkpoint) (items []storage.Item) {
	s := v.run.saves[id]
	if s != nil && s.foreign {
		return nil
	}
	if s != nil {
		for _, t := range v.run.all {
			for _, f := range s.part(t).made {
				if !f.inline && v.uses.of[f.name()] == nil && v.store.Has(f.Owner, f.ID) && !v.store.Underway(f.Owner, f.ID) {
					items = append(items, f.Item)
				}
			}
		}
	}
	if v.store.Has(storage.Master, uint64(id)) {
		items = append(items, metadata(id, 0))
	}
	return items
}

// delete has files deleted, one after the other or several at once.
func (v *vault) delete(purpose storage.Purpose, id event.Checkpoint, items []storage.Item) {
	threads := 1
	if o := &v.run.setup.Options; o.ParallelClean {
		threads = o.IOPool
	}
	h := storage.Head{Op: storage.Delete, Purpose: purpose, Client: storage.Master, Manager: storage.Master, ID: id}
	v.orderItems(h, threads, items...)
}
