package vector

import (
	"encoding/json"
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

func TestPanicOfAMachineIsAFail(t *testing.T) {
	runners["panics"] = func(Case) (Status, string) { panic("out of bounds") }
	defer delete(runners, "panics")
	got, err := Run("f.json", []byte(`{"cases": [{"name": "x", "given": {"unit": "panics"}}]}`))
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
