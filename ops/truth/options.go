package truth

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"checkpointlab/core/option"
)

// options resolves the framework's options with the setting's own over them. A real Flink ran with them: what the lab would
// refuse did not act there, or was not refused, and is left out with a note; unless the real one failed, which this may be about.
func (s *Setting) options(version string, failed bool) (option.Config, []string, error) {
	merged := maps.Clone(frameworkOptions)
	maps.Copy(merged, s.Flink)
	var pairs []option.Pair
	for _, k := range sortedKeys(merged) {
		pairs = append(pairs, option.Pair{Key: k, Value: merged[k]})
	}
	followed := nearest(version)
	var notes []string
	if _, err := option.ParseVersion(version); err != nil {
		notes = append(notes, "Flink "+version+" is simulated as "+followed)
	}
	for {
		config, noted, err := option.Resolve(followed, pairs)
		if err == nil {
			for _, n := range noted {
				notes = append(notes, n.Key+": "+n.Text)
			}
			return config, notes, nil
		}
		if failed {
			return config, notes, err
		}
		before := len(pairs)
		for _, m := range mistakes(err) {
			notes = append(notes, fmt.Sprintf("left out: %v", m))
			pairs = slices.DeleteFunc(pairs, func(q option.Pair) bool { return q.Key == m.Key })
		}
		if len(pairs) == before {
			return config, notes, err
		}
	}
}

// mistakes are those that were joined into an error.
func mistakes(err error) (all []*option.Mistake) {
	list := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		list = joined.Unwrap()
	}
	for _, e := range list {
		if m, ok := e.(*option.Mistake); ok {
			all = append(all, m)
		}
	}
	return all
}

// nearest is the version that the lab follows: the newest one of the same major version that is not newer, else the first of
// that, else the nearest.
func nearest(version string) string {
	best := option.Versions[0]
	for _, v := range option.Versions {
		if !newer(v, version) || major(v) == major(version) && major(best) != major(version) {
			best = v
		}
	}
	return best
}

func major(version string) int { return leadingNumber(version) }

// newer reports whether version a, like 1.20, is newer than b, which may have more parts.
func newer(a, b string) bool {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	for i := range x {
		if i == len(y) {
			return true
		}
		if p, q := leadingNumber(x[i]), leadingNumber(y[i]); p != q {
			return p > q
		}
	}
	return false
}

// leadingNumber is the number that a part of a version begins with: 4 of "4-SNAPSHOT".
func leadingNumber(part string) int {
	end := strings.IndexFunc(part, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(part)
	}
	n, _ := strconv.Atoi(part[:end])
	return n
}
