package core_test

import (
	"fmt"
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
)

// A job that goes back to the checkpoint named by execution.state-recovery.without-channel-state.checkpoint-id loses what is in flight
// in it, and nothing else; going back to any other one loses nothing.
func TestRecoveryWithoutInFlightData(t *testing.T) {
	shown := func(without int) (visible int64, from event.Checkpoint) {
		s := pipeline(t, 2, 2000, slowSink, interval, "2 s", unaligned, "true", "execution.state-recovery.without-channel-state.checkpoint-id", fmt.Sprint(without))
		s.Vertices[0].EndsAfter, s.Vertices[0].RateNum, s.Vertices[0].RatePer = 40_000, 4000, event.Second
		s.Duration = 120 * event.Second
		s.Script = []core.Action{{At: 9 * event.Second, Do: core.Kill, Vertex: 1}}
		lab := runTo(t, s, s.Duration)
		var v core.View
		lab.View(&v)
		if !v.Coord.JobFinished {
			t.Fatal("the job did not come to its end")
		}
		for _, task := range v.Vertices[2].Tasks {
			visible += task.Output.Visible
		}
		return visible, lab.History().Failures[0].RestoredTo
	}
	all, from := shown(-1)
	other, _ := shown(int(from) - 1)
	less, _ := shown(int(from))
	if all != 80_000 || other != all || less >= all || less < all/2 {
		t.Errorf("%d records shown, %d with another checkpoint's data left out, %d without that of checkpoint %d", all, other, less, from)
	}
}
