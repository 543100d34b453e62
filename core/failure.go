package core

import (
	"checkpointlab/core/checkpoint"
	"checkpointlab/core/event"
	"checkpointlab/core/sim"
	"checkpointlab/core/task"
)

// regionOf lists the tasks that restart with t (spec 9.1).
func (l *Lab) regionOf(t event.Task) []event.Task {
	if l.plan.setup.Options.FailoverFull {
		return l.everyTask()
	}
	var all []event.Task
	for o, r := range l.plan.regions {
		if r == l.plan.regions[t] {
			all = append(all, event.Task(o))
		}
	}
	return all
}

func (l *Lab) everyTask() []event.Task {
	return l.plan.active
}

// fail handles a failure of cause (-1: of the job as a whole): pending checkpoints are aborted, the tasks of the region are
// cancelled along with everything under way between them, and the restart strategy decides (spec 9.3).
func (l *Lab) fail(now event.Time, region []event.Task, cause event.Task, why event.Cause) {
	l.job.why = why
	l.feed.Emit(event.Event{At: now, Kind: event.TaskFailed, Task: cause})
	l.cancel(now, region)
	l.back.find(l.job.gen).culprit = cause
	attempt := l.strategy.Note(now, &l.random)
	if !l.strategy.CanRestart(now) {
		l.cancel(now, l.everyTask()) // of other regions, too (DefaultScheduler.failJob)
		l.job.failed, l.back.all = true, l.back.all[:0]
		l.noteStatus(now)
		l.terminate(now, checkpoint.JobFailed)
		l.feed.Emit(event.Event{At: now, Kind: event.JobFailed})
		return
	}
	if attempt { // one that is merged into the attempt before is no restart (ExecutionFailureHandlerTest.testNewAttemptAndNumberOfRestarts)
		l.job.restarts++
	}
	l.comeBack(now, l.strategy.Backoff(now))
}

// cancel stops tasks together with everything under way between them; whatever was scheduled for an earlier restart of theirs is
// void.
func (l *Lab) cancel(now event.Time, region []event.Task) {
	if l.job.stopped { // the savepoint is there, but not every task has finished: all start anew (StopWithSavepointStoppingException)
		region = l.everyTask()
	}
	l.job.repeats = l.job.repeats || l.job.stopped
	if l.job.stopping && !l.stopsWithJob() {
		l.job.apart = len(region)
	}
	l.job.stopping, l.job.stopped, l.job.rescale = false, false, 0
	l.job.running = false
	for _, t := range region {
		l.awaitEnd(now, t)
		l.world.Stop(now, t)
		l.forgetRunning(t)
	}
	l.revive(region)
	l.leaveRunning(now)
	l.dropInFlight(region)
	l.leave(now, region)
}

// comeBack schedules the end of the back-off.
func (l *Lab) comeBack(now, span event.Time) {
	l.back.find(l.job.gen).until = now + span
	l.noteStatus(now)
	l.feed.Emit(event.Event{At: now, Kind: event.JobRestarting, A: span})
	l.queue.Push(sim.Item{At: now + span, Kind: event.DueRestart, Gen: l.job.gen})
}

// dropInFlight empties the channels, pools and gates of cancelled tasks.
func (l *Lab) dropInFlight(region []event.Task) {
	net := l.world.Net
	gone := make([]bool, l.plan.tasks)
	for _, t := range region {
		gone[t] = true
	}
	for c, w := range net.Wires {
		if gone[w.Producer] || gone[w.Consumer] {
			net.Reset(event.Channel(c))
		}
	}
	for _, t := range region {
		for _, p := range l.plan.outs[t] {
			net.ResetPool(p)
		}
		for _, g := range l.plan.gates[t] {
			net.ResetGate(g)
		}
	}
}

// failStarting handles an attempt to start that fails at a task, because what it starts from cannot be read or has another
// format.
func (l *Lab) failStarting(now event.Time, t event.Task, why event.Cause) {
	gen := l.back.of[t]
	if at := l.back.find(gen).began + task.LeastAttempt; now < at {
		l.queue.Push(sim.Item{At: at, Kind: event.DueStartFails, A: t, B: int32(why), Gen: gen})
		return
	}
	region := l.everyTask()
	if why == event.StateUnread {
		region = l.regionOf(t)
	}
	l.fail(now, region, t, why)
}

// redeploy is called at the end of the back-off: tasks are assigned the latest completed checkpoint; what its transactions hold
// is committed, later ones are aborted (spec 6.1, restore).
func (l *Lab) redeploy(now event.Time, gen uint32) {
	if l.back.find(gen) == nil || l.waits(now, gen) {
		return
	}
	id, _ := l.coord.LatestCompleted()
	b := l.back.find(gen)
	b.restored, b.until, b.began = id, 0, now
	for _, t := range l.plan.sinks {
		if l.comesBack(t, gen) {
			l.world.Recover(now, t, l.shownTo(t, id), false)
		}
	}
	tasks := l.with(gen)
	for _, t := range tasks {
		l.tellRestored(now, t, id)
	}
	l.restore(now, b, tasks)
}

func (l *Lab) tellRestored(now event.Time, t event.Task, id event.Checkpoint) {
	e := event.Event{At: now, Kind: event.TaskRestored, Task: t, Checkpoint: id}
	if s := l.world.Save(id); s != nil && id != 0 {
		e.A = s.Next[t]
	}
	l.feed.Emit(e)
}
