package published

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// regionCheckpoints is StreamShield's test (published 1.6): a storage that lets one upload of twenty fail, 12 h, 30 s. Released Flink
// has no region checkpoints. The merge rule is that of checkpoint.Regions, fixed beforehand as the number of regions is: a pipelined
// region in which an upload fails keeps its part of the latest completed checkpoint, once in a row; six regions, so that the twelve
// uploads that the row without regions asks for are two of each.
func regionCheckpoints() (Experiment, error) {
	e := Experiment{
		ID: "streamshield-region", Title: "Checkpoints that survive failed regions: not in released Flink, by the lab's own rule",
		Source: "StreamShield, arXiv 2602.03189, read second hand",
		Fitted: []string{"twelve uploads of which each fails with the published 5 %, from 1253 of 2326 without regions (0.95^12 = 54.0 %)",
			"nothing for the row with regions: the rule, once in a row, and the number of regions, six, are not published and were fixed before it was run"},
	}
	whole, wholeWait, err := regionSuccess(0)
	if err != nil {
		return e, err
	}
	merged, mergedWait, err := regionSuccess(1)
	if err != nil {
		return e, err
	}
	e.Checks = []Check{
		{Name: "success without regions", Unit: "%", Published: "53.9", Got: whole, Low: 50.9, High: 56.9},
		{Name: "success with six regions, a part used again once in a row", Unit: "%", Published: "93.5", Got: merged, Low: 90.5, High: 96.5},
		{Name: "mean wait for the next success, without regions", Unit: "s", Published: "40.7 (closed form)", Got: wholeWait, Low: meanWait(56.9), High: meanWait(50.9)},
		{Name: "mean wait for the next success, with six regions", Unit: "s", Published: "17.1 (closed form)", Got: mergedWait, Low: meanWait(96.5), High: meanWait(90.5)},
		{Name: "points gained", Unit: "points", Published: "39.6", Got: merged - whole, Low: 34, High: 45},
	}
	return e, nil
}

// regionInterval is that of the test.
const regionInterval = 30 * event.Second

// meanWait is how long in seconds somebody who comes at any time waits on average for the trigger of a checkpoint that succeeds, if so
// many per cent do, each by itself (published, closed form).
func meanWait(percent float64) float64 {
	s := percent / 100
	return float64(regionInterval/event.Second) * (2 - s) / (2 * s)
}

// regionSuccess is the share of checkpoints that are complete, in per cent, and the mean wait for the trigger of one that is.
func regionSuccess(reuse int) (percent, wait float64, err error) {
	const regions = 6
	s, err := chain(core.Forward, []option.Pair{{Key: "execution.checkpointing.interval", Value: "30 s"}, {Key: "execution.checkpointing.tolerable-failed-checkpoints", Value: "100000"}},
		core.Vertex{Name: "queue", Kind: core.Source, Parallelism: regions, Cost: -1, RateNum: 1, RatePer: event.Second, Payload: 100, Snapshot: core.Snapshot{Size: 1 << 20}},
		core.Vertex{Name: "hive", Kind: core.Sink, Parallelism: regions, Cost: -1, Guarantee: core.ExactlyOnce, Snapshot: core.Snapshot{Size: 1 << 20}})
	if err != nil {
		return 0, 0, err
	}
	s.RegionReuse, s.Duration = reuse, 12*3600*event.Second
	s.Storage = core.Storage{On: true, Bandwidth: 500 << 20, Latency: 20 * event.Millisecond}
	s.Script = []core.Action{{At: event.Second, Do: core.StorageFault, Fail: 50_000, Where: core.OnlyTasks}}
	h, err := run(s)
	if err != nil {
		return 0, 0, err
	}
	completed := 0
	var before event.Time
	var square, all float64 // of the times between
	for i := range h.Checkpoints {
		c := &h.Checkpoints[i]
		if c.Outcome != core.Completed {
			continue
		}
		if completed++; completed > 1 {
			gap := float64(c.Triggered-before) / float64(event.Second)
			square, all = square+gap*gap, all+gap
		}
		before = c.Triggered
	}
	return 100 * float64(completed) / float64(len(h.Checkpoints)), square / (2 * all), nil
}
