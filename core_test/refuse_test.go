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
