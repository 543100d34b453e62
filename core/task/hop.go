package task

import "checkpointlab/core/event"

// Most buffers reach a task that waits for one, and all of their records are done before anything else happens to it. Such a
// buffer takes neither a place in the receiver's queue nor a look of the thread nor a step: it hops through the task.
// Everything visible is as if it had taken them.
//
// A buffer that arrives alone hops at once. Those that arrive together, as after the flush of a task with many channels, hop
// together: Deliver notes them, and Land books them when everything else due until then is done, or as far as they have got
// when something else may see or change them.

// hopping is the buffers that arrived at the same instant and hop together.
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

// mayHop reports whether buffers may hop through a task, as far as that is fixed until the task's next start: all channels of
// its single gate are remote, and no record is looked at by itself.
func (w *World) mayHop(t *Task) bool {
	return t.plain && !t.debloats && !w.Rules.slow() && w.Net.Prompt(t.Gates[0])
}

// waits reports whether a task has nothing to do but to wait for records.
func (t *Task) waits() bool {
	return t.Alive && t.Thread == Idle && !t.ran && !t.over && t.Step.N == 0 && t.waiting == 0 && len(t.mails) == 0 && !t.costChanges
}

// hop takes the buffer that arrives on channel c through its consumer, or notes that it hops with others, if it can.
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
	t.mailed++
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

// together reports whether what arrives now may hop together with others.
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

// Hopping reports whether buffers hop together.
func (w *World) Hopping() bool { return len(w.hopping.ready) > 0 }

// HopsThrough reports whether a buffer hops through a task.
func (w *World) HopsThrough(id event.Task) bool { return w.Tasks[id].hopping }

// Landing is when the records of the last hopping buffer are done.
func (w *World) Landing() event.Time { return w.hopping.last }

// Land ends hopping together: what is done before that instant is booked, the rest goes on as steps; a thread may still have to
// look at the instant of the arrivals.
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

// workOn makes a task work on a buffer that it has taken at now.
func (w *World) workOn(t *Task, c event.Channel, now event.Time) {
	e := w.Net.Enter(c)
	t.Handler.OnBytes(int64(e.Bytes))
	h, s := &t.Hands[0], &t.Step
	h.Valid, h.Channel, h.Entry = true, c, *e
	h.Entry.Arrives = now
	s.K, s.Paced, s.Mark, s.Fire, s.Start, s.N, s.Gates[0] = 1, false, false, false, now, e.Records, 0
	w.work(now, t)
}
