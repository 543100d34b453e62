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
	number    int64      // of the last snapshot of the backend, a materialization or a savepoint: its id for the backend
	made      int64      // … of the last materialization that was begun, or native savepoint
	making    int64      // … of the materialization under way
	settled   int64      // … of the last one that a completed checkpoint is based on, or that failed
	of        int64      // … of the one that checkpoints are based on; 0 = what was restored
	uses      []basis    // checkpoints of which it is not known what became, oldest first
	base      state.Part // what the latest one has in the storage
	next      state.Part // what the one under way writes,
	written   bool       // all of which is there, and the thread has yet to hear it
	discarded []state.File
	full      bool       // it was, behind the event that was read last
	waits     bool       // the thread waits until more of it is written,
	since     event.Time // since then,
	waited    event.Time // and has waited so long before (changelogBusyTimeMsPerSecond)
	counts    LogCounts
}

// basis is a checkpoint, or a native savepoint, and the materialization that it has.
type basis struct {
	id event.Checkpoint
	of int64
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
	c.every, c.number, c.made, c.making, c.settled, c.of, c.written = src.every, src.number, src.made, src.making, src.settled, src.of, src.written
	c.uses = append(c.uses[:0], src.uses...)
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
	c.uses = append(c.uses, basis{cp, c.of})
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
		if t.log.Freed(e.Number); blocked && !t.LogBlocked() {
			if t.log.waits && !t.ran {
				t.mailed++
			}
			w.poke(now, t)
		}
		w.tellLog(now, t, event.MailLogged, e.Number)
	}
}

// tellLog lets a task's thread hear what was stored of its log; a mailbox that is closed takes nothing, though what is being stored is waited
// for.
func (w *World) tellLog(now event.Time, t *Task, kind event.Mail, number int64) {
	if t.End.closing {
		w.hearsOfLog(now, t, kind, number)
		return
	}
	w.Mail(now, t.ID, kind, number)
}

// hearsOfLog is the thread hearing it.
func (w *World) hearsOfLog(now event.Time, t *Task, kind event.Mail, number int64) {
	if kind == event.MailMaterialized {
		w.materialized(now, t)
		return
	}
	w.carryLog(now, t, t.log.Uploaded(number, w.logged[:0]))
}

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

// limitByLog ends the step with the record whose change is uploaded ahead of a checkpoint, with all before it.
func (t *Task) limitByLog() {
	left := t.log.Left()
	if t.logs(t.Step.N) < left {
		return
	}
	least, most := int64(1), t.Step.N // of so many the change is uploaded
	for least < most {
		if n := (least + most) / 2; t.logs(n) < left {
			least = n + 1
		} else {
			most = n
		}
	}
	t.Step.N = most
}

// logs is how many bytes of changes the next n records make.
func (t *Task) logs(n int64) int64 {
	bytes := n * t.Change
	if b, ok := t.Working.(state.Logging); ok {
		bytes += b.Logs(n)
	}
	return bytes
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
