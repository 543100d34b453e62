package option

import (
	"slices"
	"strings"
)

// Versions are the versions of Flink that the lab follows, oldest first.
var Versions = [...]string{"1.18", "1.20", "2.3"}

// indexes into Versions
const (
	v118 = iota
	v120
	v23
)

// ParseVersion reads "2.3" or "2.3.0"; "" is the newest. An error is a *Mistake without a key.
func ParseVersion(s string) (string, error) {
	v, m := parseVersion(s)
	if m != nil {
		return "", m
	}
	return Versions[v], nil
}

func parseVersion(s string) (int, *Mistake) {
	s = strings.TrimSpace(s)
	if s == "" {
		return len(Versions) - 1, nil
	}
	short := s
	if parts := strings.SplitN(s, ".", 3); len(parts) == 3 {
		short = parts[0] + "." + parts[1]
	}
	if i := slices.Index(Versions[:], short); i >= 0 {
		return i, nil
	}
	return 0, &Mistake{Value: s, Problem: "is not a version of Flink that the lab follows", Remedy: "write 1.18, 1.20 or 2.3"}
}

func mustVersion(s string) int {
	v, m := parseVersion(s)
	if m != nil {
		panic(m)
	}
	return v
}
