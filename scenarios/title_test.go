package scenarios_test

import (
	"maps"
	"testing"

	"checkpointlab/scenarios"
)

func TestATitleReadAloneIsThatOfTheScenario(t *testing.T) {
	for _, name := range scenarios.Names() {
		s, err := scenarios.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := scenarios.Title(name); !maps.Equal(got, s.Title) || got["ko"] == "" {
			t.Errorf("%s: %v, want %v", name, got, s.Title)
		}
	}
	if got := scenarios.Title("nothing"); got != nil {
		t.Errorf("no scenario has the title %v", got)
	}
}
