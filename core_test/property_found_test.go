package core_test

import (
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
)

const expiry = "execution.checkpointing.timeout"

// found is what random runs have found, made small: each broke a law once, for the reason beside it.
func found(t testing.TB) map[string]core.Setup {
	all := map[string]core.Setup{}
	add := func(name string, s core.Setup, change func(s *core.Setup)) {
		s.Duration, s.Options.Tolerable = 4*event.Second, 1000
		change(&s)
		all[name] = s
	}
	credit := func(s *core.Setup) {
		s.Options.BuffersPerChannel, s.Options.FloatingPerGate = 0, 1
		s.FlusherPhase = core.PhaseRandom
	}
	kill := func(at event.Time, vertex int) core.Action { return core.Action{At: at, Do: core.Kill, Vertex: vertex} }
	shared := core.Cluster{Slots: 1, Sharing: true}

	// A buffer that a barrier finished is backlog as soon as the next is opened, and nobody asked for credit then.
	add("backlog that grows by opening a buffer", pipeline(t, 3, 0, -1, interval, "10 ms", unaligned, "true"), credit)
	// A barrier that jumps ahead tells less backlog than was told; the old number was not told again.
	add("backlog that falls", pipeline(t, 2, 1000, -1, interval, "10 ms", unaligned, "true", aligned, "1 ms"), credit)
	// An upload that waited for channel state never ended when a newer checkpoint began.
	add("upload given up", joined(t, 20*event.Microsecond, interval, "10 ms", unaligned, "true", aligned, "11 ms", expiry, "10 ms"), func(*core.Setup) {})
	// What a local channel still brings ahead of the barrier belongs to the unaligned checkpoint.
	add("channel state of local channels", pipeline(t, 2, 0, slowSink, interval, "100 ms", unaligned, "true", aligned, "1 ms"), func(s *core.Setup) {
		s.Cluster = shared
		s.Vertices[0].Snapshot.Sync = 80 * event.Millisecond
	})
	// A flush that was asked for ends with the last entry, be it an event.
	add("flush ends with a barrier", pipeline(t, 1, 1000, -1, interval, "200 ms", "execution.buffer-timeout.interval", "1 ms"), func(s *core.Setup) {
		s.Cluster, s.Control = shared, slowControl
	})
	// A task manager is lost on which a source has finished and its consumer has a buffer in hand.
	for _, p := range []core.Partition{core.Rebalance, core.Broadcast} {
		add("lost behind a finished source, "+p.String(), pipeline(t, 2, 0, -1, interval, "200 ms", "execution.checkpointing.checkpoints-after-tasks-finish.enabled", "false"), func(s *core.Setup) {
			s.Cluster, s.Edges[0].Partition = shared, p
			s.Options.SegmentSize, s.Options.MinSegmentSize, s.Options.StartingSegmentSize = 1<<10, 1<<10, 1<<10
			s.Vertices[0].EndsAfter, s.Vertices[1].Cost = 40, 5*event.Millisecond
			s.Script = []core.Action{{At: 110 * event.Millisecond, Do: core.Lose, Vertex: 1, Subtask: 1, Silent: true}}
		})
	}
	// A source that has caught up takes no more records than its cost allows.
	add("slow source", pipeline(t, 1, 1000, -1, interval, "100 ms"), func(s *core.Setup) {
		s.Script = []core.Action{{At: 10_500 * event.Microsecond, Do: core.Slow, Cost: 5 * event.Millisecond}}
	})
	// A log of max rate ends, may get a rate, and is read again from before that.
	add("max rate that gets a rate", pipeline(t, 2, 0, slowSink, interval, "300 ms"), func(s *core.Setup) {
		s.Vertices[0].Until, s.Duration = 3*event.Second, 9*event.Second
		s.Script = []core.Action{{At: 400 * event.Millisecond, Do: core.Rate, Subtask: -1, RateNum: 100, RatePer: event.Second}, kill(500*event.Millisecond, 1)}
	})
	// A source that had nothing to wait for has something when its rate rises.
	add("rate that rises before the end", pipeline(t, 1, 1, -1, interval, "5 s"), func(s *core.Setup) {
		s.Vertices[0].Until = 2900 * event.Millisecond
		s.Script = []core.Action{{At: 2500 * event.Millisecond, Do: core.Rate, RateNum: 1000, RatePer: event.Second}}
	})
	// Stored data of a region that goes on is not put in front of it again.
	add("channel state of another region", pipeline(t, 1, 0, slowSink, interval, "200 ms", unaligned, "true"), func(s *core.Setup) {
		s.Vertices = append(s.Vertices, s.Vertices...)
		s.Edges = append(s.Edges, core.Edge{From: 3, To: 4}, core.Edge{From: 4, To: 5})
		s.Script = []core.Action{kill(900*event.Millisecond, 0)}
	})
	// Of the records that a map makes of one none is younger than it.
	add("many of one", pipeline(t, 1, 1000, -1, interval, "100 ms", "execution.buffer-timeout.interval", "0 ms"), func(s *core.Setup) { s.Vertices[1].EmitNum, s.Vertices[1].EmitDen = 100, 3 })
	// A map that makes few records has a rate of its own.
	add("one of many", pipeline(t, 1, 150, -1, interval, "5 s"), func(s *core.Setup) {
		s.Vertices[1].EmitNum, s.Vertices[1].EmitDen, s.Vertices[1].Cost = 1, 50, 5*event.Millisecond
	})
	// A record larger than a segment is stored in several buffers.
	add("large records in flight", pipeline(t, 2, 0, event.Millisecond, interval, "200 ms", unaligned, "true"), func(s *core.Setup) {
		s.Vertices[0].Payload, s.Options.SegmentSize, s.Options.StartingSegmentSize, s.Options.MinSegmentSize = 10_000, 1024, 1024, 256
		s.Script = []core.Action{kill(250*event.Millisecond, 2)}
	})
	// A source that reaches a sink by two paths shows nothing again.
	add("two paths", pipeline(t, 1, 1000, -1, interval, "100 ms"), func(s *core.Setup) { s.Edges = append(s.Edges, s.Edges[0]) })
	// A task goes on behind a rescaling with its own cost, not with that of the input it read from last.
	add("inputs of their own costs, rescaled", joined(t, event.Millisecond, interval, "100 ms"), func(s *core.Setup) {
		s.Edges[0].Cost, s.Edges[1].Cost = 2*event.Millisecond, 1000
		s.Vertices[0].RateNum, s.Vertices[0].RatePer, s.Vertices[1].Cost = 10, event.Second, 200*event.Microsecond
		s.Script = []core.Action{{At: 850 * event.Millisecond, Do: core.RescaleJob, Vertex: 0, Parallelism: 2}}
	})
	return all
}

// joined is two sources that read as fast as they can into one sink, one subtask each.
func joined(t testing.TB, sinkCost event.Time, options ...string) core.Setup {
	s := pipeline(t, 1, 0, sinkCost, options...)
	s.Vertices[1] = s.Vertices[0]
	s.Edges = []core.Edge{{From: 0, To: 2}, {From: 1, To: 2}}
	s.Control, s.FlusherPhase = core.Control{}, core.PhaseRandom
	return s
}

// TestFoundByRandomRuns holds each of them to the laws again.
func TestFoundByRandomRuns(t *testing.T) {
	for name, s := range found(t) {
		for cuts := range uint64(3) {
			w, err := watch(s, cuts, budget)
			if err == nil {
				err = first(sameInOneGo(w), sameFromASnapshot(w, w.items/2))
			}
			if err != nil {
				t.Errorf("%s: %v", name, err)
				break
			}
		}
	}
}

// TestNothingIsShownAgainWithoutAFailure: behind two maps in a row a source's records come to a sink out of order, which is
// no duplicate.
func TestNothingIsShownAgainWithoutAFailure(t *testing.T) {
	s := pipeline(t, 2, 1000, -1, interval, "100 ms", mode, "AT_LEAST_ONCE")
	s.Vertices = append(s.Vertices[:2:2], s.Vertices[1], s.Vertices[2])
	s.Edges = []core.Edge{{From: 0, To: 1, Partition: core.Rebalance}, {From: 1, To: 2, Partition: core.Rebalance}, {From: 2, To: 3, Partition: core.Rebalance}}
	s.Vertices[0].Until = 2 * event.Second
	w, err := untilShown(s)
	if err != nil || w == nil {
		t.Fatal("the run did not come to its end", err)
	}
	if err := everythingShown(w); err != nil {
		t.Error(err)
	}
}
