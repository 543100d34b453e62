package core_test

import (
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
)

// refused is a job whose commits are refused from 10 s on for a while, each attempt after a second.
func refused(t *testing.T, span event.Time, retries string) *core.Lab {
	t.Helper()
	s := pipeline(t, 1, 500, -1, interval, "2 s", "sink.committer.retries", retries)
	s.Duration = 40 * event.Second
	s.Script = []core.Action{{At: 9 * event.Second, Do: core.RefuseCommits, Vertex: 2, Subtask: -1, For: span, Cost: event.Second}}
	return runTo(t, s, s.Duration)
}

// sinkOf is the only sink at the end of a run.
func sinkOf(lab *core.Lab) core.OutputView {
	var v core.View
	lab.View(&v)
	return v.Vertices[2].Tasks[0].Output
}

// While retries are left a refusal is only late: the thread is held, nothing fails, and all becomes visible (spec 6.1, retries).
func TestRefusedCommitsAreTriedAgain(t *testing.T) {
	lab := refused(t, 5*event.Second, "10")
	if n := len(lab.History().Failures); n != 0 {
		t.Errorf("%d failures", n)
	}
	out := sinkOf(lab)
	if out.Visible < 500*35 || out.Lost != 0 || out.Duplicates != 0 {
		t.Errorf("%d visible, %d lost, %d twice", out.Visible, out.Lost, out.Duplicates)
	}
}

// When none is left the task fails; it goes on from the completed checkpoint and begins with its commit, which is refused again until
// the outside system is back. Then every record is visible once.
func TestRefusedCommitsFailTheTask(t *testing.T) {
	lab := refused(t, 12*event.Second, "2")
	if n := len(lab.History().Failures); n < 2 {
		t.Errorf("%d failures, with commits refused for 12 s and 3 attempts of a second each", n)
	}
	out := sinkOf(lab)
	if out.Visible < 500*30 || out.Lost != 0 || out.Duplicates != 0 {
		t.Errorf("%d visible, %d lost, %d twice", out.Visible, out.Lost, out.Duplicates)
	}
	for i, commits := 1, lab.History().Commits; i < len(commits); i++ {
		if commits[i].At < commits[i-1].At {
			t.Error("commits go back in time")
		}
	}
}

// In 1.18 a refused commit is left to a timer of a second: the sink reads on between two attempts, also when they are refused for longer
// than any number of retries would last, nothing fails, and all becomes visible (CommitterOperator.retryWithDelay).
func TestCommitsOf118AreTriedAgainByATimer(t *testing.T) {
	s := pipeline(t, 1, 500, -1, interval, "2 s", "sink.committer.retries", "0")
	s.Options.Version, s.Options.BuffersPerChannel, s.Options.MaxOverdraft = "1.18", 2, 5
	s.Duration = 40 * event.Second
	s.Script = []core.Action{{At: 9 * event.Second, Do: core.RefuseCommits, Vertex: 2, Subtask: -1, For: 11 * event.Second, Cost: 50 * event.Millisecond}}
	events, lab := listened(t, s)
	if n := len(lab.History().Failures); n != 0 {
		t.Errorf("%d failures", n)
	}
	var commits []event.Time
	for _, e := range events {
		if e.Kind == event.Committed && e.N > 0 {
			commits = append(commits, e.At)
		}
		if e.Kind == event.Committed && e.N > 0 && e.At > 9*event.Second && e.At < 20*event.Second {
			t.Errorf("%d records are visible at %d ns, while commits are refused", e.N, e.At)
		}
	}
	back := 0
	for back < len(commits) && commits[back] < 20*event.Second {
		back++
	}
	if back == len(commits) || commits[back] > 21*event.Second+100*event.Millisecond {
		t.Errorf("commits at %v", commits)
	}
	if out := sinkOf(lab); out.Visible < 500*37 || out.Lost != 0 || out.Duplicates != 0 {
		t.Errorf("%d visible, %d lost, %d twice", out.Visible, out.Lost, out.Duplicates)
	}
	for _, e := range events {
		if e.Kind == event.CheckpointCompleted && e.At > 12*event.Second && e.At < 18*event.Second {
			return
		}
	}
	t.Error("no checkpoint is complete while commits are refused: the sink does not read on")
}

// Refused at once and with no time to start in, the failure would fall into the instant at which the back-off ended, and be merged
// into the one before it, forever.
func TestCommitsRefusedAtOnceDoNotStopTheClock(t *testing.T) {
	s := pipeline(t, 1, 500, -1, interval, "2 s", "sink.committer.retries", "0", "restart-strategy.type", "exponential-delay",
		"restart-strategy.exponential-delay.initial-backoff", "100 ms", "restart-strategy.exponential-delay.max-backoff", "1 s")
	s.Duration, s.Control = 20*event.Second, core.Control{}
	s.Script = []core.Action{{At: 5 * event.Second, Do: core.RefuseCommits, Vertex: 2, Subtask: -1, For: 5 * event.Second}}
	lab, err := core.New(s)
	if err != nil {
		t.Fatal(err)
	}
	for lab.Now() < s.Duration {
		before := lab.Now()
		if lab.Advance(s.Duration, 100_000); lab.Now() == before {
			t.Fatalf("100,000 items at %d ns", before)
		}
	}
	if n := len(lab.History().Failures); n < 5 || n > 60 {
		t.Errorf("%d failures in 5 s, 100 ms and more apart", n)
	}
	if out := sinkOf(lab); out.Lost != 0 || out.Duplicates != 0 || out.Visible < 500*15 {
		t.Errorf("%d visible, %d lost, %d twice", out.Visible, out.Lost, out.Duplicates)
	}
}
