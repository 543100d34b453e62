package truth

import (
	"strings"
	"testing"
)

// TestHeldOutRunsAreSimulated: all of them, with the settings that they were recorded for.
func TestHeldOutRunsAreSimulated(t *testing.T) {
	runs, err := HeldOut()
	if err != nil {
		t.Fatal(err)
	}
	known, _ := Recorded()
	settings := map[string]bool{}
	for i := range known {
		settings[known[i].Setting.ID] = true
	}
	for i := range runs {
		r := &runs[i]
		old := strings.HasPrefix(r.Setting.ID, "v120-")
		if settings[r.Setting.ID] || old != (r.FlinkVersion == "1.20.1") || len(r.Checkpoints) == 0 {
			t.Errorf("%s: Flink %s, %d checkpoints", r.Setting.ID, r.FlinkVersion, len(r.Checkpoints))
		}
		if _, _, err := r.Setup(); err != nil {
			t.Error(err)
		}
	}
	if len(runs) < 30 {
		t.Errorf("%d runs", len(runs))
	}
}
