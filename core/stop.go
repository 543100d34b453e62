package core

import (
	"checkpointlab/core/checkpoint"
	"checkpointlab/core/event"
)

func (a *Action) format() checkpoint.Format {
	switch {
	case a.Full:
		return checkpoint.Full
	case a.Native && a.Do != Trigger:
		return checkpoint.Native
	}
	return checkpoint.Canonical
}

// stop handles a user who stops the job with a savepoint: no further checkpoint is triggered, and those under way are aborted,
// so that nothing is committed after the savepoint (SchedulerBase.stopWithSavepoint).
func (l *Lab) stop(now event.Time, a *Action) {
	kind := checkpoint.StopWithSavepoint
	if a.Drain {
		kind = checkpoint.StopWithDrain
	}
	l.job.stopping, l.job.rescale = false, 0
	if l.job.finished || l.job.failed {
		return
	}
	out := l.coord.Stop(now, event.CheckpointCoordinatorSuspend, l.effects[:0])
	l.job.stopping, l.job.apart = true, 0
	out = l.coord.RequestAs(now, kind, a.format(), out)
	l.job.request = l.coord.Requests()
	l.carry(now, out)
}

// notStopped handles the failure of a savepoint with which the job was to stop: it goes on, unless another such savepoint was asked for
// meanwhile, and so does the periodic scheduler, even while a restart backs off (StopWithSavepointTerminationHandlerImpl.terminateExceptionally).
func (l *Lab) notStopped(now event.Time, e *checkpoint.Effect, effects []checkpoint.Effect) []checkpoint.Effect {
	if !e.Snapshot.IsSynchronous() {
		return effects
	}
	if e.Request == l.job.request {
		l.job.stopping, l.job.rescale = false, 0
	}
	return l.coord.Resume(now, l.firstDelay(), effects)
}
