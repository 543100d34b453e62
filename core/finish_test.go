package core

import (
	"testing"

	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/core/state/keyed"
)

// bounded is a source of that many records a partition, a map and an EXACTLY_ONCE sink, two subtasks each.
func bounded(t *testing.T, records int64, pairs ...option.Pair) Setup {
	t.Helper()
	pairs = append([]option.Pair{{Key: "execution.checkpointing.interval", Value: "1 s"}}, pairs...)
	o, _, err := option.Resolve("2.3", pairs)
	if err != nil {
		t.Fatal(err)
	}
	return Setup{
		Vertices: []Vertex{
			{Name: "source", Kind: Source, Parallelism: 2, Cost: -1, RateNum: 1000, RatePer: event.Second, Payload: 100, EndsAfter: records},
			{Name: "map", Parallelism: 2, Cost: -1},
			{Name: "sink", Kind: Sink, Parallelism: 2, Cost: -1},
		},
		Edges:   []Edge{{From: 0, To: 1, Partition: Hash}, {From: 1, To: 2, Partition: Hash}},
		Options: o, Duration: 20 * event.Second, Seed: 1, FirstTrigger: AtInterval,
	}
}

// ends lists the events of some kinds.
func ends(t *testing.T, s Setup, kinds ...event.Kind) (l *Lab, seen []event.Event) {
	t.Helper()
	l, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	l.Listen(func(e event.Event) {
		for _, k := range kinds {
			if e.Kind == k {
				seen = append(seen, e)
			}
		}
	})
	l.Advance(s.Duration, 0)
	return l, seen
}

func shownBySinks(l *Lab) (n int64) {
	for i := range l.world.Writers {
		n += l.world.Writers[i].Visible
	}
	return n
}

// FLIP-147: the end of all data asks for the final checkpoint at once (SchedulerBase.notifyEndOfData), and only when it is
// complete, and the last records committed, the tasks finish, the sources first.
func TestJobEndsWithTheFinalCheckpoint(t *testing.T) {
	l, seen := ends(t, bounded(t, 2500), event.TaskEnded, event.CheckpointTriggered, event.CheckpointCompleted, event.Committed, event.TaskFinished, event.JobFinished)
	var order []event.Kind
	var at []event.Time
	for _, e := range seen {
		if len(order) == 0 || order[len(order)-1] != e.Kind {
			order, at = append(order, e.Kind), append(at, e.At)
		}
	}
	want := []event.Kind{
		event.CheckpointTriggered, event.CheckpointCompleted, event.Committed, // at 1 s
		event.CheckpointTriggered, event.CheckpointCompleted, event.Committed, // at 2 s
		event.TaskEnded, event.CheckpointTriggered, event.CheckpointCompleted, // at 2.5 s and not at 3 s
	}
	for i, k := range want {
		if i >= len(order) || order[i] != k {
			t.Fatalf("kinds in order are %v", order)
		}
	}
	if final := at[7]; final < 2499*event.Millisecond || final > 2800*event.Millisecond {
		t.Errorf("the final checkpoint was triggered at %d ns", final)
	}
	if last := seen[len(seen)-1]; last.Kind != event.JobFinished {
		t.Errorf("the last event is %v", last)
	}
	if n := shownBySinks(l); n != 5000 {
		t.Errorf("%d of 5000 records are visible", n)
	}
	var v View
	l.View(&v)
	if !v.Coord.JobFinished || v.Vertices[2].Tasks[1].State != Finished || v.Coord.NextTrigger != event.Never || v.Budget.Age != 0 {
		t.Errorf("the view says %+v", v.Coord)
	}
}

// A source that ends long before another one finishes by itself; later checkpoints ask and wait for the others only.
func TestCheckpointsGoOnWithoutFinishedTasks(t *testing.T) {
	s := bounded(t, 1500)
	s.Vertices = append(s.Vertices, Vertex{Name: "other", Kind: Source, Parallelism: 1, Cost: -1, RateNum: 100, RatePer: event.Second, Payload: 10})
	s.Edges = append(s.Edges, Edge{From: 3, To: 1, Partition: Hash})
	l, seen := ends(t, s, event.TaskFinished, event.CheckpointCompleted, event.CheckpointFailed)
	finished, after := 0, 0
	for _, e := range seen {
		switch {
		case e.Kind == event.TaskFinished:
			if finished++; e.Task > 1 {
				t.Errorf("task %d finished", e.Task)
			}
		case e.Kind == event.CheckpointFailed:
			t.Errorf("checkpoint %d failed", e.Checkpoint)
		case finished == 2:
			after++
		}
	}
	if finished != 2 || after < 15 {
		t.Errorf("%d tasks finished, %d checkpoints completed after that", finished, after)
	}
	if l.job.finished || l.job.left != 5 {
		t.Errorf("%d tasks are left", l.job.left)
	}
	if asked := l.toTrigger(); len(asked) != 1 || asked[0] != l.plan.first[3] {
		t.Errorf("tasks %v are asked, not only the source that runs", asked)
	}
}

// Without an interval nobody takes checkpoints, a final one neither.
func TestNoFinalCheckpointWithoutAnInterval(t *testing.T) {
	s := bounded(t, 1500)
	s.Options.Interval = 0
	l, seen := ends(t, s, event.CheckpointTriggered, event.CheckpointFailed)
	if !l.job.finished || len(seen) > 0 {
		t.Errorf("finished is %v, with %v", l.job.finished, seen)
	}
}

// Without checkpoints after tasks finish a task goes at once, what the last transactions hold is never committed, and
// checkpoints fail from then on for want of running tasks.
func TestNoCheckpointsAfterTasksFinish(t *testing.T) {
	s := bounded(t, 1500, option.Pair{Key: "execution.checkpointing.checkpoints-after-tasks-finish", Value: "false"})
	s.Vertices = append(s.Vertices, Vertex{Name: "other", Kind: Source, Parallelism: 1, Cost: -1, RateNum: 100, RatePer: event.Second, Payload: 10, EndsAt: 5 * event.Second})
	s.Edges = append(s.Edges, Edge{From: 3, To: 1, Partition: Hash})
	l, seen := ends(t, s, event.TaskFinished, event.CheckpointFailed, event.JobFinished)
	failed := 0
	for _, e := range seen {
		if e.Kind == event.CheckpointFailed && event.Reason(e.A) == event.NotAllRequiredTasksRunning {
			failed++
		}
	}
	if first := seen[0]; first.Kind != event.TaskFinished || first.At > 1600*event.Millisecond {
		t.Errorf("first of all %v", first)
	}
	if failed == 0 || !l.job.finished {
		t.Errorf("%d checkpoints failed, finished is %v", failed, l.job.finished)
	}
	if n := shownBySinks(l); n >= 3500 || l.allShown() {
		t.Errorf("%d of 3500 records are visible", n)
	}
}

// A job that fails behind its end, but before its final checkpoint is complete, comes to the same end.
func TestFailureBehindTheEnd(t *testing.T) {
	s := bounded(t, 2500)
	s.Vertices[2].Snapshot.Async = 300 * event.Millisecond
	s.Script = []Action{{At: 2750 * event.Millisecond, Do: Kill, Vertex: 1}}
	l, seen := ends(t, s, event.TaskEnded, event.TaskFailed, event.JobFinished)
	ended := 0
	for _, e := range seen {
		if e.Kind == event.TaskEnded {
			ended++
		}
	}
	if ended != 12 || !l.job.finished || shownBySinks(l) != 5000 {
		t.Errorf("%d ends of data, finished is %v, %d records are visible", ended, l.job.finished, shownBySinks(l))
	}
}

// Before 2.1 a committer whose input has ended commits all that it has with the next checkpoint that is complete, also what belongs to
// the final one, which is not (CommitterOperator of 1.18 and 1.20): if that one fails, it is written again.
func TestCommitsBehindTheEndOfTheInput(t *testing.T) {
	for _, version := range []string{"1.18", "1.20", "2.3"} {
		for _, killed := range []bool{false, true} {
			s := bounded(t, 2500)
			s.Options.Version, s.Vertices[2].Snapshot.Async = version, 700*event.Millisecond
			s.Options.Restart, s.Options.RestartAttempts, s.Options.RestartDelay = option.RestartFixedDelay, 10, 0
			if killed {
				s.Script = []Action{{At: 3 * event.Second, Do: Kill, Vertex: 0, Subtask: 0}}
			}
			l, err := New(s)
			if err != nil {
				t.Fatal(err)
			}
			l.Advance(2900*event.Millisecond, 0) // the checkpoint of 2 s is complete, the final one is not
			early := shownBySinks(l)
			if (early == 5000) != (version != "2.3") || early < 3900 {
				t.Errorf("%s: %d records are visible with the checkpoint before the final one", version, early)
			}
			l.Advance(s.Duration, 0)
			again := int64(0)
			for i := range l.world.Writers {
				again += l.world.Writers[i].Duplicates
			}
			if (again > 0) != (killed && version != "2.3") || !l.job.finished || shownBySinks(l)-again != 5000 {
				t.Errorf("%s, killed %v: %d of %d visible records are shown again, finished is %v", version, killed, again, shownBySinks(l), l.job.finished)
			}
		}
	}
}

// With union state a checkpoint cannot be completed while some subtasks of the vertex have ended and others have not, so that all of
// them end with the same one (DefaultCheckpointPlanTest.testAbortionIfPartiallyOperatorsFinishedVertexUsedUnionListState).
func TestSubtasksWithUnionStateEndWithOneCheckpoint(t *testing.T) {
	for _, kind := range []keyed.Kind{keyed.Operator, keyed.Union} {
		s := bounded(t, 2500)
		s.Vertices[0].State = []KeyedState{{Name: "offsets", Kind: kind, Keys: 10, ValueBytes: 100}}
		s.Script = []Action{{At: 2 * event.Second, Do: Hang, Vertex: 0, Subtask: 1, For: 1500 * event.Millisecond}}
		l, seen := ends(t, s, event.CheckpointFailed, event.JobFinished)
		failed := 0
		for _, e := range seen {
			if e.Kind == event.CheckpointFailed {
				if failed++; event.Reason(e.A) != event.CheckpointDeclinedTaskClosing {
					t.Errorf("kind %d: checkpoint %d failed with %v", kind, e.Checkpoint, event.Reason(e.A))
				}
			}
		}
		if (failed > 0) != (kind == keyed.Union) || !l.job.finished {
			t.Errorf("kind %d: %d checkpoints failed, the job finished: %t", kind, failed, l.job.finished)
		}
	}
}
