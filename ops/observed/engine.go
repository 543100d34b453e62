//go:build !js

package observed

import "regexp"

type engine = *regexp.Regexp

func compile(source string) engine { return regexp.MustCompile(source) }

func match(e engine, text string) []string { return e.FindStringSubmatch(text) }
