package task

import "checkpointlab/core/event"

// Most buffers come to a task that waits for one, and all of their records are done before anything else happens to it. Such a
// buffer takes neither a place of the receiver's queue nor a look of the thread nor a step: it hops through the task. All that
// can be seen of it is as if it had taken them.
//
// One that arrives alone hops at once. Those that arrive together, as after the flush of a task with many channels, hop
// together: Deliver notes them, and Land books them when all else that is due until then is done, or as far as they are when
// something else may see or change them.

// hopping is the buffers that arrived at the same instant and hop.
type hopping struct {
	at    event.Time
	last  event.Time // when the last one's records are done
	ready []hop
}

type hop struct {
	end     event.Time // its records are done
	task    event.Task
	channel event.Channel
}

// mayHop tells whether buffers may hop through a task, as far as it stays so until the task's next start: all channels of its
// one gate are remote, and nobody looks at each of its records.
func (w *World) mayHop(t *Task) bool {
	return t.plain && !t.debloats && w.Rules.Wake == 0 && w.Net.Prompt(t.Gates[0])
}

// waits tells whether a task has nothing to do but to wait for records.
func (t *Task) waits() bool {
	return t.Alive && t.Thread == Idle && !t.ran && !t.over && t.Step.N == 0 && t.waiting == 0 && len(t.mails) == 0 && !t.costChanges
}

// hop takes the buffer that arrives by channel c through its consumer, or notes that it hops with others, if it can.
func (w *World) hop(now event.Time, t *Task, c event.Channel) bool {
	switch {
	case t.hopping: // a second one at the same instant
		w.Land(now)
		return false
	case !t.hops || !t.waits():
		return false
	}
	e := w.Net.Coming(c)
	if e == nil || !w.Net.Slab.Uniform() || t.Kind != Sink && !w.Net.Fits(t.Outs[0], &e.Runs, e.Records) {
		return false
	}
	end := now + e.Records*t.Cost
	alone := w.Queue.Alone(end)
	if !alone && (t.Kind == Sink || !w.together(now)) {
		return false
	}
	silent := w.Net.Arrive(now, c, e)
	switch {
	case alone && w.Queue.Alone(end): // the arrival may have granted credit, which is on its way now
		w.Queue.Behind(end)
		w.through(t, c, now, end)
	case silent && !alone:
		h := &w.hopping
		t.hopping, h.at, h.last = true, now, max(h.last, end)
		h.ready = append(h.ready, hop{end, t.ID, c})
	default:
		w.Net.Shelve(c)
		w.poke(now, t)
	}
	return true
}

// together tells whether what arrives now may hop with others.
func (w *World) together(now event.Time) bool {
	if w.Hopping() {
		return true
	}
	next := w.Queue.Next()
	return w.Queue.Limited() > now && next.At == now && next.Kind == event.DueDeliver
}

// through takes a buffer that arrived at now by channel c through the task; its last record is done at end.
func (w *World) through(t *Task, c event.Channel, now, end event.Time) {
	e := w.Net.Enter(c)
	t.Handler.OnBytes(int64(e.Bytes))
	t.begins(end)
	t.In += e.Records
	t.Spent[Idle] += now - t.Since
	t.Spent[Busy] += end - now
	t.Since = end
	h := &t.Hands[0]
	if h.Channel, h.Entry.Runs = c, e.Runs; t.Kind == Sink {
		t.Step.K = 1
		w.writeOut(end, t, h, now+t.Cost, e.Records)
	} else {
		w.move(t, h, e.Records)
	}
	w.Net.Recycle(end, c, e)
}

// Hopping tells whether buffers hop together.
func (w *World) Hopping() bool { return len(w.hopping.ready) > 0 }

// HopsThrough tells whether one does so through a task.
func (w *World) HopsThrough(id event.Task) bool { return w.Tasks[id].hopping }

// Landing is when the records of the last one are done.
func (w *World) Landing() event.Time { return w.hopping.last }

// Land ends hopping together: what is done before that instant is booked, the rest goes on as steps; at the instant of the
// arrivals a thread may not have looked yet.
func (w *World) Land(before event.Time) {
	h, last := &w.hopping, event.Time(0)
	for _, x := range h.ready {
		t := &w.Tasks[x.task]
		t.hopping = false
		switch {
		case x.end < before:
			w.through(t, x.channel, h.at, x.end)
			last = max(last, x.end)
		case h.at == before && !w.looked(h.at, t):
			w.Net.Shelve(x.channel)
			w.poke(h.at, t)
		default:
			w.workOn(t, x.channel, h.at)
		}
	}
	if last > w.Queue.Now() {
		w.Queue.Behind(last)
	}
	h.ready, h.last = h.ready[:0], 0
}

// workOn lets a task work on a buffer that it has taken at now.
func (w *World) workOn(t *Task, c event.Channel, now event.Time) {
	e := w.Net.Enter(c)
	t.Handler.OnBytes(int64(e.Bytes))
	h, s := &t.Hands[0], &t.Step
	h.Valid, h.Channel, h.Entry = true, c, *e
	h.Entry.Arrives = now
	s.K, s.Paced, s.Mark, s.Fire, s.Start, s.N, s.Gates[0] = 1, false, false, false, now, e.Records, 0
	w.work(now, t)
}
