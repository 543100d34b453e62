package core

import (
	"testing"

	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// rescaled is a job of 10,000 records whose map gets other parallelisms.
func rescaled(t *testing.T, vertex int, pairs ...option.Pair) Setup {
	t.Helper()
	s := bounded(t, 5000, pairs...)
	s.Vertices[1].Cost = 100 * event.Microsecond
	s.Vertices[2].Cost = 300 * event.Microsecond
	s.Control = MeasuredControl()
	s.Control.FirstFails = false
	s.Vertices[0].Partitions = 3
	s.Script = []Action{
		{At: 1500 * event.Millisecond, Do: RescaleJob, Vertex: vertex, Parallelism: 3},
		{At: 2800 * event.Millisecond, Do: RescaleJob, Vertex: vertex, Parallelism: 1, FromSavepoint: true},
		{At: 4100 * event.Millisecond, Do: Kill, Vertex: 2, Subtask: 0},
		{At: 4600 * event.Millisecond, Do: RescaleJob, Vertex: vertex, Parallelism: 2},
	}
	return s
}

var unalignedAtOnce = option.Pair{Key: "execution.checkpointing.unaligned.enabled", Value: "true"}

// Whatever is rescaled and from what, each record is shown once (spec 10.4), laws hold at every cut, and a snapshot of any
// phase goes on as if the run had never stopped.
func TestARescaledJobShowsEachRecordOnce(t *testing.T) {
	for vertex := -1; vertex < 3; vertex++ {
		for _, pairs := range [][]option.Pair{nil, {unalignedAtOnce}} {
			s := rescaled(t, vertex, pairs...)
			l, err := New(s)
			if err != nil {
				t.Fatal(err)
			}
			auditor := NewAuditor(l)
			var kept [8]State
			for i, at := 0, event.Time(0); at < s.Duration; at += 53 * event.Millisecond {
				if l.Advance(at, 0); at/event.Second > event.Time(i) && i < len(kept) {
					l.Snapshot(&kept[i])
					i++
				}
				if err := auditor.Check(); err != nil {
					t.Fatalf("vertex %d, %v: at %d ns: %v", vertex, pairs, at, err)
				}
			}
			l.Advance(s.Duration, 0)
			if n := shownBySinks(l); n != 15_000 || !l.job.finished {
				t.Errorf("vertex %d, %v: %d of 15000 records are visible, finished is %v", vertex, pairs, n, l.job.finished)
			}
			twin := l.Twin()
			for _, i := range []int{5, 0, 3, 1, 4, 2} {
				if kept[i].lab == nil {
					continue
				}
				twin.Restore(&kept[i])
				if twin.Advance(s.Duration, 0); twin.Hash() != l.Hash() {
					t.Errorf("vertex %d, %v: from snapshot %d the run is another one", vertex, pairs, i)
				}
			}
		}
	}
}

// A job that is rescaled restarts (AdaptiveScheduler.goToRestarting), and its restart strategy goes on counting; one that starts from
// another's savepoint has a scheduler of its own. Here the second failure is one too many only for the former.
func TestWhoseRestartsARescalingCounts(t *testing.T) {
	for _, c := range []struct {
		fromSavepoint, failed bool
		restarts, rescales    int64
	}{{false, true, 2, 1}, {true, false, 1, 0}} {
		s := rescaled(t, 1, option.Pair{Key: "restart-strategy.type", Value: "fixed-delay"}, option.Pair{Key: "restart-strategy.fixed-delay.attempts", Value: "1"})
		for i := range s.Vertices {
			s.Vertices[i].EndsAfter, s.Vertices[i].EndsAt = 0, 0
		}
		s.Duration = 8 * event.Second
		s.Script = []Action{
			{At: 2 * event.Second, Do: Kill, Vertex: 1},
			{At: 4 * event.Second, Do: RescaleJob, Vertex: 1, Parallelism: 1, FromSavepoint: c.fromSavepoint},
			{At: 6 * event.Second, Do: Kill, Vertex: 1},
		}
		l, err := New(s)
		if err != nil {
			t.Fatal(err)
		}
		l.Advance(s.Duration, 0)
		var v View
		if l.View(&v); v.Coord.JobFailed != c.failed || v.Coord.Restarts != c.restarts || v.Coord.Rescales != c.rescales {
			t.Errorf("from a savepoint %v: failed is %v behind %d restarts and %d rescales", c.fromSavepoint, v.Coord.JobFailed, v.Coord.Restarts, v.Coord.Rescales)
		}
	}
}

// A rescaling deals requests that are under way evenly, also to a subtask that no exchange gives anything. What they make is dealt by key
// like all else.
func TestRescaledRequestsOfNoKey(t *testing.T) {
	s := rescaled(t, 1)
	s.Edges[0].Partition, s.Edges[1].Partition = Global, Hash
	s.Vertices[1].Parallelism, s.Vertices[1].Cost = 1, 20*event.Microsecond
	s.Vertices[1].Async = Async{Capacity: 10, Latency: 2 * event.Millisecond}
	l, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	l.Advance(s.Duration, 0)
	if err := NewAuditor(l).Check(); err != nil {
		t.Error(err)
	}
	if n := shownBySinks(l); n != 15_000 || !l.job.finished {
		t.Errorf("%d of 15000 records are visible, finished is %v", n, l.job.finished)
	}
}

// Data in flight of an unaligned checkpoint goes to the subtasks that own its keys: nothing is lost though the job is rescaled
// under backpressure.
func TestRescaleUnderBackpressure(t *testing.T) {
	s := rescaled(t, 2, unalignedAtOnce)
	s.Vertices[0].RateNum, s.Vertices[2].Cost = 3000, 700*event.Microsecond
	l, seen := ends(t, s, event.Rescaled, event.RescaleRefused)
	stored := int64(0)
	for _, c := range l.History().Checkpoints {
		for i := range c.Tasks {
			stored += c.Tasks[i].Persisted
		}
	}
	if len(seen) < 2 || seen[0].Checkpoint == 0 || stored == 0 || shownBySinks(l) != 15_000 {
		t.Errorf("%v, %d bytes in flight were stored, %d of 15000 records are visible", seen, stored, shownBySinks(l))
	}
}

// Case C18: before FLINK-38267 output in flight of a vertex that has a pointwise exchange beside cannot be rescaled.
func TestPointwiseRefusesToRescale(t *testing.T) {
	for version, refused := range map[string]bool{"1.20": true, "2.3": false} {
		s := rescaled(t, -1, unalignedAtOnce)
		s.Options.Version = version
		s.Vertices[0].RateNum, s.Vertices[2].Cost = 3000, 2*event.Millisecond
		s.Vertices = append(s.Vertices, Vertex{Name: "beside", Kind: Sink, Parallelism: 2, Cost: -1})
		s.Edges = append(s.Edges, Edge{From: 1, To: 3, Partition: Forward})
		s.Script = s.Script[:1]
		l, seen := ends(t, s, event.RescaleRefused)
		if (len(seen) > 0) != refused || l.job.failed != refused {
			t.Errorf("%s: refused %v, failed is %v", version, seen, l.job.failed)
		}
	}
}

// A parallelism above the max parallelism that the state was written with is refused (spec 10.1), as is FORWARD to another one.
func TestWhatFlinkRefusesToRescaleIsRefused(t *testing.T) {
	s := rescaled(t, 1)
	s.MaxParallel, s.Script[0].Parallelism = 2, 3
	if s.Check() == nil {
		t.Error("a parallelism above the max parallelism is taken")
	}
	s = rescaled(t, 1)
	s.Edges[1].Partition = Forward
	if s.Check() == nil {
		t.Error("FORWARD between 3 and 2 subtasks is taken")
	}
}
