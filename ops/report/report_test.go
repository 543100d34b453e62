package report

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/metric"
)

const ms = event.Millisecond

// sample is a run of 10 s: one source, two sinks, a completed, a failed and a running checkpoint, one failure.
func sample() (*core.Setup, *core.History, *core.View) {
	s := &core.Setup{Seed: 7, Vertices: []core.Vertex{{Name: "source", Kind: core.Source, Parallelism: 1}, {Name: "sink", Kind: core.Sink, Parallelism: 2}}}
	s.Options.Version = "2.3"
	phases := []core.TaskPhases{
		{Acked: 1005 * ms, StartDelay: ms, Alignment: 0, Offset: 1000},
		{Acked: 1500 * ms, StartDelay: 2 * ms, Alignment: 30 * ms, Sync: 4 * ms, Async: 400 * ms, Persisted: 100, Size: 10, Stored: 7},
		{Acked: -1, StartDelay: -1, Alignment: -1, Sync: -1, Async: -1},
	}
	h := &core.History{
		Checkpoints: []core.CheckpointRecord{
			{ID: 1, Triggered: 1000 * ms, Ended: 1500 * ms, Outcome: core.Completed, Tasks: phases},
			{ID: 2, Triggered: 2000 * ms, Ended: 2250 * ms, Outcome: core.FailedCheckpoint, Reason: event.CheckpointExpired, Tasks: phases},
			{ID: 3, Triggered: 3000 * ms},
		},
		Failures: []core.FailureRecord{{At: 4000 * ms, RunningAt: 5015 * ms, RestoredTo: 1, Reread: 3000, Duplicates: 20}},
	}
	h.Visible.Add(1500*ms, 1500*ms*metric.Unit, -ms*metric.Unit, 1000) // 1500, 1499, … 501 ms
	h.Pipeline.Add(1600*ms, 100*ms*metric.Unit, 0, 2000)
	v := &core.View{At: 10 * event.Second, Vertices: []core.VertexView{{Name: "source", Tasks: []core.TaskView{{Metrics: core.TaskMetrics{BusyTimeMsPerSecond: 321}}}}}}
	return s, h, v
}

func TestReportOfARun(t *testing.T) {
	r := Of(sampleHash())
	check := func(name string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("%s is %v, expected %v", name, got, want)
		}
	}
	check("throughput", r.Throughput, 200)
	check("visible", r.Shown, 100)
	check("visibility mean", r.Visibility.Mean, 1000.5)
	check("visibility p50", r.Visibility.P50, 1001)
	check("visibility min", r.Visibility.Min, 501)
	check("visibility max", r.Visibility.Max, 1500)
	check("reprocessed", float64(r.Reprocessed), 3000)
	check("downtime", r.Failures[0].Downtime, 1015)
	c := r.Checkpoints
	if c.Restored != 1 || c.Total != 3 || c.Completed != 1 || c.Failed != 1 || c.InProgress != 1 {
		t.Errorf("counts %+v", c)
	}
	check("duration mean", c.Duration.Mean, 500)
	check("duration of the running one", c.History[2].Duration, -1)
	sub := c.History[0].Subtasks
	if sub[1].Vertex != "sink" || sub[1].Index != 0 || sub[2].Index != 1 {
		t.Errorf("subtasks %+v", sub)
	}
	check("ack", sub[1].Duration, 500)
	check("missing ack", sub[2].Duration, -1)
	check("unknown alignment", sub[2].Alignment, -1)
	if c.History[1].Reason != "CHECKPOINT_EXPIRED" {
		t.Errorf("reason %q", c.History[1].Reason)
	}
	check("busy", float64(r.TaskMetrics[0].Metrics["busyTimeMsPerSecond"].(int64)), 321)
	check("checkpointed size", float64(r.JobMetrics["lastCheckpointSize"]), 7)
	check("full size", float64(r.JobMetrics["lastCheckpointFullSize"]), 10)
}

// The gauges of the last checkpoint are of whatever completed last, savepoints too, and -1 before (CheckpointStatsTracker).
func TestGaugesOfTheLastCheckpoint(t *testing.T) {
	s, h, v := sample()
	last := core.CheckpointRecord{ID: 90, Savepoint: true, Triggered: event.Second, Ended: 9 * event.Second, Outcome: core.Completed, Tasks: []core.TaskPhases{{Size: 5, Stored: 4}}}
	h.Checkpoints = []core.CheckpointRecord{last, {ID: 91, Triggered: 2 * event.Second, Ended: 3 * event.Second, Outcome: core.Completed}, {ID: 92, Ended: 10 * event.Second, Outcome: core.FailedCheckpoint}}
	m := Of(s, h, v, 0).JobMetrics
	for name, want := range map[string]int64{"lastCheckpointDuration": 8000, "lastCompletedCheckpointId": 90, "lastCheckpointSize": 4, "lastCheckpointFullSize": 5} {
		if m[name] != want {
			t.Errorf("%s is %d, not %d", name, m[name], want)
		}
		if got := Of(s, &core.History{}, v, 0).JobMetrics[name]; got != -1 {
			t.Errorf("%s is %d before a checkpoint", name, got)
		}
	}
}

func sampleHash() (*core.Setup, *core.History, *core.View, uint64) {
	s, h, v := sample()
	return s, h, v, 0xabc
}

// An empty run has no NaN and no null list in its JSON: readers need not guard.
func TestEmptyReportIsPlainJSON(t *testing.T) {
	r := Of(&core.Setup{}, &core.History{}, &core.View{}, 0)
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(b), "null") {
		t.Errorf("%s", b)
	}
}

func TestTextTellsTheSame(t *testing.T) {
	r := Of(sampleHash())
	r.Scenario, r.Notes = "sample", []string{"an option was ignored"}
	var b strings.Builder
	if err := r.Text(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"200.0 records/s", "1 completed, 1 failed, 1 in progress", "CHECKPOINT_EXPIRED", "1000.5", "note: an option was ignored", "1015.0 ms", "0000000000000abc"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, b.String())
		}
	}
}
