package core

import (
	"slices"

	"checkpointlab/core/event"
	"checkpointlab/core/state/storage"
)

// elect makes the JobManager lose its leadership: its JobMaster ends together with the coordinator, and the tasks lose their
// connection and are cancelled. After a while another JobManager leads, finds the completed checkpoints in high-availability
// storage, and starts the job from the latest. The restart strategy is not asked; its counts and those of failed checkpoints
// belonged to the old JobMaster and start anew, while checkpoint ids go on, because their counter is in the same storage
// (DefaultLeaderElectionService, JobMasterServiceLeadershipRunner, Dispatcher). As it ends, the old one frees its slots
// (JobMaster.disconnectTaskManager, DefaultDeclarativeSlotPool.releaseSlots), and a task manager deletes the local copies of a slot that
// is freed (TaskExecutor.freeSlotInternal).
func (l *Lab) elect(now, span event.Time) {
	if l.job.failed || l.job.finished {
		return
	}
	l.giveUp(now, l.stalls.master())
	l.job.why, l.job.led = event.LeaderLost, now
	l.feed.Emit(event.Event{At: now, Kind: event.TaskFailed, Task: -1})
	l.cancel(now, l.everyTask())
	l.carry(now, l.coord.Cancel(now, l.effects[:0]))
	l.coord.ChangeLeader()
	for t := range l.storing.since {
		l.storing.since[t] = now + 1
	}
	l.recoverStore()
	l.job.unbroken = true
	l.comeBack(now, span)
	l.resubmitted(now + span)
}

// recoverStore is what the next JobManager finds of the storage: completed checkpoints (ZooKeeperUtils.createCompletedCheckpoints). What
// aborted ones had registered and those hold that were subsumed and not deleted yet nobody knows any more, and so it stays.
func (l *Lab) recoverStore() {
	st := l.world.Store
	if st == nil {
		return
	}
	before := slices.Clone(l.storing.registries)
	l.recoverRegistries(slices.DeleteFunc(slices.Clone(l.coord.Retained()), func(id event.Checkpoint) bool { return l.world.Save(id).Foreign }))
	for t := range before {
		for key := range before[t].Keys() {
			l.abandon(int32(t), uint64(key))
		}
	}
	for _, id := range l.storing.held {
		s := l.world.Save(id)
		for t := range s.Parts {
			for f := range s.Parts[t].Files() {
				l.abandon(f.Owner(event.Task(t)), f.ID)
			}
			for _, g := range s.Parts[t].Log {
				l.abandon(g.Owner(event.Task(t)), storage.LogFile(g.Number))
			}
		}
		st.Abandon(storage.Master, uint64(id))
		l.world.Forget(id)
	}
	l.storing.held = l.storing.held[:0]
}

// abandon notes a file that nobody will delete, unless it is registered.
func (l *Lab) abandon(owner int32, id uint64) {
	if !l.storing.registries[owner].Has(int64(id)) {
		l.world.Store.Abandon(owner, id)
	}
}
