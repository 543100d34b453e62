package published

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/metric"
	"checkpointlab/core/option"
)

// kafkaTransactions: a commit costs the producer a fixed time, however many records it holds, and a read_committed reader
// sees records from the commit on (published 2.3).
func kafkaTransactions() (Experiment, error) {
	e := Experiment{
		ID: "kafka-txn-overhead", Title: "Kafka transactions: what a commit costs, and when its records show",
		Source: "Confluent, Transactions in Apache Kafka, 2017",
		Fitted: []string{"3 ms of the producer's time a commit"},
	}
	var throughput [3]float64
	for i, p := range []struct {
		interval string
		cost     event.Time
	}{{"100 ms", 0}, {"100 ms", commitCost}, {"1 s", commitCost}} {
		h, s, err := producer(p.interval, p.cost, 0)
		if err != nil {
			return e, err
		}
		throughput[i] = float64(h.Pipeline.Count(event.Second, s.Duration)) / float64((s.Duration-event.Second)/event.Second)
	}
	rare, s, err := producer("30 s", commitCost, 0)
	if err != nil {
		return e, err
	}
	seldom := float64(rare.Pipeline.Count(event.Second, s.Duration)) / float64((s.Duration-event.Second)/event.Second)
	h, _, err := producer("100 ms", commitCost, 5000)
	if err != nil {
		return e, err
	}
	var visible metric.Selection
	visible.Select(&h.Visible, metric.Everything())
	const ms = float64(event.Millisecond)
	e.Checks = []Check{
		{Name: "throughput lost at a commit every 100 ms", Unit: "%", Published: "3", Got: 100 * (1 - throughput[1]/throughput[0]), Low: 2, High: 4},
		{Name: "throughput lost at a commit every second", Unit: "%", Published: "too little to be seen", Got: 100 * (1 - throughput[2]/throughput[0]), Low: 0, High: 0.31},
		{Name: "Kafka Streams, a commit every 30 s: throughput lost", Unit: "%", Published: "0", Got: 100 * (1 - seldom/throughput[0]), Low: 0, High: 0.1},
		{Name: "Kafka Streams, a commit every 100 ms: throughput lost", Unit: "%", Published: "15 to 30", Got: 100 * (1 - throughput[1]/throughput[0]), Low: 15, High: 30,
			Listed: "a commit of Kafka Streams also flushes its stores and sends its offsets; what that takes is not published, and the 3 ms are the producer's alone"},
		{Name: "visibility at half the load, p50", Unit: "ms", Published: "interval / 2", Got: float64(visible.Quantile(0.5)) / ms, Low: 48, High: 58},
		{Name: "visibility at half the load, maximum", Unit: "ms", Published: "interval + commit", Got: float64(visible.Max()) / ms, Low: 100, High: 110},
	}
	return e, nil
}

const commitCost = 3 * event.Millisecond

// producer runs a sink that can write 10,000 records a second and spends cost on each commit. rate 0 is as fast as it can.
func producer(interval string, cost event.Time, rate int64) (*core.History, *core.Setup, error) {
	s, err := chain(core.Hash, []option.Pair{
		{Key: "execution.checkpointing.interval", Value: interval}, {Key: "execution.buffer-timeout.interval", Value: "0 ms"}},
		core.Vertex{Name: "source", Kind: core.Source, Parallelism: 1, Cost: -1, Payload: 1024, RateNum: rate, RatePer: event.Second},
		core.Vertex{Name: "sink", Kind: core.Sink, Parallelism: 1, Cost: 100 * event.Microsecond, Snapshot: core.Snapshot{Sync: cost}})
	if err != nil {
		return nil, nil, err
	}
	if rate == 0 {
		s.Vertices[0].RatePer = 0
	}
	s.Control, s.Duration = core.Control{}, 61*event.Second
	h, err := run(s)
	return h, &s, err
}
