package task

import (
	"math"
	"math/bits"

	"checkpointlab/core/event"
	"checkpointlab/core/network"
)

// collectAll fills the receivers' boxes with what is under way when a stretch begins and with what the sources' ticks send. It
// returns the instant up to which the sources can do so.
func (w *World) collectAll(end event.Time) (until event.Time) {
	x := &w.express
	p := &x.post
	p.rounds, p.parcels, p.early = p.rounds[:0], p.parcels[:0], p.early[:0]
	for _, id := range p.receivers {
		p.boxes[id] = p.boxes[id][:0]
	}
	for i := range x.works.n {
		if k := x.works.at(i); x.cars[k.Consumer].kind == Map {
			s := k.Sent
			s.Seq = inWork
			w.collectEarly(&s)
		}
	}
	for i := range x.tracks.UnderWay(math.MaxInt) {
		w.collectEarly(x.tracks.Later(i))
	}
	r := &x.rotas[p.from]
	for k := range r.ticks {
		t := r.after(k)
		if t.at >= end {
			break
		}
		if !w.collectRound(t) {
			return t.at
		}
	}
	return end
}

// collectEarly collects what was in work or under way before the stretch.
func (w *World) collectEarly(s *network.Sent) {
	p := &w.express.post
	if p.early = append(p.early, *s); w.express.cars[s.Consumer].kind != Map {
		return
	}
	p.boxes[s.Consumer] = append(p.boxes[s.Consumer], int32(len(p.parcels)))
	p.parcels = append(p.parcels, parcel{at: s.At, channel: s.Channel, records: s.Records, bytes: s.Bytes, round: -int32(len(p.early))})
}

// collectRound collects a tick of a source. false: it lacks credit.
func (w *World) collectRound(t *tick) bool {
	x := &w.express
	p := &x.post
	c, out := &x.cars[t.task], w.Tasks[t.task].Outs[0]
	r := w.roundOf(t.at, t.task, min(w.arrived(c, t.at-c.cost), x.wells[c.place].left-1))
	r.from = int32(len(p.parcels))
	if p.shares = p.shares[:0]; r.read > 0 {
		p.shares = x.tracks.Deal(out, r.read, p.shares)
	}
	for i := range p.shares {
		c := p.shares[i].Channel
		p.at[c] = int32(i)
		p.bits[c>>6] |= 1 << (c & 63)
	}
	first, arrives, ok := w.Net.FirstOf(out), t.at+w.Net.Latency, true
	for k, unsent := range x.tracks.Unsent(out) {
		has := p.bits[k]
		p.bits[k] = 0
		for word := has | unsent; word != 0; word &= word - 1 {
			bit := bits.TrailingZeros64(word)
			i := int32(k<<6 + bit)
			l := parcel{at: arrives, channel: first + i, round: int32(len(p.rounds))}
			if has>>bit&1 != 0 {
				s := &p.shares[p.at[i]]
				l.fresh, l.first, l.last = int32(s.Count), int32(s.First), int32(s.Last)
			}
			if l.bytes, l.records = x.tracks.Sends(l.channel, l.fresh); l.bytes == 0 {
				continue
			}
			ok = ok && x.tracks.MayLeave(t.at, l.channel)
			id := p.receivers[i]
			p.boxes[id] = append(p.boxes[id], int32(len(p.parcels)))
			p.parcels = append(p.parcels, l)
		}
	}
	r.to = int32(len(p.parcels))
	p.rounds = append(p.rounds, r)
	return ok
}

// take removes what the stretch begins with from the wire and from the buffers in work.
func (w *World) take() {
	x := &w.express
	kept := 0
	for i := range x.works.n {
		k := x.works.at(i)
		if c := &x.cars[k.Consumer]; c.kind == Map {
			c.load = 0
			continue
		}
		*x.works.at(kept) = *k
		kept++
	}
	x.works.n = kept
	x.tracks.Clear()
}

// send performs all ticks of sources before an instant.
func (w *World) send(end event.Time) {
	x := &w.express
	p := &x.post
	p.lists = p.lists[:0]
	for k := range p.rounds {
		r := &p.rounds[k]
		if r.at >= end {
			break
		}
		w.reads(r.at, r.task, r.read)
		for i := r.from; i < r.to; i++ {
			l := &p.parcels[i]
			if many := x.tracks.Leaves(r.at, l.channel, l.fresh); !many.Empty() {
				w.listOf(l, many)
			}
		}
		x.tracks.AllSent(w.Tasks[r.task].Outs[0])
	}
}

// listOf makes a list of a parcel's runs, some of which its source had written before.
func (w *World) listOf(l *parcel, many event.Runs) {
	p := &w.express.post
	if l.fresh > 0 {
		r := w.fresh(l)
		w.Net.Slab.Append(&many, &r)
	}
	p.lists = append(p.lists, many)
	l.list = int32(len(p.lists))
}

// fresh is the run of a parcel's records that were read in its own round.
func (w *World) fresh(l *parcel) event.Run {
	all := w.express.post.rounds[l.round].run(w.express.tracks.Size())
	return all.Thin(int64(l.first), int64(l.last), int64(l.fresh))
}

// sentOf is a parcel as a buffer on the wire, or in work.
func (w *World) sentOf(l *parcel, at event.Time, seq int64) (s network.Sent) {
	p := &w.express.post
	wire := &w.Net.Wires[l.channel]
	if l.round < 0 {
		s = p.early[-1-l.round]
	} else {
		s = network.Sent{Many: event.EmptyRuns, Bytes: l.bytes, Records: l.records, Producer: wire.Producer, Consumer: wire.Consumer, Channel: l.channel}
		if l.list > 0 {
			s.Many = p.lists[l.list-1]
		} else {
			s.Run = w.fresh(l)
		}
	}
	s.Due = due{At: at, Seq: seq}
	return s
}
