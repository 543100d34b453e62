package task

import (
	"checkpointlab/core/event"
	"checkpointlab/core/network"
	"checkpointlab/core/sim"
	"checkpointlab/core/sink"
)

// Ending is how far a task is with the end of its data (FLIP-147; StreamTask.endData, afterInvoke).
type Ending struct {
	Data     bool // the operators have ended, EndOfData is sent: barriers still pass
	Finished bool // EndOfPartition is sent, the task is gone
	At       event.Time

	heard     int              // channels whose EndOfData was taken
	undrained bool             // … of one of them without a drain
	closing   bool             // the mailbox takes no more mails; what is being stored is waited for
	least     event.Checkpoint // the first checkpoint after the end of the data; 0 = none yet
	done      bool             // the final checkpoint is known to be complete
	broken    bool             // the end of the operators failed: the task is about to fail

	stopping  stopping         // of a source
	asked     mail             // the savepoint that waits for the end of the operators
	savepoint event.Checkpoint // the one that the job stops with; 0 = none
}

// Before reports whether the operators had ended when a checkpoint came by, or the task was gone.
func (e *Ending) Before(id event.Checkpoint) bool {
	return e.least != 0 && id >= e.least || e.Finished && e.least == 0
}

// Down reports whether a task is cancelled: neither at work nor finished.
func (t *Task) Down() bool { return !t.Alive && !t.End.Finished && !t.Retired }

// afterFinish reports whether a task that has ended waits for the final checkpoint
// (StreamTask.areCheckpointsWithFinishedTasksEnabled).
func (w *World) afterFinish() bool {
	return w.Rules.Options.AfterTasksFinish && w.Rules.Options.Interval > 0
}

// LogEnds is called when a bounded source's log ends: a thread that waits for arrivals looks.
func (w *World) LogEnds(now event.Time, id event.Task, gen uint32) {
	if t := &w.Tasks[id]; t.Alive && t.Gen == gen {
		w.changes(now, t)
	}
}

// dataEnded handles an EndOfData from channel c. It is acknowledged; with that of the last channel the task's own data ends.
func (w *World) dataEnded(now event.Time, t *Task, c event.Channel, drained bool) {
	w.Net.Acknowledge(now, c)
	t.End.undrained = t.End.undrained || !drained
	if t.End.heard++; t.End.heard < w.slots(t) {
		return
	}
	if t.requests.queue.Len() > 0 && !t.End.undrained { // AsyncWaitOperator.endInput
		t.requests.ending, t.requests.yielding = true, true
		return
	}
	w.endData(now, t, !t.End.undrained)
}

// endData ends the operators of a task and sends EndOfData on; a sink hands over what it has written since the last barrier
// (spec 6.1, end of input). Without a drain the operators are not told of any end (StopMode.NO_DRAIN).
func (w *World) endData(now event.Time, t *Task, drain bool) {
	t.End.Data = true
	if t.Kind == Sink && drain && w.endInput(now, t) != sink.NoFailure {
		t.End.broken = true
		w.failed(now, t, event.SinkFailed)
		return
	}
	end, told := network.Entry{Kind: network.EndData, Runs: event.EmptyRuns}, event.Event{At: now, Kind: event.TaskEnded, Task: t.ID, A: 1}
	if !drain {
		end.Flags, told.A = network.Stop, 0
	}
	for _, p := range t.Outs {
		w.Net.Broadcast(now, p, end)
	}
	w.Feed.Emit(told)
	if drain {
		w.Queue.Push(sim.Item{At: now + w.Rules.RPC, Kind: event.DueEnded, A: t.ID, Gen: t.Gen})
	}
	w.reportEnd(now, t)
}

// endInput ends a sink's writer. Without periodic checkpoints none follows, and what is pre-committed is committed at once.
func (w *World) endInput(now event.Time, t *Task) sink.Failure {
	writer := &w.Writers[t.Writer]
	id, f := writer.EndInput(now)
	if f != sink.NoFailure || w.Rules.Options.Interval > 0 || !writer.Transactional {
		return f
	}
	upTo := writer.UpTo
	f = w.publish(now, t, id, id)
	writer.UpTo, writer.AtEnd = upTo, true // it is no checkpoint
	return f
}

// inputOver reports whether nothing is left to read: for a source, that its data is over; for another task, that every channel
// has delivered its EndOfPartition.
func (w *World) inputOver(now event.Time, t *Task) bool {
	if t.Kind != Source {
		return t.Handler.Open() == 0
	}
	if !t.End.Data {
		if t.End.stopping == goesOn && (t.awaits || !w.Logs[t.Log].Over(now)) {
			return false
		}
		w.endData(now, t, t.End.stopping != suspends)
		if t.End.asked.id != 0 {
			t.mails = append(t.mails, t.End.asked)
			t.End.asked = mail{}
		}
	}
	return true
}

// Answered is called when the consumer of channel c has acknowledged all records.
func (w *World) Answered(now event.Time, c event.Channel) {
	if t := &w.Tasks[w.Net.Processed(c)]; t.Alive {
		w.again(now, t)
	}
}

// again makes a thread that waits for its end look.
func (w *World) again(now event.Time, t *Task) {
	if t.over && t.Thread == Idle {
		w.poke(now, t)
	}
}

// completed handles a completed checkpoint: the first one after the end of the data is the final one, unless the job stops with
// a savepoint: then that is (StreamTask.notifyCheckpointComplete).
func (t *Task) completed(id event.Checkpoint) {
	e := &t.End
	e.done = e.done || e.savepoint != 0 && id == e.savepoint || e.savepoint == 0 && e.least != 0 && id >= e.least
}

// mayFinish reports whether a task with nothing left to read may finish. With checkpoints after tasks finish it waits until its
// consumers have its records and a checkpoint after its end is complete (StreamTask.afterInvoke).
func (w *World) mayFinish(t *Task) bool {
	switch {
	case t.End.broken, t.End.savepoint != 0 && !t.End.done:
		return false
	case !t.End.Data || !w.afterFinish():
		return true
	}
	for _, p := range t.Outs {
		if !w.Net.AllProcessed(p) {
			return false
		}
	}
	return t.End.done
}

// leave finishes a task as soon as it may. From then on no mail is accepted, and what is being stored is waited for.
func (w *World) leave(now event.Time, t *Task) {
	if t.End.closing = t.End.closing || w.mayFinish(t); !t.End.closing || len(t.Uploads) > 0 && w.afterFinish() {
		w.become(now, t, Idle)
		return
	}
	w.finish(now, t)
}

// finish ends a task: nothing follows in its outputs. Asynchronous parts under way are cancelled without declining their
// checkpoints (AsyncCheckpointRunnable of a task that does not run).
func (w *World) finish(now event.Time, t *Task) {
	for _, p := range t.Outs {
		w.Net.Broadcast(now, p, network.Entry{Kind: network.End, Runs: event.EmptyRuns})
	}
	w.leaveLog(now, t)
	t.leaveState()
	w.become(now, t, Off)
	t.Alive, t.End.Finished, t.End.At, t.ran = false, true, now, false
	t.Turn, t.Uploads, t.mails, t.held = 0, t.Uploads[:0], t.mails[:0], t.held[:0]
	t.flow = flow{numbers: t.flow.numbers[:0]}
	w.Feed.Emit(event.Event{At: now, Kind: event.TaskFinished, Task: t.ID})
	w.Queue.Push(sim.Item{At: now + w.Rules.RPC, Kind: event.DueFinished, A: t.ID, Gen: t.Gen})
}

// refuse answers a request for a checkpoint that comes too late: the task manager no longer knows the task, or its mailbox is
// closed (TaskExecutor.triggerCheckpoint, Task.triggerCheckpointBarrier).
func (w *World) refuse(now event.Time, t *Task, kind event.Mail, id event.Checkpoint) {
	switch kind {
	case event.MailTrigger, event.MailSavepoint, event.MailStop, event.MailDrain:
	default:
		return
	}
	reason := event.CheckpointDeclinedTaskClosing
	switch {
	case t.End.Finished:
		reason = event.TaskCheckpointFailure
	case !t.End.closing || t.Lost:
		return
	}
	w.Queue.Push(sim.Item{At: now + w.Rules.RPC, Kind: event.DueDecline, A: t.ID, B: int32(reason), ID: id, Gen: t.Gen})
}
