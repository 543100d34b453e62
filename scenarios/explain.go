package scenarios

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"checkpointlab/core"
	"checkpointlab/core/option"

	"go.yaml.in/yaml/v3"
)

// Words is how the values inside an explanation are written for a reader.
type Words interface {
	Value(u Unit, value float64) string // a number of the run
	Setting(value string) string        // a setting that is written as value
	Particle(word, pair string) string  // the form of a Korean particle such as 이/가 that follows word
}

// numbers reads the named numbers, which the explanation may use.
func (r *reader) numbers(top *object, s *Scenario) {
	n := top.values["numbers"]
	if n == nil {
		return
	}
	if n.Kind != yaml.MappingNode {
		top.bad("numbers", "is not a mapping", "write name: {measure: …} lines under it")
		return
	}
	s.Numbers = map[string]Number{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name := n.Content[i].Value
		if _, taken := measures[name]; taken || !isName(name) {
			r.bad(n.Content[i], "numbers."+name, "", "is not a name for a number", "write up to 40 letters, digits, - or _, and no measure's name")
			continue
		}
		o := r.object(n.Content[i+1], "numbers."+name, numberFields...)
		before := len(r.mistakes)
		number := o.measured(s)
		number.unfit = r.unfit(before)
		s.Numbers[name] = number
	}
}

// explain reads the explanation and checks that each of its placeholders can be filled.
func (r *reader) explain(top *object, s *Scenario) {
	s.Explain = top.say("explain")
	for _, lang := range []string{"en", "ko"} {
		_, unknown := s.fill(s.Explain[lang], func(string, string) string { return "" }, nil)
		if unknown == "" || r.changed { // else it is a setting of an action that was taken out
			continue
		}
		remedy := "write a measure, a name under numbers:, or a setting, such as {visibility.mean} or {run.seed}"
		if near := option.Closest(unknown, s.fillable()); near != "" {
			remedy = "did you mean {" + near + "}?"
		}
		top.bad("explain", "names {"+unknown+"}, which is no number of a run", remedy)
		return
	}
}

// fillable are the names that an explanation can use without a setting's.
func (s *Scenario) fillable() []string {
	all := Measures()
	for name := range s.Numbers {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

// Explained is the scenario's explanation with the numbers of a run of it that has reached its end; "" if it has none.
func (s *Scenario) Explained(lang string, setup *core.Setup, h *core.History, w Words) string {
	text, _ := s.Filled(s.Explain[lang], setup, h, w)
	return text
}

// Filled is a text with the numbers of such a run, whose placeholders are those of an explanation. A placeholder that stands
// for nothing is an error.
func (s *Scenario) Filled(text string, setup *core.Setup, h *core.History, w Words) (string, error) {
	value := func(name, setting string) string {
		if n, ok := s.Number(name); ok {
			return w.Value(n.Unit, n.Of(setup, h))
		}
		return w.Setting(setting)
	}
	filled, unknown := s.fill(text, value, w)
	if unknown != "" {
		return "", fmt.Errorf("{%s} is no number of a run of %s: write a measure, one of the scenario's numbers, or a setting", unknown, s.Name)
	}
	return filled, nil
}

// Number finds one of the scenario's own numbers, or a measure over the whole run, by its name.
func (s *Scenario) Number(name string) (Number, bool) {
	if n, ok := s.Numbers[name]; ok {
		return n, true
	}
	m, ok := measures[name]
	return Number{Measure: name, Unit: m.unit}, ok && !m.vertex && !m.end
}

// fill puts values in for {name} and {name:이/가}. unknown is the first name that stands for nothing.
func (s *Scenario) fill(text string, value func(name, setting string) string, w Words) (filled, unknown string) {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{")
		out.WriteString(before)
		if !found {
			return out.String(), unknown
		}
		inside, after, _ := strings.Cut(rest, "}")
		text = after
		name, pair, _ := strings.Cut(inside, ":")
		setting := ""
		if _, ok := s.Number(name); !ok {
			k, err := s.Knob(name)
			if err != nil && unknown == "" {
				unknown = name
			}
			if setting = k.Value; err != nil {
				setting = "–"
			}
		}
		word := value(name, setting)
		out.WriteString(word)
		if pair != "" && w != nil {
			out.WriteString(w.Particle(word, pair))
		}
	}
}

// Task is something for the reader to bring about by changing settings.
type Task struct {
	Number
	Bound
	Do     map[string]string // what to do, by language
	Keep   []string          // settings that must stay as they are written
	Solved []option.Pair     // settings that do it; there may be others
	Unfit  bool              // it means nothing in a run of the settings as they now are
}

var taskFields = slices.Concat([]string{"do"}, numberFields, boundFields, []string{"keep", "solved"})

// tasks reads what a reader can bring about.
func (r *reader) tasks(top *object, s *Scenario) {
	for i, n := range top.items("tasks") {
		o := r.object(n, "tasks."+strconv.Itoa(i+1), taskFields...)
		if n.Kind != yaml.MappingNode {
			continue
		}
		before := len(r.mistakes)
		o.need("do", "write what is to be done, in en: and ko:")
		o.need("solved", "write settings that do it, so that it can be checked")
		t := Task{Number: o.measured(s), Do: o.say("do"), Keep: o.strings("keep"), Solved: o.settings("solved", s)}
		if len(r.mistakes) == before {
			t.Bound = o.bounds(t.Unit)
		}
		t.Unfit = r.unfit(before)
		for _, key := range t.Keep {
			if r.changed {
				break // read before
			}
			if err := s.checkKnob(key); err != nil {
				m := *err.(*option.Mistake)
				r.mistake(o.at("keep"), &m)
			}
		}
		if len(r.mistakes) == before {
			s.Tasks = append(s.Tasks, t)
		}
	}
}

// Done reports whether a run of the scenario as it now is, which has reached its end, does the task.
func (t *Task) Done(s *Scenario, setup *core.Setup, h *core.History) bool {
	if t.Unfit {
		return false
	}
	for _, c := range s.Changes() {
		key := c.Key
		if o, ok := option.Find(key); ok {
			key = o.Key
		}
		if contains(t.Keep, key) {
			return false
		}
	}
	return t.Holds(t.Of(setup, h))
}
