package reference

import "checkpointlab/core/event"

// A local channel joins two tasks of one task manager: no credit and no network. The consumer reads the producer's queue
// itself, and the segment goes back to the producer when the consumer has read it (spec 4.3).

// offer puts a local channel that can be read into its gate's line and tells the consumer.
func (c *channel) offer() {
	if urgent, ok := c.lineUpLocal(); ok {
		c.gate.consumer.toRead(urgent)
	}
}

// lineUpLocal puts a local channel into its gate's line; not if it cannot be read or stands there already.
func (c *channel) lineUpLocal() (urgent, ok bool) {
	if urgent = c.urgentLocal(); !urgent && c.received.Len() == 0 && !c.readable() {
		return false, false
	}
	for _, o := range c.gate.line[:c.gate.urgent] {
		if o == c && urgent {
			return true, false
		}
	}
	if c.inLine && !urgent {
		return false, false
	}
	c.gate.lineUp(c, urgent)
	return urgent, true
}

// urgentLocal reports whether a local channel has what alone comes ahead of restored data.
func (c *channel) urgentLocal() bool { return c.readable() && c.queue[0].urgent() }

// readLocal is what the consumer takes from the queue, nil if there is nothing after all. Data that is read before the
// barrier of an unaligned checkpoint is in flight for it.
func (c *channel) readLocal() *message {
	m := c.handOut()
	if m == nil {
		return nil
	}
	if m.data != nil {
		c.run.tell(event.Event{Kind: event.BufferReceived, Channel: c.id, A: int64(m.data.written), N: int64(len(m.data.records))})
	}
	e := m.entry()
	if id := c.received.Pass(&e); id != 0 {
		c.gate.consumer.storeInput(id, c, m.data)
	}
	return m
}
