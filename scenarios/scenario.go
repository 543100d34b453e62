// Package scenarios reads and writes the one file format of the lab: a question, a job, Flink's options in Flink's own words,
// what happens in the world, and what a reader should see. README.md describes every field.
//
// Reading order: Scenario, Load and Parse (text to Setup), then Set, Knob and Changes (one setting at a time), ApplyFlink and
// FlinkBlock (a whole configuration), Marshal (back to text), Expectation (what a run must come to).
//
// The document behind a Scenario is the truth and Setup is made from it, so that nothing a user wrote is lost: a change goes
// into the document, and all of it is read again.
package scenarios

import (
	"embed"
	"errors"
	"slices"
	"strconv"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"

	"go.yaml.in/yaml/v3"
)

// Format is the version of the file format that this package reads and writes.
const Format = 1

//go:embed *.yaml
var files embed.FS

// names are the embedded scenarios in the order in which a reader best meets them.
var names = []string{
	"recovery", "barrier", "two-inputs", "duplicates", "two-phase", "chapter", "short-interval", "uber-ads", "hyperconnect", "defaults",
	"savepoint", "credits", "backpressure", "expire", "lanes", "debloat-114", "low-rate",
	"backends", "requests", "meituan-savepoint", "streamshield", "in-flight", "changelog", "stable-interval", "slow-upload", "double-11", "rocksdb-tuning", "rocksdb-levels", "skew", "full-model",
	"three-questions", "max-parallelism", "rescale", "restore-drill",
}

// Scenario is one scenario. Setup and all else is derived from the document: change it through Set and ApplyFlink only.
type Scenario struct {
	Name     string            // of an embedded one, else ""
	Title    map[string]string // by language: "en", "ko"
	Question map[string]string
	Idea     map[string]string
	Sources  []string // where the facts are from
	Setup    core.Setup
	Knobs    []string // keys for Set, the most telling first
	Moments  []Moment
	Show     event.Time        // the instant that shows the most, for a still; 0 if it is not given
	Predict  *Prediction       // nil = none
	Numbers  map[string]Number // that the explanation names
	Explain  map[string]string // with placeholders; see Explained
	Tasks    []Task
	Expect   []Expectation
	Case     *Case         // nil: it is no report of somebody's
	Notes    []option.Note // what is given but acts in another way than it seems

	file string
	root *yaml.Node // the document, cleaned
	born *yaml.Node // as it was loaded, for Changes
	text []byte     // what Marshal has made of it

	changes changes // what Changes has made of it
}

// Prediction is a question that a reader answers before the run shows it.
type Prediction struct {
	Ask     map[string]string
	Choices []map[string]string
	Answer  int // index into Choices
	Why     map[string]string
}

// Names lists the embedded scenarios.
func Names() []string { return slices.Clone(names) }

// Load reads an embedded scenario by its name. An unknown name is a *option.Mistake.
func Load(name string) (*Scenario, error) {
	if !slices.Contains(names, name) {
		m := &option.Mistake{Key: "scenario", Value: name, Problem: "does not exist", Remedy: "write " + list(names)}
		if near := option.Closest(name, names); near != "" {
			m.Remedy = "did you mean " + near + "?"
		}
		return nil, m
	}
	data, err := files.ReadFile(name + ".yaml")
	if err != nil {
		return nil, err
	}
	s, err := parse(name+".yaml", data, true)
	if err != nil {
		return nil, err
	}
	s.Name = name
	return s, nil
}

// Parse reads a scenario. The error joins all mistakes (*option.Mistake), each one sentence with line, key, value and remedy.
func Parse(data []byte) (*Scenario, error) { return ParseFile("", data) }

// ParseFile is Parse with the file's name in front of each mistake.
func ParseFile(file string, data []byte) (*Scenario, error) { return parse(file, data, false) }

// parse reads a scenario. Of one that is tested the settings of expectations and tasks are not tried once more: that would be most
// of what a page has to do when it opens one.
func parse(file string, data []byte, tested bool) (*Scenario, error) {
	r := &reader{file: file}
	root := r.document(data)
	if err := r.err(); err != nil {
		return nil, err
	}
	born := root
	if !tested {
		born = nil
	}
	s, err := build(file, root, born)
	if err != nil {
		return nil, err
	}
	s.born = s.root
	return s, nil
}

// Clone is a copy that can be changed by itself: what is made of a document is never written into, a change makes another document.
func (s *Scenario) Clone() *Scenario {
	c := *s
	return &c
}

// topFields are the fields of a scenario, in the order in which they are written.
var topFields = []string{
	"format", "title", "question", "idea", "sources", "flinkVersion", "job", "cluster", "storage", "flink", "script", "run",
	"firstTrigger", "flusherPhase", "regionCheckpoints", "syncPhaseTimeout", "control", "knobs", "moments", "show", "predict", "numbers", "explain", "tasks", "case", "expect",
}

// build makes a scenario of a cleaned document, which it keeps. born is the document as it was loaded, nil while it is.
func build(file string, root, born *yaml.Node) (*Scenario, error) {
	r := &reader{file: file, changed: born != nil}
	s := &Scenario{file: file, root: root, born: born}
	top := r.object(root, "", topFields...)
	if n, ok := top.number("format", 1, 1<<31-1); ok && n != Format {
		r.bad(top.at("format"), "format", top.raw("format"), "is a format that this lab does not read", "write 1, or use a newer lab")
	}
	s.Title, s.Question, s.Idea = top.say("title"), top.say("question"), top.say("idea")
	s.Sources = top.strings("sources")
	r.flink(&top, s)
	r.job(&top, s)
	r.cluster(&top, s)
	r.storage(&top, s)
	r.run(&top, s)
	r.script(&top, s)
	r.control(&top, s)
	if len(r.mistakes) == 0 {
		r.words(&top, s)
	}
	if len(r.mistakes) == 0 {
		r.core(s)
	}
	if err := r.err(); err != nil {
		return nil, err
	}
	return s, nil
}

// core asks the core itself, whose word is the last.
func (r *reader) core(s *Scenario) {
	if err := s.Setup.Check(); err != nil {
		r.mistakes = append(r.mistakes, unjoin(err)...)
	}
}

// mostMistakes are as many as one reads; a file that is something else altogether has no end of them.
const mostMistakes = 20

func (r *reader) err() error {
	if more := len(r.mistakes) - mostMistakes; more > 0 {
		r.mistakes = r.mistakes[:mostMistakes]
		r.bad(nil, "", "", "there are "+strconv.Itoa(more)+" further mistakes", "correct the first ones, or check that it is a scenario")
	}
	return errors.Join(r.mistakes...)
}

// list is "a, b or c".
func list(words []string) string {
	text := ""
	for i, w := range words {
		switch {
		case i == 0:
		case i == len(words)-1:
			text += " or "
		default:
			text += ", "
		}
		text += w
	}
	return text
}
