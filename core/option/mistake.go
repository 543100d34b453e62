package option

import (
	"strconv"
	"strings"
)

// Mistake is something a user wrote that cannot be used: where, which key, which value, what is wrong and what to do instead.
// Resolve and the scenario loader join several of them with errors.Join.
type Mistake struct {
	File    string // "" = no file
	Line    int    // 1-based; 0 = no line
	Key     string
	Value   string // "" = no value was given
	Problem string // follows the value, or the key if OfKey: "is shorter than 10 ms"
	Remedy  string // "write 10 ms or more"
	OfKey   bool   // the key is wrong, not the value
}

// Error is one sentence, for example
//
//	line 3: execution.checkpointing.interval: "5 ms" is shorter than 10 ms, which Flink refuses; write 10 ms or more
//	line 4: execution.checkpointing.intervall (set to "1 s") is not an option of Flink; did you mean execution.checkpointing.interval?
func (m *Mistake) Error() string {
	var b strings.Builder
	switch {
	case m.File != "" && m.Line > 0:
		b.WriteString(m.File + ":" + strconv.Itoa(m.Line) + ": ")
	case m.File != "":
		b.WriteString(m.File + ": ")
	case m.Line > 0:
		b.WriteString("line " + strconv.Itoa(m.Line) + ": ")
	}
	key := word(m.Key)
	switch {
	case key != "" && m.OfKey && m.Value != "":
		b.WriteString(key + " (set to " + Quote(m.Value) + ") ")
	case key != "" && m.Value != "":
		b.WriteString(key + ": " + Quote(m.Value) + " ")
	case key != "":
		b.WriteString(key + " ")
	case m.Value != "":
		b.WriteString(Quote(m.Value) + " ")
	}
	b.WriteString(m.Problem)
	if m.Remedy != "" {
		b.WriteString("; " + m.Remedy)
	}
	return b.String()
}

// Quote keeps a pasted page of text from becoming the message.
func Quote(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return strconv.Quote(s)
}

// word is a key as it is, unless it is none.
func word(key string) string {
	if len(key) > longestWord || strings.ContainsFunc(key, func(r rune) bool { return !strconv.IsPrint(r) }) {
		return Quote(key)
	}
	return key
}

// at is the mistake with its place; nil stays nil.
func (m *Mistake) at(p Pair) *Mistake {
	if m == nil {
		return nil
	}
	c := *m
	c.Key, c.Value, c.Line = p.Key, p.Value, p.Line
	return &c
}

// Severity says how much a note matters.
type Severity uint8

// The severities.
const (
	Info    Severity = iota // good to know
	Warning                 // the run is not what the text seems to ask for
)

// Note is something that Flink or the lab does with an option without refusing it.
type Note struct {
	Key, Value string
	Line       int // 1-based; 0 = no line
	Text       string
	Ko         string // the same in Korean
	Severity   Severity
}

// Words is what the note says in a language, "ko" or "en". A note without its Korean is said in English.
func (n Note) Words(lang string) string {
	if lang == "ko" && n.Ko != "" {
		return n.Ko
	}
	return n.Text
}

// In is the note as a sentence in a language, with what it is about.
func (n Note) In(lang string) string {
	text := n.Words(lang)
	switch {
	case n.Key != "":
		return n.Key + ": " + text
	case n.Value != "":
		return n.Value + ": " + text
	}
	return text
}
