package core

import (
	"testing"

	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// stopping is a job that somebody stops at 2.5 s.
func stopping(t *testing.T, drain bool) Setup {
	t.Helper()
	s := bounded(t, 0)
	s.Vertices[0].EndsAfter = 0
	s.Script = []Action{{At: 2500 * event.Millisecond, Do: Stop, Vertex: -1, Subtask: -1, Drain: drain}}
	return s
}

// Stop-with-savepoint: no checkpoint is taken any more; what was read ahead of the barrier is shown, and nothing else was read;
// then the job finishes. Behind a drain EndOfData goes ahead of the barrier, without one behind it.
func TestStopWithSavepoint(t *testing.T) {
	for _, drain := range []bool{false, true} {
		l, seen := ends(t, stopping(t, drain), event.CheckpointTriggered, event.TaskSnapshot, event.TaskEnded, event.CheckpointCompleted, event.JobFinished)
		var first event.Kind
		for _, e := range seen {
			if e.At >= 2500*event.Millisecond && e.Task == 0 && (e.Kind == event.TaskSnapshot || e.Kind == event.TaskEnded) {
				first = e.Kind
				break
			}
		}
		if (first == event.TaskEnded) != drain {
			t.Errorf("drain %v: the source first has event %d", drain, first)
		}
		read := int64(0)
		for i := range l.world.Logs {
			read += l.world.Logs[i].Next
		}
		if !l.job.finished || shownBySinks(l) != read || !l.allShown() || read < 4990 || read > 5010 {
			t.Errorf("drain %v: finished is %v, %d of %d records are visible", drain, l.job.finished, shownBySinks(l), read)
		}
		c := l.History().Checkpoints[2]
		if !c.Stop || !c.Savepoint || c.Outcome != Completed {
			t.Errorf("drain %v: the third checkpoint is %+v", drain, c)
		}
		if id, _ := l.coord.LatestCompleted(); id == 3 { // a drain may be followed by one more checkpoint, which the end of all data asks for
			t.Errorf("the store's latest is %d", id)
		}
	}
}

// A savepoint that expires: tasks that have stopped with it fail, the job restarts from the last checkpoint and goes on.
func TestStopThatFails(t *testing.T) {
	s := stopping(t, false)
	s.Options.Timeout, s.Vertices[2].Snapshot.Async = 1500*event.Millisecond, 0
	s.Script = append(s.Script, Action{At: 2400 * event.Millisecond, Do: Slow, Vertex: 2, Subtask: 0, Cost: 5 * event.Second})
	s.Script[0], s.Script[1] = s.Script[1], s.Script[0]
	s.Options.Restart, s.Options.RestartAttempts, s.Options.Tolerable = option.RestartFixedDelay, 10, 100
	l, seen := ends(t, s, event.CheckpointFailed, event.TaskFailed)
	if len(seen) < 2 || event.Reason(seen[0].A) != event.CheckpointExpired || seen[1].Kind != event.TaskFailed || l.job.finished || l.job.restarts == 0 {
		t.Errorf("%v, finished is %v, %d restarts", seen, l.job.finished, l.job.restarts)
	}
}

// A job whose data has ended as it is stopped takes its last checkpoint behind the savepoint, if a task comes to its end only then
// (SchedulerBase.notifyEndOfData). Nothing is left for that one to commit: the end of the data is ahead of the savepoint's barrier everywhere,
// and an operator that waits for its answers reads no barrier.
func TestACheckpointBehindTheSavepointThatAJobStopsWith(t *testing.T) {
	s := bounded(t, 100)
	s.Vertices[1].Async = Async{Capacity: 10, Latency: 300 * event.Millisecond}
	s.Options.Retention = option.RetainOnCancel
	s.Script = []Action{{At: 150 * event.Millisecond, Do: RestoreJob, Vertex: -1, Subtask: -1, FromSavepoint: true}}
	l, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	audit, completed := NewAuditor(l), 0
	l.Listen(func(e event.Event) {
		if e.Kind == event.CheckpointCompleted {
			completed++
		}
	})
	for l.Now() < s.Duration {
		l.Advance(l.Now()+event.Millisecond, 0)
		if err := audit.Check(); err != nil {
			t.Fatalf("at %d ns: %v", l.Now(), err)
		}
	}
	if n := shownBySinks(l); n != 200 || completed < 2 {
		t.Errorf("the sinks show %d records of 200, %d checkpoints were completed", n, completed)
	}
}
