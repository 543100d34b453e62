package checkpoint

import "checkpointlab/core/event"

// Ack handles a task's acknowledgement. The state of one that comes late, or from a task that was not asked (task < 0 or >=
// Tasks), is discarded; a duplicate changes nothing (spec 2.4, vectors lifecycle.*).
func (c *Coordinator) Ack(now event.Time, id event.Checkpoint, task event.Task, out []Effect) []Effect {
	if c.shutdown {
		return out
	}
	i := c.pending.find(id)
	if i < 0 || task < 0 || int(task) >= c.cfg.Tasks {
		return append(out, Effect{Kind: Discard, ID: id, Task: task})
	}
	p := &c.pending.slots[i]
	if p.Acked(task) {
		return out
	}
	p.acked[task>>6] |= 1 << (task & 63)
	p.Left--
	p.LastAck = now
	if p.complete() && c.finalizing == 0 {
		out = c.finish(now, i, out)
	}
	return c.evaluateDue(now, out)
}

// Decline handles a task that gives the checkpoint up. That aborts the whole checkpoint (spec 2.5), unless it can go on without
// the task's region.
func (c *Coordinator) Decline(now event.Time, id event.Checkpoint, task event.Task, reason event.Reason, out []Effect) []Effect {
	i := c.pending.find(id)
	if i < 0 {
		return out
	}
	out, lost := c.lose(i, task, reason, out)
	switch {
	case !lost:
		out = c.abort(i, reason, true, out)
	case c.pending.slots[i].complete() && c.finalizing == 0:
		out = c.finish(now, i, out)
	}
	return c.evaluateDue(now, out)
}

// Expire handles the timeout of id. While metadata is written it waits for the end of that, as Flink's canceller waits for the
// lock (FLINK-31249).
func (c *Coordinator) Expire(now event.Time, id event.Checkpoint, out []Effect) []Effect {
	i := c.pending.find(id)
	if i < 0 {
		return out
	}
	if c.finalizing != 0 {
		c.pending.slots[i].expired = true
		return out
	}
	return c.evaluateDue(now, c.expire(now, i, out))
}

// expire ends slot i, or lets it go on without the regions that are late.
func (c *Coordinator) expire(now event.Time, i int, out []Effect) []Effect {
	if out, ok := c.loseLate(i, out); ok {
		return c.finish(now, i, out)
	}
	return c.abort(i, event.CheckpointExpired, false, out)
}

// TaskFailed aborts what the failed task has not acknowledged, with TASK_FAILURE (spec 2.5). The schedulers of 1.18 to 2.3 do not ask
// for it: there the job leaves RUNNING with the task, which suspends the coordinator (Stop; recorded runs, failure_message).
func (c *Coordinator) TaskFailed(now event.Time, task event.Task, out []Effect) []Effect {
	for i := 0; i < c.pending.n; {
		if c.pending.slots[i].Acked(task) {
			i++
			continue
		}
		out = c.abort(i, event.TaskFailure, false, out)
	}
	return c.evaluateDue(now, out)
}

// finish completes slot i, or has its metadata written first.
func (c *Coordinator) finish(now event.Time, i int, out []Effect) []Effect {
	out, ok := c.merge(i, out)
	if !ok {
		return c.abort(i, c.pending.slots[i].reason, true, out)
	}
	if !c.cfg.SlowFinalize {
		return c.complete(now, i, out)
	}
	c.finalizing = c.pending.slots[i].ID
	return append(out, Effect{Kind: Finalize, ID: c.finalizing})
}

// Written is the answer to Finalize for metadata that was written or could not be.
func Written(ok bool) event.Reason {
	if ok {
		return event.NoReason
	}
	return event.FinalizeCheckpointFailure
}

// Finalized answers Finalize: the metadata is written (NoReason), or why not (FINALIZE_CHECKPOINT_FAILURE;
// CHECKPOINT_DECLINED_TASK_CLOSING if state does not allow that only some subtasks have finished). What had to wait for it,
// acknowledgements and timeouts of other checkpoints, acts now. An answer for one that was aborted since, by a stop of the job, does
// nothing.
func (c *Coordinator) Finalized(now event.Time, id event.Checkpoint, why event.Reason, out []Effect) []Effect {
	if c.finalizing != id || id == 0 {
		return out
	}
	c.finalizing = 0
	if i := c.pending.find(id); why == event.NoReason {
		out = c.complete(now, i, out)
	} else {
		out = c.abort(i, why, false, out)
	}
	for i := 0; i < c.pending.n && c.finalizing == 0; {
		switch p := &c.pending.slots[i]; {
		case p.complete():
			out = c.finish(now, i, out)
			i = 0
		case p.expired:
			out = c.expire(now, i, out)
			i = 0
		default:
			i++
		}
	}
	return c.evaluateDue(now, out)
}

// complete ends slot i successfully (spec 2.4).
func (c *Coordinator) complete(now event.Time, i int, out []Effect) []Effect {
	p := c.pending.remove(i)
	c.counts.InProgress--
	c.counts.Completed++
	c.failures.Succeed(p.ID)
	if p.Snapshot == Checkpoint {
		c.countReuse(&p)
	}
	out = append(out, Effect{Kind: Completed, ID: p.ID, Request: p.Request, Snapshot: p.Snapshot, Duration: p.LastAck - p.Timestamp})
	var subsumed event.Checkpoint
	if p.Snapshot == Checkpoint {
		c.forceFull = false
		subsumed, out = c.retain(p.ID, out)
	}
	c.evaluations += 2 // the completion, and the disposal of the pending one
	c.lastCompletion = now
	if p.Snapshot == Savepoint {
		return out
	}
	out = c.abortOlder(p.ID, out)
	return append(out, Effect{Kind: NotifyComplete, ID: p.ID, Other: subsumed})
}

// retain adds to the store and drops what exceeds the limit.
func (c *Coordinator) retain(id event.Checkpoint, out []Effect) (subsumed event.Checkpoint, _ []Effect) {
	c.store, c.latest = append(c.store, id), id
	for len(c.store) > c.cfg.Retained {
		subsumed = c.store[0]
		copy(c.store, c.store[1:])
		c.store = c.store[:len(c.store)-1]
		out = append(out, Effect{Kind: Subsumed, ID: subsumed})
		c.clean()
	}
	return subsumed, out
}

// abortOlder aborts the pending checkpoints that the completion of id subsumes; savepoints cannot be subsumed.
func (c *Coordinator) abortOlder(id event.Checkpoint, out []Effect) []Effect {
	for i := 0; i < c.pending.n; {
		if p := &c.pending.slots[i]; p.ID < id && p.Snapshot == Checkpoint {
			out = c.abort(i, event.CheckpointSubsumed, false, out)
			continue
		}
		i++
	}
	return out
}

// abort ends slot i with a failure (spec 2.5).
func (c *Coordinator) abort(i int, reason event.Reason, fromTask bool, out []Effect) []Effect {
	p := c.pending.remove(i)
	if c.finalizing == p.ID {
		c.finalizing = 0
	}
	c.counts.InProgress--
	c.counts.Failed++
	for t := event.Task(0); int(t) < c.cfg.Tasks; t++ {
		if p.Acked(t) && !c.Finished(t) {
			out = append(out, Effect{Kind: Discard, ID: p.ID, Task: t})
		}
	}
	latest, _ := c.LatestCompleted()
	out = append(out,
		Effect{Kind: Failed, ID: p.ID, Reason: reason, Request: p.Request, Snapshot: p.Snapshot},
		Effect{Kind: NotifyAborted, ID: p.ID, Reason: reason, Other: latest})
	if c.failures.Fail(p.ID, reason, p.Snapshot, fromTask) {
		c.tooMany = reason
	}
	c.clean()
	c.evaluations++
	return out
}

// clean begins the deletion of a checkpoint's state.
func (c *Coordinator) clean() {
	if c.cfg.SlowCleaning {
		c.cleaning++
		return
	}
	c.evaluations++
}

// Cleaned handles the end of deleting the state of id (only with SlowCleaning). While more than MaxConcurrent are being deleted
// no checkpoint starts (spec 2.2).
func (c *Coordinator) Cleaned(now event.Time, id event.Checkpoint, out []Effect) []Effect {
	if c.cleaning == 0 {
		panic("checkpoint: Cleaned without anything to clean")
	}
	c.cleaning--
	return c.evaluate(now, out)
}
