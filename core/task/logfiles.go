package task

import (
	"checkpointlab/core/event"
	"checkpointlab/core/sim"
	"checkpointlab/core/state"
	"checkpointlab/core/state/storage"
)

// What becomes of a changelog's files: whom they belong to, when they are deleted, what a restart reads of them.

// truncated deletes segments that the log has cut off and that no checkpoint refers to.
func (w *World) truncated(now event.Time, t *Task, effects []state.ChangelogEffect) {
	for _, e := range effects {
		if e.Kind == state.Truncate {
			t.log.discarded = t.log.discarded[:0]
			w.Store.EachLike(t.ID, storage.LogFile(0), func(id uint64, bytes int64) {
				t.log.discarded = append(t.log.discarded, state.File{ID: id, Bytes: bytes, Shared: true})
			})
			w.release(now, t, t.log.discarded)
		}
	}
}

// release deletes those of a task's files that neither it nor a checkpoint needs and that the coordinator does not know. It
// knows everything that another task stored.
func (w *World) release(now event.Time, t *Task, files []state.File) {
	i := int32(-1)
	for _, f := range files {
		if f.Of != 0 || !w.Store.Has(t.ID, f.ID) || w.Registered(t.ID, f.ID) || w.Owns(t.ID, f.ID) || w.wanted(t.ID, f.ID) {
			continue
		}
		if i < 0 {
			i = w.Store.Place(storage.Head{Op: storage.Delete, Purpose: storage.Discard, Client: t.ID, Manager: t.Manager, Gen: t.Gen, Threads: 1})
		}
		w.Store.Add(i, storage.Item{Owner: t.ID, Shared: true, ID: f.ID, Bytes: f.Bytes})
	}
	if i >= 0 {
		w.Store.Start(now, i)
	}
}

// Owns reports whether a running task's log still needs a file.
func (w *World) Owns(id event.Task, file uint64) bool {
	c := w.Tasks[id].log
	if c == nil || !w.Tasks[id].Alive {
		return false
	}
	if storage.IsLog(file) {
		return c.Holds(int64(file - storage.LogFile(0)))
	}
	return has(c.base.Upload, file) || has(c.base.Reused, file) || has(c.next.Upload, file) || has(c.next.Reused, file)
}

func has(files []state.File, id uint64) bool {
	for _, f := range files {
		if f.Of == 0 && f.ID == id {
			return true
		}
	}
	return false
}

// wanted reports whether a checkpoint that is pending or retained refers to a file.
func (w *World) wanted(id event.Task, file uint64) bool {
	for i := range w.Saves {
		if s := &w.Saves[i]; s.ID != 0 && refers(&s.Parts[id], file) {
			return true
		}
	}
	return false
}

func refers(p *state.Part, file uint64) bool {
	for _, g := range p.Log {
		if g.Of == 0 && storage.LogFile(g.Number) == file {
			return true
		}
	}
	return has(p.Upload, file) || has(p.Reused, file)
}

// CleanLog calls f with the files of a task's own log that checkpoint s referred to, that the coordinator does not know, and that
// nobody else needs.
func (w *World) CleanLog(t event.Task, s *Save, f func(state.File)) {
	if w.Tasks[t].log == nil {
		return
	}
	clean := func(file state.File) {
		if file.Of != 0 || !w.Store.Has(t, file.ID) || w.Registered(t, file.ID) || w.Owns(t, file.ID) {
			return
		}
		for i := range w.Saves {
			if o := &w.Saves[i]; o.ID != 0 && o.ID != s.ID && refers(&o.Parts[t], file.ID) {
				return
			}
		}
		f(file)
	}
	for _, g := range s.Parts[t].Log {
		clean(state.File{ID: storage.LogFile(g.Number), Bytes: g.Bytes(), Of: g.Of, Shared: true})
	}
	for _, file := range s.Parts[t].Reused {
		clean(file)
	}
}

// leaveLog deletes what a cancelled task's log has written and no checkpoint refers to.
func (w *World) leaveLog(now event.Time, t *Task) {
	if t.log == nil {
		return
	}
	t.Alive = false
	c := t.log
	c.discarded = append(append(c.discarded[:0], c.base.Upload...), c.base.Reused...)
	if c.written {
		c.discarded = append(append(c.discarded, c.next.Upload...), c.next.Reused...)
	}
	w.Store.EachLike(t.ID, storage.LogFile(0), func(id uint64, bytes int64) {
		c.discarded = append(c.discarded, state.File{ID: id, Bytes: bytes, Shared: true})
	})
	w.release(now, t, c.discarded)
	t.Alive = true
}

// restoreLog lets a task's log go on from its part of a checkpoint, and begins its materializations at an offset of its own
// (PeriodicMaterializationManager).
func (w *World) restoreLog(now event.Time, t *Task, s *Save) {
	c := t.log
	if c == nil {
		return
	}
	c.counts = LogCounts{}
	c.settled, c.of, c.written, c.full, c.uses = c.number, 0, false, false, c.uses[:0] // what was restored counts as confirmed
	c.base.Reset()
	c.next.Reset()
	if s != nil {
		p := &w.given
		p.Reset()
		w.Inherit(t.ID, s, p)
		c.Restore(p.Base, p.Log)
		c.base.Reused = append(c.base.Reused, p.Reused...)
		c.base.Inline, c.base.Threads = p.Inline, p.Threads
		c.base.Small = append(c.base.Small, p.Small...)
		c.base.Full = p.Full - c.Length()
	} else {
		c.Restore(state.Materialization{}, nil)
	}
	if c.every > 0 {
		w.Queue.Push(sim.Item{At: now + w.Offsets.Int64n(c.every), Kind: event.DueMaterialize, A: t.ID, Gen: t.Gen})
	}
}
