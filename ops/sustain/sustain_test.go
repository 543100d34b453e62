package sustain

import (
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// job writes so many bytes by each of four subtasks on two task managers.
func job(bytes, perManager int64, interval event.Time) core.Setup {
	o := option.Defaults("2.3")
	o.Interval = interval
	return core.Setup{
		Vertices: []core.Vertex{
			{Name: "source", Kind: core.Source, Parallelism: 1, Cost: -1, RateNum: 10, RatePer: event.Second, Payload: 100},
			{Name: "map", Parallelism: 4, Cost: -1, Snapshot: core.Snapshot{Size: bytes}},
			{Name: "sink", Kind: core.Sink, Parallelism: 1, Cost: -1},
		},
		Edges:   []core.Edge{{From: 0, To: 1, Partition: core.Hash}, {From: 1, To: 2, Partition: core.Hash}},
		Options: o, Duration: 20 * interval, Seed: 1, FirstTrigger: core.AtInterval, Cluster: core.Cluster{Slots: 4, Sharing: true},
		Storage: core.Storage{On: true, PerManager: perManager, Latency: 10 * event.Millisecond},
	}
}

func run(t *testing.T, s core.Setup) *core.Lab {
	t.Helper()
	l, err := core.New(s)
	if err != nil {
		t.Fatal(err)
	}
	l.Advance(s.Duration, 0)
	return l
}

// TestClosedFormAndBisectionAgree: 4 × 100 MB through one task manager of 100 MB/s are 4 s and a little, by both ways; with
// the limit of 2 requests a second it is the requests that bind.
func TestClosedFormAndBisectionAgree(t *testing.T) {
	for _, c := range []struct {
		requests int64
		binding  string
		about    event.Time
	}{{0, Upload, 4 * event.Second}, {1, Requests, 14 * event.Second}} {
		setup := func(interval event.Time) core.Setup {
			s := job(100<<20, 100<<20, interval)
			s.Storage.Requests = c.requests
			return s
		}
		s := setup(20 * event.Second)
		l := run(t, s)
		form, ok := Closed(l.Setup(), l.History(), 1)
		if !ok || form.Binding != c.binding || form.Interval < c.about*9/10 || form.Interval > c.about*13/10 {
			t.Errorf("closed form %+v, expected about %d, bound by %s", form, c.about, c.binding)
		}
		got, err := Bisect(100*event.Millisecond, 40*event.Second, 12, func(interval event.Time) (bool, error) {
			s := setup(interval)
			l := run(t, s)
			return Keeps(l.Setup(), l.History()), nil
		})
		if err != nil || got < form.Interval*6/10 || got > form.Interval*12/10 {
			t.Errorf("bisection says %d, the closed form %d (%v)", got, form.Interval, err)
		}
	}
}

// TestBisect finds the edge, and says when there is none.
func TestBisect(t *testing.T) {
	got, err := Bisect(0, event.Second, 1000, func(x event.Time) (bool, error) { return x >= 300*event.Millisecond, nil })
	if err != nil || got < 300*event.Millisecond || got > 302*event.Millisecond {
		t.Error(got, err)
	}
	if got, _ := Bisect(0, event.Second, 1000, func(event.Time) (bool, error) { return false, nil }); got != 0 {
		t.Error(got)
	}
}
