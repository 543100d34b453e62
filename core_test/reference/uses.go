package reference

import (
	"slices"

	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/core/state"
	"checkpointlab/core/state/storage"
)

// uses is who uses the files that several checkpoints may have (SharedStateRegistryImpl; spec 8.2), and whose the snapshots are that
// the job has started from.
type uses struct {
	of     map[name]*use
	from   event.Checkpoint // the one that the job has started from, 0 = none
	whole  bool             // it is kept as long as any of its files is used
	theirs bool             // it is its user's
	held   []event.Checkpoint
}

// name is what a file is known by.
type name struct {
	owner int32
	id    uint64
}

func (f *file) name() name { return name{f.Owner, f.ID} }

// use is a file with the first and the last checkpoint that has it.
type use struct {
	item        storage.Item
	first, last event.Checkpoint
	pins        bool // the first one is kept as a whole if the job has started from it
}

func newUses() uses { return uses{of: map[name]*use{}} }

// register notes that a checkpoint has a file.
func (u *uses) register(f file, id event.Checkpoint, pins bool) {
	if f.inline {
		return
	}
	if x := u.of[f.name()]; x != nil {
		x.last, x.pins = max(x.last, id), x.pins || pins
		return
	}
	u.of[f.name()] = &use{item: f.Item, first: id, last: id}
}

// registerPart notes the files that a task has in a checkpoint which later ones may use.
func (u *uses) registerPart(p *part, id event.Checkpoint) {
	for _, f := range p.files() {
		if f.Shared {
			u.register(f, id, false)
		}
	}
}

// unknown reports whether a checkpoint has a file of an earlier one that was deleted with that.
func (u *uses) unknown(p *part) bool {
	for _, f := range p.reused {
		if !f.inline && u.of[f.name()] == nil {
			return true
		}
	}
	return false
}

// keeps reports whether a checkpoint stays though it is subsumed: one from lowest on uses a file of it.
func (u *uses) keeps(id, lowest event.Checkpoint) bool {
	for _, x := range u.of {
		if x.last >= lowest && x.first == id && id == u.from && (x.pins || u.whole) {
			return true
		}
	}
	return false
}

// unused forgets the files that no checkpoint from lowest on has, and gives those that the job deletes.
func (u *uses) unused(lowest event.Checkpoint) (items []storage.Item) {
	for n, x := range u.of {
		if x.last >= lowest {
			continue
		}
		delete(u.of, n)
		if !u.theirs || x.first > u.from {
			items = append(items, x.item)
		}
	}
	slices.SortFunc(items, func(a, b storage.Item) int {
		if a.Owner != b.Owner {
			return int(a.Owner - b.Owner)
		}
		return int(int64(a.ID) - int64(b.ID))
	})
	return items
}

// claim is a new job that starts from a snapshot of one that was cancelled or has finished: whose the snapshot is then says the claim
// mode. What else a cancelled one leaves is its user's; one that has finished has deleted it.
func (r *Run) claim(id event.Checkpoint, finished bool) {
	s, mode := r.saves[id], r.setup.Options.ClaimMode
	r.coordinator.ForceFull(mode == option.NoClaim && s != nil)
	for _, t := range r.all {
		t.diskSince = r.now
	}
	if v := r.vault; v != nil {
		v.uses = newUses()
		if s != nil {
			v.takeOver(s, id)
		}
		for other, o := range r.saves {
			if other != id && !finished && !o.foreign {
				v.keep(other)
			}
		}
	}
	for other := range r.saves {
		if other != id {
			delete(r.saves, other)
		}
	}
}

// takeOver notes what a snapshot has of files that later checkpoints may use.
func (v *vault) takeOver(s *save, id event.Checkpoint) {
	u, o := &v.uses, &v.run.setup.Options
	u.from, u.whole, u.theirs = id, s.kind == state.NativeSavepoint, o.ClaimMode != option.Claim
	logged := o.Changelog && isSavepoint(s.kind)
	for _, t := range v.run.all {
		p := s.part(t)
		for _, f := range p.made {
			if f.Shared || logged || s.kind == state.NativeSavepoint && t.vertex.Snapshot.Change > 0 {
				u.register(f, id, false)
			}
		}
		for _, f := range p.reused {
			u.register(f, id, false)
		}
	}
	if u.theirs {
		s.foreign = true
		v.run.coordinator.Disown(id)
		v.keep(id)
	}
}
