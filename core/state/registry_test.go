package state

import (
	"slices"
	"testing"

	"checkpointlab/core/event"

	"pgregory.net/rapid"
)

// storage is what lies in storage, by key.
type storage map[int64]bool

func (s storage) put(files []SST) {
	for _, f := range files {
		s[f.Key] = true
	}
}

func (s storage) remove(t *rapid.T, files []Handle) {
	for _, f := range files {
		if !s[f.Key] {
			t.Fatalf("%v is deleted and is not there", f)
		}
		delete(s, f.Key)
	}
}

// shared is a subtask with its backend, and a coordinator with a registry and retained checkpoints around it.
type shared struct {
	t                 *rapid.T
	backend, twin     Incremental
	registry, copied  Registry
	live              []SST
	number            int64
	next              event.Checkpoint
	disk              storage
	users             map[int64]event.Checkpoint // by upload: the newest checkpoint that refers to it
	pending, retained map[event.Checkpoint][]SST
	lowest            event.Checkpoint
}

// TestRetainedCheckpointsKeepTheirFiles: a backend with compactions, incremental snapshots, checkpoints that complete, abort or
// are restored, savepoints; the registry with some retained checkpoints. At each instant every retained and every pending
// checkpoint's files are in storage, and what no checkpoint from the lowest retained one on refers to is not (spec 8.2).
func TestRetainedCheckpointsKeepTheirFiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &shared{
			t: t, backend: NewIncremental(7), twin: NewIncremental(7), registry: NewRegistry(), copied: NewRegistry(), next: 1, disk: storage{}, users: map[int64]event.Checkpoint{},
			pending: map[event.Checkpoint][]SST{}, retained: map[event.Checkpoint][]SST{},
		}
		retain := rapid.IntRange(1, 3).Draw(t, "num-retained")
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			switch rapid.SampledFrom([]string{"flush", "compact", "snapshot", "savepoint", "complete", "complete", "abort", "restore", "copy"}).Draw(t, "step") {
			case "flush":
				s.number++
				s.live = append(s.live, SST{s.number, Handle{Bytes: rapid.Int64Range(1, 9).Draw(t, "bytes")}})
			case "compact":
				if len(s.live) > 1 {
					s.number++
					s.live = append(s.live[rapid.IntRange(1, len(s.live)).Draw(t, "rewritten"):], SST{s.number, Handle{Bytes: 5}})
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
		s.registry.Register(f.Handle, s.next, false)
		s.users[f.Key] = s.next
	}
	s.pending[s.next] = files
	s.next++
}

func (s *shared) complete(retain int) {
	id := oldest(s.pending)
	if id == 0 {
		return
	}
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
		s.live = append(s.live, SST{f.Number, Handle{Bytes: f.Bytes}})
	}
}

func (s *shared) check() {
	for _, checkpoints := range []map[event.Checkpoint][]SST{s.pending, s.retained} {
		for id, files := range checkpoints {
			for _, f := range files {
				if !s.disk[f.Key] {
					s.t.Fatalf("upload %d of checkpoint %d is not in storage", f.Key, id)
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
func checkUpload(t *rapid.T, files []SST, size Size, base []SST) {
	var want Size
	for _, f := range files {
		want.Full += f.Bytes
		inBase := slices.ContainsFunc(base, func(b SST) bool { return b.Number == f.Number && b.Key == f.Key })
		if !inBase {
			want.Checkpointed += f.Bytes
		}
		if f.Reused != inBase {
			t.Fatalf("%v with base %v", f, base)
		}
	}
	if size != want {
		t.Fatalf("%v of %v with base %v: %+v", size, files, base, want)
	}
}

func oldest(m map[event.Checkpoint][]SST) (id event.Checkpoint) {
	for k := range m {
		if id == 0 || k < id {
			id = k
		}
	}
	return id
}

func newest(m map[event.Checkpoint][]SST) (id event.Checkpoint) {
	for k := range m {
		id = max(id, k)
	}
	return id
}

// TestSharedFilesAllocateNothing: registering what is known, unregistering, an incremental snapshot, copying.
func TestSharedFilesAllocateNothing(t *testing.T) {
	n, other := NewIncremental(1), NewIncremental(1)
	r, copied := NewRegistry(), NewRegistry()
	live := make([]SST, 100)
	for i := range live {
		live[i] = SST{int64(i + 1), Handle{Bytes: 64}}
	}
	var out []SST
	var deleted []Handle
	var inUse []event.Checkpoint
	id := event.Checkpoint(0)
	round := func() {
		id++
		copy(live, live[1:])
		live[99] = SST{live[98].Number + 1, Handle{Bytes: 64}}
		out, _ = n.Snapshot(id, live, 10, ForwardBackward, out[:0])
		for i := range out {
			r.Register(out[i].Handle, id, false)
		}
		n.Complete(id)
		inUse, deleted = r.Unregister(id-1, inUse[:0], deleted[:0])
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

// TestOwnersDoNotShareKeys: uploads of all subtasks are in one registry.
func TestOwnersDoNotShareKeys(t *testing.T) {
	r := NewRegistry()
	for owner := range int32(3) {
		n, c := NewIncremental(2*owner), NewChangelog(ChangelogConfig{Preemptive: 1}, 2*owner+1)
		out, _ := n.Snapshot(1, []SST{{1, Handle{Bytes: int64(owner) + 1}}}, 0, ForwardBackward, nil)
		c.Append(0, 100+int64(owner), nil)
		r.Register(out[0].Handle, 1, false)
		r.Register(c.Segments(0, c.End(), nil)[0], 1, false)
	}
	if r.Len() != 6 || r.Bytes() != 1+2+3+100+101+102 {
		t.Errorf("%d files of %d bytes", r.Len(), r.Bytes())
	}
}

// TestEachRestoredCheckpointHasItsKind: of several checkpoints that a job was restored from, each has its own kind.
func TestEachRestoredCheckpointHasItsKind(t *testing.T) {
	r := NewRegistry()
	for _, id := range []event.Checkpoint{3, 5} {
		r.Register(Handle{Key: id}, id, false)
		r.Restored(id, NativeSavepoint, id == 5)
	}
	r.Register(Handle{Key: 9}, 9, false)
	r.Register(Handle{Key: 3, Reused: true}, 9, false)
	inUse, deleted := r.Unregister(9, nil, nil)
	if !slices.Equal(inUse, []event.Checkpoint{3}) || !slices.Equal(deleted, []Handle{{Key: 5}}) {
		t.Errorf("in use %v, deleted %v", inUse, deleted)
	}
	r.Register(Handle{Key: 9, Reused: true}, 11, true)
	r.Register(Handle{Key: 3, Reused: true}, 11, false)
	if inUse, deleted = r.Unregister(11, nil, nil); !slices.Equal(inUse, []event.Checkpoint{3}) || len(deleted) > 0 { // 9 is not one that the job was restored from
		t.Errorf("in use %v, deleted %v", inUse, deleted)
	}
	if inUse, deleted = r.Unregister(12, nil, nil); len(inUse) > 0 || !slices.Equal(deleted, []Handle{{Key: 9}}) {
		t.Errorf("in use %v, deleted %v: file 3 is not ours", inUse, deleted)
	}
}

func TestMistakesOfTheCallerPanic(t *testing.T) {
	mistakes := map[string]func(){
		"use of a file that is not there": func() { r := NewRegistry(); r.Register(Handle{Key: 1, Reused: true}, 1, false) },
		"two files with one key": func() {
			r := NewRegistry()
			r.Register(Handle{Key: 1, Bytes: 1}, 1, false)
			r.Register(Handle{Key: 1, Bytes: 2}, 2, false)
		},
		"files out of order": func() { n := NewIncremental(0); n.Snapshot(1, []SST{{Number: 2}, {Number: 1}}, 0, NoSharing, nil) },
		"a checkpoint twice": func() {
			n := NewIncremental(0)
			n.Snapshot(1, nil, 0, Forward, nil)
			n.Snapshot(1, nil, 0, Forward, nil)
		},
		"a segment stored twice": func() {
			c := NewChangelog(ChangelogConfig{Preemptive: 1}, 0)
			c.Append(0, 1, nil)
			c.Uploaded(1, nil)
			c.Uploaded(1, nil)
		},
		"a materialization that nobody began": func() { c := NewChangelog(ChangelogConfig{}, 0); c.Materialized(true, nil) },
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
