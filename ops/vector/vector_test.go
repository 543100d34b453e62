package vector

import (
	"encoding/json"
	"io/fs"
	"strings"
	"testing"
)

func TestRunReportsUnknownUnitAsNotModelled(t *testing.T) {
	data := `{"source": {}, "schema": {}, "cases": [{"name": "a.b", "given": {"unit": "no such unit"}}, {"name": "alone.b", "given": {}}]}`
	got, err := Run("f.json", []byte(data))
	if err != nil || len(got) != 2 {
		t.Fatal(got, err)
	}
	for i, unit := range []string{"no such unit", "alone"} {
		if got[i].Status != NotModelled || !strings.Contains(got[i].Diff, unit) {
			t.Errorf("case %d: %+v", i, got[i])
		}
	}
}

func TestRunRefusesWhatIsNoFileOfVectors(t *testing.T) {
	for _, data := range []string{"", "[]", "{}", `{"cases": 1}`} {
		if _, err := Run("f.json", []byte(data)); err == nil || !strings.Contains(err.Error(), "f.json") {
			t.Errorf("%q: %v", data, err)
		}
	}
}

// TestWhatIsWrongIsNamed: with its line, and the nearest word that is known.
func TestWhatIsWrongIsNamed(t *testing.T) {
	for data, want := range map[string]string{
		"{\"cases\": [\n{\"name\": \"x\",}]}":                                 "line 2",
		"{\"cases\": [\n{\"name\": \"x\", \"given\": {\"a\": 1, \"a\": 2}}]}": "line 2: \"a\" comes twice",
		"{\"cases\": []}": "no list of cases",
		"{\"cases\": [":   "ends too early",
	} {
		if _, err := Run("f.json", []byte(data)); err == nil || !strings.Contains(err.Error(), "f.json") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected %s", data, err, want)
		}
	}
	const head = "{\"cases\": [\n\n{\"name\": \"aligned.x\", "
	for rest, want := range map[string]string{
		`"given": {"handler": "alignd"}, "expect": {"triggered": []}}]}`:                                                      `"aligned"`,
		`"given": {"handler": "aligned", "chanels": 1}, "expect": {"triggered": []}}]}`:                                       `"channels"`,
		`"given": {"handler": "aligned", "channels": 1}, "events": [["barier", 1, 0]], "expect": {"triggered": []}}]}`:        `"barrier"`,
		`"given": {"handler": "aligned", "channels": 1}, "events": [["check", {"triggerd": []}]]}]}`:                          `"triggered"`,
		`"given": {"handler": "aligned", "channels": 1}, "events": {"barrier": 1}, "expect": {"triggered": []}}]}`:            "cannot be read",
		`"given": {"handler": "aligned", "channels": 1}, "events": [["buf", 0]], "expect": {"checks": [{"after": 0}]}}]}`:     "asserts nothing",
		`"given": {"unit": "lifecycle", "tasks": ["t"]}, "events": [["trigger", "A"]], "expect": {"notifiedComplete": {}}}]}`: "asserts nothing",
	} {
		got, err := Run("f.json", []byte(head+rest))
		if err != nil || len(got) != 1 || got[0].Status != NotModelled || !strings.HasPrefix(got[0].Diff, "line 3: ") || !strings.Contains(got[0].Diff, want) {
			t.Errorf("%s: %+v %v, expected %s", rest, got, err, want)
		}
	}
}

func TestPanicOfAMachineIsAFail(t *testing.T) {
	runners["panics"] = func(Case) (Status, string) { panic("out of bounds") }
	defer delete(runners, "panics")
	got, err := Run("f.json", []byte(`{"cases": [{"name": "x", "given": {"unit": "panics"}, "expect": {"a": 1}}]}`))
	if err != nil || got[0].Status != Fail || !strings.Contains(got[0].Diff, "out of bounds") {
		t.Errorf("%+v %v", got, err)
	}
}

func TestEventForms(t *testing.T) {
	for raw, want := range map[string]int{`"runTimers"`: 0, `["advance", 5]`: 1, `["barrier", 1, 0]`: 2} {
		if _, args, err := Event(json.RawMessage(raw)); err != nil || len(args) != want {
			t.Errorf("%s: %d arguments, %v", raw, len(args), err)
		}
	}
	for _, raw := range []string{`[]`, `[1]`, `1`} {
		if _, _, err := Event(json.RawMessage(raw)); err == nil {
			t.Errorf("%s is taken for an event", raw)
		}
	}
}

func TestDecodeRefusesUnknownKeys(t *testing.T) {
	var v struct{ A int }
	if err := Decode(json.RawMessage(`{"a": 1, "b": 2}`), &v); err == nil {
		t.Error("an unknown key is accepted")
	}
}

// TestWhatIsNotReadIsSaid: a key that nobody reads may change what a case means.
func TestWhatIsNotReadIsSaid(t *testing.T) {
	for _, data := range []string{
		`{"cases": [{"name": "keygroup.x", "given": {"unit": "keyGroup", "keyHashCode": 1, "maxParallelism": 128}, "expect": {"keyGroup": 86}, "setup": {}}]}`,
		`{"defaults": {"maxParallelism": 7}, "cases": [{"name": "keygroup.x", "given": {"unit": "keyGroup", "keyHashCode": 1, "maxParallelism": 128}, "expect": {"keyGroup": 86}}]}`,
	} {
		got, err := Run("f.json", []byte(data))
		if err != nil || got[0].Status != NotModelled || !strings.Contains(got[0].Diff, "setup") && !strings.Contains(got[0].Diff, "defaults") {
			t.Errorf("%+v %v", got, err)
		}
	}
}

// TestNoCasePassesThatAssertsNothing: without expect and checks nothing is said, but for what events say of themselves.
func TestNoCasePassesThatAssertsNothing(t *testing.T) {
	names, err := fs.Glob(Recorded(), "*.json")
	if err != nil || len(names) < 20 {
		t.Fatal(names, err)
	}
	said := 0
	for _, name := range names {
		var f File
		if err := json.Unmarshal(recorded(t, name), &f); err != nil {
			t.Fatal(err)
		}
		for _, c := range f.Cases {
			events := []json.RawMessage{}
			for _, raw := range c.Events {
				if verb, args, _ := Event(raw); verb != "check" || len(args) != 1 {
					events = append(events, raw)
				}
			}
			if c.Events, c.Expect = events, nil; saysByEvents(c) || saysByEvents(reworded(c, Unit(c))) {
				continue
			}
			said++
			if status, _ := runCase(c); status != NotModelled {
				t.Errorf("%s %s: %v without anything that it asserts", name, c.Name, status)
			}
		}
	}
	if said < 300 {
		t.Errorf("only %d cases were tried", said)
	}
}
