package core_test

import (
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
)

// One of two maps takes ten times as long as the other. Dealt in turn the slow one sets the pace of both, 2 x 1,000 records/s; a writer
// that looks gives each what it can take, 1,000 and 10,000. Neither loses or repeats a record.
func TestAdaptivePartitionerGoesAroundSlowSubtask(t *testing.T) {
	for _, c := range []struct {
		enabled   string
		partition core.Partition
		slow      int64 // records that the slow map takes in ten seconds
		fast      int64
	}{
		{"false", core.Rebalance, 10_000, 10_000}, {"true", core.Rebalance, 10_000, 100_000}, {"true", core.Rescale, 10_000, 100_000},
	} {
		s := row(c.partition, resolved(t, interval, "2 s", "taskmanager.network.adaptive-partitioner.enabled", c.enabled),
			core.Vertex{Name: "source", Kind: core.Source, Parallelism: 1, Payload: 100, Cost: 1000},
			core.Vertex{Name: "map", Kind: core.Map, Parallelism: 2, Cost: 100 * event.Microsecond},
			core.Vertex{Name: "sink", Kind: core.Sink, Parallelism: 2, Cost: 1000},
		)
		s.Edges[1].Partition = core.Forward
		s.Script = []core.Action{{Do: core.Slow, Vertex: 1, Subtask: 0, Cost: event.Millisecond}}
		s.Duration = 30 * event.Second
		lab, err := core.New(s)
		if err != nil {
			t.Fatal(err)
		}
		in := func() (slow, fast int64) {
			var v core.View
			lab.View(&v)
			return v.Vertices[1].Tasks[0].Metrics.NumRecordsIn, v.Vertices[1].Tasks[1].Metrics.NumRecordsIn
		}
		lab.Advance(20*event.Second, 0)
		slow, fast := in()
		lab.Advance(30*event.Second, 0)
		if s, f := in(); away(s-slow, c.slow, 5) || away(f-fast, c.fast, 5) {
			t.Errorf("%s, adaptive %s: the slow map takes %d records in ten seconds, the fast one %d, expected %d and %d", c.partition, c.enabled, s-slow, f-fast, c.slow, c.fast)
		}
	}
}

// away reports whether a number is more than so many per cent away from another.
func away(got, want, percent int64) bool { return max(got-want, want-got)*100 > want*percent }
