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
