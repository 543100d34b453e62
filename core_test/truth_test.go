package core_test

import (
	"testing"

	"checkpointlab/ops/fidelity"
	"checkpointlab/ops/truth"
)

// TestRecordedRunsOfARealFlink simulates every recorded run and holds the error of each class of measures to its limit.
func TestRecordedRunsOfARealFlink(t *testing.T) {
	runs, err := truth.Recorded()
	if err != nil {
		t.Fatal(err)
	}
	r := fidelity.Truth(runs, func(int, int) {})
	for _, beyond := range fidelity.BeyondLimits(&r) {
		t.Error(beyond)
	}
	for _, c := range r.Summary {
		t.Logf("%-22s %3d values, worst %s", c.Class, c.Rows, c.Worst)
	}
}

// TestLimitsSeeALostMechanism: a simulation that is off by a tenth everywhere, or that compares nothing, is beyond them.
func TestLimitsSeeALostMechanism(t *testing.T) {
	off, none := 0.11, (*float64)(nil)
	r := fidelity.Recorded{Summary: []fidelity.ClassError{{Class: "throughput", Rows: 10, Median: &off, P90: &off}, {Class: "pipeline mean", Rows: 10, Median: none, P90: none}},
		Bars: []fidelity.BarRow{{Group: "stored in-flight data", Unit: "ln", Values: 3, Median: &off, P90: none, BarMedian: 0.03, BarP90: 0.1}}}
	seen := map[string]bool{}
	for _, b := range fidelity.BeyondLimits(&r) {
		seen[b] = true
	}
	for _, want := range []string{"throughput: median error 11.0 %, limit 0.3 %", "pipeline mean: median error ∞, limit 3.0 %", "busy: nothing was compared",
		"stored in-flight data: 3 values, error 11.0 % / ∞, bar 3.0 % / 10.0 %"} {
		if !seen[want] {
			t.Errorf("%q is not among %v", want, seen)
		}
	}
}
