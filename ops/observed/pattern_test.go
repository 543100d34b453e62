package observed

import (
	"slices"
	"strings"
	"testing"
)

func TestPatternsNamesAreThoseOfItsGroups(t *testing.T) {
	p := lazily(`^(?P<id>\d+)(?: of (?P<job>\w+))?(?: or (?P<id>\d+))?`)
	for text, want := range map[string][]string{"7 or 8": {"7 or 8", "7", "", "8"}, "7 of a": {"7 of a", "7", "a", ""}, "a": nil} {
		if got := p.find(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := p.names(); !slices.Equal(got, []string{"", "id", "job", "id"}) {
		t.Errorf("names %q", got)
	}
}

func TestAPatternIsAskedOfABeginning(t *testing.T) {
	if lazily(`a$`).find(strings.Repeat("a", mostAsked)+"b") == nil {
		t.Error("what is behind it counts")
	}
}

func TestColourlessLines(t *testing.T) {
	for line, want := range map[string]string{
		"\x1b[32mINFO\x1b[0;39m [main] x[3] m": "INFO [main] x[3] m",
		"[36mo.a.f[0m[":                        "o.a.f[",
		"a\x1b[m":                              "a",
		"[12":                                  "[12",
	} {
		if got := colourless(line); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}
