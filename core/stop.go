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
	l.carry(now, l.coord.Stop(now, event.CheckpointCoordinatorSuspend, l.effects[:0]))
	l.job.stopping, l.job.apart = true, 0
	l.carry(now, l.coord.RequestAs(now, kind, a.format(), l.effects[:0]))
}

// notStopped handles a savepoint that failed: if the job was to stop with it, it goes on, and so does the periodic scheduler
// (StopWithSavepointTerminationHandlerImpl.terminateExceptionally).
func (l *Lab) notStopped(now event.Time, s checkpoint.Snapshot, effects []checkpoint.Effect) []checkpoint.Effect {
	if !s.IsSynchronous() || !l.job.stopping {
		return effects
	}
	l.job.stopping, l.job.rescale = false, 0
	if !l.job.running {
		return effects
	}
	return l.coord.Start(now, l.firstDelay(), effects)
}
