package main

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/scenarios"
)

// benchCase is one run whose speed is told as a multiple of real time.
type benchCase struct {
	Name   string
	setup  func() core.Setup
	span   event.Time // simulated
	bar    float64    // × real time at least, natively
	wasm   float64    // … as WebAssembly; 0 = not measured there
	simpy  float64    // × the speed of the model in SimPy at least; 0 = not compared
	start  float64    // seconds that preparing it may take; 0 = no bar
	memory float64    // MB that it may take; 0 = no bar
}

// cases are the runs of which it is said how fast they are (docs/performance.md). WebAssembly has to reach a fifth of what is
// asked natively for two subtasks, a tenth else.
var cases = []benchCase{
	{Name: "chapter", setup: chapter, span: 600 * event.Second, bar: 10_000, wasm: 1_000, simpy: 60},
	{Name: "back-pressured 2-2-2", setup: func() core.Setup { return backpressured(2) }, span: 60 * event.Second, bar: 5_000, wasm: 1_000, simpy: 150},
	{Name: "back-pressured 4-4-4", setup: func() core.Setup { return backpressured(4) }, span: 60 * event.Second, bar: 5_000, wasm: 500},
	{Name: "RocksDB of 20 GB, 2-2-2", setup: rocksdb, span: 600 * event.Second, bar: 1_000},
	{Name: "hash, parallelism 100", setup: func() core.Setup { return wide(100, core.Hash, 1000) }, span: 5 * event.Second, bar: 30},
	{Name: "hash, parallelism 1,000", setup: func() core.Setup { return wide(1000, core.Hash, 100) }, span: 5 * event.Second, bar: 1, start: 5, memory: 2000},
	{Name: "… with a checkpoint", setup: func() core.Setup { return withCheckpoint(wide(1000, core.Hash, 100)) }, span: 5 * event.Second, bar: 1, memory: 2000},
	{Name: "forward, parallelism 4,800", setup: func() core.Setup { return wide(4800, core.Forward, 10) }, span: 5 * event.Second, bar: 20},
}

// chapter is the chapter's scenario.
func chapter() core.Setup {
	s, err := scenarios.Load("chapter")
	if err != nil {
		panic(err)
	}
	return s.Setup
}

// slowSink is what a record costs at the sink of the back-pressured pipelines.
const slowSink = 200 * event.Microsecond

// backpressured is source → map → sink with a source that reads as fast as it can and a sink that is slower.
func backpressured(parallelism int) core.Setup {
	return pipeline(parallelism, core.Hash, slowSink, "2 s")
}

// rocksdb is source → map → sink at 10,000 records a second whose map keeps 20 GB in RocksDB, reads and writes a value a record, with
// an incremental checkpoint every 30 s.
func rocksdb() core.Setup {
	s := pipelineWith(2, core.Hash, -1, option.Pair{Key: "execution.checkpointing.interval", Value: "30 s"}, option.Pair{Key: "state.backend.type", Value: "rocksdb"},
		option.Pair{Key: "execution.checkpointing.incremental", Value: "true"}, option.Pair{Key: "taskmanager.memory.process.size", Value: "4 gb"})
	s.Vertices[0].RateNum, s.Vertices[0].RatePer = 5000, event.Second
	s.Vertices[1].State = []core.KeyedState{{Name: "value", Keys: 20_000_000, KeyBytes: 8, ValueBytes: 1000, ReadNum: 1, ReadDen: 1, Filled: true}}
	s.Storage = core.Storage{On: true, PerManager: 200_000_000}
	return s
}

// wide is source → map → sink with that many records a second in each subtask, a checkpoint every 10 s from the tenth on, no chaining.
func wide(parallelism int, p core.Partition, rate int64) core.Setup {
	s := pipeline(parallelism, p, -1, "10 s")
	s.Vertices[0].RateNum, s.Vertices[0].RatePer = rate, event.Second
	s.MaxParallel, s.Keys = 0, 1<<20 // a key for every group
	s.FlusherPhase, s.Duration = core.PhaseRandom, 10*event.Second
	s.FirstTrigger = core.AtInterval
	return s
}

// withCheckpoint has the first one right at the start, as a job has it.
func withCheckpoint(s core.Setup) core.Setup {
	s.FirstTrigger = core.AtRunning
	return s
}

func pipeline(parallelism int, p core.Partition, sinkCost event.Time, interval string) core.Setup {
	return pipelineWith(parallelism, p, sinkCost, option.Pair{Key: "execution.checkpointing.interval", Value: interval})
}

func pipelineWith(parallelism int, p core.Partition, sinkCost event.Time, options ...option.Pair) core.Setup {
	config, _, err := option.Resolve("2.3", options)
	if err != nil {
		panic(err)
	}
	return core.Setup{
		Vertices: []core.Vertex{
			{Name: "source", Kind: core.Source, Parallelism: parallelism, Cost: -1, Payload: 100},
			{Name: "map", Parallelism: parallelism, Cost: -1},
			{Name: "sink", Kind: core.Sink, Parallelism: parallelism, Cost: sinkCost},
		},
		Edges:        []core.Edge{{From: 0, To: 1, Partition: p}, {From: 1, To: 2, Partition: p}},
		Options:      config,
		Duration:     600 * event.Second,
		FlusherPhase: core.PhaseAligned,
		Control:      core.MeasuredControl(), Overhead: 47, MaxParallel: 128,
	}
}
