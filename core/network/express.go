package network

import (
	"checkpointlab/core/event"
	"checkpointlab/core/sim"
)

// Tracks are the channels of a job in which each task writes to one channel at most and reads from one at most, while all of
// them run express (task/express.go). A track is what flushing its channel and appending to its open buffer change, in one
// cache line; what else such a channel changes is counted, and told to it by Return. While a channel is on its track, it is the
// track that holds.
type Tracks struct {
	net    *Network
	tracks []track // by producer
	wire   []Sent  // ring: what is under way, in the order of its arrival, which is that of the network's lane
	head   int
	n      int
	size   int32 // bytes of a record
}

// track is a channel with an open buffer and nothing else in its queue.
type track struct {
	runs     event.Runs // written to the open buffer and not sent
	comesAt  event.Time
	comesSeq int64
	records  int32 // in runs
	bytes    int32 // of the open buffer, sent of which are sent
	sent     int32
	size     int32
	credit   int32
	comes    int32
	channel  event.Channel
	consumer event.Task
	gen      uint32
}

// Sent is a buffer on the wire of an express channel.
type Sent struct {
	At             event.Time // when it arrives,
	Seq            int64      // at which place of that instant
	Runs           event.Runs
	Bytes, Records int32
	Producer       event.Task
}

// OnlyConsumer is the task that an output with one channel goes to.
func (n *Network) OnlyConsumer(p int32) (t event.Task, ok bool) {
	part := &n.Partitions[p]
	if part.Count != 1 {
		return 0, false
	}
	return n.Wires[part.First].Consumer, true
}

// MayTake tells whether the output p and the input of its consumer are such that a track says all of them: the sender has one
// open buffer, credit that is given beforehand, and neither events nor anything received is left. held: the consumer has a buffer
// of it in hand.
func (n *Network) MayTake(p int32, held bool) bool {
	part := &n.Partitions[p]
	if part.Count != 1 || part.All || part.stuck != 0 || !part.Pool.Available() {
		return false
	}
	ch, w := &n.Channels[part.First], &n.Wires[part.First]
	e := ch.open()
	if e == nil || ch.Queue.n != 1 || e.Extra || e.ID != 0 || ch.flush || ch.Blocked || ch.broken || ch.local || ch.starved || ch.need > 0 || ch.undecided != 0 {
		return false
	}
	for i := range ch.Wire.Len() {
		if e := ch.Wire.At(i); e.Kind != Data || e.Records == 0 || e.Extra || e.ID != 0 || e.Backlog != 0 {
			return false
		}
	}
	g := &n.Gates[w.Gate]
	if len(g.First) != 1 || len(g.line) > 0 || ch.Input.Len() > 0 || ch.Input.status == barrierPending || n.exclusive == 0 {
		return false
	}
	return g.Gate.circles(held)
}

// circles tells whether a gate of one channel with none or one of its buffers in hand is such that each message brings one
// credit with it, and no buffer any when it is given back: so it is when a free floating buffer stands in for the one in hand.
func (g *Gate) circles(held bool) bool {
	c := &g.channels[0]
	if held {
		return g.waiting == 0 && c.exclusive == c.initial-1 && c.floating == 1 && c.required == c.initial
	}
	return g.waiting == 0 && c.exclusive == c.initial && c.floating == 0 && g.free > 0
}

// hold takes a buffer that has come, with its credit announced.
func (g *Gate) hold() {
	c := &g.channels[0]
	c.exclusive--
	c.floating, c.held = c.floating+1, c.held+1
	g.free--
}

// unhold is the buffer in hand given back.
func (g *Gate) unhold() {
	c := &g.channels[0]
	c.exclusive++
	c.floating, c.held = c.floating-1, c.held-1
	g.free++
}

// MayStart tells whether the network's lane has nothing but what is on the wires, all of whose channels MayTake is asked about, and
// its threads take no time.
func (n *Network) MayStart() bool {
	if n.Send > 0 || n.Receive > 0 || !n.Slab.Uniform() || n.Slab.Size() == 0 {
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
	}
}

// Start begins with channels of a network; producers have ids below tasks.
func (x *Tracks) Start(n *Network, tasks int) {
	x.net, x.size, x.head, x.n = n, n.Slab.Size(), 0, 0
	for len(x.tracks) < tasks {
		x.tracks = append(x.tracks, track{})
	}
}

// Take takes the channel of an output, of which MayTake is true, onto its track, but for what is under way. held: its consumer
// has a buffer in hand.
func (x *Tracks) Take(p int32, held bool) {
	n := x.net
	part := &n.Partitions[p]
	ch, w := &n.Channels[part.First], &n.Wires[part.First]
	e := ch.Queue.first()
	x.tracks[part.Task] = track{
		runs: e.Runs, records: int32(e.Records), bytes: e.Bytes, sent: e.Sent, size: e.Size,
		credit: ch.Credit, comes: ch.comes, comesAt: ch.comesAt, comesSeq: ch.comesSeq, channel: part.First, consumer: w.Consumer, gen: ch.Gen,
	}
	if held {
		n.Gates[w.Gate].Gate.unhold()
	}
}

// TakeWires takes what is under way, and its items out of the event queue.
func (x *Tracks) TakeWires() {
	n := x.net
	for it := n.queue.TakeFrom(event.LaneNetwork); it != nil; it = n.queue.TakeFrom(event.LaneNetwork) {
		e := n.Channels[it.A].Wire.take()
		*x.grow() = Sent{At: it.At, Seq: it.Seq, Runs: e.Runs, Bytes: e.Bytes, Records: int32(e.Records), Producer: n.Wires[it.A].Producer}
	}
}

// Return gives a channel back as the network knows it, but for what is under way: its producer has written that many records, its
// consumer received so many buffers and bytes of which it has processed so many records. held: one more is in its hand, in buffers
// and bytes.
func (x *Tracks) Return(p int32, written, buffers, bytes, processed int64, held bool) {
	n := x.net
	part := &n.Partitions[p]
	t := &x.tracks[part.Task]
	ch, w := &n.Channels[part.First], &n.Wires[part.First]
	part.Emitted += written
	e := ch.Queue.first()
	if t.sent > e.Sent {
		ch.BytesOut += int64(t.sent - e.Sent)
		ch.told = 0
	}
	e.Runs, e.Records, e.Bytes, e.Sent = t.runs, int64(t.records), t.bytes, t.sent
	ch.Credit, ch.comes, ch.comesAt, ch.comesSeq = t.credit, t.comes, t.comesAt, t.comesSeq
	if part.fresh.remove(0); t.bytes > t.sent {
		part.fresh.add(0)
	}
	ch.BytesIn += bytes
	ch.Input.sequence += int32(buffers)
	ch.Unread += bytes - processed*int64(x.size)
	g := &n.Gates[w.Gate].Gate
	if buffers > 0 {
		g.channels[0].required = g.channels[0].initial
	}
	if held {
		g.hold()
	}
}

// ReturnWires gives back what is under way, with its items in the event queue.
func (x *Tracks) ReturnWires() {
	n := x.net
	for ; x.n > 0; x.drop() {
		s := x.Coming()
		c := x.tracks[s.Producer].channel
		ch := &n.Channels[c]
		*ch.Wire.grow() = Entry{
			Kind: Data, Finished: true, Bytes: s.Bytes, Size: ch.Queue.first().Size, Records: int64(s.Records), Runs: s.Runs, Left: s.At - n.Latency, Arrives: s.At,
		}
		n.queue.GiveTo(event.LaneNetwork, sim.Item{At: s.At, Seq: s.Seq, Kind: event.DueDeliver, Gen: ch.Gen, A: c})
	}
}

func (x *Tracks) grow() *Sent {
	if x.n == len(x.wire) {
		bigger := make([]Sent, max(64, 2*x.n))
		for i := range x.n {
			bigger[i] = x.wire[(x.head+i)&(len(x.wire)-1)]
		}
		x.wire, x.head = bigger, 0
	}
	x.n++
	return &x.wire[(x.head+x.n-1)&(len(x.wire)-1)]
}

func (x *Tracks) drop() {
	x.head = (x.head + 1) & (len(x.wire) - 1)
	x.n--
}

// Coming is the buffer that arrives next, nil if none is under way. It holds until another is flushed.
func (x *Tracks) Coming() *Sent {
	if x.n == 0 {
		return nil
	}
	return &x.wire[x.head]
}

// Room tells whether so many records fit into the open buffer of a producer without filling it.
func (x *Tracks) Room(id event.Task, records int64) bool {
	t := &x.tracks[id]
	return int64(t.size-t.bytes) > records*int64(x.size)
}

// Write appends a run to the open buffer of a producer, which has Room for it.
func (x *Tracks) Write(id event.Task, r *event.Run) {
	t := &x.tracks[id]
	x.net.Slab.Append(&t.runs, r)
	x.count(t, int32(r.Count))
}

// Pass moves all runs of a buffer to the open one of a producer, which has Room for them.
func (x *Tracks) Pass(id event.Task, s *Sent) {
	t := &x.tracks[id]
	x.net.Slab.Move(&t.runs, &s.Runs, int64(s.Records))
	x.count(t, s.Records)
}

func (x *Tracks) count(t *track, records int32) {
	t.bytes += records * x.size
	t.records += records
	x.net.InFlight += int64(records) * int64(x.size)
}

// mature is Network.mature at an instant and a place of it.
func (t *track) mature(now event.Time, seq int64) {
	if t.comes > 0 && (t.comesAt < now || t.comesAt == now && t.comesSeq < seq) {
		t.credit, t.comes = t.credit+t.comes, 0
	}
}

// MayFlush tells whether the sender has the credit to flush what is written and that many records more, or nothing to send.
func (x *Tracks) MayFlush(now event.Time, seq int64, id event.Task, more int64) bool {
	t := &x.tracks[id]
	if t.bytes == t.sent && more == 0 {
		return true
	}
	t.mature(now, seq)
	return t.credit > 0
}

// Flush is a tick of the producer's flusher, which MayFlush: what is new goes onto the wire (Network.sendOpen).
func (x *Tracks) Flush(now event.Time, id event.Task) {
	t, n := &x.tracks[id], x.net
	if t.bytes == t.sent {
		return
	}
	t.credit--
	bytes := t.bytes - t.sent
	n.feed.Buffer(event.BufferSent, now, t.channel, int64(bytes), int64(t.records))
	*x.grow() = Sent{At: now + n.Latency, Seq: n.queue.Reserve(), Runs: t.runs, Bytes: bytes, Records: t.records, Producer: id}
	t.sent, t.records, t.runs = t.bytes, 0, event.EmptyRuns
}

// Consumer is who gets a buffer.
func (x *Tracks) Consumer(s *Sent) event.Task { return x.tracks[s.Producer].consumer }

// MayArrive tells whether the credit for what is Coming would not meet another on its way.
func (x *Tracks) MayArrive(s *Sent) bool {
	t := &x.tracks[s.Producer]
	t.mature(s.At, s.Seq)
	return t.comes == 0
}

// Arrive takes what is Coming off the wire: its credit is on its way back (Network.Arrive, Network.announceCredit).
func (x *Tracks) Arrive(s *Sent) {
	n, t := x.net, &x.tracks[s.Producer]
	n.feed.Buffer(event.BufferReceived, s.At, t.channel, int64(s.Bytes), int64(s.Records))
	n.InFlight -= int64(s.Bytes)
	t.comes, t.comesAt, t.comesSeq = 1, s.At+n.Latency, n.queue.Reserve()
	x.drop()
}

// Unbegun puts what a consumer has taken and not begun into its queue after all, behind Return with it in hand.
func (x *Tracks) Unbegun(s *Sent) {
	n, c := x.net, x.tracks[s.Producer].channel
	ch, w := &n.Channels[c], &n.Wires[c]
	n.InFlight += int64(s.Bytes)
	ch.Unread -= int64(s.Bytes)
	ch.Input.sequence--
	_, e := x.Entry(s)
	ch.Input.add(&e)
	n.queueUp(&n.Gates[w.Gate], ch, w.Input, false)
}

// Entry is a buffer that has come as its consumer has it in hand, and by which channel.
func (x *Tracks) Entry(s *Sent) (event.Channel, Entry) {
	t := &x.tracks[s.Producer]
	return t.channel, Entry{Kind: Data, Finished: true, Exclusive: true, Bytes: s.Bytes, Size: t.size, Records: int64(s.Records), Runs: s.Runs, Left: s.At - x.net.Latency, Arrives: s.At}
}
