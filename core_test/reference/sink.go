package reference

import "checkpointlab/core/event"

// writer is what a sink subtask writes to: transactions for two-phase commit, else the outside log at once (spec 6).
type writer struct {
	transactional bool
	open          []record
	sealed        []transaction // pre-committed, oldest first
	visible       int64         // records that a read_committed reader sees
	duplicates    int64         // visible ones that were visible before
	written       int64
	seen          map[place]bool
}

// transaction is what one checkpoint commits.
type transaction struct {
	id      event.Checkpoint
	records []record
}

// place tells records apart.
type place struct {
	source   event.Task
	position int64
}

// writeOut is a record that a sink has processed.
func (t *task) writeOut(one record) {
	if t.run.Processed != nil {
		t.run.Processed(t.run.now - one.born)
	}
	w := t.writer
	w.written++
	if w.transactional {
		w.open = append(w.open, one)
		return
	}
	t.show(one)
}

// show makes a record visible.
func (t *task) show(one record) {
	if t.run.Shown != nil {
		t.run.Shown(t.run.now - one.born)
	}
	w := t.writer
	w.visible++
	at := place{one.source, one.position}
	if w.seen[at] {
		w.duplicates++
	}
	w.seen[at] = true
}

// preCommit seals the open transaction under a checkpoint and opens the next.
func (w *writer) preCommit(id event.Checkpoint) {
	if w.transactional {
		w.sealed = append(w.sealed, transaction{id, w.open})
		w.open = nil
	}
}

// commit makes visible what is sealed up to a checkpoint.
func (t *task) commit(id event.Checkpoint) {
	w, n := t.writer, int64(0)
	for len(w.sealed) > 0 && w.sealed[0].id <= id {
		for _, one := range w.sealed[0].records {
			t.show(one)
			n++
		}
		w.sealed = w.sealed[1:]
	}
	t.run.tell(event.Event{Kind: event.Committed, Task: t.id, Checkpoint: id, N: n})
}

// recover is a restored sink: what the checkpoint's transactions hold is committed, the rest is aborted (spec 6.1).
func (t *task) recover(to event.Checkpoint) {
	if to != 0 {
		t.commit(to)
	}
	w := t.writer
	n := int64(len(w.open))
	for _, s := range w.sealed {
		n += int64(len(s.records))
	}
	w.open, w.sealed = nil, nil
	if n > 0 {
		t.run.tell(event.Event{Kind: event.TransactionAborted, Task: t.id, N: n})
	}
}

// Sink tells how many records a sink subtask has made visible, how many of them again, and how many it has written.
func (r *Run) Sink(id event.Task) (visible, again, written int64) {
	w := r.tasks[id].writer
	return w.visible, w.duplicates, w.written
}
