package player

import (
	"strings"
	"testing"

	"checkpointlab/scenarios"
)

// TestJobsThatNoTabHolds are refused with the limit and the remedy; what a tab can hold is not.
func TestJobsThatNoTabHolds(t *testing.T) {
	for parallelism, refused := range map[string]bool{"128": false, "300": true} {
		s, err := scenarios.Load("backpressure")
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range []string{"source", "map", "sink"} {
			if err := s.Set("job.vertices."+v+".parallelism", parallelism); err != nil && v == "sink" {
				t.Fatal(err)
			}
		}
		_, err = newRun(s.Setup)
		if (err != nil) != refused || refused && !strings.Contains(err.Error(), "lower a parallelism") {
			t.Errorf("parallelism %s: %v", parallelism, err)
		}
	}
}
