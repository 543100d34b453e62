package core_test

import (
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/scenarios"
)

// A pending checkpoint is told as unaligned before its first barrier is seen and while only stored buffers are left of it;
// one with a timeout begins aligned.
func TestPendingTellsWhetherItsBarriersOvertake(t *testing.T) {
	for _, c := range []struct {
		unaligned, timeout string
		want               bool
	}{{"false", "0 ms", false}, {"true", "0 ms", true}, {"true", "1 s", false}} {
		s, err := scenarios.Load("backpressure")
		if err != nil {
			t.Fatal(err)
		}
		for key, value := range map[string]string{
			"execution.checkpointing.unaligned.enabled":          c.unaligned,
			"execution.checkpointing.aligned-checkpoint-timeout": c.timeout,
		} {
			if err := s.Set(key, value); err != nil {
				t.Fatal(err)
			}
		}
		l, err := core.New(s.Setup)
		if err != nil {
			t.Fatal(err)
		}
		for !l.Advance(40*event.Second+500*event.Microsecond, 1<<20) {
		}
		var v core.View
		l.View(&v)
		if p := v.Coord.Pending; len(p) != 1 || p[0].Unaligned != c.want {
			t.Errorf("%+v: pending %+v", c, p)
		}
	}
}
