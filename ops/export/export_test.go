package export_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"checkpointlab/core"
	"checkpointlab/ops/export"
	"checkpointlab/scenarios"
)

// ran is what is recorded of a whole run, with the subtasks' names.
func ran(t *testing.T) (*core.History, []string) {
	t.Helper()
	s, err := scenarios.Load("backpressure")
	if err != nil {
		t.Fatal(err)
	}
	lab, err := core.New(s.Setup)
	if err != nil {
		t.Fatal(err)
	}
	lab.Advance(s.Setup.Duration, 0)
	return lab.History(), []string{"source 0", "source 1", "map 0", "map 1", "sink 0", "sink 1"}
}

func TestEverySeriesIsATableOfItsColumns(t *testing.T) {
	h, tasks := ran(t)
	for _, name := range export.Names() {
		s := export.Of(name, h, tasks)
		if len(s.Rows) == 0 {
			t.Errorf("%s is empty", name)
		}
		var text, object bytes.Buffer
		if err := s.CSV(&text); err != nil {
			t.Fatal(err)
		}
		lines, err := csv.NewReader(&text).ReadAll()
		if err != nil || len(lines) != len(s.Rows)+1 || strings.Join(lines[0], " ") != strings.Join(s.Columns, " ") {
			t.Errorf("%s: %d lines of %d rows, %v", name, len(lines), len(s.Rows), err)
		}
		if err := s.JSON(&object); err != nil {
			t.Fatal(err)
		}
		var again export.Series
		if err := json.Unmarshal(object.Bytes(), &again); err != nil || len(again.Rows) != len(s.Rows) || again.Name != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	sub := export.Of(export.Subtasks, h, tasks)
	rows := 0
	for i := range h.Checkpoints { // a trigger that was refused has none
		rows += len(h.Checkpoints[i].Tasks)
	}
	if rows < 6*len(tasks) || len(sub.Rows) != rows || sub.Rows[5][1] != "sink 1" {
		t.Errorf("%d lines of subtasks, the sixth is %v", len(sub.Rows), sub.Rows[5])
	}
}

func TestTheTraceHasALinePerSubtaskAndArrowsForBarriers(t *testing.T) {
	h, tasks := ran(t)
	var out bytes.Buffer
	if err := export.Trace(&out, h, tasks); err != nil {
		t.Fatal(err)
	}
	var read struct {
		TraceEvents []struct {
			Name, Ph string
			Ts, Dur  float64
			Tid      int
		}
	}
	if err := json.Unmarshal(out.Bytes(), &read); err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, e := range read.TraceEvents {
		count[e.Ph]++
		if e.Dur < 0 || e.Ts < 0 || e.Tid > len(tasks) {
			t.Fatalf("%+v", e)
		}
	}
	if count["M"] != len(tasks)+1 || count["s"] != len(h.Passages) || count["f"] != count["s"] || count["s"] == 0 {
		t.Errorf("%v lines", count)
	}
}

// Every barrier of a completed checkpoint passed every channel, after it was sent.
func TestEveryBarrierPassesEveryChannel(t *testing.T) {
	h, _ := ran(t)
	passed := map[int64]int{}
	for _, p := range h.Passages {
		passed[p.Checkpoint]++
		if p.Received < p.Sent {
			t.Fatalf("%+v", p)
		}
	}
	for i := range h.Checkpoints {
		if c := &h.Checkpoints[i]; c.Outcome == core.Completed && passed[c.ID] != 8 {
			t.Errorf("checkpoint %d passed %d of 8 channels", c.ID, passed[c.ID])
		}
	}
}
