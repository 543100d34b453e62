package fidelity

import (
	"path"
	"strings"

	"checkpointlab/ops/cases"
	"checkpointlab/scenarios"
)

// CaseTable has the lines of docs/cases.md: each thing that is asked of a case beside what the lab shows, then what no run
// answers, with the reason.
func CaseTable(all []*scenarios.Scenario, checked []Expectation) Table {
	t := Table{Name: "cases", Title: "Public cases", Columns: []string{"case", "asked", "measured", "expected", "the lab shows", "verdict"}}
	next := 0
	for _, s := range all {
		id := strings.TrimSuffix(path.Base(s.Name), ".yaml")
		for ; next < len(checked) && checked[next].Scenario == s.Name; next++ {
			e := &checked[next]
			verdict := "holds"
			if !e.Pass {
				verdict = "does not hold"
			}
			what := e.Measure
			if e.Vertex != "" {
				what += " of " + e.Vertex
			}
			if with := e.settings(); with != "" {
				what = strings.TrimSpace(what + " with " + with)
			}
			t.Rows = append(t.Rows, []string{id, e.Source, what, e.Expected, e.Got, verdict})
		}
		for _, l := range s.Case.Left {
			t.Rows = append(t.Rows, []string{id, l.What, "", "", l.Why, "left"})
		}
	}
	return t
}

// TrapTable says of each case what is asked and what a shallow tool would say.
func TrapTable(all []*scenarios.Scenario) Table {
	t := Table{Name: "traps", Title: "Public cases: what is asked and what must not be said", Columns: []string{"case", "title", "question", "never said"}}
	for _, s := range all {
		t.Rows = append(t.Rows, []string{strings.TrimSuffix(path.Base(s.Name), ".yaml"), s.Title["en"], s.Question["en"], s.Case.Trap})
	}
	return t
}

// FileCaseTable lists the cases that are about files and settings only.
func FileCaseTable(all []cases.ByFiles) Table {
	t := Table{Name: "file-cases", Title: "Public cases about files", Columns: []string{"case", "title", "asked", "works", "left"}}
	for _, c := range all {
		t.Rows = append(t.Rows, []string{c.ID, c.Title, c.Asked, c.Works, c.Left})
	}
	return t
}
