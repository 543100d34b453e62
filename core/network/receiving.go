package network

import (
	"checkpointlab/core/event"
)

// The receiver's side: off the wire, into the queue, to the task, and the credit that goes back.

// Deliver takes the head of the wire into the receiver's queue. It returns the consumer, the entry as it was received, which
// holds until something else is sent, and what its arrival means. An empty buffer gives its place back at once and is nil.
func (n *Network) Deliver(now event.Time, c event.Channel) (consumer event.Task, e *Entry, a Arrival) {
	ch, w := &n.Channels[c], &n.Wires[c]
	e = ch.Wire.first()
	g := &n.Gates[w.Gate]
	if e.Kind == Data {
		if e.Bytes == 0 {
			n.deliverEmpty(now, ch, w, ch.Wire.take())
			return w.Consumer, nil, a
		}
		e.Exclusive = g.Gate.mustTake(int(w.Input))
		ch.BytesIn += int64(e.Bytes)
		n.feed.Buffer(event.BufferReceived, now, c, int64(e.Bytes), e.Records)
	}
	if e.Flags&Blocking != 0 {
		n.grant(now, g, g.Gate.UpstreamBlocked(int(w.Input), n.grants[:0]))
	}
	backlog := int(e.Backlog)
	e, a = ch.Input.take(&ch.Wire)
	n.grant(now, g, g.Gate.Backlog(int(w.Input), backlog, n.grants[:0]))
	n.queueUp(g, ch, w.Input, a.FirstPriority)
	return w.Consumer, e, a
}

// deliverEmpty is the end of a buffer that was sent before its writer was done with it, on its own: without exclusive buffers it goes,
// too, so that the buffer that its credit stands for is free (PipelinedSubpartition.pollBuffer, RemoteInputChannel.onEmptyBuffer).
//
//go:noinline
func (n *Network) deliverEmpty(now event.Time, ch *Channel, w *Wire, e *Entry) {
	g := &n.Gates[w.Gate]
	ch.Input.sequence++
	n.grant(now, g, g.Gate.Recycle(int(w.Input), g.Gate.mustTake(int(w.Input)), n.grants[:0]))
	n.grant(now, g, g.Gate.Backlog(int(w.Input), int(e.Backlog), n.grants[:0]))
}

// push appends to the line; what is ahead of it in base is used again when half of base is.
func (g *GateLine) push(in int32) {
	if len(g.line) == cap(g.line) {
		g.again()
	}
	g.line = append(g.line, in)
}

// again brings the line to the front of base, or of a longer one.
//
//go:noinline
func (g *GateLine) again() {
	if 2*len(g.line) >= len(g.base) {
		g.base = make([]int32, max(8, 2*len(g.base)))
	}
	g.line = append(g.base[:0], g.line...)
}

// queueUp puts a channel into its gate's line, ahead of those without a priority event if it has one.
func (n *Network) queueUp(g *GateLine, ch *Channel, in int32, urgent bool) {
	switch {
	case urgent:
		g.pushAhead(ch, in)
	case !ch.Queued:
		ch.Queued = true
		g.push(in)
	}
}

// pushAhead is queueUp for one with a priority event.
func (g *GateLine) pushAhead(ch *Channel, in int32) {
	at := len(g.line)
	if ch.Queued {
		for at = 0; g.line[at] != in; {
			at++
		}
	} else {
		ch.Queued = true
		g.push(in)
	}
	for ; at > g.prio; at-- {
		g.line[at] = g.line[at-1]
	}
	g.line[g.prio] = in
	g.prio++
}

// Prioritize moves the announced barrier of c to the front: its alignment has timed out (spec 3.5).
func (n *Network) Prioritize(c event.Channel, sequence int32) {
	ch, w := &n.Channels[c], &n.Wires[c]
	n.queueUp(&n.Gates[w.Gate], ch, w.Input, ch.Input.Prioritize(sequence))
}

// Urgent reports whether a gate has a priority event.
func (n *Network) Urgent(g int32) bool { return n.Gates[g].prio > 0 }

// grant announces gained credit to the producers.
func (n *Network) grant(now event.Time, g *GateLine, grants []Grant) {
	if len(grants) > 0 {
		n.announceAll(now, g, grants)
	}
}

func (n *Network) announceAll(now event.Time, g *GateLine, grants []Grant) {
	n.grants = grants
	for _, gr := range grants {
		if k := g.Gate.Announce(int(gr.Channel)); k > 0 {
			n.announceCredit(now, g.First[gr.Channel], int32(k))
		}
	}
}

// GiveCredit is credit arriving at the sender of c.
func (n *Network) GiveCredit(now event.Time, c event.Channel, k int) {
	n.Channels[c].starved = false
	n.Channels[c].Credit += int32(k)
	n.Channels[c].told = 0
	n.pump(now, c)
}

// Resume asks the sender of c to go on after an alignment.
func (n *Network) Resume(now event.Time, c event.Channel) {
	w := &n.Wires[c]
	g := &n.Gates[w.Gate]
	n.grant(now, g, g.Gate.Resumed(int(w.Input), n.grants[:0]))
	n.queue.PushInLane(event.LaneNetwork, n.resumeItem(now, c))
}

// Resumed is ResumeConsumption arriving at the sender of c.
func (n *Network) Resumed(now event.Time, c event.Channel) {
	ch := &n.Channels[c]
	if !ch.Blocked {
		return
	}
	ch.Blocked = false
	if n.exclusive == 0 {
		ch.Credit = 0 // what was granted before went back at the barrier (spec 4.3)
	}
	n.feed.Emit(event.Event{At: now, Kind: event.ChannelResumed, Channel: c})
	n.pump(now, c)
}

// Poll takes the next entry of a gate: priority events first, then channels with data in turn, one entry each
// (SingleInputGate). It is nil if there is none, and holds until something else is received.
func (n *Network) Poll(now event.Time, g int32) (c event.Channel, e *Entry) {
	line := &n.Gates[g]
	if len(line.line) >= lineBatch && len(line.line)%lineBatch == 0 {
		n.fetchLine(line)
	}
	for len(line.line) > 0 {
		in := line.line[0]
		c = line.First[in]
		ch := &n.Channels[c]
		line.line = line.line[1:]
		line.prio = max(0, line.prio-1)
		ch.Queued = false
		if ch.local {
			e = n.pollLocal(now, c)
		} else if e = ch.Input.poll(); ch.Input.places.n > 0 {
			n.queueUp(line, ch, in, ch.Input.urgent > 0)
		}
		if e != nil {
			if e.Kind != Data {
				line.In.takeEvent(e, ch.local)
				return c, e
			}
			n.InFlight -= int64(e.Bytes)
			if !e.Extra {
				line.In.of(ch.local).add(1, int64(e.Bytes))
			}
			return c, e
		}
	}
	return 0, nil
}

// Waiting reports whether a gate has something to poll.
func (n *Network) Waiting(g int32) bool { return len(n.Gates[g].line) > 0 }

// Recycle gives the consumed buffer e of channel c back. It reports whether it was the last one of its gate's restored input.
func (n *Network) Recycle(now event.Time, c event.Channel, e *Entry) (restored bool) {
	w := &n.Wires[c]
	g := &n.Gates[w.Gate]
	switch {
	case e.Extra && g.restored > 0:
		g.restored--
		return g.restored == 0
	case e.Extra: // it held nothing up
	case w.Local:
		n.recycleLocal(now, c, e)
	default:
		n.grant(now, g, g.Gate.Recycle(int(w.Input), e.Exclusive, n.grants[:0]))
	}
	return false
}
