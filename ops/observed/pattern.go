package observed

import (
	"strings"
	"sync"
)

// pattern is a regular expression that is made when it is first asked for. The page, of which this is a part, asks its browser for
// it (engine_js.go), so that its program comes without an engine of its own, a thirtieth of the download. So a pattern has what both
// engines read alike, and either all of its groups have names (?P<name>…) or none has.
type pattern struct {
	made  func() engine
	names func() []string // of its groups in their order, "" first for the whole
}

func lazily(source string) *pattern {
	return &pattern{sync.OnceValue(func() engine { return compile(source) }), sync.OnceValue(func() []string { return groups(source) })}
}

// mostAsked is how much of a text a pattern is asked of, in bytes: a line may be a whole document, and a browser's engine goes back
// over what it has read.
const mostAsked = 4096

// find is the leftmost match with its groups, "" where one has no part in it; nil if there is none.
func (p *pattern) find(text string) []string {
	return match(p.made(), text[:min(len(text), mostAsked)])
}

func groups(source string) []string {
	all := []string{""}
	for _, part := range strings.Split(source, "(?P<")[1:] {
		name, _, _ := strings.Cut(part, ">")
		all = append(all, name)
	}
	return all
}
