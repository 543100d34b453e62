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
	e := n.Channels[part.First+part.only].open()
	return e != nil && int64(e.Size-e.Bytes) > records*int64(n.Slab.Front(l).Size)
}

// Enter is Deliver and Poll in one for what is Coming. What it returns holds until something is sent.
func (n *Network) Enter(now event.Time, c event.Channel) *Entry {
	ch, w := &n.Channels[c], &n.Wires[c]
	e := ch.Wire.take()
	g := &n.Gates[w.Gate]
	e.Exclusive = g.Gate.mustTake(int(w.Input))
	ch.BytesIn += int64(e.Bytes)
	ch.Unread += int64(e.Bytes)
	n.InFlight -= int64(e.Bytes)
	n.feed.Emit(event.Event{At: now, Kind: event.BufferReceived, Channel: c, A: int64(e.Bytes), N: e.Records})
	ch.Input.sequence++
	n.grant(now, g, g.Gate.Backlog(int(w.Input), int(e.Backlog), n.grants[:0]))
	return e
}
