package fidelity

import (
	"fmt"
	"strings"

	"checkpointlab/ops/published"
)

// FailedPublished counts the published values that have to hold and do not.
func FailedPublished(all []published.Experiment) (n int) {
	for i := range all {
		for k := range all[i].Checks {
			if all[i].Checks[k].Fails() {
				n++
			}
		}
	}
	return n
}

// PublishedTable has a line per published value; what was fitted and why a value is only listed stand below.
func PublishedTable(all []published.Experiment) Table {
	t := Table{Name: "published", Title: "Published measurements", Columns: []string{"experiment", "value", "published", "simulated", "tolerance", "verdict"}}
	for i := range all {
		e := &all[i]
		for k := range e.Checks {
			c := &e.Checks[k]
			verdict := "holds"
			switch {
			case c.Fails():
				verdict = "does not hold"
			case !c.Holds():
				verdict = "listed"
			}
			t.Rows = append(t.Rows, []string{e.ID, c.Name, c.Published + " " + c.Unit, fmt.Sprintf("%.3g %s", c.Got, c.Unit),
				fmt.Sprintf("%.3g to %.3g", c.Low, c.High), verdict})
			if c.Listed != "" {
				t.Notes = append(t.Notes, e.ID+", "+c.Name+": "+c.Listed)
			}
		}
		fitted := "nothing is fitted"
		if len(e.Fitted) > 0 {
			fitted = "fitted: " + strings.Join(e.Fitted, "; ")
		}
		t.Notes = append(t.Notes, fmt.Sprintf("%s: %s. %s; %s", e.ID, e.Title, e.Source, fitted))
	}
	return t
}
