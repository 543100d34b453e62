package main

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/ops/report"
)

// slice is how many events are handled between two looks at the clock for progress.
const slice = 1 << 18

// simulate runs a scenario up to until (0 = its own end) and reports what it came to.
func simulate(s *scenario, until event.Time, told *progress) (report.Report, error) {
	lab, err := core.New(s.setup)
	if err != nil {
		return report.Report{}, err
	}
	if until == 0 {
		until = s.setup.Duration
	}
	for !lab.Advance(until, slice) {
		told.at(inSeconds(lab.Now()), inSeconds(until), "s simulated")
	}
	var v core.View
	lab.View(&v)
	r := report.Of(lab.Setup(), lab.History(), &v, lab.Hash())
	r.Scenario = s.name
	for _, n := range s.notes {
		r.Notes = append(r.Notes, n.In("en"))
	}
	return r, nil
}

func inSeconds(t event.Time) float64 { return float64(t) / float64(event.Second) }
