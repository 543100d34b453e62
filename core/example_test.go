package core_test

import (
	"fmt"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/metric"
	"checkpointlab/core/option"
)

// A source of 1,000 records a second and an exactly-once sink: a record is visible with the checkpoint behind it, so that it
// waits for half an interval on average, and for a whole one at most.
func Example() {
	options, _, err := option.Resolve("2.3", []option.Pair{{Key: "execution.checkpointing.interval", Value: "2 s"}})
	if err != nil {
		panic(err)
	}
	lab, err := core.New(core.Setup{
		Vertices: []core.Vertex{
			{Name: "source", Kind: core.Source, Parallelism: 1, RateNum: 1000, RatePer: event.Second, Payload: 100},
			{Name: "sink", Kind: core.Sink, Parallelism: 1},
		},
		Edges:        []core.Edge{{From: 0, To: 1}},
		Options:      options,
		FirstTrigger: core.AtInterval,
		Duration:     9 * event.Second,
	})
	if err != nil {
		panic(err)
	}
	for !lab.Advance(9*event.Second, 100) { // 100 events at a time, as a page does between two frames
	}
	for _, c := range lab.History().Checkpoints {
		fmt.Println("checkpoint", c.ID, "at", c.Triggered/event.Second, "s")
	}
	var all metric.Selection
	all.Select(&lab.History().Visible, metric.Everything())
	fmt.Println("visible after", all.Mean()/event.Millisecond, "ms on average, at most", all.Max()/event.Millisecond)
	var v core.View
	lab.View(&v)
	fmt.Println(v.Vertices[1].Name, "has", len(v.Vertices[1].Tasks), "task")
	// Output:
	// checkpoint 1 at 2 s
	// checkpoint 2 at 4 s
	// checkpoint 3 at 6 s
	// checkpoint 4 at 8 s
	// visible after 1000 ms on average, at most 2000
	// sink has 1 task
}
