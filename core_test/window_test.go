package core_test

import (
	"math"
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/metric"
	"checkpointlab/core/option"
)

// windowJob is a source of watermarks, windows of keys behind a HASH exchange, and a sink.
func windowJob(t testing.TB, parallelism int, rate int64, w core.Window, options ...string) core.Setup {
	t.Helper()
	s := pipeline(t, parallelism, rate, -1, options...)
	s.Vertices[0].Watermarks.On = true
	s.Vertices[1].Name, s.Vertices[1].Window = "window", w
	return s
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

// Results that the end of the data fires belong to the last ms of their windows, which may be to come: windows behind keep them apart,
// whenever the end is heard of (WindowOperator.emitWindowContents stamps them with Window.maxTimestamp; found by a random run).
func TestResultsKeepTheTimeOfTheirWindow(t *testing.T) {
	for _, script := range [][]core.Action{nil, {{At: 1050 * event.Millisecond, Do: core.Kill, Vertex: 1}}} {
		s := windowJob(t, 1, 100, core.Window{Size: 2 * event.Second, Slide: 400 * event.Millisecond}, interval, "100 ms")
		s.Vertices[0].EndsAt, s.Keys, s.Duration, s.Script = event.Second, 1, 6*event.Second, script
		s.Options.Restart, s.Options.RestartAttempts = option.RestartFixedDelay, 10
		behind := s.Vertices[1]
		behind.Window = core.Window{Size: 500 * event.Millisecond}
		s.Vertices = append(s.Vertices[:2:2], behind, s.Vertices[2])
		s.Edges = []core.Edge{{From: 0, To: 1}, {From: 1, To: 2}, {From: 2, To: 3}}
		var v core.View
		runTo(t, s, s.Duration).View(&v)
		// 0.4, 0.8 … 2.8 s, of which 1.6 and 2.0 s end in one window behind
		if n := v.Vertices[3].Tasks[0].Output.Visible; n != 6 {
			t.Errorf("%d results with %d failures, expected one of each of 6 windows", n, len(script))
		}
	}
}

// A source's watermark is no state: one that goes back to the end of what there is to read has none until a record comes, so that
// windows which the lost run would have fired stay open (SourceOperator.initializeState restores splits only, and WatermarkOutputMultiplexer
// begins at Long.MIN_VALUE). At the end of a bounded source all fire, with failures and without (found by a random run).
func TestAWatermarkIsNotRestored(t *testing.T) {
	fired := func(bounded bool, script ...core.Action) (windows int64, mark int64) {
		s := windowJob(t, 1, 100, core.Window{Size: 400 * event.Millisecond}, interval, "100 ms")
		s.Keys, s.Duration, s.Script = 1, 6*event.Second, script
		s.Options.Restart, s.Options.RestartAttempts, s.Options.RestartDelay = option.RestartFixedDelay, 10, 30*event.Millisecond
		s.Vertices[0].Watermarks.Bound = 250 * event.Millisecond
		if s.Vertices[0].Until = event.Second; bounded {
			s.Vertices[0].EndsAt = event.Second
		}
		var v core.View
		runTo(t, s, s.Duration).View(&v)
		return v.Vertices[2].Tasks[0].Output.Visible, v.Vertices[0].Tasks[0].Metrics.CurrentOutputWatermark
	}
	kill := func(at event.Time) core.Action { return core.Action{At: at, Do: core.Kill, Vertex: 1} }
	if n, mark := fired(false); n != 1 || mark < 700 || mark >= 800 {
		t.Errorf("%d windows fire and the watermark is %d; expected the one that ends at 0.4 s, and that of the record at 0.99 s", n, mark)
	}
	if n, mark := fired(false, kill(3*event.Second)); n != 1 || mark != math.MinInt64 {
		t.Errorf("%d windows fire and the watermark is %d behind a restore at the end of the log; expected one, and none", n, mark)
	}
	for _, script := range [][]core.Action{nil, {kill(600 * event.Millisecond)}, {kill(1050 * event.Millisecond)}} {
		if n, _ := fired(true, script...); n != 3 {
			t.Errorf("%d windows fire by the end of the data with %d failures, expected all 3", n, len(script))
		}
	}
}
