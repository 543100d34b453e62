// Package published compares the simulation with measurements that others have published: each experiment rebuilds the job
// as far as its source tells it, names what had to be fitted, and holds what is left to a tolerance fixed beforehand.
package published

import (
	"fmt"
	"sync/atomic"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/ops/parallel"
)

// Experiment is one published measurement beside the simulation.
type Experiment struct {
	ID     string   `json:"id"`
	Title  string   `json:"title"`
	Source string   `json:"source"`
	Fitted []string `json:"fitted"` // constants that were chosen so that one of the published values comes out
	Checks []Check  `json:"checks"`
}

// Check is one value: what was published, what the simulation gives, and between which bounds that has to lie.
type Check struct {
	Name      string  `json:"name"`
	Unit      string  `json:"unit"`
	Published string  `json:"published"`
	Got       float64 `json:"got"`
	Low       float64 `json:"low"`
	High      float64 `json:"high"`
	Listed    string  `json:"listed,omitempty"` // why the value is only listed with its error and need not hold
}

// Holds reports whether the value lies between its bounds.
func (c *Check) Holds() bool { return c.Low <= c.Got && c.Got <= c.High }

// Fails reports whether a value that has to hold does not.
func (c *Check) Fails() bool { return c.Listed == "" && !c.Holds() }

// experiments by the rank of their strength.
var experiments = []func() (Experiment, error){
	checkpointingTime, debloatFigure, latencyLadder, changelogValueState, changelogWindow, regionCheckpoints, reactiveHeartbeat, limitedPools, kafkaTransactions, rescaledRestore, asynchronousSnapshots,
}

// All runs every experiment. told hears how many are done, from several goroutines.
func All(told func(done, all int)) ([]Experiment, error) {
	out := make([]Experiment, len(experiments))
	errs := make([]error, len(experiments))
	var done atomic.Int64
	parallel.Each(len(experiments), func(i int) {
		out[i], errs[i] = experiments[i]()
		told(int(done.Add(1)), len(experiments))
	})
	for i, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("published experiment %d: %w", i, err)
		}
	}
	return out, nil
}

// chain is a job of vertices in a row, each subtask in a task manager of its own, with the measured control plane.
func chain(partition core.Partition, options []option.Pair, vertices ...core.Vertex) (core.Setup, error) {
	config, _, err := option.Resolve("2.3", options)
	if err != nil {
		return core.Setup{}, err
	}
	s := core.Setup{Vertices: vertices, Options: config, Seed: 1, Overhead: recordOverhead, Control: core.MeasuredControl()}
	s.Control.FirstFails = false
	for i := range vertices[1:] {
		s.Edges = append(s.Edges, core.Edge{From: i, To: i + 1, Partition: partition})
	}
	return s, nil
}

// recordOverhead is what a record costs on the wire beyond its payload where the source does not say (recorded runs).
const recordOverhead = 47

// run computes a setup to its end.
func run(s core.Setup) (*core.History, error) {
	lab, err := core.New(s)
	if err != nil {
		return nil, err
	}
	lab.Advance(s.Duration, 0)
	return lab.History(), nil
}

// durations of the checkpoints that completed and were triggered at or after from, in order.
func durations(h *core.History, from event.Time) []event.Time {
	var all []event.Time
	for i := range h.Checkpoints {
		if c := &h.Checkpoints[i]; c.Outcome == core.Completed && c.Triggered >= from {
			all = append(all, c.Duration())
		}
	}
	return all
}

// meanDuration in seconds, of at least n checkpoints.
func meanDuration(h *core.History, from event.Time, n int) (float64, error) {
	all := durations(h, from)
	if len(all) < n {
		return 0, fmt.Errorf("%d checkpoints completed after %d s, expected %d", len(all), from/event.Second, n)
	}
	var sum event.Time
	for _, d := range all {
		sum += d
	}
	return float64(sum) / float64(len(all)) / float64(event.Second), nil
}

// triggers are a user's triggers at these times.
func triggers(at ...event.Time) []core.Action {
	var all []core.Action
	for _, t := range at {
		all = append(all, core.Action{At: t, Do: core.Trigger, Vertex: -1, Subtask: -1})
	}
	return all
}
