package core_test

import (
	"maps"
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// pipeline is source → map → sink with equal parallelism, HASH exchanges and recorded control times; rate 0 = as fast as it can.
func pipeline(t testing.TB, parallelism int, rate int64, sinkCost event.Time, options ...string) core.Setup {
	t.Helper()
	s := core.Setup{
		Vertices: []core.Vertex{
			{Name: "source", Kind: core.Source, Parallelism: parallelism, Cost: -1, Payload: 100},
			{Name: "map", Kind: core.Map, Parallelism: parallelism, Cost: -1},
			{Name: "sink", Kind: core.Sink, Parallelism: parallelism, Cost: sinkCost},
		},
		Edges:    []core.Edge{{From: 0, To: 1, Partition: core.Hash}, {From: 1, To: 2, Partition: core.Hash}},
		Options:  resolved(t, options...),
		Duration: 20 * event.Second,
		Seed:     1, Keys: 1024, Overhead: 47, MaxParallel: 128,
		FlusherPhase: core.PhaseAligned,
		Control:      core.MeasuredControl(),
	}
	if rate > 0 {
		s.Vertices[0].RateNum, s.Vertices[0].RatePer = rate, event.Second
	}
	return s
}

// resolved are options of 2.3, keys and values in turn.
func resolved(t testing.TB, options ...string) option.Config {
	t.Helper()
	var pairs []option.Pair
	for i := 0; i < len(options); i += 2 {
		pairs = append(pairs, option.Pair{Key: options[i], Value: options[i+1]})
	}
	config, _, err := option.Resolve("2.3", pairs)
	if err != nil {
		t.Fatal(err)
	}
	return config
}

const (
	interval  = "execution.checkpointing.interval"
	mode      = "execution.checkpointing.mode"
	unaligned = "execution.checkpointing.unaligned.enabled"
	aligned   = "execution.checkpointing.aligned-checkpoint-timeout"
	debloat   = "taskmanager.network.memory.buffer-debloat.enabled"

	downstream = "execution.checkpointing.unaligned.recover-output-on-downstream.enabled"
	during     = "execution.checkpointing.during-recovery.enabled"

	pauseSources = "pipeline.sources.pause-until-first-checkpoint"
)

const slowSink = 200 * event.Microsecond

// kinds are runs that between them touch every room of the core; determinism and snapshots are tested on each.
func kinds(t testing.TB) map[string]core.Setup {
	all := map[string]core.Setup{
		"light":         pipeline(t, 1, 1000, -1, interval, "1 s"),
		"backpressured": pipeline(t, 2, 0, slowSink, interval, "2 s"),
		"unaligned":     pipeline(t, 2, 0, slowSink, interval, "2 s", unaligned, "true"),
		"timeout":       pipeline(t, 2, 0, slowSink, interval, "2 s", unaligned, "true", aligned, "500 ms"),
		"debloated":     pipeline(t, 2, 0, slowSink, interval, "2 s", debloat, "true"),
		"at-least-once": pipeline(t, 2, 0, slowSink, interval, "2 s", mode, "AT_LEAST_ONCE"),
	}
	failing := pipeline(t, 2, 4000, slowSink, interval, "2 s")
	failing.FlusherPhase = core.PhaseRandom
	failing.Script = []core.Action{
		{At: 5 * event.Second, Do: core.Slow, Vertex: 2, Subtask: -1, Cost: 400 * event.Microsecond},
		{At: 7 * event.Second, Do: core.Savepoint},
		{At: 9500 * event.Millisecond, Do: core.Kill, Vertex: 1, Subtask: 1},
		{At: 12 * event.Second, Do: core.Rate, Vertex: 0, Subtask: -1, RateNum: 1000, RatePer: event.Second},
	}
	all["failing"] = failing
	for _, more := range []map[string]core.Setup{statefulKinds(t), heldKinds(t)} {
		maps.Copy(all, more)
	}
	return all
}

// runTo is the lab of a setup, advanced to an instant without a break.
func runTo(t testing.TB, s core.Setup, until event.Time) *core.Lab {
	t.Helper()
	lab, err := core.New(s)
	if err != nil {
		t.Fatal(err)
	}
	if !lab.Advance(until, 0) {
		t.Fatalf("the run stopped at %d ns", lab.Now())
	}
	return lab
}
