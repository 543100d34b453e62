package core_test

import (
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/metric"
)

// windowJob is a source of watermarks, windows of keys behind a HASH exchange, and a sink.
func windowJob(t testing.TB, parallelism int, rate int64, w core.Window, options ...string) core.Setup {
	t.Helper()
	s := pipeline(t, parallelism, rate, -1, options...)
	s.Vertices[0].Watermarks.On = true
	s.Vertices[1].Name, s.Vertices[1].Window = "window", w
	return s
}

// ladderPhases is over how many clusters a rung is averaged: the phases of their timers and flushers are independent.
const ladderPhases = 30

// rung is the ladder's measure (published latency-ladder): p99 of now less the window's end over all results, mean over
// clusters.
func rung(t *testing.T, interval, timeout string) event.Time {
	t.Helper()
	s := windowJob(t, 3, 200, core.Window{Size: 60 * event.Second, Slide: 10 * event.Second, Fire: -1},
		"pipeline.auto-watermark-interval", interval, "execution.buffer-timeout.interval", timeout)
	s.Vertices[0].Watermarks = core.Watermarks{On: true, Bound: 250 * event.Millisecond, Idle: event.Second}
	s.Duration, s.FlusherPhase, s.Keys = 45*event.Second, core.PhaseRandom, 60
	var sum event.Time
	for seed := range uint64(ladderPhases) {
		s.Seed = seed
		lab := runTo(t, s, s.Duration)
		var sel metric.Selection
		sel.Select(&lab.History().Fired, metric.Everything())
		if sel.Count() < 3*3*20 {
			t.Fatalf("%d results", sel.Count())
		}
		sum += sel.Quantile(0.99)
	}
	return sum / ladderPhases
}

// A window's results come when the slowest of three sources has made its watermark, and that has been flushed. The
// ladder of Flink's own measurements follows with one constant: what a real cluster takes for parsing, fetching and firing on
// top, fitted on the first rung (published latency-ladder; 250 + 3/4 W + 3/4 B + 31 ms fits all of them).
func TestLatencyLadder(t *testing.T) {
	const (
		ms       = event.Millisecond
		measured = (503_520 + 506_600) * event.Microsecond / 2
	)
	first := rung(t, "200 ms", "100 ms")
	processing := measured - first
	if processing < 5*ms || processing > 60*ms {
		t.Errorf("the first rung is %d ms, measured were %d ms: the constant is %d ms, expected about 31 ms", first/ms, measured/ms, processing/ms)
	}
	for _, r := range []struct {
		interval, timeout string
		want, bound       event.Time
	}{
		{"100 ms", "100 ms", (424_630 + 429_080) * event.Microsecond / 2, 450 * ms},
		{"100 ms", "10 ms", 375_850 * event.Microsecond, 360 * ms},
	} {
		got := rung(t, r.interval, r.timeout)
		t.Logf("W %s B %s: %d ms + %d ms; measured %d ms", r.interval, r.timeout, got/ms, processing/ms, r.want/ms)
		if got > r.bound+5*ms {
			t.Errorf("W %s B %s: %d ms, above the bound of %d ms", r.interval, r.timeout, got/ms, r.bound/ms)
		}
		if with := got + processing; with < r.want*9/10 || with > r.want*11/10 {
			t.Errorf("W %s B %s: %d ms with the constant of %d ms, measured were %d ms (10 %%)", r.interval, r.timeout, with/ms, processing/ms, r.want/ms)
		}
	}
}

// Every key of a window makes one result, when the watermark passes the window's end, and the task is busy with it.
func TestWindowsFireInABurst(t *testing.T) {
	const ms = event.Millisecond
	s := windowJob(t, 1, 2000, core.Window{Size: 2 * event.Second, Fire: 2 * ms, Entry: 50}, interval, "1 s")
	s.Keys, s.Duration = 200, 15*event.Second
	lab := runTo(t, s, s.Duration)
	var v core.View
	lab.View(&v)
	w := &v.Vertices[1].Tasks[0]
	if w.Window.Fired != 200*7 || w.Metrics.NumRecordsOut != 200*7 || w.Window.Late != 0 {
		t.Errorf("%d timers fired, %d results, %d late records; expected 7 windows of 200 keys", w.Window.Fired, w.Metrics.NumRecordsOut, w.Window.Late)
	}
	if w.Window.Open != 1 || w.Window.Bytes != 200*50 {
		t.Errorf("%d windows with %d bytes are open, expected one of 200 keys with 50 bytes each", w.Window.Open, w.Window.Bytes)
	}
	var sel metric.Selection
	sel.Select(&lab.History().Fired, metric.Everything())
	if spread := sel.Max() - sel.Min(); spread < 398*ms || spread > 700*ms {
		t.Errorf("results of a window come within %d ms, expected 200 × 2 ms", spread/ms)
	}
	for _, c := range lab.History().Checkpoints {
		if c.Outcome == core.Completed && c.Triggered > 3*event.Second && c.Tasks[1].Size == 0 {
			t.Errorf("checkpoint %d has no state of the windows", c.ID)
		}
	}
}

// While timers fire no mail is read, so an unaligned barrier waits for the last one; interruptible timers let it in after the
// one in work (spec 3.4; option unaligned.interruptible-timers).
func TestTimersHoldUpBarriers(t *testing.T) {
	const ms = event.Millisecond
	longest := func(more ...string) (most event.Time) {
		s := windowJob(t, 1, 2000, core.Window{Size: 2 * event.Second, Fire: 2 * ms}, append([]string{interval, "90 ms", unaligned, "true"}, more...)...)
		s.Keys, s.Duration = 200, 30*event.Second
		n := 0
		for _, c := range runTo(t, s, s.Duration).History().Checkpoints {
			if c.Outcome == core.Completed {
				most = max(most, c.Tasks[1].StartDelay)
				n++
			}
		}
		if n < 50 {
			t.Fatalf("%d checkpoints", n)
		}
		return most
	}
	if d := longest(); d < 300*ms || d > 420*ms {
		t.Errorf("the barrier waits up to %d ms for timers, expected nearly 400 ms", d/ms)
	}
	if d := longest("execution.checkpointing.unaligned.interruptible-timers.enabled", "true"); d > 10*ms {
		t.Errorf("the barrier waits up to %d ms though timers can be interrupted after 2 ms", d/ms)
	}
}

// A window that keeps its records reads all of them when it fires.
func TestListsAreReadWhenTheyFire(t *testing.T) {
	s := windowJob(t, 1, 1000, core.Window{Size: 5 * event.Second, List: true, Fire: 100 * event.Microsecond, Entry: 100})
	s.Keys, s.Duration = 10, 21*event.Second
	lab := runTo(t, s, s.Duration)
	_, busy, _, _ := lab.TimeOf(1)
	if want := 4 * 5000 * 100 * event.Microsecond; busy < want || busy > want+21*event.Second/20 {
		t.Errorf("busy for %d ms, expected 4 windows of 5000 records, 0.1 ms each, and what records cost", busy/event.Millisecond)
	}
	var v core.View
	lab.View(&v)
	if b := v.Vertices[1].Tasks[0].Window.Bytes; b < 90_000 || b > 160_000 {
		t.Errorf("%d bytes of state, expected 100 of each record in a second", b)
	}
}

// When a source's log ends, the watermark goes to the end of time and every window fires.
func TestTheEndFiresAllWindows(t *testing.T) {
	s := windowJob(t, 2, 1000, core.Window{Size: 60 * event.Second, Slide: 20 * event.Second}, interval, "1 s")
	s.Vertices[0].EndsAt = 3 * event.Second
	s.Keys = 40
	var v core.View
	runTo(t, s, s.Duration).View(&v)
	fired := int64(0)
	for i := range v.Vertices[1].Tasks {
		fired += v.Vertices[1].Tasks[i].Window.Fired
	}
	if fired != 3*40 {
		t.Errorf("%d timers fired, expected 3 windows of 40 keys", fired)
	}
}
