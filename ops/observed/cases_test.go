package observed

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"checkpointlab/core/option"
	"checkpointlab/scenarios"
)

// Each file of testdata is what somebody pasted, with what an operator concludes from it: what has to be said, and what must not.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("testdata/*.case")
	if err != nil || len(files) < 25 {
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
			input = strings.NewReplacer("<CR>", "\r", "<ESC>", "\x1b").Replace(input)
			got := said(t, input)
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

// said is all that is said of a text, one thing a line. Each sentence has to be there in Korean, too.
func said(t *testing.T, text string) string {
	t.Helper()
	all, err := Read(text)
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	for _, s := range all {
		if s.Settings != "" {
			read, err := scenarios.ReadSettings(s.Settings, "")
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range read[0].Given {
				o, _ := option.Find(p.Key)
				b.WriteString("settings: " + o.Key + " = " + read[0].Effective(o.Key) + "\n")
			}
			continue
		}
		b.WriteString(s.Form + "\n")
		for _, f := range s.Facts {
			b.WriteString(f.Name + " = " + f.Text + "\n")
		}
		for _, n := range s.Notes {
			if n.Ko == "" || n.Ko == n.Text || strings.Contains(n.Text+n.Ko, "%!") {
				t.Errorf("in both languages has to be said %q, %q", n.Text, n.Ko)
			}
			b.WriteString(n.Text + "\n")
		}
	}
	return b.String()
}
