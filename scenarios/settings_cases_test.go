package scenarios

import (
	"strings"
	"testing"

	"checkpointlab/core/option"
	"checkpointlab/scenarios/pastetest"
)

func TestSettingsCases(t *testing.T) { pastetest.Run(t, "testdata/settings/*.case", 15, saidOf) }

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
