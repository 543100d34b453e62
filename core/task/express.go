package task

import (
	"checkpointlab/core/event"
	"checkpointlab/core/network"
	"checkpointlab/core/source"
)

// A wide job whose tasks form pipelines, one channel in and one out, mostly consists of flushers' ticks and of buffers that
// reach waiting tasks, about one per record. A task with its channels and its gate is some forty cache lines, of which such a
// tick or buffer changes a few numbers here and there; and the event queue hands out each of them, although ticks come round in
// the same order and buffers arrive in the order in which they were sent. So while nothing else is due, the whole job runs
// express: a task is a car and its output a track (network/express.go), one cache line each, that count what happens; ticks
// stand in rotas, and buffers in work in the order in which they are done (boarding.go, riding.go). Alight brings tasks,
// channels and queue up to date (alighting.go).
//
// Ride does what the queue would hand out, in the same order and with the same sequence numbers, and reports the same to the
// feed. What a car cannot do ends the ride before it happens: anything but a tick, a buffer or the end of a buffer's records; a
// buffer that fills; missing credit; a buffer for a busy task; a tick in the middle of several records. Express changes how
// long a run takes to compute and nothing else.

// express is the state of a job that runs express.
type express struct {
	on        bool
	cars      []car  // by task
	wells     []well // by log
	works     works
	rotas     []rota
	tracks    network.Tracks
	stretches stretches
	post      post // of a job that deals by key
	fetched   int  // arrivals for which memory was read
	read      int  // beforehand, of no meaning
}

// car is what an express task changes: one cache line.
type car struct {
	network.Inlet
	since    event.Time // a receiver: when it was last done with something
	cost     event.Time
	began    event.Time // the buffer in work
	load     int32      // records in work, 0 = it waits
	in       int32      // records processed; of a source: read
	place    int32      // of a source in wells, of a sink in Writers
	kind     Kind
	rides    bool
	fresh    bool // it has never processed a record
	floating bool // the buffer in work is a floating one, for it came while an exclusive one of its channel was there
}

// well is what a source reads.
type well struct {
	since   event.Checkpoint
	next    int64      // record
	arrives event.Time // when it does
	spacing int64      // of records, in event.Fine
	each    event.Time // and in ns, 0 = not a whole number
	left    int64      // records of its step
	ends    event.Time // when that does, where it does not end the ride; event.Never = it has none
}

// pass advances by d records. It is false if only the log can say when the next one arrives.
func (l *well) pass(d int64) (known bool) {
	l.next += d
	l.left -= d
	l.arrives += d * l.each
	return l.each > 0
}

// works is the buffers in work in the order in which they are done: by time, and at one instant by task.
type works struct {
	ring []work
	head int
	n    int
}

type work struct {
	end event.Time
	network.Sent
}

// rota is the ticks of flushers with one period, which come round in one order.
type rota struct {
	tick
	next    int // where in ticks that one stands, which comes next
	ticks   []tick
	period  event.Time
	lane    int
	fetched int // ticks for which memory was read
}

type tick struct {
	at   event.Time
	seq  int64
	task event.Task
}

// Riding reports whether the job runs express. Until Alight, tasks and channels then are as they were when the ride began.
func (w *World) Riding() bool { return w.express.on }

// Drop discards a ride whose tasks are about to be set to another state.
func (w *World) Drop() { w.express.on = false }

func wellOf(log *source.Log, t *Task) well {
	_, _, spacing := log.Span(1)
	l := well{since: t.Latest, next: log.Next, arrives: log.Arrival(log.Next), spacing: spacing, left: t.Step.N}
	if log.Even() {
		l.each = spacing / event.Fine
	}
	if l.left == 0 {
		l.arrives = event.Never
	}
	return l
}

// begins takes a buffer with so many records at an instant.
func (c *car) begins(at event.Time, records int32, floating bool) {
	c.began, c.load, c.floating = at, records, floating
}

// holding is which buffer the task has in hand.
func (c *car) holding() network.Holding {
	switch {
	case c.load == 0:
		return network.HoldsNone
	case c.floating:
		return network.HoldsFloating
	}
	return network.HoldsExclusive
}

// arrived is how many unread records of a source's step have arrived by an instant.
func (w *World) arrived(c *car, at event.Time) int64 {
	l := &w.express.wells[c.place]
	switch {
	case at < l.arrives:
		return 0
	case l.each == 0:
		return min(l.left, w.Logs[c.place].Arrived(at)-l.next)
	case at < l.arrives+l.each: // else it is a division
		return 1
	default:
		return min(l.left, (at-l.arrives)/l.each+1)
	}
}

// next is when the next buffer is done, event.Never if none is in work.
func (q *works) next() due {
	if q.n == 0 {
		return due{At: event.Never}
	}
	k := &q.ring[q.head]
	return due{At: k.end, Seq: ahead(k.Consumer)}
}

func (q *works) first() *work { return &q.ring[q.head] }

func (q *works) at(i int) *work { return &q.ring[(q.head+i)&(len(q.ring)-1)] }

func (q *works) drop() {
	q.head = (q.head + 1) & (len(q.ring) - 1)
	q.n--
}

// add makes a place for a buffer that a task will have done at end; nearly always it is the last one.
func (q *works) add(end event.Time, id event.Task) *network.Sent {
	if q.n == len(q.ring) {
		q.lengthen()
	}
	i := q.n
	q.n++
	for ; i > 0; i-- {
		if before := q.at(i - 1); before.end < end || before.end == end && before.Consumer < id {
			break
		} else {
			*q.at(i) = *before
		}
	}
	k := q.at(i)
	k.end = end
	return &k.Sent
}

//go:noinline
func (q *works) lengthen() {
	longer := make([]work, max(64, 2*q.n))
	for i := range q.n {
		longer[i] = *q.at(i)
	}
	q.ring, q.head = longer, 0
}

// Stands is how long a task was in each activity up to now, and how many records it has read and written.
func (w *World) Stands(t *Task, now event.Time) (spent [threads]event.Time, in, out int64) {
	if w.express.on {
		return w.rides(t, now)
	}
	spent, in, out = t.Spent, t.In, t.Out
	spent[t.Thread] += now - t.Since
	if t.Step.N > 0 {
		if busy := w.pacedWork(t, now); busy > 0 {
			spent[Busy] += busy
			spent[Idle] -= busy
		}
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
	c := &w.express.cars[t.ID]
	spent = t.SpentUntil(now)
	if !c.rides {
		return spent, t.In, t.Out
	}
	done, busy := int64(0), event.Time(0)
	switch {
	case c.kind == Source:
		done = w.arrived(c, now-c.cost)
		if w.arrived(c, now) > done {
			busy = now - w.Logs[c.place].Arrival(w.express.wells[c.place].next+done)
		}
	case c.load > 0:
		done = min(int64(c.load), (now-c.began)/c.cost)
		busy = now - c.began - done*c.cost
	}
	done += int64(c.in)
	busy += done * c.cost
	spent[Busy] += busy
	spent[Idle] -= busy
	if in, out = t.In, t.Out+done; c.kind != Source {
		in += done
	}
	return spent, in, out
}

// ReadBy is how many records a source has read by now, and how many have arrived.
func (w *World) ReadBy(id event.Task, now event.Time) (read, arrived int64) {
	if x := &w.express; x.on {
		c := &x.cars[id]
		l := &x.wells[c.place]
		if now < l.arrives { // as nearly always
			return l.next, l.next
		}
		return l.next + w.arrived(c, now-c.cost), l.next + w.arrived(c, now)
	}
	t := &w.Tasks[id]
	log := &w.Logs[t.Log]
	return log.Next + w.Done(t, now), log.Arrived(now)
}

// Position is the next record that a source reads; none of its step is counted that is not booked.
func (w *World) Position(id event.Task) int64 {
	log := w.Tasks[id].Log
	if w.express.on {
		return w.express.wells[log].next
	}
	return w.Logs[log].Next
}

// EachRun calls f with every run that is queued, under way or in work, in no particular order.
func (w *World) EachRun(f func(*event.Run)) {
	w.Net.Slab.Each(f)
	x := &w.express
	if !x.on {
		return
	}
	x.tracks.EachRun(f)
	for i := range x.works.n {
		if k := x.works.at(i); k.Many.Empty() && k.Records > 0 && k.Stack == 0 {
			f(&k.Run)
		}
	}
}
