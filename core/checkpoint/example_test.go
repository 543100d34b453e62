package checkpoint_test

import (
	"fmt"

	"checkpointlab/core/checkpoint"
	"checkpointlab/core/event"
)

// One checkpoint of a job with one task, with control times of zero.
func Example() {
	c := checkpoint.New(checkpoint.Config{
		Interval: event.Second, IntervalDuringBacklog: -1, Timeout: 600 * event.Second, MaxConcurrent: 1, Tasks: 1,
	})
	out := c.Start(0, 0, nil)
	out = c.Tick(0, out[0].Seq, out)
	for i := 0; i < len(out); i++ {
		switch e := out[i]; e.Kind {
		case checkpoint.Plan:
			out = c.Planned(0, true, event.NoReason, out)
		case checkpoint.Begin:
			out = c.Triggered(0, e.ID, true, event.NoReason, out)
		case checkpoint.Trigger:
			out = c.Ack(200*event.Millisecond, e.ID, 0, out)
		}
	}
	for _, e := range out {
		fmt.Println(e.Kind, e.ID)
	}
	// Output:
	// arm tick 0
	// arm tick 0
	// plan 0
	// begin 1
	// arm expiry 1
	// trigger 1
	// completed 1
	// notify complete 1
}
