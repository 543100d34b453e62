package scene

import (
	"strings"
	"unicode/utf8"
)

// particles resolves Korean particles written as {을/를}: the first form follows a closed syllable. Names and numbers end
// in digits or Latin letters, which are read aloud in Korean.
func particles(text string) string {
	var out strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "{")
		if !ok {
			out.WriteString(text)
			return out.String()
		}
		forms, after, closed := strings.Cut(rest, "}")
		one, two, pair := strings.Cut(forms, "/")
		if !closed || !pair {
			out.WriteString(text)
			return out.String()
		}
		out.WriteString(before)
		if last, _ := utf8.DecodeLastRuneInString(before); endsClosed(last) {
			out.WriteString(one)
		} else {
			out.WriteString(two)
		}
		text = after
	}
}

// endsClosed reports whether a character, read in Korean, ends in a consonant.
func endsClosed(r rune) bool {
	switch {
	case r >= '가' && r <= '힣':
		return (r-'가')%28 != 0
	case r >= '0' && r <= '9':
		return strings.ContainsRune("013678", r)
	}
	return strings.ContainsRune("lmnprLMNPR", r)
}
