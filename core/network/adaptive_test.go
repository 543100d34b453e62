package network

import (
	"testing"

	"checkpointlab/core/event"
	"checkpointlab/core/sim"
)

// rebalanced is a network of one producer with so many channels, whose writer looks at some of them for each record.
func rebalanced(channels, traverse int) *Network {
	feed := event.NewFeed()
	p := Plan{
		Partitions: []Partition{{Count: int32(channels), Looks: int32(traverse)}}, Dealers: []Dealer{noDealer{}},
		Exclusive: 2, Floating: 8, MaxPerSub: 100, Segment: 100,
	}
	for c := range channels {
		p.Wires = append(p.Wires, Wire{Gate: int32(c), Sub: int32(c)})
		p.GateInputs = append(p.GateInputs, []event.Channel{event.Channel(c)})
	}
	return New(p, &sim.Queue{}, &feed, &producer{})
}

// noDealer deals nothing: a writer that looks does not ask it.
type noDealer struct{ Dealer }

func (noDealer) Only() int32 { return -1 }

// The cases of AdaptiveLoadBasedRecordWriterTest.testGetIdlestChannelIndex of 2.3.0: of a new writer.
func TestIdlestChannel(t *testing.T) {
	for _, c := range []struct {
		traverse int
		bytes    []int32
		segments []int
		want     int32
	}{
		{2, []int32{1, 2, 3}, []int{2, 3, 4}, 0},
		{2, []int32{0, 0, 0}, []int{2, 3, 4}, 0},
		{2, []int32{0, 0, 0}, []int{0, 0, 0}, 0},
		{3, []int32{1, 2, 3}, []int{2, 3, 4}, 0},
		{3, []int32{0, 0, 0}, []int{2, 3, 4}, 0},
		{3, []int32{0, 0, 0}, []int{0, 0, 0}, 0},
		{2, []int32{1, 2, 3, 1, 2, 3}, []int{2, 3, 4, 2, 3, 4}, 0},
		{2, []int32{0, 0, 3, 1, 2, 3}, []int{3, 2, 4, 2, 3, 4}, 1},
		{2, []int32{0, 0, 3, 1, 2, 3}, []int{0, 0, 4, 2, 3, 4}, 0},
		{4, []int32{1, 2, 3, 0, 2, 3}, []int{2, 3, 4, 2, 3, 4}, 3},
		{4, []int32{1, 1, 1, 1, 2, 3}, []int{2, 3, 4, 0, 3, 4}, 3},
		{4, []int32{0, 0, 0, 0, 2, 3}, []int{2, 3, 0, 2, 3, 4}, 2},
	} {
		n := rebalanced(len(c.bytes), c.traverse)
		part := &n.Partitions[0]
		for i := range c.bytes {
			for range c.segments[i] {
				part.Pool.Take(i)
			}
			if c.bytes[i] > 0 {
				n.Channels[i].Add(Entry{Kind: Data, Bytes: c.bytes[i], Runs: event.EmptyRuns})
			}
		}
		if got := n.idlest(part); got != c.want {
			t.Errorf("of the first %d of channels with bytes %v in segments %v it takes %d, expected %d", c.traverse, c.bytes, c.segments, got, c.want)
		}
	}
}

// Where nothing is sent records go to one empty channel after the other, then to that with the fewest bytes; a channel whose segments
// are gone gets all until it holds as much as its neighbours.
func TestWriterThatLooks(t *testing.T) {
	n := rebalanced(3, 3)
	write := func(size int32) int32 {
		n.Emit(0, 0, &event.Run{Count: 1, Size: size})
		return n.Partitions[0].looks.last
	}
	for i, want := range []int32{0, 1, 2, 0} { // with three alike the one behind the last
		if got := write(10); got != want {
			t.Errorf("record %d goes to channel %d, expected %d", i, got, want)
		}
	}
	n.Broadcast(0, 0, barrier(1, Blocking)) // each sends its buffer, and is blocked behind the barrier
	for i := range n.Channels {
		if ch := &n.Channels[i]; !ch.Blocked || n.Partitions[0].Pool.Queued(i) != 0 {
			t.Fatalf("channel %d holds %d segments behind the barrier, blocked %v", i, n.Partitions[0].Pool.Queued(i), ch.Blocked)
		}
	}
	for i, want := range []int32{1, 2, 0, 1} {
		if got := write(30); got != want {
			t.Errorf("record %d behind the barrier goes to channel %d, expected %d", i, got, want)
		}
	}
	n.Resumed(0, 2)
	if n.Flush(0, 0); n.Channels[2].written() != 0 { // its buffer is still written to: it counts, its bytes do not
		t.Fatal("the flush did not send what channel 2 has")
	}
	for i, want := range []int32{2, 0} {
		if got := write(30); got != want {
			t.Errorf("record %d behind the flush goes to channel %d, expected %d", i, got, want)
		}
	}
}

// An event that is queued counts with the bytes that it is serialized to.
func TestEventsCount(t *testing.T) {
	n := rebalanced(2, 2)
	for _, c := range []struct {
		event Entry
		want  int64
	}{
		{barrier(1, Blocking), 34}, {barrier(1, Blocking|Save), 35}, {Entry{Kind: Cancel, ID: 1, Runs: event.EmptyRuns}, 12},
		{Entry{Kind: EndData, Runs: event.EmptyRuns}, 5}, {Entry{Kind: End, Runs: event.EmptyRuns}, 4},
	} {
		n.Channels[0].Queue = Ring{in: &n.entries}
		n.Channels[0].Queue.Push(c.event)
		if got := n.Channels[0].written(); got != c.want {
			t.Errorf("an event of kind %d counts %d bytes, expected %d", c.event.Kind, got, c.want)
		}
	}
}
