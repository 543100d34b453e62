package core

import (
	"testing"

	"checkpointlab/core/event"
	"checkpointlab/core/metric"
	"checkpointlab/core/option"
)

func config(t testing.TB, pairs ...string) option.Config {
	var ps []option.Pair
	for i := 0; i < len(pairs); i += 2 {
		ps = append(ps, option.Pair{Key: pairs[i], Value: pairs[i+1]})
	}
	c, _, err := option.Resolve("2.3", ps)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func chapter(t testing.TB, interval string) Setup {
	return Setup{
		Vertices: []Vertex{
			{Name: "source", Kind: Source, Parallelism: 1, Cost: -1, RateNum: 1000, RatePer: event.Second, Payload: 100, Until: 600 * event.Second},
			{Name: "map", Parallelism: 1, Cost: -1},
			{Name: "sink", Kind: Sink, Parallelism: 1, Cost: -1, Snapshot: Snapshot{Async: 500 * event.Millisecond}},
		},
		Edges:        []Edge{{From: 0, To: 1}, {From: 1, To: 2}},
		Options:      config(t, "execution.checkpointing.interval", interval),
		Duration:     1201 * event.Second,
		FirstTrigger: AtInterval,
		Overhead:     47,
	}
}

func bp222(t testing.TB) Setup {
	return Setup{
		Vertices: []Vertex{
			{Name: "source", Kind: Source, Parallelism: 2, Cost: -1, Payload: 100},
			{Name: "map", Parallelism: 2, Cost: -1},
			{Name: "sink", Kind: Sink, Parallelism: 2, Cost: 200 * event.Microsecond},
		},
		Edges:        []Edge{{From: 0, To: 1}, {From: 1, To: 2}},
		Options:      config(t, "execution.checkpointing.interval", "2 s"),
		Duration:     63 * event.Second,
		FirstTrigger: AtRunning, FlusherPhase: PhaseAligned,
		Control: MeasuredControl(), Overhead: 47, MaxParallel: 128,
	}
}

// run computes a setup to its end.
func run(t testing.TB, s Setup) *Lab {
	t.Helper()
	l, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	l.Advance(s.Duration, 0)
	return l
}

// shown is the records that readers see, all sinks together, and those of them shown before.
func shown(l *Lab) (visible, duplicates int64) {
	var v View
	l.View(&v)
	for _, vert := range v.Vertices {
		for _, t := range vert.Tasks {
			visible += t.Output.Visible
			duplicates += t.Output.Duplicates
		}
	}
	return visible, duplicates
}

// TestBackpressureAsRecorded holds the bp-222 run against truth/runs.jsonl (throughput 9,782/s, visibility 3,079 ms,
// pipeline 1,571 ms, checkpoints 2,137 ms).
func TestBackpressureAsRecorded(t *testing.T) {
	l := run(t, bp222(t))
	window := metric.Window{SeenFrom: 23 * event.Second, SeenTo: 63 * event.Second, ArrivedFrom: 23 * event.Second}
	near := func(what string, got event.Time, want float64) {
		t.Helper()
		if ms := float64(got) / 1e6; ms < want*0.97 || ms > want*1.03 {
			t.Errorf("%s is %.0f ms, recorded %.0f ms", what, ms, want)
		}
	}
	var s metric.Selection
	s.Select(&l.History().Visible, window)
	near("visibility latency", s.Mean(), 3079)
	s.Select(&l.History().Pipeline, window)
	near("pipeline latency", s.Mean(), 1571)
	var sum, n event.Time
	for _, c := range l.History().Checkpoints {
		if c.Outcome == Completed && c.Triggered > window.SeenFrom {
			sum, n = sum+c.Ended-c.Triggered, n+1
		}
	}
	near("checkpoint duration", sum/n, 2137)
	if perSecond := l.History().Pipeline.Count(window.SeenFrom, window.SeenTo) / 40; perSecond < 9680 || perSecond > 9880 {
		t.Errorf("%d records a second, recorded 9,782", perSecond)
	}
}

// TestExactlyOnceAcrossFailures: whatever is killed, every record of the log is shown once.
func TestExactlyOnceAcrossFailures(t *testing.T) {
	s := chapter(t, "5 s")
	s.Duration = 90 * event.Second
	s.Vertices[0].Until = 60 * event.Second
	s.Options.RestartDelay = event.Second
	for v := range s.Vertices {
		s.Script = []Action{{At: 23_456_789_012, Do: Kill, Vertex: v, Subtask: -1}, {At: 40 * event.Second, Do: Kill, Vertex: v, Subtask: 0}}
		l := run(t, s)
		if visible, again := shown(l); visible != 60_000 || again != 0 {
			t.Errorf("killing %s: %d records shown, %d of them again", s.Vertices[v].Name, visible, again)
		}
		f := l.History().Failures
		if len(f) != 2 || f[0].RestoredTo != 4 || f[0].Reread != 3457 {
			t.Errorf("killing %s at 23.457 s goes back to the barrier at 20 s: %+v", s.Vertices[v].Name, f)
		}
	}
}

// TestAtLeastOnceShowsAgain: a sink that shows at once shows again what is read again.
func TestAtLeastOnceShowsAgain(t *testing.T) {
	s := chapter(t, "5 s")
	s.Duration, s.Vertices[0].Until, s.Vertices[2].Guarantee = 90*event.Second, 60*event.Second, AtLeastOnce
	s.Script = []Action{{At: 23_456_789_012, Do: Kill, Vertex: 1}}
	l := run(t, s)
	visible, again := shown(l)
	if visible-again != 60_000 || again < 3200 || again > 3457 {
		t.Errorf("%d records shown, %d of them again; 3,457 were read again, some of them not yet shown", visible, again)
	}
	if f := l.History().Failures; f[0].Duplicates != again {
		t.Errorf("the failure is charged with %d duplicates of %d", f[0].Duplicates, again)
	}
}

// TestOnlyTheRegionRestarts: with FORWARD exchanges the other slice goes on (spec 9.1).
func TestOnlyTheRegionRestarts(t *testing.T) {
	s := chapter(t, "5 s")
	s.Duration = 30 * event.Second
	for v := range s.Vertices {
		s.Vertices[v].Parallelism = 2
	}
	s.Edges[0].Partition, s.Edges[1].Partition = Forward, Forward
	s.Script = []Action{{At: 12 * event.Second, Do: Kill, Vertex: 1, Subtask: 1}}
	l, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	l.Advance(12*event.Second+500*event.Millisecond, 0)
	var v View
	l.View(&v)
	for i, vert := range v.Vertices {
		want := Waiting
		if i == 1 { // the one that was killed
			want = Failed
		}
		if vert.Tasks[0].State >= Restoring || vert.Tasks[1].State != want {
			t.Errorf("%s: the states are %d and %d during the back-off", vert.Name, vert.Tasks[0].State, vert.Tasks[1].State)
		}
	}
}

// TestMergedFailuresAreOneRestart: with exponential-delay a region that fails while another one waits for its restart belongs to
// the same attempt, and numRestarts does not count it (spec 9.2, ExecutionFailureHandlerTest.testNewAttemptAndNumberOfRestarts);
// 1.18 and the other strategies count each. Another leader's JobMaster counts from 0.
func TestMergedFailuresAreOneRestart(t *testing.T) {
	for _, c := range []struct {
		strategy, version string
		restarts          int64
	}{{"exponential-delay", "2.3", 1}, {"exponential-delay", "1.20", 1}, {"exponential-delay", "1.18", 2}, {"fixed-delay", "2.3", 2}} {
		s := chapter(t, "5 s")
		s.Duration = 30 * event.Second
		o, _, err := option.Resolve(c.version, []option.Pair{
			{Key: "execution.checkpointing.interval", Value: "5 s"}, {Key: "restart-strategy.type", Value: c.strategy},
			{Key: "restart-strategy.exponential-delay.initial-backoff", Value: "2 s"}, {Key: "restart-strategy.fixed-delay.attempts", Value: "10"},
		})
		if err != nil {
			t.Fatal(err)
		}
		s.Options = o
		for v := range s.Vertices {
			s.Vertices[v].Parallelism = 2
		}
		s.Edges[0].Partition, s.Edges[1].Partition = Forward, Forward
		s.Script = []Action{
			{At: 12 * event.Second, Do: Kill, Vertex: 1, Subtask: 1}, {At: 12*event.Second + 500*event.Millisecond, Do: Kill, Vertex: 1, Subtask: 0},
			{At: 25 * event.Second, Do: Elect, Vertex: -1, For: event.Second},
		}
		l, err := New(s)
		if err != nil {
			t.Fatal(err)
		}
		var v View
		l.Advance(20*event.Second, 0)
		if l.View(&v); v.Coord.Restarts != c.restarts || len(l.History().Failures) != 2 {
			t.Errorf("%s of %s: %d restarts by %d failures, want %d by 2", c.strategy, c.version, v.Coord.Restarts, len(l.History().Failures), c.restarts)
		}
		l.Advance(30*event.Second, 0)
		if l.View(&v); v.Coord.Restarts != 0 {
			t.Errorf("%s of %s: %d restarts behind another leader", c.strategy, c.version, v.Coord.Restarts)
		}
	}
}

// TestExpiryFailsTheJob: with no failure tolerated the first checkpoint that expires restarts the job (spec 2.6, trap 9).
func TestExpiryFailsTheJob(t *testing.T) {
	s := bp222(t)
	s.Options = config(t, "execution.checkpointing.interval", "2 s", "execution.checkpointing.timeout", "1 s")
	l := run(t, s)
	var v View
	l.View(&v)
	if v.Coord.Restarts == 0 {
		t.Error("checkpoints of 2.1 s with a timeout of 1 s never restarted the job")
	}
}

// TestSavepointShowsNothing: a plain savepoint is not followed by a commit (spec 2.4, trap 3).
func TestSavepointShowsNothing(t *testing.T) {
	s := chapter(t, "60 s")
	s.Duration = 59 * event.Second
	s.Script = []Action{{At: 30 * event.Second, Do: Savepoint}}
	l := run(t, s)
	if visible, _ := shown(l); visible != 0 {
		t.Errorf("%d records shown after a savepoint", visible)
	}
	if c := l.History().Checkpoints; len(c) != 1 || !c[0].Savepoint || c[0].Outcome != Completed {
		t.Errorf("the savepoint is not in the history: %+v", c)
	}
}

// TestSteadyStateAllocatesNothing counts over a minute of a backpressured run that records nothing.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	for name, s := range map[string]Setup{"chapter": chapter(t, "1 s"), "backpressure": bp222(t)} {
		s.Duration = 1000 * event.Second
		l, err := New(s)
		if err != nil {
			t.Fatal(err)
		}
		twin := l.Twin()
		twin.Advance(100*event.Second, 0)
		before := twin.Events()
		allocs := testing.AllocsPerRun(1, func() { twin.Advance(twin.Now()+30*event.Second, 0) })
		if perEvent := allocs / float64(twin.Events()-before) * 2; perEvent > 0.001 {
			t.Errorf("%s: %.0f allocations, %.4f an event", name, allocs, perEvent)
		}
	}
}

func BenchmarkChapter(b *testing.B) {
	s := chapter(b, "60 s")
	b.ReportAllocs()
	for b.Loop() {
		l, _ := New(s)
		l.Advance(600*event.Second, 0)
	}
	b.ReportMetric(600*float64(b.N)/b.Elapsed().Seconds(), "x-realtime")
}

func BenchmarkBackpressure(b *testing.B) {
	s := bp222(b)
	b.ReportAllocs()
	for b.Loop() {
		l, _ := New(s)
		l.Advance(60*event.Second, 0)
	}
	b.ReportMetric(60*float64(b.N)/b.Elapsed().Seconds(), "x-realtime")
}

// TestFlatMapBlocksHard: a record that makes many cannot be interrupted, so its task blocks inside an emit (spec 4.4), and
// every record it makes is shown once, across a failure, too.
func TestFlatMapBlocksHard(t *testing.T) {
	s := chapter(t, "1 s")
	s.Duration, s.Vertices[0].Until = 60*event.Second, 20*event.Second
	s.Vertices[0].RateNum = 20
	s.Vertices[1].EmitNum, s.Vertices[1].EmitDen = 900, 1
	s.Vertices[2].Cost, s.Vertices[2].Snapshot = 60*event.Microsecond, Snapshot{}
	s.Vertices[0].Payload = 4000
	s.Script = []Action{{At: 7_700 * event.Millisecond, Do: Kill, Vertex: 1}}
	l, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	hard := 0
	var v View
	for at := event.Second; at <= s.Duration; at += event.Second {
		l.Advance(at, 0)
		l.View(&v)
		hard = max(hard, v.Vertices[1].Tasks[0].Hard)
	}
	if hard < 500 {
		t.Errorf("the map was blocked hard for at most %d ‰ of a second", hard)
	}
	if visible, again := shown(l); visible != 400*900 || again != 0 {
		t.Errorf("%d records shown, %d of them again; 400 make 360,000", visible, again)
	}
}

// TestFilterPassesItsShare: one record out for ten in.
func TestFilterPassesItsShare(t *testing.T) {
	s := chapter(t, "1 s")
	s.Duration, s.Vertices[0].Until = 30*event.Second, 20*event.Second
	s.Vertices[1].EmitNum, s.Vertices[1].EmitDen = 1, 10
	s.Script = []Action{{At: 7_700 * event.Millisecond, Do: Kill, Vertex: 0}}
	if visible, again := shown(run(t, s)); visible != 2000 || again != 0 {
		t.Errorf("%d records shown, %d of them again; 20,000 make 2,000", visible, again)
	}
}

// audited computes a setup to its end and looks inside every few events.
func audited(t *testing.T, s Setup) *Lab {
	t.Helper()
	l, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	a := NewAuditor(l)
	for !l.Advance(s.Duration, 7) {
		if err := a.Check(); err != nil {
			t.Fatalf("at %d ns: %v", l.Now(), err)
		}
	}
	return l
}

// TestLocalChannelsShowTheSameRecords: two task managers of two slots each that are shared. Half of the channels are local: no credit, a
// slow consumer exhausts the pool of its producer; what is shown is the same.
func TestLocalChannelsShowTheSameRecords(t *testing.T) {
	for _, mode := range []string{"false", "true"} {
		s := bp222(t)
		s.Options = config(t, "execution.checkpointing.interval", "1 s", "execution.checkpointing.unaligned.enabled", mode)
		s.Cluster = Cluster{Slots: 1, Sharing: true}
		s.Vertices[0].RateNum, s.Vertices[0].RatePer, s.Vertices[0].Until = 6000, event.Second, 10*event.Second
		s.Script = []Action{{At: 5_300 * event.Millisecond, Do: Kill, Vertex: 1}}
		s.Duration = 40 * event.Second
		l := audited(t, s)
		if visible, again := shown(l); visible != 120_000 || again != 0 {
			t.Errorf("unaligned %s: %d records shown, %d of them again", mode, visible, again)
		}
		var v View
		l.View(&v)
		for _, c := range v.Exchanges[0].Channels {
			if c.Local != (c.From == c.To) {
				t.Errorf("channel %d to %d is local: %v", c.From, c.To, c.Local)
			}
		}
	}
}

// TestForwardNeighboursRunInOneTask: FORWARD neighbours run in one task, whose record costs what both cost.
func TestForwardNeighboursRunInOneTask(t *testing.T) {
	s := chapter(t, "5 s")
	s.Duration, s.Vertices[0].Until, s.Chaining = 40*event.Second, 20*event.Second, true
	s.Edges[0].Partition = Forward
	s.Vertices[0].Cost, s.Vertices[1].Cost = 100*event.Microsecond, 200*event.Microsecond
	s.Script = []Action{{At: 10 * event.Second, Do: Slow, Vertex: 1, Subtask: -1, Cost: 500 * event.Microsecond}, {At: 12 * event.Second, Do: Kill, Vertex: 2}}
	l := audited(t, s)
	var v View
	l.View(&v)
	if len(v.Vertices) != 2 || v.Vertices[0].Name != "source → map" || v.Vertices[0].Cost != 600*event.Microsecond {
		t.Errorf("the job is drawn as %d vertices, the first %q at %d ns a record", len(v.Vertices), v.Vertices[0].Name, v.Vertices[0].Cost)
	}
	if visible, again := shown(l); visible != 20_000 || again != 0 {
		t.Errorf("%d records shown, %d of them again", visible, again)
	}
}

// TestOldestInvisibleIsWhatTheNextCommitShows: the age at the last sample before a commit is the greatest latency that
// the commit makes visible, also when barriers overtake data.
func TestOldestInvisibleIsWhatTheNextCommitShows(t *testing.T) {
	for _, unaligned := range []string{"false", "true"} {
		s := bp222(t)
		s.Options = config(t, "execution.checkpointing.interval", "2 s", "execution.checkpointing.unaligned.enabled", unaligned)
		s.Vertices[0].RateNum, s.Vertices[0].RatePer = 5200, event.Second
		h := run(t, s).History()
		for _, c := range h.Commits[5:] {
			last := h.Samples[0]
			for _, row := range h.Samples {
				if row.At <= c.At {
					last = row
				}
			}
			if want := c.Max - (c.At - last.At); last.OldestAge < want-2*event.Millisecond || last.OldestAge > want+2*event.Millisecond {
				t.Errorf("unaligned %s: at %d ns the oldest is %d ns old; the commit at %d ns shows one of %d ns", unaligned, last.At, last.OldestAge, c.At, c.Max)
			}
		}
	}
}

// TestGaugesDieWithTheTask: the time that a task was down is not busy time. The step in which it started is counted as a
// whole one, as in Flink, so for a minute it looks busier than it is.
func TestGaugesDieWithTheTask(t *testing.T) {
	s := chapter(t, "5 s")
	s.Duration = 80 * event.Second
	s.Script = []Action{{At: 12 * event.Second, Do: Kill, Vertex: 1}}
	l := run(t, s)
	var v View
	l.View(&v)
	for _, vert := range v.Vertices {
		if m := vert.Tasks[0].Metrics; m.BusyTimeMsPerSecond > 2 || m.IdleTimeMsPerSecond < 998 {
			t.Errorf("%s: busy %d, idle %d ms a second in an idle job", vert.Name, m.BusyTimeMsPerSecond, m.IdleTimeMsPerSecond)
		}
	}
}
