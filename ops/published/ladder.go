package published

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/metric"
	"checkpointlab/core/option"
)

// ladderPhases is over how many clusters a rung is averaged: the phases of their timers and flushers are independent.
const ladderPhases = 30

// latencyLadder is how late the results of windows come: when the slowest of three sources has made its watermark, and that has
// been flushed (published 1.4). One constant, what a real cluster takes for parsing, fetching and firing on top, is fitted on the
// first rung; 250 + 3/4 W + 3/4 B + 31 ms fits all of them.
func latencyLadder() (Experiment, error) {
	const ms = float64(event.Millisecond)
	e := Experiment{
		ID: "latency-ladder", Title: "How late windows' results come: watermark interval W and buffer timeout B",
		Source: "flink.apache.org, Getting into Low-Latency Gears with Apache Flink, 2022; WindowingJob of ververica/lab-flink-latency",
	}
	const measured = (503.52 + 506.6) / 2
	first, err := rung("200 ms", "100 ms")
	if err != nil {
		return e, err
	}
	processing := measured - float64(first)/ms
	e.Fitted = []string{"what the cluster takes on top, from the rung of 200 and 100 ms"}
	e.Checks = append(e.Checks, Check{Name: "what the cluster takes on top", Unit: "ms", Published: "about 31, by the formula", Got: processing, Low: 5, High: 60})
	e.Checks = append(e.Checks, Check{Name: "p99, W 200 ms, B 100 ms, with RocksDB", Unit: "ms", Published: "649.1, 652.8", Got: float64(first)/ms + processing, Low: 0.9 * 650.9, High: 1.1 * 650.9,
		Listed: "how many windows fire at once and what RocksDB takes to read each is not published; the lab's result is that of the heap"})
	for _, r := range []struct {
		watermarks, timeout string
		want                float64
		published           string
		bound               float64
	}{
		{"100 ms", "100 ms", (424.63 + 429.08) / 2, "424.6, 429.1", 450},
		{"100 ms", "10 ms", 375.85, "375.9", 360},
	} {
		got, err := rung(r.watermarks, r.timeout)
		if err != nil {
			return e, err
		}
		name := "p99, W " + r.watermarks + ", B " + r.timeout
		e.Checks = append(e.Checks,
			Check{Name: name, Unit: "ms", Published: r.published, Got: float64(got)/ms + processing, Low: 0.9 * r.want, High: 1.1 * r.want},
			Check{Name: name + ", less what is on top", Unit: "ms", Published: "below 250 + W + B", Got: float64(got) / ms, Low: 250, High: r.bound + 5})
	}
	return e, nil
}

// rung is p99 of now less the window's end over all results, mean over clusters.
func rung(watermarks, timeout string) (event.Time, error) {
	s, err := chain(core.Hash, []option.Pair{
		{Key: "pipeline.auto-watermark-interval", Value: watermarks}, {Key: "execution.buffer-timeout.interval", Value: timeout}},
		core.Vertex{Name: "source", Kind: core.Source, Parallelism: 3, Cost: -1, Payload: 100, RateNum: 200, RatePer: event.Second,
			Watermarks: core.Watermarks{On: true, Bound: 250 * event.Millisecond, Idle: event.Second}},
		core.Vertex{Name: "window", Kind: core.Map, Parallelism: 3, Cost: -1, Window: core.Window{Size: 60 * event.Second, Slide: 10 * event.Second, Fire: -1}},
		core.Vertex{Name: "sink", Kind: core.Sink, Parallelism: 3, Cost: -1})
	if err != nil {
		return 0, err
	}
	s.Duration, s.Keys, s.MaxParallel = 45*event.Second, 60, 128
	var sum event.Time
	for seed := range uint64(ladderPhases) {
		s.Seed = seed
		h, err := run(s)
		if err != nil {
			return 0, err
		}
		var sel metric.Selection
		sel.Select(&h.Fired, metric.Everything())
		sum += sel.Quantile(0.99)
	}
	return sum / ladderPhases, nil
}
