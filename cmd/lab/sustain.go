package main

import (
	"fmt"
	"text/tabwriter"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/ops/sustain"
)

// sustainCmd finds the smallest interval that a scenario keeps up.
type sustainCmd struct {
	runArgs
}

// sustained is what the verb prints as JSON. Times s.
type sustained struct {
	Scenario string     `json:"scenario"`
	Interval float64    `json:"smallest_interval_s"` // by bisection over runs; 0: none up to the longest tried
	Longest  float64    `json:"longest_tried_s"`
	Runs     int        `json:"runs"`
	Form     float64    `json:"closed_form_s"`
	Binding  string     `json:"binding"`
	Terms    []termTime `json:"terms"`
}

type termTime struct {
	Name string  `json:"name"`
	Time float64 `json:"time_s"`
}

// The bisection looks at intervals between these, in runs of so many intervals, and is right to one part in fifty.
const (
	shortestTried = 50 * event.Millisecond
	longestTried  = 30 * 60 * event.Second
	intervalsRun  = 12
	parts         = 50
)

// Run prints the smallest interval and what binds it.
func (c *sustainCmd) Run(e *env) error {
	if c.Until != "" {
		return fmt.Errorf("--until %s does not act: each run of the bisection lasts %d intervals; leave it out", c.Until, intervalsRun)
	}
	s, err := c.load(e)
	if err != nil {
		return err
	}
	if !s.setup.Storage.On {
		return fmt.Errorf("the scenario has no storage, so that a checkpoint costs it nothing; add storage: with a bandwidth")
	}
	out, err := c.find(s, e.progress("sustain "+s.name))
	if err != nil {
		return err
	}
	if e.json {
		return e.printJSON(out)
	}
	return e.printSustained(out)
}

func (c *sustainCmd) find(s *scenario, told *progress) (out sustained, err error) {
	out = sustained{Scenario: s.name, Longest: inSeconds(longestTried), Terms: []termTime{}}
	keeps := func(interval event.Time) (bool, error) {
		out.Runs++
		lab, err := runAt(s.setup, interval, told, fmt.Sprintf("s simulated of run %d, with an interval of %g s", out.Runs, inSeconds(interval)))
		if err != nil {
			return false, err
		}
		if form, ok := sustain.Closed(lab.Setup(), lab.History(), managers(lab)); ok && sustain.Keeps(lab.Setup(), lab.History()) {
			out.Form, out.Binding, out.Terms = inSeconds(form.Interval), form.Binding, out.Terms[:0]
			for _, t := range form.Terms {
				out.Terms = append(out.Terms, termTime{t.Name, inSeconds(t.Time)})
			}
		}
		return sustain.Keeps(lab.Setup(), lab.History()), nil
	}
	got, err := sustain.Bisect(shortestTried, longestTried, parts, keeps)
	out.Interval = inSeconds(got)
	return out, err
}

// runAt is the scenario with another interval, without its script, for as long as it takes to see.
func runAt(setup core.Setup, interval event.Time, told *progress, unit string) (*core.Lab, error) {
	setup.Script, setup.Options.Interval = nil, interval
	setup.Duration = max(intervalsRun*interval, 10*event.Second)
	lab, err := core.New(setup)
	if err == nil {
		advance(lab, setup.Duration, told, unit)
	}
	return lab, err
}

func managers(lab *core.Lab) int { return lab.Managers() }

func (e *env) printSustained(s sustained) error {
	if s.Interval == 0 {
		_, err := fmt.Fprintf(e.out, "%s keeps up no interval up to %s\n", s.Scenario, option.FormatDuration(longestTried))
		return err
	}
	t := tabwriter.NewWriter(e.out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "smallest interval kept up\t%.3f s\tby bisection over %d runs\n", s.Interval, s.Runs)
	fmt.Fprintf(t, "closed form\t%.3f s\tthe sum of what a checkpoint waits for, as in the last run that kept up\n", s.Form)
	for _, x := range s.Terms {
		mark := ""
		if x.Name == s.Binding {
			mark = "← this binds"
		}
		fmt.Fprintf(t, "  %s\t%.3f s\t%s\n", x.Name, x.Time, mark)
	}
	return t.Flush()
}
