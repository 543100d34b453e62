package yaml

import (
	"regexp"
	"testing"

	"pgregory.net/rapid"
)

// The patterns that go.yaml.in/yaml/v3 has.
var (
	float = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
	sixty = regexp.MustCompile(`^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$`)
)

func TestThePatternsMatchTheSame(t *testing.T) {
	matched := [2]int{}
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.StringMatching(`[-+]?[0-9]{0,2}[.]?[0-9]{0,2}[eE]?[-+]?[0-9]{0,2}`), rapid.StringMatching(`[-+]?[0-9_]{1,3}(:[0-9]{1,2}){0,3}[.]?[0-9_]{0,2}`),
			rapid.StringMatching(`[-+.0-9eE:_x\n]{0,7}`)).Draw(t, "s")
		if got, want := (styleFloat{}).MatchString(s), float.MatchString(s); got != want {
			t.Errorf("a number: %q is %v, want %v", s, got, want)
		} else if got {
			matched[0]++
		}
		if got, want := (base60{}).MatchString(s), sixty.MatchString(s); got != want {
			t.Errorf("to the base of 60: %q is %v, want %v", s, got, want)
		} else if got {
			matched[1]++
		}
	})
	if matched[0] == 0 || matched[1] == 0 {
		t.Errorf("matched %v: nothing was tried", matched)
	}
}
