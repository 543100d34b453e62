package core

import (
	"slices"

	"checkpointlab/core/checkpoint"
	"checkpointlab/core/event"
	"checkpointlab/core/sim"
	"checkpointlab/core/state"
	"checkpointlab/core/task"
)

// carry carries out the coordinator's effects in order. Its questions are answered at once; the RPC delays stand for the
// control plane's time.
func (l *Lab) carry(now event.Time, effects []checkpoint.Effect) {
	for i := 0; i < len(effects); i++ {
		switch e := effects[i]; e.Kind {
		case checkpoint.ArmTick:
			l.queue.Push(sim.Item{At: e.At, Kind: event.DueTick, ID: e.Seq})
		case checkpoint.ArmExpiry:
			l.queue.Push(sim.Item{At: e.At, Kind: event.DueExpire, ID: e.ID})
		case checkpoint.Plan:
			ok, late := l.ready(now)
			effects = l.coord.Planned(now, ok, event.NotAllRequiredTasksRunning, effects)
			if late {
				effects = l.allRun(now, effects)
			}
		case checkpoint.Begin:
			l.world.Open(e.ID, e.At, l.kindOf(&e))
			l.feed.Emit(event.Event{At: now, Kind: event.CheckpointTriggered, Checkpoint: e.ID, A: int64(e.Snapshot), B: int64(e.Format)})
			effects = l.coord.Triggered(now, e.ID, true, event.NoReason, effects)
		case checkpoint.Trigger:
			l.mailTo(now, l.toTrigger(), triggers[e.Snapshot], e.ID)
		case checkpoint.Finalize:
			switch {
			case l.endedInPart(e.ID):
				effects = l.coord.Finalized(now, e.ID, event.CheckpointDeclinedTaskClosing, effects)
			case !l.plan.setup.Storage.On && l.plan.setup.Control.Finalize == 0: // it takes no time
				effects = l.coord.Finalized(now, e.ID, event.NoReason, effects)
			default:
				l.finalize(now, e.ID)
			}
		case checkpoint.Completed:
			l.lastDuration = e.Duration
			l.feed.Emit(event.Event{At: now, Kind: event.CheckpointCompleted, Checkpoint: e.ID, A: e.Duration})
			if e.Snapshot.IsSavepoint() {
				l.keepFiles(e.ID) // whatever becomes of the job, they are the user's
			}
			if e.Snapshot == checkpoint.Savepoint { // not in the store: no failover goes back to it (spec 9.3)
				l.world.Forget(e.ID)
			}
			if e.Snapshot.IsSynchronous() {
				l.job.stopped, l.job.last = true, e.ID
			}
		case checkpoint.NotifyComplete:
			l.mailAll(now, event.MailComplete, e.ID)
		case checkpoint.RegionLost:
			l.loseRegion(now, e.ID, e.Task)
		case checkpoint.Merge:
			l.merge(now, e.ID, e.Other, e.Task)
		case checkpoint.NotifyAborted:
			l.mailAll(now, event.MailAborted, e.ID)
		case checkpoint.Failed:
			l.feed.Emit(event.Event{At: now, Kind: event.CheckpointFailed, Checkpoint: e.ID, A: int64(e.Reason)})
			l.clean(now, e.ID, true)
			l.world.Forget(e.ID)
			effects = l.notStopped(now, &e, effects)
		case checkpoint.Subsumed:
			l.clean(now, e.ID, false)
			if !slices.Contains(l.storing.held, e.ID) {
				l.world.Forget(e.ID)
			}
		case checkpoint.Deleted:
			l.cleanEnded(now, e.ID)
		case checkpoint.Dropped:
			l.feed.Emit(event.Event{At: now, Kind: event.CheckpointDropped, A: int64(e.Reason)})
			effects = l.notStopped(now, &e, effects)
		case checkpoint.FailJob:
			again := slices.Clone(effects[i+1:]) // of the scheduler, which a savepoint that the job was to stop with has started as it failed
			l.effects = effects[:0]
			l.fail(now, l.everyTask(), -1, event.CheckpointsFailed)
			l.carry(now, append(l.effects[:0], again...))
			return
		}
	}
	l.effects = effects[:0]
}

// kindOf is the kind of snapshot to ask of the backends. The first checkpoint after a start without claiming is a full one, and
// so is one that the user asks to be full.
func (l *Lab) kindOf(e *checkpoint.Effect) state.Kind {
	switch {
	case e.Snapshot.IsSavepoint() && e.Format == checkpoint.Native:
		return state.NativeSavepoint
	case e.Snapshot.IsSavepoint():
		return state.CanonicalSavepoint
	case l.coord.ForcesFull(), e.Format == checkpoint.Full:
		return state.FullCheckpoint
	}
	return state.Checkpoint
}

// triggers are the mails that ask a task for a snapshot.
var triggers = [...]event.Mail{
	checkpoint.Checkpoint: event.MailTrigger, checkpoint.Savepoint: event.MailSavepoint,
	checkpoint.StopWithSavepoint: event.MailStop, checkpoint.StopWithDrain: event.MailDrain,
}

// mailTo sends a mail to tasks by RPC.
func (l *Lab) mailTo(now event.Time, tasks []event.Task, kind event.Mail, id event.Checkpoint) {
	for _, t := range tasks {
		l.mail(now, t, kind, id)
	}
}

// mailAll sends a mail to all tasks except those that know that the checkpoint goes on without them.
func (l *Lab) mailAll(now event.Time, kind event.Mail, id event.Checkpoint) {
	s := l.world.Save(id)
	for t := range l.world.Tasks {
		if s == nil || id == 0 || s.From[t] == 0 {
			l.mail(now, event.Task(t), kind, id)
		}
	}
}

func (l *Lab) mail(now event.Time, t event.Task, kind event.Mail, id event.Checkpoint) {
	l.queue.PushInLane(event.LaneControl, sim.Item{At: now + l.plan.setup.Control.RPC, Kind: event.DueMail, A: t, B: kind, ID: id, Gen: l.world.Tasks[t].Gen})
}

// acknowledge handles a task's acknowledgement that reaches the coordinator.
func (l *Lab) acknowledge(now event.Time, it *sim.Item) {
	if l.world.Tasks[it.A].Gen != it.Gen {
		return
	}
	if l.unknownFiles(it.A, it.ID) || l.coord.Lost(it.ID, it.A) {
		return
	}
	l.feed.Emit(event.Event{At: now, Kind: event.TaskAcknowledged, Task: it.A, Checkpoint: it.ID})
	l.register(it.A, it.ID)
	l.carry(now, l.coord.Ack(now, it.ID, it.A, l.effects[:0]))
}

// runAll is called at the instant at which the tasks of a restart run; at the start these are all.
func (l *Lab) runAll(now event.Time, gen uint32) {
	b := l.back.find(gen)
	if b == nil || l.job.failed {
		return
	}
	if at := l.goesOn(gen); now < at { // a process in which they are to run stands still
		l.queue.Push(sim.Item{At: at, Kind: event.DueRunning, Gen: gen})
		return
	}
	var from *task.Save
	if b.restored != 0 {
		from = l.world.Save(b.restored)
	}
	if l.job.unfit >= 0 { // it cannot read its state, however often it is tried
		l.failStarting(now, l.job.unfit, event.StateUnfit)
		return
	}
	l.dropFlow(from)
	back := make([]bool, l.plan.tasks)
	for _, t := range l.plan.upward {
		back[t] = l.comesBack(t, gen)
	}
	if from != nil {
		l.world.Hold(from, back)
	}
	for _, t := range l.plan.upward {
		if back[t] {
			l.world.Start(now, t, from, l.firstFlush(now, t), l.firstMark(now, t))
			l.restartGauges(now, &l.world.Tasks[t])
			l.backlogOf(t)
			l.awaitRunning(t)
		}
	}
	if from != nil {
		l.world.Refill(now, from, back)
	}
	if l.world.Wide {
		l.world.GatherTicks()
		l.begun = true
	}
	if l.back.over(gen); len(l.back.all) > 0 {
		if l.tracks() { // the first task that runs starts it
			l.carry(now, l.startScheduler(now, l.effects[:0]))
		}
		return
	}
	l.job.running, l.job.fresh = true, now+l.plan.setup.Control.Restore
	l.tellBacklog(now)
	l.carry(now, l.startScheduler(now, l.effects[:0]))
}

// dropFlow drops the in-flight data of a checkpoint if the options ask for that (CheckpointCoordinator.extractOperatorStates).
func (l *Lab) dropFlow(s *task.Save) {
	if s != nil && s.ID == event.Checkpoint(l.plan.setup.Options.WithoutFlow) {
		l.world.DropFlow(s)
	}
}

// firstFlush is when the flusher of a task that starts now ticks first (mechanisms 12); event.Never without a flusher.
// Aligned flushers began half a period before all tasks ran, for the phase to the first checkpoint is anybody's.
func (l *Lab) firstFlush(now event.Time, t event.Task) event.Time {
	period := l.world.Tasks[t].FlushPeriod
	switch {
	case l.world.Rules.BufferTimeout <= 0:
		return event.Never
	case l.plan.setup.FlusherPhase == PhaseAligned:
		return now + period/2
	default:
		return now + 1 + l.random.Int64n(period)
	}
}
