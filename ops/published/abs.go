package published

import (
	"fmt"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// asynchronousSnapshots is the evaluation of asynchronous barrier snapshots: they cost next to nothing at any interval, while
// stopping the world costs its pause each time (published 3; the paper's figures have no numbers, so only shapes are compared).
func asynchronousSnapshots() (Experiment, error) {
	e := Experiment{
		ID: "abs-2015", Title: "Asynchronous barrier snapshots against stopping the world: six operators, three shuffles",
		Source: "P. Carbone et al., Lightweight Asynchronous Snapshots for Distributed Dataflows, 2015",
		Fitted: []string{"1 s to write a snapshot, with or without the tasks going on"},
	}
	const write = event.Second
	free, err := written("0 ms", core.Snapshot{})
	if err != nil {
		return e, err
	}
	for _, interval := range []event.Time{3, 5, 10} {
		every := fmt.Sprintf("%d s", interval)
		asynchronous, err := written(every, core.Snapshot{Async: write})
		if err != nil {
			return e, err
		}
		stopped, err := written(every, core.Snapshot{Sync: write})
		if err != nil {
			return e, err
		}
		pause := 100 * float64(write) / float64(event.Second) / float64(interval)
		e.Checks = append(e.Checks,
			Check{Name: "asynchronous, every " + every + ": throughput lost", Unit: "%", Published: "near the line without snapshots", Got: 100 * (1 - asynchronous/free), Low: -1, High: 10},
			Check{Name: "stopping the world, every " + every + ": throughput lost", Unit: "%", Published: "pause / interval", Got: 100 * (1 - stopped/free), Low: 0.7 * pause, High: 1.3 * pause})
	}
	return e, nil
}

// written is the records a second of the job with a checkpoint at that interval, "0 ms" for none.
func written(interval string, each core.Snapshot) (float64, error) {
	var options []option.Pair
	if interval != "0 ms" {
		options = []option.Pair{{Key: "execution.checkpointing.interval", Value: interval}}
	}
	vertices := []core.Vertex{{Name: "source", Kind: core.Source, Parallelism: 4, Cost: 20 * event.Microsecond, Payload: 100}}
	for i := range 4 {
		vertices = append(vertices, core.Vertex{Name: fmt.Sprintf("operator %d", i+1), Kind: core.Map, Parallelism: 4, Cost: 50 * event.Microsecond})
	}
	vertices = append(vertices, core.Vertex{Name: "sink", Kind: core.Sink, Parallelism: 4, Cost: 50 * event.Microsecond, Guarantee: core.AtLeastOnce})
	for i := range vertices {
		vertices[i].Snapshot = each
	}
	s, err := chain(core.Rebalance, options, vertices...)
	if err != nil {
		return 0, err
	}
	for _, shuffle := range []int{1, 3} { // of five exchanges every second one is a shuffle
		s.Edges[shuffle].Partition = core.Forward
	}
	s.Duration = 63 * event.Second
	h, err := run(s)
	if err != nil {
		return 0, err
	}
	const from = 3 * event.Second
	return float64(h.Pipeline.Count(from, s.Duration)) / float64((s.Duration-from)/event.Second), nil
}
