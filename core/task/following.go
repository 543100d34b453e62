package task

import (
	"cmp"
	"slices"

	"checkpointlab/core/event"
	"checkpointlab/core/network"
)

// follow does everything the tasks in the middle do before an instant: each works on what is in its box. It returns the instant
// up to which the outcome is certain; with done it may only be called if that is not earlier.
func (w *World) follow(end event.Time, done bool) (until event.Time) {
	x := &w.express
	p := &x.post
	p.sends, until = p.sends[:0], end
	r := &x.rotas[p.to]
	for k := range r.ticks {
		if t := r.after(k); t.at >= end && len(p.boxes[t.task]) == 0 && x.tracks.OwedOne(t.task) {
			continue
		}
		if until = min(until, w.followOne(r.after(k), end, done)); until < end {
			return until
		}
	}
	p.order = p.order[:0]
	for i := range p.sends {
		p.order = append(p.order, int32(i))
	}
	slices.SortFunc(p.order, func(a, b int32) int {
		s, t := &p.sends[a], &p.sends[b]
		return cmp.Or(cmp.Compare(s.At, t.At), cmp.Compare(s.Seq, t.Seq))
	})
	return until
}

// follower is a task in the middle that works through its box.
type follower struct {
	w    *World
	id   event.Task
	c    *car
	out  network.Ahead
	done bool
}

// followOne is follow for the task whose flusher has tick t.
func (w *World) followOne(t *tick, end event.Time, done bool) (until event.Time) {
	x := &w.express
	p := &x.post
	f := follower{w: w, id: t.task, c: &x.cars[t.task], out: x.tracks.AheadOf(t.task, end), done: done}
	c, free, depth := f.c, f.c.since, min(maxDepth, w.Net.Floating(w.Tasks[t.task].Gates[0]))
	taken := p.taken[:depth]
	for i := range taken {
		taken[i] = taking{}
	}
	ticked, kept, turn := t.at >= end, false, 0
	for _, i := range p.boxes[t.task] {
		l := &p.parcels[i]
		if l.at >= end {
			break
		}
		start := max(l.at, free)
		over := start + int64(l.records)*c.cost
		if kept || start >= end || taken[turn].end >= l.at || start > l.at && comesAgain(taken, l) { // it waits at the end, or for one buffer too many
			return l.at
		}
		floating := (start > l.at || l.round < 0) && f.floats(taken, l)
		taken[turn] = taking{start, over, l.channel, floating}
		if turn++; turn == depth {
			turn = 0
		}
		if over >= end {
			full := f.out.UntilFull()
			if !ticked && start+c.cost <= t.at || int64(l.records) >= full && start+full*c.cost < end { // in part
				return l.at
			}
			if kept = true; done {
				f.keep(l, start, over, floating)
			}
			continue
		}
		if !ticked && over > t.at {
			read := max(0, (t.at-start)/c.cost)
			if !f.work(l, start, 0, read) || !f.tick(t) {
				return min(l.at, t.at)
			}
			if ticked = true; !f.work(l, start, read, int64(l.records)) {
				return l.at
			}
		} else if !f.work(l, start, 0, int64(l.records)) {
			return l.at
		}
		if free = over; done {
			f.took(l, over)
		}
	}
	if !ticked && !f.tick(t) {
		return t.at
	}
	if done {
		x.tracks.Follow(f.id, &f.out)
	}
	return f.out.Cut()
}

// taking is when a task began with a buffer, when it was done, and on which channel it came.
type taking struct {
	start, end event.Time
	channel    event.Channel
	floating   bool
}

// comesAgain reports whether a parcel arrives while another one of its channel waits: channels, not buffers, stand in a gate's
// line.
func comesAgain(taken []taking, l *parcel) bool {
	for i := range taken {
		if taken[i].channel == l.channel && taken[i].start >= l.at {
			return true
		}
	}
	return false
}

// floats reports whether the buffer of a parcel is a floating one: it is if an exclusive one of its channel is free when it
// arrives.
func (f *follower) floats(taken []taking, l *parcel) bool {
	if l.round < 0 && f.w.express.post.early[-1-l.round].Seq == inWork {
		return f.c.floating
	}
	for i := range taken {
		if t := &taken[i]; t.channel == l.channel && t.end > l.at {
			return !t.floating
		}
	}
	return false
}

// work passes the records from … to of a parcel on, which is begun at start. false: credit is missing for what they fill.
func (f *follower) work(l *parcel, start event.Time, from, to int64) bool {
	for from < to {
		n := min(to-from, f.out.UntilOver())
		if n < f.out.UntilOver() {
			f.write(l, from, n, start+(from+n)*f.c.cost)
			return true
		}
		at := start + (from+n)*f.c.cost
		f.write(l, from, n-1, at)
		if !f.out.MayLeave(at) {
			return false
		}
		s := f.leaves()
		f.out.Over(at, s)
		s.Seq = ahead(f.id)
		if f.done {
			x := &f.w.express
			s.Stack = x.tracks.HandOut(f.id)
			f.pass(l, from+n-1, 1, at)
			x.tracks.Filled(f.id)
		}
		from += n
	}
	return true
}

// write passes on records that end in the open buffer; a record that ends with the buffer comes by itself (Network.Move).
func (f *follower) write(l *parcel, from, n int64, at event.Time) {
	if f.out.Write(n); n > 1 && f.out.Full() {
		f.pass(l, from, n-1, at)
		from, n = from+n-1, 1
	}
	f.pass(l, from, n, at)
}

// tick is a tick of the task's flusher. false: it lacks credit.
func (f *follower) tick(t *tick) bool {
	if !f.out.Waits() {
		return true
	}
	if !f.out.MayLeave(t.at) {
		return false
	}
	s := f.leaves()
	f.out.Leave(t.at, s)
	if s.Seq = t.seq; f.done {
		x := &f.w.express
		if s.Stack = x.tracks.HandOut(f.id); f.out.Empty() {
			x.tracks.Filled(f.id)
		}
	}
	return true
}

// leaves makes a place for a buffer that is sent.
func (f *follower) leaves() *network.Sent {
	p := &f.w.express.post
	p.sends = slices.Grow(p.sends, 1)[:len(p.sends)+1]
	s := &p.sends[len(p.sends)-1]
	s.Producer, s.Many, s.Stack = f.id, event.EmptyRuns, 0
	return s
}

// pass appends n records of a parcel to what the task has written at an instant.
func (f *follower) pass(l *parcel, from, n int64, at event.Time) {
	if !f.done || n == 0 {
		return
	}
	w := f.w
	x := &w.express
	if f.c.fresh {
		f.c.fresh = false
		w.Tasks[f.id].begins(at)
	}
	w.Net.InFlight += n * int64(x.tracks.Size())
	switch {
	case l.list > 0:
		x.tracks.PileAll(f.id, &x.post.lists[l.list-1], n)
	case l.round < 0 && !x.post.early[-1-l.round].Many.Empty():
		x.tracks.PileAll(f.id, &x.post.early[-1-l.round].Many, n)
	default:
		r := f.run(l)
		r.Cut(from)
		r = r.Cut(n)
		x.tracks.Pile(f.id, &r)
	}
}

// run is the single run of a parcel.
func (f *follower) run(l *parcel) event.Run {
	if l.round < 0 {
		return f.w.express.post.early[-1-l.round].Run
	}
	return f.w.fresh(l)
}

// arrives takes a parcel, unless it was in work before.
func (f *follower) arrives(l *parcel) {
	if l.round >= 0 || f.w.express.post.early[-1-l.round].Seq != inWork {
		f.w.Net.InFlight -= int64(l.bytes)
		if f.c.since < l.at { // it has waited
			f.c.Buffers++
		}
	}
}

// took books a parcel all of whose records are done.
func (f *follower) took(l *parcel, over event.Time) {
	f.arrives(l)
	f.c.in += l.records
	f.c.since = over
}

// keep puts back a parcel that is in work when the stretch ends.
func (f *follower) keep(l *parcel, start, over event.Time, floating bool) {
	f.arrives(l)
	f.c.begins(start, l.records, floating)
	s := f.w.sentOf(l, start, inWork)
	*f.w.express.works.add(over, f.id) = s
}

// inWork is the Seq of what a task in the middle has in work.
const inWork = -1

// receiveAll does everything that arrives at sinks before an instant. It returns the instant up to which the outcome is
// certain.
func (w *World) receiveAll(end event.Time, done bool) (until event.Time) {
	x := &w.express
	p := &x.post
	for _, id := range p.sinks {
		c := &x.cars[id]
		p.free[id], p.before[id] = c.since, -1
		if c.load > 0 {
			p.free[id] = c.began + int64(c.load)*c.cost
		}
	}
	for i := range p.early {
		if s := &p.early[i]; x.cars[s.Consumer].kind == Sink && s.At < end {
			if !w.receiveOne(s, end, done) {
				return s.At
			}
		}
	}
	for _, i := range p.order {
		s := &p.sends[i]
		if s.At >= end {
			break
		}
		if !w.receiveOne(s, end, done) {
			return s.At
		}
	}
	if done {
		for x.works.n > 0 && x.works.first().end < end {
			w.rideEnd()
		}
		for i := range x.works.n {
			k := x.works.at(i)
			c := &x.cars[k.Consumer]
			c.begins(k.At, k.Records, c.floating)
		}
	}
	return end
}

// receiveOne handles a buffer that arrives at a sink. false: it waits at the end of the stretch, or behind another one that
// waits.
func (w *World) receiveOne(s *network.Sent, end event.Time, done bool) bool {
	x := &w.express
	p := &x.post
	id := s.Consumer
	start := max(s.At, p.free[id])
	if start >= end || p.before[id] >= s.At {
		return false
	}
	p.before[id] = p.free[id]
	p.free[id] = start + int64(s.Records)*x.cars[id].cost
	if !done {
		return true
	}
	c := &x.cars[id]
	if p.before[id] >= s.At { // it has not waited
		w.Tasks[id].mailed--
	}
	c.floating = start > s.At && !c.floating
	x.tracks.Land(&c.Inlet, s)
	for x.works.n > 0 && x.works.first().end < s.At {
		w.rideEnd()
	}
	if s.Records == 0 { // the middle of a record
		c.since = max(c.since, start)
		return true
	}
	k := x.works.add(p.free[id], id)
	*k = *s
	k.At = start
	return true
}
