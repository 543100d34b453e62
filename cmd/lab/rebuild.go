package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"text/tabwriter"

	"checkpointlab/core"
	"checkpointlab/ops/observed"
	"checkpointlab/ops/rebuild"
	"checkpointlab/scenarios"
)

// rebuildCmd makes a scenario of a running job, by what Flink wrote of it.
type rebuildCmd struct {
	Files   []string `arg:"" help:"What Flink wrote of one job: the answer of /jobs/:id, and what there is of /jobs/:id/vertices/:vid, …/checkpoints, …/checkpoints/config, …/checkpoints/details/:cid, its …/subtasks/:vid, and configurations; - for standard input."`
	Output  string   `short:"o" placeholder:"FILE" help:"Where the scenario is written; standard output if not given."`
	Compare bool     `help:"Run it and print what comes out beside what was observed, instead of the scenario."`
	Version string   `placeholder:"VERSION" help:"Version of Flink; a text's own or the newest if not given."`
	Lang    string   `enum:"en,ko" default:"en" help:"Language of comments and notes: en or ko."`
}

// rebuiltInfo is a scenario of a job as JSON. Values of Compared: ms, bytes, records/s or a share of 0 to 1.
type rebuiltInfo struct {
	Scenario string         `json:"scenario"`
	Notes    []settingsNote `json:"notes"`
	Compared []comparedInfo `json:"compared,omitempty"`
}

type comparedInfo struct {
	What        string   `json:"what"`
	Vertex      string   `json:"vertex,omitempty"`
	Unit        string   `json:"unit"`
	Observed    float64  `json:"observed"`
	Simulated   *float64 `json:"simulated"` // null: the run had none
	Checkpoints int      `json:"checkpoints,omitempty"`

	row rebuild.Row
}

// Run prints the scenario, or what its run comes to.
func (c *rebuildCmd) Run(e *env) error {
	var texts []string
	for _, file := range c.Files {
		data, err := readUpTo("text", file, e.in, observed.MostBytes)
		if err != nil {
			return err
		}
		texts = append(texts, string(data))
	}
	r, err := rebuild.Of(texts, c.Version)
	if err != nil {
		return err
	}
	yaml := r.YAML(c.Lang)
	s, err := scenarios.ParseFile("the scenario of the job", yaml)
	if err != nil {
		return err
	}
	info := rebuiltInfo{Scenario: string(yaml), Notes: []settingsNote{}}
	for _, n := range r.Notes {
		info.Notes = append(info.Notes, settingsNote{Line: n.Line, Text: n.Words(c.Lang), Warning: n.Severity != 0})
	}
	if c.Output != "" {
		if err := os.WriteFile(c.Output, yaml, 0o644); err != nil {
			return fmt.Errorf("the scenario cannot be written to %s: %w; give the path of a file that you may write", c.Output, cause(err))
		}
	}
	if c.Compare {
		if info.Compared, err = c.compare(e, r, s); err != nil {
			return err
		}
	}
	if e.json {
		return e.printJSON(info)
	}
	return c.print(e, &info)
}

// compare runs the scenario to its end.
func (c *rebuildCmd) compare(e *env, r *rebuild.Rebuilt, s *scenarios.Scenario) (all []comparedInfo, err error) {
	s.Setup.MostMemory = memory()
	lab, err := core.New(s.Setup)
	if err != nil {
		return nil, err
	}
	advance(lab, s.Setup.Duration, e.progress("run the scenario"), "s simulated")
	for _, row := range r.Compare(c.Lang, lab) {
		unit, per := unitOf(row.Unit)
		one := comparedInfo{What: row.What, Vertex: row.Vertex, Unit: unit, Observed: row.Observed / per, Checkpoints: row.Checkpoints, row: row}
		if x := row.Simulated / per; !math.IsNaN(x) {
			one.Simulated = &x
		}
		all = append(all, one)
	}
	return all, nil
}

func unitOf(u scenarios.Unit) (name string, per float64) {
	switch u {
	case scenarios.Nanoseconds:
		return "ms", 1e6
	case scenarios.PerSecond:
		return "records/s", 1
	case scenarios.Bytes:
		return "bytes", 1
	default:
		return "share", 1
	}
}

// print writes the scenario or the comparison to standard output, notes to standard error: the scenario may go into a pipe.
func (c *rebuildCmd) print(e *env, info *rebuiltInfo) error {
	for i := range info.Notes {
		info.Notes[i].text(e.errs)
	}
	switch {
	case c.Compare:
		return c.table(e.out, info.Compared)
	case c.Output == "":
		_, err := io.WriteString(e.out, info.Scenario)
		return err
	}
	return nil
}

func (c *rebuildCmd) table(w io.Writer, all []comparedInfo) error {
	head := map[string]string{"en": "\t\tobserved\tsimulated\toff by", "ko": "\t\t관찰\t시뮬레이션\t차이"}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, head[c.Lang])
	for i := range all {
		observed, simulated, off := all[i].row.Values()
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", all[i].Vertex, all[i].What, observed, simulated, off)
	}
	return t.Flush()
}
