package scenarios

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// kind is what a token is.
type kind uint8

const (
	word   kind = iota // an identifier or a keyword
	number             // 60_000L without its underscores and suffix
	quoted             // a text without its quotes
	mark               // all else: one sign, or two of ==, =>, <=, >=, !=, ->
)

// token is a word of a program in Java, Scala, Kotlin, Python or SQL.
type token struct {
	kind     kind
	text     string
	line     int // from 1
	from, to int // where it stands, in bytes
}

func (t token) is(text string) bool { return t.kind == mark && t.text == text }

// lexer cuts a program into tokens. It knows no language: comments are those of any of them.
type lexer struct {
	text     string
	at, line int
	all      []token
}

func tokensOf(program string) []token {
	l := &lexer{text: program, line: 1}
	for l.at < len(l.text) {
		l.next()
	}
	return l.all
}

func (l *lexer) next() {
	rest := l.text[l.at:]
	c, size := utf8.DecodeRuneInString(rest)
	switch {
	case unicode.IsSpace(c):
		l.skip(size)
	case strings.HasPrefix(rest, "//") || c == '#':
		l.skip(len(rest[:lineEnd(rest)]))
	case strings.HasPrefix(rest, "/*"):
		l.skip(through(rest, 2, "*/"))
	case strings.HasPrefix(rest, `"""`) || strings.HasPrefix(rest, "'''"):
		n := through(rest, 3, rest[:3])
		l.take(quoted, strings.TrimSuffix(rest[3:n], rest[:3]), n)
	case c == '"' || c == '\'':
		l.quote(rest, byte(c))
	case unicode.IsDigit(c):
		l.number(rest)
	case c == '_' || c == '$' || unicode.IsLetter(c):
		n := strings.IndexFunc(rest, func(c rune) bool { return c != '_' && c != '$' && !unicode.IsLetter(c) && !unicode.IsDigit(c) })
		if n < 0 {
			n = len(rest)
		}
		l.take(word, rest[:n], n)
	default:
		if len(rest) > 1 && strings.Contains("== => <= >= != ->", rest[:2]) && rest[1] != ' ' && rest[0] != ' ' {
			size = 2
		}
		l.take(mark, rest[:size], size)
	}
}

// quote takes a text of one line; a quote that none closes is a sign.
func (l *lexer) quote(rest string, with byte) {
	for i := 1; i < len(rest) && rest[i] != '\n'; i++ {
		switch rest[i] {
		case '\\':
			i++
		case with:
			l.take(quoted, rest[1:i], i+1)
			return
		}
	}
	l.take(mark, rest[:1], 1)
}

// number takes digits, a fraction and a suffix.
func (l *lexer) number(rest string) {
	n := digits(rest)
	if n+1 < len(rest) && rest[n] == '.' && rest[n+1] >= '0' && rest[n+1] <= '9' {
		n += 1 + digits(rest[n+1:])
	}
	text := strings.ReplaceAll(rest[:n], "_", "")
	if n < len(rest) && strings.IndexByte("lLdDfF", rest[n]) >= 0 {
		n++
	}
	l.take(number, text, n)
}

// digits counts digits and underscores between them.
func digits(s string) (n int) {
	for n < len(s) && (s[n] >= '0' && s[n] <= '9' || s[n] == '_') {
		n++
	}
	return n
}

func (l *lexer) take(k kind, text string, n int) {
	l.all = append(l.all, token{k, text, l.line, l.at, l.at + n})
	l.skip(n)
}

func (l *lexer) skip(n int) {
	l.line += strings.Count(l.text[l.at:l.at+n], "\n")
	l.at += n
}

func lineEnd(s string) int {
	if n := strings.IndexByte(s, '\n'); n >= 0 {
		return n
	}
	return len(s)
}

// through is how far s goes with its next end behind from.
func through(s string, from int, end string) int {
	if n := strings.Index(s[from:], end); n >= 0 {
		return from + n + len(end)
	}
	return len(s)
}

// closing is where the bracket that opens at i closes: the index of its token, or the end.
func closing(all []token, i int) int {
	depth := 0
	for ; i < len(all); i++ {
		switch t := all[i]; {
		case t.is("(") || t.is("[") || t.is("{"):
			depth++
		case t.is(")") || t.is("]") || t.is("}"):
			if depth--; depth <= 0 {
				return i
			}
		}
	}
	return i
}

// split cuts tokens at the commas that stand in no bracket.
func split(all []token) (parts [][]token) {
	from := 0
	for i := 0; i < len(all); i++ {
		switch t := all[i]; {
		case t.is("(") || t.is("[") || t.is("{"):
			i = closing(all, i)
		case t.is(","):
			parts = append(parts, all[from:i])
			from = i + 1
		}
	}
	if from < len(all) {
		parts = append(parts, all[from:])
	}
	return parts
}
