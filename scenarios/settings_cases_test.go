package scenarios

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"checkpointlab/core/option"
)

// Each file is a configuration as somebody pasted it, with what has to be said of it and what must not.
func TestSettingsCases(t *testing.T) {
	files, err := filepath.Glob("testdata/settings/*.case")
	if err != nil || len(files) < 15 {
		t.Fatalf("%d cases are found: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".case"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			head, input, ok := strings.Cut(string(data), "-- input --\n")
			says, not, both := strings.Cut(head, "-- says not --\n")
			_, says, third := strings.Cut(says, "-- says --\n")
			if !ok || !both || !third {
				t.Fatal("a case has a text, -- says --, -- says not -- and -- input --")
			}
			got := saidOf(t, input)
			for line := range strings.Lines(says) {
				if line = strings.TrimSpace(line); !strings.Contains(got, line) {
					t.Errorf("it does not say %q:\n%s", line, got)
				}
			}
			for line := range strings.Lines(not) {
				if line = strings.TrimSpace(line); strings.Contains(got, line) {
					t.Errorf("it says %q:\n%s", line, got)
				}
			}
		})
	}
}

// saidOf is all that is said of a text, one thing a line; each note has its Korean.
func saidOf(t *testing.T, input string) string {
	t.Helper()
	all, err := ReadSettings(input, "")
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	for i := range all {
		s := &all[i]
		b.WriteString(s.Form + ", " + s.Version + "\n")
		for _, q := range s.Given {
			value := s.Effective(q.Key)
			if value == "" {
				value = q.Value
			}
			b.WriteString(today(q.Key) + " = " + value + "\n")
		}
		for _, q := range s.Beside {
			b.WriteString(q.Key + " = " + q.Value + "\n")
		}
		for _, f := range s.Fatal {
			b.WriteString("does not start: " + f.Error() + "\n")
		}
		for _, n := range s.Notes {
			if n.Ko == "" {
				t.Errorf("%s has no Korean", n.Text)
			}
			b.WriteString(n.In("en") + "\n")
		}
	}
	return b.String()
}

func today(key string) string {
	if o, ok := option.Find(key); ok {
		return o.Key
	}
	return key
}
