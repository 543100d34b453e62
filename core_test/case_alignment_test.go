package core_test

import (
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// alignedSources is the job of case C56: a source of 30 records a second and one of 1 a second that ends after a minute, in
// one alignment group with a drift of 5 ms, updated every 5 s.
func alignedSources(t *testing.T, version string) core.Setup {
	t.Helper()
	s := pipeline(t, 1, 30, -1)
	var err error
	if s.Options, _, err = option.Resolve(version, []option.Pair{{Key: interval, Value: "5 s"}}); err != nil {
		t.Fatal(err)
	}
	align := core.Alignment{Group: "g", Drift: 5 * event.Millisecond, Update: 5 * event.Second}
	s.Vertices[0].Watermarks = core.Watermarks{On: true, Align: align}
	slow := s.Vertices[0]
	slow.Name, slow.RateNum, slow.EndsAt = "slow", 1, 60*event.Second
	s.Vertices = append(s.Vertices, slow)
	s.Edges = append(s.Edges, core.Edge{From: 3, To: 1, Partition: core.Hash})
	s.Duration = 150 * event.Second
	return s
}

// sourceAt is the fast source's view at an instant, and the records that it has read.
func sourceAt(lab *core.Lab, at event.Time) *core.TaskView {
	lab.Advance(at, 0)
	var v core.View
	lab.View(&v)
	return &v.Vertices[0].Tasks[0]
}

// A member that has finished holds the group where it was forever: the other one reads nothing, is idle and not
// back-pressured, and checkpoints go on. That is 1.18; later a finished source says the end of time (FLINK-35157).
func TestFinishedMemberHoldsItsGroup(t *testing.T) {
	lab, err := core.New(alignedSources(t, "1.18"))
	if err != nil {
		t.Fatal(err)
	}
	before := *sourceAt(lab, 80*event.Second)
	after := sourceAt(lab, 149*event.Second)
	if got := after.Log.Read - before.Log.Read; got != 0 {
		t.Errorf("it read %d records after the other one had finished", got)
	}
	m := &after.Metrics
	if after.State != core.Paused || m.IdleTimeMsPerSecond < 990 || m.BackPressuredTimeMsPerSecond > 5 {
		t.Errorf("state %d, idle %d and back-pressured %d ms a second; expected paused, idle, not back-pressured", after.State, m.IdleTimeMsPerSecond, m.BackPressuredTimeMsPerSecond)
	}
	if lag := after.Log.Arrived - after.Log.Read; lag < 30*60 {
		t.Errorf("only %d records wait in its log: that is no idle input", lag)
	}
	late := 0
	for _, c := range lab.History().Checkpoints {
		if c.Outcome == core.Completed && c.Triggered > 100*event.Second {
			late++
			if d := c.Ended - c.Triggered; d > 50*event.Millisecond {
				t.Errorf("checkpoint %d takes %d ms", c.ID, d/event.Millisecond)
			}
		}
	}
	if late < 8 {
		t.Errorf("%d checkpoints completed while the source was paused", late)
	}
}

// With the fix the other one goes on by itself. With a drift shorter than an update it still stops repeatedly, for it is
// told its own last report and the drift. The finished one says so at its end, and need not stay for a last checkpoint.
func TestFinishedMemberLetsItsGroupGo(t *testing.T) {
	for _, stays := range []bool{true, false} {
		s := alignedSources(t, "2.3")
		s.Options.AfterTasksFinish = stays
		lab, err := core.New(s)
		if err != nil {
			t.Fatal(err)
		}
		before := *sourceAt(lab, 80*event.Second)
		after := sourceAt(lab, 149*event.Second)
		if got := after.Log.Read - before.Log.Read; got < 30*58 {
			t.Errorf("it read %d records in 69 s after the other one had finished, expected its 30 a second but for one or two updates", got)
		}
		if lag := after.Log.Arrived - after.Log.Read; lag > 30*11 {
			t.Errorf("%d records wait in its log, expected those of two updates at most", lag)
		}
	}
}

// A source that is ahead goes as far as the drift, and on until its next watermark finds that out.
func TestAlignmentKeepsTheDrift(t *testing.T) {
	s := pipeline(t, 1, 1000, -1, "pipeline.auto-watermark-interval", "50 ms")
	align := core.Alignment{Group: "g", Drift: 2 * event.Second, Update: 200 * event.Millisecond}
	s.Vertices[0].Watermarks, s.Vertices[0].Cost = core.Watermarks{On: true, Align: align}, 400*event.Microsecond
	s.Duration = 40 * event.Second
	old := s.Vertices[0]
	old.Name, old.Watermarks.Behind = "old", 10*event.Second // its records are 10 s older
	s.Vertices = append(s.Vertices, old)
	s.Edges = append(s.Edges, core.Edge{From: 3, To: 1, Partition: core.Hash})
	lab, err := core.New(s)
	if err != nil {
		t.Fatal(err)
	}
	lab.Advance(s.Duration, 0)
	var v core.View
	lab.View(&v)
	fast, slow := v.Vertices[0].Tasks[0].Metrics.CurrentOutputWatermark, v.Vertices[3].Tasks[0].Metrics.CurrentOutputWatermark
	if ahead := fast - slow; ahead < 1300 || ahead > 3000 {
		t.Errorf("it is %d ms ahead of its group, expected about the drift of 2000 ms", ahead)
	}
}
