// Package yaml is what the page's copy of go.yaml.in/yaml/v3 has in place of two regular expressions, which were compiled at the
// page's start with all of package regexp. The file is put into the copy as it is; see cmd/lab/serve/lean.go.
package yaml

import "strings"

// styleFloat matches ^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$ (resolve.go, yamlStyleFloat).
type styleFloat struct{}

// MatchString reports whether all of s is a number of YAML 1.2.
func (styleFloat) MatchString(s string) bool {
	whole, s := digits(unsigned(s))
	fraction := 0
	if after, ok := strings.CutPrefix(s, "."); ok {
		fraction, s = digits(after)
	}
	if whole+fraction == 0 {
		return false
	}
	if s == "" {
		return true
	}
	power, rest := digits(unsigned(s[1:]))
	return (s[0] == 'e' || s[0] == 'E') && power > 0 && rest == ""
}

// base60 matches ^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$ (encode.go, base60float).
type base60 struct{}

// MatchString reports whether all of s is a number of YAML 1.1 to the base of 60.
func (base60) MatchString(s string) bool {
	const underscored = "0123456789_"
	s = unsigned(s)
	if n, _ := digits(s); n == 0 {
		return false
	}
	s, fraction, _ := strings.Cut(strings.TrimLeft(s, underscored), ".")
	places, ok := strings.CutPrefix(s, ":")
	if !ok || strings.Trim(fraction, underscored) != "" {
		return false
	}
	for _, place := range strings.Split(places, ":") {
		n, rest := digits(place)
		if rest != "" || n != 1 && (n != 2 || place[0] > '5') {
			return false
		}
	}
	return true
}

// unsigned takes a sign away.
func unsigned(s string) string {
	if s != "" && (s[0] == '-' || s[0] == '+') {
		return s[1:]
	}
	return s
}

// digits counts the digits that a text begins with, and gives the rest.
func digits(s string) (n int, rest string) {
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n, s[n:]
}
