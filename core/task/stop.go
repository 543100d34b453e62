package task

import (
	"checkpointlab/core/barrier"
	"checkpointlab/core/event"
)

// stopping is how a source is stopped.
type stopping uint8

const (
	goesOn   stopping = iota
	suspends          // StopMode.NO_DRAIN: the barrier, then EndOfData; the operators are not told of an end
	drains            // StopMode.DRAIN: the operators end, EndOfData, then the barrier
)

// stop is the savepoint that the job stops with: a source reads nothing more. A drain ends its operators first, so its
// barrier comes behind EndOfData (SourceOperatorStreamTask.triggerStopWithSavepointAsync). A savepoint that is asked for meanwhile
// is taken first, and the older one then passed over as out of order (SubtaskCheckpointCoordinatorImpl.checkpointState): it waits
// until it expires, here as there. True: the thread went into the synchronous part.
func (w *World) stop(now event.Time, t *Task, m mail) bool {
	t.End.savepoint = m.id
	if t.Kind == Source && !t.End.Data {
		if t.End.stopping = suspends; m.kind == event.MailDrain {
			t.End.stopping, t.End.asked = drains, mail{kind: event.MailStopped, id: m.id, sent: m.sent}
			return false
		}
	}
	b := barrier.Make(w.Rules.Options, m.id, m.sent, true)
	b.Stop = true
	return w.carry(now, t, t.Handler.OnTrigger(now, b, w.effects[:0]))
}

// notStopped is the end of a checkpoint that is not complete: a task that stops with it fails, for it has given up its work
// (StreamTask.notifyCheckpointAbortAsync, abortCheckpointOnBarrier).
func (w *World) notStopped(now event.Time, t *Task, id event.Checkpoint) {
	if t.End.savepoint == id && id != 0 {
		t.End.broken = true
		w.failed(now, t, event.SavepointFailed)
	}
}
