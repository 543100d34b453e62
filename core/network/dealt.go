package network

import "checkpointlab/core/event"

// Outputs that deal their records to several channels, while the job runs express. Such a channel changes with each tick of its
// sender and with each buffer that arrives. What cannot be counted for all channels together is a spoke, less than a cache
// line; those of one sender lie side by side. The receiver's side follows from it: whatever was sent and is not under way has
// arrived, and its credit is on its way back or back.

// spoke is a channel that has at most one open buffer and nothing else in its queue.
type spoke struct {
	last    event.Time // when the newest buffer left, long ago if its credit is back
	seq     int64      // that credit's place in the order of events, if it is not back yet
	many    event.Runs // what is written to the open buffer and not sent
	total   int64      // bytes of all buffers sent, that under way when it began included
	records int32      // in many
	bytes   int32      // of the open buffer, 0 = there is none; sent of which are sent
	sent    int32
	sends   int32 // buffers
}

// longAgo is earlier than any credit that can still be under way.
const longAgo = -event.Never / 2

// Dealt reports whether an output deals to several channels.
func (n *Network) Dealt(p int32) bool {
	part := &n.Partitions[p]
	return part.only < 0 && !part.All && part.looks.at == 0
}

// FirstOf is the first channel of an output.
func (n *Network) FirstOf(p int32) event.Channel { return n.Partitions[p].First }

// ConsumerOf is the task that reads a channel.
func (n *Network) ConsumerOf(c event.Channel) event.Task { return n.Wires[c].Consumer }

// mostSpokes is the largest number of channels that are dealt to express. With more, beginning and ending a ride takes longer
// than the ride saves up to the next checkpoint: 10⁶ channels fill 50 MB.
const mostSpokes = 1 << 17

// FewSpokes reports whether an output's channels are few enough to be dealt to express.
func (n *Network) FewSpokes(p int32) bool {
	part := &n.Partitions[p]
	return int(part.First+part.Count) <= mostSpokes
}

// MayDeal reports whether spokes can represent output p, which deals to several channels: every channel may have an open buffer
// and still leave a segment free.
func (n *Network) MayDeal(p int32) bool {
	part := &n.Partitions[p]
	if part.stuck != 0 || part.Pool.full > 0 || part.Pool.size < part.Count+2 {
		return false
	}
	for c := part.First; c < part.First+part.Count; c++ {
		if ch := &n.Channels[c]; !n.mayTrack(part, c, 1) || ch.Usable != n.Segment || ch.Queue.n > 0 && ch.Queue.first().Size != n.Segment {
			return false
		}
	}
	return true
}

// MayGather is MayDeal for the gate on the receiving side. inHand is the channel whose buffer is in work, -1 = none.
func (n *Network) MayGather(g int32, inHand event.Channel) bool {
	gate := &n.Gates[g]
	free := gate.Gate.floating
	if inHand >= 0 {
		free--
	}
	if n.exclusive == 0 || len(gate.line) > 0 || gate.Gate.free != free || gate.Gate.free == 0 {
		return false
	}
	for in, c := range gate.First {
		if q := &n.Channels[c].Input; q.Len() > 0 || q.status == barrierPending || !gate.Gate.circles(in, c == inHand) {
			return false
		}
	}
	return true
}

// Floating is how many buffers may wait in a gate at once while each still returns its credit on arrival.
func (n *Network) Floating(g int32) int { return int(n.Gates[g].Gate.floating) }

// TakeSpokes takes over the channels of an output for which MayDeal is true, without what is under way.
func (x *Tracks) TakeSpokes(p int32) {
	n := x.net
	part := &n.Partitions[p]
	if most := int(part.First + part.Count); len(x.spokes) < most {
		x.spokes = append(x.spokes, make([]spoke, most-len(x.spokes))...)
	}
	for c := part.First; c < part.First+part.Count; c++ {
		ch, s := &n.Channels[c], &x.spokes[c]
		*s = spoke{many: event.EmptyRuns, last: longAgo}
		if e := ch.open(); e != nil {
			s.many, s.records, s.bytes, s.sent = e.Runs, int32(e.Records), e.Bytes, e.Sent
		}
		if n.mature(ch); ch.comes > 0 {
			s.last, s.seq = ch.comesAt-2*n.Latency, ch.comesSeq
			ch.Credit += ch.comes
			ch.comes = 0
		}
	}
}

// HandOver counts the buffer of c in its consumer's hand, with so many records, as processed.
func (x *Tracks) HandOver(c event.Channel, records int32) {
	ch, w := &x.net.Channels[c], &x.net.Wires[c]
	x.net.Gates[w.Gate].Gate.unhold(int(w.Input))
	ch.Unread -= int64(records) * int64(x.size)
}

// HandBack undoes HandOver.
func (x *Tracks) HandBack(c event.Channel, records int32, held Holding) {
	ch, w := &x.net.Channels[c], &x.net.Wires[c]
	x.net.Gates[w.Gate].Gate.hold(int(w.Input), held)
	ch.Unread += int64(records) * int64(x.size)
}

// takeSpoke counts a buffer under way as arrived and processed.
func (x *Tracks) takeSpoke(s *Sent) {
	k, ch := &x.spokes[s.Channel], &x.net.Channels[s.Channel]
	k.last, k.sends, k.total = s.At-x.net.Latency, 1, int64(s.Bytes)
	ch.Credit++
	ch.BytesOut -= int64(s.Bytes)
	x.unevenly(ch, s.Bytes, s.Records, 1)
}

// ReturnUnderWay makes buffers in dealt channels count as under way again, before ReturnSpokes.
func (x *Tracks) ReturnUnderWay() {
	for i := range x.n {
		if s := x.Later(i); x.net.Dealt(x.net.Wires[s.Channel].Partition) {
			x.returnSpoke(s)
		}
	}
}

// returnSpoke undoes takeSpoke.
func (x *Tracks) returnSpoke(s *Sent) {
	k, ch := &x.spokes[s.Channel], &x.net.Channels[s.Channel]
	k.last = longAgo
	k.sends--
	k.total -= int64(s.Bytes)
	ch.Credit--
	ch.BytesOut += int64(s.Bytes)
	ch.told = 0
	x.unevenly(ch, s.Bytes, s.Records, -1)
}

// unevenly books a buffer in which a record ends or begins that spans two buffers: the bytes read from it are not the bytes of
// its records.
func (x *Tracks) unevenly(ch *Channel, bytes, records int32, times int64) {
	ch.Unread += times * (int64(bytes) - int64(records)*int64(x.size))
}

// ReturnSpokes gives the channels of an output back at an instant, after returnSpoke for what is under way.
func (x *Tracks) ReturnSpokes(now event.Time, p int32) {
	n := x.net
	part := &n.Partitions[p]
	for i := range part.Count {
		c := part.First + i
		ch, s, w := &n.Channels[c], &x.spokes[c], &n.Wires[c]
		if s.bytes > 0 {
			if ch.open() == nil {
				part.Pool.Take(int(i))
				ch.Add(Entry{Kind: Data, Size: ch.Usable, Runs: event.EmptyRuns})
			}
			e := ch.Queue.first()
			e.Runs, e.Records, e.Bytes, e.Sent = s.many, int64(s.records), s.bytes, s.sent
			part.finishFull(e)
		} else {
			n.noOpen(part, ch, i)
		}
		if part.fresh.remove(i); s.bytes > s.sent {
			part.fresh.add(i)
		}
		if s.sends > 0 {
			ch.BytesOut += s.total
			ch.BytesIn += s.total
			ch.Input.sequence += s.sends
			ch.told = 0
			line := &n.Gates[w.Gate]
			line.In.Remote.add(int64(s.sends), s.total)
			g := &line.Gate
			g.channels[w.Input].required = g.channels[w.Input].initial
		}
		if back := s.last + 2*n.Latency; back >= now {
			ch.Credit--
			ch.comes, ch.comesAt, ch.comesSeq = 1, back, s.seq
		}
	}
}

// MayLeave reports whether the credit for the last buffer of c is back when the next one leaves.
func (x *Tracks) MayLeave(at event.Time, c event.Channel) bool {
	return x.spokes[c].last+2*x.net.Latency < at
}

// Unsent is the set of an output's channels, one bit each, in which something may be written and not sent.
func (x *Tracks) Unsent(p int32) []uint64 { return x.net.Partitions[p].fresh }

// Sends is how many bytes and records a channel would send if so many more records were written.
func (x *Tracks) Sends(c event.Channel, more int32) (bytes, records int32) {
	s := &x.spokes[c]
	return s.bytes - s.sent + more*x.size, s.records + more
}

// Deal appends what each channel of an output gets of the next n records.
func (x *Tracks) Deal(p int32, n int64, out []event.Share) []event.Share {
	return x.net.Dealers[p].Deal(x.net.Partitions[p].Emitted, n, out, x.net.dealt)
}

// Dealt counts records of an output that were dealt.
func (x *Tracks) Dealt(p int32, n int64) {
	x.net.Partitions[p].Emitted += n
	x.net.InFlight += n * int64(x.size)
}

// WriteTo appends a run to the open buffer of c, in which it ends.
func (x *Tracks) WriteTo(c event.Channel, r *event.Run) {
	s := &x.spokes[c]
	s.bytes += int32(r.Count) * x.size
	s.records += int32(r.Count)
	x.net.Slab.Append(&s.many, r)
	x.net.freshen(c)
}

// Leaves writes so many records to c and sends everything in its open buffer at an instant. It returns the runs of what was
// written before.
func (x *Tracks) Leaves(at event.Time, c event.Channel, more int32) event.Runs {
	s := &x.spokes[c]
	s.bytes += more * x.size
	if bytes, records := s.bytes-s.sent, s.records+more; bytes != records*x.size {
		x.unevenly(&x.net.Channels[c], bytes, records, 1)
	}
	s.total += int64(s.bytes - s.sent)
	s.sends++
	s.last, s.sent, s.records = at, s.bytes, 0
	if s.sent == x.net.Segment { // full, it goes as a whole
		x.net.Partitions[x.net.Wires[c].Partition].Out.add(1, int64(s.sent))
		s.bytes, s.sent = 0, 0
	}
	many := s.many
	s.many = event.EmptyRuns
	return many
}

// AllSent notes that everything an output has written is sent.
func (x *Tracks) AllSent(p int32) { clear(x.net.Partitions[p].fresh) }

// CreditOf sets the place in the order of events of the credit for c's last buffer.
func (x *Tracks) CreditOf(c event.Channel, seq int64) { x.spokes[c].seq = seq }

// fits is how many records a step may write into a buffer that holds so many bytes: the last of them fills or overflows it, or
// opens the next one.
func (x *Tracks) fits(bytes int32) int64 {
	return max(1, int64((x.net.Segment-bytes+x.size-1)/x.size))
}

// UntilFull is Network.Boundary for an output that runs express.
func (x *Tracks) UntilFull(p int32, limit int64) int64 {
	n := x.net
	part := &n.Partitions[p]
	if part.Count > few {
		limit = min(limit, farthest)
	}
	for i := range part.Count {
		if fits := x.fits(x.spokes[part.First+i].bytes); fits <= limit {
			limit = sooner(n.Dealers[p], i, part.Emitted, fits, limit)
		}
	}
	return limit
}

// GoesOver reports whether the last of so many more records begins or continues in the next buffer of c.
func (x *Tracks) GoesOver(c event.Channel, more int64) bool {
	return int64(x.spokes[c].bytes)+more*int64(x.size) > int64(x.net.Segment)
}

// WriteOver appends a run to c whose last record GoesOver: what is new in the open buffer goes onto the wire.
func (x *Tracks) WriteOver(at event.Time, c event.Channel, r *event.Run) {
	s, n := &x.spokes[c], x.net
	w := &n.Wires[c]
	rest := s.bytes + int32(r.Count)*x.size - n.Segment
	if r.Count > 1 {
		head := r.Cut(r.Count - 1)
		x.WriteTo(c, &head)
	}
	on := x.grow()
	*on = Sent{Due: Due{At: at + n.Latency}, Bytes: n.Segment - s.sent, Records: s.records, Producer: w.Producer, Consumer: w.Consumer, Channel: c}
	s.bytes = n.Segment
	on.Many = x.Leaves(at, c, 0)
	x.TellSent(on)
	x.WriteTo(c, r)
	s.bytes = rest
}
