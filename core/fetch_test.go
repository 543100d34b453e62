package core

import (
	"testing"

	"checkpointlab/core/event"
)

// TestFetchingChangesNothing: a run whose memory is read beforehand is the run without that, through a checkpoint, a
// rescaling and a failure.
func TestFetchingChangesNothing(t *testing.T) {
	for name, p := range map[string]Partition{"hash": Hash, "forward": Rescale, "rebalance": Rebalance} {
		s := wideJob(t, 24, p, 200, 5*event.Second)
		s.MaxParallel = 128
		s.Script = []Action{
			{At: 2100 * event.Millisecond, Do: RescaleJob, Vertex: 1, Parallelism: 12},
			{At: 4100 * event.Millisecond, Do: Kill, Vertex: 0, Subtask: 3},
		}
		var hashes [2]uint64
		for i := range hashes {
			l, err := New(s)
			if err != nil {
				t.Fatal(err)
			}
			l.world.Wide = i == 1
			l.Advance(s.Duration, 0)
			if len(l.History().Failures) != 2 || len(l.History().Checkpoints) == 0 {
				t.Fatalf("%s: %d restarts, %d checkpoints", name, len(l.History().Failures), len(l.History().Checkpoints))
			}
			hashes[i] = l.Hash()
		}
		if hashes[0] != hashes[1] {
			t.Errorf("%s: the trace hash is %x, with fetching %x", name, hashes[0], hashes[1])
		}
	}
}
