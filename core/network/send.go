package network

import (
	"checkpointlab/core/event"
	"checkpointlab/core/sim"
)

// sender is the network thread of a producer. It writes one buffer after another: the next one is taken from its
// subpartition when the one before is handed to the operating system, and a connection is written to until there is nothing
// more that it may take (PartitionRequestQueue.writeAndFlushNextMessageIfPossible). Events take no time.
type sender struct {
	line    []int32    // channels of the partition that could be read, longest waiting first
	in      fresh      // which ones stand in line
	until   event.Time // the buffer in work is written by then
	writing bool       // in the middle of the line; an event goes on with it
	gen     uint32     // counts restarts, so that an event of before is dropped
}

// sendInTurn lets the thread write what it may take from c when it is free.
func (n *Network) sendInTurn(now event.Time, c event.Channel) {
	p := n.Wires[c].Partition
	part := &n.Partitions[p]
	s, i := &part.sender, c-part.First
	if !n.readable(&n.Channels[c]) || s.in.has(i) {
		return
	}
	s.in.add(i)
	if s.line = append(s.line, i); !s.writing {
		n.sendOn(now, p)
	}
}

// sendOn goes on with the line of a producer's thread.
func (n *Network) sendOn(now event.Time, p int32) {
	part := &n.Partitions[p]
	s := &part.sender
	s.writing = true
	for len(s.line) > 0 {
		c := part.First + s.line[0]
		for s.until <= now && n.Take(now, c) {
		}
		if s.until > now {
			n.queue.Push(sim.Item{At: s.until, Kind: event.DueSend, Gen: s.gen, A: p})
			return
		}
		s.in.remove(s.line[0])
		s.line = append(s.line[:0], s.line[1:]...)
	}
	s.writing = false
}

// SendOn is the network thread of a partition's producer being done with a buffer.
func (n *Network) SendOn(now event.Time, p int32, gen uint32) {
	if int(p) < len(n.Partitions) && n.Partitions[p].sender.gen == gen { // the first: not of a wider phase
		n.sendOn(now, p)
	}
}

// reset forgets what was to be written.
func (s *sender) reset() {
	clear(s.in)
	*s = sender{line: s.line[:0], in: s.in, gen: s.gen + 1}
}

func (s *sender) copyFrom(src *sender) {
	line, in := append(s.line[:0], src.line...), append(s.in[:0], src.in...)
	*s = *src
	s.line, s.in = line, in
}

// written is when a buffer that the sender of c begins to write now is with the receiver.
func (n *Network) written(now event.Time, c event.Channel, bytes int32) event.Time {
	if n.Send > 0 {
		now = n.busyUntil(now, c, bytes)
	}
	return n.arrival(now, bytes)
}

// busyUntil lets the sender of c write that many bytes from now on.
//
//go:noinline
func (n *Network) busyUntil(now event.Time, c event.Channel, bytes int32) event.Time {
	now += event.Time(bytes) * n.Send / 1000
	n.Partitions[n.Wires[c].Partition].sender.until = now
	return now
}

// arrival is when the bytes that leave a sender at that instant are with the receiver: its network thread reads them, which
// all of them share one core for.
func (n *Network) arrival(at event.Time, bytes int32) event.Time {
	if n.Receive > 0 {
		at = n.read(at, bytes)
	}
	return at + n.Latency
}

// read is when a receiver's thread has read bytes that left their sender at that instant.
//
//go:noinline
func (n *Network) read(at event.Time, bytes int32) event.Time {
	n.busy = max(n.busy, at) + event.Time(bytes)*n.Receive/1000
	return n.busy
}

// backAt is when a message of the receiver is with the sender of c.
func (n *Network) backAt(now event.Time, c event.Channel) event.Time {
	if n.Wires[c].Local {
		return now
	}
	n.unanswered(now, c)
	return n.arrival(now, 0)
}

// ReadOn lets the receivers' threads read on what had left its senders in the network before: the threads are the processes'.
func (n *Network) ReadOn(before *Network) { n.busy = before.busy }
