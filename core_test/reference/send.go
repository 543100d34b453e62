package reference

import (
	"checkpointlab/core/barrier"
	"checkpointlab/core/event"
)

// urgent tells an event that overtakes data.
func (m *message) urgent() bool { return m.barrier != nil && m.barrier.Alignment == barrier.Unaligned }

// readable reports whether the network may take something: an event, what was flushed or restored, or a buffer with another one
// behind it.
func (c *channel) readable() bool {
	if c.broken || c.closed() || len(c.queue) == 0 || c.blocked && !(c.run.setup.Options.Version == "2.3" && c.queue[0].urgent()) {
		return false
	}
	first := c.queue[0].data
	return len(c.queue) > 1 || first == nil || first.restored || c.flushed
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

// sending is a producer's network thread: it writes one buffer after another, and all that a channel has before the next one
// has its turn.
type sending struct {
	line  []*channel
	until event.Time // the last buffer is written by then
	busy  bool
	life  int
}

// send lets the network take what it may. A local channel tells its consumer instead.
func (c *channel) send() {
	if c.local {
		c.offer()
		return
	}
	s := &c.partition.sending
	for _, o := range s.line {
		if o == c {
			return
		}
	}
	if !c.readable() {
		return
	}
	s.line = append(s.line, c)
	if !s.busy {
		c.run.sendOn(s)
	}
}

// sendOn goes on with what stands in line.
func (r *Run) sendOn(s *sending) {
	s.busy = true
	for len(s.line) > 0 {
		for s.until <= r.now {
			m := s.line[0].handOut()
			if m == nil {
				break
			}
			s.line[0].depart(m)
		}
		if s.until > r.now {
			life := s.life
			r.agenda.afterIn(s.line[0].partition.producer.home(), s.until, func() {
				if s.life == life {
					r.sendOn(s)
				}
			})
			return
		}
		s.line = s.line[1:]
	}
	s.busy = false
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
	for more := c.readable(); more; more = len(c.queue) > 0 {
		m := c.queue[0]
		switch b := m.data; {
		case b == nil:
			c.take()
			c.eventLeaves(m)
			return m
		case b.written == b.sent && !b.finished:
			c.flushed = false
			return nil
		case b.written == b.sent && (c.local || c.run.setup.Options.BuffersPerChannel > 0):
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
	m := &message{data: &buffer{written: b.written - b.sent, readers: b.readers, records: b.records}}
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
	left, bytes := c.run.now, event.Time(0)
	if m.data != nil {
		bytes = event.Time(m.data.written)
		left += bytes * c.run.setup.Control.Send / 1000
		c.partition.sending.until = left
	}
	c.wire = append(c.wire, m)
	c.underWay(c.gate.consumer.home(), left, bytes, func() { // one that was put off comes ahead of the next one
		m, c.wire = c.wire[0], c.wire[1:]
		c.arrive(m)
	})
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
		c.giveBack(b.readers)
	}
}

// giveBack is a segment that the channel has handed out; the last of its readers frees it.
func (c *channel) giveBack(readers *int) {
	if *readers--; *readers > 0 {
		return
	}
	sub := c.sub
	if c.partition.broadcasts() {
		sub = 0
	}
	c.partition.pool.Recycle(sub)
	c.partition.producer.segmentFree()
}

// eventLeaves is an event being handed out. Behind an aligned barrier the channel stops (spec 3.2).
func (c *channel) eventLeaves(m *message) {
	if m.end != 0 {
		c.run.tell(event.Event{Kind: event.EndSent, Channel: c.id, A: int64(m.end - ofData)})
		return
	}
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
	c.underWay(c.gate.consumer.home(), c.run.now, 0, func() { c.gate.grant(c.gate.credits.Backlog(c.input, n, nil)) })
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
