package network

import "checkpointlab/core/event"

// Ahead is a copy of the sender's side of a track that runs ahead: what a stretch writes and sends is first only counted on it,
// and Follow makes the track catch up.
type Ahead struct {
	track
	rec, latency int64
	end, cut     event.Time // of the stretch, and where it has to end sooner
}

// AheadOf starts a stretch that ends at an instant with the sender as it is now.
func (x *Tracks) AheadOf(id event.Task, end event.Time) Ahead {
	a := Ahead{track: x.tracks[id], rec: int64(x.size), latency: x.net.Latency, end: end, cut: end}
	if a.back[1] != event.Never {
		a.meet(a.back[0], a.back[1])
	}
	return a
}

// OwedOne reports whether credit for at most one of a producer's buffers is on its way back.
func (x *Tracks) OwedOne(id event.Task) bool { return x.tracks[id].back[1] == event.Never }

// meet notes that credit coming back at one instant follows credit that comes back before. While both are under way, one of
// them is an item of the event queue that Return does not know, so no stretch may end in between.
func (a *Ahead) meet(before, back event.Time) {
	if before >= back-a.latency && back-a.latency < a.end && a.end <= back {
		a.cut = min(a.cut, back-a.latency)
	}
}

// Cut is the instant at which the stretch has to end.
func (a *Ahead) Cut() event.Time { return a.cut }

// UntilOver is the number of records up to the one that begins or continues in the next buffer, at which this buffer leaves.
func (a *Ahead) UntilOver() int64 { return int64(a.size-a.bytes)/a.rec + 1 }

// UntilFull is the number of records up to the one that ends a step because it fills or overflows the open buffer.
func (a *Ahead) UntilFull() int64 { return max(1, (int64(a.size-a.bytes)+a.rec-1)/a.rec) }

// Write counts records written into the open buffer without overflowing it.
func (a *Ahead) Write(records int64) {
	a.bytes += int32(records * a.rec)
	a.records += int32(records)
}

// Waits reports whether something written is not sent yet.
func (a *Ahead) Waits() bool { return a.bytes > a.sent }

// MayLeave reports whether there is credit for what waits.
func (a *Ahead) MayLeave(at event.Time) bool {
	a.mature(at)
	return a.credit > 0 && a.back[1] == event.Never
}

// Leave fills s with the counts of what waits and leaves at an instant.
func (a *Ahead) Leave(at event.Time, s *Sent) {
	if a.back[0] != event.Never {
		a.meet(a.back[0], at+2*a.latency)
	}
	a.credit--
	a.sends++
	a.owe(at + 2*a.latency)
	s.At, s.Bytes, s.Records, s.Consumer, s.Channel = at+a.latency, a.bytes-a.sent, a.records, a.consumer, a.channel
	if a.sent, a.records = a.bytes, 0; a.sent == a.size { // full, it goes as a whole
		a.bytes, a.sent = 0, 0
	}
}

// Full reports whether the last record ended exactly at the end of the open buffer.
func (a *Ahead) Full() bool { return a.bytes == a.size }

// Empty reports whether there is no open buffer.
func (a *Ahead) Empty() bool { return a.bytes == 0 }

// Over handles the record being written that begins or continues in the next buffer; what waits leaves before.
func (a *Ahead) Over(at event.Time, s *Sent) {
	rest := a.bytes + int32(a.rec) - a.size
	a.bytes = a.size
	a.Leave(at, s)
	a.bytes, a.records = rest, 1
}

// Follow makes a sender's track what its Ahead says, except for its runs.
func (x *Tracks) Follow(id event.Task, a *Ahead) {
	many := x.tracks[id].many
	x.tracks[id] = a.track
	x.tracks[id].many = many
}

// Filled notes that the buffer that was open has been sent in full.
func (x *Tracks) Filled(id event.Task) {
	t := &x.tracks[id]
	ch := &x.net.Channels[t.channel]
	base := int32(0)
	if e := ch.open(); e != nil {
		base = e.Sent
		e.Bytes, e.Sent, e.Records, e.Runs = 0, 0, 0, event.EmptyRuns
	}
	ch.BytesOut += int64(t.size - base)
	x.net.Partitions[x.net.Wires[t.channel].Partition].Out.add(1, int64(t.size))
	ch.told = 0
}
