package task

import (
	"checkpointlab/core/event"
	"checkpointlab/core/sim"
	"checkpointlab/core/state"
	"checkpointlab/core/state/storage"
)

// changelog is a task's log of state changes with its materializations (spec 8.3).
type changelog struct {
	state.Changelog
	every     event.Time // between materializations
	number    int64      // of the last materialization, which is the backend's snapshot of that id
	base      state.Part // what the latest one has in the storage
	next      state.Part // what the one under way writes
	discarded []state.File
	waits     bool       // the thread waits until more of it is written,
	since     event.Time // since then,
	waited    event.Time // and has waited so long before (changelogBusyTimeMsPerSecond)
	counts    LogCounts
}

// LogCounts is what Flink counts of a changelog in one execution attempt, by the names of ChangelogStorageMetricGroup,
// ChangelogMaterializationMetricGroup and ChangelogStateBackendMetricGroup. Sizes are bytes; those of the last checkpoint.
type LogCounts struct {
	UploadRequests, UploadFailures int64
	Started, Completed, Failed     int64      // materializations
	Duration                       event.Time // of the last one that completed
	FullMaterialized               int64      // lastFullSizeOfMaterialization
	FullLogged, IncLogged          int64      // lastFullSizeOfNonMaterialization, lastIncSizeOfNonMaterialization
}

// LogCounts is what Flink counts of the task's changelog; ok is false without one.
func (t *Task) LogCounts() (n LogCounts, ok bool) {
	if t.log == nil {
		return n, false
	}
	return t.log.counts, true
}

// KeepLog gives the task a changelog that is materialized with the given period.
func (t *Task) KeepLog(c state.ChangelogConfig, every event.Time) {
	t.log = &changelog{Changelog: state.NewChangelog(c, 0), every: every}
}

func (c *changelog) copyFrom(src *changelog) {
	c.Changelog.CopyFrom(&src.Changelog)
	c.every, c.number = src.every, src.number
	c.waits, c.since, c.waited, c.counts = src.waits, src.since, src.waited, src.counts
	c.base.CopyFrom(&src.base)
	c.next.CopyFrom(&src.next)
}

// LogBlocked reports whether more of the log is being uploaded than is allowed.
func (t *Task) LogBlocked() bool { return t.log != nil && t.log.Blocked() }

// waitForLog notes that the thread waits until more of its log is written, or that it does no longer (StreamTask.processInput).
func (t *Task) waitForLog(now event.Time, waits bool) {
	if c := t.log; c != nil {
		c.waited, c.since, c.waits = t.LogWaited(now), now, waits
	}
}

// LogWaited is how long the thread has waited for its log.
func (t *Task) LogWaited(now event.Time) event.Time {
	switch c := t.log; {
	case c == nil:
		return 0
	case c.waits:
		return c.waited + now - c.since
	default:
		return c.waited
	}
}

// persist is the asynchronous part of a checkpoint: the latest materialization and the log from there on.
func (w *World) persist(now event.Time, t *Task, cp event.Checkpoint, u *Upload, p *state.Part) {
	c := t.log
	u.left++
	effects := c.Persist(now, cp, w.logged[:0])
	p.Base = c.Base()
	p.Log = c.Refers(p.Base.Position, c.End(), p.Log[:0])
	p.Inline, p.Small = p.Inline+c.base.Inline, append(p.Small, c.base.Small...)
	p.Reused = append(append(p.Reused[:0], c.base.Reused...), c.base.Upload...)
	p.Full += c.base.Full + c.Length()
	p.Threads = max(1, c.base.Threads)
	u.Full = p.Full
	w.carryLog(now, t, effects)
}

// carryLog carries out the changelog's effects.
func (w *World) carryLog(now event.Time, t *Task, effects []state.ChangelogEffect) {
	w.logged = effects[:0]
	w.truncated(now, t, effects)
	for _, e := range effects {
		switch e.Kind {
		case state.ArmBatch:
			w.Queue.Push(sim.Item{At: e.At, Kind: event.DueLog, A: t.ID, Gen: t.Gen})
		case state.Upload:
			w.writeSegment(now, t, e.Number, e.Bytes)
		case state.Stored:
			if u := t.find(e.ID); u != nil {
				u.Stored += e.Size.Checkpointed
				n := &t.log.counts
				n.FullMaterialized, n.FullLogged, n.IncLogged = t.log.base.Full, e.Size.Full, e.Size.Checkpointed
				w.partDone(now, t, e.ID)
			}
		case state.FailTask:
			w.failed(now, t, event.LogUnwritten)
		}
	}
}

func (w *World) writeSegment(now event.Time, t *Task, number, bytes int64) {
	i := w.Store.Place(storage.Head{Op: storage.Write, Purpose: storage.Log, Client: t.ID, Manager: t.Manager, Gen: t.Gen, Number: number})
	w.Store.Add(i, storage.Item{Owner: t.ID, Shared: true, ID: storage.LogFile(number), Bytes: bytes})
	w.Store.Start(now, i)
	t.log.counts.UploadRequests++
}

// LogDue is called at the end of a batch's delay (number 0), or of the pause after a segment that could not be written.
func (w *World) LogDue(now event.Time, id event.Task, number int64, gen uint32) {
	t := &w.Tasks[id]
	switch {
	case t.Gen != gen || !t.Alive:
	case number == 0:
		w.carryLog(now, t, t.log.Tick(now, w.logged[:0]))
	default:
		w.writeSegment(now, t, number, t.log.Bytes(number))
	}
}

// LogStored is called when a segment has been written.
func (w *World) LogStored(now event.Time, e *storage.Effect) {
	t := &w.Tasks[e.Client]
	switch {
	case t.Gen != e.Gen || !t.Alive:
		if e.OK {
			w.Store.Regret(now, e)
		}
	case !e.OK:
		t.log.counts.UploadFailures++
		w.Queue.Push(sim.Item{At: now + w.Rules.Options.ChangelogRetryDelay, Kind: event.DueLog, A: t.ID, ID: e.Number, Gen: t.Gen})
	default:
		blocked := t.LogBlocked()
		w.carryLog(now, t, t.log.Uploaded(e.Number, w.logged[:0]))
		if blocked && !t.LogBlocked() {
			if t.log.waits && !t.ran {
				t.mailed++
			}
			w.poke(now, t)
		}
	}
}

// Materialize begins a snapshot of the wrapped backend, independently of checkpoints.
func (w *World) Materialize(now event.Time, id event.Task, gen uint32) {
	t := &w.Tasks[id]
	if t.Gen != gen || !t.Alive {
		return
	}
	c := t.log
	if _, ok := c.Materialize(now); !ok {
		panic("task: two materializations at a time")
	}
	c.number++
	c.counts.Started++
	c.next.Reset()
	t.Backend.Snapshot(now, c.number, state.Checkpoint, &c.next)
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

// MaterializeStored is called at the end of a materialization: no further checkpoint needs the log before it.
func (w *World) MaterializeStored(now event.Time, e *storage.Effect) {
	t := &w.Tasks[e.Client]
	if t.Gen != e.Gen || !t.Alive {
		if e.OK {
			w.Store.Regret(now, e)
		}
		return
	}
	c := t.log // the next one begins so long after the end of this one (PeriodicMaterializationManager)
	w.Queue.Push(sim.Item{At: now + c.every, Kind: event.DueMaterialize, A: t.ID, Gen: t.Gen})
	if e.OK {
		c.counts.Completed++
		c.counts.Duration = now - c.Began()
		t.Backend.Confirmed(now, c.number)
		c.base, c.next = c.next, c.base
		c.discarded = append(append(c.discarded[:0], c.next.Reused...), c.next.Upload...)
		c.next.Reset() // else the log would still own them
		w.release(now, t, c.discarded)
	} else {
		c.counts.Failed++
		t.Backend.Aborted(now, c.number)
	}
	w.carryLog(now, t, c.Materialized(e.OK, w.logged[:0]))
}

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
