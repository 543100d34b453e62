package task

import (
	"slices"

	"checkpointlab/core/event"
	"checkpointlab/core/network"
	"checkpointlab/core/sim"
)

// A wide job whose tasks are joined to pipelines, one channel in and one out, is done for the most part with ticks of
// flushers and buffers that come to waiting tasks, one a record or so. A task, its channels and its gate are some forty cache
// lines, of which such a tick or buffer changes a few numbers here and there; and the event queue hands each of them out, though
// ticks come round in the same order and buffers arrive in the order in which they were sent. So while nothing else is due the whole
// job runs express: a task is a car and its output a track (network/express.go), a cache line each, in which what happens is
// counted, and ticks stand in rotas. Alight tells tasks, channels and queue of it.
//
// Ride does what the queue would hand out, in its order and with its sequence numbers, and the feed hears the same. What a
// car cannot do (whatever is no tick, buffer or end of a buffer's records; a buffer that fills, credit that is missing, a
// buffer that comes to a busy task, a tick in the middle of several records) ends the ride before it happens: express changes how
// long a run takes and nothing else.

// express is the tasks of a job that runs so.
type express struct {
	on     bool
	cars   []car  // by task
	roles  []role // by task
	loads  []load // buffers in work whose end is in the event queue
	vacant int32  // 1 + the first free one of them, 0 = none is
	rotas  []rota
	asks   bool // the event queue has changed
	tracks network.Tracks
}

// car is what a task does express.
type car struct {
	in      int64 // records processed; of a source: read
	bytes   int64 // received
	since   event.Time
	cost    event.Time
	left    int64      // a source: records of its step,
	arrives event.Time // when the next one arrives
	spacing int64      // and their distance, in event.Fine
	buffers int64      // received
}

// role is what is looked at of a task in any case.
type role struct {
	kind  Kind
	rides bool
	even  bool   // a source: spacing is whole ns, and exact
	step  uint32 // Step.Gen
	load  int32  // 1 + the buffer in work, 0 = it waits
}

// load is a buffer in work.
type load struct {
	network.Sent
	next int32 // of a vacant one
}

// rota is the ticks of flushers with one period: they come round in one order.
type rota struct {
	tick
	next   int // where in ticks that one stands, which comes next
	ticks  []tick
	period event.Time
	lane   int
}

type tick struct {
	at   event.Time
	seq  int64
	task event.Task
}

// Riding tells whether the job runs express: then tasks and channels are what they were when it began, until Alight.
func (w *World) Riding() bool { return w.express.on }

// Drop forgets a ride whose tasks are about to be set to another state.
func (w *World) Drop() { w.express.on = false }

// Board lets the job run express, if it can; nothing is due any more at this instant.
func (w *World) Board() {
	x := &w.express
	if x.on || !w.mayBoard() {
		return
	}
	x.on, x.loads, x.vacant = true, x.loads[:0], 0
	if len(x.cars) < len(w.Tasks) {
		x.cars, x.roles = make([]car, len(w.Tasks)), make([]role, len(w.Tasks))
	}
	x.tracks.Start(w.Net, len(w.Tasks))
	for i := range w.Tasks {
		w.board(&w.Tasks[i])
	}
	x.tracks.TakeWires()
	x.rotas = x.rotas[:0]
	for i := range event.FlushLanes {
		w.takeTicks(event.LaneFlush + i)
	}
}

// mayBoard tells whether all tasks are such that a car and a track say all of them, and all ticks such that a rota does.
func (w *World) mayBoard() bool {
	if w.Rules.EventTime || w.Rules.Wake != 0 || w.Hopping() || w.Feed.Hears(event.BufferSent) || w.Feed.Hears(event.BufferReceived) || !w.Net.MayStart() {
		return false
	}
	flushers := 0
	for i := range w.Tasks {
		t := &w.Tasks[i]
		if !t.Retired && !w.mayRide(t) {
			return false
		}
		if !t.Retired && len(t.Outs) > 0 {
			flushers++
		}
	}
	for i := range event.FlushLanes {
		n, ok := w.inRota(event.LaneFlush + i)
		if !ok {
			return false
		}
		flushers -= n
	}
	return flushers == 0
}

// inRota counts the ticks of a lane, if they are those of tasks with one period.
func (w *World) inRota(lane int) (n int, ok bool) {
	first := w.Queue.Upcoming(lane, 0)
	for ; ; n++ {
		it := w.Queue.Upcoming(lane, n)
		if it == nil {
			return n, true
		}
		t := &w.Tasks[it.A]
		if it.Kind != event.DueFlush || it.Gen != t.Gen || t.Retired || t.FlushPeriod != w.Tasks[first.A].FlushPeriod || it.At-first.At > t.FlushPeriod {
			return n, false
		}
	}
}

func (w *World) mayRide(t *Task) bool {
	if !t.Alive || t.ran || t.over || t.locked || t.holds.on || t.costChanges || t.waiting > 0 || len(t.mails) > 0 || t.Cost <= 0 || t.Handler.Aligning() {
		return false
	}
	if len(t.Outs) > 1 || len(t.Outs) == 1 && !w.Net.MayTake(t.Outs[0], w.held(t.Outs[0])) {
		return false
	}
	if t.Kind == Source {
		s := &t.Step
		return len(t.Outs) == 1 && t.Thread == Idle && (s.N == 0 || s.Paced && s.N > 1) && t.Size == w.Net.Slab.Size() && t.Working == nil && t.log == nil &&
			t.EmitNum == t.EmitDen && !t.Burst && !t.Pushes && !t.align.paused && t.End.stopping == goesOn && w.Rules.BufferTimeout > 0
	}
	return t.hops && len(t.Outs) == 1 == (t.Kind == Map) && (t.waits() && !t.Hands[0].Valid || w.inWhole(t))
}

// inWhole tells whether the step in work is all records of the buffer in hand, none of which is done, and they fit into the output.
func (w *World) inWhole(t *Task) bool {
	s, h := &t.Step, &t.Hands[0]
	if t.Thread != Busy || s.N == 0 || s.K != 1 || s.booked || s.Mark || s.Fire || s.Start != t.Since {
		return false
	}
	e := &h.Entry
	return h.Valid && e.Arrives == s.Start && e.Records == s.N && e.Exclusive && !e.Extra && e.ID == 0 && (t.Kind == Sink || w.Net.Fits(t.Outs[0], &e.Runs, s.N))
}

// held tells whether the consumer of an output has a buffer of it in work.
func (w *World) held(p int32) bool {
	id, ok := w.Net.OnlyConsumer(p)
	return ok && len(w.Tasks[id].Hands) == 1 && w.Tasks[id].Hands[0].Valid
}

func (w *World) board(t *Task) {
	x := &w.express
	o := &x.roles[t.ID]
	*o = role{kind: t.Kind, rides: !t.Retired, step: t.Step.Gen}
	if t.Retired {
		return
	}
	c := &x.cars[t.ID]
	*c = car{since: t.Since, cost: t.Cost, arrives: event.Never}
	if len(t.Outs) == 1 {
		x.tracks.Take(t.Outs[0], w.held(t.Outs[0]))
	}
	switch {
	case t.Step.N == 0:
	case t.Kind == Source:
		log := &w.Logs[t.Log]
		c.left, c.arrives = t.Step.N, log.Arrival(log.Next)
		_, _, c.spacing = log.Span(1)
		o.even = log.Even()
	default:
		h := &t.Hands[0]
		x.put(o, network.Sent{At: t.Step.Start, Runs: h.Entry.Runs, Bytes: h.Entry.Bytes, Records: int32(h.Entry.Records), Producer: w.Net.Wires[h.Channel].Producer})
		t.Thread, t.Step.N = Idle, 0
	}
}

// takeTicks makes a lane of flushers a rota, if there are any.
func (w *World) takeTicks(lane int) {
	x := &w.express
	if w.Queue.Upcoming(lane, 0) == nil {
		return
	}
	x.rotas = slices.Grow(x.rotas, 1)[:len(x.rotas)+1]
	r := &x.rotas[len(x.rotas)-1]
	r.ticks, r.next, r.lane = r.ticks[:0], 0, lane
	for it := w.Queue.TakeFrom(lane); it != nil; it = w.Queue.TakeFrom(lane) {
		r.ticks = append(r.ticks, tick{it.At, it.Seq, it.A})
		r.period = w.Tasks[it.A].FlushPeriod
	}
	r.tick = r.ticks[0]
}

// put gives a task a buffer to work on.
func (x *express) put(o *role, s network.Sent) {
	at := x.vacant - 1
	if at < 0 {
		at = int32(len(x.loads))
		x.loads = append(x.loads, load{})
	} else {
		x.vacant = x.loads[at].next
	}
	x.loads[at].Sent, o.load = s, at+1
}

// Ride does up to most things, as long as they are due at until or before and nothing else comes before them, and reports how many.
// stuck: the next one cannot be done express.
func (w *World) Ride(until event.Time, most int) (n int, stuck bool) {
	x, q := &w.express, w.Queue
	var other *sim.Item
	limit, rank := until, int64(event.Never)
	for x.asks = true; n < most; n++ {
		if x.asks {
			x.asks = false
			if other, limit, rank = q.Next(), until, event.Never; other != nil && other.At <= until {
				limit, rank = other.At, other.Seq
			} else {
				other = nil
			}
		}
		at, seq, next := limit, rank, (*rota)(nil)
		for i := range x.rotas {
			if r := &x.rotas[i]; r.at < at || r.at == at && r.seq < seq {
				at, seq, next = r.at, r.seq, r
			}
		}
		switch s := x.tracks.Coming(); {
		case s != nil && (s.At < at || s.At == at && s.Seq < seq):
			stuck = !w.rideArrival(s, at)
		case next != nil:
			stuck = !w.rideTick(next)
		case other == nil || other.Kind != event.DueStep || !w.rideStep(other):
			return n, false
		}
		if stuck {
			return n, true
		}
	}
	return n, false
}

// rideTick is Flush.
func (w *World) rideTick(r *rota) bool {
	x, now, id := &w.express, r.at, r.task
	o, d := &x.roles[id], int64(0)
	switch {
	case o.kind == Source:
		d = max(0, min(w.arrived(id, now-x.cars[id].cost), x.cars[id].left-1))
	case o.load > 0:
		if l := &x.loads[o.load-1]; l.Records > 1 && now-l.At >= x.cars[id].cost {
			return false
		}
	}
	if !x.tracks.MayFlush(now, r.seq, id, d) {
		return false
	}
	w.Queue.Reached(now, r.seq)
	if d > 0 {
		w.rideRead(now, id, d)
	}
	x.tracks.Flush(now, id)
	r.ticks[r.next] = tick{now + r.period, w.Queue.Reserve(), id}
	if r.next++; r.next == len(r.ticks) {
		r.next = 0
	}
	r.tick = r.ticks[r.next]
	return true
}

// arrived is how many records of a source's step it has not read that have arrived at an instant.
func (w *World) arrived(id event.Task, at event.Time) int64 {
	x := &w.express
	c := &x.cars[id]
	switch each := c.spacing / event.Fine; {
	case at < c.arrives:
		return 0
	case !x.roles[id].even:
		log := &w.Logs[w.Tasks[id].Log]
		return min(c.left, log.Arrived(at)-log.Next)
	case at < c.arrives+each: // else it is a division
		return 1
	default:
		return min(c.left, (at-c.arrives)/each+1)
	}
}

// rideRead is read of the next d records of a source's log.
func (w *World) rideRead(now event.Time, id event.Task, d int64) {
	x, t := &w.express, &w.Tasks[id]
	c, log := &x.cars[id], &w.Logs[t.Log]
	if c.in == 0 {
		t.begins(now)
	}
	r := event.Run{
		Src: id, Size: w.Net.Slab.Size(), Pos: log.Next * event.Fine, PosStep: event.Fine, Born: c.arrives * event.Fine, BornStep: c.spacing, Count: d,
	}
	log.Take(d)
	c.in += d
	c.left -= d
	if x.roles[id].even {
		c.arrives += d * (c.spacing / event.Fine)
	} else {
		c.arrives = log.Arrival(log.Next)
	}
	x.tracks.Write(id, &r)
}

// rideArrival is Deliver of the buffer that comes to a task that waits for one; nothing else is due before next.
func (w *World) rideArrival(s *network.Sent, next event.Time) bool {
	x, q := &w.express, w.Queue
	id := x.tracks.Consumer(s)
	o := &x.roles[id]
	if o.load > 0 || !x.tracks.MayArrive(s) || o.kind == Map && !x.tracks.Room(id, int64(s.Records)) {
		return false
	}
	q.Reached(s.At, s.Seq)
	x.tracks.Arrive(s)
	c := &x.cars[id]
	c.buffers++
	c.bytes += int64(s.Bytes)
	end := s.At + int64(s.Records)*c.cost
	if then := x.tracks.Coming(); end < next && (then == nil || then.At > end) {
		q.Reached(end, 1<<62)
		w.rideThrough(end, id, s)
		return true
	}
	x.put(o, *s)
	o.step++
	q.PushAhead(sim.Item{At: end, Kind: event.DueStep, A: id, Gen: o.step}, id)
	x.asks = true
	return true
}

// rideStep is StepEnd of a buffer's records.
func (w *World) rideStep(it *sim.Item) bool {
	x, id := &w.express, it.A
	o := &x.roles[id]
	if !o.rides || o.step != it.Gen || o.load == 0 { // overtaken, or of a source whose buffer is full
		return false
	}
	it = w.Queue.PopUntil(it.At)
	l := &x.loads[o.load-1]
	l.next, x.vacant, o.load, x.asks = x.vacant, o.load, 0, true
	w.rideThrough(it.At, id, &l.Sent)
	return true
}

// rideThrough is what a buffer's records do whose last one is done at end.
func (w *World) rideThrough(end event.Time, id event.Task, s *network.Sent) {
	x, t := &w.express, &w.Tasks[id]
	c := &x.cars[id]
	if c.in == 0 {
		t.begins(end)
	}
	c.in += int64(s.Records)
	c.since = end
	if x.roles[id].kind == Map {
		x.tracks.Pass(id, s)
		return
	}
	runs := w.Net.Slab.CutFronts(&s.Runs, int64(s.Records), w.taken[:0])
	for i := range runs {
		runs[i].Via = 0 // of its one channel
	}
	w.writeRuns(end, t, end-int64(s.Records-1)*c.cost, c.cost, runs, int64(s.Records))
}

// Stands is how long a task was in each activity up to now, and how many records it has read and written.
func (w *World) Stands(t *Task, now event.Time) (spent [threads]event.Time, in, out int64) {
	if w.express.on {
		return w.rides(t, now)
	}
	spent, in, out = w.Spent(t, now), t.In, t.Out
	if t.Step.N > 0 {
		d := w.Done(t, now)
		if t.Kind != Source && !t.Step.Fire {
			in += d
		}
		out += t.OutOf(d)
	}
	return spent, in, out
}

// rides is Stands of a task that runs express.
func (w *World) rides(t *Task, now event.Time) (spent [threads]event.Time, in, out int64) {
	x := &w.express
	c, o := &x.cars[t.ID], &x.roles[t.ID]
	spent = t.SpentUntil(now)
	if !o.rides {
		return spent, t.In, t.Out
	}
	done, busy := int64(0), event.Time(0)
	switch {
	case o.kind == Source:
		done = w.arrived(t.ID, now-c.cost)
		if log := &w.Logs[t.Log]; w.arrived(t.ID, now) > done {
			busy = now - log.Arrival(log.Next+done)
		}
	case o.load > 0:
		l := &x.loads[o.load-1]
		done = min(int64(l.Records), (now-l.At)/c.cost)
		busy = now - l.At - done*c.cost
	}
	done += c.in
	busy += done * c.cost
	spent[Busy] += busy
	spent[Idle] -= busy
	if in, out = t.In, t.Out+done; o.kind != Source {
		in += done
	}
	return spent, in, out
}

// ReadBy is how many records a source has read by now, and how many have arrived.
func (w *World) ReadBy(id event.Task, now event.Time) (read, arrived int64) {
	t := &w.Tasks[id]
	log := &w.Logs[t.Log]
	if c := w.express.cars; w.express.on {
		return log.Next + w.arrived(id, now-c[id].cost), log.Next + w.arrived(id, now)
	}
	return log.Next + w.Done(t, now), log.Arrived(now)
}

// Alight gives everything back to tasks, channels and queue.
func (w *World) Alight(now event.Time) {
	x := &w.express
	if !x.on {
		return
	}
	x.on = false
	for i := range w.Tasks {
		if t := &w.Tasks[i]; !t.Retired {
			w.alight(t, &x.cars[i])
		}
	}
	x.tracks.ReturnWires()
	for i := range x.rotas {
		w.returnTicks(&x.rotas[i])
	}
	for i := range w.Tasks {
		if o := &x.roles[i]; o.rides && o.load > 0 {
			w.resume(now, &w.Tasks[i], &x.loads[o.load-1].Sent)
		}
	}
}

// alight books what a car has counted, but for the buffer that it works on.
func (w *World) alight(t *Task, c *car) {
	x := &w.express
	if len(t.Outs) == 1 {
		id, _ := w.Net.OnlyConsumer(t.Outs[0])
		to := &x.cars[id]
		x.tracks.Return(t.Outs[0], c.in, to.buffers, to.bytes, to.in, x.roles[id].load > 0)
	}
	busy := c.in * c.cost
	t.Spent[Busy] += busy
	t.Spent[Idle] -= busy
	t.Seen += c.in
	t.Out += c.in
	t.Step.Gen = x.roles[t.ID].step
	if t.Kind == Source {
		t.Step.N, t.Step.booked = c.left, t.Step.booked || c.in > 0
		return
	}
	t.In += c.in
	t.Thread, t.Step.N, t.Hands[0] = Idle, 0, Hand{Entry: network.Entry{Runs: event.EmptyRuns}}
	t.Spent[Idle] += c.since - t.Since
	t.Since = c.since
}

// returnTicks makes a rota a lane of flushers again.
func (w *World) returnTicks(r *rota) {
	for k := range r.ticks {
		t := &r.ticks[(r.next+k)%len(r.ticks)]
		w.Queue.GiveTo(r.lane, sim.Item{At: t.at, Seq: t.seq, Kind: event.DueFlush, A: t.task, Gen: w.Tasks[t.task].Gen})
	}
}

// resume lets a task work on the buffer that it has taken, or look for it if it has come just now and something else is due.
func (w *World) resume(now event.Time, t *Task, s *network.Sent) {
	x := &w.express
	if s.At == now && !w.Queue.Quiet(now) {
		x.tracks.Unbegun(s)
		t.Step.Gen++
		w.poke(now, t)
		return
	}
	h, p := &t.Hands[0], &t.Step
	h.Valid = true
	h.Channel, h.Entry = x.tracks.Entry(s)
	p.K, p.Paced, p.Mark, p.Fire, p.booked, p.Start, p.N, p.Gates[0] = 1, false, false, false, false, s.At, int64(s.Records), 0
	t.become(s.At, Busy)
}
