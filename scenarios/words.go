package scenarios

import (
	"strconv"
	"strings"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"

	"go.yaml.in/yaml/v3"
)

// Moment is something worth watching, with what to say about it.
type Moment struct {
	When string     // as written: "at 30 s", "first alignment", "third commit"
	At   event.Time // of a fixed instant; -1 if it depends on the run
	Kind event.Kind // else what happens
	Nth  int        // and for the how-manieth time, from 1
	Say  map[string]string
}

// In is the instant of the moment in a run; ok is false as long as it has not happened.
func (m *Moment) In(h *core.History) (at event.Time, ok bool) {
	if m.At >= 0 {
		return m.At, true
	}
	n := 0
	for i := range h.Moments {
		if h.Moments[i].Kind == m.Kind {
			if n++; n == m.Nth {
				return h.Moments[i].At, true
			}
		}
	}
	return 0, false
}

// happenings are what a moment can name: those that a run's History marks.
var happenings = []struct {
	word string
	kind event.Kind
}{
	{"alignment", event.ChannelBlocked}, {"commit", event.Committed}, {"failed checkpoint", event.CheckpointFailed},
	{"failure", event.TaskFailed}, {"recovery", event.TaskRunning}, {"action", event.ScriptDone},
	{"end of the job", event.JobFinished}, {"refusal", event.RescaleRefused},
}

var ordinals = []string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"}

const momentRemedy = "write at 30 s, or first to tenth with alignment, commit, failed checkpoint, failure, recovery, action, end of the job or refusal"

// parseMoment reads a moment's when.
func parseMoment(text string) (Moment, error) {
	m := Moment{When: text, At: -1, Nth: 1}
	first, rest, _ := strings.Cut(strings.Join(strings.Fields(text), " "), " ")
	if first == "at" {
		at, err := option.ParseDuration(rest)
		m.At = at
		return m, err
	}
	for i, o := range ordinals {
		if first == o {
			m.Nth = i + 1
		}
	}
	for _, h := range happenings {
		if contains(ordinals, first) && rest == h.word {
			m.Kind = h.kind
			return m, nil
		}
	}
	return m, &option.Mistake{Problem: "is not a moment", Remedy: momentRemedy}
}

// words reads what is for the reader, once the job stands.
func (r *reader) words(top *object, s *Scenario) {
	for i, n := range top.items("knobs") {
		if err := s.checkKnob(n.Value); err != nil || n.Kind != yaml.ScalarNode {
			m := option.Mistake{Problem: "is not a key", Remedy: "write a key as for --set"}
			if err != nil {
				m = *err.(*option.Mistake)
			}
			if r.changed {
				continue // it is of an action that was taken out
			}
			m.Key = "knobs." + strconv.Itoa(i+1)
			m.Value, m.OfKey = n.Value, false
			r.mistake(n, &m)
			continue
		}
		s.Knobs = append(s.Knobs, n.Value)
	}
	for i, n := range top.items("moments") {
		o := r.object(n, "moments."+strconv.Itoa(i+1), "when", "say")
		var m Moment
		o.need("when", momentRemedy)
		o.need("say", "write what to watch, in en: and ko:")
		if o.read("when", momentRemedy, func(text string) (err error) { m, err = parseMoment(text); return err }) {
			m.Say = o.say("say")
			s.Moments = append(s.Moments, m)
		}
	}
	if n := top.values["predict"]; n != nil {
		r.predict(n, s)
	}
	s.Show = min(top.span("show", 0, 0, longestRun), s.Setup.Duration)
	r.numbers(top, s)
	r.explain(top, s)
	r.tasks(top, s)
	r.caseOf(top, s)
	r.expect(top, s)
	r.tellUnfit(s)
}

func (r *reader) predict(n *yaml.Node, s *Scenario) {
	o := r.object(n, "predict", "ask", "choices", "answer", "why")
	p := &Prediction{Ask: o.say("ask"), Why: o.say("why")}
	o.need("ask", "write the question")
	for i, c := range o.items("choices") {
		p.Choices = append(p.Choices, r.say(c, "predict.choices."+strconv.Itoa(i+1)))
	}
	if len(p.Choices) < 2 {
		o.bad("choices", "are too few", "list at least two")
		return
	}
	o.need("answer", "write the number of the right choice")
	if a, ok := o.number("answer", 1, int64(len(p.Choices))); ok {
		p.Answer = int(a) - 1
	}
	s.Predict = p
}
