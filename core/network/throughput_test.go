package network

import (
	"testing"

	"checkpointlab/core/event"

	"pgregory.net/rapid"
)

// Time in which a poll found the gate empty does not count (spec 5).
func TestThroughputLeavesIdleTimeOut(t *testing.T) {
	var th Throughput
	th.Add(0, 1000)
	th.Pause(10 * event.Millisecond)
	th.Pause(50 * event.Millisecond)
	th.Add(150*event.Millisecond, 1000)
	if got := th.Calculate(200 * event.Millisecond); got != 2000*1000/60 {
		t.Errorf("%d bytes/s; 2000 bytes in 10 + 50 ms", got)
	}
	if got := th.Calculate(200 * event.Millisecond); got != 2000*1000/60 {
		t.Errorf("%d bytes/s when no time has passed; the former value is expected", got)
	}
	if got := th.Calculate(400 * event.Millisecond); got != 0 {
		t.Errorf("%d bytes/s when nothing was read", got)
	}
}

// Whatever the order of calls, the measured time is the sum of the measured spans.
func TestThroughputMeasuresSpans(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var th Throughput
		var now event.Time
		running, bytes, spent, want := false, int64(0), int64(0), int64(0)
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			step := rapid.Int64Range(0, 3*event.Millisecond).Draw(t, "ns")
			if running {
				spent += step
			}
			now += step
			switch rapid.IntRange(0, 3).Draw(t, "do") {
			case 0:
				n := rapid.Int64Range(0, 1<<20).Draw(t, "bytes")
				th.Add(now, n)
				bytes, running = bytes+n, true
			case 1:
				th.Pause(now)
				running = false
			case 2:
				th.Resume(now)
				running = true
			case 3:
				if spent > 0 {
					want = int64(float64(float64(bytes)/float64(float64(spent)/1e6)) * 1000)
				}
				if got := th.Calculate(now); got != want {
					t.Fatalf("%d bytes/s, expected %d from %d bytes in %d ns", got, want, bytes, spent)
				}
				bytes, spent = 0, 0
			}
		}
	})
}

func BenchmarkThroughput(b *testing.B) {
	var th Throughput
	b.ReportAllocs()
	for i := range b.N {
		now := event.Time(i) * event.Millisecond
		th.Add(now, 100)
		th.Pause(now)
		if i&127 == 0 {
			th.Calculate(now)
		}
	}
}
