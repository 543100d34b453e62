package core_test

import (
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
)

// TestSynchronousPartCountsForThroughput: a barrier that comes to an empty gate is something to read, so the synchronous part that
// follows it counts as time for the debloater, whose mail waits for its end; it is no idle time (spec 5;
// SingleInputGate.getNextBufferOrEvent). 100 records/s of 1 kB: less than 100 kB/s with 800 ms in which nothing is read, while those
// that are read take a hundredth of the time.
func TestSynchronousPartCountsForThroughput(t *testing.T) {
	s := row(core.Rebalance, resolved(t, interval, "5 s", "taskmanager.network.memory.buffer-debloat.enabled", "true", "execution.buffer-timeout.interval", "0 ms"),
		core.Vertex{Name: "source", Kind: core.Source, Parallelism: 1, Cost: -1, RateNum: 100, RatePer: event.Second, Payload: 953},
		core.Vertex{Name: "sink", Kind: core.Sink, Parallelism: 1, Cost: event.Millisecond / 10, Guarantee: core.AtLeastOnce, Snapshot: core.Snapshot{Sync: 800 * event.Millisecond}})
	s.Duration = 6 * event.Second
	l := runTo(t, s, 5*event.Second+810*event.Millisecond)
	var v core.View
	l.View(&v)
	m := &v.Vertices[1].Tasks[0].Metrics
	if least := m.DebloatedBufferSize * 1000 / 100_000; m.EstimatedTimeToConsumeBuffersMs < least {
		t.Errorf("buffers of %d bytes take %d ms, so that more than 100 kB/s would be read; expected %d ms at least", m.DebloatedBufferSize, m.EstimatedTimeToConsumeBuffersMs, least)
	}
}
