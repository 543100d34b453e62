package vector

import (
	"os"
	"strings"
	"testing"
)

// replay runs a file of testdata and fails for cases that fail. It returns the names that are not modelled yet.
func replay(t *testing.T, name string) (open []string) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	results, err := Run(name, data)
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

func TestCoordinatorVectors(t *testing.T) {
	if open := replay(t, "coordinator.json"); len(open) > 0 {
		t.Errorf("not modelled yet: %v", open)
	}
}

func TestLifecycleVectors(t *testing.T) {
	for _, name := range replay(t, "checkpoint-lifecycle.json") {
		if strings.HasPrefix(name, "lifecycle.") || strings.HasPrefix(name, "trigger.") {
			t.Errorf("%s is the coordinator's and not modelled yet", name)
		}
	}
}
