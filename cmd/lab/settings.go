package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"checkpointlab/core/option"
	"checkpointlab/ops/observed"
	"checkpointlab/scenarios"
	"checkpointlab/web/texts"
)

// settingsCmd says what a configuration comes to, as people paste it.
type settingsCmd struct {
	File    string `arg:"" help:"A configuration (flink-conf.yaml, config.yaml, FlinkDeployment, flink run …, SQL, an answer of the REST interface, a program), or - for standard input."`
	Job     string `placeholder:"FILE" help:"What the running job says (its /checkpoints/config or /jobmanager/config), to compare with."`
	Version string `placeholder:"VERSION" help:"Version of Flink that reads it; the file's own or the newest if not given."`
	Lang    string `enum:"en,ko" default:"en" help:"Language of what is said: en or ko."`
}

// settingsInfo is a configuration as JSON.
type settingsInfo struct {
	Form      string            `json:"form"`
	Version   string            `json:"flink_version"`
	Effective map[string]string `json:"effective"`          // of what is given
	GivenAs   map[string]string `json:"given_as,omitempty"` // by today's key: the older spelling that the text has
	Beside    map[string]string `json:"beside,omitempty"`
	Fatal     []string          `json:"fatal,omitempty"`
	Notes     []settingsNote    `json:"notes"`
	Conflicts []string          `json:"conflicts,omitempty"`
}

type settingsNote struct {
	Line    int    `json:"line,omitempty"`
	Key     string `json:"key,omitempty"`
	Value   string `json:"value,omitempty"`
	Text    string `json:"text"`
	Warning bool   `json:"warning"`
}

// Run prints what acts and what is to be said.
func (c *settingsCmd) Run(e *env) error {
	all, err := readSettings(c.File, c.Version, e.in)
	if err != nil {
		return err
	}
	var job []scenarios.Settings
	if c.Job != "" {
		if job, err = readSettings(c.Job, c.Version, e.in); err != nil {
			return err
		}
	}
	infos := []settingsInfo{}
	for i := range all {
		info := c.of(&all[i])
		if len(job) > 0 {
			info.Conflicts = all[i].Differs(&job[0], c.Lang)
		}
		infos = append(infos, info)
	}
	if err := printEach(e, infos); err != nil {
		return err
	}
	return starts(infos)
}

// starts is a failed check if Flink would not start with a configuration.
func starts(infos []settingsInfo) error {
	n := 0
	for i := range infos {
		n += len(infos[i].Fatal)
	}
	if n == 0 {
		return nil
	}
	return failedError(fmt.Sprintf("Flink does not start with this configuration, for %d of its values; see \"does not start\"", n))
}

func readSettings(file, version string, in io.Reader) ([]scenarios.Settings, error) {
	data, err := readInput("configuration", file, in)
	if err != nil {
		return nil, err
	}
	text, err := configurationIn(string(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	all, err := scenarios.ReadSettings(text, version)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return all, nil
}

// configurationIn is the configuration in a text: itself, or what a log says that was loaded. What else Flink wrote is for explain.
func configurationIn(text string) (string, error) {
	seen, err := observed.Read(text)
	if err != nil || len(seen) == 0 {
		return text, nil // ReadSettings says what is wrong with it
	}
	for i := range seen {
		if seen[i].Settings != "" {
			return seen[i].Settings, nil
		}
	}
	return "", &option.Mistake{Problem: "the text is no configuration but what Flink wrote (" + seen[0].Form + ")", Remedy: "lab explain says what it shows"}
}

func (c *settingsCmd) of(s *scenarios.Settings) settingsInfo {
	info := settingsInfo{Form: s.Form, Version: s.Version, Effective: map[string]string{}, GivenAs: map[string]string{}, Beside: map[string]string{}, Notes: []settingsNote{}}
	for _, p := range s.Given {
		key := p.Key
		if o, ok := option.Find(p.Key); ok {
			key = o.Key
		}
		if key != p.Key {
			info.GivenAs[key] = p.Key
		}
		if info.Effective[key] = s.Effective(key); info.Effective[key] == "" {
			info.Effective[key] = p.Value
		}
	}
	for _, b := range s.Beside {
		info.Beside[b.Key] = b.Value
	}
	for _, f := range s.Fatal {
		info.Fatal = append(info.Fatal, texts.Must(c.Lang).Mistakes(f)...)
	}
	for _, n := range s.Notes {
		info.Notes = append(info.Notes, settingsNote{n.Line, n.Key, n.Value, n.Words(c.Lang), n.Severity == option.Warning})
	}
	return info
}

func (s *settingsInfo) text(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s, read as Flink %s\n", s.Form, s.Version)
	for _, m := range []map[string]string{s.Effective, s.Beside} {
		for _, k := range slices.Sorted(maps.Keys(m)) {
			as := ""
			if given := s.GivenAs[k]; given != "" {
				as = "  (given as " + given + ")"
			}
			fmt.Fprintf(t, "  %s\t%s%s\n", k, m[k], as)
		}
	}
	for _, f := range s.Fatal {
		fmt.Fprintf(t, "does not start: %s\n", f)
	}
	for _, c := range s.Conflicts {
		fmt.Fprintf(t, "conflict: %s\n", c)
	}
	for i := range s.Notes {
		s.Notes[i].text(t)
	}
	fmt.Fprintln(t)
	return t.Flush()
}

func (n *settingsNote) text(w io.Writer) {
	at := ""
	if n.Line > 0 {
		at = fmt.Sprintf("line %d: ", n.Line)
	}
	kind := "note"
	if n.Warning {
		kind = "warning"
	}
	fmt.Fprintf(w, "%s: %s%s\n", kind, at, strings.TrimPrefix(n.Key+": "+n.Text, ": "))
}
