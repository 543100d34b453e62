package checkpoint

import "checkpointlab/core/event"

// Request submits a user's request. Its number is the count of requests so far, periodic ones included.
// Savepoints are forced unless checkpoints are unaligned (spec 2.2).
func (c *Coordinator) Request(now event.Time, s Snapshot, out []Effect) []Effect {
	return c.submit(now, s, Canonical, false, out)
}

// RequestAs is Request with a format.
func (c *Coordinator) RequestAs(now event.Time, s Snapshot, f Format, out []Effect) []Effect {
	return c.submit(now, s, f, false, out)
}

// RequestPeriodic submits what a firing of the periodic trigger submits, also one that was under way when the scheduler
// stopped: such a request fails with PERIODIC_SCHEDULER_SHUTDOWN (CheckpointCoordinatorTriggeringTest#testStopPeriodicScheduler).
func (c *Coordinator) RequestPeriodic(now event.Time, out []Effect) []Effect {
	return c.submit(now, Checkpoint, Canonical, true, out)
}

// Requests is the number of the latest request.
func (c *Coordinator) Requests() int64 { return c.requests }

// submit queues a request and looks at the queue.
func (c *Coordinator) submit(now event.Time, s Snapshot, f Format, periodic bool, out []Effect) []Effect {
	c.requests++
	r := Request{Number: c.requests, At: now, Snapshot: s, Format: f, Periodic: periodic, Force: s.IsSavepoint() && !c.cfg.Unaligned}
	dropped, full, look := c.decider.Submit(r)
	if full {
		out = c.drop(dropped, event.TooManyCheckpointRequests, out)
	}
	if !look {
		return out
	}
	return c.evaluate(now, out)
}

// evaluateDue looks at the queue as often as Flink does: once for each completion, abort and cleaning. More than one look
// matters only during the pause, when each look drops a request.
func (c *Coordinator) evaluateDue(now event.Time, out []Effect) []Effect {
	if c.tooMany != event.NoReason {
		return c.failJob(now, out)
	}
	for c.evaluations > 0 {
		c.evaluations--
		out = c.evaluate(now, out)
	}
	return out
}

// evaluate looks at the head of the queue once.
func (c *Coordinator) evaluate(now event.Time, out []Effect) []Effect {
	switch d := c.choose(now); d.Verdict {
	case Start:
		return c.begin(now, d.Request, out)
	case Drop:
		out = c.drop(d.Request, event.MinimumTimeBetweenCheckpoints, out)
		return c.arm(now, now+d.Rest, out)
	}
	return out
}

// choose asks the decider, unless the job has to fail or metadata is written, which Flink does under its lock.
func (c *Coordinator) choose(now event.Time) Decision {
	if c.halted || c.finalizing != 0 {
		return Decision{}
	}
	return c.decider.Choose(Situation{
		Now: now, LastCompletion: c.lastCompletion, Triggering: c.triggering, Pending: c.pending.n, Cleaning: c.cleaning,
	})
}

// failJob asks for the job's failure. The request that would start now fails with it: Flink makes its plan in the main
// thread, which fails the job first, so the plan finds no task running (CheckpointCoordinator, FailJobCallback).
func (c *Coordinator) failJob(now event.Time, out []Effect) []Effect {
	switch d := c.choose(now); d.Verdict {
	case Start:
		out = c.failUnborn(d.Request, event.NotAllRequiredTasksRunning, out)
	case Drop:
		out = c.drop(d.Request, event.MinimumTimeBetweenCheckpoints, out)
	}
	out = append(out, Effect{Kind: FailJob, Reason: c.tooMany})
	c.tooMany, c.halted, c.evaluations = event.NoReason, true, 0
	return out
}

// begin is step (a) of the trigger phase (spec 2.3): the timestamp is taken, the plan asked for.
func (c *Coordinator) begin(now event.Time, r Request, out []Effect) []Effect {
	if reason := c.refuse(r.Periodic); reason != event.NoReason {
		return c.evaluate(now, c.failUnborn(r, reason, out))
	}
	c.triggering, c.current, c.timestamp, c.currentID = true, r, now, 0
	return append(out, Effect{Kind: Plan, Request: r.Number, Snapshot: r.Snapshot, At: now})
}

// refuse is Flink's check of the global state.
func (c *Coordinator) refuse(periodic bool) event.Reason {
	switch {
	case c.shutdown:
		return event.CheckpointCoordinatorShutdown
	case periodic && !c.started:
		return event.PeriodicSchedulerShutdown
	}
	return event.NoReason
}

// Planned answers Plan: steps (b) to (d). ok says that all required tasks run; else reason is
// NOT_ALL_REQUIRED_TASKS_RUNNING or another one, and no id is taken. With an id the timeout begins.
func (c *Coordinator) Planned(now event.Time, ok bool, reason event.Reason, out []Effect) []Effect {
	if !c.triggering || c.currentID != 0 {
		panic("checkpoint: Planned without Plan")
	}
	if ok {
		reason = c.refuse(c.current.Periodic)
		c.currentID = c.nextID
		c.nextID++ // consumed even if the check refuses it now
	} else if reason == event.NoReason {
		reason = event.TriggerCheckpointFailure
	}
	if reason != event.NoReason {
		return c.endPhase(now, c.failUnborn(c.current, reason, out))
	}
	p := c.pending.add(c.cfg.Tasks, c.finished)
	p.ID, p.Timestamp, p.Expires, p.triggering = c.currentID, c.timestamp, now+c.cfg.Timeout, true
	p.Request, p.Snapshot, p.Format = c.current.Number, c.current.Snapshot, c.current.Format
	c.counts.Total++
	c.counts.InProgress++
	return append(out,
		Effect{Kind: Begin, ID: p.ID, Request: p.Request, Snapshot: p.Snapshot, Format: p.Format, At: p.Timestamp},
		Effect{Kind: ArmExpiry, ID: p.ID, At: p.Expires})
}

// Triggered answers Begin: steps (e) to (g) are over, or failed for reason (NoReason means TRIGGER_CHECKPOINT_FAILURE).
// A checkpoint that ended in the meantime asks no task; Flink counts it as failed once more (vector
// trigger.expires-during-trigger-phase, CheckpointStatsTracker).
func (c *Coordinator) Triggered(now event.Time, id event.Checkpoint, ok bool, reason event.Reason, out []Effect) []Effect {
	if !c.triggering || c.currentID != id || id == 0 {
		panic("checkpoint: Triggered without Begin")
	}
	i := c.pending.find(id)
	switch {
	case i < 0:
		c.counts.Total++
		c.counts.Failed++
	case ok:
		p := &c.pending.slots[i]
		p.triggering = false
		format := p.Format
		if c.forceFull && p.Snapshot == Checkpoint {
			format = Full
		}
		out = append(out, Effect{Kind: Trigger, ID: id, Request: p.Request, Snapshot: p.Snapshot, Format: format, At: p.Timestamp})
	default:
		if reason == event.NoReason {
			reason = event.TriggerCheckpointFailure
		}
		out = c.abort(i, reason, false, out)
	}
	return c.endPhase(now, out)
}

// endPhase lets the next request start.
func (c *Coordinator) endPhase(now event.Time, out []Effect) []Effect {
	c.triggering, c.currentID = false, 0
	c.evaluations++
	return c.evaluateDue(now, out)
}

// failUnborn fails a request that has no pending checkpoint; it counts in total and failed.
func (c *Coordinator) failUnborn(r Request, reason event.Reason, out []Effect) []Effect {
	c.counts.Total++
	c.counts.Failed++
	out = append(out, Effect{Kind: Failed, Reason: reason, Request: r.Number, Snapshot: r.Snapshot})
	if c.failures.Fail(NoID, reason, r.Snapshot, false) {
		c.tooMany = reason
	}
	return out
}

// drop reports that a request left the queue without a start. It is not counted.
func (c *Coordinator) drop(r Request, reason event.Reason, out []Effect) []Effect {
	return append(out, Effect{Kind: Dropped, Reason: reason, Request: r.Number, Snapshot: r.Snapshot})
}
