// Package cases holds problems that people had with real jobs, each rebuilt from its report as a scenario: what is asked of it
// stands in the expectations, which lab verify checks like those of every scenario, and what a shallow tool would say in
// case.trap. A case is one file: Cnn.yaml is a report of somebody's, one with a name is a variation of ours, such as the same symptom
// with another cause; lab run ops/cases/C02.yaml runs one. Cases that are about reading Flink's files
// only have no job to run; they are lines of files.yaml, with what the lab makes of them so far.
package cases

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"slices"

	"checkpointlab/scenarios"

	"go.yaml.in/yaml/v3"
)

//go:embed *.yaml
var files embed.FS

// listed is the file of the cases that no run answers.
const listed = "files.yaml"

// ByFiles is a case about files or settings that no run answers.
type ByFiles struct {
	ID    string `yaml:"id"`
	Title string `yaml:"title"`
	Asked string `yaml:"asked"`
	Works string `yaml:"works"` // what the lab does with it already; "" = nothing
	Left  string `yaml:"left"`  // what is left to do
}

// Scenarios are the cases that run, in the order of their numbers. Each is named by its path in the project.
func Scenarios() ([]*scenarios.Scenario, error) {
	names, err := fs.Glob(files, "*.yaml")
	if err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return name == listed })
	var all []*scenarios.Scenario
	for _, name := range names {
		data, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		s, err := scenarios.ParseFile("ops/cases/"+name, data)
		if err != nil {
			return nil, err
		}
		if s.Case == nil || len(s.Expect) == 0 {
			return nil, fmt.Errorf("ops/cases/%s: a case has expectations and case: with its trap", name)
		}
		s.Name = "ops/cases/" + name
		all = append(all, s)
	}
	return all, nil
}

// OfFiles are the cases that no run answers.
func OfFiles() ([]ByFiles, error) {
	data, err := files.ReadFile(listed)
	if err != nil {
		return nil, err
	}
	var all []ByFiles
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	if err := decoder.Decode(&all); err != nil {
		return nil, fmt.Errorf("ops/cases/files.yaml: %w", err)
	}
	return all, nil
}
