package network

import "checkpointlab/core/event"

// Ahead is the sender of a track as it will be: what it writes and sends in a stretch is first only counted, and becomes so with Follow.
type Ahead struct {
	track
	rec, latency int64
	end, cut     event.Time // of the stretch, and where it has to end sooner
}

// AheadOf is a sender as it is when a stretch begins that ends at an instant.
func (x *Tracks) AheadOf(id event.Task, end event.Time) Ahead {
	a := Ahead{track: x.tracks[id], rec: int64(x.size), latency: x.net.Latency, end: end, cut: end}
	if a.back[1] != event.Never {
		a.meet(a.back[0], a.back[1])
	}
	return a
}

// OwedOne tells whether credit for one buffer of a producer at most is on its way back.
func (x *Tracks) OwedOne(id event.Task) bool { return x.tracks[id].back[1] == event.Never }

// meet is credit that comes back at an instant, behind that which does so before. While both are on their way an item of the event queue stands
// for one of them, which Return does not know, so that no stretch ends then.
func (a *Ahead) meet(before, back event.Time) {
	if before >= back-a.latency && back-a.latency < a.end && a.end <= back {
		a.cut = min(a.cut, back-a.latency)
	}
}

// Cut is where the stretch has to end.
func (a *Ahead) Cut() event.Time { return a.cut }

// UntilOver is how many records there are up to the one that begins or goes on in the next buffer: then this one leaves.
func (a *Ahead) UntilOver() int64 { return int64(a.size-a.bytes)/a.rec + 1 }

// UntilFull is how many records there are up to the one with which a step ends, for it fills the open buffer or goes over it.
func (a *Ahead) UntilFull() int64 { return max(1, (int64(a.size-a.bytes)+a.rec-1)/a.rec) }

// Write counts records that end in the open buffer.
func (a *Ahead) Write(records int64) {
	a.bytes += int32(records * a.rec)
	a.records += int32(records)
}

// Waits tells whether something is written and not sent.
func (a *Ahead) Waits() bool { return a.bytes > a.sent }

// MayLeave tells whether there is credit for what waits.
func (a *Ahead) MayLeave(at event.Time) bool {
	a.mature(at)
	return a.credit > 0 && a.back[1] == event.Never
}

// Leave fills s with the numbers of what waits, which leaves at an instant.
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

// Full tells whether a record ends with the open buffer.
func (a *Ahead) Full() bool { return a.bytes == a.size }

// Empty tells whether there is no open buffer.
func (a *Ahead) Empty() bool { return a.bytes == 0 }

// Over is the record being written that begins or goes on in the next buffer; what waits leaves before.
func (a *Ahead) Over(at event.Time, s *Sent) {
	rest := a.bytes + int32(a.rec) - a.size
	a.bytes = a.size
	a.Leave(at, s)
	a.bytes, a.records = rest, 1
}

// Follow makes a sender what it is Ahead, but for its runs.
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
	ch.told = 0
}
