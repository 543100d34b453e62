package reference

import (
	"slices"

	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/core/state"
	"checkpointlab/core/state/storage"
)

// uses is who uses the files that several checkpoints may have (SharedStateRegistryImpl; spec 8.2), and whose the snapshots are that
// the job, or its JobManager, has started from.
type uses struct {
	of     map[name]*use
	from   map[event.Checkpoint]bool // those that it has started from; is one kept as long as any of its files is used?
	theirs event.Checkpoint          // nothing that one up to this has stored is deleted
	held   []event.Checkpoint

	described bool // a changelog's files come with their whole description
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

func newUses() uses { return uses{of: map[name]*use{}, from: map[event.Checkpoint]bool{}} }

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
	if u.described {
		return false
	}
	for _, f := range p.reused {
		if !f.inline && u.of[f.name()] == nil {
			return true
		}
	}
	return false
}

// keeps reports whether a checkpoint stays though it is subsumed: one from lowest on uses a file of it.
func (u *uses) keeps(id, lowest event.Checkpoint) bool {
	whole, from := u.from[id]
	for _, x := range u.of {
		if x.last >= lowest && x.first == id && from && (x.pins || whole) {
			return true
		}
	}
	return false
}

// unused forgets the files that no checkpoint from lowest on has, and gives those that the job deletes.
func (v *vault) unused(lowest event.Checkpoint) (items []storage.Item) {
	for n, x := range v.uses.of {
		if x.last >= lowest {
			continue
		}
		delete(v.uses.of, n)
		if x.first > v.uses.theirs {
			items = append(items, x.item)
		} else {
			v.store.Abandon(n.owner, n.id)
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
			if mode != option.Claim {
				s.foreign = true
				r.coordinator.Disown(id)
				v.keep(id)
			}
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
	u.from[id] = s.kind == state.NativeSavepoint
	if o.ClaimMode != option.Claim {
		u.theirs = id
	}
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
}

// recover is another JobManager that finds the completed checkpoints. What else there is of the job's nobody knows any more.
func (v *vault) recover() {
	before := v.uses
	v.uses = newUses()
	for _, id := range v.run.coordinator.Retained() {
		if s := v.run.saves[id]; !s.foreign {
			v.takeOver(s, id)
		}
	}
	for n := range before.of {
		v.abandon(n)
	}
	for _, id := range before.held {
		for _, p := range v.run.saves[id].parts {
			for _, f := range p.files() {
				if !f.inline {
					v.abandon(f.name())
				}
			}
		}
		v.store.Abandon(storage.Master, uint64(id))
		delete(v.run.saves, id)
	}
}

// abandon leaves a file to nobody, unless a checkpoint that is known may use it.
func (v *vault) abandon(n name) {
	if v.uses.of[n] == nil {
		v.store.Abandon(n.owner, n.id)
	}
}
