package task

import (
	"checkpointlab/core/event"
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

// verdict is what a part of a turn of the mailbox loop comes to.
type verdict int8

const (
	onward verdict = iota // to the next part
	again                 // another turn
	waits                 // the thread waits, works or has left
)

// turn is what a turn of the mailbox loop has found so far.
type turn struct {
	taken   bool // a record that has waited for room goes on at once: it is in the middle of processElement
	first   bool // the next record comes ahead of mails
	blocked bool // the log of the state has no room
}

// goOn is the mailbox loop (spec 4.4): mails, then output, then input, then the step that was found.
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
		var u turn
		v := w.turnToMails(now, t, &u)
		if v == onward {
			v = w.turnToOutput(now, t, &u)
		}
		if v == onward {
			v = w.turnToInput(now, t, &u)
		}
		if v == again {
			continue
		}
		if v == waits {
			return
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

// turnToMails ends what the thread is in the middle of, and reads mails.
func (w *World) turnToMails(now event.Time, t *Task, u *turn) verdict {
	if t.waiting > 0 && w.hard(now, t) {
		return waits
	}
	if t.asks {
		var full bool
		if u.taken, full = w.goOnAsking(now, t); full {
			return waits
		}
	}
	if t.windows && t.window.firing && (!w.Rules.Interruptible || len(t.mails) == 0) {
		if w.fires(now, t) {
			return waits
		}
		return again
	}
	u.first = t.recordFirst()
	if t.probe <= now && !t.locked && !u.taken && !u.first {
		w.probed(t, now)
	}
	if len(t.mails) > 0 && !t.locked && !u.taken && !u.first {
		if w.readMails(now, t) {
			return waits
		}
		u.first = t.recordFirst()
	}
	if t.waiting > 0 { // a mail is in the middle of writing a watermark
		w.become(now, t, Hard)
		return waits
	}
	if t.windows && t.window.firing { // the mails that interrupted it are read
		return again
	}
	return onward
}

// turnToOutput asks whether a record may begin.
func (w *World) turnToOutput(now event.Time, t *Task, u *turn) verdict {
	if t.over {
		w.leave(now, t)
		return waits
	}
	if !u.taken && !w.available(t) {
		if w.become(now, t, Soft); u.first {
			return again
		}
		return waits
	}
	u.blocked = t.LogBlocked()
	if u.blocked && t.Thread != Idle && t.Thread != Soft && w.hasInput(t) {
		return w.waitsForLog(now, t)
	}
	return onward
}

// waitsForLog lets the thread wait until more of its log is uploaded: changelog-busy, which is part of busy (spec 4.4).
func (w *World) waitsForLog(now event.Time, t *Task) verdict {
	w.become(now, t, Busy)
	t.waitForLog(now, true)
	return waits
}

// fillsUp is an event behind which the log has no room.
func (w *World) fillsUp(now event.Time, t *Task) verdict {
	if len(t.mails) > 0 {
		return again
	}
	return w.waitsForLog(now, t)
}

// turnToInput prepares the next step, or finds that there is none.
func (w *World) turnToInput(now event.Time, t *Task, u *turn) verdict {
	found, syncing := w.next(now, t)
	if syncing {
		return waits
	}
	if t.asks && t.requests.ending {
		return again
	}
	if t.log != nil && t.log.full {
		if t.log.full = false; w.hasInput(t) {
			return w.fillsUp(now, t)
		}
	}
	if !found {
		if w.lastMark(now, t) {
			return again
		}
		if w.inputOver(now, t) {
			t.over, t.locked = true, false
			return again
		}
	}
	first := u.first && found && !t.Step.Paced
	if len(t.mails) > 0 && !t.locked && !u.taken && !first { // of what was polled: an announced barrier that became urgent
		t.Step.N = 0
		return again
	}
	if !found {
		t.noteIdle(now)
		w.become(now, t, Idle)
		return waits
	}
	if t.asks && t.requests.queue.Full() {
		t.Step.N, t.requests.yielding = 0, true
		return again
	}
	if u.blocked || first { // a thread that has waited for input or output looks at the log behind a record (StreamTask.processInput)
		t.Step.N = min(t.Step.N, 1)
	}
	return onward
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
