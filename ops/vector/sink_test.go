package vector

import (
	"encoding/json"
	"slices"
	"testing"
)

var sinkFiles = []string{"sink-commit.json", "sink-commit-more.json"}

func TestSinkVectors(t *testing.T) {
	for _, name := range sinkFiles {
		if open := replay(t, name); len(open) > 0 {
			t.Errorf("%s: not modelled yet: %v", name, open)
		}
	}
}

func TestEachSinkExpectationMatters(t *testing.T) {
	eachExpectationMatters(t, 300, sinkFiles, func(verb string, args []json.RawMessage) (all [][]json.RawMessage) {
		if cut, fails := failing(args); fails {
			return [][]json.RawMessage{cut}
		}
		return [][]json.RawMessage{append(slices.Clone(args), json.RawMessage(`"error"`))}
	})
}

func TestUnknownSinkWordsAreNotModelled(t *testing.T) { unknownWordsAreNotModelled(t, sinkFiles) }

// eachExpectationMatters changes each value that the cases of files expect, one at a time: leaves are other ones, lists
// have one element more or less. turn gives the other forms of an event's arguments that say what is expected of it.
// None may pass then; at least as many changes as least are made.
func eachExpectationMatters(t *testing.T, least int, files []string, turn func(verb string, args []json.RawMessage) [][]json.RawMessage) {
	t.Helper()
	turned := 0
	for _, name := range files {
		var f File
		if err := json.Unmarshal(recorded(t, name), &f); err != nil {
			t.Fatal(err)
		}
		for _, c := range f.Cases {
			for _, changed := range otherForms(t, c.Expect) {
				d := c
				d.Expect = json.RawMessage(changed)
				turned++
				refuse(t, d, changed)
			}
			for i, raw := range c.Events {
				verb, args, err := Event(raw)
				if err != nil {
					t.Fatal(err)
				}
				var lines [][]json.RawMessage
				if verb == "check" {
					for _, changed := range otherForms(t, args[0]) {
						lines = append(lines, []json.RawMessage{json.RawMessage(changed)})
					}
				} else {
					lines = turn(verb, args)
				}
				for _, line := range lines {
					written, err := json.Marshal(append([]json.RawMessage{json.RawMessage(`"` + verb + `"`)}, line...))
					if err != nil {
						t.Fatal(err)
					}
					d := c
					d.Events = slices.Clone(c.Events)
					d.Events[i] = written
					if marksFailures(c) && expectsError(d) { // it still says that a call fails, if not which
						continue
					}
					turned++
					refuse(t, d, string(written))
				}
			}
		}
	}
	if turned < least {
		t.Errorf("only %d expectations were changed", turned)
	}
}

// otherForms are all ways to change one leaf of a JSON value, and to lengthen or shorten one of its lists.
func otherForms(t *testing.T, raw json.RawMessage) []string {
	t.Helper()
	if len(raw) == 0 {
		return nil
	}
	all := changedLeaves(t, raw)
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	eachList(v, func(changed any) {
		written, err := json.Marshal(changed)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(written))
	})
	return all
}

// eachList calls put with each form of v in which one list has an element more, or its last one less. An element that says
// what an emitted committable is called may be missing: the case does not ask then.
func eachList(v any, put func(any)) {
	switch v := v.(type) {
	case []any:
		if len(v) == 0 || v[0] != "committable" {
			put(append(slices.Clone(v), "x"))
			if len(v) > 0 {
				put(v[:len(v)-1])
			}
		}
		for i, e := range v {
			eachList(e, func(changed any) {
				list := slices.Clone(v)
				list[i] = changed
				put(list)
			})
		}
	case map[string]any:
		for key, e := range v {
			eachList(e, func(changed any) {
				object := map[string]any{}
				for k, o := range v {
					object[k] = o
				}
				object[key] = changed
				put(object)
			})
		}
	}
}

// unknownWordsAreNotModelled puts an unknown verb, argument or key into each case.
func unknownWordsAreNotModelled(t *testing.T, files []string) {
	t.Helper()
	behind := func(c *Case, raw string) { c.Events = append(slices.Clone(c.Events), json.RawMessage(raw)) }
	for _, name := range files {
		var f File
		if err := json.Unmarshal(recorded(t, name), &f); err != nil {
			t.Fatal(err)
		}
		for _, c := range f.Cases {
			for what, bad := range map[string]func(*Case){
				"verb":       func(c *Case) { behind(c, `["jump", 1]`) },
				"bare verb":  func(c *Case) { behind(c, `"jump"`) },
				"argument":   func(c *Case) { behind(c, `["`+firstVerb(t, *c)+`", 1, 2, 3, 4, 5]`) },
				"check key":  func(c *Case) { behind(c, `["check", {"colour": 1}]`) },
				"given key":  func(c *Case) { c.Given = with(c.Given, "colour", "1") },
				"expect key": func(c *Case) { c.Expect = with(c.Expect, "colour", "1") },
			} {
				b := c
				bad(&b)
				if s, diff := runCase(b); s != NotModelled {
					t.Errorf("%s with an unknown %s: %v %s", c.Name, what, s, diff)
				}
			}
		}
	}
}

func firstVerb(t *testing.T, c Case) string {
	verb, _, err := Event(c.Events[0])
	if err != nil {
		t.Fatal(err)
	}
	return verb
}

// sinkForms are forms that must not pass, one line each: why, case without braces, status.
var sinkForms = []struct {
	why, body string
	want      Status
}{
	{"nothing asserted", `"given": {"unit": "committer"}, "events": [["notifyComplete", 1]]`, NotModelled},
	{"nothing asserted of a writer", `"given": {"unit": "writer", "committer": true}, "events": [["write", "1"]]`, NotModelled},
	{"nothing asserted of two phases", `"given": {"unit": "two-phase"}, "events": [["write", "1"]]`, NotModelled},
	{"a writer of which nobody knows what is behind it", `"given": {"unit": "writer"}, "expect": {"emitted": []}`, NotModelled},
	{"another system", `"given": {"unit": "committer", "committer": "is asleep"}, "expect": {"commits": []}`, NotModelled},
	{"another marker", `"given": {"unit": "committer"}, "events": [["summary", {"cp": "tomorrow", "count": 1}]], "expect": {"commits": []}`, NotModelled},
	{"a restore without a crash", `"given": {"unit": "committer"}, "events": [["snapshot", 1], ["restore", 1]], "expect": {"commits": []}`, NotModelled},
	{"a restore without a snapshot", `"given": {"unit": "two-phase"}, "events": [["crash"], ["restore", 1]], "expect": {"visible": []}`, NotModelled},
	{"a writer's restore without a snapshot", `"given": {"unit": "writer", "committer": true}, "events": [["crash"], ["restore", 1]], "expect": {"emitted": []}`, NotModelled},
	{"a summary's key that it has not", `"given": {"unit": "writer", "committer": true}, "events": [["preBarrier", 1]], "expect": {"emitted": [["summary", {"colour": 1}]]}`, NotModelled},
	{"a committable's place", `"given": {"unit": "writer", "committer": true}, "events": [["write", "1"], ["preBarrier", 1]],
		"expect": {"emitted": [["summary", {"count": 1}], ["committable", "1", 7]]}`, NotModelled},
	{"a buffer after what did not happen", `"given": {"unit": "writer", "committer": true}, "events": [["write", "1"]], "expect": {"bufferedAfterPreBarrier": 0}`, NotModelled},
	{"a list that is none", `"given": {"unit": "writer", "committer": true}, "events": [["write", "1"]], "expect": {"emitted": 7}`, NotModelled},
	{"an error that does not come", `"given": {"unit": "two-phase"}, "events": [["write", "1", "error"]]`, Fail},
	{"an error that nobody expects", `"given": {"unit": "two-phase"}, "events": [["finish"], ["write", "1"]], "expect": {"visible": []}`, Fail},
	{"the other kind of message", `"given": {"unit": "writer", "committer": true}, "events": [["preBarrier", 1]], "expect": {"emitted": [["committable", "1"]]}`, Fail},
}

func TestSinkForms(t *testing.T) {
	for _, c := range sinkForms {
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
