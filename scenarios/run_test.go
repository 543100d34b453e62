package scenarios

import (
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// ran is the run of a scenario up to its end.
func ran(t *testing.T, s *Scenario) *core.Lab {
	t.Helper()
	lab, err := core.New(s.Setup)
	if err != nil {
		t.Fatal(err)
	}
	lab.Advance(s.Setup.Duration, 0)
	return lab
}

// Every embedded scenario comes to what it says, and every moment happens within the run.
func TestExpectations(t *testing.T) {
	for _, name := range Names() {
		s, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		h := ran(t, s).History()
		last := event.Time(0)
		for i := range s.Moments {
			m := &s.Moments[i]
			at, ok := m.In(h)
			if !ok || at < last || at > s.Setup.Duration {
				t.Errorf("%s: %q is at %s, %v, after %s", name, m.When, option.FormatDuration(at), ok, option.FormatDuration(last))
			}
			last = at
		}
		for i := range s.Expect {
			e := &s.Expect[i]
			v, err := s.Variant(e)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			lab := ran(t, v)
			if x := e.Of(lab.Setup(), lab.History()); !e.Holds(x) {
				t.Errorf("%s: %s with %v is %s, expected %s (%s)", name, e.Measure, e.With, e.Unit.FormatValue(x), e.Text, e.Source)
			}
		}
	}
}
