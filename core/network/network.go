package network

import (
	"checkpointlab/core/event"
	"checkpointlab/core/sim"
)

// Network is every channel of the job with its pools, gates and runs. It schedules what is under way in the queue of due items
// and notifies waiting producers through Wake.
type Network struct {
	Channels   []Channel
	Partitions []Partition
	Gates      []GateLine
	Slab       event.Slab
	InFlight   int64      // bytes queued, under way and received in all channels
	busy       event.Time // receivers' threads are busy until then reading what was sent
	entries    cells      // of what the channels have queued, on the wire and received

	// Fixed at the start.
	Dealers   []Dealer // by partition
	Wires     []Wire   // by channel
	Latency   event.Time
	Send      event.Time // ns per 1,000 bytes that a sender's thread writes
	Receive   event.Time // … and that a receiver's thread reads
	Segment   int32      // usable size of a new channel's buffers
	whole     int32      // bytes of a segment: with debloating more than is used of it
	extends   bool       // Plan.Extends
	exclusive int
	urgent    bool // Plan.UrgentPass
	queue     *sim.Queue
	feed      *event.Feed
	producers Producers
	polled    Entry         // reused
	grants    []Grant       // reused
	shares    []event.Share // reused
	dealt     []int32       // reused, 0 by channel of a partition
	left      []room        // reused, by channel of a partition
	walks     uint64
	fetched   int // result of reading ahead, without meaning
}

// Wire is a channel's fixed wiring.
type Wire struct {
	Producer, Consumer event.Task
	Partition, Gate    int32
	Sub, Input         int32 // its index within the partition and within the gate
	Slot               int32 // its index over all gates of the consumer
	Local              bool  // both ends in one task manager: the consumer reads the subpartition itself
}

// GateLine is one input gate with the line of its channels that have something to read.
type GateLine struct {
	Gate     Gate
	First    []event.Channel // its channels by input index; fixed
	line     []int32         // input indexes, head first; the back of base
	base     []int32
	prio     int   // how many at the front of the line are there because of a priority event
	restored int32 // buffers of restored input that are not consumed (Preload)
	In       Inputs
}

// Plan is what New needs to know of the job.
type Plan struct {
	Wires      []Wire
	Partitions []Partition // Task, First, Count
	Dealers    []Dealer
	GateInputs [][]event.Channel
	Exclusive  int // per channel
	Floating   int // per gate
	MaxPerSub  int
	Overdraft  int
	Segment    int32 // size at the start: the segment's, or starting-segment-size with debloating
	Whole      int32 // bytes of a segment; 0 = Segment
	Extends    bool  // a writer whose pool has nothing left uses more of its segment than debloating wants: since 1.20 (BufferWritingResultPartition.append)
	Latency    event.Time
	Send       event.Time // ns per 1,000 bytes that a sender's thread writes, one buffer after another; 0 = no time
	Receive    event.Time // ns per 1,000 bytes that receivers' threads read, all of them one buffer after another; 0 = no time
	UrgentPass bool       // a priority event passes a sender that stopped at a barrier: since 2.3 (PipelinedSubpartition.needNotifyPriorityEvent)
	Gen        uint32     // of the channels: above that of all channels before, so that what was under way then is dropped
}

// Producers are the callbacks by which the network notifies tasks.
type Producers interface {
	Wake(now event.Time, t event.Task)                        // a segment came back
	Passed(now event.Time, t event.Task, id event.Checkpoint) // a timeoutable barrier of t's is on its way

	// Offered: the local channel c has something for t, urgent if it is a priority event.
	Offered(now event.Time, t event.Task, c event.Channel, urgent bool)

	// Book: a buffer that t writes to is read; all that t has written by now has to be in it.
	Book(now event.Time, t event.Task)

	// Displaced: a newer timeoutable barrier was sent while one of t's waited; the output state of id fails.
	Displaced(now event.Time, t event.Task, id event.Checkpoint)
}

// New wires a network that schedules in queue and reports to feed.
func New(p Plan, queue *sim.Queue, feed *event.Feed, producers Producers) *Network {
	n := &Network{
		Channels: make([]Channel, len(p.Wires)), Partitions: p.Partitions, Gates: make([]GateLine, len(p.GateInputs)),
		Slab: event.NewSlab(), Dealers: p.Dealers, Wires: p.Wires, Latency: p.Latency, Send: p.Send, Receive: p.Receive, Segment: p.Segment,
		whole: max(p.Segment, p.Whole), extends: p.Extends, exclusive: p.Exclusive, urgent: p.UrgentPass, queue: queue, feed: feed, producers: producers,
	}
	for i := range n.Partitions {
		part := &n.Partitions[i]
		if len(n.dealt) < int(part.Count) {
			n.dealt = make([]int32, part.Count)
		}
		size := max(int(part.Count)+1, p.Exclusive*int(part.Count)+p.Floating) // NettyShuffleUtils; recorded with 0 exclusive: 8 of 2
		part.fresh, part.only = newFresh(part.Count), onlyOf(part, p.Dealers[i])
		part.filling = newFilling(part.Count, !part.All && part.only < 0)
		part.looks = newLooks(part.Looks, part.Count)
		part.sender = sender{gen: p.Gen}
		if p.Send > 0 {
			part.sender.in = newFresh(part.Count)
		}
		overdraft := p.Overdraft
		if part.Plain {
			overdraft = 0
		}
		part.Pool = NewBufferPool(size, int(part.Count), p.MaxPerSub, overdraft)
	}
	for g := range n.Gates {
		n.Gates[g].First = p.GateInputs[g]
		n.Gates[g].Gate = NewGateOf(p.exclusiveOf(g), p.Floating)
	}
	for c := range n.Channels {
		ch := &n.Channels[c]
		ch.Credit, ch.Usable, ch.Gen = int32(p.Exclusive), p.Segment, p.Gen
		ch.Queue.in, ch.Wire.in, ch.Input.places.in = &n.entries, &n.entries, &n.entries
		ch.local = p.Wires[c].Local
	}
	return n
}

// exclusiveOf is the exclusive buffers of a gate's channels: a local one has none.
func (p *Plan) exclusiveOf(g int) []int {
	each := make([]int, len(p.GateInputs[g]))
	for i, c := range p.GateInputs[g] {
		if !p.Wires[c].Local {
			each[i] = p.Exclusive
		}
	}
	return each
}

// CopyFrom copies the changing part of src, which must be wired alike.
func (n *Network) CopyFrom(src *Network) {
	n.entries.copyFrom(&src.entries)
	for i := range src.Channels {
		n.Channels[i].copyFrom(&src.Channels[i])
	}
	for i := range src.Partitions {
		n.Partitions[i].Emitted, n.Partitions[i].Out = src.Partitions[i].Emitted, src.Partitions[i].Out
		n.Partitions[i].Pool.CopyFrom(&src.Partitions[i].Pool)
		n.Partitions[i].shared.copyFrom(&src.Partitions[i].shared)
		n.Partitions[i].sender.copyFrom(&src.Partitions[i].sender)
		n.Partitions[i].pending, n.Partitions[i].stuck = src.Partitions[i].pending, src.Partitions[i].stuck
		copy(n.Partitions[i].fresh, src.Partitions[i].fresh)
		n.Partitions[i].filling.upTo = -1
		n.Partitions[i].looks = src.Partitions[i].looks
		n.Partitions[i].mark, n.Partitions[i].markAt = src.Partitions[i].mark, src.Partitions[i].markAt
	}
	for i := range src.Gates {
		n.Gates[i].Gate.CopyFrom(&src.Gates[i].Gate)
		n.Gates[i].line = n.Gates[i].base[:0]
		for _, in := range src.Gates[i].line {
			n.Gates[i].push(in)
		}
		n.Gates[i].prio, n.Gates[i].restored, n.Gates[i].In = src.Gates[i].prio, src.Gates[i].restored, src.Gates[i].In
	}
	n.Slab.CopyFrom(&src.Slab)
	n.InFlight, n.busy = src.InFlight, src.busy
}

// pump lets the network take whatever it may from the subpartition of c.
func (n *Network) pump(now event.Time, c event.Channel) {
	ch := &n.Channels[c]
	if ch.local {
		n.offer(now, c)
		return
	}
	if n.Send > 0 {
		n.sendInTurn(now, c)
		return
	}
	for n.take(now, c, ch) {
	}
}

// Take lets the network take one buffer or event from the subpartition of c (PipelinedSubpartition.pollBuffer, credit of
// CreditBasedSequenceNumberingViewReader): events need no credit. False: there is nothing that it may take.
func (n *Network) Take(now event.Time, c event.Channel) bool { return n.take(now, c, &n.Channels[c]) }

func (n *Network) take(now event.Time, c event.Channel, ch *Channel) bool {
	for more := n.bookedReadable(now, c, ch); more; more = ch.Queue.n > 0 { // after a buffer with nothing left the next one is read, flushed or not
		e := ch.Queue.first()
		switch {
		case e.Kind != Data:
			n.sendEvent(now, c, ch)
			return true
		case e.Sent == e.Bytes && !e.Finished:
			ch.flush = false
			return false
		case e.Sent == e.Bytes && n.exclusive > 0:
			n.dropHead(now, c, ch)
		case n.creditOf(ch) == 0:
			n.starve(c, ch)
			n.tellBacklog(now, c)
			return false
		default:
			ch.Credit--
			n.slice(now, c, ch, e)
			return true
		}
	}
	return false
}

// readable reports whether the network may take something from a channel: if a barrier blocks it only a priority event, since
// 2.3 (PipelinedSubpartition.pollBuffer).
func (n *Network) readable(ch *Channel) bool {
	return ch.readable() || n.urgent && ch.Blocked && ch.shut == 0 && ch.Queue.Len() > 0 && ch.Queue.first().Flags&Priority != 0
}

// bookedReadable is readable once everything written by now has been booked into the queue. A buffer begun by that booking
// notifies the network, which may take what was about to be taken and stop at a barrier.
func (n *Network) bookedReadable(now event.Time, c event.Channel, ch *Channel) bool {
	if !n.readable(ch) {
		return false
	}
	n.producers.Book(now, n.Wires[c].Producer)
	return n.readable(ch)
}

// tellBacklog asks for credit on channels without exclusive buffers, which get none beforehand (spec 4.3).
func (n *Network) tellBacklog(now event.Time, c event.Channel) {
	if n.exclusive > 0 {
		return
	}
	ch := &n.Channels[c]
	if b := ch.Backlog(); b > 0 && int32(b) != ch.told {
		ch.told = int32(b)
		n.queue.PushInLane(event.LaneNetwork, sim.Item{At: n.arrival(now, 0), Kind: event.DueBacklog, Gen: ch.Gen, A: c, B: int32(b)})
	}
}

// TakeBacklog handles an announced backlog that reaches the receiver of c.
func (n *Network) TakeBacklog(now event.Time, c event.Channel, backlog int) {
	w := &n.Wires[c]
	g := &n.Gates[w.Gate]
	n.grant(now, g, g.Gate.Backlog(int(w.Input), backlog, n.grants[:0]))
}

// slice puts the unsent part of the head buffer on the wire.
func (n *Network) slice(now event.Time, c event.Channel, ch *Channel, e *Entry) {
	bytes, records := e.Bytes-e.Sent, e.Records
	if ch.Queue.n == 1 {
		ch.flush = false
	}
	if e.Finished {
		n.moveHead(now, c, ch, e)
	} else {
		part := *e
		e.Sent, e.Records, e.Runs = e.Bytes, 0, event.EmptyRuns
		e = ch.Wire.grow()
		*e = part
	}
	ch.BytesOut += int64(bytes)
	n.feed.Buffer(event.BufferSent, now, c, int64(bytes), records)
	at := n.written(now, c, bytes)
	n.depart(at, c, ch) // which notes what is told
	e.Finished, e.Bytes, e.Sent, e.Backlog, e.Left, e.Arrives = true, bytes, 0, ch.told, now, at
}

// moveHead puts the head segment, the rest of which is sent now, on the wire and returns it to the pool.
func (n *Network) moveHead(now event.Time, c event.Channel, ch *Channel, e *Entry) {
	ch.Queue.moveTo(&ch.Wire)
	if ch.data--; !e.Extra {
		n.giveBack(now, c)
	}
	e.Extra = false
}

// depart schedules the arrival of something as the channel's next message, and notes the backlog that it announces.
func (n *Network) depart(at event.Time, c event.Channel, ch *Channel) {
	ch.told = int32(ch.Backlog()) // even if it is less than announced before
	n.queue.PushInLane(event.LaneNetwork, sim.Item{At: at, Kind: event.DueDeliver, Gen: ch.Gen, A: c})
}

// dropHead recycles the head segment, which is empty.
func (n *Network) dropHead(now event.Time, c event.Channel, ch *Channel) {
	extra := ch.Queue.take().Extra
	ch.data--
	if ch.Queue.n == 0 {
		ch.flush = false
	}
	if !extra {
		n.giveBack(now, c)
	}
}

// sendEvent puts the event at the head of a subpartition on the wire.
func (n *Network) sendEvent(now event.Time, c event.Channel, ch *Channel) {
	e := ch.popEvent()
	n.leave(now, c, &e)
	at := n.arrival(now, 0)
	n.depart(at, c, ch)
	on := ch.Wire.grow()
	*on = e
	on.Backlog, on.Left, on.Arrives = ch.told, now, at
}

// leave is e leaving the subpartition.
func (n *Network) leave(now event.Time, c event.Channel, e *Entry) {
	ch := &n.Channels[c]
	if e.Kind == Data {
		ch.BytesOut += int64(e.Bytes)
		n.feed.Buffer(event.BufferSent, now, c, int64(e.Bytes), e.Records)
	} else if e.Kind == End || e.Kind == EndData {
		n.endLeaves(now, c, e)
	} else {
		if e.Flags&Blocking != 0 {
			ch.Blocked, ch.blockedBy = true, int32(e.ID)
			n.feed.Emit(event.Event{At: now, Kind: event.ChannelBlocked, Channel: c, Checkpoint: e.ID})
		}
		n.feed.Emit(event.Event{At: now, Kind: event.BarrierSent, Channel: c, Checkpoint: e.ID, A: int64(e.Flags&Priority) / int64(Priority)})
		if e.Flags&Timeoutable != 0 {
			if int32(e.ID) == ch.undecided {
				ch.undecided = 0
			}
			n.producers.Passed(now, n.Wires[c].Producer, e.ID)
		}
	}
}

// Announce sends a new buffer size to the producers of a gate.
func (n *Network) Announce(now event.Time, g int32, size int32) {
	for _, c := range n.Gates[g].First {
		n.queue.PushInLane(event.LaneNetwork, sim.Item{At: n.backAt(now, c), Kind: event.DueSize, Gen: n.Channels[c].Gen, A: c, B: size})
	}
}

// Resize is a new buffer size arriving at the sender of c: it holds from the next buffer on.
func (n *Network) Resize(now event.Time, c event.Channel, size int32) {
	n.Channels[c].Usable = size
	n.feed.Emit(event.Event{At: now, Kind: event.BufferSize, Channel: c, A: int64(size)})
}

// InUse is what the debloater counts on a gate: what is queued here and announced backlog at the senders, and all that a local
// channel's producer has queued, events and the buffer it writes to included (spec 5; LocalInputChannel.getBuffersInUseCount,
// RemoteInputChannel.getBuffersInUseCount).
func (n *Network) InUse(g int32) int {
	line, sum := &n.Gates[g], 0
	for i, c := range line.First {
		if n.Wires[c].Local {
			sum += n.Channels[c].Queue.Len()
			continue
		}
		sum += n.Channels[c].Input.Len() + line.Gate.KnownBacklog(i)
	}
	return sum
}

// Available reports whether the next record of a producer may be written.
func (n *Network) Available(p int32) bool { return n.Partitions[p].Pool.Available() }

// Reset empties a channel: its tasks were cancelled. The pools and gates are made anew by ResetPools.
func (n *Network) Reset(c event.Channel) {
	ch := &n.Channels[c]
	n.InFlight -= ch.InFlight()
	for _, q := range []*Ring{&ch.Queue, &ch.Wire} {
		for q.Len() > 0 {
			e := q.Pop()
			n.Slab.Clear(&e.Runs)
		}
	}
	for e, ok := ch.Input.Poll(); ok; e, ok = ch.Input.Poll() {
		if !e.Announcement {
			n.Slab.Clear(&e.Runs)
		}
	}
	ch.Input.Clear()
	in, out := ch.BytesIn, ch.BytesOut
	queue, wire, input := ch.Queue, ch.Wire, ch.Input
	*ch = Channel{local: ch.local, Queue: queue, Wire: wire, Input: input, Credit: int32(n.exclusive), Usable: n.Segment, Gen: ch.Gen + 1, BytesIn: in, BytesOut: out}
}

// ResetGate makes a gate's buffers free again.
func (n *Network) ResetGate(g int32) {
	n.Gates[g].line = n.Gates[g].base[:0]
	n.Gates[g].Gate.Reset()
	n.Gates[g].prio, n.Gates[g].restored = 0, 0
}

// ResetPool makes a partition's segments free again.
func (n *Network) ResetPool(p int32) {
	part := &n.Partitions[p]
	part.Pool.Reset()
	part.filling.upTo = -1
	part.sender.reset()
	part.shared.readers, part.shared.back = part.shared.readers[:0], 0
	part.mark, part.markAt = event.Run{}, 0
	part.looks.last = -1
}
