package core

import (
	"fmt"
	"reflect"
	"testing"

	"checkpointlab/core/event"
	"checkpointlab/core/sim"

	"pgregory.net/rapid"
)

// TestExpressChangesNothing: pipelines that run express (task/express.go) are the pipelines in which each tick, buffer and step takes
// its way through the queue, whatever else happens and however the run is cut and looked at.
func TestExpressChangesNothing(t *testing.T) { expressChangesNothing(t, anyPipelines) }

// TestDealtExpressChangesNothing: jobs that deal by key and run express (task/post.go) likewise.
func TestDealtExpressChangesNothing(t *testing.T) { expressChangesNothing(t, anyDealt) }

func expressChangesNothing(t *testing.T, any func(*testing.T, *rapid.T) Setup) {
	rode := 0
	rapid.Check(t, func(r *rapid.T) {
		s := any(t, r)
		plain := pipelines(r, s, false)
		plain.Advance(s.Duration, 0)
		whole := pipelines(r, s, true)
		for at := event.Time(1); at <= 16; at++ {
			whole.Advance(s.Duration*at/16, 0)
			if whole.world.Riding() {
				rode++
			}
		}
		same(r, "in one go", plain, whole)
		same(r, "cut", plain, cutPipelines(r, s))
	})
	if rode == 0 {
		t.Error("nothing ran express")
	}
}

// pipelines is a run that has not begun, whose pipelines may run express if it is wide.
func pipelines(r *rapid.T, s Setup, wide bool) *Lab {
	l, err := New(s)
	if err != nil {
		r.Fatal(err)
	}
	l.world.Wide = wide
	return l
}

// cutPipelines is a run that is cut anywhere: at instants, by numbers of things, one event, and looked at, audited, or set back to a
// snapshot there.
func cutPipelines(r *rapid.T, s Setup) *Lab {
	l := pipelines(r, s, true)
	a := NewAuditor(l)
	draws := sim.NewStream(rapid.Uint64().Draw(r, "cuts"), "cuts")
	longest := rapid.SampledFrom([]event.Time{300 * event.Millisecond, event.Second, 50 * event.Millisecond}).Draw(r, "longest span")
	var kept State
	for l.Now() < s.Duration {
		until := min(s.Duration, l.Now()+1+draws.Int64n(longest))
		for range draws.Int64n(4) {
			l.Advance(until, 1+int(draws.Int64n(40)))
		}
		if draws.Int64n(2) == 0 {
			l.Advance(until, 0)
		}
		switch draws.Int64n(6) {
		case 0:
			l.Snapshot(&kept)
			l.Restore(&kept)
		case 1:
			if err := a.Check(); err != nil {
				r.Fatalf("at %d ns: %v", l.Now(), err)
			}
		case 2:
			l.Step()
		}
	}
	l.Advance(s.Duration, 0)
	return l
}

// same compares what is heard of two runs, what was recorded, and what is seen at their end.
func same(r *rapid.T, how string, want, got *Lab) {
	if want.Hash() != got.Hash() || want.Events() != got.Events() || want.Buffers() != got.Buffers() {
		r.Fatalf("%s: the trace hash is %x of %d events, want %x of %d", how, got.Hash(), got.Events(), want.Hash(), want.Events())
	}
	if w, g := want.History(), got.History(); how == "in one go" && !reflect.DeepEqual(w, g) {
		r.Fatalf("%s: something else was recorded", how)
	}
	var w, g View
	want.View(&w)
	got.View(&g)
	w.Managers, g.Managers, w.Latencies, g.Latencies = nil, nil, nil, nil // of a wide job they are not known
	for i := range w.Vertices {
		if !reflect.DeepEqual(w.Vertices[i], g.Vertices[i]) {
			r.Fatalf("%s: at the end vertex %d is %+v, want %+v", how, i, g.Vertices[i], w.Vertices[i])
		}
	}
	for i := range w.Exchanges {
		if !reflect.DeepEqual(w.Exchanges[i], g.Exchanges[i]) {
			r.Fatalf("%s: at the end exchange %d is %+v, want %+v", how, i, g.Exchanges[i], w.Exchanges[i])
		}
	}
	if !reflect.DeepEqual(w, g) {
		r.Fatalf("%s: the end looks like something else", how)
	}
}

// anyPipelines is a job of pipelines of two to five tasks, mostly with little to do, in which anything may happen.
func anyPipelines(t *testing.T, r *rapid.T) Setup {
	return anyChain(t, r, rapid.IntRange(2, 5).Draw(r, "length"))
}

func anyChain(t *testing.T, r *rapid.T, length int) Setup {
	parallelism := rapid.IntRange(1, 6).Draw(r, "parallelism")
	cost := func() event.Time {
		return rapid.SampledFrom([]event.Time{-1, 1, 20_000, 3_000_000, 40_000_000}).Draw(r, "cost")
	}
	s := bp222(t)
	s.Vertices, s.Edges = nil, nil
	for v := range length {
		x := Vertex{Name: fmt.Sprint("v", v), Parallelism: parallelism, Cost: cost()}
		switch v {
		case 0:
			x.Kind, x.Payload = Source, rapid.SampledFrom([]int32{100, 1, 3000}).Draw(r, "payload")
			x.RateNum, x.RatePer = rapid.Int64Range(1, 60).Draw(r, "rate"), event.Second
			x.Partitions = rapid.SampledFrom([]int{0, 0, parallelism, 2 * parallelism}).Draw(r, "partitions")
			x.EndsAfter = rapid.SampledFrom([]int64{0, 0, 0, 50}).Draw(r, "ends after")
		case length - 1:
			x.Kind = Sink
			x.Guarantee = rapid.SampledFrom([]Guarantee{ExactlyOnce, AtLeastOnce, NoGuarantee}).Draw(r, "guarantee")
			x.Snapshot.Async = rapid.SampledFrom([]event.Time{0, 200 * event.Millisecond}).Draw(r, "asynchronous part")
		default:
			x.Snapshot.Sync = rapid.SampledFrom([]event.Time{0, 30 * event.Millisecond}).Draw(r, "synchronous part")
		}
		if s.Vertices = append(s.Vertices, x); v > 0 {
			s.Edges = append(s.Edges, Edge{From: v - 1, To: v, Partition: Forward})
		}
	}
	s.Options = config(t, "execution.checkpointing.interval", rapid.SampledFrom([]string{"3 s", "700 ms", "1 min"}).Draw(r, "interval"),
		"execution.checkpointing.unaligned.enabled", rapid.SampledFrom([]string{"false", "true"}).Draw(r, "unaligned"),
		"execution.buffer-timeout.interval", rapid.SampledFrom([]string{"100 ms", "10 ms", "1 ms", "700 ms"}).Draw(r, "buffer timeout"),
		"taskmanager.memory.segment-size", rapid.SampledFrom([]string{"32 kb", "4 kb"}).Draw(r, "segment"))
	s.FlusherPhase = rapid.SampledFrom([]FlusherPhase{PhaseRandom, PhaseAligned}).Draw(r, "phase")
	s.Seed, s.Duration = rapid.Uint64Range(1, 9).Draw(r, "seed"), 6*event.Second
	s.Control.Net = rapid.SampledFrom([]event.Time{s.Control.Net, 2 * event.Millisecond, 50 * event.Millisecond}).Draw(r, "net")
	for range rapid.IntRange(0, 2).Draw(r, "actions") {
		a := Action{At: rapid.Int64Range(100, 5500).Draw(r, "at, ms") * event.Millisecond, Subtask: rapid.IntRange(-1, parallelism-1).Draw(r, "subtask")}
		switch a.Do = rapid.SampledFrom([]Do{Slow, Rate, Kill, Trigger}).Draw(r, "do"); a.Do {
		case Slow:
			a.Vertex, a.Cost = rapid.IntRange(0, length-1).Draw(r, "slow vertex"), max(1, cost())
		case Rate:
			a.RateNum, a.RatePer = rapid.Int64Range(1, 300).Draw(r, "new rate"), event.Second
		case Kill:
			a.Vertex, a.Subtask = rapid.IntRange(0, length-1).Draw(r, "killed vertex"), max(0, a.Subtask)
		}
		s.Script = append(s.Script, a)
	}
	return s
}

// anyDealt is such a job whose tasks deal by key to one more vertex, with more to do, so that buffers fill and wait.
func anyDealt(t *testing.T, r *rapid.T) Setup {
	s := anyChain(t, r, 3)
	s.Edges = []Edge{{From: 0, To: 1, Partition: rapid.SampledFrom([]Partition{Hash, Hash, Rebalance, Shuffle}).Draw(r, "partition")}, {From: 1, To: 2, Partition: Forward}}
	if s.Edges[0].Partition == Hash && rapid.Bool().Draw(r, "by key twice") {
		s.Edges[1].Partition = Hash
	}
	for v := range s.Vertices {
		x := &s.Vertices[v]
		x.Parallelism = max(2, x.Parallelism)
		x.Cost = rapid.SampledFrom([]event.Time{-1, 1, 500, 20_000, 200_000}).Draw(r, "smaller cost")
	}
	s.Vertices[0].RateNum = rapid.SampledFrom([]int64{10, 100, 700, 1000, 3000}).Draw(r, "greater rate")
	s.Vertices[0].Payload = rapid.SampledFrom([]int32{100, 17, 3000}).Draw(r, "other payload") // with 17 a segment is full of whole records
	s.Vertices[0].Partitions, s.Duration = 0, 4*event.Second
	s.Keys = rapid.SampledFrom([]int{1000, 1 << 16}).Draw(r, "keys")
	return s
}
