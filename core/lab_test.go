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

func TestChapter(t *testing.T) {
	for _, iv := range []string{"1 s", "60 s", "600 s"} {
		l, err := New(chapter(t, iv))
		if err != nil {
			t.Fatal(err)
		}
		l.Advance(1201*event.Second, 0)
		var s metric.Selection
		s.Select(&l.History().Visible, metric.Everything())
		t.Log(iv, s.Count(), s.Mean(), s.QuantileNearest(.5), s.QuantileNearest(.99), s.Max(), l.Hash())
	}
}

func TestBackpressure(t *testing.T) {
	l, err := New(bp222(t))
	if err != nil {
		t.Fatal(err)
	}
	l.Advance(63*event.Second, 0)
	var s metric.Selection
	w := metric.Window{SeenFrom: 23 * event.Second, SeenTo: 63 * event.Second, ArrivedFrom: 23 * event.Second}
	s.Select(&l.History().Visible, w)
	t.Log("visible", s.Count(), s.Mean()/1e6, s.QuantileNearest(.5)/1e6, s.QuantileNearest(.99)/1e6, s.Max()/1e6)
	s.Select(&l.History().Pipeline, w)
	t.Log("pipeline", s.Count(), s.Mean()/1e6, s.QuantileNearest(.5)/1e6, s.QuantileNearest(.99)/1e6, s.Max()/1e6)
	for _, c := range l.History().Checkpoints {
		if c.Outcome == Completed && c.Triggered > 23*event.Second {
			t.Log(c.ID, c.Triggered/1e6, (c.Ended-c.Triggered)/1e6, c.Tasks[2].StartDelay/1e6, c.Tasks[2].Alignment/1e6, c.Tasks[4].StartDelay/1e6, c.Tasks[4].Alignment/1e6)
		}
	}
	var v View
	l.View(&v)
	t.Logf("%+v", v.Coord)
	t.Log("events", l.Events())
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
