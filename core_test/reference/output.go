package reference

import (
	"checkpointlab/core/barrier"
	"checkpointlab/core/event"
	"checkpointlab/core/job"
	"checkpointlab/core/network"
)

// partition is the output of one producer on one edge: subpartitions that share a pool of segments (spec 4.1).
type partition struct {
	run      *Run
	edge     int
	producer *task
	channels []*channel
	pool     network.BufferPool
	dealing  job.Dealing
	emitted  int64 // records dealt
	forced   bool  // its exchange cannot carry unaligned barriers
}

func (p *partition) newPool() network.BufferPool {
	o := &p.run.setup.Options
	n := len(p.channels)
	return network.NewBufferPool(max(n+1, o.BuffersPerChannel*n+o.FloatingPerGate), n, o.MaxPerChannel, o.MaxOverdraft)
}

// channel is one channel with both its ends: the subpartition at the producer, the receive queue at the consumer.
type channel struct {
	run       *Run
	id        event.Channel
	partition *partition
	gate      *gate
	sub       int   // index in the partition
	input     int   // index in the gate
	slot      int32 // index over all gates of the consumer
	local     bool  // both ends in one task manager: the consumer reads the queue itself, without credit (spec 4.3)
	life      int   // counts restarts: what was under way then is void

	// The producer's end.
	queue     []*message
	flushed   bool // the unfinished last buffer may be read
	blocked   bool // an aligned barrier was handed out, the consumer has not said that it may go on
	credit    int
	told      int // backlog announced for want of credit
	usable    int32
	unwritten int32 // bytes of the record being written

	receiver
}

// message is a buffer or an event.
type message struct {
	data      *buffer
	barrier   *barrier.Barrier
	cancel    event.Checkpoint // a cancellation marker's
	backlog   int
	exclusive bool // at the consumer: which kind of buffer it fills
	lent      bool // at the consumer of a local channel: the producer's segment, to be given back
}

// buffer is a segment with the records that end in it and were not handed out.
type buffer struct {
	usable   int32 // bytes it may hold
	written  int32
	sent     int32
	finished bool
	restored bool // channel state of a checkpoint: it is no segment of the pool or the gate
	records  []record
}

// reset empties the channel: its tasks were cancelled.
func (c *channel) reset() {
	o := &c.run.setup.Options
	c.life++
	c.queue, c.flushed, c.blocked, c.told, c.unwritten = nil, false, false, 0, 0
	c.credit, c.usable = o.BuffersPerChannel, o.SegmentSize
	if o.Debloat {
		c.usable = min(o.SegmentSize, o.StartingSegmentSize)
	}
	c.receiver = receiver{}
}

// travel schedules an arrival at the other end of the channel.
func (c *channel) travel(arrive func()) {
	life, way := c.life, c.run.setup.Control.Net
	if c.local {
		way = 0
	}
	c.run.agenda.after(c.run.now+way, func() {
		if c.life == life {
			arrive()
		}
	})
}

// write writes the rest of a record, over as many buffers as it needs; false: a segment is missing (spec 4.2).
func (e *emission) write() bool {
	if e.begun == nil {
		e.begun = e.to.channels[0]
		if len(e.to.channels) > 1 {
			e.begun = e.to.channels[e.to.dealing.Channel(e.to.emitted)]
		}
		e.to.emitted++
		e.begun.unwritten = e.record.size
	}
	c := e.begun
	for c.unwritten > 0 {
		b := c.open()
		if b == nil {
			if !e.to.pool.Take(c.sub) {
				return false
			}
			b = &buffer{usable: c.usable}
			c.queue = append(c.queue, &message{data: b})
			if !c.local && c.credit == 0 && c.readable() {
				c.askForCredit() // what stood there alone counts as backlog now
			}
		}
		n := min(c.unwritten, b.usable-b.written)
		b.written += n
		c.unwritten -= n
		if c.unwritten == 0 {
			b.records = append(b.records, e.record)
		}
		if b.written == b.usable {
			b.finished = true
			c.send()
		}
	}
	if c.run.setup.Options.BufferTimeout == 0 {
		c.flush()
	}
	return true
}

// open is the buffer that is being written, nil if there is none.
func (c *channel) open() *buffer {
	if len(c.queue) == 0 {
		return nil
	}
	if b := c.queue[len(c.queue)-1].data; b != nil && !b.finished {
		return b
	}
	return nil
}

// flush makes the unfinished buffers readable.
func (p *partition) flush() {
	for _, c := range p.channels {
		c.flush()
	}
}

func (c *channel) flush() {
	if len(c.queue) == 0 {
		return
	}
	first := c.queue[0].data
	if len(c.queue) > 1 || first != nil && first.written > first.sent {
		c.flushed = true
	}
	c.send()
}

// broadcast puts an event into every channel, behind everything written; what is being written is finished first
// (truth/mechanisms 8). An unaligned barrier goes to the front; what it overtakes is output state of its checkpoint
// (spec 3.4).
func (p *partition) broadcast(m message) {
	for _, c := range p.channels {
		if b := c.open(); b != nil {
			b.finished = true
		}
		own := m
		if m.barrier != nil && m.barrier.Alignment == barrier.Unaligned {
			c.overtake(&own, len(c.queue))
			continue
		}
		c.queue = append(c.queue, &own)
		c.send()
	}
}

// overtake puts an unaligned barrier in front of the first n places of the queue, behind unaligned barriers.
func (c *channel) overtake(m *message, n int) {
	at := 0
	for at < n && c.queue[at].urgent() {
		at++
	}
	for _, o := range c.queue[at:n] {
		if o.data != nil && o.data.written > o.data.sent {
			c.partition.producer.storeOutput(m.barrier.ID, c, o.data)
		}
	}
	c.queue = append(c.queue[:at:at], append([]*message{m}, c.queue[at:]...)...)
	c.send()
}

// timeOut lets the barrier of a checkpoint, if it is still here, overtake what is ahead of it (spec 3.5, output side).
func (c *channel) timeOut(id event.Checkpoint) bool {
	for i, m := range c.queue {
		if m.barrier != nil && m.barrier.ID == id && m.barrier.Timeoutable() {
			c.queue = append(c.queue[:i:i], c.queue[i+1:]...)
			b := m.barrier.AsUnaligned()
			c.overtake(&message{barrier: &b}, i)
			return true
		}
	}
	return false
}

// urgent tells an event that overtakes data.
func (m *message) urgent() bool { return m.barrier != nil && m.barrier.Alignment == barrier.Unaligned }

// readable tells whether the network may take something: what is finished, an event, or what was flushed.
func (c *channel) readable() bool {
	if c.blocked || len(c.queue) == 0 {
		return false
	}
	first := c.queue[0].data
	return len(c.queue) > 1 || first == nil || first.finished || c.flushed
}

// backlog is what each message tells the receiver: the buffers queued, without the last one unless it was flushed or an
// event is behind it; nothing while the channel is blocked (truth/mechanisms 6).
func (c *channel) backlog() int {
	if c.blocked || len(c.queue) == 0 {
		return 0
	}
	n := c.buffers()
	if !c.flushed && c.queue[len(c.queue)-1].data != nil {
		n--
	}
	return n
}

// send lets the network take what it may. A local channel tells its consumer instead.
func (c *channel) send() {
	if c.local {
		c.offer()
		return
	}
	for m := c.handOut(); m != nil; m = c.handOut() {
		c.depart(m)
	}
}

// buffers counts what is queued.
func (c *channel) buffers() int {
	n := 0
	for _, m := range c.queue {
		if m.data != nil {
			n++
		}
	}
	return n
}

// handOut is the next buffer or event that may be read, nil if there is none: events need no credit, each buffer needs one
// (spec 4.3).
func (c *channel) handOut() *message {
	for c.readable() {
		m := c.queue[0]
		switch b := m.data; {
		case b == nil:
			c.take()
			c.eventLeaves(m)
			return m
		case b.written == b.sent && !b.finished:
			c.flushed = false
			return nil
		case b.written == b.sent:
			c.recycleHead()
		case c.local:
			return c.slice(b)
		case c.credit == 0:
			c.askForCredit()
			return nil
		default:
			c.credit--
			return c.slice(b)
		}
	}
	return nil
}

// slice is what is written and not sent of the first buffer. When all of it is sent, its segment comes back, from the
// consumer if the channel is local.
func (c *channel) slice(b *buffer) *message {
	m := &message{data: &buffer{written: b.written - b.sent, records: b.records}}
	b.sent, b.records = b.written, nil
	if len(c.queue) == 1 {
		c.flushed = false
	}
	switch {
	case b.finished && c.local:
		c.take()
		m.lent = !b.restored
	case b.finished:
		c.recycleHead()
	}
	c.run.tell(event.Event{Kind: event.BufferSent, Channel: c.id, A: int64(m.data.written), N: int64(len(m.data.records))})
	return m
}

// depart puts a message on its way. It tells the backlog.
func (c *channel) depart(m *message) {
	m.backlog = c.backlog()
	c.told = m.backlog
	c.travel(func() { c.arrive(m) })
}

// take takes the first place off the queue; a flush ends with the last one.
func (c *channel) take() {
	c.queue = c.queue[1:]
	if len(c.queue) == 0 {
		c.flushed = false
	}
}

// recycleHead gives the first buffer's segment back to the pool.
func (c *channel) recycleHead() {
	b := c.queue[0].data
	c.take()
	if !b.restored {
		c.giveBack()
	}
}

func (c *channel) giveBack() {
	c.partition.pool.Recycle(c.sub)
	c.partition.producer.segmentFree()
}

// eventLeaves is an event being handed out. Behind an aligned barrier the channel stops (spec 3.2).
func (c *channel) eventLeaves(m *message) {
	id, priority := m.cancel, int64(0)
	if m.barrier != nil {
		id = m.barrier.ID
		if m.barrier.BlocksSender() {
			c.blocked = true
			c.run.tell(event.Event{Kind: event.ChannelBlocked, Channel: c.id, Checkpoint: id})
		}
	}
	if m.urgent() {
		priority = 1
	}
	c.run.tell(event.Event{Kind: event.BarrierSent, Channel: c.id, Checkpoint: id, A: priority})
	if m.barrier != nil && m.barrier.Timeoutable() {
		c.partition.producer.barrierLeft(id)
	}
}

// askForCredit announces the backlog of a channel without exclusive buffers, which has no credit beforehand.
func (c *channel) askForCredit() {
	n := c.backlog()
	if c.run.setup.Options.BuffersPerChannel > 0 || n == 0 || n == c.told {
		return
	}
	c.told = n
	c.travel(func() { c.gate.grant(c.gate.credits.Backlog(c.input, n, nil)) })
}

// addCredit is credit that has come from the receiver.
func (c *channel) addCredit(n int) {
	c.credit += n
	c.told = 0
	c.send()
}

// goOn is the consumer's word that its alignment is over.
func (c *channel) goOn() {
	if !c.blocked {
		return
	}
	c.blocked = false
	if c.run.setup.Options.BuffersPerChannel == 0 {
		c.credit = 0
	}
	c.run.tell(event.Event{Kind: event.ChannelResumed, Channel: c.id})
	c.send()
}

// resize is a new size for the next buffers.
func (c *channel) resize(size int32) {
	c.usable = size
	c.run.tell(event.Event{Kind: event.BufferSize, Channel: c.id, A: int64(size)})
}
