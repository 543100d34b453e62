package reference

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/core/state"
	"checkpointlab/core/state/storage"
)

// file is a piece of a task's state that was stored once. A small one lies in the metadata of each checkpoint that has it.
type file struct {
	storage.Item
	inline   bool
	operator bool // it holds what belongs to no key
}

// part is what a task has in a checkpoint: files that were stored for it, and files that were stored for earlier ones.
type part struct {
	made, reused []file
	full, stored int64      // bytes of all, and of those that were stored for it, without channel state
	threads      int        // files that are moved at once
	taken        event.Time // when it was

	sync, async event.Time    // that the backend needs for it
	states      []*entries    // that it holds
	groups      map[int]int64 // bytes by key group
}

// part is a task's, empty if it has none.
func (s *save) part(t *task) *part {
	if s.parts[t] == nil {
		s.parts[t] = &part{threads: 1, taken: -1}
	}
	return s.parts[t]
}

// files is all of them, those of earlier checkpoints first.
func (p *part) files() []file { return append(append([]file(nil), p.reused...), p.made...) }

// inlined is the bytes that lie in the metadata, and files how many do not.
func (p *part) inlined() (bytes int64, files int) {
	for _, f := range p.files() {
		if f.inline {
			bytes += f.Bytes
		} else {
			files++
		}
	}
	return bytes, files
}

// largest is the largest piece of state that jobmanager storage takes.
const largest = core.JobManagerLimit

// takeState is the task's state as a snapshot has it; below: that of the state under a changelog. tooLarge: the storage does not take it.
func (t *task) takeState(id event.Checkpoint, kind state.Kind, below bool) (p *part, tooLarge bool) {
	p = &part{taken: t.run.now}
	switch {
	case t.logged != nil && kind == state.Checkpoint && !below: // the rest is in the log
		p.threads = 1
		if t.hashmap != nil {
			t.hashmap.storeOwn(p)
			t.hashmap.note(p)
		}
	case t.hashmap != nil:
		p.threads = 1
		t.hashmap.snapshot(id, p)
	case t.vertex.Snapshot.Change == 0:
		p.threads, p.made = 1, t.whole()
	default:
		p.threads = 4
		p.reused, p.made = t.changes(id, kind)
	}
	for _, f := range p.made {
		p.stored += f.Bytes
		tooLarge = tooLarge || t.run.setup.Options.Storage == option.JobManagerStorage && f.Bytes > largest
	}
	p.full = p.stored
	for _, f := range p.reused {
		p.full += f.Bytes
	}
	if v := t.run.vault; v != nil {
		for _, files := range [][]file{p.made, p.reused} {
			for i := range files {
				files[i].inline = files[i].Bytes <= v.inline
			}
		}
	}
	return p, tooLarge
}

// newFile is one that the task stores.
func (t *task) newFile(bytes int64, shared bool) file {
	t.files++
	return file{Item: storage.Item{Owner: t.id, Shared: shared, ID: t.files, Bytes: bytes}}
}

// withoutOperator is the files that were made of what belongs to keys.
func (p *part) withoutOperator() (files []file) {
	for _, f := range p.made {
		if !f.operator {
			files = append(files, f)
		}
	}
	return files
}

// whole is all of the state, in as many files as are given.
func (t *task) whole() (files []file) {
	n := min(max(1, t.vertex.Snapshot.Files), t.size)
	for i := range n {
		bytes := t.size / n
		if i < t.size%n {
			bytes++
		}
		files = append(files, t.newFile(bytes, false))
	}
	return files
}
