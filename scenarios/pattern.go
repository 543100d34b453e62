package scenarios

import (
	"iter"
	"strings"
)

// The shapes of lines that people paste, read without regular expressions: package regexp was a thirtieth of the page's program.
// TestShapesAreTheirPatterns holds each to the pattern in its comment.

const blanks = "\t\n\f\r "

func isBlank(c byte) bool { return strings.IndexByte(blanks, c) >= 0 }

// isKey reports whether a character may stand in a key: [A-Za-z0-9_$.-].
func isKey(c rune) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("_$.-", c)
}

// cutKey cuts off the key that a text begins with; "" if it begins with none.
func cutKey(s string) (key, rest string) {
	rest = strings.TrimLeftFunc(s, isKey)
	return s[:len(s)-len(rest)], rest
}

// isQuote reports whether a text begins with a quote.
func isQuote(s string) bool { return s != "" && (s[0] == '"' || s[0] == '\'') }

// cutQuoted cuts off a text in quotes of one kind, which are left around it.
func cutQuoted(s string) (quoted, rest string, ok bool) {
	if !isQuote(s) {
		return "", s, false
	}
	end := strings.IndexByte(s[1:], s[0])
	if end < 0 {
		return "", s, false
	}
	return s[:end+2], s[end+2:], true
}

// cutColon cuts a line at the colon behind its key.
func cutColon(line string) (key, rest string, ok bool) {
	key, rest = cutKey(strings.TrimLeft(line, blanks))
	rest, ok = strings.CutPrefix(strings.TrimLeft(rest, blanks), ":")
	return key, rest, ok && key != ""
}

// flatLine is a line of a flink-conf.yaml, whose parser is no YAML parser: the value goes to the end of the line or to a " #".
//
//	^\s*([A-Za-z0-9_$.-]+)\s*:\s+(.*?)\s*(?:\s#.*)?$
func flatLine(line string) (key, value string, ok bool) {
	key, rest, ok := cutColon(line)
	value = strings.TrimLeft(rest, blanks)
	if !ok || value == rest {
		return "", "", false
	}
	for i := 1; i < len(value); i++ {
		if value[i] == '#' && isBlank(value[i-1]) {
			value = value[:i]
			break
		}
	}
	return key, strings.TrimRight(value, blanks), true
}

// unspaced is a line with a key of several words and a value, and nothing between.
//
//	^\s*([A-Za-z][A-Za-z0-9_$-]*(?:\.[A-Za-z0-9_$-]+)+)\s*:(\S.*)$
func unspaced(line string) (key, value string, ok bool) {
	key, value, ok = cutColon(line)
	if !ok || value == "" || isBlank(value[0]) {
		return "", "", false
	}
	if c := key[0] | 0x20; c < 'a' || c > 'z' || !strings.Contains(key, ".") || strings.HasSuffix(key, ".") || strings.Contains(key, "..") {
		return "", "", false
	}
	return key, value, true
}

// assigned is a setting inside of a text: its value as it stands there, with its quotes, and where the key begins.
type assigned struct {
	key, value string
	at         int
}

// dynamic are -Dkey=value and -yDkey=value, the value in quotes or up to the next blank.
//
//	(?:^|\s)-y?D\s*["']?([A-Za-z0-9_$.-]+)=("[^"]*"|'[^']*'|[^\s"']+)
func dynamic(text string) iter.Seq[assigned] {
	return func(yield func(assigned) bool) {
		for at, from := 0, 0; at < len(text); at++ {
			if at > 0 && (at == from || !isBlank(text[at-1])) {
				continue
			}
			f, after, ok := argumentAt(text, at)
			if ok && !yield(f) {
				return
			}
			if ok {
				from, at = after, after-1
			}
		}
	}
}

// argumentAt reads the argument that begins at a place of the text, and where it ends.
func argumentAt(text string, at int) (f assigned, after int, ok bool) {
	rest, ok := strings.CutPrefix(text[at:], "-D")
	if !ok {
		rest, ok = strings.CutPrefix(text[at:], "-yD")
	}
	rest = strings.TrimLeft(rest, blanks)
	if isQuote(rest) {
		rest = rest[1:]
	}
	f.at = len(text) - len(rest)
	f.key, rest = cutKey(rest)
	rest, is := strings.CutPrefix(rest, "=")
	if !ok || !is || f.key == "" {
		return f, 0, false
	}
	if f.value, rest, ok = cutQuoted(rest); !ok {
		end := strings.IndexAny(rest, blanks+`"'`)
		if end < 0 {
			end = len(rest)
		}
		f.value, rest = rest[:end], rest[end:]
	}
	return f, len(text) - len(rest), f.value != ""
}

// setSQL are the statements SET 'key' = 'value'; of Flink's SQL client, each in lines of its own.
//
//	(?im)^\s*SET\s+['"]([A-Za-z0-9_$.-]+)['"]\s*=\s*('[^']*'|"[^"]*")\s*;?\s*$
func setSQL(text string) iter.Seq[assigned] {
	return func(yield func(assigned) bool) {
		for at := 0; at <= len(text); {
			f, after, ok := setAt(text, at)
			if ok && !yield(f) {
				return
			}
			if ok {
				at = after
			}
			next := strings.IndexByte(text[at:], '\n')
			if next < 0 {
				return
			}
			at += next + 1
		}
	}
}

// hasSQL reports whether a text has such a statement.
func hasSQL(text string) bool {
	for range setSQL(text) {
		return true
	}
	return false
}

// setAt reads the statement that begins at a line, and where it ends.
func setAt(text string, line int) (f assigned, after int, ok bool) {
	rest, ok := cutSet(text[line:])
	if !ok || !isQuote(rest) {
		return f, 0, false
	}
	f.at = len(text) - len(rest) + 1
	f.key, rest = cutKey(rest[1:])
	if f.key == "" || !isQuote(rest) {
		return f, 0, false
	}
	rest, ok = strings.CutPrefix(strings.TrimLeft(rest[1:], blanks), "=")
	if !ok {
		return f, 0, false
	}
	f.value, rest, ok = cutQuoted(strings.TrimLeft(rest, blanks))
	if !ok {
		return f, 0, false
	}
	after = len(text) - len(rest)
	end, _, _ := strings.Cut(rest, "\n")
	end = strings.Trim(end, blanks)
	return f, after, end == "" || end == ";"
}

// cutSet cuts off the word SET and the blanks around it.
func cutSet(s string) (rest string, ok bool) {
	s = strings.TrimLeft(s, blanks)
	if len(s) < 4 || !strings.EqualFold(s[:3], "set") || !isBlank(s[3]) {
		return "", false
	}
	return strings.TrimLeft(s[3:], blanks), true
}

// bareSQL is a SET statement whatever its quotes.
//
//	(?i)^\s*SET\s+(\S+)\s*=\s*(.+?)\s*;?\s*$
func bareSQL(line string) (key, value string, ok bool) {
	rest, ok := cutSet(line)
	if !ok {
		return "", "", false
	}
	end := strings.IndexAny(rest, blanks)
	if end < 0 {
		end = len(rest)
	}
	key, value = rest[:end], ""
	if after, ok := strings.CutPrefix(strings.TrimLeft(rest[end:], blanks), "="); ok {
		value = strings.Trim(after, blanks)
	}
	for value == "" { // the last equals sign in the word that something stands behind
		at := strings.LastIndexByte(key, '=')
		if at < 1 {
			return "", "", false
		}
		key, value = rest[:at], strings.Trim(rest[at+1:], blanks)
	}
	if bare := strings.TrimRight(strings.TrimSuffix(value, ";"), blanks); bare != "" {
		value = bare
	}
	return key, value, true
}

// shell is the text of FLINK_PROPERTIES="…" of a shell, which may go over several lines, and where it begins.
//
//	FLINK_PROPERTIES=(?:"([^"]*)"|'([^']*)')
func shell(text string) (inner string, at int, ok bool) {
	for rest := text; ; {
		_, after, found := strings.Cut(rest, properties)
		if !found {
			return "", 0, false
		}
		if quoted, _, ok := cutQuoted(after); ok {
			return quoted[1 : len(quoted)-1], len(text) - len(after) + 1, true
		}
		rest = after
	}
}
