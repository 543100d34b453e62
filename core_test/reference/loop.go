package reference

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
)

// look is the mailbox loop (spec 4.4): what the last record made is written, mails are read, then the outputs are tested,
// then the next record is taken.
func (t *task) look() {
	t.awake = true
	t.goOn()
	t.awake = false
}

func (t *task) goOn() {
	for {
		t.slow = t.nextSlow
		t.cost = t.slowed(t.nextCost) + t.accessCost()
		if !t.write() {
			t.do(hard)
			return
		}
		taken := false // a record that has waited for room is not taken anew
		if t.asks() {
			if t.passAnswers(); len(t.writing) > 0 {
				t.do(hard)
				return
			}
			if t.asking.yields {
				taken = !t.asking.ending
				if t.yield() {
					return
				}
			}
		}
		if t.windows.firing && (len(t.mailbox) == 0 || !t.interruptible()) {
			if t.fire() {
				return
			}
			continue
		}
		first := t.recordFirst()
		if !taken && !t.locked && !first {
			if t.readMails() {
				return
			}
			first = t.recordFirst()
		}
		if len(t.writing) > 0 { // a mail is in the middle of writing a watermark
			t.do(hard)
			return
		}
		if t.windows.firing {
			continue
		}
		if t.end.input {
			t.leave()
			return
		}
		if !taken && !t.available() {
			if t.do(soft); first {
				continue
			}
			return
		}
		if t.logFull() && t.doing != idle && t.doing != soft && t.hasInput() { // a thread that has waited reads a record first
			t.do(busy)
			return
		}
		found := t.nextRecord()
		stopped := t.stopped && t.hasInput()
		t.stopped = false
		switch {
		case t.doing == syncing:
			return
		case stopped && len(t.mailbox) == 0:
			t.do(busy)
			return
		case stopped:
			continue
		case t.asking.ending:
			continue
		case !found && t.sayLast():
			continue
		case !found && t.nothingLeft():
			t.end.input, t.locked = true, false
			continue
		case !taken && !t.locked && !(first && found) && len(t.mailbox) > 0: // an event that was read has put a mail there
			continue
		case !found:
			t.do(idle)
			return
		case t.asks() && t.full():
			t.asking.yields = true
			continue
		}
		t.begin()
		t.do(busy)
		if t.cost > 0 && t.inWork.mark == nil {
			t.takesRecord(t.cost)
			return
		}
		t.process()
	}
}

// finish is the end of a record that took time.
func (t *task) finish() {
	t.working = false
	t.process()
	t.wake(t.run.now)
}

// inThisLife is do, unless the task is cancelled before.
func (t *task) inThisLife(do func()) func() {
	life := t.life
	return func() {
		if t.life == life {
			do()
		}
	}
}

// later schedules what ends with the task.
func (t *task) later(at event.Time, do func()) {
	t.run.agenda.afterIn(t.home(), at, t.inThisLife(do))
}

// wake lets the thread look for something to do; once is enough.
func (t *task) wake(at event.Time) {
	if t.willLook {
		return
	}
	t.willLook = true
	t.run.agenda.look(at, t, t.inThisLife(func() {
		t.willLook = false
		if t.alive && !t.working && t.doing != syncing {
			t.look()
		}
	}))
}

// nextRecord looks for the next record to work on.
func (t *task) nextRecord() bool {
	if t.log != nil {
		return t.end.stop == 0 && !t.time.paused && !t.awaits && t.readLog()
	}
	return t.readGates()
}

// readLog looks for the next record of the log, or waits for its arrival.
func (t *task) readLog() bool {
	at := t.log.arrival(t.run.now, t.log.next)
	if at > t.run.now {
		t.waitFor(at)
		return false
	}
	return true
}

func (t *task) waitFor(at event.Time) {
	t.waits++
	wait := t.waits
	if at == event.Never {
		return
	}
	t.run.agenda.look(at, t, t.inThisLife(func() {
		if t.waits == wait && t.doing == idle {
			t.look()
		}
	}))
}

// logChanged is another rate: a source that waits looks again.
func (t *task) logChanged() {
	if t.doing == idle {
		t.wake(t.run.now)
	}
}

// waitsForLog reports whether a busy thread works on nothing because too much of its log is to be uploaded.
func (t *task) waitsForLog() bool {
	return t.doing == busy && !t.working && len(t.writing) == 0 && t.logFull()
}

// hasInput reports whether there is something to read; a source is asked when it reads.
func (t *task) hasInput() bool {
	for _, g := range t.gates {
		if g.hand != nil && len(g.hand.data.records) > 0 || len(g.line) > 0 {
			return true
		}
	}
	return len(t.gates) == 0
}

// readGates asks the gates in turn, one record each (truth/mechanisms 14).
func (t *task) readGates() bool {
	for i := range t.gates {
		k := (t.turn + i) % len(t.gates)
		g := t.gates[k]
		if t.ask(g) {
			t.turn = k
			return true
		}
		if t.doing == syncing || t.asking.ending || t.stopped {
			return false
		}
	}
	return false
}

// available tests every output before a record begins (truth/mechanisms 2); a source that emits under the lock does not ask.
func (t *task) available() bool {
	if t.vertex.Lock != core.NoLock {
		return true
	}
	for _, p := range t.outs {
		if !p.pool.Available() {
			return false
		}
	}
	return true
}

// segmentFree tells a thread that waits for output that a segment came back.
func (t *task) segmentFree() {
	if t.awake {
		return
	}
	if t.doing == hard || t.doing == soft && t.available() {
		c := &t.run.setup.Control
		t.wake(t.run.now + c.WakeOutput + event.Wait(t.run.setup.Seed, t.run.now, t.id, c.WakeSpread))
	}
}
