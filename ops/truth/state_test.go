package truth

import (
	"math"
	"strings"
	"testing"
)

// The recorded runs with state (truth, state-*): checkpointed and full size within 10 %, durations within 25 %. Fitted to them are the costs that
// core/state/backend/rules.go names after them; the sizes follow from the keys alone.
func TestRecordedRunsWithState(t *testing.T) {
	runs, err := Recorded()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for i := range runs {
		r := &runs[i]
		if !strings.HasPrefix(r.Setting.ID, "state-") || r.Setting.Flink["state.changelog.enabled"] == "true" {
			continue
		}
		seen++
		all, _, err := Simulate(r)
		if err != nil {
			t.Fatal(err)
		}
		sim := &all[0]
		size, full := sim.meanSize()
		wantSize, wantFull := r.meanSize()
		for _, c := range []struct {
			what      string
			got, want float64
			within    float64
		}{{"checkpointed size", size, wantSize, 0.1}, {"full size", full, wantFull, 0.1}, {"duration", meanDuration(sim), meanDuration(r), 0.25}} {
			if off := math.Abs(c.got/c.want - 1); math.IsNaN(off) || off > c.within {
				t.Errorf("%s: %s is %.4g, recorded %.4g", r.Setting.ID, c.what, c.got, c.want)
			}
		}
	}
	if seen != 2 {
		t.Errorf("%d runs", seen)
	}
}

// meanDuration is the mean of the completed checkpoints' durations in ms.
func meanDuration(r *Run) float64 {
	sum, n := 0.0, 0.0
	for _, c := range r.Checkpoints {
		if c.Status == "COMPLETED" {
			sum, n = sum+float64(c.Duration), n+1
		}
	}
	return sum / n
}
