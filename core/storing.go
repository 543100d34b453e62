package core

import (
	"checkpointlab/core/checkpoint"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/core/sim"
	"checkpointlab/core/state"
	"checkpointlab/core/state/storage"
	"checkpointlab/core/task"
)

// storing is the coordinator's side of the storage: who uses a shared file, what is being read for a restore.
type storing struct {
	registries []state.Registry // by task, for no task uses another's files
	deleted    []state.Handle   // reused
	inUse      []event.Checkpoint
	held       []event.Checkpoint // that are subsumed and cannot be deleted yet, because some of their files are in use
	since      []event.Time       // by task: since when it runs where it does, so that local copies are there
}

// handleBytes is what a file takes in the metadata: its path, its size and its key groups. Paths of checkpoints are about that
// long (…/chk-N/ and a UUID of 36 letters).
const handleBytes = 150

// JobManagerLimit is the most of a piece of state that jobmanager storage takes (JobManagerCheckpointStorage,
// DEFAULT_MAX_STATE_SIZE): 5 mb.
const JobManagerLimit = 5 << 20

func (l *Lab) newStorage() {
	l.storing.registries = make([]state.Registry, l.plan.tasks)
	for i := range l.storing.registries {
		l.storing.registries[i] = state.NewRegistry()
	}
	l.storing.since = make([]event.Time, l.plan.tasks)
	l.world.PartsOf, l.world.Inherit, l.world.Phase = l.partsOf, l.inherit, l.plan.phase
	if l.plan.setup.Storage.On {
		l.world.Store = storage.New(l.plan.storageConfig(), &l.queue)
		l.world.Inline = inlineUpTo(&l.plan.setup.Options)
		l.world.Groups = l.plan.groups
		l.world.Offsets = sim.NewStream(l.plan.setup.Seed, "materialization")
		l.world.Registered = func(t event.Task, id uint64) bool { return l.storing.registries[t].Has(int64(id)) }
	}
	if l.plan.setup.Options.Storage == option.JobManagerStorage {
		l.world.MaxPiece = JobManagerLimit
	}
}

func (s *storing) copyFrom(src *storing) {
	for i := range src.registries {
		s.registries[i].CopyFrom(&src.registries[i])
	}
	s.held, s.since = append(s.held[:0], src.held...), append(s.since[:0], src.since...)
}

// stored handles the ends of orders.
func (l *Lab) stored(now event.Time, ends []storage.Effect) {
	for i := range ends {
		e := &ends[i]
		kind := event.FilesStored
		if !e.OK {
			kind = event.FilesFailed
		}
		l.feed.Emit(event.Event{At: now, Kind: kind, Task: e.Client, Checkpoint: e.ID, A: e.Bytes, N: e.Requests, B: int64(e.Purpose)})
	}
	for i := range ends {
		l.storedOne(now, ends[i])
	}
	l.world.Store.Told()
}

func (l *Lab) storedOne(now event.Time, e storage.Effect) {
	switch e.Purpose {
	case storage.Snapshot, storage.ChannelState:
		l.world.Stored(now, &e)
	case storage.Metadata:
		l.carry(now, l.coord.Finalized(now, e.ID, checkpoint.Written(e.OK), l.effects[:0]))
	case storage.Cleaning:
		l.carry(now, l.coord.Cleaned(now, e.ID, l.effects[:0]))
	case storage.Log:
		l.world.LogStored(now, &e)
	case storage.Materialize:
		l.world.MaterializeStored(now, &e)
	case storage.Restore, storage.Replay:
		l.restoredPart(now, &e)
	}
}

// unknownFiles reports whether a part refers to a file of its base that is already deleted: with several checkpoints at a time
// the base may be subsumed by one that shares nothing with it before this one is acknowledged. Flink cannot register such a
// part ("Attempt to reference unknown state", SharedStateRegistryImpl.registerReference), logs it, and the checkpoint expires.
func (l *Lab) unknownFiles(t event.Task, id event.Checkpoint) bool {
	s := l.world.Save(id)
	if l.world.Store == nil || s == nil || l.plan.setup.Options.Changelog { // a changelog's files come with their whole description
		return false
	}
	for _, f := range s.Parts[t].Reused {
		if !l.storing.registries[t].Has(int64(f.ID)) {
			return true
		}
	}
	return false
}

// register registers the files of a part that was acknowledged in time (CheckpointCoordinator.receiveAcknowledgeMessage).
func (l *Lab) register(t event.Task, id event.Checkpoint) {
	s := l.world.Save(id)
	if l.world.Store == nil || s == nil {
		return
	}
	r := &l.storing.registries[t]
	for _, f := range s.Parts[t].Upload {
		if f.Shared {
			r.Register(state.Handle{Key: int64(f.ID), Bytes: f.Bytes}, id, false)
		}
	}
	l.registerKept(t, &s.Parts[t], id)
}

// registerKept notes the files that a part has of earlier snapshots, and its log. Files of a materialization are new to the
// coordinator; a savepoint's that a changelog goes on from keep the savepoint as a whole (spec 8.3).
func (l *Lab) registerKept(t event.Task, p *state.Part, id event.Checkpoint) {
	for _, f := range p.Reused {
		l.storing.registries[f.Owner(t)].Register(state.Handle{Key: int64(f.ID), Bytes: f.Bytes}, id, f.Whole)
	}
	for _, g := range p.Log {
		l.storing.registries[g.Owner(t)].Register(state.Handle{Key: int64(storage.LogFile(g.Number)), Bytes: g.Bytes()}, id, false)
	}
}

// finalize writes a checkpoint's metadata: what is inline, and an entry for each file.
func (l *Lab) finalize(now event.Time, id event.Checkpoint) {
	if !l.plan.setup.Storage.On {
		l.queue.Push(sim.Item{At: now + l.plan.setup.Control.Finalize, Kind: event.DueFinalized, ID: id})
		return
	}
	bytes := int64(0)
	if s := l.world.Save(id); s != nil {
		for i := range s.Parts {
			p := &s.Parts[i]
			bytes += p.Inline + handleBytes*int64(len(p.Upload)+len(p.Reused))
		}
	}
	st := l.world.Store
	o := st.Place(storage.Head{Op: storage.Write, Purpose: storage.Metadata, Client: storage.Master, Manager: storage.Master, ID: id})
	st.Add(o, storage.Item{Owner: storage.Master, ID: uint64(id), Bytes: bytes})
	st.Start(now, o)
}

// restore makes the tasks of a restart read what they restore from; they run when the last one has read it and cut it to its
// key groups.
func (l *Lab) restore(now event.Time, b *comeback, tasks []event.Task) {
	st, s := l.world.Store, l.world.Save(b.restored)
	b.reads, b.cutting = true, 0
	l.notesRestore(now, b.restored)
	for _, t := range tasks {
		l.world.Tasks[t].Begins(now)
	}
	if s != nil && b.restored != 0 {
		for _, t := range tasks {
			b.cutting = max(b.cutting, l.rebuild(t, s)+l.readCopy(t, s))
			if st != nil {
				l.readParts(now, t, s, b.gen)
			}
		}
	}
	l.runOnceRead(now, b)
}

// rebuild is how long a task's backend takes to begin from its parts of a checkpoint once all files are there.
func (l *Lab) rebuild(t event.Task, s *task.Save) event.Time {
	b, ok := l.world.Tasks[t].Backend.(state.Rebuilding)
	if !ok {
		return 0
	}
	bytes := int64(0)
	l.scratch, l.ofParts = l.pieces(t, s, l.scratch[:0]), l.ofParts[:0]
	for i := range l.scratch {
		p := &l.scratch[i]
		l.ofParts = append(l.ofParts, p.part)
		mine := func(f *state.File) {
			if share := l.shareOf(t, p, f.Of, f.Phase); share.all > 0 && !f.Operator && !storage.IsChannelState(f.ID) {
				bytes += share.of(f.Bytes)
			}
		}
		for f := range p.part.Files() {
			mine(&f)
		}
		for k := range p.part.Small {
			mine(&p.part.Small[k])
		}
	}
	for _, f := range l.lists(t, s, true) {
		bytes += f.Bytes
	}
	return b.Rebuild(l.ofParts, bytes)
}

// runOnceRead starts the tasks of a restart once none of them reads any more and the parts are cut.
func (l *Lab) runOnceRead(now event.Time, b *comeback) {
	if !b.reads {
		return
	}
	for t, reading := range l.back.reading {
		if reading && l.back.of[t] == b.gen {
			return
		}
	}
	b.reads = false
	l.queue.Push(sim.Item{At: now + b.cutting + l.plan.setup.Control.Restore, Kind: event.DueRunning, Gen: b.gen})
}

// readParts makes a task read what it needs of a checkpoint.
func (l *Lab) readParts(now event.Time, t event.Task, s *task.Save, gen uint32) {
	st := l.world.Store
	l.scratch = l.pieces(t, s, l.scratch[:0])
	o := st.Place(storage.Head{
		Op: storage.Read, Purpose: storage.Restore, Client: t, Manager: l.world.Tasks[t].Manager, Threads: l.scratch[0].part.Threads, Number: int64(gen),
	})
	for i := range l.scratch {
		p := &l.scratch[i]
		for f := range p.part.Files() {
			if n := l.reads(t, p, s, f); n > 0 && l.fetches(t, s, f) {
				st.Add(o, storage.Item{Owner: f.Owner(p.owner), Shared: f.Shared, ID: f.ID, Bytes: n})
			}
		}
	}
	for owner, f := range l.lists(t, s, false) {
		st.Add(o, storage.Item{Owner: f.Owner(owner), ID: f.ID, Bytes: f.Bytes})
	}
	l.back.reading[t] = true
	st.Start(now, o)
}

// readLog makes a task that has its base read the log after it, one file at a time, and apply what belongs to its key groups
// (ChangelogBackendRestoreOperation, ChangelogBackendLogApplier). False: it has no log to read.
func (l *Lab) readLog(now event.Time, t event.Task, b *comeback) bool {
	st, s := l.world.Store, l.world.Save(b.restored)
	if s == nil {
		return false
	}
	l.scratch = l.pieces(t, s, l.scratch[:0])
	o, logged := int32(-1), int64(0)
	for i := range l.scratch {
		p := &l.scratch[i]
		for _, g := range p.part.Log {
			mine := l.shareOf(t, p, g.Of, g.Phase)
			if mine.all == 0 {
				continue
			}
			if logged += mine.of(g.Bytes()); l.hasCopy(t, s) {
				continue
			}
			if o < 0 {
				o = st.Place(storage.Head{Op: storage.Read, Purpose: storage.Replay, Client: t, Manager: l.world.Tasks[t].Manager, Number: int64(b.gen)})
			}
			st.Add(o, storage.Item{Owner: g.Owner(p.owner), Shared: true, ID: storage.LogFile(g.Number), Bytes: g.Bytes()})
		}
	}
	if replay := l.plan.setup.Storage.Replay; replay > 0 && logged > 0 {
		b.cutting = max(b.cutting, storage.Duration(logged, replay))
	}
	if o >= 0 {
		st.Start(now, o)
	}
	return o >= 0
}

// readCopy is how long a task reads its part of a checkpoint from its task manager's disk. RocksDB links the files that are
// there (RocksDBHandle, RocksDBIncrementalRestoreOperation.restoreLocalState); others are read. Operator state is not there.
func (l *Lab) readCopy(t event.Task, s *task.Save) event.Time {
	p := &s.Parts[t]
	if !l.hasCopy(t, s) || p.Threads > 0 {
		return 0
	}
	copied := p.Full
	if f, _, ok := p.Operator(); ok {
		copied -= f.Bytes
	}
	return storage.Duration(copied, l.plan.setup.Cluster.diskThroughput())
}

// restoredPart is a task having read its base or its log. One that cannot fails.
func (l *Lab) restoredPart(now event.Time, e *storage.Effect) {
	b := l.back.find(uint32(e.Number))
	if b == nil || l.back.of[e.Client] != b.gen || !l.back.reading[e.Client] {
		return
	}
	if !e.OK {
		l.failStarting(now, e.Client, event.StateUnread)
		return
	}
	if e.Purpose == storage.Restore && l.readLog(now, e.Client, b) {
		return
	}
	l.back.reading[e.Client] = false
	l.runOnceRead(now, b)
}

// changeStorage is a fault of the storage, or its end.
func (l *Lab) changeStorage(now event.Time, a *Action) {
	for _, master := range []bool{false, true} {
		if a.Where == OnlyTasks && master || a.Where == OnlyJobManager && !master {
			continue
		}
		if a.Slow > 0 {
			l.world.Store.Slow(now, master, a.Slow)
		}
		if a.Fail >= 0 {
			l.world.Store.Fail(master, a.Fail)
		}
		if a.By > 0 {
			l.world.Store.Delay(master, a.Late, a.By)
		}
	}
}
