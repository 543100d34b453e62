package network

import "checkpointlab/core/event"

// Outputs that deal their records to several channels, while the job runs express (task/dealt.go). Such a channel changes with each tick
// of its sender and with each buffer that arrives; what of that cannot be counted for all channels together is a spoke, less than a cache
// line, and those of one sender lie side by side. The receiver's side follows from it: what was sent and is not under way has
// come, and its credit is on its way back or back.

// spoke is a channel with an open buffer or none and nothing else in its queue.
type spoke struct {
	last    event.Time // when the newest buffer left, long ago if its credit is back
	seq     int64      // the place of that credit, if it is not back yet
	many    event.Runs // what is written to the open buffer and not sent
	total   int64      // bytes of all buffers sent, that under way when it began included
	records int32      // in many
	bytes   int32      // of the open buffer, 0 = there is none; sent of which are sent
	sent    int32
	sends   int32 // buffers
}

// longAgo is before all credit that can be on its way.
const longAgo = -event.Never / 2

// Dealt tells whether an output deals to several channels.
func (n *Network) Dealt(p int32) bool { return n.Partitions[p].only < 0 && !n.Partitions[p].All }

// FirstOf is the first channel of an output.
func (n *Network) FirstOf(p int32) event.Channel { return n.Partitions[p].First }

// ConsumerOf is the task that reads a channel.
func (n *Network) ConsumerOf(c event.Channel) event.Task { return n.Wires[c].Consumer }

// mostSpokes is up to how many channels are dealt to express. With more each begin and end takes longer than is won until the next
// checkpoint: 10⁶ channels fill 50 MB.
const mostSpokes = 1 << 17

// FewSpokes tells whether the channels of an output are among those that are dealt to express.
func (n *Network) FewSpokes(p int32) bool {
	part := &n.Partitions[p]
	return int(part.First+part.Count) <= mostSpokes
}

// MayDeal tells whether the output p, which deals to several channels, is such that spokes say all of it: all channels may have an open
// buffer and leave a segment free.
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

// MayGather is MayDeal for the gate that such channels come to. inHand is the one whose buffer is in work, -1 = none.
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

// Floating is how many buffers may wait in a gate at once, so that each brings its credit with it.
func (n *Network) Floating(g int32) int { return int(n.Gates[g].Gate.floating) }

// TakeSpokes takes the channels of an output of which MayDeal is true, but for what is under way.
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

// HandOver lets the buffer of c in its consumer's hand, of so many records, count as processed.
func (x *Tracks) HandOver(c event.Channel, records int32) {
	ch, w := &x.net.Channels[c], &x.net.Wires[c]
	x.net.Gates[w.Gate].Gate.unhold(int(w.Input))
	ch.Unread -= int64(records) * int64(x.size)
}

// HandBack undoes it.
func (x *Tracks) HandBack(c event.Channel, records int32, held Holding) {
	ch, w := &x.net.Channels[c], &x.net.Wires[c]
	x.net.Gates[w.Gate].Gate.hold(int(w.Input), held)
	ch.Unread += int64(records) * int64(x.size)
}

// takeSpoke counts a buffer under way as one that has come and is processed.
func (x *Tracks) takeSpoke(s *Sent) {
	k, ch := &x.spokes[s.Channel], &x.net.Channels[s.Channel]
	k.last, k.sends, k.total = s.At-x.net.Latency, 1, int64(s.Bytes)
	ch.Credit++
	ch.BytesOut -= int64(s.Bytes)
	x.unevenly(ch, s.Bytes, s.Records, 1)
}

// ReturnUnderWay counts what is under way in dealt channels as such, ahead of ReturnSpokes.
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

// unevenly books a buffer that a record ends or begins in which lies across two of them: what is read of it is not its bytes.
func (x *Tracks) unevenly(ch *Channel, bytes, records int32, times int64) {
	ch.Unread += times * (int64(bytes) - int64(records)*int64(x.size))
}

// ReturnSpokes gives the channels of an output back at an instant, behind returnSpoke of what is under way.
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
			e.Finished = e.Bytes == e.Size
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
			g := &n.Gates[w.Gate].Gate
			g.channels[w.Input].required = g.channels[w.Input].initial
		}
		if back := s.last + 2*n.Latency; back >= now {
			ch.Credit--
			ch.comes, ch.comesAt, ch.comesSeq = 1, back, s.seq
		}
	}
}

// MayLeave tells whether the credit for the last buffer of c is back when the next one leaves.
func (x *Tracks) MayLeave(at event.Time, c event.Channel) bool {
	return x.spokes[c].last+2*x.net.Latency < at
}

// Unsent is the channels of an output, a bit each, in which something may be written and not sent.
func (x *Tracks) Unsent(p int32) []uint64 { return x.net.Partitions[p].fresh }

// Sends is how many bytes and records a channel sends if so many records more are written.
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

// Leaves is so many records written to c and all that is in its open buffer sent at an instant. The runs of what was written before
// are handed out.
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
		s.bytes, s.sent = 0, 0
	}
	many := s.many
	s.many = event.EmptyRuns
	return many
}

// AllSent notes that all of an output is.
func (x *Tracks) AllSent(p int32) { clear(x.net.Partitions[p].fresh) }

// CreditOf gives the credit for the last buffer of c its place.
func (x *Tracks) CreditOf(c event.Channel, seq int64) { x.spokes[c].seq = seq }

// fits is how many records end in a step on a buffer with so many bytes in it: the last of them fills or overflows it, or opens the next one.
func (x *Tracks) fits(bytes int32) int64 {
	return max(1, int64((x.net.Segment-bytes+x.size-1)/x.size))
}

// UntilFull is Network.Boundary of an output.
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

// GoesOver tells whether the last of so many records more begins or goes on in the next buffer of c.
func (x *Tracks) GoesOver(c event.Channel, more int64) bool {
	return int64(x.spokes[c].bytes)+more*int64(x.size) > int64(x.net.Segment)
}

// WriteOver appends a run to c, the last record of which GoesOver: what is new in the open buffer goes onto the wire.
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
