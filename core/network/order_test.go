package network

import (
	"testing"

	"checkpointlab/core/event"
	"checkpointlab/core/sim"
)

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
