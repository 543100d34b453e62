package network

import (
	"testing"

	"checkpointlab/core/event"
	"checkpointlab/core/job"
	"checkpointlab/core/sim"
)

// Records are written in their order: the last one of a step, which may need all segments that the pool has left, takes none of those
// before it, whatever the number of its channel (found by a random run: after debloating a record was forty buffers to one
// receiver and one to another).
func TestTheLastRecordTakesNoSegmentOfTheOthers(t *testing.T) {
	feed, toSecond := event.NewFeed(), job.NewRoundRobinDealing(2, 1)
	n := New(Plan{
		Wires:      []Wire{{Consumer: 1}, {Consumer: 2, Gate: 1, Sub: 1}},
		Partitions: []Partition{{Count: 2}}, Dealers: []Dealer{&toSecond}, GateInputs: [][]event.Channel{{0}, {1}},
		Exclusive: 1, Floating: 2, MaxPerSub: 10, Segment: 1000,
	}, &sim.Queue{}, &feed, &producer{})
	n.Channels[0].Credit, n.Channels[1].Credit = 0, 0
	n.Resize(0, 0, 10)
	if k := n.Boundary(0, 600, 9); k != 2 {
		t.Fatalf("a step of %d records, expected 2: the second one needs more than it can have", k)
	}
	if n.Emit(0, 0, &event.Run{Count: 2, Size: 600}) != 1 || n.Partitions[0].stuck != 1 {
		t.Fatalf("channel %d waits for a segment, expected the first one", n.Partitions[0].stuck-1)
	}
	if e := n.Channels[1].open(); e == nil || e.Bytes != 600 {
		t.Errorf("the record that was first is not written: %+v", e)
	}
}

// writing is a producer that has written something when it is asked.
type writing struct {
	producer
	write func()
}

func (w *writing) Book(event.Time, event.Task) {
	if do := w.write; do != nil {
		w.write = nil
		do()
	}
}

// What the producer has written by the instant at which a barrier is taken stands behind the barrier, and waits there: the channel is
// blocked (PipelinedSubpartition.pollBuffer; found by a random run with two checkpoints at a time).
func TestNothingPassesABarrierThatIsBeingTaken(t *testing.T) {
	p := &writing{}
	feed := event.NewFeed()
	n := New(Plan{
		Wires: []Wire{{}}, Partitions: []Partition{{Count: 1}}, Dealers: []Dealer{nil}, GateInputs: [][]event.Channel{{0}},
		Exclusive: 1 << 20, MaxPerSub: 1 << 20, Segment: 100,
	}, &sim.Queue{}, &feed, p)
	ch := &n.Channels[0]
	n.Broadcast(0, 0, barrier(1, Blocking))
	n.Broadcast(0, 0, barrier(2, Blocking))
	p.write = func() { n.Emit(1, 0, &event.Run{Count: 2, Size: 10}) }
	if n.Resumed(1, 0); ch.Wire.Len() != 2 || ch.BlockedBy() != 2 || ch.Queue.Len() != 1 {
		t.Errorf("%d entries are sent and %d wait behind barrier %d, expected both barriers and the buffer that was begun meanwhile", ch.Wire.Len(), ch.Queue.Len(), ch.BlockedBy())
	}
}
