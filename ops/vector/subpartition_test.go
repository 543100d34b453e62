package vector

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

func TestSubpartitionVectors(t *testing.T) {
	if open := replay(t, "checkpoint-lifecycle.json"); len(open) > 0 {
		t.Errorf("not modelled yet: %v", open)
	}
}

// TestEachPollMatters: a case whose poll is to give something else may not pass.
func TestEachPollMatters(t *testing.T) {
	var f File
	if err := json.Unmarshal(recorded(t, "checkpoint-lifecycle.json"), &f); err != nil {
		t.Fatal(err)
	}
	changed := 0
	for _, c := range f.Cases {
		if !strings.HasPrefix(c.Name, "subpartition.") {
			continue
		}
		for i, raw := range c.Events {
			verb, args, err := Event(raw)
			if err != nil || verb != "poll" {
				continue
			}
			for other := range polled {
				if string(args[0]) == `"`+other+`"` {
					continue
				}
				bad := c
				bad.Events = slices.Clone(c.Events)
				bad.Events[i] = json.RawMessage(`["poll", "` + other + `"]`)
				changed++
				if status, _ := runCase(bad); status != Fail {
					t.Errorf("%s passes with a poll of %s instead of %s", c.Name, other, args[0])
				}
			}
		}
	}
	if changed < 40 {
		t.Errorf("only %d polls were changed", changed)
	}
}

// subpartitionForms are further facts (spec 3.2, 3.4, 3.5, 4.2) and forms that must not pass.
var subpartitionForms = []struct {
	why, body string
	want      Status
}{
	{"an aligned barrier stops the sender until it is resumed", `"events": [["add", "alignedBarrier", 1], ["add", "data"],
		["poll", "alignedBarrier"], ["check", {"blocked": true, "buffersInBacklog": 0}], ["poll", "nothing"], ["resume"],
		["check", {"blocked": false, "buffersInBacklog": 0}], ["flush"], ["check", {"buffersInBacklog": 1}], ["poll", "data"]]`, Pass},
	{"an unaligned barrier overtakes what is then output state", `"events": [["add", "data"], ["add", "data"], ["add", "unalignedBarrier", 1],
		["check", {"outputStateBuffers": 2, "queued": 3}], ["poll", "priorityEvent"], ["poll", "data"], ["poll", "data"], ["poll", "nothing"]]`, Pass},
	{"a barrier that was taken cannot time out", `"events": [["add", "timeoutableBarrier", 1], ["poll", "timeoutableBarrier"],
		["add", "data"], ["alignedBarrierTimeout", 1], ["check", {"outputState": []}], ["resume"], ["poll", "data"]]`, Pass},
	{"only its own timeout makes a barrier unaligned", `"events": [["add", "timeoutableBarrier", 2], ["alignedBarrierTimeout", 1],
		["check", {"outputStateDecided": false, "outputState": null}], ["poll", "timeoutableBarrier"]]`, Pass},
	{"the older of two timeoutable barriers may be taken before", `"events": [["add", "timeoutableBarrier", 1], ["poll", "timeoutableBarrier"],
		["add", "timeoutableBarrier", 2]], "expect": {"outputStateFailed": []}`, Pass},
	{"nothing follows the end", `"events": [["add", "data"], ["finish"], ["add", "data"], ["poll", "data"], ["poll", "endOfPartition"],
		["poll", "nothing"]], "expect": {"queued": 0}`, Pass},
	{"unknown verb", `"events": [["rewind"], ["poll", "nothing"]]`, NotModelled},
	{"unknown thing added", `"events": [["add", "watermark"], ["poll", "nothing"]]`, NotModelled},
	{"a barrier without a checkpoint", `"events": [["add", "alignedBarrier"], ["poll", "alignedBarrier"]]`, NotModelled},
	{"data with a checkpoint", `"events": [["add", "data", "x"], ["poll", "data"]]`, NotModelled},
	{"unknown thing polled", `"events": [["add", "data"], ["poll", "watermark"]]`, NotModelled},
	{"unknown check", `"events": [["add", "data"], ["check", {"colour": 1}]]`, NotModelled},
	{"nothing asserted", `"events": [["add", "data"]]`, NotModelled},
	{"a number for a word", `"events": [["add", 7], ["poll", "nothing"]]`, NotModelled},
}

func TestSubpartitionForms(t *testing.T) {
	for _, c := range subpartitionForms {
		results, err := Run("test", []byte(`{"cases": [{"name": "subpartition.x", "given": {"unit": "PipelinedSubpartition"}, `+c.body+`}]}`))
		if err != nil {
			t.Errorf("%s: %v", c.why, err)
			continue
		}
		if r := results[0]; r.Status != c.want {
			t.Errorf("%s: %v %q, expected %v", c.why, r.Status, r.Diff, c.want)
		}
	}
}
