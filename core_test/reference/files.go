package reference

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/core/state/storage"
)

// part is what a task stores for a checkpoint: its state in files of its own, those that are small in the metadata, and a file
// of channel state if it is the one to write that for others.
type part struct {
	files  []storage.Item
	inline int64
}

// part is a task's, empty if it has none.
func (s *save) part(t *task) *part {
	if s.parts[t] == nil {
		s.parts[t] = &part{}
	}
	return s.parts[t]
}

// flowFile is channel state of one checkpoint that several tasks of a task manager put into one file.
type flowFile struct {
	id    event.Checkpoint
	group int
}

// flowShare is what is there of it.
type flowShare struct {
	missing int   // tasks
	bytes   int64 // of the others
	owner   *task // the first of them
}

// largest is the largest piece of state that jobmanager storage takes.
const largest = core.JobManagerLimit

// snapshotFiles notes the files of a snapshot: the whole state, in as many files as are given. tooLarge: the storage does not take them.
func (t *task) snapshotFiles(id event.Checkpoint) (tooLarge bool) {
	p := &part{}
	if s := t.run.saves[id]; s != nil {
		p = s.part(t)
	}
	n := min(max(1, t.vertex.Snapshot.Files), t.size)
	for i := range n {
		t.files++
		bytes := t.size / n
		if i < t.size%n {
			bytes++
		}
		tooLarge = tooLarge || t.run.setup.Options.Storage == option.JobManagerStorage && bytes > largest
		if v := t.run.vault; v != nil && bytes <= v.inline {
			p.inline += bytes
			continue
		}
		p.files = append(p.files, storage.Item{Owner: t.id, ID: t.files, Bytes: bytes})
	}
	return tooLarge
}

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
	if files := s.part(t).files; len(files) > 0 {
		u.left++
		v.order(t.writes(storage.Snapshot, id), files...)
	}
	if o := &t.run.setup.Options; o.Unaligned && o.Mode == option.ExactlyOnce && !savepoint {
		if u.shares = true; !u.flows() {
			v.share(t, id)
		}
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

// group lists the tasks that put their channel state into one file with t: so many of a task manager in the order of their ids.
func (r *Run) group(t *task) (number int, tasks []*task) {
	var there []*task
	for _, o := range r.tasks {
		if r.manager(o) == r.manager(t) {
			there = append(there, o)
		}
	}
	size := max(1, r.setup.Options.ChannelFileSubtasks)
	for i, o := range there {
		if o == t {
			first := i / size * size
			return int(there[first].id), there[first:min(first+size, len(there))]
		}
	}
	return -1, nil
}

// share puts a task's channel state, which is complete, into the file of its group.
func (v *vault) share(t *task, id event.Checkpoint) {
	u, s := t.uploads[id], v.run.saves[id]
	if u == nil || !u.begun || !u.shares || u.shared || s == nil {
		return
	}
	u.shared = true
	number, tasks := v.run.group(t)
	key := flowFile{id, number}
	f := v.shares[key]
	if f == nil {
		f = &flowShare{owner: t}
		for _, o := range tasks {
			if o.alive {
				f.missing++
			}
		}
		v.shares[key] = f
	}
	f.missing--
	if f.bytes += u.bytes; f.missing > 0 {
		return
	}
	p := s.part(f.owner)
	if f.bytes <= v.inline {
		p.inline += f.bytes
		v.shared(f.owner, id)
		return
	}
	f.owner.flowFiles++
	file := storage.Item{Owner: f.owner.id, ID: storage.ChannelFile(f.owner.flowFiles), Bytes: f.bytes}
	p.files = append(p.files, file)
	v.order(f.owner.writes(storage.ChannelState, id), file)
}

// shared is the channel state of t's group being in the storage.
func (v *vault) shared(t *task, id event.Checkpoint) {
	number, tasks := v.run.group(t)
	delete(v.shares, flowFile{id, number})
	for _, o := range tasks {
		if u := o.uploads[id]; u != nil && u.shares {
			u.shares = false
			o.uploaded(id)
		}
	}
}

// leave is a task that gives a checkpoint up: the channel state of its group comes to nothing. id 0 = all of them.
func (v *vault) leave(t *task, id event.Checkpoint) {
	number, _ := v.run.group(t)
	for key := range v.shares {
		if key.group == number && (id == 0 || key.id == id) {
			delete(v.shares, key)
		}
	}
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
		u.left--
		t.uploaded(e.ID)
	}
}
