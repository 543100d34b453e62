package core

import (
	"checkpointlab/core/checkpoint"
	"checkpointlab/core/event"
)

// When the periodic scheduler starts and stops (spec 2.1). Flink's versions differ, and 2.3 differs from what spec 2.1 says of it where
// the recorded runs tell more (truth/runs.jsonl: ids and counts).
//
// In 2.3 it starts when the first task of a start turns RUNNING, if it does not run then, and its first trigger comes min-pause behind that
// (DefaultExecutionGraph.updateStateInternal): behind a failure most of these find another task that is not RUNNING yet, and the next one
// comes an interval later. In an execution graph of which no task has failed it starts anew when all tasks run, min-pause ahead of a
// trigger, and from then on it stops with the first failure (ExecutionTrackingCheckpointCoordinatorDeActivator). Attempts that have ended
// stay among the executions for which that class waits, so that behind a failure it neither starts nor stops anything any more: the
// scheduler that the next start of the tasks starts runs on through all further failures of the job, at its fixed rate.
//
// In 1.18 and 1.20 it starts when the job turns RUNNING, which is at the end of the back-off, with a delay drawn from [min-pause, interval],
// and stops when the job leaves RUNNING (CheckpointCoordinatorDeActivator, CheckpointCoordinator.getRandomInitDelay).
//
// In all of them it also starts when a savepoint fails with which the job was to stop, whatever the tasks do then (notStopped).

// firstFails is the share of starts whose first trigger finds a task that is not RUNNING yet, in per cent: 57 of the 61 starts of 2.3 in
// the recorded runs (truth/runs.jsonl: failed triggers that took no id).
const firstFails = 93

// tracks tells whether the scheduler is started and stopped as 2.3 does it.
func (l *Lab) tracks() bool {
	s := &l.plan.setup
	return s.FirstTrigger == AtRunning && s.Options.Version == "2.3"
}

// withJob tells whether the scheduler is started as 1.18 and 1.20 do it: with the job, ahead of its tasks.
func (l *Lab) withJob() bool {
	s := &l.plan.setup
	return s.FirstTrigger == AtRunning && s.Options.Version != "2.3"
}

// startScheduler is the instant at which tasks run: at the start and after each restore.
func (l *Lab) startScheduler(now event.Time, out []checkpoint.Effect) []checkpoint.Effect {
	if l.coord.Started() && l.plan.setup.FirstTrigger == AtRunning {
		return out
	}
	if out = l.coord.Start(now, l.firstDelay(), out); l.job.starting == 0 {
		l.job.heard = l.job.unbroken
	}
	return out
}

// allRun is the coordinator knowing the last task to run.
func (l *Lab) allRun(now event.Time, out []checkpoint.Effect) []checkpoint.Effect {
	if !l.tracks() || !l.job.unbroken {
		return out
	}
	l.job.heard = true
	return l.coord.Start(now, l.firstDelay(), out)
}

// stopsWithJob tells whether what is pending is aborted as the job leaves RUNNING, for the scheduler stops then: not without an
// interval, nor if the job is RESTARTING already.
func (l *Lab) stopsWithJob() bool {
	switch {
	case l.plan.setup.Options.Interval == 0:
		return false
	case l.tracks():
		return l.job.heard
	}
	return !l.withJob() || !l.back.backsOff()
}

// leaveRunning is the job leaving RUNNING, with tasks that fail or are cancelled.
func (l *Lab) leaveRunning(now event.Time) {
	stops := l.stopsWithJob()
	l.job.unbroken, l.job.heard = false, false
	l.carry(now, l.coord.LeaveRunning(now, stops, l.effects[:0]))
}

// backOffEnds is the back-off of a restart being over. With the last one the job turns RUNNING again, ahead of its tasks
// (DefaultScheduler.removeVerticesFromRestartPending).
func (l *Lab) backOffEnds(now event.Time, gen uint32) {
	b, out := l.back.find(gen), l.effects[:0]
	turns := !b.due
	b.due = true
	l.noteStatus(now)
	if turns && l.withJob() && !l.back.backsOff() {
		out = l.coord.Start(now, l.firstDelay(), out)
	}
	l.carry(now, l.coord.Restart(now, out))
}

// ready tells whether all tasks can be triggered. Right after a start one often is not RUNNING yet (Control.FirstFails), but is when they
// all have had the time that it takes to deploy them (late).
func (l *Lab) ready(now event.Time) (ok, late bool) {
	if !l.job.running || l.job.starting > 0 || l.job.left < len(l.plan.active) && !l.plan.setup.Options.AfterTasksFinish {
		return false, false
	}
	if l.plan.setup.Control.FirstFails && now <= l.job.fresh {
		l.job.fresh = -1
		late = l.random.Int64n(100) < firstFails
	}
	return !late, late
}

// awaitRunning notes that a task that has started is not RUNNING yet, for the coordinator.
func (l *Lab) awaitRunning(t event.Task) {
	if l.world.Tasks[t].Initializing() {
		l.initializing[t] = true
		l.job.starting++
	}
}

// forgetRunning notes that the coordinator need not wait for a task any more: it runs, or is cancelled.
func (l *Lab) forgetRunning(t event.Task) {
	if l.initializing[t] {
		l.initializing[t] = false
		l.job.starting--
	}
}

// initialized is the coordinator hearing that a task runs.
func (l *Lab) initialized(now event.Time, t event.Task, gen uint32) {
	if l.world.Tasks[t].Gen != gen {
		return
	}
	if l.forgetRunning(t); l.job.starting == 0 {
		l.carry(now, l.allRun(now, l.effects[:0]))
	}
}

// firstDelay is from the start of the scheduler to its first trigger.
func (l *Lab) firstDelay() event.Time {
	o := &l.plan.setup.Options
	switch {
	case l.plan.setup.FirstTrigger == AtInterval:
		return o.Interval
	case l.tracks():
		return o.MinPause
	}
	return checkpoint.FromOptions(o, 1).FirstDelay(&l.random)
}
