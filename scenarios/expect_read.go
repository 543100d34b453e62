package scenarios

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"checkpointlab/core/event"
	"checkpointlab/core/option"

	"go.yaml.in/yaml/v3"
)

// Reading expectations, and what a prediction or an explanation measures alike.

var (
	numberFields = []string{"measure", "vertex", "from", "to", "checkpoint"}
	boundFields  = []string{"about", "within", "below", "above"}
	expectFields = slices.Concat(numberFields, boundFields, []string{"with", "against", "chain", "refused", "note", "finding", "source"})
)

// expect reads what a run must come to.
func (r *reader) expect(top *object, s *Scenario) {
	for i, n := range top.items("expect") {
		o := r.object(n, "expect."+strconv.Itoa(i+1), expectFields...)
		if n.Kind != yaml.MappingNode {
			continue
		}
		before := len(r.mistakes)
		e := o.expectation(s)
		e.Unfit = r.unfit(before)
		if len(r.mistakes) == before {
			s.Expect = append(s.Expect, e)
		}
	}
}

func (o *object) expectation(s *Scenario) Expectation {
	if o.has("refused") || o.has("note") || o.has("finding") {
		return o.told(s)
	}
	e := Expectation{Number: o.measuredAt(s, true), Source: o.raw("source")}
	if _, ok := measures[e.Measure]; !ok {
		return e
	}
	e.With = o.settings("with", s)
	if o.has("against") {
		e.Against = append([]option.Pair{}, o.settings("against", s)...)
		e.Unit = Share
		o.refuse("does not go with against", "chain")
	}
	if n, ok := o.number("chain", 2, mostChained); ok {
		if e.Chain = int(n); e.Measure != "visibility.mean" {
			o.bad("chain", "is of another measure", "only visibility.mean adds up over jobs")
		}
	}
	e.Bound = o.bounds(e.Unit)
	return e
}

// told reads what the lab must say of settings: that they cannot run, or what is to be known of them.
func (o *object) told(s *Scenario) Expectation {
	e := Expectation{Refused: o.raw("refused"), Note: o.raw("note"), Finding: o.raw("finding"), Source: o.raw("source")}
	o.refuse("does not go with refused, note or finding", append(slices.Concat(numberFields, boundFields), "against", "chain")...)
	switch {
	case e.Refused != "" && (e.Note != "" || e.Finding != "") || e.Note != "" && e.Finding != "":
		o.r.bad(o.node, strings.TrimSuffix(o.path, "."), "", "has more than one of refused, note and finding", "keep one of them")
	case e.Refused != "":
		e.Text, e.With = "refused: "+e.Refused, o.untried("with")
	case e.Finding != "":
		e.Text, e.With = "finding: "+e.Finding, o.settings("with", s)
	default:
		e.Text, e.With = "note: "+e.Note, o.settings("with", s)
	}
	return e
}

// untried reads settings that are not expected to run.
func (o *object) untried(field string) (all []option.Pair) {
	n := o.values[field]
	if n == nil || n.Kind != yaml.MappingNode {
		o.bad(field, "is not a list of settings", "write key: value lines under it")
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		all = append(all, option.Pair{Key: n.Content[i].Value, Value: n.Content[i+1].Value, Line: n.Content[i].Line})
	}
	return all
}

// measured reads what is measured along a run.
func (o *object) measured(s *Scenario) Number { return o.measuredAt(s, false) }

// measuredAt reads what is measured; end says that the run's end is waited for.
func (o *object) measuredAt(s *Scenario, end bool) Number {
	e := Number{Measure: o.raw("measure")}
	m, ok := measures[e.Measure]
	if !ok {
		problem, remedy := "is not a measure", "the measures are "+strings.Join(Measures(), ", ")
		if near := option.Closest(e.Measure, Measures()); near != "" {
			remedy = "did you mean " + near + "?"
		} else if !o.has("measure") {
			problem = "is missing"
		}
		o.bad("measure", problem, remedy)
		return e
	}
	if m.end && !end {
		o.bad("measure", "is of the end of a run", "only an expectation can ask for it")
		return e
	}
	e.Unit = m.unit
	if m.vertex {
		if o.vertex("vertex", s) >= 0 {
			e.Vertex = o.raw("vertex")
		}
	} else {
		o.refuse("does not belong to "+e.Measure, "vertex")
	}
	e.From = o.span("from", 0, 0, longestRun)
	e.To = o.span("to", 0, 1, longestRun)
	if end := s.Setup.Duration; e.From >= end || e.To != 0 && e.To <= e.From {
		o.bad("from", "leaves no time to measure in", "write from: before to: and before the end of the run")
	}
	if id, ok := o.number("checkpoint", 1, math.MaxInt32); ok {
		e.Checkpoint = event.Checkpoint(id)
	}
	return e
}

// settings reads settings and tries them, so that a mistake shows when the file is read.
func (o *object) settings(field string, s *Scenario) (all []option.Pair) {
	n := o.values[field]
	if n == nil {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		o.bad(field, "is not a list of settings", "write key: value lines under it")
		return nil
	}
	if o.r.changed {
		return o.untried(field) // they were tried with the file's own
	}
	root := copyTree(s.root)
	for _, f := range spoken {
		drop(root, f) // else each of them would be read for each of them
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		p := option.Pair{Key: n.Content[i].Value, Value: n.Content[i+1].Value, Line: n.Content[i].Line}
		all = append(all, p)
		if err := set(root, p.Key, p.Value); err != nil {
			m := *err.(*option.Mistake)
			o.r.mistake(n.Content[i], &m)
			return all
		}
	}
	if _, err := build(o.r.file, root, s.root); err != nil {
		o.r.bad(n, o.path+field, "", "makes a scenario that cannot run: "+strings.ReplaceAll(err.Error(), "\n", "; "), "change the settings")
	}
	return all
}

// bounds reads about and within, or below and above.
func (o *object) bounds(u Unit) Bound {
	e := Bound{Low: math.Inf(-1), High: math.Inf(1)}
	var parts []string
	if about, ok := o.value("about", u); ok {
		o.need("within", "write how far off it may be, such as 2 %")
		by, ok := o.value("within", u)
		if share, isShare := percent(o.raw("within")); isShare {
			by, ok = about*share, true
		}
		if ok {
			e.Low, e.High = about-by, about+by
		}
		parts = append(parts, "about "+o.raw("about")+" within "+o.raw("within"))
	} else if !o.has("about") {
		o.refuse("needs about", "within")
	}
	if low, ok := o.value("above", u); ok {
		e.Low = max(e.Low, low)
		parts = append(parts, "above "+o.raw("above"))
	}
	if high, ok := o.value("below", u); ok {
		e.High = min(e.High, high)
		parts = append(parts, "below "+o.raw("below"))
	}
	e.Text = strings.Join(parts, ", ")
	if len(parts) == 0 && !o.has("about") && !o.has("above") && !o.has("below") {
		o.r.bad(o.node, strings.TrimSuffix(o.path, "."), "", "says nothing of the value", "write about: and within:, above: or below:")
	}
	return e
}

// percent reads "2 %".
func percent(text string) (float64, bool) {
	number, ok := strings.CutSuffix(text, "%")
	x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	return x / 100, ok && err == nil && x >= 0 && x <= 1000
}

// value reads a decimal with the unit of a measure: "1.5 s", "5000/s", "3 mb", "12".
func (o *object) value(field string, u Unit) (v float64, ok bool) {
	if _, isShare := percent(o.raw(field)); isShare && field == "within" {
		return 0, false
	}
	example := [...]string{Nanoseconds: "1.5 s", PerSecond: "5000/s", Bytes: "3 mb", Records: "12", Share: "0.935"}[u]
	ok = o.read(field, "write a value such as "+example, func(text string) error {
		number := strings.TrimRight(strings.TrimSpace(text), "abcdefghijklmnopqrstuvwxyzµ/ ")
		unit := strings.TrimSpace(text[len(number):])
		x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		factor, known := u.factor(unit)
		if err != nil || !known || math.IsNaN(x) || math.IsInf(x, 0) || x < 0 {
			return &option.Mistake{Problem: "is not a value of this measure", Remedy: "write one such as " + example}
		}
		v = x * factor
		return nil
	})
	return v, ok
}
