package core

import (
	"testing"

	"checkpointlab/core/event"
)

// TestPhasesOfAChain: one task stores what its operators store, one after the other, in both phases (spec 7.1, 10.3;
// AsyncCheckpointRunnable.finalizeNonFinishedSnapshots).
func TestPhasesOfAChain(t *testing.T) {
	s := chapter(t, "5 s")
	s.Duration, s.Chaining = 12*event.Second, true
	s.Edges[1].Partition = Forward
	s.Vertices[1].Snapshot = Snapshot{Sync: 20 * event.Millisecond, Async: 300 * event.Millisecond, Size: 1000}
	s.Vertices[2].Snapshot = Snapshot{Sync: 10 * event.Millisecond, Async: 200 * event.Millisecond, Size: 500}
	if s.Vertices[1].Parallelism != s.Vertices[2].Parallelism {
		t.Fatal("map and sink differ in parallelism")
	}
	l := run(t, s)
	h := l.History()
	c := &h.Checkpoints[len(h.Checkpoints)-1]
	if c.Outcome != Completed || len(l.Setup().Vertices) != 2 {
		t.Fatalf("the last checkpoint ended as %d, in %d vertices", c.Outcome, len(l.Setup().Vertices))
	}
	p := c.Tasks[len(c.Tasks)-1]
	if p.Sync != 30*event.Millisecond || p.Async != 500*event.Millisecond || p.Size != 1500 {
		t.Errorf("sync %d, async %d ns, %d bytes", p.Sync, p.Async, p.Size)
	}
}

// TestHoldingBackIsNotOneForOne: a map that makes three records with every third one holds the others back, which neither a
// source nor a sink does.
func TestHoldingBackIsNotOneForOne(t *testing.T) {
	source, sink := Vertex{Kind: Source}, Vertex{Kind: Sink}
	for _, c := range []struct {
		name string
		down Vertex
		want bool
	}{
		{"one of one", Vertex{Kind: Map}, true},
		{"one of one at once", Vertex{Kind: Map, EmitNum: 1, EmitDen: 1, Burst: true}, true},
		{"three of three as they come", Vertex{Kind: Map, EmitNum: 3, EmitDen: 3}, true},
		{"three with every third", Vertex{Kind: Map, EmitNum: 3, EmitDen: 3, Burst: true}, false},
	} {
		if got := fit(&source, &c.down); got != c.want {
			t.Errorf("%s: chained behind a source: %v, want %v", c.name, got, c.want)
		}
		if got := fit(&c.down, &sink); got != c.want {
			t.Errorf("%s: chained ahead of a sink: %v, want %v", c.name, got, c.want)
		}
		if v := joinVertices(&Vertex{Kind: Map}, &c.down); v.Burst == c.want {
			t.Errorf("%s: the chain of two maps holds back: %v", c.name, v.Burst)
		}
	}
}
