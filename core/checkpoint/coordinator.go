package checkpoint

import (
	"math"

	"checkpointlab/core/event"
)

// Counts counts checkpoints over the life of the job, like `counts` of the REST interface (spec 7.2).
type Counts struct {
	Total, InProgress, Completed, Failed int64
}

// Coordinator triggers, tracks and ends checkpoints (spec 2). Make it with New; inputs come in order of time.
type Coordinator struct {
	cfg      Config
	decider  Decider
	failures FailureManager
	pending  pendings
	store    []event.Checkpoint // retained, oldest first
	latest   event.Checkpoint   // the newest that was in it, 0 = none
	foreign  event.Checkpoint   // the one in it that the job has started from and does not own, 0 = none
	counts   Counts

	nextID         event.Checkpoint
	requests       int64
	lastCompletion event.Time

	started, shutdown, backlog bool
	canceled                   bool       // the job was, and has not started anew
	begun                      bool       // started once
	nextTick                   event.Time // planned; Never = no trigger
	tickSeq                    int64

	triggering bool             // a trigger phase is running
	current    Request          // whose it is
	timestamp  event.Time       // when it began
	currentID  event.Checkpoint // 0 while the plan is made

	finalizing  event.Checkpoint // its metadata is being written; 0 = none
	cleaning    int
	evaluations int // looks at the queue that are due

	regions Regions
	reused  []int // by region: how many completed checkpoints in a row went without it

	forceFull bool // checkpoints store all until one is complete

	finished []uint64 // tasks that have finished: nobody asks or waits for them

	tooMany event.Reason // the failure that was one too many in this call
	halted  bool         // the job has to fail; nothing starts before it did
}

// never is so long ago that no pause counts from it.
const never event.Time = math.MinInt64 / 2

// New makes a coordinator that has not started. A config out of range panics.
func New(cfg Config) Coordinator {
	if cfg.Tasks < 1 || cfg.Timeout <= 0 || cfg.Interval < 0 || cfg.MinPause < 0 {
		panic("checkpoint: a coordinator needs a task and a timeout, and no negative times")
	}
	cfg = cfg.normalized()
	return Coordinator{
		cfg:            cfg,
		decider:        NewDecider(MaxQueued, cfg.MaxConcurrent, cfg.MinPause),
		failures:       NewFailureManager(cfg.Tolerable),
		nextID:         1,
		lastCompletion: never,
		nextTick:       event.Never,
		finished:       make([]uint64, (cfg.Tasks+63)/64),
	}
}

// Finish notes that a task has finished: checkpoints that begin from now on do without it (spec 2.3).
func (c *Coordinator) Finish(task event.Task) { c.finished[task>>6] |= 1 << (task & 63) }

// Revive notes that a task starts anew.
func (c *Coordinator) Revive(task event.Task) { c.finished[task>>6] &^= 1 << (task & 63) }

// Finished reports whether a task is known to have finished.
func (c *Coordinator) Finished(task event.Task) bool { return c.finished[task>>6]>>(task&63)&1 == 1 }

// Restore starts the job from the snapshot id, before Start: it is the first of the store, and ids go on behind it
// (spec 2.3).
func (c *Coordinator) Restore(id event.Checkpoint) {
	c.store, c.latest = append(c.store[:0], id), id
	c.nextID = id + 1
}

// ForceFull sets whether the snapshot that the job starts from belongs to somebody else (NO_CLAIM): then checkpoints use no
// file of those before and no earlier part of a region, until one is complete
// (CheckpointCoordinator#restoreLatestCheckpointedStateInternal, addCompletedCheckpointToStoreAndSubsumeOldest; spec 8.2).
func (c *Coordinator) ForceFull(full bool) { c.forceFull = full }

// Disown notes that the snapshot which the job has started from stays its user's: NO_CLAIM and LEGACY.
func (c *Coordinator) Disown(id event.Checkpoint) { c.foreign = id }

// ForcesFull reports whether checkpoints store everything, whatever is asked of them.
func (c *Coordinator) ForcesFull() bool { return c.forceFull }

// Resubmit starts a new job from the snapshot id, 0 = from none, in place of this one, which has finished: its counts begin anew,
// ids go on behind the highest there was. Whether the snapshot is the job's own is said by Disown.
func (c *Coordinator) Resubmit(id event.Checkpoint) {
	next := c.nextID
	if c.Restore(id); id == 0 {
		c.store = c.store[:0]
	}
	c.nextID, c.foreign = max(c.nextID, next), 0
	c.shutdown, c.canceled, c.started, c.begun, c.halted, c.counts, c.lastCompletion = false, false, false, false, false, Counts{}, never
	c.disarm()
	c.failures = NewFailureManager(c.cfg.Tolerable)
}

// ChangeLeader makes the stopped coordinator that of another JobManager, which leads now: the completed checkpoints and the counter
// of ids are kept outside; what was counted is not.
func (c *Coordinator) ChangeLeader() {
	c.counts, c.lastCompletion, c.begun = Counts{}, never, false
	c.disarm()
	c.failures = NewFailureManager(c.cfg.Tolerable)
	clear(c.reused)
}

// Start starts the periodic scheduler: all tasks run. The first firing is at now+firstDelay, those behind it follow at
// a fixed rate. Which delay a real Flink has is told in spec 2.1. A scheduler that runs is stopped before; one that
// does not spares savepoints under way since FLINK-34519.
func (c *Coordinator) Start(now, firstDelay event.Time, out []Effect) []Effect {
	if c.shutdown {
		panic("checkpoint: the coordinator is shut down")
	}
	c.halted, c.canceled = false, false
	if c.cfg.Interval == 0 {
		return out
	}
	if c.started || c.cfg.StartAborts {
		out = c.Stop(now, event.CheckpointCoordinatorSuspend, out)
	}
	c.started, c.begun = true, true
	return c.arm(now, now+firstDelay, out)
}

// Resume starts the scheduler again behind a savepoint that failed with which the job was to stop, whatever its tasks do, unless the
// job has ended (StopWithSavepointTerminationHandlerImpl.terminateExceptionally, SchedulerBase.startCheckpointScheduler).
func (c *Coordinator) Resume(now, firstDelay event.Time, out []Effect) []Effect {
	if c.shutdown || c.canceled {
		return out
	}
	return c.Start(now, firstDelay, out)
}

// Stop stops the scheduler: the job leaves RUNNING. Queued requests are dropped, pending checkpoints aborted with the
// reason, usually CHECKPOINT_COORDINATOR_SUSPEND (spec 2.1, 9.3).
func (c *Coordinator) Stop(now event.Time, reason event.Reason, out []Effect) []Effect {
	c.started, c.halted = false, false
	c.disarm()
	for c.decider.Len() > 0 {
		out = c.drop(c.decider.pop(), reason, out)
	}
	return c.AbortPending(now, reason, out)
}

// LeaveRunning is the job leaving RUNNING. A periodic scheduler stops with it if somebody listens to the job's state (stops); without
// an interval nobody does (DefaultExecutionGraph.enableCheckpointing registers no CheckpointCoordinatorDeActivator then). If nobody
// listens, what is pending or queued stays until the job restarts or ends.
func (c *Coordinator) LeaveRunning(now event.Time, stops bool, out []Effect) []Effect {
	if stops {
		return c.Stop(now, event.CheckpointCoordinatorSuspend, out)
	}
	c.halted = false
	return out
}

// Restart is the back-off being over: what is still pending is aborted before tasks get their state (SchedulerBase.restoreState).
func (c *Coordinator) Restart(now event.Time, out []Effect) []Effect {
	return c.AbortPending(now, event.JobFailoverRegion, out)
}

// Cancel is the job ending though it is to come back, cancelled by its user or left by its JobManager: a periodic scheduler stops with
// it, without an interval the coordinator is shut down only behind its last task (DefaultExecutionGraph.onTerminalState).
func (c *Coordinator) Cancel(now event.Time, out []Effect) []Effect {
	c.canceled = true
	if c.cfg.Interval > 0 {
		return c.Stop(now, event.CheckpointCoordinatorSuspend, out)
	}
	return c.Stop(now, event.CheckpointCoordinatorShutdown, out)
}

// AbortPending aborts all that is pending, at the job's side; what is queued stays (CheckpointCoordinator#abortPendingCheckpoints).
func (c *Coordinator) AbortPending(now event.Time, reason event.Reason, out []Effect) []Effect {
	for c.pending.n > 0 {
		out = c.abort(0, reason, false, out)
	}
	return c.evaluateDue(now, out)
}

// Shutdown ends the coordinator for good: the job is in a final state.
func (c *Coordinator) Shutdown(now event.Time, out []Effect) []Effect {
	if c.shutdown {
		return out
	}
	c.shutdown = true
	return c.Stop(now, event.CheckpointCoordinatorShutdown, out)
}

// Tick is the firing that ArmTick with this seq armed. It arms the next one at the planned time plus the interval,
// then submits a request (spec 2.1).
func (c *Coordinator) Tick(now event.Time, seq int64, out []Effect) []Effect {
	if seq != c.tickSeq || c.nextTick == event.Never {
		return out
	}
	if interval := c.interval(); interval > 0 {
		out = c.arm(now, c.nextTick+interval, out)
	} else {
		c.disarm()
	}
	return c.RequestPeriodic(now, out)
}

// SetBacklog says whether any source works off a backlog. A shorter interval acts at once, a longer one from the next
// firing on (spec 2.1). A scheduler that has stopped fires, too, as Flink's does: what it asks for is refused
// (CheckpointCoordinator#setIsProcessingBacklog, PERIODIC_SCHEDULER_SHUTDOWN).
func (c *Coordinator) SetBacklog(now event.Time, backlog bool, out []Effect) []Effect {
	c.backlog = backlog
	interval := c.interval()
	if !c.begun || c.shutdown || interval == 0 || c.nextTick <= now+interval {
		return out
	}
	return c.arm(now, now+interval, out)
}

// interval is the periodic interval in force; 0 = none.
func (c *Coordinator) interval() event.Time {
	if c.backlog {
		return c.cfg.IntervalDuringBacklog
	}
	return c.cfg.Interval
}

// arm plans the next firing in place of the planned one.
func (c *Coordinator) arm(now, planned event.Time, out []Effect) []Effect {
	c.tickSeq++
	c.nextTick = planned
	return append(out, Effect{Kind: ArmTick, At: max(now, planned), Seq: c.tickSeq})
}

func (c *Coordinator) disarm() {
	c.tickSeq++
	c.nextTick = event.Never
}

// Started tells whether the periodic scheduler runs.
func (c *Coordinator) Started() bool { return c.started }

// NextID is the id that the next checkpoint takes.
func (c *Coordinator) NextID() event.Checkpoint { return c.nextID }

// NextTrigger is the planned instant of the next periodic firing; event.Never when there is none.
func (c *Coordinator) NextTrigger() event.Time { return c.nextTick }

// Counts counts checkpoints since the job began.
func (c *Coordinator) Counts() Counts { return c.counts }

// ContinuousFailures is how many failures in a row are counted against the tolerable ones.
func (c *Coordinator) ContinuousFailures() int { return c.failures.Continuous() }

// Queued is the number of requests that wait.
func (c *Coordinator) Queued() int { return c.decider.Len() }

// Triggering reports whether a trigger phase is running.
func (c *Coordinator) Triggering() bool { return c.triggering }

// NumPending is the number of checkpoints in progress.
func (c *Coordinator) NumPending() int { return c.pending.n }

// Pending is the i-th checkpoint in progress, oldest first.
func (c *Coordinator) Pending(i int) *Pending { return &c.pending.slots[:c.pending.n][i] }

// Find returns the checkpoint in progress with this id, or nil.
func (c *Coordinator) Find(id event.Checkpoint) *Pending {
	if i := c.pending.find(id); i >= 0 {
		return &c.pending.slots[i]
	}
	return nil
}

// Retained are the ids in the store, oldest first. It is valid until the next input.
func (c *Coordinator) Retained() []event.Checkpoint { return c.store }

// LatestCompleted is the checkpoint that a failover restores; savepoints are none (spec 9.3). It is told behind the end of the job, too,
// when the store may be empty.
func (c *Coordinator) LatestCompleted() (id event.Checkpoint, ok bool) {
	return c.latest, c.latest != 0
}

// CopyFrom makes c a copy of o that shares no memory with it.
func (c *Coordinator) CopyFrom(o *Coordinator) {
	decider, failures, pending := c.decider, c.failures, c.pending
	store, finished, reused := append(c.store[:0], o.store...), append(c.finished[:0], o.finished...), append(c.reused[:0], o.reused...)
	decider.CopyFrom(&o.decider)
	failures.CopyFrom(&o.failures)
	pending.copyFrom(&o.pending)
	*c = *o
	c.decider, c.failures, c.pending, c.store, c.finished, c.reused = decider, failures, pending, store, finished, reused
}
