package task

import (
	"math"

	"checkpointlab/core/event"
	"checkpointlab/core/network"
	"checkpointlab/core/sim"
)

// Ride does up to most things, as long as they are due at until or before and nothing else comes before them, and reports how many.
// stuck: the next one cannot be done express.
func (w *World) Ride(until event.Time, most int) (n int, stuck bool) {
	x, q := &w.express, w.Queue
	if x.post.on {
		n, stuck = w.ridePost(until, most)
		if x.post.rode += n; stuck {
			x.post.stops(x.post.rode, len(x.post.receivers)*len(x.rotas[x.post.from].ticks))
		}
		return n, stuck
	}
	item, limit, rank := nextItem(q, until)
	for {
		k, then := w.stretch(limit, most-n)
		if k == 0 {
			break
		}
		n += k
		q.Behind(then)
	}
	r, wire, done := x.nextRota(), x.tracks.Next(), x.works.next()
	var last due
	for n < most {
		at, ok := min(r.at, wire.At, done.At, limit), true
		var now due
		switch {
		case done.At == at && (limit != at || done.Seq < rank): // before ticks and arrivals of its instant
			now = done
			w.rideEnd()
			done = x.works.next()
		case wire.At == at && (r.at != at || wire.Seq < r.seq) && (limit != at || wire.Seq < rank):
			now = wire
			ok = w.rideArrival()
			wire, done = x.tracks.Next(), x.works.next()
		case r.at == at && (limit != at || r.seq < rank):
			now = due{At: at, Seq: r.seq}
			ok = w.rideTick(r)
			r, wire = x.nextRota(), x.tracks.Next()
		case item != nil && w.saysNothing(item):
			q.PopUntil(at)
			item, limit, rank = nextItem(q, until)
			last = due{}
			continue
		default:
			w.reached(last)
			return n, false
		}
		if !ok {
			stuck = true
			break
		}
		last = now
		n++
	}
	w.reached(last)
	return n, stuck
}

// due is an instant and a place in it.
type due = network.Due

// reached tells the queue what was done last, if anything was.
func (w *World) reached(last due) {
	if last != (due{}) {
		w.Queue.Reached(last.At, last.Seq)
	}
}

// nextRota is that with the next tick.
func (x *express) nextRota() *rota {
	r := &x.rotas[0]
	for i := 1; i < len(x.rotas); i++ {
		if k := &x.rotas[i]; k.at < r.at || k.at == r.at && k.seq < r.seq {
			r = k
		}
	}
	return r
}

// ahead is the place of what a task has done among all of that instant (sim.Queue.PushAhead).
func ahead(id event.Task) int64 { return int64(id) - 1<<32 }

// nextItem is what comes next in the event queue, if it does until then.
func nextItem(q *sim.Queue, until event.Time) (next *sim.Item, at event.Time, seq int64) {
	if next = q.Next(); next == nil || next.At > until {
		return nil, until + 1, math.MinInt64
	}
	return next, next.At, next.Seq
}

// saysNothing reports whether an item of the event queue is the end of a step that was overtaken, or is among works.
func (w *World) saysNothing(it *sim.Item) bool {
	return it.Kind == event.DueStep && w.express.cars[it.A].rides && (w.express.cars[it.A].kind != Source || w.Tasks[it.A].Step.Gen != it.Gen)
}

// rideTick is Flush.
func (w *World) rideTick(r *rota) bool {
	x, now, id := &w.express, r.at, r.task
	c, d := &x.cars[id], int64(0)
	if c.kind == Source {
		d = max(0, min(w.arrived(c, now-c.cost), x.wells[c.place].left-1))
	} else if c.load > 1 && now-c.began >= c.cost {
		return false
	}
	if !x.tracks.MayFlush(now, id, d) {
		return false
	}
	if d > 0 {
		w.rideRead(now, c, id, d)
	}
	x.tracks.Flush(now, id)
	x.tracks.TicksAt(id, now+r.period)
	r.ticks[r.next] = tick{now + r.period, w.Queue.Reserve(), id}
	if r.next++; r.next == len(r.ticks) {
		r.next = 0
	}
	r.tick = r.ticks[r.next]
	if r.fetched--; r.fetched <= 0 {
		r.fetched = w.fetchTicks(r, 0)
	}
	return true
}

// fetchTicks reads what ticks need from the i-th behind the next one on, so that their memory is there then, and reports how many.
func (w *World) fetchTicks(r *rota, i int) (n int) {
	x, sum := &w.express, 0
	ticks := r.ticks[(r.next+i)%len(r.ticks):]
	ticks = ticks[:min(2*Batch, len(ticks))]
	for i := range ticks {
		id := ticks[i].task
		sum += int(x.cars[id].in) + x.tracks.Fetch(id)
	}
	for i := range ticks {
		id := ticks[i].task
		if c := &x.cars[id]; c.kind == Source {
			sum += int(x.wells[c.place].left)
		}
		sum += x.tracks.FetchOpen(id)
	}
	x.read += sum
	return len(ticks)
}

// after is the i-th tick behind the one that comes next; there are more.
func (r *rota) after(i int) *tick {
	if i += r.next; i >= len(r.ticks) {
		i -= len(r.ticks)
	}
	return &r.ticks[i]
}

// fetchArrivals reads what the next arrivals need.
func (w *World) fetchArrivals() {
	x, sum := &w.express, 0
	x.fetched = x.tracks.UnderWay(2 * Batch)
	for i := range x.fetched {
		id := x.tracks.Later(i).Consumer
		sum += int(x.cars[id].in) + x.tracks.Fetch(id) + x.tracks.FetchOpen(id)
	}
	for i := range x.fetched {
		if c := &x.cars[x.tracks.Later(i).Consumer]; c.kind == Sink {
			sum += w.Writers[c.place].Fetch()
		}
	}
	for i := range x.fetched {
		if c := &x.cars[x.tracks.Later(i).Consumer]; c.kind == Sink {
			sum += w.Writers[c.place].FetchLast()
		}
	}
	x.read += sum
}

// rideRead is read of the next d records of a source's log.
func (w *World) rideRead(now event.Time, c *car, id event.Task, d int64) {
	x := &w.express
	l := &x.wells[c.place]
	if c.fresh {
		c.fresh = false
		w.Tasks[id].begins(now)
	}
	r := event.Run{
		Src: id, Size: x.tracks.Size(), Since: l.since, Born: l.arrives * event.Fine, BornStep: l.spacing, Count: d,
	}
	c.in += int32(d)
	if !l.pass(d) {
		l.arrives = w.Logs[c.place].Arrival(l.next)
	}
	x.tracks.Write(id, &r)
}

// rideArrival is Deliver of the buffer that comes to a task that waits for one.
func (w *World) rideArrival() bool {
	x := &w.express
	s := x.tracks.Coming()
	id := s.Consumer
	c := &x.cars[id]
	if c.load > 0 || !c.MayArrive(s) || c.kind == Map && !x.tracks.Room(id, int64(s.Records)) {
		return false
	}
	if c.since == s.At { // it has not waited
		w.Tasks[id].mailed--
	}
	x.tracks.Arrive(&c.Inlet, s)
	c.begins(s.At, s.Records, false)
	*x.works.add(s.At+int64(s.Records)*c.cost, id) = *s
	if x.fetched--; x.fetched <= 0 {
		w.fetchArrivals()
	}
	return true
}

// rideEnd is StepEnd of the buffer that is done next.
func (w *World) rideEnd() {
	x := &w.express
	k := x.works.first()
	id, end := k.Consumer, k.end
	c := &x.cars[id]
	w.counts(c, &k.Sent, end)
	if c.kind == Map {
		x.tracks.Pass(id, &k.Sent)
	} else {
		w.rideOut(end, c, &k.Sent)
	}
	x.works.drop()
}

// counts books a buffer whose last record is done at end.
func (w *World) counts(c *car, s *network.Sent, end event.Time) {
	if c.fresh {
		c.fresh = false
		w.Tasks[s.Consumer].begins(end)
	}
	c.in += s.Records
	c.since, c.load = end, 0
}

// rideOut is writeOut of a buffer, the last record of which is done at end.
func (w *World) rideOut(end event.Time, c *car, s *network.Sent) {
	runs, n := w.taken[:0], int64(s.Records)
	switch {
	case s.Stack > 0:
		w.rideOutStack(end, c, s)
		return
	case s.Many.Empty():
		runs = append(runs, s.Run)
	default:
		runs = w.Net.Slab.CutFronts(&s.Many, n, runs)
	}
	via := int32(0) // of its one channel
	if w.express.post.on {
		via = w.Net.Wires[s.Channel].Slot
	}
	for i := range runs {
		runs[i].Via = via
	}
	w.writeRunsTo(c.place, end, &w.Tasks[s.Consumer], end-(n-1)*c.cost, c.cost, runs, n)
}

// rideOutStack is rideOut of what is in a stack.
func (w *World) rideOutStack(end event.Time, c *car, s *network.Sent) {
	x, n, taken := &w.express, int64(s.Records), w.taken
	runs, via := x.tracks.Runs(s.Stack), w.Net.Wires[s.Channel].Slot
	for i := range runs {
		runs[i].Via = via
	}
	w.writeRunsTo(c.place, end, &w.Tasks[s.Consumer], end-(n-1)*c.cost, c.cost, runs, n)
	w.taken = taken
	x.tracks.Unpiled(s.Stack)
}
