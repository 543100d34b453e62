package core_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// row is a job of vertices in a row with those options, without a control plane.
func row(partition core.Partition, options option.Config, vertices ...core.Vertex) core.Setup {
	s := core.Setup{Vertices: vertices, Options: options, Seed: 1, Overhead: 47, FirstTrigger: core.AtInterval}
	for i := range vertices[1:] {
		s.Edges = append(s.Edges, core.Edge{From: i, To: i + 1, Partition: partition})
	}
	return s
}

// TestBarrierDelayIsLittlesLaw: under back pressure a barrier waits for what is ahead of it, which is what the pools of the
// exchange hold, (2c + 8) buffers at each end, over the throughput (published 4.4). The writer's last buffer is open and
// each channel ends in a part of one, so the pools are never quite full.
func TestBarrierDelayIsLittlesLaw(t *testing.T) {
	for _, c := range []int{1, 2, 4, 10} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			const cost, wire = event.Millisecond, 147
			s := row(core.Rebalance, resolved(t, interval, "60 s"),
				core.Vertex{Name: "source", Kind: core.Source, Parallelism: c, Cost: -1, Payload: 100},
				core.Vertex{Name: "sink", Kind: core.Sink, Parallelism: c, Cost: cost, Guarantee: core.AtLeastOnce})
			s.Duration = 170 * event.Second
			h := runTo(t, s, s.Duration).History()
			buffers := 2 * (2*c + 8)
			want := float64(buffers) * 32768 / wire * float64(cost) / float64(event.Second)
			n := 0
			for i := range h.Checkpoints {
				if k := &h.Checkpoints[i]; k.Outcome == core.Completed {
					n++
					if got := float64(k.Ended-k.Triggered) / float64(event.Second); got < 0.85*want || got > 1.01*want {
						t.Errorf("checkpoint %d takes %.2f s, %d buffers over the throughput are %.2f s", k.ID, got, buffers, want)
					}
				}
			}
			if n < 2 {
				t.Errorf("%d checkpoints completed", n)
			}
		})
	}
}

// TestEffectiveInterval: with one checkpoint at a time they start max(interval, duration + minimum pause) apart (published 4.1).
func TestEffectiveInterval(t *testing.T) {
	for _, c := range []struct{ interval, pause, duration, want event.Time }{{2, 1, 5, 6}, {10, 1, 5, 10}, {2, 4, 1, 5}, {4, 0, 9, 9}} {
		s := row(core.Hash, resolved(t,
			interval, fmt.Sprintf("%d s", c.interval),
			"execution.checkpointing.min-pause", fmt.Sprintf("%d s", c.pause),
		), core.Vertex{Name: "source", Kind: core.Source, Parallelism: 1, Cost: -1, RateNum: 100, RatePer: event.Second, Payload: 100},
			core.Vertex{Name: "sink", Kind: core.Sink, Parallelism: 1, Snapshot: core.Snapshot{Async: c.duration * event.Second}})
		s.Duration = 200 * event.Second
		h := runTo(t, s, s.Duration).History()
		for i := 2; i < len(h.Checkpoints); i++ {
			if got := h.Checkpoints[i].Triggered - h.Checkpoints[i-1].Triggered; got != c.want*event.Second {
				t.Errorf("%+v s: checkpoints %d and %d start %d ms apart", c, i, i+1, got/event.Millisecond)
				break
			}
		}
	}
}

// TestABacklogIsDrainedAtTheSpareCapacity: what piled up while a job was down is drained at the spare capacity: (re-read + arrived meanwhile) over
// (capacity - rate) (published 4.3).
func TestABacklogIsDrainedAtTheSpareCapacity(t *testing.T) {
	const rate, capacity = 600, 1000
	s := row(core.Hash, resolved(t,
		interval, "10 s", "restart-strategy.type", "fixed-delay", "restart-strategy.fixed-delay.delay", "5 s",
	), core.Vertex{Name: "source", Kind: core.Source, Parallelism: 1, Cost: event.Second / capacity, RateNum: rate, RatePer: event.Second, Payload: 100},
		core.Vertex{Name: "sink", Kind: core.Sink, Parallelism: 1})
	s.Duration = 120 * event.Second
	s.Script = []core.Action{{At: 57 * event.Second, Do: core.Kill, Vertex: 1}}
	l, err := core.New(s)
	if err != nil {
		t.Fatal(err)
	}
	var v core.View
	caughtUp := event.Time(0)
	for at := 63 * event.Second; at < s.Duration && caughtUp == 0; at += 10 * event.Millisecond {
		l.Advance(at, 0)
		if l.View(&v); v.Vertices[0].Tasks[0].Log.Arrived-v.Vertices[0].Tasks[0].Log.Read <= 1 {
			caughtUp = at
		}
	}
	f := l.History().Failures[0]
	backlog := float64(f.Reread) + rate*5 // the barrier at 50 s is 7 s back, and 5 s go by before the job runs again
	want := 62 + backlog/(capacity-rate)
	if got := float64(caughtUp) / float64(event.Second); math.Abs(got-want) > 0.3 {
		t.Errorf("caught up at %.2f s, expected %.2f s (%d records again)", got, want, f.Reread)
	}
}

// TestUtilisationIsDalys: with failures at exponential times the share of time that leads to results is Daly's
// U = (T - c)·L / (e^{L(R+T)} - e^{LR}) for interval T, snapshot c, restart R and failure rate L, and Young's interval
// sqrt(2 c / L) is better than shorter and longer ones (published 4.7).
func TestUtilisationIsDalys(t *testing.T) {
	const c, restart, mtbf, span = 1.0, 2.0, 100.0, 40_000.0 // s
	got := map[float64]float64{}
	for _, every := range []float64{3, math.Round(math.Sqrt(2 * c * mtbf)), 80} {
		s := row(core.Hash, resolved(t,
			interval, fmt.Sprintf("%d ms", int(1000*every)),
			"restart-strategy.type", "fixed-delay",
			"restart-strategy.fixed-delay.delay", fmt.Sprintf("%d s", int(restart)),
			"restart-strategy.fixed-delay.attempts", "1000000",
		), core.Vertex{Name: "source", Kind: core.Source, Parallelism: 1, Cost: 10 * event.Millisecond, Payload: 100, Snapshot: core.Snapshot{Sync: c * event.Second}},
			core.Vertex{Name: "sink", Kind: core.Sink, Parallelism: 1})
		s.Duration = span * event.Second
		random := rand.New(rand.NewPCG(1, uint64(every)))
		for at := random.ExpFloat64() * mtbf; at < span; at += random.ExpFloat64() * mtbf {
			s.Script = append(s.Script, core.Action{At: event.Time(at * float64(event.Second)), Do: core.Kill, Vertex: 0})
		}
		var v core.View
		runTo(t, s, s.Duration).View(&v)
		got[every] = float64(v.Vertices[1].Tasks[0].Output.Visible) * 0.010 / span
		// A failure while the job is down does not count again, so the failures that matter are fewer by the time it is down.
		const l = 1 / mtbf
		want := (every - c) * l / (math.Exp(l*(restart+every)) - math.Exp(l*restart))
		if math.Abs(got[every]-want) > 0.03 {
			t.Errorf("interval %g s: %.3f of the time leads to results, Daly says %.3f", every, got[every], want)
		}
	}
	if young := got[14]; young <= got[3] || young <= got[80] {
		t.Errorf("Young's interval is not the best: %v", got)
	}
}
