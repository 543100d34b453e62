package network

import "checkpointlab/core/event"

// A buffer that arrives at a gate where nothing waits, for a task that has nothing else to do, needs no place in any queue of
// the receiver: it is taken off the wire and read (task/hop.go).

// Prompt reports whether the channels of a gate get their credit beforehand and over the network, so that returning it changes
// nothing at this instant.
func (n *Network) Prompt(g int32) bool {
	for _, c := range n.Gates[g].First {
		if n.Wires[c].Local {
			return false
		}
	}
	return n.exclusive > 0 && n.Latency > 0
}

// Coming is the head of the wire of c if it is records and nothing waits in their gate; else nil.
func (n *Network) Coming(c event.Channel) *Entry {
	ch := &n.Channels[c]
	e := ch.Wire.first()
	if e.Kind != Data || e.Records == 0 || ch.Input.status == barrierPending || len(n.Gates[n.Wires[c].Gate].line) > 0 {
		return nil
	}
	return e
}

// Fits reports whether a producer may begin a record, and has room for all records of l, which have one size, in the open
// buffer of the single channel they go to, without filling it.
func (n *Network) Fits(p int32, l *event.Runs, records int64) bool {
	part := &n.Partitions[p]
	if part.only < 0 || !part.Pool.Available() {
		return false
	}
	ch := &n.Channels[part.First+part.only]
	e := ch.open()
	return e != nil && !ch.local && int64(e.Size-e.Bytes) > records*int64(n.Slab.Front(l).Size)
}

// Arrive is Deliver for the buffer that is Coming, except that it stays on the wire: Enter or Shelve must follow. silent:
// giving the buffer back will give nobody credit.
func (n *Network) Arrive(now event.Time, c event.Channel, e *Entry) (silent bool) {
	ch, w := &n.Channels[c], &n.Wires[c]
	g := &n.Gates[w.Gate]
	e.Exclusive = g.Gate.mustTake(int(w.Input))
	ch.BytesIn += int64(e.Bytes)
	n.feed.Emit(event.Event{At: now, Kind: event.BufferReceived, Channel: c, A: int64(e.Bytes), N: e.Records})
	ch.Input.sequence++
	n.grant(now, g, g.Gate.Backlog(int(w.Input), int(e.Backlog), n.grants[:0]))
	return g.Gate.silent(int(w.Input), e.Exclusive)
}

// Enter takes the arrived buffer off the wire to be read. The result is valid until something is sent.
func (n *Network) Enter(c event.Channel) *Entry {
	ch := &n.Channels[c]
	e := ch.Wire.take()
	n.Gates[n.Wires[c].Gate].In.Remote.add(1, int64(e.Bytes))
	ch.Unread += int64(e.Bytes)
	n.InFlight -= int64(e.Bytes)
	return e
}

// Shelve puts the arrived buffer into the receiver's queue after all.
func (n *Network) Shelve(c event.Channel) {
	ch, w := &n.Channels[c], &n.Wires[c]
	ch.Input.sequence--
	ch.Input.take(&ch.Wire)
	n.queueUp(&n.Gates[w.Gate], ch, w.Input, false)
}
