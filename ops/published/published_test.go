package published

import "testing"

// Each published value that a mechanism leads to lies within its tolerance.
func TestPublishedMeasurements(t *testing.T) {
	if testing.Short() {
		t.Skip("a minute of runs")
	}
	all, err := All(func(int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		for _, c := range e.Checks {
			t.Logf("%s: %s: published %s, simulated %.4g %s", e.ID, c.Name, c.Published, c.Got, c.Unit)
			if c.Fails() {
				t.Errorf("%s: %s: %.4g %s is not between %.4g and %.4g; published %s", e.ID, c.Name, c.Got, c.Unit, c.Low, c.High, c.Published)
			}
		}
	}
}

func TestCheckHolds(t *testing.T) {
	c := Check{Got: 1, Low: 0.5, High: 2}
	if !c.Holds() || c.Fails() {
		t.Error("1 is between 0.5 and 2")
	}
	if c.Got = 2.1; c.Holds() || !c.Fails() {
		t.Error("2.1 is not between 0.5 and 2")
	}
	if c.Listed = "known"; c.Holds() || c.Fails() {
		t.Error("a listed value neither holds nor fails")
	}
}
