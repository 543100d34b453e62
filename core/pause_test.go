package core

import (
	"testing"

	"checkpointlab/core/event"
)

// paused is busyHour in which a process stands still from 100.5 s on.
func paused(t *testing.T, a Action) Setup {
	s := busyHour(t, "50 s")
	s.Options.HeartbeatFailures = 2
	a.At, a.Do, a.Subtask = 100*event.Second+500*event.Millisecond, Pause, 2
	s.Script = []Action{a}
	return s
}

// A task manager that stands still for less than heartbeat.timeout only makes others wait: nothing fails, the checkpoint under way
// is late by it, and no record is lost or read again.
func TestPauseBelowTheHeartbeatTimeout(t *testing.T) {
	s := paused(t, Action{For: 45 * event.Second})
	l, seen := ends(t, s, event.TaskFailed, event.ProcessStalled, event.ProcessResumed)
	if len(seen) != 2 || seen[1].Kind != event.ProcessResumed || seen[1].At-seen[0].At != 45*event.Second {
		t.Fatalf("it is told %v", seen)
	}
	longest := event.Time(0)
	for i := range l.History().Checkpoints {
		longest = max(longest, l.History().Checkpoints[i].Duration())
	}
	if longest < 30*event.Second || longest > 46*event.Second { // it is triggered up to 10 s behind the pause's beginning
		t.Errorf("the longest checkpoint took %d ns", longest)
	}
	var v View
	l.View(&v)
	for i := range v.Vertices[0].Tasks {
		if x := &v.Vertices[0].Tasks[i].Log; x.Arrived-x.Read > 100 {
			t.Errorf("source %d is %d records behind at the end", i, x.Arrived-x.Read)
		}
	}
}

// Beyond heartbeat.timeout the JobManager takes it for lost, 50 s after the last heartbeat, and the job restarts when the process
// registers again, or when another one does.
func TestPauseBeyondTheHeartbeatTimeout(t *testing.T) {
	s := paused(t, Action{For: 70 * event.Second})
	s.Duration = 200 * event.Second
	_, seen := ends(t, s, event.TaskFailed, event.TaskRestored)
	if len(seen) != 11 || seen[0].At != 150*event.Second {
		t.Fatalf("failed and restored %v", seen)
	}
	if at := s.Script[0].At + 70*event.Second; seen[1].At != at {
		t.Errorf("restored at %d ns, and the slots are there at %d", seen[1].At, at)
	}
	s.Script[0].Back = 55 * event.Second
	if _, seen = ends(t, s, event.TaskRestored); seen[0].At != s.Script[0].At+55*event.Second {
		t.Errorf("with another process restored at %d ns", seen[0].At)
	}
	s.Script[0].Back = event.Second // there before the loss is noticed
	if _, seen = ends(t, s, event.TaskRestored); seen[0].At != 151*event.Second {
		t.Errorf("with a free slot restored at %d ns, behind a delay of 1 s", seen[0].At)
	}
}

// A hang of every subtask leaves the heartbeats: nobody is lost, however long it is.
func TestHangIsNoPause(t *testing.T) {
	s := paused(t, Action{})
	s.Script = []Action{{At: 100 * event.Second, Do: Hang, Vertex: 0, Subtask: 2, For: 70 * event.Second}, {At: 100 * event.Second, Do: Hang, Vertex: 1, Subtask: 2, For: 70 * event.Second}}
	if _, seen := ends(t, s, event.TaskFailed); len(seen) != 0 {
		t.Errorf("failures are %v", seen)
	}
}

// While the JobManager stands still nothing is triggered or completed, and the tasks go on; beyond heartbeat.timeout the task
// managers give their tasks up, and the job restarts when it goes on.
func TestPauseOfTheJobManager(t *testing.T) {
	s := paused(t, Action{Master: true, For: 45 * event.Second})
	from, to := s.Script[0].At, s.Script[0].At+45*event.Second
	_, seen := ends(t, s, event.TaskFailed, event.CheckpointTriggered, event.CheckpointCompleted, event.TaskAcknowledged)
	for _, e := range seen {
		if e.Kind == event.TaskFailed || e.At > from && e.At < to {
			t.Fatalf("while it stands still %v", e)
		}
	}
	s.Script[0].For = 70 * event.Second
	s.Duration = 200 * event.Second
	_, seen = ends(t, s, event.TaskFailed, event.TaskRestored)
	if at := s.Script[0].At + 70*event.Second; len(seen) != 11 || seen[0].At != at || seen[1].At != at+event.Second {
		t.Errorf("failed and restored %v", seen)
	}
}

// What a paused process has in work goes on where it was: a record of 10 s, of which 4 s are done, ends 6 s behind the pause.
func TestPauseInTheMiddleOfARecord(t *testing.T) {
	s := paused(t, Action{Vertex: 1, For: 20 * event.Second})
	s.Vertices[0].RateNum, s.Vertices[0].RatePer, s.Vertices[0].Until, s.Vertices[1].Cost = 1, 96*event.Second+400*event.Millisecond, 97*event.Second, 10*event.Second
	s.Vertices[0].Parallelism, s.Vertices[1].Parallelism, s.Script[0].Subtask = 1, 1, 0
	s.Control, s.Cluster = Control{}, Cluster{}
	s.Vertices[0].Cost = 100 * event.Millisecond
	s.Options.BufferTimeout, s.Options.Interval = 0, 0
	l, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	written := func(at event.Time) int64 {
		l.Advance(at, 0)
		var v View
		l.View(&v)
		return v.Vertices[1].Tasks[0].Output.Written
	}
	if end := 126*event.Second + 500*event.Millisecond; written(end-1) != 1 || written(end) != 2 {
		t.Errorf("at its end it has written %d, the first record included", written(end))
	}
}
