package main

import (
	"checkpointlab/ops/report"
	"checkpointlab/web/texts"
)

// runCmd runs a scenario once.
type runCmd struct {
	runArgs
	Lang string `enum:"en,ko" default:"en" help:"Language of findings, notes and refusals: en or ko."`
}

// Run prints the report of the run.
func (c *runCmd) Run(e *env) error {
	s, err := c.load(e)
	if err != nil {
		return err
	}
	until, err := c.until(s)
	if err != nil {
		return err
	}
	r, err := simulate(s, until, e.progress("run "+s.name))
	if err != nil {
		return err
	}
	c.translate(&r, s)
	if e.json {
		return e.printJSON(r)
	}
	return r.Text(e.out)
}

// translate says what the page says in sentences, too, in its words.
func (c *runCmd) translate(r *report.Report, s *scenario) {
	if c.Lang == "en" {
		return
	}
	words := texts.Must(c.Lang)
	for i, found := range r.Findings {
		r.Findings[i] = words.Finding(found)
	}
	for i := range r.Refusals {
		r.Refusals[i].Words = words.Finding(r.Refusals[i].Words)
	}
	for i, n := range s.notes {
		r.Notes[i] = n.In(c.Lang)
	}
}
