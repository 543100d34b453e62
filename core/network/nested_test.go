package network

import (
	"testing"

	"checkpointlab/core/event"
	"checkpointlab/core/job"
	"checkpointlab/core/sim"
)

// echo is a reader of local channels that deals a record on as soon as it is offered something.
type echo struct {
	producer
	net *Network
	n   int64
}

func (e *echo) Offered(now event.Time, _ event.Task, _ event.Channel, _ bool) {
	e.n++
	e.net.Emit(now, 1, &event.Run{Count: 1, Size: 10})
}

// A task writes to two local channels what fills both. The first that is full is offered to its reader, whose task thereby writes what it
// has done of its own step: the rest of the first task's records goes where it was dealt to all the same.
func TestReadersWriteInBetween(t *testing.T) {
	feed := event.NewFeed()
	two, one := job.NewRoundRobinDealing(2, 0), job.NewRoundRobinDealing(3, 2)
	e := &echo{}
	e.net = New(Plan{
		Wires:      []Wire{{Local: true}, {Gate: 1, Sub: 1, Local: true}, {Gate: 2, Partition: 1}, {Gate: 3, Partition: 1, Sub: 1}, {Gate: 4, Partition: 1, Sub: 2}},
		Partitions: []Partition{{Count: 2}, {First: 2, Count: 3}}, Dealers: []Dealer{&two, &one},
		GateInputs: [][]event.Channel{{0}, {1}, {2}, {3}, {4}}, Exclusive: 10, Floating: 10, MaxPerSub: 100, Segment: 100,
	}, &sim.Queue{}, &feed, e)
	e.net.Emit(0, 0, &event.Run{Count: 30, Size: 10})
	var written [5]int64
	for c := range written {
		ch := &e.net.Channels[c]
		for i := range ch.Queue.Len() {
			written[c] += ch.Queue.At(i).Records
		}
	}
	if want := [5]int64{15, 15, written[2], written[3], e.n - written[2] - written[3]}; e.n == 0 || written != want {
		t.Errorf("the channels have %v records, expected %v of them", written, want)
	}
}
