package network

import "checkpointlab/core/event"

// A BROADCAST exchange writes each record once, into a segment shared by all of its subpartitions: the pool counts it for
// subpartition 0, its size is the least that any channel's receiver wants, and it is returned when the last channel has sent it
// (BufferWritingResultPartition.broadcastRecord, requestNewBroadcastBufferBuilder, createBroadcastBufferConsumers; spec 4.2).
// So one slow consumer holds up all of them.

// shared counts the segments of a broadcast: every channel gives them back in the order in which they were taken.
type shared struct {
	readers []int32 // channels that have not given it back, by segment in use, oldest first
	back    int64   // segments that are wholly back
}

func (s *shared) copyFrom(src *shared) {
	s.readers, s.back = append(s.readers[:0], src.readers...), src.back
}

// writeAll appends the records of r to the shared segment and, as needed, to further ones. A record that waits for a segment
// stays pending in the first channel, which stands for all.
func (n *Network) writeAll(now event.Time, p int32, r event.Run) (waiting int) {
	part := &n.Partitions[p]
	lead := &n.Channels[part.First]
	for r.Count > 0 {
		e := lead.open()
		if e == nil {
			if !n.requestShared(now, p, r.Size) {
				if r.Count > 1 {
					panic("network: a step ran past its boundary")
				}
				part.pending, part.stuck, lead.need = r, part.First+1, r.Size
				return 1
			}
			continue
		}
		n.extendAll(part, e, &r)
		if whole := min(int64((e.Size-e.Bytes)/r.Size), r.Count); whole > 0 {
			n.putAll(p, int32(whole)*r.Size, r.Cut(whole))
			continue
		}
		part.pending, part.stuck, lead.need = r.Cut(1), part.First+1, r.Size
		if !n.spanAll(now, p) {
			if r.Count > 0 {
				panic("network: a step ran past its boundary")
			}
			return 1
		}
	}
	return 0
}

// spanAll continues the pending record over as many segments as it needs; false: one is missing.
func (n *Network) spanAll(now event.Time, p int32) bool {
	part := &n.Partitions[p]
	lead := &n.Channels[part.First]
	for lead.need > 0 {
		e := lead.open()
		if e == nil {
			if !n.requestShared(now, p, lead.need) {
				return false
			}
			continue
		}
		if lead.need == part.pending.Size { // it begins here
			n.extendAll(part, e, &part.pending)
		}
		bytes := min(lead.need, e.Size-e.Bytes)
		if lead.need -= bytes; lead.need == 0 {
			part.stuck = 0
			n.putAll(p, bytes, part.pending)
		} else {
			n.putAll(p, bytes, event.Run{})
		}
	}
	return true
}

// extendAll is extend of the shared segment, of which lead is the first channel's buffer.
func (n *Network) extendAll(part *Partition, lead *Entry, r *event.Run) {
	if !n.extends || lead.Size == n.whole {
		return
	}
	n.extend(part, lead, r)
	for c := part.First + 1; c < part.First+event.Channel(part.Count); c++ {
		n.Channels[c].open().Size = lead.Size
	}
}

// putAll books bytes into the shared segment, with the records that end in it.
func (n *Network) putAll(p, bytes int32, r event.Run) {
	part := &n.Partitions[p]
	for c := part.First; c < part.First+event.Channel(part.Count); c++ {
		e := n.Channels[c].open()
		part.fresh.add(c - part.First)
		e.Bytes += bytes
		n.InFlight += int64(bytes)
		if r.Count > 0 {
			e.Records += r.Count
			n.Slab.Append(&e.Runs, &r)
		}
		part.finishFull(e)
	}
}

// EmitToAll writes a watermark to every channel of a partition, one after the other (ChannelSelectorRecordWriter.broadcastEmit;
// a BROADCAST exchange writes it once). It reports how many channels wait for a segment; Continue goes on with it.
func (n *Network) EmitToAll(now event.Time, p int32, r event.Run) (waiting int) {
	part := &n.Partitions[p]
	if part.All {
		return n.writeAll(now, p, r)
	}
	part.mark, part.markAt = r, 0
	return n.emitOn(now, p)
}

// emitOn goes on with what is written to every channel.
func (n *Network) emitOn(now event.Time, p int32) (waiting int) {
	part := &n.Partitions[p]
	for part.mark.Count > 0 {
		if part.markAt == part.Count {
			part.mark, part.markAt = event.Run{}, 0
			break
		}
		c := part.First + part.markAt
		part.markAt++
		mark := part.mark
		if n.write(now, p, c, &mark) > 0 {
			return 1
		}
	}
	return 0
}

// requestShared takes a segment for all channels, into which so many bytes of a record are to be written.
func (n *Network) requestShared(now event.Time, p, bytes int32) bool {
	part := &n.Partitions[p]
	if !part.Pool.Take(0) {
		return false
	}
	part.shared.readers = append(part.shared.readers, part.Count)
	size := n.Channels[part.First].Usable
	for c := part.First; c < part.First+event.Channel(part.Count); c++ {
		size = min(size, n.Channels[c].Usable)
	}
	for c := part.First; c < part.First+event.Channel(part.Count); c++ {
		n.open(now, c, n.sizeFor(size, bytes))
	}
	return true
}

// giveBack is a segment that channel c has handed out wholly: of a broadcast the last channel to do so frees it.
func (n *Network) giveBack(now event.Time, c event.Channel) {
	w := &n.Wires[c]
	part := &n.Partitions[w.Partition]
	sub := int(w.Sub)
	if part.All {
		if !n.lastBack(part, c) {
			return
		}
		sub = 0
	}
	part.Pool.Recycle(sub)
	n.producers.Wake(now, w.Producer)
}

// lastBack reports whether c is the last channel of a broadcast to give a segment back.
//
//go:noinline
func (n *Network) lastBack(part *Partition, c event.Channel) bool {
	s, ch := &part.shared, &n.Channels[c]
	s.readers[ch.returned-int32(s.back)]--
	ch.returned++
	if s.readers[0] > 0 {
		return false
	}
	s.readers = s.readers[:copy(s.readers, s.readers[1:])]
	s.back++
	return true
}
