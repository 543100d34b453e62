package scenarios

import (
	"iter"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// shapes are the patterns that the functions of pattern.go stand for, and texts that are nearly so.
var shapes = []struct {
	name, pattern string
	near          string // a pattern of such texts
	read          func(string) [][2]string
}{
	{"flatLine", `^\s*([A-Za-z0-9_$.-]+)\s*:\s+(.*?)\s*(?:\s#.*)?$`, `[ ]?[a.-]{0,2}[ ]?:?[ \t]{0,2}[x# :]{0,5}`, single(flatLine)},
	{"unspaced", `^\s*([A-Za-z][A-Za-z0-9_$-]*(?:\.[A-Za-z0-9_$-]+)+)\s*:(\S.*)$`, `[ ]?[aZ1._]{1,5}[ ]?:[ x:]{0,3}`, single(unspaced)},
	{"dynamic", `(?:^|\s)-y?D\s*["']?([A-Za-z0-9_$.-]+)=("[^"]*"|'[^']*'|[^\s"']+)`, `([ \n]?-y?D?[ ]?["']?[a.D-]{0,2}=?["']?[x =]{0,2}["']?){0,3}`, all(dynamic)},
	{"setSQL", `(?im)^\s*SET\s+['"]([A-Za-z0-9_$.-]+)['"]\s*=\s*('[^']*'|"[^"]*")\s*;?\s*$`,
		`(\n?[ \n]?(SET|set)[ \n]?['"][a.]{0,2}['"][ \n]?=?[ ]?['"][x\n]{0,2}['"][ ;\n]{0,3}x?){0,3}`, all(setSQL)},
	{"bareSQL", `(?i)^\s*SET\s+(\S+)\s*=\s*(.+?)\s*;?\s*$`, `[ ]?(SET|set)[ ]{0,2}[a=]{0,4}[ ]?[=x]{0,2}[ ]?[x=]{0,2}[ ]?;{0,2}[ ]?`, single(bareSQL)},
	{"shell", `FLINK_PROPERTIES=(?:"([^"]*)"|'([^']*)')`, `((FLINK_PROPERTIES=|F)["'x]{0,4}){0,3}`, func(s string) [][2]string {
		if inner, at, ok := shell(s); ok {
			return [][2]string{{s[at:][:len(inner)], ""}}
		}
		return nil
	}},
}

func single(read func(string) (string, string, bool)) func(string) [][2]string {
	return func(s string) [][2]string {
		if key, value, ok := read(s); ok {
			return [][2]string{{key, value}}
		}
		return nil
	}
}

func all(read func(string) iter.Seq[assigned]) func(string) [][2]string {
	return func(s string) (out [][2]string) {
		for a := range read(s) {
			if !strings.HasPrefix(s[a.at:], a.key) {
				return [][2]string{{"the place of", a.key}}
			}
			out = append(out, [2]string{a.key, a.value})
		}
		return out
	}
}

func TestShapesAreTheirPatterns(t *testing.T) {
	for _, shape := range shapes {
		t.Run(shape.name, func(t *testing.T) {
			pattern, some := regexp.MustCompile(shape.pattern), 0
			rapid.Check(t, func(t *rapid.T) {
				for _, text := range rapid.SliceOfN(rapid.StringMatching(shape.near), 100, 100).Draw(t, "texts") {
					some += agree(t, shape.name, shape.read(text), pattern.FindAllStringSubmatch(text, -1), text)
				}
			})
			if some == 0 {
				t.Error("nothing was tried that has the shape")
			}
		})
	}
}

// agree compares what was read with what the pattern finds, and counts it.
func agree(t *rapid.T, name string, got [][2]string, all [][]string, text string) int {
	var want [][2]string
	for _, m := range all {
		want = append(want, [2]string{m[1], m[2]})
	}
	if name == "shell" && len(want) > 0 { // one of two groups, and the first place only
		want = [][2]string{{want[0][0] + want[0][1], ""}}
	}
	if name == "bareSQL" && len(want) > 0 && strings.TrimSpace(want[0][1]) == "" {
		return 0 // a blank is no value, whatever the pattern makes of it
	}
	if !slices.Equal(got, want) {
		t.Fatalf("%q: %q, want %q", text, got, want)
	}
	return len(got)
}
