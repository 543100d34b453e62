package scenarios

import (
	"math"
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/metric"
)

// history is a run of two vertices with one and two subtasks, made by hand.
func history() (*core.Setup, *core.History) {
	const ms, s = event.Millisecond, event.Second
	setup := &core.Setup{Duration: 10 * s, Vertices: []core.Vertex{{Name: "source", Parallelism: 1}, {Name: "sink", Parallelism: 2}}}
	h := &core.History{
		Checkpoints: []core.CheckpointRecord{
			{Triggered: 1 * s, Ended: 1*s + 10*ms, Outcome: core.Completed, Requests: 4, Tasks: []core.TaskPhases{
				{StartDelay: 1 * ms}, {StartDelay: 2 * ms, Alignment: 3 * ms, Persisted: 100, Stored: 100, Sync: 2 * ms, Async: 9 * ms}, {StartDelay: 5 * ms, Alignment: 1 * ms, Persisted: 50, Stored: 50}}},
			{Triggered: 3 * s, Ended: 3*s + 30*ms, Savepoint: true, Outcome: core.Completed, Requests: 8, Tasks: []core.TaskPhases{{Size: 1000, Stored: 1000}, {Alignment: 7 * ms, Persisted: 10, Stored: 10}, {StartDelay: 1 * ms}}},
			{Triggered: 5 * s, Ended: 6 * s, Outcome: core.FailedCheckpoint, Reason: event.CheckpointExpired},
			{Triggered: 9 * s, Outcome: core.InProgress},
		},
		Samples:  []core.Sample{{At: 1 * s, Lag: 5, MarkLag: -1}, {At: 4 * s, Lag: 9, InFlight: 70, MarkLag: 300 * ms, Read: 300}, {At: 8 * s, Lag: 2, MarkLag: 200 * ms, Read: 700}},
		Refusals: []core.RefusalRecord{{At: 3 * s}},
		Failures: []core.FailureRecord{{At: 2 * s, RunningAt: 2500 * ms, Reread: 100, Duplicates: 3}, {At: 7 * s, Reread: 11, Duplicates: 4}},
	}
	for i := range event.Time(10) { // seen at i s, with a latency of i × 100 ms
		h.Visible.Add(i*s, i*100*ms*metric.Unit, 0, 1)
		h.Pipeline.Add(i*s, 20*ms*metric.Unit, 0, 2)
	}
	return setup, h
}

func TestMeasures(t *testing.T) {
	const ms, s = float64(event.Millisecond), event.Second
	cases := []struct {
		measure, vertex string
		from, to        event.Time
		want            float64
	}{
		{"visibility.mean", "", 0, 0, 450 * ms}, {"visibility.min", "", 0, 0, 0}, {"visibility.max", "", 0, 5 * s, 500 * ms},
		{"visibility.p50", "", 0, 0, 500 * ms}, {"visibility.p99.9", "", 0, 0, 900 * ms},
		{"visibility.min", "", 3 * s, 0, 400 * ms}, // the one seen at 3 s arrived at 2.7 s, before the window
		{"pipeline.p90", "", 0, 0, 20 * ms}, {"throughput", "", 0, 0, 2}, {"shown", "", 0, 0, 1}, {"throughput", "", 2 * s, 4 * s, 3},
		{"checkpoints.completed", "", 0, 0, 2}, {"checkpoints.failed", "", 0, 0, 1}, {"checkpoints.completed", "", 2 * s, 0, 1},
		{"checkpoint.duration.mean", "", 0, 0, 20 * ms}, {"checkpoint.duration.max", "", 0, 2 * s, 10 * ms},
		{"checkpoint.persisted.mean", "", 0, 0, 80}, {"checkpoint.stored.mean", "", 0, 0, 580}, {"checkpoint.persisted.max", "", 0, 0, 150},
		{"checkpoint.stored.max", "", 0, 0, 150}, {"checkpoint.requests.mean", "", 0, 0, 6},
		{"alignment.mean", "sink", 0, 0, 5 * ms}, {"alignment.max", "sink", 0, 0, 7 * ms}, {"alignment.max", "source", 0, 0, 0},
		{"startDelay.mean", "sink", 0, 0, 3 * ms}, {"startDelay.max", "source", 0, 0, 1 * ms},
		{"lag.max", "", 0, 0, 9}, {"lag.end", "", 0, 0, 2}, {"lag.end", "", 0, 5 * s, 9},
		{"watermark.lag.mean", "", 0, 0, 250 * ms}, {"watermark.lag.max", "", 0, 0, 300 * ms}, {"watermark.lag.end", "", 0, 5 * s, 300 * ms},
		{"reread", "", 0, 0, 111}, {"refusals", "", 0, 0, 1}, {"duplicates", "", 3 * s, 0, 4},
		{"checkpoints.expired", "", 0, 0, 1}, {"checkpoints.success", "", 2 * s, 0, 0.5}, {"failures", "", 0, 0, 2}, {"downtime", "", 0, 0, 500 * ms},
		{"checkpoint.size.mean", "", 0, 0, 500}, {"checkpoint.size.max", "", 0, 0, 1000}, {"inFlight.max", "", 0, 5 * s, 70},
		{"savepoint.duration.mean", "", 0, 0, 30 * ms}, {"savepoint.duration.max", "", 0, 0, 30 * ms},
		{"pause.completed.mean", "", 0, 0, 1980 * ms}, {"pause.completed.min", "", 0, 0, 1970 * ms}, {"pause.failed.mean", "", 0, 0, 3000 * ms}, {"pause.failed.max", "", 0, 0, 3000 * ms},
		{"checkpoint.open.max", "", 0, 0, 1000 * ms}, {"checkpoint.open.max", "", 0, 4 * s, 30 * ms}, {"failures.first", "", 0, 0, 2000 * ms}, {"failures.first", "", 3 * s, 0, 4000 * ms},
		{"read", "", 0, 0, 100}, {"persisted.max", "sink", 0, 0, 150}, {"size.max", "source", 0, 0, 1000}, {"savepoint.size.mean", "", 0, 0, 1000},
		{"sync.max", "sink", 0, 0, 2 * ms}, {"async.max", "sink", 0, 0, 9 * ms}, {"async.mean", "sink", 0, 0, 4.5 * ms},
	}
	setup, h := history()
	covered := map[string]bool{}
	for _, c := range cases {
		covered[c.measure] = true
		e := Number{Measure: c.measure, Vertex: c.vertex, From: c.from, To: c.to}
		if got := e.Of(setup, h); got != c.want {
			t.Errorf("%s of %q in %d to %d is %v, want %v", c.measure, c.vertex, c.from, c.to, got, c.want)
		}
	}
	for _, name := range Measures() {
		if measures[name].end || name == "checkpoint.period.mean" || name == "reread.expected" { // TestEnd, TestPeriod, TestExpectedReread
			continue
		}
		if _, latency := map[string]bool{"visi": true, "pipe": true}[name[:4]]; !latency && !covered[name] {
			t.Errorf("%s is not tested", name)
		}
	}
}

// A period is from one completed checkpoint to the next that completes; savepoints are none.
func TestPeriod(t *testing.T) {
	setup, h := history()
	h.Checkpoints[3].Ended, h.Checkpoints[3].Outcome = 9500*event.Millisecond, core.Completed
	n := Number{Measure: "checkpoint.period.mean"}
	if got := n.Of(setup, h); got != float64(8*event.Second) {
		t.Errorf("period %v, want 8 s", got)
	}
}

// 100 records a second are read from 0 s on. A checkpoint with the barrier at 1 s is complete at 2 s, so that a failure up to then
// costs all and from then on what came since 1 s; a savepoint changes nothing, nor does what a failure has had read again.
func TestExpectedReread(t *testing.T) {
	const s = event.Second
	setup := &core.Setup{Duration: 6 * s, Vertices: []core.Vertex{{Name: "source", Kind: core.Source, Parallelism: 2}, {Name: "sink", Kind: core.Sink, Parallelism: 1}}}
	at := func(n int64) []core.TaskPhases {
		return []core.TaskPhases{{Offset: n / 2}, {Offset: n / 2}, {Offset: n}}
	}
	h := &core.History{Checkpoints: []core.CheckpointRecord{
		{ID: 1, Triggered: 1 * s, Ended: 2 * s, Outcome: core.Completed, Tasks: at(100)},
		{ID: 2, Triggered: 3 * s, Ended: 3 * s, Outcome: core.Completed, Savepoint: true, Tasks: at(300)},
		{ID: 3, Triggered: 3 * s, Ended: 4 * s, Outcome: core.FailedCheckpoint, Tasks: at(300)},
	}}
	for i := range event.Time(5) {
		h.Samples = append(h.Samples, core.Sample{At: i * s, Read: int64(i) * 100})
	}
	for _, c := range []struct {
		from, to event.Time
		want     float64
	}{{0, 0, 150}, {0, 2 * s, 100}, {2 * s, 4 * s, 200}} {
		n := Number{Measure: "reread.expected", From: c.from, To: c.to}
		if got := n.Of(setup, h); got != c.want {
			t.Errorf("in %d to %d: %v, want %v", c.from, c.to, got, c.want)
		}
	}
	h.Failures = []core.FailureRecord{{At: 4 * s, Reread: 300}}
	h.Samples = append(h.Samples, core.Sample{At: 5 * s, Read: 800}, core.Sample{At: 6 * s, Read: 900})
	n := Number{Measure: "reread.expected", From: 5 * s}
	if got := n.Of(setup, h); got != 450 {
		t.Errorf("after a failure: %v, want 450 between 500 and 600 in the log", got)
	}
}

// Lanes are compared up to what is computed of all of them: one that is computed further knows no more of a checkpoint under way then.
func TestMeasureKnowsNothingOfLater(t *testing.T) {
	const s = event.Second
	setup := &core.Setup{Duration: 10 * s}
	h := &core.History{Checkpoints: []core.CheckpointRecord{
		{ID: 1, Triggered: 1 * s, Ended: 2 * s, Outcome: core.Completed},
		{ID: 2, Triggered: 3 * s, Ended: 8 * s, Outcome: core.Completed},
	}}
	for _, c := range []struct {
		to   event.Time
		want float64
	}{{5 * s, 1e9}, {8 * s, 3e9}} {
		if got := Measure("checkpoint.duration.mean", setup, h, c.to); got != c.want {
			t.Errorf("up to %d: %v, want %v", c.to, got, c.want)
		}
	}
}

// Gauges at the end of a run are shares of a second, and what is written is visible or not.
func TestEnd(t *testing.T) {
	s := load(t, "two-phase")
	lab := ran(t, s)
	sum := 0.0
	for _, name := range []string{"busy.end", "idle.end", "backPressured.end"} {
		n := Number{Measure: name, Vertex: "sink"}
		sum += n.In(lab)
	}
	if sum < 0.98 || sum > 1.02 {
		t.Errorf("the thread's shares add up to %v", sum)
	}
	n := Number{Measure: "uncommitted.end", Vertex: "sink"}
	if got := n.In(lab); got <= 0 {
		t.Errorf("%v records are not committed in the middle of an interval", got)
	}
}

// What was not measured meets no expectation.
func TestNothingMeasured(t *testing.T) {
	for _, name := range []string{"visibility.mean", "pipeline.p99", "checkpoint.duration.mean", "checkpoint.duration.max", "alignment.max"} {
		e := Expectation{Number: Number{Measure: name}, Bound: Bound{Low: math.Inf(-1), High: math.Inf(1)}}
		if v := e.Of(&core.Setup{Duration: event.Second}, &core.History{}); e.Holds(v) {
			t.Errorf("%s of nothing is %v", name, v)
		}
	}
}

func TestBounds(t *testing.T) {
	cases := []struct {
		text      string
		low, high float64
		said      string
	}{
		{"{measure: visibility.mean, about: 2 s, within: 5 %}", 1.9e9, 2.1e9, "about 2 s within 5 %"},
		{"{measure: visibility.mean, about: 1.5 s, within: 10 ms}", 1.49e9, 1.51e9, "about 1.5 s within 10 ms"},
		{"{measure: throughput, above: 10/s, below: 20/s}", 10, 20, "above 10/s, below 20/s"},
		{"{measure: checkpoint.persisted.max, below: 3 mb}", math.Inf(-1), 3 << 20, "below 3 mb"},
		{"{measure: lag.end, about: 100, within: 5}", 95, 105, "about 100 within 5"},
	}
	for _, c := range cases {
		s, err := Parse([]byte(sample + "expect: [" + c.text + "]\n"))
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		e := &s.Expect[0]
		if math.Abs(e.Low-c.low) > 1e-3 && e.Low != c.low || math.Abs(e.High-c.high) > 1e-3 && e.High != c.high || e.Text != c.said {
			t.Errorf("%s: %v to %v, %q", c.text, e.Low, e.High, e.Text)
		}
		if e.Holds(c.high+1) || c.low > 0 && e.Holds(c.low-1) || !e.Holds(c.high) {
			t.Errorf("%s does not hold its bounds", c.text)
		}
	}
}

func TestFormatValue(t *testing.T) {
	for want, got := range map[string]string{
		"12.500 ms": Nanoseconds.FormatValue(12.5e6), "1.2346 s": Nanoseconds.FormatValue(1.23456e9), "4995.0/s": PerSecond.FormatValue(4995),
		"2.500 mb": Bytes.FormatValue(2.5 * (1 << 20)), "12": Records.FormatValue(12), "nothing measured": Records.FormatValue(math.NaN()),
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
