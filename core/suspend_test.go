package core

import (
	"testing"

	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// What somebody has asked for stays pending while a job fails that has no interval: nobody listens to its state
// (DefaultExecutionGraph.enableCheckpointing). It is aborted when the tasks are about to be restored (SchedulerBase.restoreState), when
// the job is not restarted, or with its JobManager, as the coordinator is shut down. With an interval the scheduler stops with the
// first task (ExecutionTrackingCheckpointCoordinatorDeActivator).
func TestPendingWhileTheJobFails(t *testing.T) {
	const at, killed = 2500 * event.Millisecond, 2700 * event.Millisecond
	for name, c := range map[string]struct {
		interval event.Time
		attempts int
		do       Do
		want     event.Reason
		when     event.Time
	}{
		"no interval":                  {0, 10, Kill, event.JobFailoverRegion, killed + event.Second},
		"no interval, no restart left": {0, 0, Kill, event.CheckpointCoordinatorShutdown, killed},
		"no interval, another leader":  {0, 10, Elect, event.CheckpointCoordinatorShutdown, killed},
		"an interval":                  {50 * event.Second, 10, Kill, event.CheckpointCoordinatorSuspend, killed},
	} {
		s := bounded(t, 0)
		s.Options.Interval = c.interval
		s.Vertices[2].Snapshot.Async = 10 * event.Second
		s.Options.Restart, s.Options.RestartAttempts, s.Options.RestartDelay = option.RestartFixedDelay, c.attempts, event.Second
		s.Script = []Action{
			{At: at, Do: Savepoint, Vertex: -1, Subtask: -1},
			{At: killed, Do: c.do, Vertex: 1, Subtask: 0, For: event.Second},
			{At: killed + event.Second/2, Do: Trigger, Vertex: -1, Subtask: -1}, // while nothing runs
		}
		_, seen := ends(t, s, event.CheckpointFailed)
		var savepoint, trigger event.Event
		for _, e := range seen {
			if e.Checkpoint == 1 {
				savepoint = e
			} else if trigger.At == 0 {
				trigger = e
			}
		}
		if event.Reason(savepoint.A) != c.want || savepoint.At != c.when {
			t.Errorf("%s: the savepoint fails at %d for %s, want %s at %d", name, savepoint.At, event.Reason(savepoint.A), c.want, c.when)
		}
		if c.attempts > 0 && c.want != event.JobFailoverRegion && event.Reason(trigger.A) != event.NotAllRequiredTasksRunning {
			t.Errorf("%s: what is asked for meanwhile fails for %s", name, event.Reason(trigger.A))
		}
		// one checkpoint at a time, so that it waits for the savepoint
		if c.want == event.JobFailoverRegion && (event.Reason(trigger.A) != event.NotAllRequiredTasksRunning || trigger.At != c.when) {
			t.Errorf("%s: what is asked for meanwhile fails at %d for %s", name, trigger.At, event.Reason(trigger.A))
		}
	}
}
