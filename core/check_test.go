package core

import (
	"strings"
	"testing"

	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/core/state/keyed"
)

// What Check accepts can be counted to the end of the longest run; one record more, and it is refused with a remedy.
func TestRatesAtTheirBounds(t *testing.T) {
	for _, c := range []struct {
		num        int64
		per        event.Time
		partitions int
	}{
		{1, maxDuration, 1},
		{maxRate * maxDuration, maxDuration, 1},
		{maxRate * maxDuration / 1_000_000, maxDuration, 1_000_000},
		{1_000_000_000, event.Second, 10},
	} {
		s := chapter(t, "10 s")
		s.Duration, s.MostMemory = maxDuration, event.Never // it is not run to its end
		v := &s.Vertices[0]
		v.Until, v.RateNum, v.RatePer, v.Partitions = 0, c.num, c.per, c.partitions
		s.Script = []Action{{At: 10 * event.Millisecond, Do: Rate, Vertex: 0, Subtask: -1, RateNum: c.num, RatePer: c.per}}
		l, err := New(s)
		if err != nil {
			t.Errorf("%d records every %d ns in %d partitions: %v", c.num, c.per, c.partitions, err)
			continue
		}
		l.Advance(20*event.Millisecond, 0)
		total := c.num * int64(c.partitions)
		if total > 1 {
			if got, want := l.world.Logs[0].Arrived(maxDuration), total/c.per*maxDuration; got < want-1 || got > want+2 { // the first comes at once
				t.Errorf("%d records every %d ns in %d partitions: %d arrive in 30 days, want %d", c.num, c.per, c.partitions, got, want)
			}
			s.Vertices[0].RateNum = maxRate*c.per/int64(c.partitions) + 1
			s.Script[0].RateNum = s.Vertices[0].RateNum
			if err := s.Check(); err == nil || strings.Count(err.Error(), "\n") != 1 || !strings.Contains(err.Error(), "10") {
				t.Errorf("one record more than %d a ns: %v", maxRate, err)
			}
		}
	}
	s := chapter(t, "10 s")
	s.Vertices[0].RatePer = maxDuration + 1
	if err := s.Check(); err == nil || !strings.Contains(err.Error(), "at most 30 days") {
		t.Errorf("a record in more than 30 days: %v", err)
	}
}

// A load multiplies the rate that the script gives, too: what cannot be counted then is refused, and what is accepted runs.
func TestRatesOfTheScriptWithALoad(t *testing.T) {
	for _, c := range []struct {
		num int64
		per event.Time
		ok  bool
	}{
		{1, maxDuration / 1000, true}, {1, maxDuration/1000 + 1, false}, {1, maxDuration, false}, {1, 1, false}, {1_000_000, event.Second, true},
	} {
		s := chapter(t, "10 s")
		s.Vertices[0].Load = Load{Period: 100 * event.Millisecond, SwingMill: 1_000_000, BurstEvery: 40 * event.Millisecond, BurstFor: event.Millisecond, BurstTimes: 1000}
		s.Script = []Action{{At: 1, Do: Rate, Vertex: 0, Subtask: -1, RateNum: c.num, RatePer: c.per}}
		l, err := New(s)
		if (err == nil) != c.ok || err != nil && !strings.Contains(err.Error(), "with its load") {
			t.Errorf("%d records every %d ns: %v", c.num, c.per, err)
		}
		if err == nil {
			l.Advance(200*event.Millisecond, 0)
		}
	}
	s := chapter(t, "10 s")
	s.Vertices[0].Load = Load{Period: event.Millisecond, SwingMill: 1}
	if err := s.Check(); err == nil || !strings.Contains(err.Error(), "changes 28824000 times in the run") {
		t.Errorf("a rate that changes every 42 us: %v", err)
	}
}

// A state that is full at the start is refused when there is more of it than can be counted, by its keys or by the records of its time.
func TestFilledStatesAtTheirBounds(t *testing.T) {
	const day = 24 * 3600 * event.Second
	for _, c := range []struct {
		shape KeyedState
		rate  int64 // records a second
		ok    bool
	}{
		{KeyedState{Kind: keyed.Value, Keys: 1_000_000, ValueBytes: 100}, 1, true},
		{KeyedState{Kind: keyed.Value, Keys: 1_000_000_000_000, WriteNum: 1, WriteDen: 1_000_000}, 1, false},
		{KeyedState{Kind: keyed.Operator, Keys: 1_000_000_000_000, WriteNum: 1, WriteDen: 1_000_000}, 1, false},
		{KeyedState{Kind: keyed.List, Keys: 100_000_000_000, ValueBytes: 100}, 1, false},
		{KeyedState{Kind: keyed.Join, Keys: 1, Retention: day}, 1000, true},
		{KeyedState{Kind: keyed.Join, Keys: 1, Retention: 365 * day}, 10_000_000_000, false},
		{KeyedState{Kind: keyed.Join, Keys: 1, KeyBytes: 1 << 28, ValueBytes: 1 << 28, Retention: day}, 100, false},
		{KeyedState{Kind: keyed.Window, Keys: 1, Size: 365 * day, WriteNum: 1000, WriteDen: 1}, 10_000_000_000, false},
		{KeyedState{Kind: keyed.Timers, Keys: 1, Retention: 365 * day}, 1000, true},
	} {
		s := bp222(t)
		s.Options.Backend, s.MostMemory = option.RocksDB, event.Never
		s.Vertices[0].RateNum, s.Vertices[0].RatePer, s.Vertices[0].Partitions, s.Vertices[0].Until = c.rate, event.Second, 1, 0
		c.shape.Name, c.shape.Filled = "state", true
		s.Vertices[1].State = []KeyedState{c.shape}
		l, err := New(s)
		if (err == nil) != c.ok || err != nil && !strings.Contains(err.Error(), "filled with more than") {
			t.Errorf("%+v at %d records/s: %v", c.shape, c.rate, err)
		}
		if err == nil {
			l.Advance(event.Second, 1000)
		}
	}
}

// What lies in files from the start is in the estimate.
func TestFilesAreEstimated(t *testing.T) {
	s := bp222(t)
	s.Options.Backend = option.RocksDB
	before := s.Memory()
	s.Vertices[1].State = []KeyedState{{Name: "state", Kind: keyed.Value, Keys: 1_000_000_000, ValueBytes: 100_000, Filled: true}}
	if files := 1_000_000_000 * s.Vertices[1].State[0].EntryBytes() / s.Options.Rocks.FileBase; s.Memory() < before+files*100 {
		t.Errorf("%d files add %d bytes", files, s.Memory()-before)
	}
}

// Latencies are counted for 50 days: event time that lies behind is a part of them.
func TestEventTimeFarBehind(t *testing.T) {
	for behind, ok := range map[event.Time]bool{0: true, 20 * 24 * 3600 * event.Second: true, 20*24*3600*event.Second + 1: false, maxDuration: false} {
		s := chapter(t, "10 s")
		s.Duration, s.MostMemory, s.Vertices[0].Watermarks = maxDuration, event.Never, Watermarks{On: true, Behind: behind}
		if err := s.Check(); (err == nil) != ok || err != nil && !strings.Contains(err.Error(), "4320000 s of both") {
			t.Errorf("%d ns behind: %v", behind, err)
		}
	}
}

// A flusher sleeps for the buffer timeout, so that no drift makes it tick more often.
func TestFlusherKeepsTheTimeout(t *testing.T) {
	s := chapter(t, "10 s")
	s.Control = MeasuredControl()
	for drift, want := range map[event.Time]event.Time{1500: 100_087_000, 40_000: 100_010_000, 50_000: 100_000_000, 3600 * event.Second: 100_000_000} {
		s.Control.FlushDrift = drift
		if got := newPlan(s.withDefaults()).flushPeriod(2); got != want {
			t.Errorf("with a drift of %d ns the sink's flusher ticks every %d ns, want %d", drift, got, want)
		}
	}
}

// Key groups are shared by the tasks that see them: a job of as many groups as tasks is planned in memory for its tasks.
func TestManyTasksShareTheirKeyGroups(t *testing.T) {
	s := chapter(t, "10 s")
	s.Vertices[1].Parallelism = 2048
	p := newPlan(s.withDefaults())
	seen := make([]groups, p.tasks)
	seen[0] = groups{weights: make([]int64, 2048)}
	for g := range seen[0].weights {
		seen[0].weights[g] = int64(g + 1)
	}
	kept := testing.AllocsPerRun(1, func() {
		for i := range seen[1:2049] {
			seen[1+i] = groups{}
		}
		for i := range seen[1:2049] {
			seen[1+i].join(groups{i, seen[0].weights[i : i+1]}, 2048)
		}
	})
	if kept != 0 {
		t.Errorf("%v allocations", kept)
	}
	seen[1].join(seen[2048], 2048)
	if w := seen[1].weights; w[0] != 1 || w[2047] != 2048 || w[1] != 0 {
		t.Errorf("groups 0 and 2047 together weigh %d and %d, group 1 %d", w[0], w[2047], w[1])
	}
}
