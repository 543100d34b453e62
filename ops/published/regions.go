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
	whole, err := regionSuccess(0)
	if err != nil {
		return e, err
	}
	merged, err := regionSuccess(1)
	if err != nil {
		return e, err
	}
	e.Checks = []Check{
		{Name: "success without regions", Unit: "%", Published: "53.9", Got: whole, Low: 50.9, High: 56.9},
		{Name: "success with six regions, a part used again once in a row", Unit: "%", Published: "93.5", Got: merged, Low: 90.5, High: 96.5},
		{Name: "points gained", Unit: "points", Published: "39.6", Got: merged - whole, Low: 34, High: 45},
	}
	return e, nil
}

// regionSuccess is the share of checkpoints that are complete, in per cent.
func regionSuccess(reuse int) (float64, error) {
	const regions = 6
	s, err := chain(core.Forward, []option.Pair{{Key: "execution.checkpointing.interval", Value: "30 s"}, {Key: "execution.checkpointing.tolerable-failed-checkpoints", Value: "100000"}},
		core.Vertex{Name: "queue", Kind: core.Source, Parallelism: regions, Cost: -1, RateNum: 1, RatePer: event.Second, Payload: 100, Snapshot: core.Snapshot{Size: 1 << 20}},
		core.Vertex{Name: "hive", Kind: core.Sink, Parallelism: regions, Cost: -1, Guarantee: core.ExactlyOnce, Snapshot: core.Snapshot{Size: 1 << 20}})
	if err != nil {
		return 0, err
	}
	s.RegionReuse, s.Duration = reuse, 12*3600*event.Second
	s.Storage = core.Storage{On: true, Bandwidth: 500 << 20, Latency: 20 * event.Millisecond}
	s.Script = []core.Action{{At: event.Second, Do: core.StorageFault, Fail: 50_000, Where: core.OnlyTasks}}
	h, err := run(s)
	if err != nil {
		return 0, err
	}
	completed := 0
	for i := range h.Checkpoints {
		if h.Checkpoints[i].Outcome == core.Completed {
			completed++
		}
	}
	return 100 * float64(completed) / float64(len(h.Checkpoints)), nil
}
