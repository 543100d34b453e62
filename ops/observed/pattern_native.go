//go:build !js

package observed

import (
	"regexp"
	"sync"
)

type pattern struct {
	source string
	made   func() *regexp.Regexp
}

func lazily(source string) *pattern {
	return &pattern{source, sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(source) })}
}

func (p *pattern) match(text string) []string { return p.made().FindStringSubmatch(text) }
