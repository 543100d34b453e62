package vector

import (
	"encoding/json"
	"testing"
)

var sharingFiles = []string{"state-sharing.json", "state-sharing-more.json"}

func TestSharingVectors(t *testing.T) {
	for _, name := range sharingFiles {
		if open := replay(t, name); len(open) > 0 {
			t.Errorf("%s: not modelled yet: %v", name, open)
		}
	}
}

// A case may say what is reported as in use in an event, which is changed, too.
func TestEachSharingExpectationMatters(t *testing.T) {
	eachExpectationMatters(t, 80, sharingFiles, func(verb string, args []json.RawMessage) (all [][]json.RawMessage) {
		if verb != "unregisterUnusedBelow" || len(args) != 2 {
			return nil
		}
		for _, changed := range otherForms(t, args[1]) {
			all = append(all, []json.RawMessage{args[0], json.RawMessage(changed)})
		}
		return all
	})
}

func TestUnknownSharingWordsAreNotModelled(t *testing.T) { unknownWordsAreNotModelled(t, sharingFiles) }

// sharingForms are forms that must not pass, one line each: why, case without braces, status.
var sharingForms = []struct {
	why, body string
	want      Status
}{
	{"nothing asserted of a registry", `"given": {"unit": "sharedStateRegistry"}, "events": [["register", "a", 1], ["unregisterUnusedBelow", 2]]`, NotModelled},
	{"nothing asserted of a backend", `"given": {"unit": "rocksdbIncremental", "sstFiles": 1}, "events": [["snapshot", 1]]`, NotModelled},
	{"another origin", `"given": {"unit": "sharedStateRegistry", "restored": {"id": 1, "kind": "tape", "states": []}}, "expect": {"discarded": []}`, NotModelled},
	{"another mode", `"given": {"unit": "sharedStateRegistry", "restored": {"id": 1, "kind": "checkpoint", "mode": "LEASE"}}, "expect": {"discarded": []}`, NotModelled},
	{"another detail of a use", `"given": {"unit": "sharedStateRegistry"}, "events": [["register", "a", 1, {"colour": 1}]], "expect": {"discarded": []}`, NotModelled},
	{"another report", `"given": {"unit": "sharedStateRegistry"}, "events": [["unregisterUnusedBelow", 1, {"unused": []}]]`, NotModelled},
	{"another snapshot", `"given": {"unit": "rocksdbIncremental", "sstFiles": 1}, "events": [["snapshot", 1, "sketch"]], "expect": {"base": 0}`, NotModelled},
	{"a snapshot that was not taken", `"given": {"unit": "rocksdbIncremental", "sstFiles": 1}, "events": [["snapshot", 1]], "expect": {"filesOf2": 1}`, NotModelled},
	{"sizes of one that was not taken", `"given": {"unit": "rocksdbIncremental", "sstFiles": 1}, "events": [["snapshot", 1]],
		"expect": {"fullSizeOf1GreaterThanCheckpointedSizeOf2": true}`, NotModelled},
	{"a checkpoint in use that is not", `"given": {"unit": "sharedStateRegistry"}, "events": [["register", "a", 1], ["unregisterUnusedBelow", 1, {"inUse": [1]}]]`, Fail},
}

func TestSharingForms(t *testing.T) {
	for _, c := range sharingForms {
		results, err := Run("test", []byte(`{"cases": [{"name": "x", `+c.body+`}]}`))
		if err != nil {
			t.Errorf("%s: %v", c.why, err)
			continue
		}
		if r := results[0]; r.Status != c.want {
			t.Errorf("%s: %v %q, expected %v", c.why, r.Status, r.Diff, c.want)
		}
	}
}
