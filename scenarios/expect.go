package scenarios

import (
	"math"
	"strconv"
	"strings"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// Expectation is what a run must come to.
type Expectation struct {
	Number
	Bound
	With    []option.Pair // settings that are changed first, by Set
	Against []option.Pair // settings of a second run: the value is this run's divided by that one's; nil = the value itself
	Refused string        // nothing is measured: the settings cannot run, and the mistake says this
	Finding string        // nothing is measured: what the run shows at its end says this
	Note    string        // nothing is measured: a note on the settings says this
	Chain   int           // the measure, a mean time, is of so many jobs in a row; 0 = of this one
	Unfit   bool          // it means nothing in a run of the settings as they now are
	Source  string        // where the number is from
}

// Number is a value to be read off a run, in the measure's unit: ns, per second, bytes or a count.
type Number struct {
	Measure    string
	Vertex     string // of a vertex's measure, else ""
	Unit       Unit
	From, To   event.Time       // the window; To is the end of the run unless it is given
	Checkpoint event.Checkpoint // of the measures of checkpoints: only this one; 0 = all in the window

	unfit bool // there is no such thing to measure in a run of the settings as they now are
}

// Bound is what a value must be.
type Bound struct {
	Low, High float64 // it must lie between, both included
	Text      string  // as written: "about 1 s within 2 %"
}

// Holds reports whether a value is as it must be; NaN, nothing measured, never is.
func (b *Bound) Holds(value float64) bool { return b.Low <= value && value <= b.High }

// Of reads the number off a run that has reached its end; s is the run's own setup (core.Lab.Setup), in which
// chained vertices are one. It is NaN if there was nothing to measure.
func (n *Number) Of(s *core.Setup, h *core.History) float64 {
	if n.unfit {
		return math.NaN()
	}
	r := n.reading(s, h)
	return measures[n.Measure].of(&r)
}

// reading is the window and the tasks that the number is about.
func (n *Number) reading(s *core.Setup, h *core.History) reading {
	r := reading{setup: s, history: h, from: n.From, to: n.To, only: n.Checkpoint}
	if r.to == 0 {
		r.to = s.Duration
	}
	for i, next := 0, 0; i < len(s.Vertices); i++ {
		first := next
		next += s.Vertices[i].Parallelism
		if contains(strings.Split(s.Vertices[i].Name, " → "), n.Vertex) {
			r.tasks, r.vertex = [2]int{first, next}, i
		}
	}
	return r
}

// Command runs the scenario as the expectation has it, in a shell.
func (s *Scenario) Command(e *Expectation) string {
	line := "lab run " + s.Name
	for _, p := range e.With {
		line += " --set '" + p.Key + "=" + p.Value + "'"
	}
	return line
}

// Variant is the scenario with the expectation's own settings.
func (s *Scenario) Variant(e *Expectation) (*Scenario, error) { return s.changed(e.With) }

// changed is the scenario with other settings, without what is expected of it as it is written.
func (s *Scenario) changed(with []option.Pair) (*Scenario, error) {
	v := s.Clone()
	v.root = copyTree(s.root)
	for _, f := range spoken {
		drop(v.root, f)
	}
	return v, v.SetAll(with)
}

// Check runs what the expectation needs and says what was seen and whether that is as it must be. run gives the run of a
// variant that has reached its end; those of the same settings may be shared. find says what a run shows (ops/finding).
func (s *Scenario) Check(e *Expectation, run func(variant *Scenario, with []option.Pair) (*core.Lab, error), find Finder) (seen string, holds bool, err error) {
	if e.Unfit {
		return "does not apply to these settings", false, nil
	}
	if e.Refused != "" || e.Note != "" {
		seen, holds = s.saidOf(e)
		return seen, holds, nil
	}
	lab, err := s.runWith(e.With, run)
	if err != nil {
		return "", false, err
	}
	if e.Finding != "" {
		seen, holds = foundBy(lab, e.Finding, find)
		return seen, holds, nil
	}
	value := e.In(lab)
	if e.Chain > 1 {
		if value, err = s.chained(e, lab, e.With, run); err != nil {
			return "", false, err
		}
	}
	if e.Against == nil {
		return e.Unit.FormatValue(value), e.Holds(value), nil
	}
	other, err := s.runWith(e.Against, run)
	if err != nil {
		return "", false, err
	}
	base := e.In(other)
	unit := UnitOf(e.Measure)
	seen = strconv.FormatFloat(value/base, 'f', 3, 64) + " (" + unit.FormatValue(value) + " / " + unit.FormatValue(base) + ")"
	return seen, e.Holds(value / base), nil
}

func (s *Scenario) runWith(with []option.Pair, run func(*Scenario, []option.Pair) (*core.Lab, error)) (*core.Lab, error) {
	v, err := s.changed(with)
	if err != nil {
		return nil, err
	}
	return run(v, with)
}

// Finder says what a run shows.
type Finder func(*core.Setup, *core.History, *core.View) []string

// foundBy is the finding that has the words in it, or all of them.
func foundBy(lab *core.Lab, words string, find Finder) (seen string, holds bool) {
	var v core.View
	lab.View(&v)
	all := find(lab.Setup(), lab.History(), &v)
	for _, f := range all {
		if strings.Contains(f, words) {
			return f, true
		}
	}
	return "findings: " + strings.Join(all, "; "), false
}

// saidOf is what is said of the settings, and whether the expected words are in it.
func (s *Scenario) saidOf(e *Expectation) (said string, holds bool) {
	v, err := s.Variant(e)
	if e.Refused != "" {
		if err == nil {
			return "it runs", false
		}
		return strings.ReplaceAll(err.Error(), "\n", "; "), strings.Contains(err.Error(), e.Refused)
	}
	if err != nil {
		return err.Error(), false
	}
	var all []string
	for _, n := range v.Notes {
		text := n.Key + ": " + n.Text
		if strings.Contains(text, e.Note) {
			return text, true
		}
		all = append(all, text)
	}
	return "notes: " + strings.Join(all, "; "), false
}

// factor is what a unit's label stands for.
func (u Unit) factor(label string) (float64, bool) {
	switch {
	case label == "":
		return 1, u == Records || u == Share
	case u == PerSecond:
		return 1, label == "/s"
	case u == Nanoseconds:
		d, err := option.ParseDuration("1 " + label)
		return float64(d), err == nil
	case u == Bytes:
		n, err := option.ParseSize("1 " + label)
		return float64(n), err == nil
	}
	return 0, false
}

// FormatValue writes a value of a unit for people: "1.234 s", "4995/s", "2.7 mb", "12".
func (u Unit) FormatValue(v float64) string {
	switch {
	case math.IsNaN(v):
		return "nothing measured"
	case u == PerSecond:
		return strconv.FormatFloat(v, 'f', 1, 64) + "/s"
	case u == Bytes:
		return strconv.FormatFloat(v/(1<<20), 'f', 3, 64) + " mb"
	case u == Nanoseconds && v < float64(event.Second):
		return strconv.FormatFloat(v/float64(event.Millisecond), 'f', 3, 64) + " ms"
	case u == Nanoseconds:
		return strconv.FormatFloat(v/float64(event.Second), 'f', 4, 64) + " s"
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}
