package task

import "checkpointlab/core/event"

// news is a buffer under way that the feed has been told about: when it arrives, and at which place of that instant.
type news struct {
	due
	what  int32
	which kindOfNews
}

type kindOfNews uint8

const (
	ofEarly kindOfNews = iota
	ofRound
	ofSend
)

// deliver reports a stretch to the feed: ticks, buffers that fill and arrivals in their order, with their places. It returns
// how many that were.
func (w *World) deliver(end event.Time) (n int) {
	x := &w.express
	p := &x.post
	p.news, p.told = p.news[:0], 0
	for i := range p.early {
		if s := &p.early[i]; s.Seq != inWork {
			p.news = append(p.news, news{due: s.Due, what: int32(i)})
		}
	}
	from, to, sent := 0, 0, 0
	for {
		source, middle := w.upcoming(p.from, from, end), w.upcoming(p.to, to, end)
		filled, arrives := due{At: event.Never}, due{At: event.Never}
		if sent < len(p.order) {
			if s := &p.sends[p.order[sent]]; s.Seq < 0 {
				filled = due{At: s.At - w.Net.Latency, Seq: s.Seq}
			}
		}
		if p.told < len(p.news) && p.news[p.told].At < end {
			arrives = p.news[p.told].due
		}
		least := source
		for _, d := range [...]due{middle, filled, arrives} {
			if d.At < least.At || d.At == least.At && d.Seq < least.Seq {
				least = d
			}
		}
		switch least {
		case due{At: event.Never}:
			w.endPost(from, to)
			return n
		case source:
			w.tellRound(from)
			from++
			n++
		case middle:
			if sent < len(p.order) && p.sends[p.order[sent]].Seq == middle.Seq && p.sends[p.order[sent]].At == middle.At+w.Net.Latency {
				w.tellSend(p.order[sent])
				sent++
			}
			w.tellTurn(p.to, to)
			to++
			n++
		case filled:
			w.tellSend(p.order[sent])
			sent++
			n++
		default:
			n += w.tellNews(&p.news[p.told], end)
			p.told++
		}
	}
}

// upcoming is the k-th next tick of a rota, event.Never if the stretch ends before it.
func (w *World) upcoming(rota, k int, end event.Time) due {
	r := &w.express.rotas[rota]
	if k == len(r.ticks) {
		return due{At: event.Never}
	}
	t := r.after(k)
	if t.at >= end {
		return due{At: event.Never}
	}
	return due{At: t.at, Seq: t.seq}
}

// tellTurn sets the place of a flusher's next tick.
func (w *World) tellTurn(rota, k int) {
	r := &w.express.rotas[rota]
	t := r.after(k)
	t.at, t.seq = t.at+r.period, w.Queue.Reserve()
	w.express.tracks.TicksAt(t.task, t.at)
}

// tellRound reports a tick of a source with what it has sent.
func (w *World) tellRound(k int) {
	x := &w.express
	p := &x.post
	r := &p.rounds[k]
	for i := r.from; i < r.to; i++ {
		l := &p.parcels[i]
		w.Feed.Buffer(event.BufferSent, r.at, l.channel, int64(l.bytes), int64(l.records))
		if seq := w.Queue.Reserve(); i == r.from {
			p.news = append(p.news, news{due{At: r.at + w.Net.Latency, Seq: seq}, int32(k), ofRound})
		}
	}
	w.tellTurn(p.from, k)
}

// tellSend reports a buffer that a task in the middle sends on.
func (w *World) tellSend(i int32) {
	p := &w.express.post
	s := &p.sends[i]
	w.express.tracks.TellSent(s)
	p.news = append(p.news, news{s.Due, i, ofSend})
}

// tellNews reports an arrival, and returns how many buffers it was. The place of its credit matters only if the credit is not
// back when the stretch ends.
func (w *World) tellNews(d *news, end event.Time) int {
	x := &w.express
	p := &x.post
	late := d.At+w.Net.Latency >= end
	switch d.which {
	case ofRound:
		r := &p.rounds[d.what]
		for i := r.from; i < r.to; i++ {
			l := &p.parcels[i]
			w.Feed.Buffer(event.BufferReceived, d.At, l.channel, int64(l.bytes), int64(l.records))
			if seq := w.Queue.Reserve(); late {
				x.tracks.CreditOf(l.channel, seq)
			}
		}
		return int(r.to - r.from)
	case ofSend:
		s := &p.sends[d.what]
		if seq := x.tracks.TellArrival(s); late {
			x.cars[s.Consumer].CreditAt(seq)
		}
	default:
		s := &p.early[d.what]
		if seq := x.tracks.TellArrival(s); !late {
		} else if x.cars[s.Consumer].kind == Sink {
			x.cars[s.Consumer].CreditAt(seq)
		} else {
			x.tracks.CreditOf(s.Channel, seq)
		}
	}
	return 1
}

// endPost puts back what is under way, and turns the rotas.
func (w *World) endPost(from, to int) {
	x := &w.express
	p := &x.post
	for i := p.told; i < len(p.news); i++ {
		switch d := &p.news[i]; d.which {
		case ofEarly:
			x.tracks.Put(&p.early[d.what])
		case ofSend:
			x.tracks.Put(&p.sends[d.what])
		default:
			r := &p.rounds[d.what]
			for i := r.from; i < r.to; i++ {
				s := w.sentOf(&p.parcels[i], d.At, d.Seq+int64(i-r.from))
				x.tracks.Put(&s)
			}
		}
	}
	w.turn(p.from, from)
	w.turn(p.to, to)
}

// turn advances a rota by so many ticks.
func (w *World) turn(rota, ticks int) {
	r := &w.express.rotas[rota]
	r.next = (r.next + ticks) % len(r.ticks)
	r.tick, r.fetched = r.ticks[r.next], 0
}
