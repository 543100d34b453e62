package network

import "checkpointlab/core/event"

// Tracks are the channels of a job in which each task writes to at most one channel and reads from at most one, while all of
// them run express (task/express.go). What a flush or a write to the open buffer changes is the channel's track, what an
// arrival changes is its Inlet; each is one cache line. Whatever else would change is counted and applied by Return
// (boarding.go). While a channel is on its track, the track is authoritative and the Channel is out of date.
type Tracks struct {
	net    *Network
	tracks []track     // by producer
	open   []event.Run // by producer: what is written to its open buffer and not sent, if that is one run
	spokes []spoke     // by channel, of outputs that are dealt to several (dealt.go)
	stacks stacks
	wire   []Sent // ring: what is under way, in the order of its arrival, which is that of the network's lane
	head   int
	n      int
	size   int32 // bytes of a record
}

// track is the sender's view of a channel that has an open buffer and nothing else in its queue.
type track struct {
	many     event.Runs    // what is written to the open buffer and not sent, if it is several runs
	back     [2]event.Time // when credit for what was sent comes back, the sooner first; event.Never = for none
	records  int32         // written to the open buffer and not sent
	bytes    int32         // of the open buffer, sent of which are sent
	sent     int32
	size     int32
	credit   int32
	sends    int32 // buffers sent, those under way when it began included
	channel  event.Channel
	consumer event.Task
	tick     event.Time // the next one of its sender's flusher
}

// Inlet is the receiver's view of a track.
type Inlet struct {
	comesAt  event.Time // when the credit for the last buffer reaches its sender, and its place among the events of that instant
	comesSeq int64
	Buffers  int32 // received
	Bytes    int32
}

// Sent is a buffer on the wire of an express channel.
type Sent struct {
	Due                       // of its arrival
	Run            event.Run  // its records, if they are one run,
	Many           event.Runs // else they, if they are in no stack
	Bytes, Records int32
	Producer       event.Task
	Consumer       event.Task
	Channel        event.Channel
	Stack          int32 // 1 + that of its records, 0 = they are in none
}

// Fetch reads ahead what a tick of a producer's flusher needs first; the result means nothing.
func (x *Tracks) Fetch(id event.Task) int { return int(x.tracks[id].bytes) }

// FetchOpen reads ahead what the tick needs next.
func (x *Tracks) FetchOpen(id event.Task) int { return int(x.open[id].Count) }

// grow makes a place at the end of the wire; it may hold old data.
func (x *Tracks) grow() *Sent {
	if x.n == len(x.wire) {
		x.lengthen()
	}
	x.n++
	return &x.wire[(x.head+x.n-1)&(len(x.wire)-1)]
}

//go:noinline
func (x *Tracks) lengthen() {
	longer := make([]Sent, max(64, 2*x.n))
	for i := range x.n {
		longer[i] = x.wire[(x.head+i)&(len(x.wire)-1)]
	}
	x.wire, x.head = longer, 0
}

func (x *Tracks) drop() {
	x.head = (x.head + 1) & (len(x.wire) - 1)
	x.n--
}

// Due is an instant and a place in the order of that instant.
type Due struct {
	At  event.Time
	Seq int64
}

// Next is when the next buffer arrives, event.Never if none is under way.
func (x *Tracks) Next() Due {
	if x.n == 0 {
		return Due{At: event.Never}
	}
	return x.wire[x.head].Due
}

// Coming is the buffer that arrives next; one must be under way. It holds until another is flushed.
func (x *Tracks) Coming() *Sent { return &x.wire[x.head] }

// Later is the i-th buffer after the one that is Coming; so many must be under way.
func (x *Tracks) Later(i int) *Sent { return &x.wire[(x.head+i)&(len(x.wire)-1)] }

// UnderWay is the number of buffers on the wire, at most most.
func (x *Tracks) UnderWay(most int) int { return min(most, x.n) }

// Size is the size of a record in bytes.
func (x *Tracks) Size() int32 { return x.size }

// Room reports whether so many records fit into the open buffer of a producer without filling it.
func (x *Tracks) Room(id event.Task, records int64) bool {
	t := &x.tracks[id]
	return int64(t.size-t.bytes) > records*int64(x.size)
}

// Write appends a run to the open buffer of a producer, which has Room for it.
func (x *Tracks) Write(id event.Task, r *event.Run) {
	t, open := &x.tracks[id], &x.open[id]
	switch {
	case t.records == 0:
		*open = *r
	case t.many.Empty() && open.Continues(r):
		open.Count += r.Count
	default:
		x.several(t, open)
		x.net.Slab.Append(&t.many, r)
	}
	x.count(t, int32(r.Count))
}

// Pass moves all runs of a buffer to the open one of a producer, which has Room for them.
func (x *Tracks) Pass(id event.Task, s *Sent) {
	if s.Many.Empty() {
		x.Write(id, &s.Run)
		return
	}
	t := &x.tracks[id]
	if t.records > 0 {
		x.several(t, &x.open[id])
	}
	x.net.Slab.Move(&t.many, &s.Many, int64(s.Records))
	x.count(t, s.Records)
}

// several moves the single run of an open buffer into a list that can hold several.
func (x *Tracks) several(t *track, open *event.Run) {
	if t.many.Empty() {
		x.net.Slab.Append(&t.many, open)
	}
}

func (x *Tracks) count(t *track, records int32) {
	bytes := records * x.size
	t.bytes += bytes
	t.records += records
	x.net.InFlight += int64(bytes)
}

// mature is Network.mature at an instant; what arrives at that very instant counts as arriving later.
func (t *track) mature(now event.Time) {
	for t.back[0] < now {
		t.credit++
		t.back[0], t.back[1] = t.back[1], event.Never
	}
}

// MayFlush reports whether the sender has credit to flush what is written plus so many more records, or has nothing to send.
func (x *Tracks) MayFlush(now event.Time, id event.Task, more int64) bool {
	t := &x.tracks[id]
	if t.bytes == t.sent && more == 0 {
		return true
	}
	t.mature(now)
	return t.credit > 0 && t.back[1] == event.Never
}

// Flush is a tick of the producer's flusher for which MayFlush is true: what is new goes onto the wire (Network.sendOpen).
func (x *Tracks) Flush(now event.Time, id event.Task) {
	if x.Waits(id) {
		s := x.grow()
		x.Send(now, id, s)
		x.TellSent(s)
	}
}

// Waits reports whether a producer has written something that is not sent.
func (x *Tracks) Waits(id event.Task) bool { return x.tracks[id].bytes > x.tracks[id].sent }

// Send fills s with what a producer has written and sends at now; the feed is told by TellSent.
func (x *Tracks) Send(now event.Time, id event.Task, s *Sent) {
	t := &x.tracks[id]
	t.mature(now)
	t.credit--
	t.sends++
	t.owe(now + 2*x.net.Latency)
	s.At = now + x.net.Latency
	s.Bytes, s.Records, s.Producer, s.Consumer, s.Channel = t.bytes-t.sent, t.records, id, t.consumer, t.channel
	if s.Many = t.many; t.many.Empty() {
		s.Run = x.open[id]
	}
	t.sent, t.records, t.many = t.bytes, 0, event.EmptyRuns
}

// TellSent reports to the feed that a buffer is sent, and sets the place of its arrival.
func (x *Tracks) TellSent(s *Sent) {
	x.net.feed.Buffer(event.BufferSent, s.At-x.net.Latency, s.Channel, int64(s.Bytes), int64(s.Records))
	s.Seq = x.net.queue.Reserve()
}

// MaySend reports whether a producer can send everything that waits at its next tick, and as many more records as may come
// until then, without filling its buffer. waiting is the number of records that wait.
func (x *Tracks) MaySend(id event.Task, more int64) (waiting int64, ok bool) {
	t := &x.tracks[id]
	credit := t.credit > 0 && t.back[1] == event.Never || t.back[0] < t.tick // by then
	return int64(t.records), credit && int64(t.size-t.bytes) > more*int64(x.size)
}

// Tick is when the flusher of a producer ticks next.
func (x *Tracks) Tick(id event.Task) event.Time { return x.tracks[id].tick }

// TicksAt sets when it ticks next.
func (x *Tracks) TicksAt(id event.Task, at event.Time) { x.tracks[id].tick = at }

// Consumer is the task that a producer sends to.
func (x *Tracks) Consumer(id event.Task) event.Task { return x.tracks[id].consumer }

// owe notes credit that comes back at an instant later than all before.
func (t *track) owe(at event.Time) {
	if t.back[0] == event.Never {
		t.back[0] = at
	} else {
		t.back[1] = at
	}
}

// MayArrive reports whether the credit for the buffer that is Coming would find no other credit still under way.
func (in *Inlet) MayArrive(s *Sent) bool {
	return in.comesAt < s.At || in.comesAt == s.At && in.comesSeq < s.Seq
}

// Arrive takes the buffer that is Coming off the wire: its credit is on its way back (Network.Arrive, Network.announceCredit).
func (x *Tracks) Arrive(in *Inlet, s *Sent) {
	x.Land(in, s)
	in.comesSeq = x.TellArrival(s)
	x.drop()
}

// Land handles a buffer's arrival without reporting it (TellArrival does).
func (x *Tracks) Land(in *Inlet, s *Sent) {
	x.net.InFlight -= int64(s.Bytes)
	in.comesAt = s.At + x.net.Latency
	in.Buffers++
	in.Bytes += s.Bytes
}

// TellArrival reports to the feed that a buffer has arrived, and returns the place of its returning credit.
func (x *Tracks) TellArrival(s *Sent) int64 {
	x.net.feed.Buffer(event.BufferReceived, s.At, s.Channel, int64(s.Bytes), int64(s.Records))
	return x.net.queue.Reserve()
}

// CreditAt sets the place in the order of events of the credit that comes back.
func (in *Inlet) CreditAt(seq int64) { in.comesSeq = seq }

// Clear takes all off the wire.
func (x *Tracks) Clear() { x.n = 0 }

// Put appends a buffer to the wire.
func (x *Tracks) Put(s *Sent) { *x.grow() = *s }

// EachRun calls f with every run that is in no list.
func (x *Tracks) EachRun(f func(*event.Run)) {
	for i := range x.tracks {
		if t := &x.tracks[i]; t.records > 0 && t.many.Empty() && x.stacks.of(event.Task(i)) == 0 {
			f(&x.open[i])
		}
	}
	x.stacks.each(f)
	for i := range x.n {
		if s := x.Later(i); s.Many.Empty() && s.Records > 0 && s.Stack == 0 {
			f(&s.Run)
		}
	}
}
