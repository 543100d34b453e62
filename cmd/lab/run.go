package main

// runCmd runs a scenario once.
type runCmd struct {
	scenarioArgs
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
	if e.json {
		return e.printJSON(r)
	}
	return r.Text(e.out)
}
