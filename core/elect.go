package core

import (
	"checkpointlab/core/event"
	"checkpointlab/core/failover"
)

// elect is the JobManager losing its leadership: its JobMaster ends, and with it the coordinator; the tasks lose their connection
// to it and are cancelled. After a while another one leads, finds the completed checkpoints where high availability keeps them, and
// starts the job from the latest. No restart strategy is asked: its count, and those of checkpoints that failed, were the old
// JobMaster's and begin anew (DefaultLeaderElectionService, JobMasterServiceLeadershipRunner, Dispatcher; ids go on, for
// their counter is kept there, too).
func (l *Lab) elect(now, span event.Time) {
	if l.job.failed || l.job.finished {
		return
	}
	l.job.why = event.LeaderLost
	l.feed.Emit(event.Event{At: now, Kind: event.TaskFailed, Task: -1})
	l.cancel(now, l.everyTask())
	l.carry(now, l.coord.Cancel(now, l.effects[:0]))
	l.coord.ChangeLeader()
	l.strategy = failover.New(&l.plan.setup.Options)
	l.job.restarts = 0 // numRestarts is the scheduler's, and the new JobMaster has one of its own
	l.comeBack(now, span)
}
