package network

import (
	"checkpointlab/core/event"
)

// In-flight data that a checkpoint has stored, put back into queues.

// Refill puts restored output state into the subpartition of c, behind what is there (spec 9.3).
func (n *Network) Refill(now event.Time, c event.Channel, from *event.Slab, l event.Runs) {
	ch := &n.Channels[c]
	n.pack(from, l, func(e Entry) { ch.Add(e) })
	n.freshen(c)
	n.pump(now, c)
}

// Preload puts restored input state into the receiver's queue of c.
func (n *Network) Preload(c event.Channel, from *event.Slab, l event.Runs) {
	ch, w := &n.Channels[c], &n.Wires[c]
	n.pack(from, l, func(e Entry) {
		ch.Input.Add(e)
		n.queueUp(&n.Gates[w.Gate], ch, w.Input, false)
	})
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
