package observed

import (
	"math"
	"strconv"
	"strings"
)

// JSON as people paste it: with a bare NaN, cut in the middle or at the end, with … for what was left out, with commas too many,
// as Python prints it. encoding/json refuses all of that. What was passed over is told.

// object keeps the order in which a text has its fields.
type object struct {
	keys   []string
	values map[string]any
	line   int
}

// mostDeep is how far documents may nest; Flink's answers have some six levels.
const mostDeep = 100

// lenient reads one value. What it was lenient about is in odd.
type lenient struct {
	text string
	at   int
	line int
	odd  oddities
	deep int
}

// oddities are what a text has that is no JSON, each by the first line with it; 0 = none.
type oddities struct{ nan, cut, left, python int }

// value reads a value: *object, []any, string, float64, bool or nil; false if there is none here.
func (l *lenient) value() (any, bool) {
	if !l.more() {
		return nil, false
	}
	switch c := l.text[l.at]; {
	case c == '{':
		return l.object(), true
	case c == '[':
		return l.list(), true
	case c == '"' || c == '\'':
		return l.quoted(), true
	default:
		return l.bare()
	}
}

func (l *lenient) mark(line *int) {
	if *line == 0 {
		*line = l.line
	}
}

// space goes over white space, comments and what stands for something that was left out.
func (l *lenient) space() {
	for l.at < len(l.text) {
		switch rest := l.text[l.at:]; {
		case rest[0] == '\n':
			l.line++
			l.at++
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r':
			l.at++
		case strings.HasPrefix(rest, "…") || strings.HasPrefix(rest, "..."):
			l.mark(&l.odd.left)
			l.at += 3
		case strings.HasPrefix(rest, "//") || rest[0] == '#':
			l.toEnd()
		default:
			return
		}
	}
}

func (l *lenient) toEnd() {
	if i := strings.IndexByte(l.text[l.at:], '\n'); i >= 0 {
		l.at += i
	} else {
		l.at = len(l.text)
	}
}

// nest goes a level deeper, and beyond mostDeep to the end of the text; what it returns goes back.
func (l *lenient) nest() (back func()) {
	if l.deep++; l.deep > mostDeep {
		l.at = len(l.text)
	}
	return func() { l.deep-- }
}

// more goes to what comes next within an object or a list; false if the text ends before.
func (l *lenient) more() bool {
	if l.space(); l.at < len(l.text) {
		return true
	}
	l.mark(&l.odd.cut)
	return false
}

func (l *lenient) object() any {
	o := &object{values: map[string]any{}, line: l.line}
	l.at++
	l.fields(o)
	return o
}

// fields reads those of an object up to its end.
func (l *lenient) fields(o *object) {
	defer l.nest()()
	for l.more() {
		switch c := l.text[l.at]; {
		case c == '}':
			l.at++
			return
		case c == ']': // the end of what stands around: the object's own is missing
			l.mark(&l.odd.cut)
			return
		case c == '"' || c == '\'':
			l.field(o)
		case c == ',':
			l.at++
		default: // what was left out, in somebody's words
			l.mark(&l.odd.left)
			l.skip()
		}
	}
}

func (l *lenient) field(o *object) {
	key := l.quoted()
	if l.space(); l.at >= len(l.text) || l.text[l.at] != ':' {
		return
	}
	l.at++
	v, ok := l.value()
	if !ok {
		return
	}
	if _, twice := o.values[key]; !twice {
		o.keys = append(o.keys, key)
	}
	o.values[key] = v
}

func (l *lenient) list() any {
	all := []any{}
	l.at++
	defer l.nest()()
	for l.more() {
		switch c := l.text[l.at]; c {
		case ']':
			l.at++
			return all
		case '}':
			l.mark(&l.odd.cut)
			return all
		case ',':
			l.at++
		default:
			before := l.at
			if v, ok := l.value(); ok {
				all = append(all, v)
			} else if l.at == before {
				l.mark(&l.odd.left)
				l.skip()
			}
		}
	}
	return all
}

// skip goes to the end of a word that is none of JSON.
func (l *lenient) skip() {
	l.at++
	for l.at < len(l.text) && !strings.ContainsRune(",]}{[\"\n", rune(l.text[l.at])) {
		l.at++
	}
}

func (l *lenient) quoted() string {
	quote := l.text[l.at]
	if quote == '\'' {
		l.mark(&l.odd.python)
	}
	l.at++
	from, plain := l.at, true
	for l.at < len(l.text) {
		switch c := l.text[l.at]; {
		case c == quote:
			raw := l.text[from:l.at]
			l.at++
			if plain {
				return raw
			}
			return unescaped(raw)
		case c == '\\' && l.at+1 < len(l.text):
			plain = false
			l.at++
		case c == '\n':
			l.line++
		}
		l.at++
	}
	l.mark(&l.odd.cut)
	return l.text[from:]
}

// unescaped reads the escapes of a text.
func unescaped(raw string) string {
	var b strings.Builder
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' || i+1 == len(raw) {
			b.WriteByte(raw[i])
			continue
		}
		i++
		switch c := raw[i]; c {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r', 'b', 'f':
		case 'u':
			if i+4 < len(raw) {
				if n, err := strconv.ParseUint(raw[i+1:i+5], 16, 32); err == nil {
					b.WriteRune(rune(n))
					i += 4
				}
			}
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// bare reads a number or a word.
func (l *lenient) bare() (any, bool) {
	from := l.at
	for l.at < len(l.text) && !strings.ContainsRune(",]}{[:\"' \t\r\n", rune(l.text[l.at])) {
		l.at++
	}
	switch w := l.text[from:l.at]; w {
	case "true", "false":
		return w == "true", true
	case "null":
		return nil, true
	case "None", "True", "False":
		l.mark(&l.odd.python)
		return map[string]any{"True": true, "False": false}[w], true
	case "NaN", "Infinity", "-Infinity", "nan", "inf":
		l.mark(&l.odd.nan)
		return math.NaN(), true
	default:
		x, err := strconv.ParseFloat(w, 64)
		if err != nil || w == "" {
			l.at = from
			return nil, false
		}
		if l.at == len(l.text) { // a number at the end may have lost digits
			l.mark(&l.odd.cut)
			return nil, false
		}
		return x, true
	}
}

// of is a field of an object; nil if it is no object or has no such field.
func of(v any, names ...string) any {
	for _, name := range names {
		o, ok := v.(*object)
		if !ok {
			return nil
		}
		v = o.values[name]
	}
	return v
}

func has(v any, name string) bool {
	o, ok := v.(*object)
	if !ok {
		return false
	}
	_, ok = o.values[name]
	return ok
}

// number is a field that is one, or that Flink writes as a text; -1 if it is not known.
func number(v any) int64 {
	x := real(v)
	if math.IsNaN(x) || x < 0 || x > math.MaxInt64/2 {
		return -1
	}
	return int64(x)
}

// real is a field that is a number, or a text of one; NaN for all else.
func real(v any) float64 {
	switch v := v.(type) {
	case float64:
		return v
	case string:
		if x, err := strconv.ParseFloat(strings.TrimSpace(v), 64); err == nil {
			return x
		}
	}
	return math.NaN()
}

// textOf is a field that is a text; "" for all else.
func textOf(v any) string {
	s, _ := v.(string)
	return s
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}

func lineOf(v any) int {
	if o, ok := v.(*object); ok {
		return o.line
	}
	return 0
}
