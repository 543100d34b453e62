package core

import (
	"fmt"

	"checkpointlab/core/event"
	"checkpointlab/core/state"
	"checkpointlab/core/state/storage"
)

// storage: every file of a retained checkpoint is there, and what is there is somebody's: of a checkpoint that is retained or
// pending, of an order under way, or of a savepoint (issue: every byte of a retained checkpoint exists in storage, and no
// unreferenced file stays after cleaning).
func (a *Auditor) storage() error {
	l := a.lab
	st := l.world.Store
	if st == nil {
		return nil
	}
	for _, id := range l.coord.Retained() {
		s := l.world.Save(id)
		if s == nil || !st.Has(storage.Master, uint64(id)) {
			return fmt.Errorf("retained checkpoint %d has no metadata", id)
		}
		for t := range s.Parts {
			p := &s.Parts[t]
			if n := filesOf(p) + p.Inline; (n < p.Full || n > p.Full && len(p.Log) == 0) && p.Full > 0 && !l.plan.setup.Options.Unaligned {
				return fmt.Errorf("task %d has %d bytes of files and metadata in checkpoint %d, its state is %d", t, n, id, p.Full)
			}
			for f := range p.Files() {
				if !st.Has(f.Owner(event.Task(t)), f.ID) {
					return fmt.Errorf("file %d of task %d, of retained checkpoint %d, is not in the storage", f.ID, t, id)
				}
			}
			for _, g := range p.Log {
				if !st.Has(g.Owner(event.Task(t)), storage.LogFile(g.Number)) {
					return fmt.Errorf("segment %d of the log of task %d, of retained checkpoint %d, is not in the storage", g.Number, t, id)
				}
			}
		}
	}
	return a.referenced()
}

func filesOf(p *state.Part) (n int64) {
	for f := range p.Files() {
		n += f.Bytes
	}
	for _, g := range p.Log {
		n += g.To - g.From
	}
	return n
}

// referenced finds a file that nobody will use or delete.
func (a *Auditor) referenced() (err error) {
	l := a.lab
	type key struct {
		owner int32
		id    uint64
	}
	used := map[key]bool{}
	for i := range l.world.Saves {
		s := &l.world.Saves[i]
		if s.ID == 0 {
			continue
		}
		used[key{storage.Master, uint64(s.ID)}] = true
		for t := range s.Parts {
			for f := range s.Parts[t].Files() {
				used[key{f.Owner(event.Task(t)), f.ID}] = true
			}
			for _, g := range s.Parts[t].Log {
				used[key{g.Owner(event.Task(t)), storage.LogFile(g.Number)}] = true
			}
		}
	}
	l.world.Store.Each(func(owner int32, id uint64, bytes int64, orphan bool) {
		switch {
		case err != nil || orphan || used[key{owner, id}] || l.world.Store.Underway(owner, id):
		case owner >= 0 && (l.storing.registries[owner].Has(int64(id)) || l.world.Owns(owner, id)):
		default:
			err = fmt.Errorf("file %d of task %d, %d bytes, is in the storage and nobody's", id, owner, bytes)
		}
	})
	return err
}
