package main

import (
	"fmt"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/ops/report"
)

// slice is how many events are handled between two looks at the clock for progress.
const slice = 1 << 18

// simulate runs a scenario up to until (0 = its own end) and reports what it came to.
func simulate(s *scenario, until event.Time, told *progress) (report.Report, error) {
	laidOut := told.during(s.layingOut())
	lab, err := core.New(s.setup)
	laidOut()
	if err != nil {
		return report.Report{}, err
	}
	if until == 0 {
		until = s.setup.Duration
	}
	advance(lab, until, told, "s simulated")
	var v core.View
	lab.View(&v)
	r := report.Of(lab.Setup(), lab.History(), &v, lab.Hash())
	r.Scenario = s.name
	for _, n := range s.notes {
		r.Notes = append(r.Notes, n.In("en"))
	}
	return r, nil
}

// advance computes a run up to until and tells its progress in that unit.
func advance(lab *core.Lab, until event.Time, told *progress, unit string) {
	for !lab.Advance(until, slice) {
		told.at(inSeconds(lab.Now()), inSeconds(until), unit)
	}
}

// layingOut says what a run does before it begins.
func (s *scenario) layingOut() string {
	return fmt.Sprintf("laying out %d channels in about %.1f GB of memory", s.setup.Channels(), float64(s.setup.Memory())/(1<<30))
}

func inSeconds(t event.Time) float64 { return float64(t) / float64(event.Second) }
