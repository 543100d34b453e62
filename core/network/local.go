package network

import (
	"checkpointlab/core/event"
	"checkpointlab/core/sim"
)

// A local channel joins two tasks of one task manager (LocalInputChannel): no credit, no copy, no announcement. The
// consumer reads the producer's subpartition, and the segment goes back to the producer's pool when the consumer has
// read it, so a slow consumer shows as an exhausted pool of its producer (spec 4.3).

// offer puts a local channel that can be read into its gate's line and notifies the consumer.
func (n *Network) offer(now event.Time, c event.Channel) {
	if urgent, ok := n.lineUp(c); ok {
		n.producers.Offered(now, n.Wires[c].Consumer, c, urgent)
	}
}

// lineUp puts a local channel into its gate's line; ok is false if it cannot be read or is already in line.
func (n *Network) lineUp(c event.Channel) (urgent, ok bool) {
	ch, w := &n.Channels[c], &n.Wires[c]
	g := &n.Gates[w.Gate]
	if urgent = n.urgentLocal(ch); !urgent && ch.Input.Len() == 0 && !n.readable(ch) {
		return false, false
	}
	for i := 0; urgent && i < g.prio; i++ {
		if g.line[i] == w.Input {
			return true, false
		}
	}
	if ch.Queued && !urgent {
		return false, false
	}
	n.queueUp(g, ch, w.Input, urgent)
	return urgent, true
}

// urgentLocal reports whether a local channel has a priority event, which alone comes ahead of restored data
// (LocalInputChannel.getNextRecoveredBuffer).
func (n *Network) urgentLocal(ch *Channel) bool {
	return n.readable(ch) && ch.Queue.first().Flags&Priority != 0
}

// pollLocal is Poll of a local channel, which lines up again if it has more.
func (n *Network) pollLocal(now event.Time, c event.Channel) (e *Entry) {
	var ok bool
	if n.polled, ok = n.takeLocal(now, c); ok {
		e = &n.polled
	}
	n.lineUp(c)
	return e
}

// takeLocal takes the head of a subpartition for its consumer.
func (n *Network) takeLocal(now event.Time, c event.Channel) (Entry, bool) {
	ch := &n.Channels[c]
	if ch.Input.Len() > 0 && !n.urgentLocal(ch) {
		return ch.Input.Poll()
	}
	for more := n.bookedReadable(now, c, ch); more; more = ch.Queue.n > 0 {
		e := ch.Queue.first()
		switch {
		case e.Kind != Data:
			ev := ch.popEvent()
			n.leave(now, c, &ev)
			ev.Persist = int32(ch.Input.Pass(&ev))
			return ev, true
		case e.Sent == e.Bytes && !e.Finished:
			ch.flush = false
			return Entry{}, false
		case e.Sent == e.Bytes:
			n.dropHead(now, c, ch)
			n.Gates[n.Wires[c].Gate].In.Local.add(1, 0) // it counts although it is skipped (LocalInputChannel.getNextBuffer)
		default:
			out := n.sliceLocal(now, c, e)
			out.Persist = int32(ch.Input.Pass(&out))
			return out, true
		}
	}
	return Entry{}, false
}

// sliceLocal hands the unread part of the head buffer to the consumer; with the last slice goes the duty to return the segment.
func (n *Network) sliceLocal(now event.Time, c event.Channel, e *Entry) Entry {
	ch := &n.Channels[c]
	out := Entry{Kind: Data, Finished: true, Bytes: e.Bytes - e.Sent, Size: e.Size, Records: e.Records, Runs: e.Runs, ID: e.ID}
	e.Sent, e.Records, e.Runs = e.Bytes, 0, event.EmptyRuns
	if ch.Queue.Len() == 1 {
		ch.flush = false
	}
	if e.Finished {
		out.Lent = !e.Extra
		ch.Queue.Pop()
		ch.data--
	}
	n.leave(now, c, &out)
	ch.BytesIn += int64(out.Bytes)
	n.feed.Emit(event.Event{At: now, Kind: event.BufferReceived, Channel: c, A: int64(out.Bytes), N: out.Records})
	return out
}

// recycleLocal gives a segment back to the producer.
func (n *Network) recycleLocal(now event.Time, c event.Channel, e *Entry) {
	if e.Lent {
		n.giveBack(now, c)
	}
}

// resumeItem is the due item of a ResumeConsumption under way.
func (n *Network) resumeItem(now event.Time, c event.Channel) sim.Item {
	return sim.Item{At: n.backAt(now, c), Kind: event.DueResume, Gen: n.Channels[c].Gen, A: c}
}
