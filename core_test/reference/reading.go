package reference

import (
	"checkpointlab/core/event"
	"checkpointlab/core/job"
	"checkpointlab/core/state"
	"checkpointlab/core/state/keyed"
	"checkpointlab/core/state/storage"
)

// What a task reads to go on from a checkpoint (spec 9.3, 10.4).

// piece is a part that holds state of a task: mine of all of its key groups.
type piece struct {
	part      *part
	mine, all int64
}

// sameState reports whether a task goes on from its own part of a checkpoint.
func (r *Run) sameState(t *task, s *save) bool {
	return !s.dropped[t.vertexIndex] && s.parallelism[t.vertexIndex] == t.vertex.Parallelism
}

// pieces are the parts of a checkpoint that hold a task's state: its own, or those of all subtasks that had some of its key groups.
func (r *Run) pieces(t *task, s *save) (all []piece) {
	if s.dropped[t.vertexIndex] {
		return nil
	}
	if r.sameState(t, s) {
		return []piece{{s.part(t), 1, 1}}
	}
	most, then := r.setup.MaxParallel, s.parallelism[t.vertexIndex]
	for _, o := range r.all {
		if o.vertexIndex != t.vertexIndex || o.index >= then {
			continue
		}
		p := piece{part: s.part(o)}
		for group := range most {
			if job.SubtaskOf(group, then, most) == o.index {
				p.all++
				if job.SubtaskOf(group, t.vertex.Parallelism, most) == t.index {
					p.mine++
				}
			}
		}
		if p.mine > 0 {
			p.weigh(t)
			all = append(all, p)
		}
	}
	return all
}

// weigh counts bytes instead of key groups, if it is known how many each has.
func (p *piece) weigh(t *task) {
	mine, all := int64(0), int64(0)
	for group, n := range p.part.groups {
		if all += n; job.SubtaskOf(group, t.vertex.Parallelism, t.run.setup.MaxParallel) == t.index {
			mine += n
		}
	}
	if all > 0 {
		p.mine, p.all = mine, all
	}
}

// read is how much of a file its reader gets: RocksDB's are read whole, others key group by key group.
func (p *piece) read(f file, s *save) storage.Item {
	item := f.Item
	if whole := f.Shared || s.kind != state.CanonicalSavepoint && p.part.threads > 1 && !storage.IsChannelState(f.ID); !whole {
		item.Bytes = f.Bytes * p.mine / p.all
	}
	return item
}

// restore lets the tasks of an attempt read what they go on from.
func (r *Run) restore(a *attempt) {
	s := r.saves[a.restored]
	a.reads = true
	defer r.whenRead(a)
	if s == nil {
		return
	}
	for _, t := range r.with(a) {
		a.cutting = max(a.cutting, r.copied(t, s)+r.rebuilt(t, s))
		if r.vault == nil {
			continue
		}
		var items []storage.Item
		threads := 1
		for i, p := range r.pieces(t, s) {
			if i == 0 {
				threads = p.part.threads
			}
			for _, f := range p.part.files() {
				if item := p.read(f, s); !f.inline && !f.operator && item.Bytes > 0 && (storage.IsChannelState(f.ID) || !r.onDisk(t, s)) {
					items = append(items, item)
				}
			}
		}
		for _, l := range r.lists(t, s) {
			if !l.file.inline {
				items = append(items, l.item())
			}
		}
		t.reading = true
		h := storage.Head{Op: storage.Read, Purpose: storage.Restore, Client: t.id, Manager: int32(r.manager(t)), Number: a.number}
		r.vault.orderItems(h, threads, items...)
	}
}

// copied is how long a task reads its part from its task manager's disk. RocksDB links its files; operator state has no copy there.
func (r *Run) copied(t *task, s *save) event.Time {
	p, n := s.part(t), int64(0)
	if !r.onDisk(t, s) || p.threads > 1 {
		return 0
	}
	for _, f := range p.files() {
		if !f.operator && !storage.IsChannelState(f.ID) {
			n += f.Bytes
		}
	}
	return storage.Duration(n, r.diskThroughput())
}

// rebuilt is how long it takes to make objects of what a task has read.
func (r *Run) rebuilt(t *task, s *save) event.Time {
	n := int64(0)
	if t.hashmap == nil {
		return 0
	}
	for _, p := range r.pieces(t, s) {
		for _, f := range p.part.files() {
			if !f.operator && !storage.IsChannelState(f.ID) {
				n += keyed.Scale(f.Bytes, p.mine, p.all)
			}
		}
	}
	for _, l := range r.lists(t, s) {
		n += l.bytes
	}
	return keyed.Scale(n, event.Second, reading)
}

// onDisk reports whether a task's part of a checkpoint is on the disk of its task manager.
func (r *Run) onDisk(t *task, s *save) bool {
	o := &r.setup.Options
	return o.LocalBackup && o.FromLocal && !isSavepoint(s.kind) && s.phase == r.phaseNumber && s.part(t).taken >= t.diskSince
}

// diskThroughput is bytes a second of a task manager's disk: of a local SSD if the setup names none.
func (r *Run) diskThroughput() int64 {
	if n := r.setup.Cluster.Disk.Throughput; n > 0 {
		return n
	}
	return 1_000_000_000
}

// read is a task having read what it goes on from, or not: then it fails, no sooner than a millisecond after the attempt began.
func (v *vault) read(e *storage.Effect) {
	r, t := v.run, v.run.all[e.Client]
	a := t.attempt
	if a == nil || a.number != e.Number || !t.reading {
		return
	}
	if !e.OK {
		fail := func() {
			if t.attempt == a {
				r.fail(r.region(t), t.id)
			}
		}
		if at := a.began + event.Millisecond; r.now < at {
			r.agenda.afterIn(r.master(), at, fail)
			return
		}
		fail()
		return
	}
	t.reading = false
	r.whenRead(a)
}
