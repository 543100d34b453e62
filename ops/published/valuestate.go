package published

import (
	"slices"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// The constants of the changelog's job: fitted are the first three.
const (
	valueUpload        = 55_500_000 // bytes a second of a task manager: 3.05 GB in 5 s, less the latency, by 13 of them
	valueAmplification = 11_300     // per mille: 8.1 kB uploaded an event for 0.67 kB
	valuePause         = 2540 * event.Millisecond
	valueReplay        = 10_000_000 // bytes a second at which a subtask replays its log
)

// changelogValueState is the published job (published 1.5): 50 subtasks on 13 task managers of 4 slots, 50,000 events a second, an
// interval of 10 ms, materialization every 3 min, 18.5 GB of state, 0.67 kB changed by an event.
func changelogValueState() (Experiment, error) {
	e := Experiment{
		ID: "changelog-valuestate", Title: "Changelog on and off: ValueState, 50 subtasks, 18.5 GB, an interval of 10 ms",
		Source: "flink.apache.org, Improving speed and stability of checkpointing with generic log-based incremental checkpoints, 2022, table ValueState",
		Fitted: []string{"upload of a task manager, 55.5 MB/s, from the row off", "amplification 11.3, from the row off",
			"2.54 s between two checkpoints of the row off, whose mean spacing of 7.54 s the median of 5 s does not explain",
			"latency of a request 30 ms, p99 200 ms, at most 600 ms, and 10 MB/s of replay: chosen with the row on in sight, so that row is no blind prediction"},
	}
	off, err := valueRow(false)
	if err != nil {
		return e, err
	}
	on, err := valueRow(true)
	if err != nil {
		return e, err
	}
	const gb, s = 1e9, float64(event.Second)
	ratio := float64(on.full) / float64(off.full)
	e.Checks = []Check{
		{Name: "off, uploaded, p50", Unit: "GB", Published: "3.05", Got: float64(off.stored) / gb, Low: 3.05 * 0.85, High: 3.05 * 1.15},
		{Name: "off, duration, p50", Unit: "s", Published: "5", Got: float64(off.p50) / s, Low: 5 * 0.85, High: 5 * 1.15},
		{Name: "on, duration, p50", Unit: "s", Published: "0.311", Got: float64(on.p50) / s, Low: 0.2, High: 0.5},
		{Name: "checkpoints, on / off", Unit: "times", Published: "10.8", Got: float64(off.spacing) / float64(on.spacing), Low: 10.8 * 0.7, High: 10.8 * 1.3},
		{Name: "full size, on / off", Unit: "times", Published: "1.31", Got: ratio, Low: 1.31 * 0.9, High: 1.31 * 1.1,
			Listed: "the published log is longer than the 3 min of changes that lie between two materializations of the lab"},
		{Name: "recovery, on / off", Unit: "times", Published: "1.7 to 3.3", Got: float64(on.recovery) / float64(off.recovery), Low: 1.7, High: 3.3},
	}
	return e, nil
}

// valueRows is what the table says of one run, in its second half before the failure.
type valueRows struct {
	spacing, p50 event.Time
	stored, full int64 // p50
	recovery     event.Time
}

func valueRow(on bool) (r valueRows, err error) {
	s, err := chain(core.Hash, []option.Pair{{Key: "execution.checkpointing.interval", Value: "10 ms"},
		{Key: "restart-strategy.type", Value: "fixed-delay"}, {Key: "restart-strategy.fixed-delay.attempts", Value: "1000"}},
		core.Vertex{Name: "source", Kind: core.Source, Parallelism: 1, Cost: -1, RateNum: 500, RatePer: event.Second, Payload: 100}, // a hundred events each
		core.Vertex{Name: "map", Kind: core.Map, Parallelism: 50, Cost: -1, Snapshot: core.Snapshot{Size: 370_000_000, Change: 67_000, Amplification: valueAmplification}},
		core.Vertex{Name: "sink", Kind: core.Sink, Parallelism: 1, Cost: -1})
	if err != nil {
		return r, err
	}
	s.Control = core.Control{}
	s.Cluster = core.Cluster{Slots: 4, Sharing: true}
	s.Storage = core.Storage{On: true, PerManager: valueUpload, Latency: 30 * event.Millisecond, P99: 200 * event.Millisecond, Max: 600 * event.Millisecond, Replay: valueReplay}
	s.Options.Changelog, s.Options.ChangelogMaterialize = on, 180*event.Second
	if !on {
		s.Options.MinPause = valuePause
	}
	const to = 9 * 60 * event.Second
	s.Script, s.Duration = []core.Action{{At: to - event.Millisecond, Do: core.Kill, Vertex: 1}}, to+120*event.Second
	h, err := run(s)
	if err != nil {
		return r, err
	}
	const from = 240 * event.Second
	var durations, stored, full []int64
	for i := range h.Checkpoints {
		c := &h.Checkpoints[i]
		if c.Outcome != core.Completed || c.Triggered < from || c.Ended > to-event.Second {
			continue
		}
		durations = append(durations, c.Ended-c.Triggered)
		var a, b int64
		for _, k := range c.Tasks {
			a, b = a+k.Stored, b+k.Size
		}
		stored, full = append(stored, a), append(full, b)
	}
	for _, x := range [][]int64{durations, stored, full} {
		slices.Sort(x)
	}
	n, f := len(durations), h.Failures[0]
	return valueRows{(to - event.Second - from) / event.Time(n), durations[n/2], stored[n/2], full[n/2], f.RunningAt - f.At}, nil
}
