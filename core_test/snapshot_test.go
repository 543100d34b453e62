package core_test

import (
	"math/rand/v2"
	"testing"

	"checkpointlab/core"
)

// TestGoingOnFromASnapshotIsTheSameRun restores a twin and the run itself to snapshots taken at random instants; both must
// reach the end with the hash of the run that never stopped, and the run must not have recorded anything twice.
func TestGoingOnFromASnapshotIsTheSameRun(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for name, s := range kinds(t) {
		straight := runTo(t, s, s.Duration)
		lab, err := core.New(s)
		if err != nil {
			t.Fatal(err)
		}
		twin := lab.Twin()
		var snapshot core.State // its memory is used again
		for range 4 {
			at := random.Int64N(s.Duration)
			if at < lab.Now() {
				continue
			}
			lab.Advance(at, 0)
			lab.Snapshot(&snapshot)
			twin.Restore(&snapshot)
			if twin.Hash() != lab.Hash() || twin.Now() != lab.Now() {
				t.Errorf("%s: restored to %d ns the twin stands at %d ns with the hash %x, the run has %x", name, at, twin.Now(), twin.Hash(), lab.Hash())
			}
			twin.Advance(s.Duration, 0)
			if twin.Hash() != straight.Hash() {
				t.Errorf("%s: going on from %d ns gives %x, never having stopped %x", name, at, twin.Hash(), straight.Hash())
			}
		}
		lab.Advance(s.Duration, 0)
		compareHistories(t, name, lab.History(), straight.History())
	}
}

func compareHistories(t *testing.T, name string, got, want *core.History) {
	t.Helper()
	if len(got.Checkpoints) != len(want.Checkpoints) || len(got.Commits) != len(want.Commits) || len(got.Samples) != len(want.Samples) ||
		got.Visible.Len() != want.Visible.Len() || got.Pipeline.Len() != want.Pipeline.Len() || len(got.Failures) != len(want.Failures) {
		t.Errorf("%s: with snapshots %d checkpoints, %d commits, %d samples, %d visible; without %d, %d, %d, %d", name,
			len(got.Checkpoints), len(got.Commits), len(got.Samples), got.Visible.Len(),
			len(want.Checkpoints), len(want.Commits), len(want.Samples), want.Visible.Len())
	}
}
