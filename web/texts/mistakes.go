package texts

import (
	_ "embed"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"

	"checkpointlab/core/option"
)

//go:embed mistakes.ko.txt
var mistakesKo string

//go:embed findings.ko.txt
var findingsKo string

// Mistakes are the sentences of an error, one for each mistake in it. The core and the scenarios say them in English; the Korean
// table turns them into Korean, with keys and values as they are.
func (t *Table) Mistakes(err error) []string {
	var joined interface{ Unwrap() []error }
	if errors.As(err, &joined) {
		var all []string
		for _, e := range joined.Unwrap() {
			all = append(all, t.Mistakes(e)...)
		}
		return all
	}
	if t.lang != "ko" {
		return []string{ended(err.Error())}
	}
	var m *option.Mistake
	if errors.As(err, &m) {
		return []string{inKorean(m)}
	}
	return []string{ended(Translate(err.Error()))}
}

// Finding is a sentence of ops/finding, which are found in English, in the table's language.
func (t *Table) Finding(english string) string {
	if t.lang != "ko" {
		return ended(english)
	}
	return ended(translate(english, option.Korean))
}

func ended(sentence string) string {
	if strings.HasSuffix(sentence, ".") || strings.HasSuffix(sentence, "?") {
		return sentence
	}
	return sentence + "."
}

// inKorean is Mistake.Error in Korean: where, what it is about, what is wrong, what to do.
func inKorean(m *option.Mistake) string {
	where, what := "", ""
	if m.File != "" {
		where = m.File + ": "
	}
	if m.Line > 0 {
		where += strconv.Itoa(m.Line) + "행: "
	}
	switch {
	case m.Key != "" && m.OfKey && m.Value != "":
		what = m.Key + "(값 " + option.Quote(m.Value) + "): "
	case m.Key != "" && m.Value != "":
		what = m.Key + ": " + option.Quote(m.Value) + ": "
	case m.Key != "":
		what = m.Key + ": "
	case m.Value != "":
		what = option.Quote(m.Value) + ": "
	}
	sentence := where + what + ended(Translate(m.Problem))
	if m.Remedy != "" {
		sentence += " " + ended(Translate(m.Remedy))
	}
	return sentence
}

// Translate gives the Korean of a sentence about a mistake or of a finding; one that the tables lack stays as it is.
func Translate(english string) string {
	return translate(english, func(value string) string { return value })
}

// translate is Translate with what is done to each value.
func translate(english string, say func(string) string) string {
	for _, p := range patterns() {
		if values, ok := p.match(english); ok {
			return p.korean(values, say)
		}
	}
	return english
}

// pattern is a line of a table: the English sentence cut at its values, and the Korean one.
type pattern struct {
	parts []string
	ko    string
}

// patterns are the lines of both tables; those that say more come first.
var patterns = sync.OnceValue(func() []pattern {
	var all []pattern
	for line := range strings.Lines(mistakesKo + findingsKo) {
		en, ko, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " => ")
		if ok && !strings.HasPrefix(line, "#") {
			all = append(all, pattern{strings.Split(en, "{}"), ko})
		}
	}
	slices.SortStableFunc(all, func(a, b pattern) int { return b.said() - a.said() })
	return all
})

// said is how much of the sentence is fixed.
func (p *pattern) said() (n int) {
	for _, part := range p.parts {
		n += len(part)
	}
	return n
}

// match finds the values between the fixed parts, each as short as it can be.
func (p *pattern) match(text string) (values []string, ok bool) {
	rest, ok := strings.CutPrefix(text, p.parts[0])
	if !ok {
		return nil, false
	}
	for i, part := range p.parts[1:] {
		at := strings.Index(rest, part)
		if i == len(p.parts)-2 { // the last one ends the sentence
			at = len(rest) - len(part)
			if !strings.HasSuffix(rest, part) {
				at = -1
			}
		}
		if at < 0 {
			return nil, false
		}
		values = append(values, rest[:at])
		rest = rest[at+len(part):]
	}
	return values, rest == ""
}

// korean fills the values in: {} is the next one, {2} the second, {이/가} the particle that fits what stands before it, and
// {2:이/가} both.
func (p *pattern) korean(values []string, say func(string) string) string {
	var out strings.Builder
	next := 0
	for text := p.ko; ; {
		before, rest, found := strings.Cut(text, "{")
		out.WriteString(before)
		if !found {
			return out.String()
		}
		name, after, closed := strings.Cut(rest, "}")
		text = after
		number, pair, both := strings.Cut(name, ":")
		switch n, err := strconv.Atoi(number); {
		case !closed:
			out.WriteString("{" + rest)
			return out.String()
		case name == "":
			out.WriteString(inside(values[next], say))
			next++
		case err == nil:
			out.WriteString(inside(values[n-1], say))
			if both {
				out.WriteString(Particle(out.String(), pair))
			}
		case strings.Contains(name, "/"):
			out.WriteString(Particle(out.String(), name))
		default: // part of what is quoted, such as {measure: …}
			out.WriteString("{" + name + "}")
		}
	}
}

// inside is a value in a Korean sentence: a sentence of the table itself, or a list without its English conjunction.
func inside(value string, say func(string) string) string {
	if ko := translate(value, say); ko != value && strings.Contains(value, " ") {
		return ko
	}
	if said := say(value); said != value {
		return said
	}
	for _, word := range []string{" or ", " and "} {
		value = strings.ReplaceAll(value, word, ", ")
	}
	return strings.ReplaceAll(value, " to ", "–")
}
