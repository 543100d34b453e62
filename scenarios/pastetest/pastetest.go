// Package pastetest holds what is said of pasted texts against files of cases. It is for tests alone.
//
// A case is what somebody pasted, with what an operator concludes from it: a text in words, then the lines that have to be said
// (-- says --), those that must not (-- says not --), and what was pasted (-- input --), in which <CR> and <ESC> stand for these
// characters.
package pastetest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Run runs the cases whose files a pattern matches, of which there are at least some; said is all that is said of a text, one thing a
// line.
func Run(t *testing.T, pattern string, least int, said func(t *testing.T, input string) string) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) < least {
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
			got := said(t, strings.NewReplacer("<CR>", "\r", "<ESC>", "\x1b").Replace(input))
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
