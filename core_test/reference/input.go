package reference

import (
	"slices"

	"checkpointlab/core/barrier"
	"checkpointlab/core/event"
	"checkpointlab/core/network"
)

// receiver is the consumer's end of a channel.
type receiver struct {
	received  network.InputQueue
	arrivals  int32              // sequence number of the next arrival
	messages  map[int32]*message // by sequence number
	inLine    bool
	announced int32 // sequence number of the barrier that was announced last
	unread    int64 // bytes that the deserializer has taken and not given out as records
}

// gate is one input gate of a task: its channels, the buffers they share, and the channels that have something to read.
type gate struct {
	consumer *task
	channels []*channel
	credits  network.Gate
	line     []*channel // to be read from, in this order
	urgent   int        // how many of the first are there for an unaligned barrier or an announcement
	restored int        // buffers of restored input that are not consumed; until then nothing comes by the gate's channels

	hand     *message // the buffer in the deserializer: kept until the record behind its last one is asked for (mechanisms 3)
	handFrom *channel

	debloater  network.Debloater
	throughput network.Throughput
}

// arrive takes a message that was sent (spec 4.3).
func (c *channel) arrive(m *message) {
	g := c.gate
	if m.data != nil && m.data.written == 0 {
		c.arriveEmpty(m)
		return
	}
	if m.data != nil {
		exclusive, ok := g.credits.Take(c.input)
		if !ok {
			panic("reference: a buffer came without credit")
		}
		m.exclusive = exclusive
		c.run.tell(event.Event{Kind: event.BufferReceived, Channel: c.id, A: int64(m.data.written), N: int64(len(m.data.records))})
	}
	if m.barrier != nil && m.barrier.BlocksSender() {
		g.grant(g.credits.UpstreamBlocked(c.input, nil))
	}
	a := c.queueUp(m)
	g.grant(g.credits.Backlog(c.input, m.backlog, nil))
	g.lineUp(c, a.FirstPriority)
	g.consumer.toRead(a.FirstPriority)
}

// arriveEmpty is a buffer with nothing in it, which gives back what its credit stands for.
func (c *channel) arriveEmpty(m *message) {
	exclusive, _ := c.gate.credits.Take(c.input)
	c.gate.grant(c.gate.credits.Recycle(c.input, exclusive, nil))
	c.gate.grant(c.gate.credits.Backlog(c.input, m.backlog, nil))
}

// toRead tells a task that a channel has something to read.
func (t *task) toRead(urgent bool) {
	switch {
	case urgent:
		t.mail(mail{kind: event.MailPriority})
	case t.doing == idle && t.alive:
		t.wake(t.run.now + t.run.setup.Control.Wake)
	}
}

// queueUp puts a message into the receive queue; data in flight of a checkpoint is stored as it comes.
func (c *channel) queueUp(m *message) network.Arrival {
	if c.messages == nil {
		c.messages = map[int32]*message{}
	}
	c.messages[c.arrivals] = m
	c.arrivals++
	a := c.received.Add(m.entry())
	if a.Persist != 0 {
		c.gate.consumer.storeInput(a.Persist, c, m.data)
	}
	return a
}

// entry is what the receive queue has to know of a message.
func (m *message) entry() network.Entry {
	e := network.Entry{Kind: network.Data}
	switch b := m.barrier; {
	case b != nil:
		e.Kind, e.ID = network.Barrier, b.ID
		if m.urgent() {
			e.Flags |= network.Priority
		}
		if b.Timeoutable() {
			e.Flags |= network.Timeoutable
		}
	case m.end == ofData:
		e.Kind = network.EndData
	case m.end == ofPartition:
		e.Kind = network.End
	case m.data == nil:
		e.Kind, e.ID = network.Cancel, m.cancel
	}
	return e
}

// lineUp puts a channel that has something to read at the end of the line, or, for a priority event, behind the others that
// have one.
func (g *gate) lineUp(c *channel, urgent bool) {
	if !urgent {
		if !c.inLine {
			c.inLine = true
			g.line = append(g.line, c)
		}
		return
	}
	var rest []*channel
	for _, o := range g.line[g.urgent:] {
		if o != c {
			rest = append(rest, o)
		}
	}
	c.inLine = true
	g.line = append(append(g.line[:g.urgent:g.urgent], c), rest...)
	g.urgent++
}

// poll takes the next message: one of each channel in turn, those with a priority event first.
func (g *gate) poll() (c *channel, m *message, announcement, ok bool) {
	for len(g.line) > 0 {
		c = g.line[0]
		g.line = g.line[1:]
		g.urgent = max(0, g.urgent-1)
		c.inLine = false
		if c.local && (c.received.Len() == 0 || c.urgentLocal()) {
			m = c.readLocal()
		} else {
			m, announcement = c.read()
		}
		if c.local {
			c.lineUpLocal()
		} else if c.received.Len() > 0 {
			g.lineUp(c, c.received.Urgent() > 0)
		}
		if m != nil {
			return c, m, announcement, true
		}
	}
	return nil, nil, false, false
}

// read takes the head of the receive queue.
func (c *channel) read() (m *message, announcement bool) {
	r, _ := c.received.Poll()
	m = c.messages[r.Sequence]
	if r.Announcement {
		c.announced = r.Sequence
	} else {
		delete(c.messages, r.Sequence)
	}
	return m, r.Announcement
}

// grant tells the senders of credit that their channels have gained.
func (g *gate) grant(gained []network.Grant) {
	for _, gain := range gained {
		c := g.channels[gain.Channel]
		if n := g.credits.Announce(int(gain.Channel)); n > 0 {
			c.travel(func() { c.addCredit(n) })
		}
	}
}

// ask looks for a record in a gate: in the buffer in hand, else in the next ones. Events are handled as they come. It is
// false if there is none, or if the thread went into the synchronous part of a snapshot.
func (t *task) ask(g *gate) bool {
	for g.hand == nil || len(g.hand.data.records) == 0 {
		g.putAway()
		c, m, announcement, ok := g.poll()
		if !ok {
			g.throughput.Pause(t.run.now)
			return false
		}
		if m.data == nil {
			g.throughput.Resume(t.run.now)
			t.receive(c, m, announcement)
			if t.doing == syncing || t.asking.ending {
				return false
			}
			if t.logFull() { // no record is read behind the event with which it is
				t.stopped = true
				return false
			}
			continue
		}
		t.handler.OnBytes(int64(m.data.written))
		g.throughput.Add(t.run.now, int64(m.data.written))
		g.hand, g.handFrom = m, c
		c.unread += int64(m.data.written)
	}
	return true
}

// putAway gives the buffer in hand back.
func (g *gate) putAway() {
	switch {
	case g.hand == nil:
	case g.hand.data.restored:
		if g.consumer.run.setup.Options.DuringRecovery {
			break
		}
		if g.restored--; g.restored == 0 {
			g.stateConsumed()
		}
	case g.hand.lent:
		g.handFrom.giveBack(g.hand.data.readers)
	case !g.handFrom.local:
		g.grant(g.credits.Recycle(g.handFrom.input, g.hand.exclusive, nil))
	}
	g.hand, g.handFrom = nil, nil
}

// take is the record in work leaving the buffer in hand.
func (g *gate) take() {
	b := g.hand.data
	g.handFrom.unread -= int64(b.records[0].size)
	b.records = b.records[1:]
}

// receive is an event that was taken from a channel.
func (t *task) receive(c *channel, m *message, announcement bool) {
	now := t.run.now
	switch {
	case m.end != 0:
		t.endChannel(c, m)
	case m.barrier == nil:
		t.carryOut(t.handler.OnCancel(now, c.slot, m.cancel, nil))
	case announcement:
		t.carryOut(t.handler.OnAnnouncement(now, c.slot, *m.barrier, nil))
	default:
		t.run.tell(event.Event{Kind: event.BarrierReceived, Task: t.id, Channel: c.id, Checkpoint: m.barrier.ID})
		t.carryOut(t.handler.OnBarrier(now, c.slot, *m.barrier, nil))
	}
}

// readUrgent takes the priority events of all gates, which do not wait for the data ahead of them.
func (t *task) readUrgent() {
	for _, g := range t.gates {
		for g.urgent > 0 {
			c, m, announcement, _ := g.poll()
			g.throughput.Resume(t.run.now)
			t.receive(c, m, announcement)
			if t.doing == syncing { // the same mail goes on behind it
				t.mailbox = slices.Insert(t.mailbox, 0, mail{kind: event.MailPriority})
				t.batch.left++
				return
			}
		}
	}
}

// resizeBuffers is the end of a debloater's period: each gate measures its throughput and tells its senders of another
// buffer size (spec 5).
func (t *task) resizeBuffers() {
	for _, g := range t.gates {
		inUse := 0
		for i, c := range g.channels {
			if c.local {
				inUse += len(c.queue)
			} else {
				inUse += c.received.Len() + g.credits.KnownBacklog(i)
			}
		}
		size, announce := g.debloater.Recalculate(g.throughput.Calculate(t.run.now), inUse)
		if !announce {
			continue
		}
		for _, c := range g.channels {
			c.travel(func() { c.resize(size) })
		}
	}
	t.debloatLater()
}

// startDebloating makes the debloaters; their periods begin when the task runs.
func (t *task) startDebloating() {
	o := &t.run.setup.Options
	for _, g := range t.gates {
		g.throughput = network.Throughput{}
		g.debloater = network.NewDebloater(network.Debloating{
			TargetMs: o.DebloatTarget / event.Millisecond, Start: min(o.StartingSegmentSize, o.SegmentSize), Min: o.MinSegmentSize,
			Max: o.SegmentSize, ThresholdPercent: o.DebloatThreshold, Samples: o.DebloatSamples,
			Whole: o.Version != "2.3",
		})
	}
}

// debloatLater begins the next period; a timer fires 1 ms behind its time.
func (t *task) debloatLater() {
	t.later(t.run.now+t.run.setup.Options.DebloatPeriod+event.TimerLag, func() { t.mail(mail{kind: event.MailDebloat}) })
}

// barrier of a checkpoint as this configuration starts it.
func (r *Run) newBarrier(id event.Checkpoint, began event.Time, savepoint bool) barrier.Barrier {
	return barrier.Make(&r.setup.Options, id, began, savepoint)
}
