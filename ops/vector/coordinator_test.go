package vector

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// replay runs a file of testdata and fails for cases that fail. It returns the names that are not modelled yet.
func replay(t *testing.T, name string) (open []string) {
	t.Helper()
	results, err := Run(name, recorded(t, name))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		switch r.Status {
		case Fail:
			t.Errorf("%s: %s", r.Case, r.Diff)
		case NotModelled:
			t.Logf("%s: not modelled yet: %s", r.Case, r.Diff)
			open = append(open, r.Case)
		}
	}
	return open
}

func recorded(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestCoordinatorVectors(t *testing.T) {
	for _, name := range []string{"coordinator.json", "coordinator-more.json"} {
		if open := replay(t, name); len(open) > 0 {
			t.Errorf("not modelled yet: %v", open)
		}
	}
}

func TestLifecycleVectors(t *testing.T) {
	for _, name := range replay(t, "checkpoint-lifecycle.json") {
		if !strings.HasPrefix(name, "subpartition.") {
			t.Errorf("%s is the coordinator's and not modelled yet", name)
		}
	}
}

// TestEachCoordinatorExpectationMatters changes each value that a case expects, one at a time: none may pass then.
func TestEachCoordinatorExpectationMatters(t *testing.T) {
	for _, name := range []string{"coordinator.json", "coordinator-more.json", "checkpoint-lifecycle.json", "checkpoint-lifecycle-more.json"} {
		var f File
		if err := json.Unmarshal(recorded(t, name), &f); err != nil {
			t.Fatal(err)
		}
		for _, c := range f.Cases {
			if status, _ := runCase(c); status != Pass {
				continue
			}
			for i, e := range c.Events {
				if verb, args, err := Event(e); err == nil && verb == "check" {
					for _, changed := range changedLeaves(t, args[0]) {
						d := c
						d.Events = slices.Clone(c.Events)
						d.Events[i] = json.RawMessage(`["check", ` + changed + `]`)
						refuse(t, d, changed)
					}
				}
			}
			for _, changed := range changedLeaves(t, c.Expect) {
				d := c
				d.Expect = json.RawMessage(changed)
				refuse(t, d, changed)
			}
		}
	}
}

func refuse(t *testing.T, c Case, changed string) {
	t.Helper()
	if status, _ := runCase(c); status == Pass {
		t.Errorf("%s passes although it expects %s", c.Name, changed)
	}
}

// changedLeaves are all ways to change one leaf of a JSON value.
func changedLeaves(t *testing.T, raw json.RawMessage) []string {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	var all []string
	eachChange(v, func(changed any) {
		written, err := json.Marshal(changed)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(written))
	})
	return all
}

// eachChange calls put with each changed form of v.
func eachChange(v any, put func(any)) {
	switch v := v.(type) {
	case bool:
		put(!v)
	case float64:
		put(v + 1)
	case string:
		put(v + "x")
	case nil:
		put("x")
	case []any:
		for i, e := range v {
			eachChange(e, func(changed any) {
				list := slices.Clone(v)
				list[i] = changed
				put(list)
			})
		}
	case map[string]any:
		for key, e := range v {
			eachChange(e, func(changed any) {
				object := maps.Clone(v)
				object[key] = changed
				put(object)
			})
		}
	}
}

// coordinatorForms are forms that must not pass, one line each: why, case without braces, status.
var coordinatorForms = []struct {
	why, body string
	want      Status
}{
	{"unknown verb", `"given": {"tasks": ["t1"]}, "events": [["cancelTask", "t1"]], "expect": {"failed": {}}`, NotModelled},
	{"unknown check", `"given": {"tasks": ["t1"]}, "events": [["check", {"pending": 0, "colour": 1}]]`, NotModelled},
	{"unknown given", `"given": {"tasks": ["t1"], "colour": 1}, "events": [["check", {"pending": 0}]]`, NotModelled},
	{"unknown value of a given", `"given": {"scheduler": "paused"}, "events": [["check", {"pending": 0}]]`, NotModelled},
	{"unknown kind of request", `"given": {"tasks": ["t1"]}, "events": [["request", "monthly", 1], ["check", {"queued": 0}]]`, NotModelled},
	{"a task that is not there", `"given": {"tasks": ["t1"]}, "events": [["trigger", "A"], ["ack", "t9", "A"], ["check", {"pending": 1}]]`, NotModelled},
	{"a checkpoint that is not there", `"given": {"tasks": ["t1"]}, "events": [["ack", "t1", "A"], ["check", {"pending": 0}]]`, NotModelled},
	{"a flag before its event", `"given": {"tasks": ["t1"]}, "events": [["check", {"duplicateStateDiscarded": false}]]`, NotModelled},
	{"nothing asserted", `"given": {"tasks": ["t1"]}, "events": [["trigger", "A"]], "expect": {}`, NotModelled},
	{"an empty check", `"given": {"tasks": ["t1"]}, "events": [["check", {}]]`, NotModelled},
	{"it is pending", `"given": {"tasks": ["t1"]}, "events": [["trigger", "A"], ["check", {"pending": 0}]]`, Fail},
	{"nothing failed", `"given": {"tasks": ["t1"]}, "events": [["request", "manual", 1]], "expect": {"failed": {"1": "IO_EXCEPTION"}}`, Fail},

	{"unknown request", `"given": {"unit": "CheckpointRequestDecider", "maxQueued": 1, "maxPending": 1, "minPauseMs": 0},
		"events": [["choose", "irregularCheckpoint", {"isTriggering": false, "lastCompletionMs": 0}]], "expect": {"chosen": [null]}`, NotModelled},
	{"part of a situation", `"given": {"unit": "CheckpointRequestDecider", "maxQueued": 1, "maxPending": 1, "minPauseMs": 0},
		"events": [["chooseQueued", {"isTriggering": false}]], "expect": {"chosen": [null]}`, Pass},
	{"no size of the queue", `"given": {"unit": "CheckpointRequestDecider"}, "expect": {"chosen": []}`, NotModelled},
	{"unknown reason", `"given": {"unit": "CheckpointFailureManager", "tolerable": 0}, "events": [["fail", 1, "TIRED"]], "expect": {"jobFailures": 0}`, NotModelled},
	{"a savepoint's failure", `"given": {"unit": "CheckpointFailureManager", "tolerable": 0, "savepoint": true},
		"events": [["fail", 1, "CHECKPOINT_EXPIRED"]], "expect": {"jobFailures": 1}`, Fail},

	{"unknown option", `"given": {"unit": "options", "type": "CHECKPOINT", "alignment": "DIAGONAL"}, "expect": {"error": false}`, NotModelled},
	{"unknown word of options", `"given": {"unit": "options", "options": ["unaligned", "fast"]}, "expect": {"isUnaligned": true}`, NotModelled},
	{"a property of what cannot be", `"given": {"unit": "options", "type": "SAVEPOINT", "alignment": "UNALIGNED"}, "expect": {"isUnaligned": true}`, NotModelled},
}

func TestCoordinatorForms(t *testing.T) {
	for _, c := range coordinatorForms {
		results, err := Run("test", []byte(`{"cases": [{"name": "lifecycle.x", `+c.body+`}]}`))
		if err != nil {
			t.Errorf("%s: %v", c.why, err)
			continue
		}
		if r := results[0]; r.Status != c.want {
			t.Errorf("%s: %v %q, expected %v", c.why, r.Status, r.Diff, c.want)
		}
	}
}
