package core

import (
	"testing"

	"checkpointlab/core/event"
	"checkpointlab/core/state/keyed"
	"checkpointlab/core/state/storage"
)

// Of broadcast state each subtask has all, so that one of another parallelism reads one copy, whoever stored it; an operator's list is
// split among the subtasks (StateAssignmentOperationTest.testRepartitionBroadcastState, testRepartitionSplitDistributeStates).
func TestWhatARescaledOperatorReadsOfItsOwnState(t *testing.T) {
	for _, kind := range []keyed.Kind{keyed.Broadcast, keyed.Operator} {
		for _, parallelism := range []int{1, 4} {
			s := bounded(t, 0)
			s.Vertices[1].State = []KeyedState{{Name: "rules", Kind: kind, Keys: 10_000, KeyBytes: 20, ValueBytes: 80, WriteNum: 1, WriteDen: 100}}
			s.Storage, s.Duration = Storage{On: true, Latency: event.Millisecond}, 5*event.Second
			s.Script = []Action{{At: 2500 * event.Millisecond, Do: RescaleJob, Vertex: 1, Parallelism: parallelism}}
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
			entry := s.Vertices[1].State[0].EntryBytes()
			for i := range parallelism {
				want := 10_000 * entry
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
