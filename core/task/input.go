package task

import (
	"checkpointlab/core/event"
	"checkpointlab/core/network"
)

// What comes to a task, and which of its inputs it reads next.

// Deliver hands what arrives on a channel to its consumer. If buffers are Hopping then, Land must follow.
func (w *World) Deliver(now event.Time, c event.Channel) {
	if w.Wide && w.Queue.Limited() >= now && w.hop(now, &w.Tasks[w.Net.Wires[c].Consumer], c) {
		return
	}
	id, e, a := w.Net.Deliver(now, c)
	if e == nil {
		return
	}
	t := &w.Tasks[id]
	if a.Persist != 0 {
		w.store(now, t, a.Persist, c, false, e)
	}
	if t.Alive && t.Thread == Idle && !a.FirstPriority && w.Rules.Wake == 0 && !t.ran && t.Step.N == 0 && w.Queue.Quiet(now) {
		t.mailed++
		w.Queue.Behind(now)
		w.loop(now, t) // it would look next
		return
	}
	w.toRead(now, t, c, a.FirstPriority)
}

// Offered is called when a local channel of the task has something to read.
func (w *World) Offered(now event.Time, id event.Task, c event.Channel, urgent bool) {
	w.toRead(now, &w.Tasks[id], c, urgent)
}

// toRead notes that a channel has something to read. A working task with several inputs alternates with it from the next record
// on.
func (w *World) toRead(now event.Time, t *Task, c event.Channel, urgent bool) {
	if t.Thread == Idle && !t.ran {
		t.mailed++
	}
	switch {
	case !t.Alive:
	case urgent:
		w.Mail(now, t.ID, event.MailPriority, 0)
	case t.Thread == Idle:
		w.poke(now+w.Rules.Wake, t)
	case t.Thread == Busy && len(t.Gates) > 1 && !t.readsFrom(w.Net.Wires[c].Gate):
		w.cut(now, t)
	}
}

// hasInput reports whether there is something to read in any gate; a source is asked when it reads.
func (w *World) hasInput(t *Task) bool {
	for i, g := range t.Gates {
		if h := &t.Hands[i]; h.Valid && h.Entry.Records > 0 || w.Net.Waiting(g) {
			return true
		}
	}
	return len(t.Gates) == 0
}

// readsFrom reports whether a gate takes part in the step in work.
func (t *Task) readsFrom(gate int32) bool {
	for _, g := range t.Step.Gates[:t.Step.K] {
		if t.Gates[g] == gate {
			return true
		}
	}
	return false
}

// choose asks the gates in turn for a record; the first that has one begins the next step.
func (w *World) choose(now event.Time, t *Task) (found, syncing bool) {
	for i := range t.Gates {
		g := t.gate(i)
		if found, syncing = w.ask(now, t, g); found {
			t.Turn = int8(g)
		}
		if found || syncing || t.asks && t.requests.ending || t.log != nil && t.log.full {
			return found, syncing
		}
	}
	return false, false
}

// gate is the i-th gate counted from the one whose turn it is.
func (t *Task) gate(i int) int {
	if i += int(t.Turn); i >= len(t.Gates) {
		i -= len(t.Gates)
	}
	return i
}

// ask looks for a record in the i-th gate: in the buffer in hand, else in what has arrived. Events are handled as they come;
// syncing: the thread went into the synchronous part of a snapshot.
func (w *World) ask(now event.Time, t *Task, i int) (found, syncing bool) {
	h := &t.Hands[i]
	for !h.Valid || h.Entry.Records == 0 {
		if h.Valid {
			h.Valid = false
			if w.Net.Recycle(now, h.Channel, &h.Entry) {
				w.consumed(now, t, i)
			}
		}
		c, e := w.Net.Poll(now, t.Gates[i])
		if e == nil {
			w.pause(now, t, i)
			return false, false
		}
		if e.Kind != network.Data || e.Announcement {
			w.measures(now, t, i)
			if w.receive(now, t, c, e) {
				return false, true
			}
			if t.asks && t.requests.ending { // nothing is read until the last answer is here (StreamTask.processInput, END_OF_DATA)
				return false, false
			}
			if t.LogBlocked() { // no record is read behind the event with which it is (StreamTask.getCanEmitBatchOfRecords)
				t.log.full = true
				return false, false
			}
			continue
		}
		if e.Persist != 0 {
			w.store(now, t, event.Checkpoint(e.Persist), c, false, e)
		}
		w.count(now, t, i, e)
		h.Valid, h.Channel, h.Entry = true, c, *e
		h.Entry.Arrives = now
		w.Net.Channels[c].Unread += int64(e.Bytes)
	}
	return true, false
}
