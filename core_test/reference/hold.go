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
	tries, fails := t.tries(id)
	if fails {
		t.failBehind(tries)
		return
	}
	if span += tries; span == 0 {
		t.confirm(id)
		return
	}
	t.hold(span, func() { t.confirm(id) })
}

func (t *task) confirm(id event.Checkpoint) {
	if t.writer != nil {
		t.commit(id)
	}
	if id == t.end.savepoint || t.end.savepoint == 0 && t.end.first != 0 && id >= t.end.first {
		t.end.final = true
	}
}
