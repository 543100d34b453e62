package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/scenarios"
)

// scenarioArgs are the arguments of verbs that load a scenario.
type scenarioArgs struct {
	Scenario string   `arg:"" help:"A name from lab scenarios, the path of a scenario file, or - for standard input."`
	Set      []string `sep:"none" placeholder:"KEY=VALUE" help:"Set an option of Flink or a field of the scenario; may be given often."`
	Seed     *uint64  `help:"Seed of everything that is drawn."`
}

// runArgs are the arguments of verbs that run one, to its end or to an instant.
type runArgs struct {
	scenarioArgs
	Until string `placeholder:"TIME" help:"Simulated time to stop at, such as 90s or 10m; the scenario's own if not given."`
}

// scenario is what a verb runs.
type scenario struct {
	name  string
	title map[string]string
	setup core.Setup
	notes []option.Note
}

// load reads the scenario and applies the settings in their order, then the seed.
func (a *scenarioArgs) load(e *env) (*scenario, error) {
	s, err := readScenario(a.Scenario, e.in)
	if err != nil {
		return nil, err
	}
	if err := a.set(s); err != nil {
		return nil, err
	}
	out := &scenario{name: a.Scenario, title: s.Title, setup: s.Setup, notes: s.Notes}
	out.setup.MostMemory = memory()
	if a.Seed != nil {
		out.setup.Seed = *a.Seed
	}
	return out, nil
}

// set makes the changes of --set all at once: some are right only together.
func (a *scenarioArgs) set(s *scenarios.Scenario) error {
	var changes []option.Pair
	for _, pair := range a.Set {
		key, value, ok := strings.Cut(pair, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		switch {
		case !ok:
			return fmt.Errorf("--set %q has no value; write KEY=VALUE", pair)
		case key == "":
			return fmt.Errorf("--set %q has no key; write KEY=VALUE", pair)
		}
		changes = append(changes, option.Pair{Key: key, Value: value})
	}
	if len(changes) == 0 {
		return nil
	}
	if err := s.SetAll(changes); err != nil {
		if len(a.Set) > 1 {
			return fmt.Errorf("--set: %w", err)
		}
		return fmt.Errorf("--set %s: %w", a.Set[0], err)
	}
	return nil
}

// until is the instant to stop at.
func (a *runArgs) until(s *scenario) (event.Time, error) {
	if a.Until == "" {
		return s.setup.Duration, nil
	}
	t, err := parseInstant(a.Until)
	if err != nil {
		return 0, fmt.Errorf("--until: %w", err)
	}
	if t <= 0 {
		return 0, fmt.Errorf("--until %s leaves nothing to simulate; write a time above 0, such as 90s", a.Until)
	}
	if longest := core.Longest; t > longest {
		return 0, fmt.Errorf("--until %s is more than %s; write that or less", a.Until, option.FormatDuration(longest))
	}
	s.setup.Duration = t
	return t, nil
}

// readScenario finds a scenario by name, path or - ; a word that is neither names the nearest scenario.
func readScenario(name string, in io.Reader) (*scenarios.Scenario, error) {
	if isName(name) {
		s, unknown := scenarios.Load(name)
		if unknown == nil {
			return s, nil
		}
		if _, err := os.Stat(name); err != nil {
			return nil, unknown
		}
	}
	data, err := readInput("scenario", name, in)
	if err != nil {
		return nil, err
	}
	if name == standardInput {
		name = "standard input"
	}
	return scenarios.ParseFile(name, data)
}

// isName tells a scenario's name from a path.
func isName(s string) bool { return s != standardInput && !strings.ContainsAny(s, `./\`) }

// allScenarios are the scenarios that come with the lab.
func allScenarios() ([]*scenarios.Scenario, error) {
	var all []*scenarios.Scenario
	for _, name := range scenarios.Names() {
		s, err := scenarios.Load(name)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// scenariosCmd lists the scenarios.
type scenariosCmd struct{}

// Run prints names, titles and questions.
func (*scenariosCmd) Run(e *env) error {
	type line struct {
		Name     string            `json:"name"`
		Title    map[string]string `json:"title"`
		Question map[string]string `json:"question"`
	}
	all, err := allScenarios()
	if err != nil {
		return err
	}
	lines := []line{}
	for _, s := range all {
		lines = append(lines, line{s.Name, s.Title, s.Question})
	}
	if e.json {
		return e.printJSON(lines)
	}
	for _, l := range lines {
		fmt.Fprintf(e.out, "%s: %s\n    %s\n", l.Name, l.Title["en"], l.Question["en"])
	}
	return nil
}
