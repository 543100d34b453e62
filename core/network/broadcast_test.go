package network

import (
	"testing"

	"checkpointlab/core/event"
	"checkpointlab/core/sim"
)

// A broadcast writes each record once, into one segment for all its channels: it costs one of the pool, counted for the
// first subpartition, and comes back with the last channel's (BufferWritingResultPartition.broadcastRecord).
func TestBroadcastSharesItsSegments(t *testing.T) {
	feed := event.NewFeed()
	n := New(Plan{
		Wires:      []Wire{{Consumer: 1}, {Consumer: 2, Gate: 1, Sub: 1}},
		Partitions: []Partition{{Count: 2, All: true}}, Dealers: []Dealer{nil}, GateInputs: [][]event.Channel{{0}, {1}},
		Exclusive: 1, MaxPerSub: 10, Segment: 100,
	}, &sim.Queue{}, &feed, &producer{})
	pool := &n.Partitions[0].Pool
	n.Channels[1].Credit = 0 // its consumer is slow
	n.Emit(0, 0, &event.Run{Count: 4, Size: 50})
	if used := pool.Used(); used != 2 || pool.Queued(0) != 2 || pool.Queued(1) != 0 {
		t.Errorf("%d segments for 200 bytes to two channels, %d and %d by subpartition; expected 2, both of the first", used, pool.Queued(0), pool.Queued(1))
	}
	n.GiveCredit(0, 0, 10)
	if used := pool.Used(); used != 2 {
		t.Errorf("%d segments in use after one channel has sent both; the other one still has them", used)
	}
	n.GiveCredit(0, 1, 1)
	if used := pool.Used(); used != 1 {
		t.Errorf("%d segments in use after the other channel has sent one of two", used)
	}
	n.Flush(0, 0) // of the second segment, which stands alone there
	for c := range n.Channels {
		if got := n.Channels[c].Wire.Len(); got != 2-c {
			t.Errorf("channel %d has sent %d buffers, expected %d", c, got, 2-c)
		}
	}
}

// The size of a shared segment is the least that a channel's receiver announced.
func TestBroadcastTakesTheLeastSize(t *testing.T) {
	feed := event.NewFeed()
	n := New(Plan{
		Wires:      []Wire{{Consumer: 1}, {Consumer: 2, Gate: 1, Sub: 1}},
		Partitions: []Partition{{Count: 2, All: true}}, Dealers: []Dealer{nil}, GateInputs: [][]event.Channel{{0}, {1}},
		MaxPerSub: 10, Segment: 100,
	}, &sim.Queue{}, &feed, &producer{})
	n.Resize(0, 1, 30)
	n.Emit(0, 0, &event.Run{Count: 1, Size: 20})
	for c := range n.Channels {
		if size := n.Channels[c].Queue.At(0).Size; size != 30 {
			t.Errorf("channel %d's buffer may have %d bytes, expected 30", c, size)
		}
	}
}
