package core

import (
	"testing"

	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/core/state/keyed"
	"checkpointlab/core/state/storage"
)

// Of broadcast state each subtask has all, so that one of another parallelism reads one copy, whoever stored it; an operator's list is
// split among the subtasks; of union state each reads what all have stored (StateAssignmentOperationTest.testRepartitionBroadcastState,
// testRepartitionSplitDistributeStates, testRepartitionUnionState).
func TestWhatARescaledOperatorReadsOfItsOwnState(t *testing.T) {
	for _, kind := range []keyed.Kind{keyed.Broadcast, keyed.Operator, keyed.Union} {
		for _, parallelism := range []int{1, 4} {
			read, l := readsOfRestore(t, kind, Action{At: 2500 * event.Millisecond, Do: RescaleJob, Vertex: 1, Parallelism: parallelism})
			for i := range parallelism {
				want := 10_000 * l.plan.setup.Vertices[1].State[0].EntryBytes()
				if kind == keyed.Operator {
					want /= int64(parallelism)
				}
				if got := read[l.plan.first[1]+event.Task(i)]; got != want {
					t.Errorf("kind %d, 2 to %d: subtask %d reads %d bytes, want %d", kind, parallelism, i, got, want)
				}
			}
		}
	}
}

// A restart with the same parallelism deals union state anew, and nothing else. None of it is on the task manager's disk.
func TestWhatARestartedOperatorReadsOfItsOwnState(t *testing.T) {
	for _, kind := range []keyed.Kind{keyed.Broadcast, keyed.Operator, keyed.Union} {
		for _, local := range []bool{false, true} {
			var pairs []option.Pair
			if local {
				pairs = []option.Pair{{Key: "execution.checkpointing.local-backup.enabled", Value: "true"}, {Key: "execution.state-recovery.from-local", Value: "true"}}
			}
			read, l := readsOfRestore(t, kind, Action{At: 2500 * event.Millisecond, Do: Kill, Vertex: 1}, pairs...)
			for i := range event.Task(2) {
				want := 10_000 * l.plan.setup.Vertices[1].State[0].EntryBytes()
				if kind == keyed.Operator {
					want /= 2
				}
				if got := read[l.plan.first[1]+i]; got != want {
					t.Errorf("kind %d, local copies %t: subtask %d reads %d bytes, want %d", kind, local, i, got, want)
				}
			}
		}
	}
}

// readsOfRestore is how many bytes each task reads for the restore that an action brings about.
func readsOfRestore(t *testing.T, kind keyed.Kind, a Action, pairs ...option.Pair) (map[event.Task]int64, *Lab) {
	t.Helper()
	s := bounded(t, 0, pairs...)
	s.Vertices[1].State = []KeyedState{{Name: "rules", Kind: kind, Keys: 10_000, KeyBytes: 20, ValueBytes: 80, WriteNum: 1, WriteDen: 100}}
	s.Storage, s.Duration, s.Script = Storage{On: true, Latency: event.Millisecond}, 5*event.Second, []Action{a}
	l, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	read := map[event.Task]int64{}
	l.Listen(func(e event.Event) {
		if e.Kind == event.FilesStored && storage.Purpose(e.B) == storage.Restore {
			read[e.Task] += e.A
		}
	})
	l.Advance(s.Duration, 0)
	return read, l
}
