package published

import (
	"cmp"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// checkpointingTime is Flink's own benchmark of the time a checkpoint takes under back pressure: everything is in its
// source, so nothing is fitted (published 1.2). Of the measurements of 2022 only ratios can be compared, since what their
// flat map emits is not published.
func checkpointingTime() (Experiment, error) {
	e := Experiment{
		ID: "jmh-checkpointing-time", Title: "Checkpointing time of Flink's benchmark, parallelism 4",
		Source: "apache/flink-benchmarks CheckpointingTimeBenchmark and its pull requests 32 (2021) and 54 (2022)",
	}
	first := benchmark{segment: "4 kb", period: "10 ms", debloat: true, payload: 64, wire: 92, cost: event.Millisecond}
	head := func(cost event.Time) benchmark {
		return benchmark{segment: "8 kb", period: "200 ms", debloat: true, payload: 1, wire: 29, cost: cost}
	}
	unaligned := func(segment string, cost event.Time) benchmark {
		return benchmark{segment: segment, payload: 1024, wire: 1052, cost: cost}
	}
	late := func(segment string, cost event.Time) benchmark {
		b := unaligned(segment, cost)
		b.timeout = "1 ms"
		return b
	}
	all := []benchmark{first, unaligned("4 kb", event.Millisecond),
		head(200 * event.Microsecond), head(event.Millisecond), head(10 * event.Millisecond),
		unaligned("8 kb", event.Millisecond), unaligned("8 kb", 10*event.Millisecond),
		unaligned("8 kb", 200*event.Microsecond), late("8 kb", 10*event.Millisecond), late("4 kb", event.Millisecond)}
	got := make([]float64, len(all))
	for i, b := range all {
		seconds, err := b.seconds()
		if err != nil {
			return e, err
		}
		got[i] = seconds
	}
	e.Checks = []Check{
		{Name: "2021, aligned with debloating, 1 ms a record", Unit: "s", Published: "0.879 ± 0.071", Got: got[0], Low: 0.55, High: 1.0,
			Listed: "measured on an early revision of debloating; later averages cap a sample at twice the size, so with a period shorter than a buffer takes they settle below the target"},
		{Name: "2021, unaligned, 1 ms a record", Unit: "s", Published: "0.0025", Got: got[1], Low: 0, High: 0.020},
		{Name: "2022, aligned, 1 ms against 200 µs a record", Unit: "ratio", Published: "1.01", Got: got[3] / got[2], Low: 0.8, High: 1.25},
		{Name: "2022, aligned, 10 ms against 1 ms: the least segment binds", Unit: "ratio", Published: "8.3", Got: got[4] / got[3], Low: 6, High: 11},
		{Name: "2022, aligned against unaligned at 1 ms", Unit: "ratio", Published: "133", Got: got[3] / got[5], Low: 50, High: 1000},
		{Name: "2022, unaligned, 10 ms against 1 ms", Unit: "ratio", Published: "3.75", Got: got[6] / got[5], Low: 2, High: 6},
		{Name: "2022, unaligned, 1 ms against 200 µs", Unit: "ratio", Published: "1.07", Got: got[5] / got[7], Low: 0.8, High: 1.25, Listed: "no tolerance was fixed beforehand"},
		{Name: "2022, unaligned after 1 ms, 10 ms a record", Unit: "s", Published: "9.5", Got: got[8], Low: 4.7, High: 19,
			Listed: "measured before a barrier in an output queue could switch (FLINK-27251, 1.16)"},
		{Name: "2021, alternating, 1 ms a record", Unit: "s", Published: "0.133 ± 0.006", Got: got[9], Low: 0.12, High: 0.146,
			Listed: "its timeout is not published, here 1 ms; measured before a barrier in an output queue could switch"},
	}
	return e, nil
}

// benchmark is one setting: an unbounded source, an identity map and a slow sink, joined by REBALANCE.
type benchmark struct {
	segment, period string
	debloat         bool
	payload, wire   int32
	cost            event.Time // of the sink, a record
	timeout         string     // of the alignment, where it is not debloated; "" = none, unaligned at once
}

// seconds is the mean duration of five checkpoints under back pressure.
func (b benchmark) seconds() (float64, error) {
	options := []option.Pair{
		{Key: "taskmanager.memory.segment-size", Value: b.segment}, {Key: "taskmanager.memory.min-segment-size", Value: "256 b"},
	}
	if b.debloat {
		options = append(options, option.Pair{Key: "taskmanager.network.memory.buffer-debloat.enabled", Value: "true"},
			option.Pair{Key: "taskmanager.network.memory.buffer-debloat.target", Value: "300 ms"},
			option.Pair{Key: "taskmanager.network.memory.buffer-debloat.period", Value: b.period})
	} else {
		options = append(options, option.Pair{Key: "execution.checkpointing.unaligned.enabled", Value: "true"},
			option.Pair{Key: "execution.checkpointing.aligned-checkpoint-timeout", Value: cmp.Or(b.timeout, "0 ms")})
	}
	s, err := chain(core.Rebalance, options,
		core.Vertex{Name: "source", Kind: core.Source, Parallelism: 4, Cost: -1, Payload: b.payload},
		core.Vertex{Name: "map", Kind: core.Map, Parallelism: 4, Cost: -1},
		core.Vertex{Name: "sink", Kind: core.Sink, Parallelism: 4, Cost: b.cost, Guarantee: core.AtLeastOnce})
	if err != nil {
		return 0, err
	}
	s.Overhead = b.wire - b.payload
	from, gap := settled(b.cost)
	var at []event.Time
	for i := range event.Time(5) {
		at = append(at, from+i*gap)
	}
	s.Script, s.Duration = triggers(at...), from+6*gap
	h, err := run(s)
	if err != nil {
		return 0, err
	}
	return meanDuration(h, from, len(at))
}

// settled is when the queues are full and the buffers' sizes have settled, and how far triggers are apart: longer than the
// checkpoint takes.
func settled(cost event.Time) (from, gap event.Time) {
	return 20*event.Second + 3000*cost, 5*event.Second + 1000*cost
}
