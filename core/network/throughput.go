package network

import "checkpointlab/core/event"

// Throughput measures the bytes that a gate's consumer reads per second of time in which there was something to read
// (spec 5; Flink's ThroughputCalculator). Flink's clock has whole milliseconds, which are right on the average of many
// short readings; here, where readings keep their phase to the clock, they would be wrong forever, so it has nanoseconds.
// The zero value measures from the first Add or Resume.
type Throughput struct {
	bytes   int64
	elapsed int64 // ns measured since the last Calculate
	since   int64 // ns; the running measurement's start
	running bool
	last    int64 // bytes/s
}

// Add counts bytes read from the gate; it ends a pause.
func (t *Throughput) Add(now event.Time, bytes int64) {
	t.Resume(now)
	t.bytes += bytes
}

// Pause begins a time that does not count: a poll found the gate empty.
func (t *Throughput) Pause(now event.Time) {
	t.collect(now)
	t.running = false
}

// Resume ends a pause.
func (t *Throughput) Resume(now event.Time) {
	if !t.running {
		t.since, t.running = now, true
	}
}

// Running reports whether the time counts now.
func (t *Throughput) Running() bool { return t.running }

// Calculate is the throughput since the last call in bytes per second, and begins anew. If no time was measured it is the
// former value. A pause goes on.
func (t *Throughput) Calculate(now event.Time) int64 {
	t.collect(now)
	if t.elapsed > 0 {
		perMs := float64(t.bytes) / float64(float64(t.elapsed)/float64(event.Millisecond))
		t.last = int64(float64(perMs * 1000))
	}
	t.bytes, t.elapsed = 0, 0
	return t.last
}

func (t *Throughput) collect(now event.Time) {
	if t.running {
		t.elapsed += now - t.since
		t.since = now
	}
}
