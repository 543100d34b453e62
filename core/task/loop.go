package task

import (
	"checkpointlab/core/event"
	"checkpointlab/core/network"
	"checkpointlab/core/sim"
)

// Run is called when the task's thread is to look for something to do.
func (w *World) Run(now event.Time, id event.Task, gen uint32) {
	t := &w.Tasks[id]
	if t.Gen != gen || !t.Alive {
		return
	}
	t.ran = false
	if t.Thread == Busy && t.Step.N > 0 || t.Thread == Sync {
		return
	}
	if t.Step.N > 0 { // a source that waits for arrivals
		w.settle(now, t)
		t.Step.N = 0
		t.Step.Gen++
	}
	w.loop(now, t)
}

// StepEnd is called at the end of the step in work.
func (w *World) StepEnd(now event.Time, id event.Task, gen uint32) {
	t := &w.Tasks[id]
	if t.Step.Gen != gen || t.Step.N == 0 {
		return
	}
	w.apply(now, t, t.Step.N)
	w.look(now, t)
}

// look lets the thread go on after everything else due at this instant: a mail that arrives at the end of a record is read
// before the next one begins.
func (w *World) look(now event.Time, t *Task) {
	if w.Queue.Quiet(now) {
		w.Queue.Behind(now)
		w.loop(now, t)
	} else {
		w.poke(now, t)
	}
}

// looked reports whether a thread that is between two records at this instant would already have begun the next one: threads
// look in turn.
func (w *World) looked(now event.Time, t *Task) bool {
	if w.lookAt != now {
		return false
	}
	for _, id := range w.lookers { // whose turns are not computed yet
		w.lookTurn = max(w.lookTurn, event.Turn(w.Rules.Seed, now, id))
	}
	w.lookers = w.lookers[:0]
	return w.lookTurn >= event.Turn(w.Rules.Seed, now, t.ID)
}

// loop lets the thread run until it waits or works: awake, it is not woken by what it does itself.
func (w *World) loop(now event.Time, t *Task) {
	w.awake = t.ID + 1
	w.goOn(now, t)
	w.awake = 0
}

// goOn is the mailbox loop (spec 4.4): mails, then output, then input.
func (w *World) goOn(now event.Time, t *Task) {
	w.looks(now, t)
	if t.probe <= now {
		w.probesIdle(now, t)
	}
	if t.log != nil {
		t.waitForLog(now, false)
	}
	for {
		t.takeCost()
		t.payAccess(now)
		if t.waiting > 0 && w.hard(now, t) {
			return
		}
		taken := false // a record that has waited for room goes on at once: it is in the middle of processElement
		if t.asks {
			var waits bool
			if taken, waits = w.goOnAsking(now, t); waits {
				return
			}
		}
		if t.windows && t.window.firing && (!w.Rules.Interruptible || len(t.mails) == 0) {
			if w.fires(now, t) {
				return
			}
			continue
		}
		first := t.recordFirst()
		if t.probe <= now && !t.locked && !taken && !first {
			w.probed(t, now)
		}
		if len(t.mails) > 0 && !t.locked && !taken && !first {
			if w.readMails(now, t) {
				return
			}
			first = t.recordFirst()
		}
		if t.waiting > 0 { // a mail is in the middle of writing a watermark
			w.become(now, t, Hard)
			return
		}
		if t.windows && t.window.firing { // the mails that interrupted it are read
			continue
		}
		if t.over {
			w.leave(now, t)
			return
		}
		if !taken && !w.available(t) {
			if w.become(now, t, Soft); first {
				continue
			}
			return
		}
		blocked := t.LogBlocked()
		if blocked && t.Thread != Idle && t.Thread != Soft && w.hasInput(t) { // changelog-busy, which is part of busy (spec 4.4)
			w.become(now, t, Busy)
			t.waitForLog(now, true)
			return
		}
		found, syncing := w.next(now, t)
		if syncing {
			return
		}
		if t.asks && t.requests.ending {
			continue
		}
		if !found {
			if w.lastMark(now, t) {
				continue
			}
			if w.inputOver(now, t) {
				t.over, t.locked = true, false
				continue
			}
		}
		first = first && found && !t.Step.Paced
		if len(t.mails) > 0 && !t.locked && !taken && !first { // of what was polled: an announced barrier that became urgent
			t.Step.N = 0
			continue
		}
		if !found {
			t.noteIdle(now)
			w.become(now, t, Idle)
			return
		}
		if t.asks && t.requests.queue.Full() {
			t.Step.N, t.requests.yielding = 0, true
			continue
		}
		if blocked || first { // a thread that has waited for input or output looks at the log behind a record (StreamTask.processInput)
			t.Step.N = min(t.Step.N, 1)
		}
		end := w.end(t, t.Step.N)
		switch {
		case end <= now:
			w.become(now, t, Busy)
			w.apply(now, t, t.Step.N)
		case t.Step.Paced || !w.Queue.Alone(end):
			w.work(now, t)
			return
		default:
			if now = end; !w.workAlone(t, now) {
				return
			}
		}
	}
}

// workAlone does the step at once, because nothing else in the whole job is due before its end. It is false if something is due
// then.
func (w *World) workAlone(t *Task, end event.Time) bool {
	w.become(t.Step.Start, t, Busy)
	t.Step.booked = false
	w.Queue.Reach(end)
	w.apply(end, t, t.Step.N)
	if !w.Queue.Quiet(end) {
		w.poke(end, t)
		return false
	}
	w.Queue.Behind(end)
	w.looks(end, t)
	return true
}

// looks notes that a thread looks for work; threads do so in turn.
func (w *World) looks(now event.Time, t *Task) {
	if w.lookAt != now {
		w.lookAt, w.lookTurn, w.lookers = now, -1, w.lookers[:0]
	}
	w.lookers = append(w.lookers, t.ID)
}

// next prepares the next step; found is false if there is nothing to do, syncing if the thread went into the synchronous part
// of a snapshot.
func (w *World) next(now event.Time, t *Task) (found, syncing bool) {
	if t.Kind == Source {
		return t.End.stopping == goesOn && w.beginRead(now, t), false
	}
	if len(t.Gates) == 1 {
		found, syncing = w.ask(now, t, 0)
	} else {
		found, syncing = w.choose(now, t)
	}
	if found {
		w.begin(now, t)
	}
	return found, syncing
}

// hard continues a record that waits for a segment; true: the thread stays blocked.
func (w *World) hard(now event.Time, t *Task) bool {
	w.continueWriting(now, t)
	if t.waiting == 0 {
		return false
	}
	w.become(now, t, Hard)
	return true
}

// become changes what the thread does; back pressure begins and ends with it.
func (w *World) become(now event.Time, t *Task, th Thread) {
	before, after := t.Thread.pressed(), th.pressed()
	if before {
		t.pressedFor(now)
	}
	t.become(now, th)
	if before != after {
		begins := int64(0)
		if after {
			begins = 1
		}
		w.Feed.Pressed(now, t.ID, begins)
	}
}

// available tests every output before a record begins; a source that pushes does not ask.
func (w *World) available(t *Task) bool {
	if t.Pushes {
		return true
	}
	for _, p := range t.Outs {
		if !w.Net.Available(p) {
			return false
		}
	}
	return true
}

// Wake tells a producer that a segment is free again.
func (w *World) Wake(now event.Time, id event.Task) {
	t := &w.Tasks[id]
	if t.ran || w.awake == id+1 || t.Thread != Hard && (t.Thread != Soft || !w.available(t)) {
		return
	}
	if t.Thread == Soft {
		t.mailed++
	}
	if w.late && w.woken == 0 && !w.Rules.slow() {
		w.woken, t.ran = id+1, true
		return
	}
	w.poke(now+w.Rules.WakeOutput+event.Wait(w.Rules.Seed, now, id, w.Rules.WakeSpread), t)
}

// slow reports whether a thread that waited needs time until it runs.
func (r *Rules) slow() bool { return r.Wake > 0 || r.WakeOutput > 0 || r.WakeSpread > 0 }

// Credit handles credit that reaches the sender of a channel. A thread that gets a segment back looks once everything is sent:
// at once, if nothing else is due at this instant.
func (w *World) Credit(now event.Time, c event.Channel, k int) {
	w.late = true
	w.Net.GiveCredit(now, c, k)
	w.late = false
	if w.woken > 0 {
		t := &w.Tasks[w.woken-1]
		w.woken, t.ran = 0, false
		w.look(now, t)
	}
}

// poke queues a look of the thread. Threads look in turn, after everything else of the instant.
func (w *World) poke(at event.Time, t *Task) {
	if !t.ran {
		t.ran = true
		w.Queue.PushBehind(sim.Item{At: at, Kind: event.DueRun, A: t.ID, Gen: t.Gen}, event.Turn(w.Rules.Seed, at, t.ID))
	}
}

// interrupt makes the thread look as soon as it is between two records: at once if it waits, else after the record in work.
func (w *World) interrupt(now event.Time, t *Task) {
	switch {
	case t.Thread == Busy && t.Step.N == 0 && t.LogBlocked():
		w.poke(now, t)
	case t.Thread == Busy && t.Step.Fire && !w.Rules.Interruptible: // its mails wait for the last timer
	case t.Thread == Busy || w.midRecord(t, now):
		w.cut(now, t)
	case t.Thread == Idle || t.Thread == Soft:
		w.poke(now, t)
	}
}

// changes is something that the thread has to heed with its next record, though no mail tells it. One that waits for output is not woken:
// it would look ahead of the segment that it waits for.
func (w *World) changes(now event.Time, t *Task) {
	if t.Thread != Soft {
		w.interrupt(now, t)
	}
}

// begin prepares the next step: the inputs that have a record in hand alternate, until one without has to be asked.
func (w *World) begin(now event.Time, t *Task) {
	s := &t.Step
	s.K, s.Paced, s.Mark, s.Fire, s.Start, s.N = 0, false, false, false, now, event.Never
	if t.plain { // nothing else cuts the step
		e := &t.Hands[0].Entry
		s.K, s.Gates[0], s.N = 1, 0, w.alike(t, e)
		if t.Kind == Map {
			s.N = w.Net.Boundary(t.Outs[0], w.sizeOf(e), s.N)
		}
		return
	}
	if len(t.Hands) == 1 && !w.Rules.EventTime { // it has a record
		e := &t.Hands[0].Entry
		s.K, s.Gates[0], s.N = 1, 0, w.alike(t, e)
		w.limit(now, t, w.sizeOf(e))
		return
	}
	w.beginAny(now, t)
}

// sizeOf is the size in bytes of the records of a buffer in hand, or of the first one if they differ: its runs are not read
// before they have to be.
func (w *World) sizeOf(e *network.Entry) int32 {
	if w.Net.Slab.Uniform() {
		return max(1, w.Net.Slab.Size())
	}
	return max(1, w.Net.Slab.Front(&e.Runs).Size)
}

// beginAny is begin of a task with several inputs, or with watermarks.
func (w *World) beginAny(now event.Time, t *Task) {
	s, size := &t.Step, int32(1)
	for i := range t.Hands {
		g := t.gate(i)
		h := &t.Hands[g]
		if !h.Valid && !w.Net.Waiting(t.Gates[g]) && !t.measured(g) {
			continue
		}
		if !h.Valid || h.Entry.Records == 0 {
			s.N = int64(s.K)
			break
		}
		if w.Rules.EventTime && w.Net.Slab.Front(&h.Entry.Runs).IsMark() { // it is taken by itself
			if s.K == 0 {
				s.K, s.N, s.Mark = 1, 1, true
				s.Gates[0] = int8(g)
				return
			}
			s.N = int64(s.K)
			break
		}
		size = max(size, w.Net.Slab.Front(&h.Entry.Runs).Size)
		s.Gates[s.K] = int8(g)
		s.K++
	}
	if len(t.Gates) > 1 && (t.ByGate != nil || t.Step.apart) && s.K > 0 {
		t.ofOneInput()
	}
	for i := int8(0); i < s.K; i++ {
		s.N = min(s.N, w.alike(t, &t.Hands[s.Gates[i]].Entry)*int64(s.K)+int64(i))
	}
	w.limit(now, t, size)
}

// alike is how many records a step can take from a buffer in hand: all up to a watermark, or those of one size if they are
// written on.
func (w *World) alike(t *Task, e *network.Entry) int64 {
	switch {
	case w.Net.Slab.Uniform():
		return e.Records
	case len(t.Outs) > 0:
	case w.Rules.EventTime:
		return w.Net.Slab.BeforeMark(e.Runs)
	default:
		return e.Records
	}
	return w.Net.Slab.SameSize(e.Runs)
}

// limit cuts the step where an output has to be asked for something.
func (w *World) limit(now event.Time, t *Task, size int32) {
	if t.Working != nil {
		t.Step.N = t.Working.Limit(now, t.Step.N)
	}
	if w.Rules.BufferTimeout == 0 && len(t.Outs) > 0 || t.asks || t.locked && !t.LockedPast { // behind the first record of a lock mails are read
		t.Step.N = 1
	}
	if t.locked && t.LockedPast { // … or behind the last one of the snapshot
		t.Step.N = min(t.Step.N, w.Logs[t.Log].Unread())
	}
	if t.Size > 0 {
		size = t.Size
	}
	for _, p := range t.Outs {
		if t.EmitNum == t.EmitDen && !t.Burst {
			t.Step.N = w.Net.Boundary(p, size, t.Step.N)
			continue
		}
		seen := t.turned()
		if out := t.emitted(seen+t.Step.N) - t.emitted(seen); out > 0 {
			t.Step.N = min(t.Step.N, t.inputsFor(w.Net.Boundary(p, size, out)))
		}
	}
}

// beginRead prepares a source's next step: what is in the log one record after another, or records as they arrive. It is false
// if no record will come.
func (w *World) beginRead(now event.Time, t *Task) bool {
	log, s := &w.Logs[t.Log], &t.Step
	s.K, s.Start, s.Paced = 0, now, false
	switch {
	case t.align.paused, t.awaits:
		s.N = 0
	case log.Unlimited():
		s.N = log.Readable(now, t.Cost)
	case log.Arrival(log.Next) == event.Never:
		s.N = 0
	case log.Arrival(log.Next) > now:
		s.Paced, s.N = true, log.Keeping(t.Cost)
	default:
		s.N = log.Behind(now, t.Cost)
	}
	if s.N > 0 {
		w.limit(now, t, t.Size)
	}
	return s.N > 0
}

// Flush is a tick of the task's output flusher.
func (w *World) Flush(now event.Time, id event.Task, gen uint32) {
	t := &w.Tasks[id]
	if !t.Alive || t.Gen != gen {
		return
	}
	w.settle(now, t)
	w.flush(now, t)
	w.Queue.PushInLane(event.LaneFlush+int(t.Vertex)%event.FlushLanes, sim.Item{At: now + t.FlushPeriod, Kind: event.DueFlush, A: id, Gen: gen})
}

func (w *World) flush(now event.Time, t *Task) {
	for _, p := range t.Outs {
		w.Net.Flush(now, p)
	}
}
