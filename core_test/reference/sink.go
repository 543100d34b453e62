package reference

import "checkpointlab/core/event"

// writer is what a sink subtask writes to: transactions for two-phase commit, else the outside log at once (spec 6).
type writer struct {
	transactional bool
	timeout       event.Time    // of a transaction
	open          transaction   // takes records
	sealed        []transaction // pre-committed, oldest first
	visible       int64         // records that a read_committed reader sees
	written       int64
	unflushed     bool             // something was written since the last flush
	last          event.Checkpoint // of the last barrier
	ended         bool             // the input has
	complete      event.Checkpoint // the newest one that it knows to be
	refused       event.Checkpoint // up to which commits are refused once more
}

// transaction is what one checkpoint commits.
type transaction struct {
	id      event.Checkpoint
	begun   bool
	since   event.Time
	records []record
}

// expired reports whether the external system has aborted a transaction because it was open for too long, pre-committed or
// not (spec 6.2).
func (w *writer) expired(now event.Time, x *transaction) bool { return now-x.since > w.timeout }

// writeOut is a record that a sink has processed.
func (t *task) writeOut(one record) {
	if t.run.Processed != nil {
		t.run.Processed(t.id, t.run.now-one.born)
	}
	w := t.writer
	w.written++
	w.unflushed = true
	if !w.transactional {
		t.show(one)
		return
	}
	if !w.open.begun {
		w.open = transaction{begun: true, since: t.run.now}
	}
	w.open.records = append(w.open.records, one)
}

// show makes a record visible.
func (t *task) show(one record) {
	if t.run.Shown != nil {
		t.run.Shown(t.id, t.run.now-one.born)
	}
	t.writer.visible++
}

// preCommit seals the open transaction under a checkpoint and opens the next. It fails if the external system has aborted
// the open one: the producer is fenced.
func (w *writer) preCommit(now event.Time, id event.Checkpoint) bool {
	w.last = id
	if !w.transactional || w.ended {
		w.unflushed = false
		return true
	}
	if len(w.open.records) > 0 {
		if w.expired(now, &w.open) {
			return false
		}
		w.open.id = id
		w.sealed = append(w.sealed, w.open)
	}
	w.open, w.unflushed = transaction{begun: true, since: now}, false
	return true
}

// commits tells whether a sealed transaction is committed with a checkpoint; older versions commit all once the input has ended.
func (t *task) commits(sealed, with event.Checkpoint) bool {
	return sealed <= with || t.writer.ended && t.run.setup.Options.Version != "2.3"
}

// commit makes visible what is sealed up to a checkpoint; what the external system has aborted is lost.
func (t *task) commit(id event.Checkpoint) {
	w, shown, lost := t.writer, int64(0), int64(0)
	w.complete = max(w.complete, id)
	var rest []transaction
	for _, x := range w.sealed {
		if !t.commits(x.id, w.complete) || x.id <= w.refused {
			rest = append(rest, x)
			continue
		}
		if w.expired(t.run.now, &x) {
			lost += int64(len(x.records))
			continue
		}
		for _, one := range x.records {
			t.show(one)
			shown++
		}
	}
	w.sealed = rest
	if lost > 0 {
		t.run.tell(event.Event{Kind: event.TransactionAborted, Task: t.id, Checkpoint: id, N: lost})
	}
	if shown == 0 && len(rest) > 0 && t.commits(rest[0].id, id) {
		return
	}
	t.run.tell(event.Event{Kind: event.Committed, Task: t.id, Checkpoint: id, N: shown})
}

// recover is a restored sink: what the checkpoint's transactions hold is committed, the rest is aborted (spec 6.1). While commits are
// refused they wait for the task's start, unless others are to take its place.
func (t *task) recover(to event.Checkpoint, final bool) {
	w := t.writer
	t.refusal.owes = 0
	if tries, left, fails := t.tries(to); !final && (tries > 0 || left > 0 || fails) {
		t.refusal.owes = to
	} else if to != 0 {
		t.commit(to)
	}
	n, owed := int64(len(w.open.records)), []transaction(nil)
	for _, s := range w.sealed {
		if s.id <= t.refusal.owes {
			owed = append(owed, s)
			continue
		}
		n += int64(len(s.records))
	}
	w.open, w.sealed, w.ended, w.unflushed, w.last, w.complete = transaction{}, owed, false, false, to, to
	if n > 0 {
		t.run.tell(event.Event{Kind: event.TransactionAborted, Task: t.id, N: n})
	}
}

// Sink tells how many records a sink subtask has made visible and how many it has written.
func (r *Run) Sink(id event.Task) (visible, written int64) {
	w := r.all[id].writer
	return w.visible, w.written
}
