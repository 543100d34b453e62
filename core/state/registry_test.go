package state

import (
	"slices"
	"testing"

	"checkpointlab/core/event"

	"pgregory.net/rapid"
)

// storage is what lies in storage, by copy.
type storage map[int64]bool

func (s storage) put(files []File) {
	for _, f := range files {
		s[f.Copy] = true
	}
}

func (s storage) remove(t *rapid.T, files []File) {
	for _, f := range files {
		if !s[f.Copy] {
			t.Fatalf("%v is deleted and is not there", f)
		}
		delete(s, f.Copy)
	}
}

// shared is a subtask with its backend, and a coordinator with a registry and retained checkpoints around it.
type shared struct {
	t                 *rapid.T
	backend, twin     Incremental
	registry, copied  Registry
	live              []File
	key               int64
	next              event.Checkpoint
	disk              storage
	users             map[int64]event.Checkpoint // by upload: the newest checkpoint that refers to it
	pending, retained map[event.Checkpoint][]File
	lowest            event.Checkpoint
}

// TestRetainedCheckpointsKeepTheirFiles: a backend with compactions, incremental snapshots, checkpoints that complete, abort or
// are restored, savepoints; the registry with some retained checkpoints. At each instant every retained and every pending
// checkpoint's files are in storage, and what no checkpoint from the lowest retained one on refers to is not (spec 8.2).
func TestRetainedCheckpointsKeepTheirFiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &shared{
			t: t, registry: NewRegistry(), copied: NewRegistry(), next: 1, disk: storage{}, users: map[int64]event.Checkpoint{},
			pending: map[event.Checkpoint][]File{}, retained: map[event.Checkpoint][]File{},
		}
		retain := rapid.IntRange(1, 3).Draw(t, "num-retained")
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			switch rapid.SampledFrom([]string{"flush", "compact", "snapshot", "savepoint", "complete", "complete", "abort", "restore", "copy"}).Draw(t, "step") {
			case "flush":
				s.key++
				s.live = append(s.live, File{Key: s.key, Bytes: rapid.Int64Range(1, 9).Draw(t, "bytes")})
			case "compact":
				if len(s.live) > 1 {
					s.key++
					s.live = append(s.live[rapid.IntRange(1, len(s.live)).Draw(t, "rewritten"):], File{Key: s.key, Bytes: 5})
				}
			case "snapshot":
				s.snapshot()
			case "savepoint":
				for _, n := range []*Incremental{&s.backend, &s.twin} {
					n.Snapshot(s.next, s.live, 0, NoSharing, nil)
					n.Complete(s.next)
				}
				s.next++
			case "complete":
				s.complete(retain)
			case "abort":
				if id := newest(s.pending); id != 0 {
					delete(s.pending, id)
					s.backend.Abort(id)
					s.twin.Abort(id)
				}
			case "restore":
				s.restore()
			case "copy":
				var other Incremental
				other.CopyFrom(&s.twin)
				s.twin.CopyFrom(&other)
				s.copied.CopyFrom(&s.registry)
				s.registry, s.copied = s.copied, s.registry
			}
			s.check()
		}
	})
}

// snapshot takes a checkpoint and acknowledges it: its files are registered then, before it is complete.
func (s *shared) snapshot() {
	files, size := s.backend.Snapshot(s.next, s.live, 0, ForwardBackward, nil)
	again, sameSize := s.twin.Snapshot(s.next, s.live, 0, ForwardBackward, nil)
	if !slices.Equal(files, again) || size != sameSize {
		s.t.Fatalf("a copy uploads %v %v, it itself %v %v", again, sameSize, files, size)
	}
	checkUpload(s.t, files, size, s.retained[s.backend.Base()])
	s.disk.put(files)
	for _, f := range files {
		use := f.Upload(7)
		if kept, deleted := s.registry.Register(use, s.next, false, nil); kept != use || len(deleted) > 0 {
			s.t.Fatalf("%v is registered as %v, %v deleted", use, kept, deleted)
		}
		s.users[f.Copy] = s.next
	}
	s.pending[s.next] = files
	s.next++
}

func (s *shared) complete(retain int) {
	id := oldest(s.pending)
	if id == 0 {
		return
	}
	s.registry.Completed(id)
	s.retained[id] = s.pending[id]
	delete(s.pending, id)
	s.backend.Complete(id)
	s.twin.Complete(id)
	for len(s.retained) > retain {
		delete(s.retained, oldest(s.retained))
	}
	s.lowest = oldest(s.retained)
	inUse, deleted := s.registry.Unregister(s.lowest, nil, nil)
	if len(inUse) > 0 {
		s.t.Fatalf("in use are %v", inUse)
	}
	for i := range deleted { // one subtask's uploads have its copies for keys
		deleted[i].Copy = deleted[i].Key - 7<<40
	}
	s.disk.remove(s.t, deleted)
}

// restore goes back to the newest retained checkpoint; pending ones are given up, what they uploaded stays for now.
func (s *shared) restore() {
	id := newest(s.retained)
	if id == 0 {
		return
	}
	clear(s.pending)
	s.backend.Restore(id, s.retained[id])
	s.twin.Restore(id, s.retained[id])
	s.live = s.live[:0]
	for _, f := range s.retained[id] {
		s.live = append(s.live, File{Key: f.Key, Bytes: f.Bytes})
	}
}

func (s *shared) check() {
	for _, checkpoints := range []map[event.Checkpoint][]File{s.pending, s.retained} {
		for id, files := range checkpoints {
			for _, f := range files {
				if !s.disk[f.Copy] {
					s.t.Fatalf("upload %d of checkpoint %d is not in storage", f.Copy, id)
				}
			}
		}
	}
	for at := range s.disk {
		if s.users[at] < s.lowest {
			s.t.Fatalf("upload %d stays, its last user is %d", at, s.users[at])
		}
	}
	if s.registry.Len() != len(s.disk) {
		s.t.Fatalf("%d files are registered, %d are in storage", s.registry.Len(), len(s.disk))
	}
}

// checkUpload: what the base has is used again, the rest is uploaded.
func checkUpload(t *rapid.T, files []File, size Size, base []File) {
	var want Size
	for _, f := range files {
		want.Full += f.Bytes
		if !slices.Contains(base, f) {
			want.Checkpointed += f.Bytes
		}
	}
	if size != want {
		t.Fatalf("%v of %v with base %v: %+v", size, files, base, want)
	}
}

func oldest(m map[event.Checkpoint][]File) (id event.Checkpoint) {
	for k := range m {
		if id == 0 || k < id {
			id = k
		}
	}
	return id
}

func newest(m map[event.Checkpoint][]File) (id event.Checkpoint) {
	for k := range m {
		id = max(id, k)
	}
	return id
}

// TestSharedFilesAllocateNothing: registering what is known, unregistering, an incremental snapshot, copying.
func TestSharedFilesAllocateNothing(t *testing.T) {
	var n, other Incremental
	r, copied := NewRegistry(), NewRegistry()
	live := make([]File, 100)
	for i := range live {
		live[i] = File{Key: int64(i + 1), Bytes: 64}
	}
	var out, deleted []File
	var inUse []event.Checkpoint
	id := event.Checkpoint(0)
	round := func() {
		id++
		copy(live, live[1:])
		live[99] = File{Key: live[98].Key + 1, Bytes: 64}
		out, _ = n.Snapshot(id, live, 10, ForwardBackward, out[:0])
		deleted = deleted[:0]
		for _, f := range out {
			_, deleted = r.Register(f, id, false, deleted)
		}
		r.Completed(id)
		n.Complete(id)
		inUse, deleted = r.Unregister(id-1, inUse[:0], deleted)
		other.CopyFrom(&n)
		copied.CopyFrom(&r)
	}
	for range 5 {
		round()
	}
	if got := testing.AllocsPerRun(200, round); got != 0 {
		t.Errorf("%v allocations a checkpoint", got)
	}
	if r.Len() != 101 || len(deleted) != 1 || copied.Bytes() != 101*64 {
		t.Errorf("%d files registered, %d deleted, %d bytes", r.Len(), len(deleted), copied.Bytes())
	}
}

// TestRestoredTwice: of several checkpoints that a job was restored from, each has its own kind.
func TestRestoredTwice(t *testing.T) {
	r := NewRegistry()
	for _, id := range []event.Checkpoint{3, 5} {
		r.Register(File{Key: id, Copy: 1}, id, false, nil)
		r.Restored(id, NativeSavepoint, id == 5)
	}
	r.Register(File{Key: 9, Copy: 1}, 9, false, nil)
	r.Register(File{Key: 3}, 9, false, nil)
	inUse, deleted := r.Unregister(9, nil, nil)
	if !slices.Equal(inUse, []event.Checkpoint{3}) || !slices.Equal(deleted, []File{{Key: 5, Copy: 1}}) {
		t.Errorf("in use %v, deleted %v", inUse, deleted)
	}
	r.Register(File{Key: 9}, 11, true, nil)
	r.Register(File{Key: 3}, 11, false, nil)
	if inUse, deleted = r.Unregister(11, nil, nil); !slices.Equal(inUse, []event.Checkpoint{3, 9}) || len(deleted) > 0 {
		t.Errorf("in use %v, deleted %v", inUse, deleted)
	}
	if inUse, deleted = r.Unregister(12, nil, nil); len(inUse) > 0 || !slices.Equal(deleted, []File{{Key: 9, Copy: 1}}) {
		t.Errorf("in use %v, deleted %v: file 3 is not ours", inUse, deleted)
	}
}

func TestMistakesOfTheCallerPanic(t *testing.T) {
	mistakes := map[string]func(){
		"a placeholder for nothing": func() { r := NewRegistry(); r.Register(File{Key: 1}, 1, false, nil) },
		"files out of order":        func() { var n Incremental; n.Snapshot(1, []File{{Key: 2}, {Key: 1}}, 0, NoSharing, nil) },
		"a checkpoint twice": func() {
			var n Incremental
			n.Snapshot(1, nil, 0, Forward, nil)
			n.Snapshot(1, nil, 0, Forward, nil)
		},
		"a segment stored twice": func() {
			c := NewChangelog(ChangelogConfig{Preemptive: 1})
			c.Append(0, 1, nil)
			c.Uploaded(1, nil)
			c.Uploaded(1, nil)
		},
		"a materialization that nobody began": func() { c := NewChangelog(ChangelogConfig{}); c.Materialized(true, nil) },
	}
	for what, do := range mistakes {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", what)
				}
			}()
			do()
		}()
	}
}
