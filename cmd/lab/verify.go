package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"checkpointlab/ops/cases"
	"checkpointlab/ops/fidelity"
	"checkpointlab/ops/published"
	"checkpointlab/ops/truth"
	"checkpointlab/ops/vector"
	"checkpointlab/scenarios"
)

// verifyCmd checks the simulation.
type verifyCmd struct {
	Of        []string `arg:"" optional:"" name:"scenario" help:"Only check what these scenarios expect of their runs: names from lab scenarios, or paths of scenario files."`
	Vectors   string   `placeholder:"DIR" type:"path" help:"Only replay the facts from Flink's own tests in this folder, case by case."`
	Truth     string   `placeholder:"FILE" type:"path" help:"Only compare with the recorded runs of this file, measure by measure."`
	Scenarios bool     `help:"Only check what the scenarios expect of their runs."`
	Cases     bool     `help:"Only check the public cases."`
	Seeds     int      `default:"1" help:"For how many seeds each expectation of a scenario must hold."`
	Write     bool     `help:"Write the tables into the document, between its markers."`
	Document  string   `default:"docs/fidelity.md" type:"path" help:"The document that --write keeps up to date."`
}

// verified is what was checked; a section that was not is left out.
type verified struct {
	OK           bool                   `json:"ok"`
	Vectors      []fidelity.VectorFile  `json:"vectors,omitempty"`
	ClosedForms  []fidelity.ClosedRow   `json:"closed_forms,omitempty"`
	Expectations []fidelity.Expectation `json:"expectations,omitempty"`
	Cases        []fidelity.Expectation `json:"cases,omitempty"`
	Recorded     *fidelity.Recorded     `json:"recorded_runs,omitempty"`
	HeldOut      *fidelity.Recorded     `json:"held_out_runs,omitempty"`
	Published    []published.Experiment `json:"published,omitempty"`

	tables []fidelity.Table
	cased  []fidelity.Table // of the public cases, which have a document of their own
	failed []string         // a phrase per section that failed
}

// Run checks what was asked for, prints the tables, and fails if a check failed.
func (c *verifyCmd) Run(e *env) error {
	var v verified
	if c.Seeds < 1 {
		return fmt.Errorf("--seeds %d checks nothing; write 1 or more", c.Seeds)
	}
	only := c.Vectors != "" || c.Truth != "" || c.Scenarios || c.Cases || len(c.Of) > 0
	justCases := c.Cases && c.Vectors == "" && c.Truth == "" && !c.Scenarios && len(c.Of) == 0
	if only && c.Write && !justCases {
		return fmt.Errorf("--write needs every section, or --cases alone; leave scenarios, --vectors, --truth and --scenarios out")
	}
	steps := []func(*env) error{}
	if c.Vectors != "" {
		steps = append(steps, func(*env) error { return v.vectorsOf(c.Vectors) })
	}
	if c.Truth != "" {
		steps = append(steps, func(e *env) error { return v.truthOf(e, c.Truth) })
	}
	expectations := func(e *env) error {
		all, err := allScenarios()
		if err != nil {
			return err
		}
		return v.expectations(e, all, c.Seeds)
	}
	if len(c.Of) > 0 {
		steps = append(steps, func(e *env) error { return v.expectationsOf(e, c.Of, c.Seeds) })
	}
	if c.Scenarios {
		steps = append(steps, expectations)
	}
	publicCases := func(e *env) error { return v.publicCases(e, c.Seeds) }
	if c.Cases {
		steps = append(steps, publicCases)
	}
	if !only {
		steps = append(steps, v.vectors, v.closedForms, expectations, publicCases, v.recorded, v.heldOut, v.published)
	}
	for _, step := range steps {
		if err := step(e); err != nil {
			return err
		}
	}
	if err := v.print(e); err != nil {
		return err
	}
	if c.Write {
		if !justCases {
			if err := writeTables(c.Document, v.tables); err != nil {
				return err
			}
		}
		if err := writeTables(filepath.Join(filepath.Dir(c.Document), "cases.md"), v.cased); err != nil {
			return err
		}
	}
	return v.verdict()
}

func (v *verified) vectors(*env) (err error) {
	if v.Vectors, err = fidelity.Vectors(vector.Recorded()); err != nil {
		return err
	}
	v.tables = append(v.tables, fidelity.VectorTable(v.Vectors))
	v.note(fidelity.FailedVectors(v.Vectors), "cases from Flink's own tests differ")
	return nil
}

func (v *verified) vectorsOf(dir string) (err error) {
	if _, err = os.Stat(dir); err != nil {
		return fmt.Errorf("--vectors: %w; give a folder of *.json files", err)
	}
	if v.Vectors, err = fidelity.Vectors(os.DirFS(dir)); err != nil {
		return fmt.Errorf("--vectors %s: %w", dir, err)
	}
	v.tables = append(v.tables, fidelity.VectorCaseTable(v.Vectors, true), fidelity.VectorTable(v.Vectors))
	v.note(fidelity.FailedVectors(v.Vectors), "cases differ")
	return nil
}

func (v *verified) closedForms(e *env) (err error) {
	told := e.progress("the chapter's table")
	v.ClosedForms, err = fidelity.ClosedForms(func(done, all int) { told.at(float64(done), float64(all), "intervals") })
	if err != nil {
		return err
	}
	v.tables = append(v.tables, fidelity.ClosedTable(v.ClosedForms))
	v.note(fidelity.FailedClosedForms(v.ClosedForms), "intervals of the chapter's table differ from the exact values")
	return nil
}

func (v *verified) recorded(e *env) error {
	runs, err := truth.Recorded()
	if err != nil {
		return err
	}
	v.Recorded = compare(e, "recorded runs", runs)
	v.tables = append(v.tables, fidelity.BarTable(v.Recorded), fidelity.TruthSummaryTable(v.Recorded), fidelity.TruthMainTable(v.Recorded))
	v.failed = append(v.failed, fidelity.BeyondLimits(v.Recorded)...)
	return nil
}

func (v *verified) published(e *env) (err error) {
	told := e.progress("published measurements")
	if v.Published, err = published.All(func(done, all int) { told.at(float64(done), float64(all), "experiments") }); err != nil {
		return err
	}
	v.tables = append(v.tables, fidelity.PublishedTable(v.Published))
	v.note(fidelity.FailedPublished(v.Published), "published values are not met")
	return nil
}

func (v *verified) truthOf(e *env, file string) error {
	f, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("--truth: %w; give a file with one recorded run a line", err)
	}
	defer f.Close()
	runs, err := truth.Parse(file, f)
	if err != nil {
		return err
	}
	v.Recorded = compare(e, "recorded runs", runs)
	v.tables = append(v.tables, fidelity.TruthRowTable(v.Recorded), fidelity.TruthSummaryTable(v.Recorded), fidelity.BarTable(v.Recorded))
	return nil
}

// heldOut prints how near the model is to runs that it was not made by; they fail nothing, for their machine was busy.
func (v *verified) heldOut(e *env) error {
	runs, err := truth.HeldOut()
	if err != nil {
		return err
	}
	v.HeldOut = compare(e, "held-out runs", runs)
	v.tables = append(v.tables, fidelity.HeldOutTable(v.HeldOut))
	return nil
}

func compare(e *env, what string, runs []truth.Run) *fidelity.Recorded {
	told := e.progress(what)
	r := fidelity.Truth(runs, func(done, all int) { told.at(float64(done), float64(all), "runs") })
	return &r
}

// note keeps a phrase for the verdict if something failed.
func (v *verified) note(n int, what string) {
	if n > 0 {
		v.failed = append(v.failed, fmt.Sprintf("%d %s", n, what))
	}
}

func (v *verified) print(e *env) error {
	v.OK = len(v.failed) == 0
	if e.json {
		return e.printJSON(v)
	}
	for _, t := range slices.Concat(v.tables, v.cased) {
		if err := t.Text(e.out); err != nil {
			return err
		}
	}
	return nil
}

func (v *verified) verdict() error {
	if len(v.failed) == 0 {
		return nil
	}
	text := v.failed[0]
	for _, f := range v.failed[1:] {
		text += ", " + f
	}
	return failedError("verify: " + text)
}

func writeTables(document string, tables []fidelity.Table) error {
	old, err := os.ReadFile(document)
	if err != nil {
		return fmt.Errorf("--write: %w; start the command in the project's folder or give --document", err)
	}
	text, err := fidelity.Rewrite(string(old), tables)
	if err != nil {
		return fmt.Errorf("--write %s: %w", document, err)
	}
	return os.WriteFile(document, []byte(text), 0o644)
}

// expectationsOf checks scenarios by their names or files; one that expects nothing has nothing that could fail, which is a mistake.
func (v *verified) expectationsOf(e *env, names []string, seeds int) error {
	var all []*scenarios.Scenario
	for _, name := range names {
		s, err := readScenario(name, e.in)
		if err != nil {
			return err
		}
		if len(s.Expect) == 0 {
			return fmt.Errorf("scenario %s expects nothing; give it an expect: list (scenarios/README.md)", name)
		}
		if s.Name == "" {
			s.Name = name
		}
		all = append(all, s)
	}
	return v.expectations(e, all, seeds)
}

func (v *verified) expectations(e *env, all []*scenarios.Scenario, seeds int) (err error) {
	told := e.progress("expectations")
	if v.Expectations, err = fidelity.Expectations(all, seeds, func(done, all int) { told.at(float64(done), float64(all), "scenarios") }); err != nil {
		return err
	}
	v.tables = append(v.tables, fidelity.ExpectationTable(v.Expectations))
	broken := fidelity.BrokenExpectations(v.Expectations)
	for _, line := range broken {
		fmt.Fprintln(e.errs, line)
	}
	v.note(len(broken), "expectations of scenarios do not hold")
	return nil
}

func (v *verified) publicCases(e *env, seeds int) error {
	all, err := cases.Scenarios()
	if err != nil {
		return err
	}
	left, err := cases.OfFiles()
	if err != nil {
		return err
	}
	told := e.progress("public cases")
	if v.Cases, err = fidelity.Expectations(all, seeds, func(done, n int) { told.at(float64(done), float64(n), "cases") }); err != nil {
		return err
	}
	v.cased = append(v.cased, fidelity.TrapTable(all), fidelity.CaseTable(all, v.Cases), fidelity.FileCaseTable(left))
	broken := fidelity.BrokenExpectations(v.Cases)
	for _, line := range broken {
		fmt.Fprintln(e.errs, line)
	}
	v.note(len(broken), "answers to public cases do not hold")
	return nil
}
