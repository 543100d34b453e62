package scenarios

import (
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

func TestActionsAreAddedAndTakenOutAndTravelAsChanges(t *testing.T) {
	s, err := Load("backpressure")
	if err != nil {
		t.Fatal(err)
	}
	before := len(s.Setup.Script)
	if err := s.Act(option.Pair{Key: "at", Value: "71200 ms"}, option.Pair{Key: "do", Value: "kill"}, option.Pair{Key: "vertex", Value: "map"}, option.Pair{Key: "subtask", Value: "1"}); err != nil {
		t.Fatal(err)
	}
	if err := s.Set("script.1.cost", "150 us"); err != nil {
		t.Fatal(err)
	}
	if n := len(s.Setup.Script); n != before+1 {
		t.Fatalf("%d actions, want one more than %d", n, before)
	}
	a := s.Setup.Script[before]
	if a.At != 71200*event.Millisecond || a.Do != core.Kill || a.Subtask != 1 {
		t.Errorf("added %+v", a)
	}
	again, err := Load("backpressure")
	if err != nil {
		t.Fatal(err)
	}
	changes := s.Changes()
	if len(changes) != 2 {
		t.Errorf("changes %v, want one field and one action", changes)
	}
	if err := again.SetAll(changes); err != nil {
		t.Fatal(err)
	}
	if string(again.Marshal()) != string(s.Marshal()) {
		t.Errorf("changes %v make\n%s", changes, again.Marshal())
	}
	if err := s.Set("script.2", ""); err != nil {
		t.Fatal(err)
	}
	if n := len(s.Setup.Script); n != before {
		t.Errorf("%d actions are left", n)
	}
	if err := again.SetAll(s.ChangesFrom(again)); err != nil || len(again.Setup.Script) != before {
		t.Errorf("%v, %d actions", err, len(again.Setup.Script))
	}
}

func TestActionsThatAreNoneAreRefused(t *testing.T) {
	s, err := Load("backpressure")
	if err != nil {
		t.Fatal(err)
	}
	before := string(s.Marshal())
	for _, c := range [][2]string{
		{"script.2", "soon"}, {"script.2", "{at: 5 s}"}, {"script.9", "{at: 5 s, do: savepoint}"}, {"script.0", "{at: 5 s, do: savepoint}"},
		{"script.2", ""}, {"script.2", "{at: 5 s, do: kill, vertex: nobody}"}, {"script.2", "[1, 2]"}, {"script.x", "{at: 5 s, do: savepoint}"},
	} {
		if err := s.Set(c[0], c[1]); err == nil {
			t.Errorf("%s = %q is taken", c[0], c[1])
		}
	}
	if string(s.Marshal()) != before {
		t.Error("a refused action changed the scenario")
	}
}
