package core

import (
	"slices"

	"checkpointlab/core/event"
	"checkpointlab/core/state"
	"checkpointlab/core/state/storage"
	"checkpointlab/core/task"
)

// What is deleted when a checkpoint ends or is subsumed, and which files stay because others use them.

// clean deletes the files that only checkpoint id uses; failed: it never completed. Registered shared files go when no retained
// checkpoint uses them. The end of the deletion is reported to the coordinator by Cleaned.
func (l *Lab) clean(now event.Time, id event.Checkpoint, failed bool) {
	st := l.world.Store
	if st == nil || id == 0 {
		return
	}
	if failed { // its metadata may be on the way
		st.Cancel(now, storage.Master, id)
	}
	o := st.Place(storage.Head{Op: storage.Delete, Purpose: storage.Cleaning, Client: storage.Master, Manager: storage.Master, ID: id, Threads: l.cleaners()})
	if failed {
		l.cleanOwn(o, id)
	} else {
		l.storing.held = append(l.storing.held, id)
		l.cleanHeld(o, id)
		l.cleanShared(o)
	}
	st.Start(now, o)
}

// cleanEnded deletes what checkpoint id has in the storage as the job ends. Nobody waits for it.
func (l *Lab) cleanEnded(now event.Time, id event.Checkpoint) {
	st := l.world.Store
	if st == nil {
		return
	}
	o := st.Place(storage.Head{Op: storage.Delete, Purpose: storage.Ending, Client: storage.Master, Manager: storage.Master, ID: id, Threads: l.cleaners()})
	l.cleanHeld(o, 0)
	l.cleanOwn(o, id)
	l.cleanShared(o)
	st.Start(now, o)
}

// shutDownStore is what comes last as the store ends with its job, and with it the registry of shared files: what no retained checkpoint
// uses is deleted, also what tasks had acknowledged of checkpoints that never became complete
// (DefaultCompletedCheckpointStore.shutdown). Of those behind the oldest retained one it stays, and nobody deletes it any more.
func (l *Lab) shutDownStore(now event.Time) {
	st := l.world.Store
	if st == nil {
		return
	}
	o := st.Place(storage.Head{Op: storage.Delete, Purpose: storage.Ending, Client: storage.Master, Manager: storage.Master, Threads: l.cleaners()})
	l.cleanHeld(o, 0)
	l.cleanShared(o)
	st.StartIfAny(now, o)
	for _, id := range l.storing.held {
		l.keepFiles(id)
	}
	l.storing.held = l.storing.held[:0]
	for i := range l.world.Saves {
		if s := &l.world.Saves[i]; s.ID != 0 {
			l.release(s)
		}
	}
	for t := range l.storing.registries {
		r := &l.storing.registries[t]
		for key := range r.Keys() {
			st.Abandon(int32(t), uint64(key))
		}
		*r = state.NewRegistry()
	}
}

// release takes a checkpoint's files out of the registry without deleting them.
func (l *Lab) release(s *task.Save) {
	for t := range s.Parts {
		p := &s.Parts[t]
		for f := range p.Files() {
			l.storing.registries[f.Owner(event.Task(t))].Release(int64(f.ID))
		}
		for _, g := range p.Log {
			l.storing.registries[g.Owner(event.Task(t))].Release(int64(storage.LogFile(g.Number)))
		}
	}
}

// cleaners is how many files are deleted at a time.
func (l *Lab) cleaners() int {
	if l.plan.setup.Options.ParallelClean {
		return l.plan.setup.Options.IOPool
	}
	return 1
}

// lowestRetained is the oldest checkpoint in the store; event.Never without one: then nothing uses a file any more
// (StandaloneCompletedCheckpointStore.shutdown).
func (l *Lab) lowestRetained() event.Checkpoint {
	if retained := l.coord.Retained(); len(retained) > 0 {
		return retained[0]
	}
	return event.Never
}

// cleanOwn deletes a checkpoint's own files and its metadata; what belongs to the user stays.
func (l *Lab) cleanOwn(o int32, id event.Checkpoint) {
	s := l.world.Save(id)
	if s != nil && s.Foreign {
		return
	}
	if s != nil {
		l.cleanParts(o, s)
	}
	if l.world.Store.Has(storage.Master, uint64(id)) {
		l.world.Store.Add(o, storage.Item{Owner: storage.Master, ID: uint64(id)})
	}
}

// cleanHeld deletes those subsumed checkpoints none of whose files is in use any more
// (CheckpointsCleaner.cleanSubsumedCheckpoints); the caller removes the latest.
func (l *Lab) cleanHeld(o int32, latest event.Checkpoint) {
	l.storing.inUse = l.storing.inUse[:0]
	for t := range l.storing.registries {
		l.storing.inUse = l.storing.registries[t].InUse(l.lowestRetained(), l.storing.inUse)
	}
	kept := l.storing.held[:0]
	for _, id := range l.storing.held {
		if slices.Contains(l.storing.inUse, id) {
			kept = append(kept, id)
			continue
		}
		l.cleanOwn(o, id)
		if id != latest {
			l.world.Forget(id)
		}
	}
	l.storing.held = kept
}

// cleanParts deletes a checkpoint's own files as far as they exist; a task deletes those that it is still writing.
func (l *Lab) cleanParts(o int32, s *task.Save) {
	for t := range s.Parts {
		l.cleanPart(o, s, event.Task(t))
	}
}

func (l *Lab) cleanPart(o int32, s *task.Save, t event.Task) {
	st, r := l.world.Store, &l.storing.registries[t]
	for _, f := range s.Parts[t].Upload {
		if !r.Has(int64(f.ID)) && st.Has(t, f.ID) && !st.Underway(t, f.ID) {
			st.Add(o, storage.Item{Owner: t, Shared: f.Shared, ID: f.ID, Bytes: f.Bytes})
		}
	}
	l.world.CleanLog(t, s, func(f state.File) {
		st.Add(o, storage.Item{Owner: t, Shared: true, ID: f.ID, Bytes: f.Bytes})
	})
}

// cleanShared deletes the shared files that no retained checkpoint uses. A task without a part in the oldest retained
// checkpoint (region checkpoints) keeps all of its files: its next part may build on what it stored for checkpoints that failed
// since.
func (l *Lab) cleanShared(o int32) {
	s, lowest := &l.storing, l.lowestRetained()
	oldest := l.world.Save(lowest)
	for t := range s.registries {
		if oldest != nil && t < len(oldest.From) && oldest.From[t] != 0 {
			continue
		}
		for key := range s.registries[t].Left(lowest) {
			l.world.Store.Abandon(int32(t), uint64(key))
		}
		s.inUse, s.deleted = s.registries[t].Unregister(lowest, s.inUse[:0], s.deleted[:0])
		for _, f := range s.deleted {
			l.world.Store.Add(o, storage.Item{Owner: int32(t), Shared: true, ID: uint64(f.Key), Bytes: f.Bytes})
		}
	}
}

// keepFiles leaves a snapshot's files to the user.
func (l *Lab) keepFiles(id event.Checkpoint) {
	s := l.world.Save(id)
	if l.world.Store == nil || s == nil {
		return
	}
	for t := range s.Parts {
		p := &s.Parts[t]
		for f := range p.Files() {
			l.world.Store.Keep(f.Owner(event.Task(t)), f.ID)
		}
		for _, g := range p.Log {
			l.world.Store.Keep(g.Owner(event.Task(t)), storage.LogFile(g.Number))
		}
	}
	l.world.Store.Keep(storage.Master, uint64(id))
}
