package core_test

import (
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/core/state/storage"
)

// listJob is a job whose map, of two subtasks, has two lists of 5 elements, of 100 and of 1000 bytes; it is rescaled to so many.
func listJob(to int) core.Setup {
	s := stored(2, 4, 0, event.Second)
	s.Vertices[1].State = []core.KeyedState{{Name: "a", Kind: 4, Keys: 5, KeyBytes: 0, ValueBytes: 98}, {Name: "b", Kind: 4, Keys: 5, KeyBytes: 0, ValueBytes: 998}}
	s.Options.InlineThreshold, s.Duration = 0, 10*event.Second
	s.Script = []core.Action{{At: 5 * event.Second, Do: core.RescaleJob, Vertex: 1, Parallelism: to}}
	return s
}

// restored is the bytes and the files that each task has read for a restore.
func restored(t *testing.T, s core.Setup) (bytes, files map[event.Task]int64) {
	t.Helper()
	l, err := core.New(s)
	if err != nil {
		t.Fatal(err)
	}
	bytes, files = map[event.Task]int64{}, map[event.Task]int64{}
	l.Listen(func(e event.Event) {
		if e.Kind == event.FilesStored && storage.Purpose(e.B) == storage.Restore {
			bytes[e.Task] += e.A
			files[e.Task] += e.N
		}
	})
	l.Advance(s.Duration, 0)
	return bytes, files
}

// TestListsAreDealtByTheirElements (RoundRobinOperatorStateRepartitioner.repartitionSplitState): 5 elements of two subtasks go to three as 2, 2
// and 1, of which those of the second one begin in the middle of the first file; the next list goes on with the subtask that got less.
func TestListsAreDealtByTheirElements(t *testing.T) {
	// an element takes 99 and 999 bytes; subtasks 0 and 1 have 3 and 2 of the first list, 2 and 3 of the second
	bytes, files := restored(t, listJob(3))
	for k, want := range [][2]int64{{2*99 + 2*999, 2}, {2*99 + 999, 2}, {99 + 2*999, 2}} {
		if id := event.Task(1 + k); bytes[id] != want[0] || files[id] > want[1] || files[id] == 0 {
			t.Errorf("subtask %d has read %d bytes of %d files, want %d of up to %d", k, bytes[id], files[id], want[0], want[1])
		}
	}
}

// TestOperatorStateIsOneFile (DefaultOperatorStateBackendSnapshotStrategy): however many states there are, and however few of them belong to
// keys. Union lists are read by all subtasks, with the rest of their own file.
func TestOperatorStateIsOneFile(t *testing.T) {
	s := listJob(2)
	s.Vertices[1].State = append(s.Vertices[1].State, core.KeyedState{Name: "c", Kind: 7, Keys: 2, ValueBytes: 498}, core.KeyedState{Name: "d", Kind: 5, Keys: 1, ValueBytes: 8})
	s.Script = []core.Action{{At: 5 * event.Second, Do: core.Kill, Vertex: 1}}
	bytes, files := restored(t, s)
	for k, want := range []int64{3*99 + 2*999 + 2*499 + 9, 2*99 + 3*999 + 2*499 + 9} {
		if id := event.Task(1 + k); bytes[id] != want || files[id] != 2 {
			t.Errorf("subtask %d has read %d bytes of %d files, want %d of 2", k, bytes[id], files[id], want)
		}
	}
}

// TestAChangelogLeavesOperatorStateAlone: it wraps what belongs to keys (ChangelogKeyedStateBackend); each checkpoint stores the rest in full.
func TestAChangelogLeavesOperatorStateAlone(t *testing.T) {
	s := logged(true)
	s.Options.Backend, s.Duration = option.HashMap, 60*event.Second
	s.Vertices[1].Snapshot = core.Snapshot{}
	s.Vertices[1].State = []core.KeyedState{{Name: "a", Kind: 4, Keys: 4, ValueBytes: 1_000_000 - 2}}
	all := completed(simulate(t, s))
	if len(all) < 8 {
		t.Fatalf("%d checkpoints", len(all))
	}
	for _, c := range all {
		for _, k := range c.Tasks[1:5] {
			if k.Stored != 999_999 || k.Size != 999_999 {
				t.Fatalf("checkpoint %d stores %d bytes of %d, want 999,999 each time", c.ID, k.Stored, k.Size)
			}
		}
	}
}

// TestUnevenStateBesideABackend: what a scenario gives as snapshot: {size, skew} is as uneven beside states of their own.
func TestUnevenStateBesideABackend(t *testing.T) {
	s := listJob(2)
	s.Script, s.Vertices[1].Snapshot = nil, core.Snapshot{Size: 1 * mb, Skew: 750_000}
	all := completed(simulate(t, s))
	var sizes []int64
	for _, k := range all[len(all)-1].Tasks[1:3] {
		sizes = append(sizes, k.Size/1000)
	}
	if len(sizes) != 2 || sizes[0]/2 < sizes[1] {
		t.Errorf("subtasks store %d kb, want three quarters of all in the first", sizes)
	}
}
