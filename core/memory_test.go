package core

import (
	"runtime"
	"strings"
	"testing"

	"checkpointlab/core/event"
)

// wideJob is source → map → sink with that many records a second in each subtask.
func wideJob(t testing.TB, parallelism int, p Partition, rate int64, until event.Time) Setup {
	s := bp222(t)
	for v := range s.Vertices {
		s.Vertices[v].Parallelism, s.Vertices[v].Cost = parallelism, -1
	}
	for e := range s.Edges {
		s.Edges[e].Partition = p
	}
	s.Vertices[0].RateNum, s.Vertices[0].RatePer = rate, event.Second
	s.Duration, s.MaxParallel, s.Keys, s.FlusherPhase = until, 0, 1<<16, PhaseRandom
	return s
}

// TestMemoryIsAsEstimated runs jobs of several shapes: the estimate must not be less than what is taken, nor far more.
func TestMemoryIsAsEstimated(t *testing.T) {
	for name, s := range map[string]Setup{
		"hash":    wideJob(t, 200, Hash, 50, 3*event.Second),
		"forward": wideJob(t, 2000, Forward, 10, 3*event.Second),
		"long":    chapter(t, "10 s"),
		"filled":  filledJob(t, 40, Rebalance),
		"hashed":  filledJob(t, 60, Hash),
		"phases":  rescaledJob(t, 100, 50),
		"large":   largeRecords(t, 40),
	} {
		before := heap()
		l := run(t, s)
		taken, estimate := heap()-before, s.Memory()
		runtime.KeepAlive(l)
		t.Logf("%s: %d kB taken, %d kB estimated", name, taken>>10, estimate>>10)
		if taken > estimate || estimate > 8*taken {
			t.Errorf("%s takes %d kB, estimated are %d kB", name, taken>>10, estimate>>10)
		}
	}
}

// filledJob has sinks that are slower than the sources.
func filledJob(t testing.TB, parallelism int, p Partition) Setup {
	s := wideJob(t, parallelism, p, 0, 2*event.Second)
	s.Vertices[2].Cost = 200 * event.Microsecond
	return s
}

// largeRecords has records of many buffers, which go to all sinks.
func largeRecords(t testing.TB, parallelism int) Setup {
	s := filledJob(t, parallelism, Broadcast)
	s.Vertices[0].Payload = 16 << 20
	return s
}

// rescaledJob is started anew so many times, each time with one subtask less in every vertex.
func rescaledJob(t testing.TB, parallelism, times int) Setup {
	s := wideJob(t, parallelism, Hash, 10, event.Second)
	s.MaxParallel = 128
	for i := range times {
		s.Script = append(s.Script, Action{At: 900*event.Millisecond + event.Time(i), Do: RescaleJob, Vertex: -1, Parallelism: parallelism - 1 - i})
	}
	return s
}

// TestPhasesAreBounded: each start of another version is laid out from the beginning, so that many of a wide job need much.
func TestPhasesAreBounded(t *testing.T) {
	s := rescaledJob(t, 100, 90)
	s.MostMemory = s.Memory() - 1
	if _, err := New(s); err == nil || !strings.Contains(err.Error(), "of memory") {
		t.Errorf("more phases than fit: %v", err)
	}
	last := s.Script[len(s.Script)-1]
	for range maxPhases {
		s.Script = append(s.Script, last)
	}
	if err := s.Check(); err == nil || !strings.Contains(err.Error(), "starts the job anew more than 999 times; leave out") {
		t.Errorf("more phases than anybody needs: %v", err)
	}
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestWhatDoesNotFitIsRefused before it takes any memory, with the estimate.
func TestWhatDoesNotFitIsRefused(t *testing.T) {
	s := wideJob(t, 8000, Hash, 10, event.Second)
	before := heap()
	_, err := New(s)
	if err == nil || !strings.Contains(err.Error(), "GB of memory (128000000 channels") && !strings.Contains(err.Error(), "channels; the lab takes") {
		t.Errorf("a job of 128 million channels: %v", err)
	}
	if taken := heap() - before; taken > 1<<20 {
		t.Errorf("%d bytes were taken to refuse it", taken)
	}
	small := wideJob(t, 100, Hash, 10, event.Second)
	if _, err := New(small); err != nil {
		t.Error(err)
	}
	small.MostMemory = 1 << 20
	if _, err := New(small); err == nil || !strings.Contains(err.Error(), "may take 0.0 GB") {
		t.Errorf("20,000 channels in 1 MB: %v", err)
	}
}
