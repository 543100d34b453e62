package core

import (
	"testing"

	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// besides is a job of so many pipelines side by side, each of them a region, that restart a second after a failure.
func besides(t *testing.T, regions int) Setup {
	t.Helper()
	s := bounded(t, 0)
	for v := range s.Vertices {
		s.Vertices[v].Parallelism = regions
	}
	for e := range s.Edges {
		s.Edges[e].Partition = Forward
	}
	s.Options.Restart, s.Options.RestartAttempts, s.Options.RestartDelay = option.RestartFixedDelay, 10, event.Second
	s.Duration = 8 * event.Second
	return s
}

// Regions that fail one after the other come back one after the other, each behind its own delay (DefaultScheduler.restartTasksWithDelay);
// checkpoints go on when all tasks run.
func TestRegionsRestartByThemselves(t *testing.T) {
	const first, second = 2 * event.Second, 2500 * event.Millisecond
	s := besides(t, 3)
	s.Script = []Action{{At: first, Do: Kill, Vertex: 0, Subtask: 0}, {At: second, Do: Kill, Vertex: 2, Subtask: 1}}
	l, seen := ends(t, s, event.TaskRunning, event.CheckpointTriggered)
	began := event.Time(0)
	for _, e := range seen {
		switch want := first + event.Second; {
		case e.Kind == event.CheckpointTriggered && e.At > first && began == 0:
			began = e.At
		case e.Kind == event.TaskRunning && e.At > first:
			if l.world.Tasks[e.Task].Index == 1 {
				want = second + event.Second
			}
			if e.At != want || l.world.Tasks[e.Task].Index > 1 {
				t.Errorf("task %d runs at %d, want %d", e.Task, e.At, want)
			}
		}
	}
	if began != second+2*event.Second { // AtInterval
		t.Errorf("the first checkpoint behind it begins at %d", began)
	}
	f := l.History().Failures
	if len(f) != 2 || f[0].RunningAt != first+event.Second || f[1].RunningAt != second+event.Second || f[0].Reread == 0 || f[1].Reread == 0 {
		t.Errorf("the failures are %+v", f)
	}
}

// One that fails again while it waits comes back behind the later delay, and its neighbours with which it had failed do not wait for it
// (ExecutionVertexVersioner).
func TestARegionThatFailsAgainLeavesTheOthers(t *testing.T) {
	s := besides(t, 2)
	s.Script = []Action{{At: 2 * event.Second, Do: Kill, Vertex: 0, Subtask: 0}, {At: 2100 * event.Millisecond, Do: Kill, Vertex: 0, Subtask: 1}}
	l, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	l.Advance(2200*event.Millisecond, 0)
	l.fail(l.now, l.regionOf(0), 0, event.TaskKilled) // a failure of what is about to start anew
	var v View
	if l.View(&v); v.Coord.RestartingTill != 3100*event.Millisecond {
		t.Errorf("the next back-off ends at %d", v.Coord.RestartingTill)
	}
	l.Advance(3150*event.Millisecond, 0)
	if l.View(&v); v.Vertices[0].Tasks[1].State != Running || v.Vertices[0].Tasks[0].State != Failed || v.Coord.RestartingTill != 3200*event.Millisecond {
		t.Errorf("behind the first delay: %v, %v, the next one ends at %d", v.Vertices[0].Tasks[1].State, v.Vertices[0].Tasks[0].State, v.Coord.RestartingTill)
	}
	l.Advance(3250*event.Millisecond, 0)
	if l.View(&v); v.Vertices[0].Tasks[0].State != Running || v.Coord.RestartingTill != 0 {
		t.Errorf("behind the second: %v, %d", v.Vertices[0].Tasks[0].State, v.Coord.RestartingTill)
	}
}

// With no restart left the whole job fails, not the region alone (DefaultScheduler.failJob).
func TestAFailedJobStopsAllRegions(t *testing.T) {
	s := besides(t, 3)
	s.Options.Restart = option.RestartNone
	s.Script = []Action{{At: 2 * event.Second, Do: Kill, Vertex: 0, Subtask: 0}}
	l, _ := ends(t, s)
	for i := range l.world.Tasks {
		if l.world.Tasks[i].Alive {
			t.Errorf("task %d runs on", i)
		}
	}
}
