package published

import (
	"fmt"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// debloatFigure is the figure of Flink 1.14's release notes: five exchanges under back pressure. Only the sink's rate is
// fitted, to the checkpoint without debloating; four targets are predicted (published 1.3).
func debloatFigure() (Experiment, error) {
	e := Experiment{
		ID: "flink114-debloat", Title: "Aligned checkpoint time over five exchanges with buffer debloating",
		Source: "Apache Flink 1.14 release announcement, 2021, figure on buffer debloating",
	}
	const off, memory = 78.7085, 4 // s
	cost, err := fitCost(off)
	if err != nil {
		return e, err
	}
	e.Fitted = []string{fmt.Sprintf("sink: %d µs a record, from the checkpoint of %.1f s without debloating", cost/event.Microsecond, off)}
	for _, p := range []struct{ target, measured float64 }{{10, 34.6455}, {5, 19.2568}, {2, 8.2933}, {1, 4.828}} {
		got, err := fiveExchanges(cost, p.target)
		if err != nil {
			return e, err
		}
		bound := 5 * min(p.target, off/5)
		c := Check{Name: fmt.Sprintf("target %g s", p.target), Unit: "s", Published: fmt.Sprintf("%.1f", p.measured), Got: got, Low: 0.65 * bound, High: 1.1 * bound}
		if p.target > memory {
			c.Listed = "the target is longer than the average remembers (20 samples of 0.2 s), so sizes swing and a checkpoint's time depends on its instant"
		}
		e.Checks = append(e.Checks, c)
	}
	return e, nil
}

// fitCost is the sink's time a record with which the checkpoint without debloating takes that long: it is proportional.
func fitCost(seconds float64) (event.Time, error) {
	cost := 2200 * event.Microsecond
	for range 3 {
		got, err := fiveExchanges(cost, 0)
		if err != nil {
			return 0, err
		}
		cost = event.Time(float64(cost) * seconds / got)
	}
	return cost, nil
}

// fiveExchanges is the duration of a checkpoint in seconds of six operators of parallelism 4 with a slow sink; target 0 is
// without debloating.
func fiveExchanges(cost event.Time, target float64) (float64, error) {
	var options []option.Pair
	if target > 0 {
		options = []option.Pair{{Key: "taskmanager.network.memory.buffer-debloat.enabled", Value: "true"},
			{Key: "taskmanager.network.memory.buffer-debloat.target", Value: fmt.Sprintf("%d ms", int64(1000*target))},
			{Key: "taskmanager.memory.starting-segment-size", Value: "32 kb"}} // 1.14 knows no smaller start
	}
	const parallelism = 4
	vertices := []core.Vertex{{Name: "source", Kind: core.Source, Parallelism: parallelism, Cost: -1, Payload: 100}}
	for i := range 4 {
		vertices = append(vertices, core.Vertex{Name: fmt.Sprintf("map %d", i+1), Kind: core.Map, Parallelism: parallelism, Cost: -1})
	}
	vertices = append(vertices, core.Vertex{Name: "sink", Kind: core.Sink, Parallelism: parallelism, Cost: cost, Guarantee: core.AtLeastOnce})
	s, err := chain(core.Hash, options, vertices...)
	if err != nil {
		return 0, err
	}
	const from = 250 * event.Second
	s.Options.Timeout = 600 * event.Second
	s.Script, s.Duration = triggers(from, from+90*event.Second, from+180*event.Second, from+270*event.Second, from+360*event.Second), from+460*event.Second
	h, err := run(s)
	if err != nil {
		return 0, err
	}
	return meanDuration(h, from, 5)
}
