package observed

import (
	"strings"
	"testing"

	"checkpointlab/core/option"
	"checkpointlab/scenarios"
	"checkpointlab/scenarios/pastetest"
)

func TestCases(t *testing.T) { pastetest.Run(t, "testdata/*.case", 25, said) }

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
