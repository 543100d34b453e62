package task

import (
	"checkpointlab/core/event"
	"checkpointlab/core/sim"
)

// What keeps a task's thread from its mailbox: a native call or a pause of the JVM, the callback of a completed checkpoint,
// the checkpoint lock of a source.

// hold is what holds a task's thread, and until when.
type hold struct {
	on       bool             // the thread is in it
	ever     bool             // … until the task is restarted
	deaf     bool             // … and no interrupt ends it
	till     event.Time       // it is over then; event.Never forever
	sync     bool             // the synchronous part of the next snapshot takes longer …
	span     event.Time       // … by so much; 0 = it does not end
	deafSync bool             // … and no interrupt ends it
	call     event.Checkpoint // it is in the callback of this checkpoint
	owes     bool             // … or makes up for commits that were refused before the task was restarted
	again    bool             // … or tries again by 1.18's timer what was refused
	left     event.Checkpoint // … and up to it is refused once more
	fails    bool             // … and the last attempt at a commit is refused at its end
	// calls counts callbacks; the history that they read lies outside and outlives the task.
	calls int64
}

// Hang makes a task's thread do nothing for a while from the end of the record in work; 0 = until the task is restarted. deaf:
// no interrupt ends it.
func (w *World) Hang(now event.Time, id event.Task, span event.Time, deaf bool) {
	kind := event.MailHang
	if deaf {
		kind = event.MailStuck
	}
	w.Mail(now, id, kind, span)
}

// Stuck is the instant before which a thread cannot be cancelled, 0 if it can be.
func (t *Task) Stuck() event.Time {
	if !t.holds.deaf {
		return 0
	}
	return t.holds.till
}

// stuck begins a hang that no interrupt ends.
func (w *World) stuck(now event.Time, t *Task, span event.Time) bool {
	w.hang(now, t, span)
	t.holds.deaf, t.holds.till = true, event.Never
	if span > 0 {
		t.holds.till = now + span
	}
	return true
}

// HangInSync makes the synchronous part of a task's next snapshot take longer: a native call that does not return; 0 = it never
// ends.
func (w *World) HangInSync(id event.Task, span event.Time, deaf bool) {
	if t := &w.Tasks[id]; t.Alive {
		t.holds.sync, t.holds.span, t.holds.deafSync = true, span, deaf
	}
}

// synchronous holds the thread for the synchronous part of a snapshot; false: it takes no time.
func (w *World) synchronous(now event.Time, t *Task, span event.Time) bool {
	h := &t.holds
	stuck := h.sync && h.span == 0
	if h.sync {
		span += h.span
		if h.deafSync {
			h.deaf, h.till = true, event.Never
		}
		if h.deafSync && !stuck {
			h.till = now + span
		}
		h.sync = false
	}
	if span == 0 && !stuck {
		return false
	}
	w.become(now, t, Sync)
	if h.ever = stuck; !stuck {
		w.syncFor(now, t, span)
	}
	if most := w.Rules.SyncTimeout; most > 0 && (stuck || span > most) {
		w.Queue.Push(sim.Item{At: now + most, Kind: event.DueSyncLate, A: t.ID, ID: t.syncing.ID, Gen: t.Gen})
	}
	return true
}

// SyncLate fails a task whose synchronous part has taken as long as it may (FLINK-40200: a watchdog fails the task, not the
// checkpoint).
func (w *World) SyncLate(now event.Time, id event.Task, cp event.Checkpoint, gen uint32) {
	if t := &w.Tasks[id]; t.Alive && t.Gen == gen && t.Thread == Sync && t.syncing.ID == cp {
		w.failed(now, t, event.SyncTooLong)
	}
}

// Draining reports whether the thread waits ahead of a barrier, which it has not passed on.
func (t *Task) Draining() bool { return t.draining }

// Hanging reports whether the thread hangs or is in a callback.
func (t *Task) Hanging() bool { return t.holds.on }

func (w *World) hang(now event.Time, t *Task, span event.Time) bool {
	t.holds.on, t.holds.ever = true, span == 0
	w.become(now, t, Sync)
	if span > 0 {
		w.syncFor(now, t, span)
	}
	return true
}

// completed is notifyCheckpointComplete; true: its callback holds the thread.
func (w *World) completed(now event.Time, t *Task, id event.Checkpoint) bool {
	span := t.Callback + t.Grows*t.holds.calls
	t.holds.calls++
	if t.refuses.till > now {
		tries, left, ok := w.refused(now, t, id)
		if t.holds.left = left; !ok {
			span, t.holds.fails = 0, true
		}
		span += tries
	}
	t.holds.call = id
	return w.callFor(now, t, span)
}

// callFor holds the thread for a call that is decided; false: it takes no time and is over.
func (w *World) callFor(now event.Time, t *Task, span event.Time) bool {
	if span == 0 {
		t.holds.on = true
		w.released(now, t)
		return false
	}
	return w.hang(now, t, span)
}

// confirm is called at the end of the callback.
func (w *World) confirm(now event.Time, t *Task, id, left event.Checkpoint) {
	if t.log == nil {
		t.Backend.Confirmed(now, id)
	} else {
		t.confirmLog(now, id)
	}
	w.commit(now, t, id, left)
	t.completed(id)
}

// released ends a hold; false: the thread was in none.
func (w *World) released(now event.Time, t *Task) bool {
	h := &t.holds
	if !h.on {
		return false
	}
	was := *h
	id := was.call
	h.on, h.call, h.owes, h.again, h.left, h.fails = false, 0, false, false, 0, false
	switch {
	case was.fails:
		w.failed(now, t, event.SinkFailed)
	case was.again:
		w.commit(now, t, id, was.left)
	case was.owes:
		w.commit(now, t, id, was.left)
		w.rewindOutput(t, w.Save(id))
	case id != 0:
		w.confirm(now, t, id, was.left)
	}
	return true
}
