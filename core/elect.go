package core

import (
	"checkpointlab/core/event"
	"checkpointlab/core/failover"
)

// elect makes the JobManager lose its leadership: its JobMaster ends together with the coordinator, and the tasks lose their
// connection and are cancelled. After a while another JobManager leads, finds the completed checkpoints in high-availability
// storage, and starts the job from the latest. The restart strategy is not asked; its counts and those of failed checkpoints
// belonged to the old JobMaster and start anew, while checkpoint ids go on, because their counter is in the same storage
// (DefaultLeaderElectionService, JobMasterServiceLeadershipRunner, Dispatcher).
func (l *Lab) elect(now, span event.Time) {
	if l.job.failed || l.job.finished {
		return
	}
	l.giveUp(now, l.stalls.master())
	l.job.why = event.LeaderLost
	l.feed.Emit(event.Event{At: now, Kind: event.TaskFailed, Task: -1})
	l.cancel(now, l.everyTask())
	l.carry(now, l.coord.Cancel(now, l.effects[:0]))
	l.coord.ChangeLeader()
	l.job.unbroken = true
	l.strategy = failover.New(&l.plan.setup.Options)
	l.job.restarts = 0 // numRestarts is the scheduler's, and the new JobMaster has one of its own
	l.comeBack(now, span)
	l.resubmitted(now + span)
}
