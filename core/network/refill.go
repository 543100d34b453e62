package network

import (
	"checkpointlab/core/event"
	"checkpointlab/core/sim"
)

// In-flight data that a checkpoint has stored, put back into queues.

// Refill puts restored output state into the subpartition of c, behind what is there (spec 9.3).
func (n *Network) Refill(now event.Time, c event.Channel, from *event.Slab, l event.Runs) {
	ch := &n.Channels[c]
	n.pack(from, l, func(e Entry) { ch.Add(e) })
	n.freshen(c)
	n.pump(now, c)
}

// Preload puts restored data into the receiver's queue of c, before any Refill. If it holds, the gate asks for its partitions only
// when all that it was given is consumed: until then nothing passes its channels (StreamTask.restoreStateAndGates,
// RecoveredInputChannel, SingleInputGate.getStateConsumedFuture). Else the data is the first that the real channel has
// (RecoveredInputChannel.toInputChannel).
func (n *Network) Preload(c event.Channel, from *event.Slab, l event.Runs, holds bool) {
	ch, w := &n.Channels[c], &n.Wires[c]
	g := &n.Gates[w.Gate]
	n.pack(from, l, func(e Entry) {
		if holds {
			g.restored++
		}
		if g.restored == 1 {
			for _, o := range g.First {
				n.Channels[o].shut |= unasked
			}
		}
		ch.Input.Add(e)
		n.queueUp(g, ch, w.Input, false)
	})
}

// Restored is how many buffers of restored input a gate has still to consume, the one in the task's hand included.
func (n *Network) Restored(g int32) int { return int(n.Gates[g].restored) }

// Ask asks for the partitions of a gate that has consumed its restored input (SingleInputGate.requestPartitions). A local channel can
// be read at once, the request for another one takes the network's time.
func (n *Network) Ask(now event.Time, g int32) {
	for _, c := range n.Gates[g].First {
		if n.Wires[c].Local {
			n.Channels[c].shut &^= unasked
			n.lineUp(c)
			continue
		}
		n.queue.PushInLane(event.LaneNetwork, sim.Item{At: n.backAt(now, c), Kind: event.DueAsked, Gen: n.Channels[c].Gen, A: c})
	}
}

// Asked is the request for a partition arriving at the sender of c: it brings the credit that a channel begins with
// (RemoteInputChannel.requestSubpartitions, PartitionRequest).
func (n *Network) Asked(now event.Time, c event.Channel) {
	n.Channels[c].shut &^= unasked
	n.pump(now, c)
}

// pack fills finished buffers of a segment's size with the records of a list in from. A record that does not fit goes on in
// the next one.
func (n *Network) pack(from *event.Slab, l event.Runs, take func(Entry)) {
	empty := Entry{Kind: Data, Extra: true, Finished: true, Size: n.Segment, Runs: event.EmptyRuns}
	e := empty
	put := func(bytes int32) {
		n.InFlight += int64(bytes)
		if e.Bytes += bytes; e.Bytes == e.Size {
			take(e)
			e = empty
		}
	}
	for i := l.First(); i >= 0; i = from.Next(i) {
		for r := *from.At(i); r.Count > 0; {
			whole := min(r.Count, int64((e.Size-e.Bytes)/r.Size))
			left := int32(whole) * r.Size
			if whole == 0 {
				whole, left = 1, r.Size
			}
			for ; left > e.Size-e.Bytes; put(e.Size - e.Bytes) {
				left -= e.Size - e.Bytes
			}
			head := r.Cut(whole)
			n.Slab.Append(&e.Runs, &head)
			e.Records += whole
			put(left)
		}
	}
	if e.Bytes > 0 {
		take(e)
	}
}
