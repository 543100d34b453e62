package scenarios

import (
	"strings"
	"testing"

	"checkpointlab/core/option"
)

// What a file expects of its own run does not refuse a reader's: another setting than those of an expectation or a task's solution,
// a shorter run than a window, an action less than a knob names.
func TestChangesThatAnExpectationDoesNotFit(t *testing.T) {
	for _, c := range []struct {
		scenario string
		changes  []option.Pair
		said     string // of the notes
	}{
		{"chapter", []option.Pair{{Key: "execution.checkpointing.interval-during-backlog", Value: "5 min"}}, ""},
		{"restore-drill", []option.Pair{{Key: "job.vertices.count.parallelism", Value: "3"}}, ""},
		{"backpressure", []option.Pair{{Key: "run.duration", Value: "40 s"}}, "tasks: 2 of 3"},
		{"backpressure", []option.Pair{{Key: "script.1"}}, ""},
		{"rescale", []option.Pair{{Key: "script.1"}}, ""},
		{"expire", []option.Pair{{Key: "script.3"}, {Key: "script.2"}, {Key: "script.1"}, {Key: "run.duration", Value: "30 s"}}, "expect: 1 of 4"},
	} {
		s, err := Load(c.scenario)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.SetAll(c.changes); err != nil {
			t.Errorf("%s %v: %v", c.scenario, c.changes, err)
			continue
		}
		notes := ""
		for _, n := range s.Notes {
			notes += n.Key + ": " + n.Text + "\n"
		}
		if !strings.Contains(notes, c.said) || c.said == "" && strings.Contains(notes, "do not apply") {
			t.Errorf("%s %v: told %q, want %q", c.scenario, c.changes, notes, c.said)
		}
		if _, err := Parse(s.Marshal()); err != nil {
			t.Errorf("%s %v: written, it cannot be read again: %v", c.scenario, c.changes, err)
		}
		lab := ran(t, s)
		for i := range s.Tasks {
			if task := &s.Tasks[i]; task.Unfit && task.Done(s, lab.Setup(), lab.History()) {
				t.Errorf("%s %v: task %d does not apply and is done", c.scenario, c.changes, i+1)
			}
		}
		if text := s.Explained("ko", lab.Setup(), lab.History(), plainly{}); strings.Contains(text, "{") {
			t.Errorf("%s %v: explained by %q", c.scenario, c.changes, text)
		}
	}
}

// Load takes the embedded files for tested, so here they are read as strictly as anybody's.
func TestEmbeddedFilesFitThemselves(t *testing.T) {
	for _, name := range Names() {
		data, err := files.ReadFile(name + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ParseFile(name+".yaml", data); err != nil {
			t.Error(err)
		}
	}
}

// A file in which they do not go together is a mistake all the same, with its line.
func TestAFileMustFitItself(t *testing.T) {
	s, err := Load("chapter")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(s.Marshal()), "execution.checkpointing.interval: 60 s", "execution.checkpointing.interval: 60 s\n  execution.checkpointing.interval-during-backlog: 5 min", 1)
	if _, err := ParseFile("mine.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), "mine.yaml:") || !strings.Contains(err.Error(), "expect.11.with") {
		t.Errorf("%v, want the place of the expectation that cannot run", err)
	}
}
