package core

import (
	"checkpointlab/core/event"
	"checkpointlab/core/failover"
)

// JobStatus is what a job is doing (spec 7.2). It is INITIALIZING, CREATED, CANCELLING and FAILING for no time here.
type JobStatus uint8

// The statuses in which a job spends time.
const (
	JobRunning    JobStatus = iota
	JobRestarting           // some task waits for the end of a back-off
	JobOver                 // FAILED or FINISHED
	statuses
)

// jobTimes is how long a job has been in each status (JobStatusMetrics).
type jobTimes struct {
	is    JobStatus
	since event.Time
	spent [statuses]event.Time
}

// status is what the job is doing. From the failure of a task until all back-offs are over it is RESTARTING, and RUNNING again before
// its tasks are (DefaultScheduler.addVerticesToRestartPending, removeVerticesFromRestartPending).
func (l *Lab) status() JobStatus {
	switch {
	case l.job.failed || l.job.finished:
		return JobOver
	case l.back.backsOff():
		return JobRestarting
	}
	return JobRunning
}

// noteStatus is called when the status may have changed.
func (l *Lab) noteStatus(now event.Time) {
	t := &l.job.times
	if s := l.status(); s != t.is {
		t.spent[t.is] += now - t.since
		t.is, t.since = s, now
	}
}

// resubmitted is a new job, or a new JobMaster for it: its scheduler, with its restart strategy and its metrics, is a new one from at on.
func (l *Lab) resubmitted(at event.Time) {
	l.strategy = failover.New(&l.plan.setup.Options)
	l.job.restarts, l.job.rescales = 0, 0
	l.job.times = jobTimes{is: JobRunning, since: at}
}

// notesRestore notes that the coordinator restores a checkpoint, 0 = there is none. Since 2.0 the instant counts in any case
// (CheckpointCoordinator.restoreLatestCheckpointedStateInternal, DefaultCheckpointStatsTracker.reportInitializationStarted).
func (l *Lab) notesRestore(now event.Time, id event.Checkpoint) {
	if id != 0 || l.plan.setup.Options.Version == "2.3" {
		l.job.restored = now
	}
}

// StatusView is how long a job has been in its statuses, and what Flink tells from that. Times are ns.
type StatusView struct {
	Status                          JobStatus
	RunningTime, RunningTotal       event.Time // runningTime: since it is so, 0 if it is not; runningTimeTotal
	RestartingTime, RestartingTotal event.Time
	Restored                        event.Time // lastCheckpointRestoreTimestamp, as an instant of the run; -1 = never
}

func (l *Lab) viewStatus(v *StatusView) {
	t := &l.job.times
	*v = StatusView{Status: t.is, RunningTotal: t.spent[JobRunning], RestartingTotal: t.spent[JobRestarting], Restored: l.job.restored}
	switch spent := max(0, l.now-t.since); t.is {
	case JobRunning:
		v.RunningTime, v.RunningTotal = spent, v.RunningTotal+spent
	case JobRestarting:
		v.RestartingTime, v.RestartingTotal = spent, v.RestartingTotal+spent
	}
}
