package fidelity

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/ops/finding"
	"checkpointlab/ops/parallel"
	"checkpointlab/scenarios"
)

// Expectation is one thing that a scenario says its run comes to, beside what it did come to.
type Expectation struct {
	Scenario string            `json:"scenario"`
	With     map[string]string `json:"with,omitempty"`    // settings changed first
	Against  map[string]string `json:"against,omitempty"` // settings of the run that it is compared with
	Measure  string            `json:"measure"`
	Vertex   string            `json:"vertex,omitempty"`
	From     float64           `json:"from_s"` // the window that is measured
	To       float64           `json:"to_s"`
	Expected string            `json:"expected"`
	Got      string            `json:"got"`
	Source   string            `json:"source,omitempty"`
	Pass     bool              `json:"pass"`
	Command  string            `json:"command"` // to see the run
}

// Expectations checks every expectation of the scenarios, each for so many seeds: the one that is written and those after
// it. Of an expectation that a seed breaks the first such run is told. told hears of each scenario done.
func Expectations(all []*scenarios.Scenario, seeds int, told func(done, all int)) ([]Expectation, error) {
	lists, errs := make([][]Expectation, len(all)), make([]error, len(all))
	var mu sync.Mutex
	done := 0
	parallel.Each(len(all), func(i int) {
		lists[i], errs[i] = expectationsOf(all[i], seeds)
		mu.Lock()
		defer mu.Unlock()
		done++
		told(done, len(all))
	})
	return slices.Concat(lists...), errors.Join(errs...)
}

func expectationsOf(s *scenarios.Scenario, seeds int) (list []Expectation, err error) {
	for n := range uint64(seeds) {
		seed := s.Setup.Seed + n
		runs := map[string]*core.Lab{} // by settings: expectations of the same run share it
		for k := range s.Expect {
			x, err := checkExpectation(s, &s.Expect[k], seed, runs)
			if err != nil {
				return nil, fmt.Errorf("scenario %s: %w", s.Name, err)
			}
			switch {
			case n == 0:
				list = append(list, x)
			case list[k].Pass:
				if !x.Pass {
					list[k] = x
				}
			}
		}
	}
	return list, nil
}

func checkExpectation(s *scenarios.Scenario, e *scenarios.Expectation, seed uint64, runs map[string]*core.Lab) (Expectation, error) {
	duration := s.Setup.Duration
	seen, holds, err := s.Check(e, func(variant *scenarios.Scenario, with []option.Pair) (*core.Lab, error) {
		key := settingsKey(with)
		if lab := runs[key]; lab != nil {
			duration = lab.Setup().Duration
			return lab, nil
		}
		variant.Setup.Seed = seed
		lab, err := core.New(variant.Setup)
		if err != nil {
			return nil, err
		}
		lab.Advance(variant.Setup.Duration, 0)
		runs[key], duration = lab, variant.Setup.Duration
		return lab, nil
	}, finding.Of)
	out := Expectation{
		Scenario: s.Name, Measure: e.Measure, Vertex: e.Vertex, Expected: e.Text, Source: e.Source,
		Got: seen, Pass: holds, Command: s.Command(e), From: inSeconds(e.From), To: inSeconds(duration), With: byKey(e.With), Against: byKey(e.Against),
	}
	if e.To > 0 {
		out.To = inSeconds(e.To)
	}
	if seed != s.Setup.Seed && e.Measure != "" {
		out.Command += fmt.Sprintf(" --seed %d", seed)
	}
	return out, err
}

// settingsKey is alike for alike settings, wherever they are written.
func settingsKey(pairs []option.Pair) string {
	key := ""
	for _, p := range pairs {
		key += p.Key + "=" + p.Value + "\n"
	}
	return key
}

func byKey(pairs []option.Pair) map[string]string {
	var all map[string]string
	for _, p := range pairs {
		if all == nil {
			all = map[string]string{}
		}
		all[p.Key] = p.Value
	}
	return all
}

func inSeconds(t event.Time) float64 { return float64(t) / float64(event.Second) }

// BrokenExpectations tells of each that does not hold what was expected, what was seen and how to see it.
func BrokenExpectations(all []Expectation) (broken []string) {
	for i := range all {
		if e := &all[i]; !e.Pass {
			what := "settings"
			if e.Measure != "" {
				what = fmt.Sprintf("%s, %g to %g s", strings.TrimSuffix(e.Measure+" of "+e.Vertex, " of "), e.From, e.To)
			}
			broken = append(broken, fmt.Sprintf("%s: %s: expected %s, seen %s; to see it: %s", e.Scenario, what, e.Expected, e.Got, e.Command))
		}
	}
	return broken
}

// settings are those of the run, and of the one that it is compared with.
func (e *Expectation) settings() string {
	var all []string
	for _, k := range slices.Sorted(maps.Keys(e.With)) {
		all = append(all, k+": "+e.With[k])
	}
	text := strings.Join(all, " ")
	if e.Against == nil {
		return text
	}
	all = all[:0]
	for _, k := range slices.Sorted(maps.Keys(e.Against)) {
		all = append(all, k+": "+e.Against[k])
	}
	return strings.TrimSpace(text + " against " + strings.Join(all, " "))
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
		with = e.settings()
		t.Rows = append(t.Rows, []string{e.Scenario, strings.TrimSpace(with), measure, fmt.Sprintf("%g to %g s", e.From, e.To), e.Expected, e.Got, verdict, e.Source})
	}
	return t
}
