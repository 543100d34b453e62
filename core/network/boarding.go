package network

import (
	"checkpointlab/core/event"
	"checkpointlab/core/sim"
)

// OnlyConsumer is the task that receives everything an output sends; ok is false if it uses several channels.
func (n *Network) OnlyConsumer(p int32) (t event.Task, ok bool) {
	part := &n.Partitions[p]
	if part.only < 0 {
		return 0, false
	}
	return n.Wires[part.First+part.only].Consumer, true
}

// MayTake reports whether a track can represent output p, all of whose records take one channel, and its consumer's input: the
// sender has one open buffer, or none but a segment for one that is not its last; credit is given beforehand; no events and
// nothing received is left. held: the consumer has a buffer of it in hand. Channels that get no records must be empty; lone:
// there are no such channels.
func (n *Network) MayTake(p int32, held, lone bool) bool {
	part := &n.Partitions[p]
	if part.only < 0 || lone && part.Count != 1 || part.stuck != 0 || !part.Pool.Available() {
		return false
	}
	for i := part.fresh.next(0); i >= 0; i = part.fresh.next(i + 1) {
		if i != part.only {
			return false
		}
	}
	c := part.First + part.only
	w := &n.Wires[c]
	g := &n.Gates[w.Gate]
	ch := &n.Channels[c]
	return n.mayTrack(part, c, len(track{}.back)) && (!lone || len(g.First) == 1) && len(g.line) == 0 && ch.Input.Len() == 0 && ch.Input.status != barrierPending &&
		n.exclusive > 0 && g.Gate.circles(int(w.Input), held)
}

// mayTrack reports whether the sender of c has nothing but an open buffer, or can get one, and has at most so many buffers out
// for which no credit is back.
func (n *Network) mayTrack(part *Partition, c event.Channel, most int) bool {
	ch := &n.Channels[c]
	e := ch.open()
	if e == nil && (ch.Queue.n > 0 || ch.Wire.n > 0 || part.Pool.spare() == 0 || part.Pool.lastOf(int(c-part.First))) || e != nil && (ch.Queue.n != 1 || e.Extra || e.ID != 0) {
		return false
	}
	if ch.flush || ch.Blocked || ch.shut != 0 || ch.local || ch.starved || ch.need > 0 || ch.undecided != 0 {
		return false
	}
	owed := ch.Wire.Len()
	if ch.comes > 0 && !n.queue.Passed(ch.comesAt, ch.comesSeq) {
		owed += int(ch.comes)
	}
	if owed > most || owed > ch.Wire.Len()+1 {
		return false
	}
	for i := range ch.Wire.Len() {
		if e := ch.Wire.At(i); e.Kind != Data || e.Records == 0 || e.Extra || e.ID != 0 || e.Backlog != 0 {
			return false
		}
	}
	return true
}

// circles reports whether a channel of a gate, with at most one of its buffers in hand, returns one credit with each message
// and none when a buffer is given back: this holds if a free floating buffer stands in for the one in hand.
func (g *Gate) circles(ch int, held bool) bool {
	c := &g.channels[ch]
	if held {
		return g.waiting == 0 && c.exclusive == c.initial-1 && c.floating == 1 && c.required == c.initial
	}
	return g.waiting == 0 && c.exclusive == c.initial && c.floating == 0 && g.free > 0
}

// Holding says which kind of a channel's buffers its consumer has in hand.
type Holding uint8

// None; one of the channel's own, for which a free floating one stands in; or a floating one.
const (
	HoldsNone Holding = iota
	HoldsExclusive
	HoldsFloating
)

// hold takes a buffer that has come, with its credit announced.
func (g *Gate) hold(ch int, which Holding) {
	c := &g.channels[ch]
	if which == HoldsExclusive {
		c.exclusive--
		c.floating++
	}
	c.held++
	g.free--
}

// unhold gives the buffer in hand back.
func (g *Gate) unhold(ch int) {
	c := &g.channels[ch]
	c.exclusive++
	c.floating, c.held = c.floating-1, c.held-1
	g.free++
}

// MayStart reports whether the network's lane holds nothing but what is on the wires (whose channels MayTake is asked about),
// and its threads take no time.
func (n *Network) MayStart() bool {
	if n.Send > 0 || n.Receive > 0 || !n.Slab.Uniform() {
		return false
	}
	for i := 0; ; i++ {
		it := n.queue.Upcoming(event.LaneNetwork, i)
		if it == nil {
			return true
		}
		if it.Kind != event.DueDeliver || n.Channels[it.A].Gen != it.Gen {
			return false
		}
		if part := &n.Partitions[n.Wires[it.A].Partition]; part.only >= 0 && it.A != part.First+part.only { // no records
			return false
		}
	}
}

// Start prepares tracks for a network whose records all have that size; producers have ids below tasks.
func (x *Tracks) Start(n *Network, tasks int, size int32) {
	x.net, x.size, x.head, x.n = n, size, 0, 0
	x.stacks.reset()
	if len(x.tracks) < tasks {
		x.tracks, x.open = make([]track, tasks), make([]event.Run, tasks)
	}
}

// Take puts the channel of an output, for which MayTake is true, on its track, without what is under way. in is its consumer's
// end. held: the consumer has a buffer in hand.
func (x *Tracks) Take(p int32, in *Inlet, held bool) {
	n := x.net
	part := &n.Partitions[p]
	c := part.First + part.only
	ch, w := &n.Channels[c], &n.Wires[c]
	t := &x.tracks[part.Task]
	*t = track{
		many: event.EmptyRuns, size: ch.Usable, credit: ch.Credit,
		back: [...]event.Time{event.Never, event.Never}, channel: c, consumer: w.Consumer,
	}
	if e := ch.open(); e != nil {
		t.many, t.records, t.bytes, t.sent, t.size = e.Runs, int32(e.Records), e.Bytes, e.Sent, e.Size
	}
	*in = Inlet{comesAt: -1}
	switch {
	case ch.comes == 0:
	case n.queue.Passed(ch.comesAt, ch.comesSeq):
		t.credit += ch.comes
	default:
		t.owe(ch.comesAt)
		in.comesAt, in.comesSeq = ch.comesAt, ch.comesSeq
	}
	if held {
		n.Gates[w.Gate].Gate.unhold(int(w.Input))
	}
}

// TakeWires takes over what is under way, and removes its items from the event queue.
func (x *Tracks) TakeWires() {
	n := x.net
	for it := n.queue.TakeFrom(event.LaneNetwork); it != nil; it = n.queue.TakeFrom(event.LaneNetwork) {
		e, w := n.Channels[it.A].Wire.take(), &n.Wires[it.A]
		s := x.grow()
		*s = Sent{
			Due: Due{it.At, it.Seq}, Many: e.Runs, Bytes: e.Bytes, Records: int32(e.Records), Producer: w.Producer, Consumer: w.Consumer, Channel: it.A,
		}
		if n.Partitions[w.Partition].only < 0 {
			x.takeSpoke(s)
			continue
		}
		t := &x.tracks[w.Producer]
		t.sends++
		t.owe(it.At + n.Latency)
	}
}

// Return gives a channel back to the network, without what is under way: its producer has written that many records, its
// consumer has received what its Inlet says and processed so many records of it. held: one more buffer is in its hand, counted
// by the Inlet.
func (x *Tracks) Return(p int32, in *Inlet, written, processed int64, held Holding) {
	n := x.net
	part := &n.Partitions[p]
	t := &x.tracks[part.Task]
	ch, w := &n.Channels[part.First+part.only], &n.Wires[part.First+part.only]
	part.Emitted += written
	if t.bytes > 0 {
		x.returnOpen(part, ch, t)
	} else {
		n.noOpen(part, ch, part.only)
	}
	ch.Credit, ch.comes = t.credit, 0
	if back := t.returned(in); back > 0 { // the last one of them may still be on its way
		ch.Credit += back - 1
		ch.comes, ch.comesAt, ch.comesSeq = 1, in.comesAt, in.comesSeq
	}
	if part.fresh.remove(part.only); t.bytes > t.sent {
		part.fresh.add(part.only)
	}
	n.Gates[w.Gate].In.Remote.add(int64(in.Buffers), int64(in.Bytes))
	ch.BytesIn += int64(in.Bytes)
	ch.Input.sequence += in.Buffers
	ch.Unread += int64(in.Bytes) - processed*int64(x.size)
	g := &n.Gates[w.Gate].Gate
	if in.Buffers > 0 {
		g.channels[w.Input].required = g.channels[w.Input].initial
	}
	if held != HoldsNone {
		g.hold(int(w.Input), held)
	}
}

// noOpen removes the buffer that was open when the ride began and has been filled since; the next record opens another one.
func (n *Network) noOpen(part *Partition, ch *Channel, sub int32) {
	if ch.open() != nil {
		ch.Queue.take()
		ch.data--
		part.Pool.Recycle(int(sub))
	}
}

// returnOpen gives the open buffer back; it may have been opened by now.
func (x *Tracks) returnOpen(part *Partition, ch *Channel, t *track) {
	if ch.open() == nil {
		part.Pool.Take(int(part.only))
		ch.Add(Entry{Kind: Data, Size: t.size, Runs: event.EmptyRuns})
	}
	e := ch.Queue.first()
	if t.sent > e.Sent {
		ch.BytesOut += int64(t.sent - e.Sent)
		ch.told = 0
	}
	if k := x.stacks.take(part.Task); k > 0 {
		t.many = x.unstack(k)
	} else if t.records > 0 {
		x.several(t, &x.open[part.Task])
	}
	e.Runs, e.Records, e.Bytes, e.Sent = t.many, int64(t.records), t.bytes, t.sent
	part.finishFull(e)
}

// returned is the number of owed credits that the receiver has already sent back.
func (t *track) returned(in *Inlet) (n int32) {
	for _, at := range t.back {
		if at != event.Never {
			n++
		}
	}
	return n - (t.sends - in.Buffers)
}

// ReturnWires gives back what is under way, with its items in the event queue.
func (x *Tracks) ReturnWires() {
	n := x.net
	for ; x.n > 0; x.drop() {
		s := x.Coming()
		ch := &n.Channels[s.Channel]
		*ch.Wire.grow() = Entry{
			Kind: Data, Finished: true, Bytes: s.Bytes, Size: ch.Usable, Records: int64(s.Records), Runs: *x.runs(s), Left: s.At - n.Latency, Arrives: s.At,
		}
		n.queue.GiveTo(event.LaneNetwork, sim.Item{At: s.At, Seq: s.Seq, Kind: event.DueDeliver, Gen: ch.Gen, A: s.Channel})
	}
}

// runs is the list of a buffer's runs.
func (x *Tracks) runs(s *Sent) *event.Runs {
	if s.Stack > 0 {
		s.Many, s.Stack = x.unstack(s.Stack), 0
	} else if s.Many.Empty() && s.Records > 0 {
		x.net.Slab.Append(&s.Many, &s.Run)
	}
	return &s.Many
}

// Unbegun puts a buffer that a consumer has taken but not begun into its queue after all, after Return with that buffer in
// hand.
func (x *Tracks) Unbegun(s *Sent, as Holding) {
	n := x.net
	ch, w := &n.Channels[s.Channel], &n.Wires[s.Channel]
	n.InFlight += int64(s.Bytes)
	ch.Unread -= int64(s.Bytes)
	n.Gates[w.Gate].In.Remote.add(-1, -int64(s.Bytes))
	ch.Input.sequence--
	e := x.Entry(s, as)
	ch.Input.add(&e)
	n.queueUp(&n.Gates[w.Gate], ch, w.Input, false)
}

// Entry is a buffer that has arrived, in the form its consumer has it in hand.
func (x *Tracks) Entry(s *Sent, as Holding) Entry {
	return Entry{
		Kind: Data, Finished: true, Exclusive: as == HoldsExclusive, Bytes: s.Bytes, Size: x.net.Channels[s.Channel].Usable, Records: int64(s.Records), Runs: *x.runs(s),
		Left: s.At - x.net.Latency, Arrives: s.At,
	}
}
