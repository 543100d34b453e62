package published

import (
	"fmt"
	"slices"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// limitedPools is what limiting buffer pools has done to the delay of checkpoints (published 2.2): six tasks on six machines, two
// exchanges by key, a checkpoint each second, no slow sink. The source comes in gusts that the map cannot take at once: how long a
// gust lasts is fitted, to the 75th percentile with pools as large as the network memory.
func limitedPools() (Experiment, error) {
	e := Experiment{
		ID: "flink4545-pool", Title: "Buffer pools limited to 2 a channel and 8, instead of all network memory",
		Source: "apache/flink pull request 3480 (FLINK-4545), 2017",
		Fitted: []string{"gusts of 400 ms, twenty times 100,000 records a second, every 1.37 s: to the p75 of 38 ms with large pools"},
	}
	before50, before75, err := delays(false)
	if err != nil {
		return e, err
	}
	after50, after75, err := delays(true)
	if err != nil {
		return e, err
	}
	e.Checks = []Check{
		{Name: "large pools, p75 of the delay", Unit: "ms", Published: "38", Got: before75, Low: 0.9 * 38, High: 1.1 * 38},
		{Name: "limited pools, p75 less by", Unit: "%", Published: "58 (38 to 16)", Got: 100 * (1 - after75/before75), Low: 40, High: 75},
		{Name: "median, limited against large pools", Unit: "%", Published: "100 (7 ms both)", Got: 100 * after50 / before50, Low: 70, High: 130},
	}
	return e, nil
}

// gust is how long the source brings more than the map can take, the fitted constant.
const gust = 400 * event.Millisecond

// delays are quantiles of the time until a checkpoint's barrier has come to all sinks, in ms.
func delays(limited bool) (p50, p75 float64, err error) {
	s, err := chain(core.Hash, []option.Pair{{Key: "execution.checkpointing.interval", Value: "1 s"}, {Key: "execution.buffer-timeout.interval", Value: "100 ms"}},
		core.Vertex{Name: "source", Kind: core.Source, Parallelism: 2, Cost: 370, RateNum: 100_000, RatePer: event.Second, Payload: 8,
			Load: core.Load{BurstEvery: 1370 * event.Millisecond, BurstFor: gust, BurstTimes: 20}},
		core.Vertex{Name: "map", Kind: core.Map, Parallelism: 2, Cost: -1},
		core.Vertex{Name: "sink", Kind: core.Sink, Parallelism: 2, Cost: 200, Guarantee: core.AtLeastOnce})
	if err != nil {
		return 0, 0, err
	}
	s.Options.BuffersPerChannel, s.Options.FloatingPerGate, s.Options.MaxPerChannel = 2, 8, 1<<20 // a queue had no limit of its own
	if !limited {
		s.Options.FloatingPerGate = 1000
	}
	s.Overhead, s.Duration = 20, 121*event.Second
	h, err := run(s)
	if err != nil {
		return 0, 0, err
	}
	var all []float64
	for i := range h.Checkpoints {
		if c := &h.Checkpoints[i]; c.Outcome == core.Completed {
			most := event.Time(0)
			for _, t := range c.Tasks {
				most = max(most, t.StartDelay)
			}
			all = append(all, float64(most)/float64(event.Millisecond))
		}
	}
	slices.Sort(all)
	if len(all) < 100 {
		return 0, 0, fmt.Errorf("%d checkpoints", len(all))
	}
	return all[len(all)/2], all[len(all)*3/4], nil
}
