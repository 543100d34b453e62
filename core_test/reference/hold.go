package reference

import "checkpointlab/core/event"

// hold keeps the thread from everything for a while, 0 = until the task is restarted: a native call, or the callback of a
// completed checkpoint.
func (t *task) hold(span event.Time, then func()) {
	t.do(syncing)
	if span == 0 {
		return
	}
	t.takes(span, func() {
		t.do(busy)
		then()
		t.endBatch()
		t.wake(t.run.now)
	})
}

// completed is the word that a checkpoint is complete: the callback, then what it is for.
func (t *task) completed(id event.Checkpoint) {
	span := t.vertex.Callback.Time + t.vertex.Callback.Grows*t.callbacks
	t.callbacks++
	tries, left, fails := t.tries(id)
	if fails {
		t.failBehind(tries)
		return
	}
	t.inTime(span+tries, func() { t.confirm(id, left) })
}

func (t *task) confirm(id, left event.Checkpoint) {
	if t.logged != nil {
		t.logged.confirmed(id)
	} else {
		t.state.confirmed(id)
	}
	if t.writer != nil {
		t.commitBut(left, id)
	}
	if id == t.end.savepoint || t.end.savepoint == 0 && t.end.first != 0 && id >= t.end.first {
		t.end.final = true
	}
}
