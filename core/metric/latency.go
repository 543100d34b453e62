// Package metric computes what is read off a run: exact latency quantiles over runs of records, Flink's time gauges.
package metric

import "checkpointlab/core/event"

// Latencies keeps the latencies of every record as runs in arithmetic progression, so that quantiles are exact
// and cost grows with buffers, not with records.
type Latencies struct {
	runs []latencyRun
}

// latencyRun is n values first, first+step, … seen from at on; first and step are ns in 1/1024.
type latencyRun struct {
	at          event.Time
	first, step int64
	n           int64
}
