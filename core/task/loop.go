package task

import (
	"checkpointlab/core/event"
	"checkpointlab/core/network"
	"checkpointlab/core/sim"
)

// Run lets the task's thread look for something to do.
func (w *World) Run(now event.Time, id event.Task) {
	t := &w.Tasks[id]
	t.ran = false
	if !t.Alive || t.Thread == Busy || t.Thread == Sync {
		return
	}
	if t.Step.N > 0 { // a source that waits for arrivals
		w.settle(now, t)
		t.Step.N = 0
		t.Step.Gen++
	}
	w.loop(now, t)
}

// StepEnd is the end of the step in work.
func (w *World) StepEnd(now event.Time, id event.Task, gen uint32) {
	t := &w.Tasks[id]
	if t.Step.Gen != gen || t.Step.N == 0 {
		return
	}
	w.apply(now, t, t.Step.N)
	w.loop(now, t)
}

// loop is the mailbox loop (spec 4.4): mails, then output, then input.
func (w *World) loop(now event.Time, t *Task) {
	for {
		t.takeCost()
		if w.hard(now, t) {
			return
		}
		if w.readMails(now, t) {
			return
		}
		if w.Rules.BufferTimeout == 0 {
			w.flush(now, t)
		}
		if !w.available(t) {
			w.soft(now, t)
			return
		}
		if t.Kind == Source {
			w.beginRead(now, t)
			return
		}
		if w.fill(now, t) {
			return
		}
		if !w.begin(now, t) {
			w.idle(now, t)
			return
		}
		if w.end(t, t.Step.N) > now {
			w.work(now, t, Busy)
			return
		}
		w.apply(now, t, t.Step.N)
	}
}

// hard goes on with records that wait for a segment; true: the thread stays blocked.
func (w *World) hard(now event.Time, t *Task) bool {
	if t.waiting == 0 {
		return false
	}
	t.waiting = 0
	for i, p := range t.Outs {
		if waiting := w.Net.Continue(now, p); waiting > 0 {
			t.waiting += waiting
		} else {
			w.emitRest(now, t, i)
		}
	}
	if t.waiting == 0 {
		return false
	}
	w.pressed(now, t, Hard)
	return true
}

func (w *World) soft(now event.Time, t *Task) { w.pressed(now, t, Soft) }

// pressed puts the thread into one of the back-pressured activities.
func (w *World) pressed(now event.Time, t *Task, th Thread) {
	if t.Thread != Soft && t.Thread != Hard {
		w.Feed.Emit(event.Event{At: now, Kind: event.BackPressured, Task: t.ID, A: 1})
	}
	if t.Thread != th {
		t.become(now, th)
	}
}

// available tests every output before a record begins.
func (w *World) available(t *Task) bool {
	for _, p := range t.Outs {
		if !w.Net.Available(p) {
			return false
		}
	}
	return true
}

// Wake tells a producer that a segment came back.
func (w *World) Wake(now event.Time, id event.Task) {
	t := &w.Tasks[id]
	if t.ran || t.Thread != Hard && (t.Thread != Soft || !w.available(t)) {
		return
	}
	w.poke(now, t)
}

// poke queues a look of the thread.
func (w *World) poke(at event.Time, t *Task) {
	if !t.ran {
		t.ran = true
		w.Queue.Push(sim.Item{At: at, Kind: event.DueRun, A: t.ID})
	}
}

// Deliver takes what arrives by a channel to its consumer.
func (w *World) Deliver(now event.Time, c event.Channel) {
	id, e, a := w.Net.Deliver(now, c)
	t := &w.Tasks[id]
	if a.Persist != 0 {
		w.store(t, a.Persist, c, false, &e)
	}
	switch {
	case !t.Alive:
	case a.FirstPriority:
		w.Mail(now, id, event.MailPriority, 0)
	case t.Thread == Idle:
		w.poke(now+w.Rules.Wake, t)
	}
}

// Offered is a local channel of the task that has something to read.
func (w *World) Offered(now event.Time, id event.Task, urgent bool) {
	switch t := &w.Tasks[id]; {
	case !t.Alive:
	case urgent:
		w.Mail(now, id, event.MailPriority, 0)
	case t.Thread == Idle:
		w.poke(now+w.Rules.Wake, t)
	}
}

// fill makes sure that each gate that can has a record in hand. What is no data is handled as it comes; true: the
// thread went into the synchronous part of a snapshot.
func (w *World) fill(now event.Time, t *Task) bool {
	for i := range t.Gates {
		h := &t.Hands[i]
		for h.Entry.Records == 0 || !h.Valid {
			if h.Valid {
				h.Valid = false
				w.Net.Recycle(now, h.Channel, &h.Entry)
			}
			c, e, ok := w.Net.Poll(now, t.Gates[i])
			if !ok {
				w.pause(now, t, i)
				break
			}
			if e.Kind != network.Data || e.Announcement {
				if w.receive(now, t, c, &e) {
					return true
				}
				continue
			}
			if e.Persist != 0 {
				w.store(t, e.Persist, c, false, &e.Entry)
			}
			w.count(now, t, i, &e.Entry)
			h.Valid, h.Channel, h.Entry = true, c, e.Entry
		}
	}
	return false
}

// begin sets the next step up from what is in hand; false: nothing is.
func (w *World) begin(now event.Time, t *Task) bool {
	s := &t.Step
	s.K, s.Paced, s.Start = 0, false, now
	s.N = event.Never
	size := int32(1)
	for i := range t.Hands {
		g := (int(t.Turn) + i) % len(t.Hands)
		if h := &t.Hands[g]; h.Valid && h.Entry.Records > 0 {
			r := w.Net.Slab.Front(&h.Entry.Runs)
			size = max(size, r.Size)
			s.Gates[s.K] = int8(g)
			s.K++
		}
	}
	if s.K == 0 {
		s.N = 0
		return false
	}
	for i := int8(0); i < s.K; i++ {
		r := w.Net.Slab.Front(&t.Hands[s.Gates[i]].Entry.Runs)
		s.N = min(s.N, r.Count*int64(s.K)+int64(i))
	}
	w.limit(t, size)
	return true
}

// limit cuts the step where an output has to be asked for something.
func (w *World) limit(t *Task, size int32) {
	if w.Rules.BufferTimeout == 0 {
		t.Step.N = 1
	}
	for _, p := range t.Outs {
		if t.EmitNum == t.EmitDen {
			t.Step.N = w.Net.Boundary(p, size, t.Step.N)
			continue
		}
		if out := t.emitted(t.Seen+t.Step.N) - t.emitted(t.Seen); out > 0 {
			t.Step.N = min(t.Step.N, t.inputsFor(w.Net.Boundary(p, size, out)))
		}
	}
}

// beginRead sets a source's next step up: what is in the log at once, then records as they arrive.
func (w *World) beginRead(now event.Time, t *Task) {
	log, s := &w.Logs[t.Log], &t.Step
	s.K, s.Start, s.Paced = 0, now, false
	switch at := log.Arrival(log.Next); {
	case log.Unlimited():
		s.N = w.unlimited(now, t)
	case at == event.Never:
		s.N = 0
	case at <= now:
		s.N = w.behind(now, t)
	default:
		s.N, s.Paced = w.paced(t), true
	}
	if s.N == 0 {
		w.idle(now, t)
		return
	}
	if !log.Unlimited() {
		s.N, _, _ = log.Span(s.N)
	}
	w.limit(t, t.Size)
	th := Busy
	if s.Paced {
		th = Idle
	}
	w.work(now, t, th)
}

// manyRecords is more than any step has.
const manyRecords = 1 << 40

// unlimited is how many records a source that is never short can read: what was read before, and what it begins to read
// while the log grows.
func (w *World) unlimited(now event.Time, t *Task) int64 {
	log := &w.Logs[t.Log]
	switch left := log.Growing(now); {
	case left == event.Never:
		return manyRecords
	case left > 0:
		return max(log.Read-log.Next, (left+t.Cost-1)/t.Cost)
	default:
		return log.Read - log.Next
	}
}

// behind is how many records a source that lags can read one after another before it has to wait for one to arrive.
func (w *World) behind(now event.Time, t *Task) int64 {
	log := &w.Logs[t.Log]
	n := log.Arrived(now) - log.Next
	if _, _, step := log.Span(manyRecords); step > t.Cost*event.Fine {
		return n
	}
	return manyRecords // it never catches up
}

// paced is how many records a source that has caught up can read as they arrive: one, if the next arrives while it is
// still at work on it.
func (w *World) paced(t *Task) int64 {
	if _, _, step := w.Logs[t.Log].Span(manyRecords); step < t.Cost*event.Fine {
		return 1
	}
	return manyRecords
}

// idle lets the thread wait for input.
func (w *World) idle(now event.Time, t *Task) {
	w.relieved(now, t)
	t.become(now, Idle)
}

// relieved tells that the thread is no longer back-pressured, if it was.
func (w *World) relieved(now event.Time, t *Task) {
	if t.Thread == Soft || t.Thread == Hard {
		w.Feed.Emit(event.Event{At: now, Kind: event.BackPressured, Task: t.ID})
	}
}

// work puts the step to work.
func (w *World) work(now event.Time, t *Task, th Thread) {
	w.relieved(now, t)
	t.become(now, th)
	t.Step.Gen++
	if end := w.end(t, t.Step.N); end != event.Never {
		w.Queue.Push(sim.Item{At: end, Kind: event.DueStep, A: t.ID, Gen: t.Step.Gen})
	}
}

// cut ends the step with the record in work, so that a mail can be read.
func (w *World) cut(now event.Time, t *Task) {
	s := &t.Step
	if s.N == 0 {
		return
	}
	n := w.Done(t, now)
	if n < s.N && (n == 0 || w.end(t, n) < now) {
		n++
	}
	if n < s.N {
		s.N = n
		s.Gen++
		w.Queue.Push(sim.Item{At: w.end(t, n), Kind: event.DueStep, A: t.ID, Gen: s.Gen})
	}
}

// Flush is a tick of the task's output flusher.
func (w *World) Flush(now event.Time, id event.Task, gen uint32) {
	t := &w.Tasks[id]
	if !t.Alive || t.Gen != gen {
		return
	}
	w.settle(now, t)
	w.flush(now, t)
	w.Queue.Push(sim.Item{At: now + t.FlushPeriod, Kind: event.DueFlush, A: id, Gen: gen})
}

func (w *World) flush(now event.Time, t *Task) {
	for _, p := range t.Outs {
		w.Net.Flush(now, p)
	}
}
