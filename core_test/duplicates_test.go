package core_test

import (
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// shownAgain runs an at-least-once job to its end: how many records arrived, are shown, and are shown again.
func shownAgain(t *testing.T, s core.Setup) (arrived, visible, again int64) {
	t.Helper()
	s.Duration, s.Options.Restart, s.Options.RestartAttempts, s.Options.RestartDelay = 20*event.Second, option.RestartFixedDelay, 10, 30*event.Millisecond
	var v core.View
	runTo(t, s, s.Duration).View(&v)
	for i := range v.Vertices {
		for k := range v.Vertices[i].Tasks {
			x := &v.Vertices[i].Tasks[k]
			arrived, visible, again = arrived+x.Log.Arrived, visible+x.Output.Visible, again+x.Output.Duplicates
		}
	}
	return arrived, visible, again
}

// Behind barriers that do not align every record that is shown twice is counted as shown again, and no other: with two ways from a
// source to a sink, dealt by SHUFFLE, with several failures, whatever the sink's guarantee, and when the job is rescaled.
func TestDuplicatesOfAtLeastOnce(t *testing.T) {
	kill := func(at event.Time, vertex int) core.Action { return core.Action{At: at, Do: core.Kill, Vertex: vertex} }
	job := func(change func(s *core.Setup)) core.Setup {
		s := pipeline(t, 2, 2500, 20*event.Microsecond, interval, "300 ms", mode, "AT_LEAST_ONCE")
		s.Vertices[0].EndsAt, s.Vertices[2].Guarantee = 3*event.Second, core.AtLeastOnce
		s.Script = []core.Action{kill(1950*event.Millisecond, 2), kill(2500*event.Millisecond, 1)}
		change(&s)
		return s
	}
	twoWays := func(s *core.Setup) {
		s.Edges[0].Partition, s.Edges[1].Partition = core.Shuffle, core.Shuffle
		s.Edges = append(s.Edges, core.Edge{From: 0, To: 2, Partition: core.Shuffle})
		s.Vertices[1].Cost = 200 * event.Microsecond
	}
	rescale := func(s *core.Setup) {
		s.Vertices[0].Partitions = 4
		s.Script = append(s.Script[:1:1], core.Action{At: 2400 * event.Millisecond, Do: core.RescaleJob, Vertex: -1, Parallelism: 4}, kill(2800*event.Millisecond, 2))
	}
	for name, c := range map[string]struct {
		ways   int64
		re     bool // a map deals again: a few are taken for new (fidelity.md, "order of keys")
		change func(s *core.Setup)
	}{
		"one way":  {1, true, func(*core.Setup) {}},
		"two ways": {2, true, twoWays},
		"to one sink, transactional": {2, false, func(s *core.Setup) {
			twoWays(s)
			s.Vertices[1].Cost, s.Vertices[2].Parallelism, s.Vertices[2].Guarantee = 500*event.Microsecond, 1, core.ExactlyOnce
		}},
		"straight to the sinks": {1, false, func(s *core.Setup) {
			s.Vertices = append(s.Vertices[:1:1], s.Vertices[2])
			s.Edges = []core.Edge{{From: 0, To: 1, Partition: core.Shuffle}}
			s.Script = []core.Action{kill(1950*event.Millisecond, 1), kill(2500*event.Millisecond, 0)}
		}},
		"rescaled": {1, true, rescale},
	} {
		arrived, visible, again := shownAgain(t, job(c.change))
		off := int64(0)
		if c.re {
			off = again / 50
		}
		if new := visible - again - c.ways*arrived; again == 0 || new < 0 || new > off {
			t.Errorf("%s: %d of %d records are shown by %d ways, %d of them again; expected %d", name, visible, arrived, c.ways, again, visible-c.ways*arrived)
		}
	}
}
