package core_test

import (
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/metric"
)

// asyncJob has a map that sends requests, with recorded control times and no chaining.
func asyncJob(t testing.TB, rate int64, a core.Async, options ...string) core.Setup {
	t.Helper()
	s := pipeline(t, 1, rate, -1, append([]string{"execution.buffer-timeout.interval", "1 ms"}, options...)...)
	s.Vertices[1].Async = a
	return s
}

func throughput(s core.Setup, lab *core.Lab) int64 {
	h := lab.History()
	return h.Pipeline.Count(s.Duration/2, s.Duration) * int64(event.Second) / (s.Duration / 2)
}

// As many requests as there may be, each for its time: that is what an operator of asynchronous I/O can do (Little's law),
// and what comes faster waits before it.
func TestAsyncCapacityBoundsThroughput(t *testing.T) {
	s := asyncJob(t, 0, core.Async{Capacity: 20, Latency: 10 * event.Millisecond}, interval, "1 s")
	lab := runTo(t, s, s.Duration)
	if got := throughput(s, lab); got < 1960 || got > 2010 {
		t.Errorf("%d records a second, expected 20 requests / 10 ms = 2000", got)
	}
	var v core.View
	lab.View(&v)
	if m := v.Vertices[0].Tasks[0]; m.Soft+m.Hard < 900 {
		t.Errorf("the source is back-pressured %d per mille", m.Soft+m.Hard)
	}
	if n := v.Vertices[1].Tasks[0].UnderWay; n < 19 || n > 20 {
		t.Errorf("%d of 20 requests under way", n)
	}
}

// A barrier waits for no answer: with 2 s until each it passes at once, and what is under way is in the checkpoint.
func TestBarriersDoNotWaitForAnswers(t *testing.T) {
	s := asyncJob(t, 100, core.Async{Capacity: 1000, Latency: 2 * event.Second}, interval, "1 s")
	n := 0
	for _, c := range runTo(t, s, s.Duration).History().Checkpoints {
		if c.Outcome != core.Completed || c.Triggered < 5*event.Second {
			continue
		}
		n++
		if d := c.Ended - c.Triggered; d > 20*event.Millisecond {
			t.Errorf("checkpoint %d takes %d ms", c.ID, d/event.Millisecond)
		}
		if size := c.Tasks[1].Size; size < 195*147 || size > 205*147 {
			t.Errorf("checkpoint %d has %d bytes of requests, expected those of 2 s", c.ID, size)
		}
	}
	if n < 10 {
		t.Errorf("%d checkpoints", n)
	}
}

// Ordered answers wait for those before them, unordered ones do not.
func TestOrderedAnswersWait(t *testing.T) {
	mean := func(unordered bool) event.Time {
		s := asyncJob(t, 200, core.Async{Capacity: 1000, Latency: 10 * event.Millisecond, Spread: 400 * event.Millisecond, Unordered: unordered})
		var sel metric.Selection
		sel.Select(&runTo(t, s, s.Duration).History().Pipeline, metric.Window{SeenFrom: 2 * event.Second, SeenTo: s.Duration})
		return sel.Mean()
	}
	const ms = event.Millisecond
	if un := mean(true); un < 205*ms || un > 220*ms {
		t.Errorf("unordered, a record takes %d ms, expected 10 + 400 / 2 and some flushes", un/ms)
	}
	if in := mean(false); in < 340*ms || in > 385*ms {
		t.Errorf("in order, a record takes %d ms, expected the longest of those ahead, less what they are ahead: about 410 - 56", in/ms)
	}
}

// Whatever is under way when a task fails is asked for again: nothing is lost, nothing shown twice.
func TestRequestsOutliveAFailure(t *testing.T) {
	s := asyncJob(t, 500, core.Async{Capacity: 100, Latency: 150 * event.Millisecond, Unordered: true}, interval, "300 ms")
	s.Vertices[0].EndsAt = 6 * event.Second
	s.Script = []core.Action{{At: 3100 * event.Millisecond, Do: core.Kill, Vertex: 1}, {At: 4500 * event.Millisecond, Do: core.Kill, Vertex: 2}}
	s.Duration = 15 * event.Second
	var v core.View
	runTo(t, s, s.Duration).View(&v)
	if o := v.Vertices[2].Tasks[0].Output; o.Visible != 3000 || o.Duplicates != 0 {
		t.Errorf("%d records are visible, %d of them again; expected 3000 once", o.Visible, o.Duplicates)
	}
}

// Attempts that fail are made again: with half of them failing a request takes two attempts and one pause on average, so
// that Little's law gives 20 / (2 · 10 ms + 5 ms) = 800 records a second. Unordered, for in order the first one holds up all.
func TestRetriesTakeRoom(t *testing.T) {
	s := asyncJob(t, 0, core.Async{
		Capacity: 20, Latency: 10 * event.Millisecond, Unordered: true, Errors: 500_000, Retries: 100, Backoff: 5 * event.Millisecond,
	}, interval, "1 s")
	if got := throughput(s, runTo(t, s, s.Duration)); got < 780 || got > 815 {
		t.Errorf("%d records a second, expected 800", got)
	}
}

// A request that takes longer than its time limit, all its attempts together, lets the task fail with a TimeoutException, and
// again after each restart.
func TestRequestsTimeOut(t *testing.T) {
	a := core.Async{Capacity: 100, Latency: 100 * event.Millisecond, Errors: 1_000_000, Retries: 100, Backoff: 100 * event.Millisecond, Timeout: 1100 * event.Millisecond}
	s := asyncJob(t, 100, a, interval, "1 s", "restart-strategy.type", "fixed-delay", "restart-strategy.fixed-delay.attempts", "3", "restart-strategy.fixed-delay.delay", "2 s")
	lab := runTo(t, s, s.Duration)
	fails := lab.History().Failures
	if len(fails) != 4 {
		t.Fatalf("%d failures, expected one and three after restarts", len(fails))
	}
	for i, f := range fails {
		from := event.Time(0)
		if i > 0 {
			from = fails[i-1].RunningAt
		}
		if took := f.At - from; took < 1100*event.Millisecond || took > 1300*event.Millisecond {
			t.Errorf("failure %d comes %d ms after the start, expected the time limit", i+1, took/event.Millisecond)
		}
	}
}

// A record whose request is given up makes nothing where the function says so: with one retry and a tenth of the attempts
// failing that is one in a hundred, and none of them comes late.
func TestRequestsAreDropped(t *testing.T) {
	for _, unordered := range []bool{false, true} {
		s := asyncJob(t, 1000, core.Async{
			Capacity: 1000, Latency: 10 * event.Millisecond, Unordered: unordered, Errors: 100_000, Retries: 1, Drop: true,
		}, interval, "1 s")
		s.Vertices[0].EndsAt = 10 * event.Second
		s.Duration = 15 * event.Second
		var v core.View
		runTo(t, s, s.Duration).View(&v)
		if o := v.Vertices[2].Tasks[0].Output; o.Visible < 9860 || o.Visible > 9930 || o.Duplicates != 0 {
			t.Errorf("unordered %v: %d of 10000 records are visible, expected 9900", unordered, o.Visible)
		}
	}
}

// With the last end of data an operator waits for its answers, and no barrier is read meanwhile (StreamTask.processInput, END_OF_DATA;
// AsyncWaitOperator.endInput): a checkpoint that is triggered behind the end of all sources finds no request under way.
func TestTheEndOfTheDataWaitsForAnswers(t *testing.T) {
	s := asyncJob(t, 1000, core.Async{Capacity: 1, Latency: 2 * event.Second}, interval, "100 ms")
	s.Vertices[0].EndsAfter, s.Duration = 3, 10*event.Second
	second := s.Vertices[0]
	second.EndsAfter = 1
	s.Vertices = append(s.Vertices, second)
	s.Edges = append(s.Edges, core.Edge{From: 3, To: 1})
	l, err := core.New(s)
	if err != nil {
		t.Fatal(err)
	}
	over, ended, behind := 0, false, 0
	triggered := map[event.Checkpoint]bool{}
	l.Listen(func(e event.Event) {
		switch {
		case e.Kind == event.TaskEnded && e.Task == 1:
			ended = true
		case e.Kind == event.TaskEnded && e.Task != 2:
			over++
		case e.Kind == event.CheckpointTriggered:
			triggered[e.Checkpoint] = over == 2
		case e.Kind == event.TaskSnapshot && e.Task == 1 && triggered[e.Checkpoint]:
			if behind++; !ended {
				t.Errorf("checkpoint %d is behind the sources' end, and the map takes its snapshot of it at %d ms with a request under way", e.Checkpoint, e.At/ms)
			}
		}
	})
	l.Advance(s.Duration, 0)
	if !ended || behind == 0 {
		t.Errorf("ended: %v, %d snapshots behind the sources' end", ended, behind)
	}
}
