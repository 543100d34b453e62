package network

import "checkpointlab/core/event"

// A buffer that comes to a gate where nothing waits, for a task that has nothing else to do, needs no place in any queue of the
// receiver: it is taken off the wire and read (task/hop.go).

// Prompt tells whether the channels of a gate are such that credit is given beforehand and takes its time on the way.
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

// Fits tells whether a producer may begin a record, and has room for the records of l, all of one size, in the open buffer of
// the one channel that they go to, without filling it.
func (n *Network) Fits(p int32, l *event.Runs, records int64) bool {
	part := &n.Partitions[p]
	if part.only < 0 || !part.Pool.Available() {
		return false
	}
	ch := &n.Channels[part.First+part.only]
	e := ch.open()
	return e != nil && !ch.local && int64(e.Size-e.Bytes) > records*int64(n.Slab.Front(l).Size)
}

// Arrive is Deliver for what is Coming, but that it stays on the wire: Enter or Shelve follows. silent: the buffer will go back
// without any credit for anybody.
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

// Enter takes what has arrived off the wire to be read. What it returns holds until something is sent.
func (n *Network) Enter(c event.Channel) *Entry {
	ch := &n.Channels[c]
	e := ch.Wire.take()
	ch.Unread += int64(e.Bytes)
	n.InFlight -= int64(e.Bytes)
	return e
}

// Shelve puts what has arrived into the receiver's queue after all.
func (n *Network) Shelve(c event.Channel) {
	ch, w := &n.Channels[c], &n.Wires[c]
	ch.Input.sequence--
	ch.Input.take(&ch.Wire)
	n.queueUp(&n.Gates[w.Gate], ch, w.Input, false)
}
