package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"checkpointlab/core/option"
	"checkpointlab/ops/observed"
	"checkpointlab/scenarios"
)

// explainCmd says what Flink wrote shows: answers of the REST interface, logs, metrics, thread dumps, tables; configurations, too.
type explainCmd struct {
	Files   []string `arg:"" help:"What Flink wrote or was given: answers of the REST interface, a log, metrics, a thread dump, a table of the web interface, a configuration; - for standard input. Of several, configurations are compared with what the job says."`
	Version string   `placeholder:"VERSION" help:"Version of Flink; a text's own or the newest if not given."`
	Lang    string   `enum:"en,ko" default:"en" help:"Language of what is said: en or ko."`
}

// seenInfo is one text, or one document in it, as JSON.
type seenInfo struct {
	File     string         `json:"file"`
	Form     string         `json:"form"`
	Facts    []factInfo     `json:"facts"`
	Notes    []settingsNote `json:"notes"`
	Settings *settingsInfo  `json:"settings,omitempty"`
}

// factInfo is a number of a text: times in ms, sizes in bytes, -1 for what Flink does not know; of a word Value is left out.
type factInfo struct {
	Name  string `json:"name"`
	Value *int64 `json:"value,omitempty"`
	Unit  string `json:"unit,omitempty"`
	Text  string `json:"text"`
}

// Run prints what each file shows.
func (c *explainCmd) Run(e *env) error {
	infos := []seenInfo{}
	var given []named
	for _, file := range c.Files {
		data, err := readUpTo("text", file, e.in, observed.MostBytes)
		if err != nil {
			return err
		}
		some, settings, err := c.read(file, string(data))
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		infos, given = append(infos, some...), append(given, settings...)
	}
	contrast(infos, given, c.Lang)
	return printEach(e, infos)
}

// named is a configuration and whose it is.
type named struct {
	at       int // in the list of what was read
	settings scenarios.Settings
}

// read reads one text: what Flink wrote, or a configuration.
func (c *explainCmd) read(file, text string) (infos []seenInfo, given []named, err error) {
	all, err := observed.Read(text)
	if err != nil {
		return nil, nil, err
	}
	settings := []string{}
	for i := range all {
		if s := &all[i]; s.Settings != "" {
			settings = append(settings, s.Settings)
		} else {
			infos = append(infos, c.seen(file, s))
		}
	}
	if len(all) == 0 {
		settings = []string{text}
	}
	for _, one := range settings {
		read, err := scenarios.ReadSettings(one, c.Version)
		if (err != nil || none(read)) && len(infos) == 0 {
			return nil, nil, neither(text, err)
		}
		for i := range read {
			info := (&settingsCmd{Lang: c.Lang}).of(&read[i])
			given = append(given, named{len(infos), read[i]})
			infos = append(infos, seenInfo{File: file, Form: read[i].Form, Facts: []factInfo{}, Notes: []settingsNote{}, Settings: &info})
		}
	}
	return infos, given, nil
}

// none tells configurations in which no word is an option's, or looks like one.
func none(read []scenarios.Settings) bool {
	for i := range read {
		s := &read[i]
		if len(s.Given)+len(s.Beside)+len(s.Fatal) > 0 || slices.ContainsFunc(s.Notes, func(n option.Note) bool { return strings.Contains(strings.Trim(n.Key, "."), ".") }) {
			return false
		}
	}
	return true
}

// neither is the error for a text that is nothing of what is read.
func neither(text string, err error) error {
	if m := (*option.Mistake)(nil); errors.As(err, &m) && m.Key == "version" {
		return err
	}
	if len(text) > scenarios.MostBytes {
		return &option.Mistake{Problem: "no line of the text is one that Flink writes, and a configuration has at most " + option.FormatSize(scenarios.MostBytes), Remedy: "give a part of it"}
	}
	if len(text) == 0 {
		return &option.Mistake{Problem: "the text is empty", Remedy: "paste an answer of the REST interface, a log, metrics or a configuration"}
	}
	return &option.Mistake{Problem: "the text is nothing that Flink writes about checkpoints, and no configuration", Remedy: "paste an answer of the REST interface, lines of a log, metrics, a thread dump or key: value lines"}
}

func (c *explainCmd) seen(file string, s *observed.Seen) seenInfo {
	info := seenInfo{File: file, Form: s.Form, Facts: []factInfo{}, Notes: []settingsNote{}}
	for _, f := range s.Facts {
		one := factInfo{Name: f.Name, Unit: f.Unit, Text: f.Text}
		if f.Unit != "" || f.Number != 0 || f.Text == "0" {
			one.Value = &f.Number
		}
		info.Facts = append(info.Facts, one)
	}
	for _, n := range s.Notes {
		info.Notes = append(info.Notes, settingsNote{n.Line, n.Key, n.Value, n.Words(c.Lang), n.Severity == option.Warning})
	}
	return info
}

// contrast says where what a job says of its configuration is not what a file says.
func contrast(infos []seenInfo, given []named, lang string) {
	for i := range given {
		for k := range given {
			if job := &given[k]; i != k && given[i].settings.Form != jobsOwn && job.settings.Form == jobsOwn {
				infos[given[i].at].Settings.Conflicts = given[i].settings.Differs(&job.settings, lang)
			}
		}
	}
}

// jobsOwn is the form of what a running job says of its configuration.
const jobsOwn = "checkpoints/config"

func (s *seenInfo) text(w io.Writer) error {
	if s.Settings != nil {
		return s.Settings.text(w)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s\n", s.Form)
	for _, f := range s.Facts {
		fmt.Fprintf(t, "  %s\t%s\n", f.Name, f.Text)
	}
	for i := range s.Notes {
		s.Notes[i].text(t)
	}
	fmt.Fprintln(t)
	return t.Flush()
}
