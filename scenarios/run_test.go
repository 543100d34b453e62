package scenarios

import (
	"flag"
	"regexp"
	"strings"
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/ops/finding"
)

// seeds is for how many seeds each expectation must hold; lab verify --scenarios --seeds says the same natively, this under
// Node, too.
var seeds = flag.Uint64("scenario-seeds", 1, "seeds for each expectation of a scenario")

// ran is the run of a scenario up to its end.
func ran(t *testing.T, s *Scenario) *core.Lab {
	t.Helper()
	lab, err := core.New(s.Setup)
	if err != nil {
		t.Fatal(err)
	}
	lab.Advance(s.Setup.Duration, 0)
	return lab
}

// Every embedded scenario comes to what it says, and every moment happens within the run.
func TestExpectations(t *testing.T) {
	each(t, func(t *testing.T, name string, s *Scenario) {
		h := ran(t, s).History()
		last := event.Time(0)
		for i := range s.Moments {
			m := &s.Moments[i]
			at, ok := m.In(h)
			if !ok || at < last || at > s.Setup.Duration {
				t.Errorf("%s: %q is at %s, %v, after %s", name, m.When, option.FormatDuration(at), ok, option.FormatDuration(last))
			}
			last = at
		}
		for n := range *seeds {
			expected(t, name, s, n)
		}
	})
}

// expected checks what a scenario expects with its n-th seed.
func expected(t *testing.T, name string, s *Scenario, n uint64) {
	t.Helper()
	for i := range s.Expect {
		e := &s.Expect[i]
		seen, holds, err := s.Check(e, func(v *Scenario, _ []option.Pair) (*core.Lab, error) {
			v.Setup.Seed += n
			return ran(t, v), nil
		}, finding.Of)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !holds {
			t.Errorf("%s, seed %d: %s %s is %s, expected %s (%s); to see it: %s", name, s.Setup.Seed+n, e.Measure, e.Vertex, seen, e.Text, e.Source, s.Command(e))
		}
	}
}

// Every task is still to be done in the run as it is written, and its solution does it.
func TestTasks(t *testing.T) {
	each(t, func(t *testing.T, name string, s *Scenario) {
		lab := ran(t, s)
		for i := range s.Tasks {
			task := &s.Tasks[i]
			if task.Done(s, lab.Setup(), lab.History()) {
				t.Errorf("%s: task %d, %q, is done from the start: %s is %s", name, i+1, task.Do["en"], task.Measure, task.Unit.FormatValue(task.Of(lab.Setup(), lab.History())))
			}
			v := s.Clone()
			if err := v.SetAll(task.Solved); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			solved := ran(t, v)
			if !task.Done(v, solved.Setup(), solved.History()) {
				t.Errorf("%s: task %d, %q, is not done by %v: %s is %s", name, i+1, task.Do["en"], task.Solved, task.Measure, task.Unit.FormatValue(task.Of(solved.Setup(), solved.History())))
			}
		}
	})
}

// plainly writes values as reports do.
type plainly struct{}

func (plainly) Value(u Unit, v float64) string { return u.FormatValue(v) }
func (plainly) Setting(value string) string    { return value }
func (plainly) Particle(string, string) string { return "" }

// dated is a source that says when: a year, the version of Flink, or that it is assumed, arithmetic or the operations chapter's.
var dated = regexp.MustCompile(`\b(19|20)\d\d\b|Flink \d\.\d+|retrieved|^Assumed|^Arithmetic|^Closed form|^Exact|^Buffer arithmetic|^Not reached|chapter's|^Flushers|^A task|^Region`)

// Every embedded scenario has all of its parts, each in both languages, and each part says where it is from.
func TestEveryPartIsSaid(t *testing.T) {
	each(t, func(t *testing.T, name string, s *Scenario) {
		said := func(what string, text map[string]string) {
			if text["en"] == "" || text["ko"] == "" || text["en"] == text["ko"] && regexp.MustCompile(`[a-z]{4} [a-z]`).MatchString(text["en"]) {
				t.Errorf("%s: %s is not said in both languages: %q", name, what, text)
			}
		}
		for i := range s.Moments {
			said("moment "+s.Moments[i].When, s.Moments[i].Say)
		}
		if s.Predict == nil {
			t.Fatalf("%s has no prediction", name)
		}
		said("the prediction's question", s.Predict.Ask)
		said("the prediction's reason", s.Predict.Why)
		for _, c := range s.Predict.Choices {
			said("a choice", c)
		}
		for i := range s.Tasks {
			said("task", s.Tasks[i].Do)
		}
		for _, lang := range []string{"en", "ko"} {
			if !strings.Contains(s.Explain[lang], "{") {
				t.Errorf("%s: the explanation in %s uses no number of the run", name, lang)
			}
		}
		for _, source := range s.Sources {
			if !dated.MatchString(source) {
				t.Errorf("%s: the source %q has no year", name, source)
			}
		}
		for i := range s.Expect {
			if s.Expect[i].Source == "" {
				t.Errorf("%s: expectation %d, %s, does not say where its number is from", name, i+1, s.Expect[i].Measure)
			}
		}
		if n := len(s.Knobs); n < 2 || n > 8 {
			t.Errorf("%s: %d knobs; the first two to four stand in front", name, n)
		}
	})
}

// Every embedded scenario says all of itself in both languages, and its numbers are there.
func TestEveryScenarioIsWhole(t *testing.T) {
	each(t, func(t *testing.T, name string, s *Scenario) {
		lab := ran(t, s)
		for _, lang := range []string{"en", "ko"} {
			for field, text := range map[string]string{"title": s.Title[lang], "question": s.Question[lang], "idea": s.Idea[lang],
				"explain": s.Explained(lang, lab.Setup(), lab.History(), plainly{})} {
				if text == "" || strings.Contains(text, "nothing measured") {
					t.Errorf("%s: %s in %s is %q", name, field, lang, text)
				}
			}
		}
		if len(s.Knobs) < 2 || len(s.Moments) == 0 || s.Predict == nil || len(s.Expect) == 0 || len(s.Sources) == 0 || len(s.Tasks) == 0 || s.Show == 0 {
			t.Errorf("%s: knobs %d, moments %d, prediction %v, expectations %d, sources %d, tasks %d, show %d: each scenario has them all",
				name, len(s.Knobs), len(s.Moments), s.Predict != nil, len(s.Expect), len(s.Sources), len(s.Tasks), s.Show)
		}
	})
}

// each tests every embedded scenario beside the others.
func each(t *testing.T, test func(*testing.T, string, *Scenario)) {
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := Load(name)
			if err != nil {
				t.Fatal(err)
			}
			test(t, name, s)
		})
	}
}
