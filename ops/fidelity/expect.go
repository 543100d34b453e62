package fidelity

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/scenarios"
)

// Expectation is one thing that a scenario says its run comes to, beside what it did come to.
type Expectation struct {
	Scenario string            `json:"scenario"`
	With     map[string]string `json:"with,omitempty"` // settings changed first
	Measure  string            `json:"measure"`
	Vertex   string            `json:"vertex,omitempty"`
	From     float64           `json:"from_s"` // the window that is measured
	To       float64           `json:"to_s"`
	Expected string            `json:"expected"`
	Got      string            `json:"got"`
	Source   string            `json:"source,omitempty"`
	Pass     bool              `json:"pass"`
}

// Expectations checks every expectation of the scenarios. told hears of each scenario done.
func Expectations(all []*scenarios.Scenario, told func(done, all int)) ([]Expectation, error) {
	list := []Expectation{}
	for i, s := range all {
		runs := map[string]*core.Lab{} // by settings: expectations of the same run share it
		for k := range s.Expect {
			e := &s.Expect[k]
			lab, err := runOf(s, e, runs)
			if err != nil {
				return nil, fmt.Errorf("scenario %s: %w", s.Name, err)
			}
			list = append(list, checkExpectation(s, e, lab))
		}
		told(i+1, len(all))
	}
	return list, nil
}

func runOf(s *scenarios.Scenario, e *scenarios.Expectation, runs map[string]*core.Lab) (*core.Lab, error) {
	key := fmt.Sprint(e.With)
	if runs[key] != nil {
		return runs[key], nil
	}
	variant, err := s.Variant(e)
	if err != nil {
		return nil, err
	}
	lab, err := core.New(variant.Setup)
	if err != nil {
		return nil, err
	}
	lab.Advance(variant.Setup.Duration, 0)
	runs[key] = lab
	return lab, nil
}

func checkExpectation(s *scenarios.Scenario, e *scenarios.Expectation, lab *core.Lab) Expectation {
	value := e.Of(lab.Setup(), lab.History())
	out := Expectation{
		Scenario: s.Name, Measure: e.Measure, Vertex: e.Vertex, Expected: e.Text, Source: e.Source,
		Got: e.Unit.FormatValue(value), Pass: e.Holds(value),
		From: inSeconds(e.From), To: inSeconds(lab.Setup().Duration),
	}
	if e.To > 0 {
		out.To = inSeconds(e.To)
	}
	for _, p := range e.With {
		if out.With == nil {
			out.With = map[string]string{}
		}
		out.With[p.Key] = p.Value
	}
	return out
}

func inSeconds(t event.Time) float64 { return float64(t) / float64(event.Second) }

// FailedExpectations counts those that do not hold.
func FailedExpectations(all []Expectation) (n int) {
	for i := range all {
		if !all[i].Pass {
			n++
		}
	}
	return n
}

// ExpectationTable has a line per expectation.
func ExpectationTable(all []Expectation) Table {
	t := Table{Name: "expectations", Title: "What the scenarios say their runs come to", Columns: []string{"scenario", "with", "measure", "window", "expected", "got", "verdict", "source"}}
	for i := range all {
		e := &all[i]
		verdict, measure, with := "holds", e.Measure, ""
		if !e.Pass {
			verdict = "does not hold"
		}
		if e.Vertex != "" {
			measure += " of " + e.Vertex
		}
		for _, k := range slices.Sorted(maps.Keys(e.With)) {
			with += k + ": " + e.With[k] + " "
		}
		t.Rows = append(t.Rows, []string{e.Scenario, strings.TrimSpace(with), measure, fmt.Sprintf("%g to %g s", e.From, e.To), e.Expected, e.Got, verdict, e.Source})
	}
	return t
}
