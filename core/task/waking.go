package task

import (
	"checkpointlab/core/event"
	"checkpointlab/core/sim"
)

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
