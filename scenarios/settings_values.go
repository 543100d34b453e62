package scenarios

import (
	"math"
	"strconv"
	"strings"

	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// What an expression of a program comes to, as far as the text says it: literals, sums and products of them, durations, variables
// that are given one value only. All else has no value here, and is told and not guessed.

// value is what an expression comes to: a number, a text, a duration, a truth, or the name of a constant.
type value struct {
	is   valueKind
	text string
	n    int64 // of a number; a duration in ns
}

type valueKind uint8

const (
	aNumber valueKind = iota
	aFraction
	aText
	aDuration
	aTruth
	aConstant
)

// mostNested is how deep expressions and variables are followed.
const mostNested = 16

// variables are the expressions that a program gives its names.
type variables struct {
	given map[string][][]token // by name, all that it is given
	known map[string]known     // what each came to: it is asked once, however often it is named
}

// known is the value of a variable; ok is false where the text does not say, or while it is being asked.
type known struct {
	value
	ok bool
}

// variablesOf finds name = expression outside of brackets of calls.
func variablesOf(all []token) *variables {
	v := &variables{map[string][][]token{}, map[string]known{}}
	depth := 0
	for i, t := range all {
		switch {
		case t.is("("):
			depth++
		case t.is(")"):
			depth--
		case depth <= 0 && t.is("=") && i > 0 && all[i-1].kind == word:
			name := all[i-1].text
			if i > 2 && all[i-2].is(":") && all[i-3].kind == word { // name: Type = …
				name = all[i-3].text
			}
			v.given[name] = append(v.given[name], statement(all, i+1))
		}
	}
	return v
}

// statement is the expression that begins at i: up to a semicolon, or to a line's end where it is complete.
func statement(all []token, i int) []token {
	from, depth := i, 0
	for ; i < len(all); i++ {
		t := all[i]
		if i > from && depth == 0 && t.line > all[i-1].line && !joins(t) && !joins(all[i-1]) {
			break
		}
		if depth == 0 && (t.is(";") || t.is("}")) {
			break
		}
		switch {
		case t.is("(") || t.is("[") || t.is("{"):
			depth++
		case t.is(")") || t.is("]") || t.is("}"):
			depth--
		}
	}
	return all[from:i]
}

// joins tells a sign across which a line goes on.
func joins(t token) bool { return t.kind == mark && strings.Contains(".+-*/=", t.text) }

// expression reads tokens from the left.
type expression struct {
	names *variables
	all   []token
	at    int
	deep  int
}

// valueIn is what an expression comes to; false if the text does not say.
func (v *variables) valueIn(all []token, deep int) (value, bool) {
	if len(all) > 1 && all[0].kind == word && all[1].is("=") { // an argument by its name
		all = all[2:]
	}
	e := &expression{names: v, all: all, deep: deep}
	out, ok := e.sum()
	return out, ok && e.at == len(all) && deep < mostNested
}

func (e *expression) peek(i int) token {
	if e.at+i < len(e.all) {
		return e.all[e.at+i]
	}
	return token{kind: mark}
}

func (e *expression) accept(sign string) bool {
	if e.peek(0).is(sign) {
		e.at++
		return true
	}
	return false
}

func (e *expression) sum() (value, bool) {
	a, ok := e.product()
	for ok {
		switch {
		case e.accept("+"):
			b, fine := e.product()
			a, ok = a.plus(b, 1), fine && a.adds(b)
		case e.accept("-"):
			b, fine := e.product()
			a, ok = a.plus(b, -1), fine && a.is == aNumber && b.is == aNumber
		default:
			return a, true
		}
	}
	return a, false
}

// adds reports whether + has a meaning: numbers, or a text with anything.
func (a value) adds(b value) bool {
	return a.is == aNumber && b.is == aNumber || a.is == aText && b.is <= aText || b.is == aText && a.is <= aText
}

func (a value) plus(b value, sign int64) value {
	if a.is == aNumber && b.is == aNumber {
		return numbered(a.n + sign*b.n)
	}
	return value{is: aText, text: a.text + b.text}
}

func (e *expression) product() (value, bool) {
	a, ok := e.single()
	for ok && e.accept("*") {
		b, fine := e.single()
		if !fine || a.is != aNumber || b.is != aNumber || b.n > 0 && a.n > 1<<50/b.n {
			return a, false
		}
		a = numbered(a.n * b.n)
	}
	return a, ok
}

func (e *expression) single() (out value, ok bool) {
	if e.deep++; e.deep > mostNested {
		return out, false
	}
	defer func() { e.deep-- }()
	switch t := e.peek(0); {
	case e.accept("-"):
		out, ok = e.single()
		return numbered(-out.n), ok && out.is == aNumber
	case t.is("(") && e.peek(1).kind == word && e.peek(2).is(")"): // a cast
		e.at += 3
		return e.single()
	case e.accept("("):
		if out, ok = e.sum(); !ok || !e.accept(")") {
			return out, false
		}
	case t.kind == number:
		e.at++
		n, err := strconv.ParseInt(t.text, 10, 64)
		if out, ok = numbered(n), true; err != nil {
			_, err = strconv.ParseFloat(t.text, 64)
			out, ok = value{is: aFraction, text: t.text}, err == nil
		}
	case t.kind == quoted:
		e.at++
		out, ok = value{is: aText, text: t.text}, true
	case t.kind == word:
		out, ok = e.named()
	}
	for ok && e.peek(0).is(".") && e.peek(1).kind == word {
		out, ok = e.after(out)
	}
	return out, ok
}

func numbered(n int64) value { return value{is: aNumber, n: n, text: strconv.FormatInt(n, 10)} }

// named reads a path of names: a variable, a constant or a call.
func (e *expression) named() (value, bool) {
	var path []string
	for {
		if path = append(path, e.peek(0).text); !e.peek(1).is(".") || e.peek(2).kind != word {
			e.at++
			break
		}
		if len(e.names.given[path[len(path)-1]]) > 0 { // a method of a variable
			e.at++
			break
		}
		e.at += 2
	}
	last := path[len(path)-1]
	if e.peek(0).is("(") {
		return e.called(path)
	}
	if low := strings.ToLower(last); low == "true" || low == "false" {
		return value{is: aTruth, text: low}, true
	}
	if len(e.names.given[last]) > 0 {
		return e.variable(last)
	}
	if len(path) > 1 && last == "MAX_VALUE" {
		most, fine := map[string]int64{"Integer": math.MaxInt32, "Int": math.MaxInt32, "Long": math.MaxInt64}[path[len(path)-2]]
		return numbered(most), fine
	}
	return value{is: aConstant, text: last}, len(path) > 1
}

// variable is the one value that a name is given.
func (e *expression) variable(name string) (out value, ok bool) {
	if k, asked := e.names.known[name]; asked {
		return k.value, k.ok
	}
	e.names.known[name] = known{} // one that names itself has no value
	for i, g := range e.names.given[name] {
		v, fine := e.names.valueIn(g, e.deep)
		if !fine || i > 0 && v != out {
			return out, false
		}
		out = v
	}
	e.names.known[name] = known{out, true}
	return out, true
}

// arguments are those of the call whose bracket is next.
func (e *expression) arguments() [][]token {
	end := closing(e.all, e.at)
	all := split(e.all[e.at+1 : min(end, len(e.all))])
	e.at = min(end+1, len(e.all))
	return all
}

// called reads Duration.ofSeconds(30), Time.of(5, TimeUnit.MINUTES), TimeUnit.MINUTES.toMillis(5), MemorySize.ofMebiBytes(64) and what
// only wraps its argument.
func (e *expression) called(path []string) (value, bool) {
	method, of := path[len(path)-1], ""
	if len(path) > 1 {
		of = path[len(path)-2]
	}
	given := e.arguments()
	if len(given) == 0 { // CheckpointingMode.AT_LEAST_ONCE.name()
		return value{is: aConstant, text: of}, len(path) > 2 && (method == "name" || method == "toString")
	}
	first, ok := e.names.valueIn(given[0], e.deep)
	if !ok {
		return first, false
	}
	name := strings.TrimPrefix(strings.TrimPrefix(method, "of_"), "of")
	switch {
	case (of == "Duration" || of == "Time") && name == "" && len(given) == 2:
		unit := given[1][len(given[1])-1].text
		return spanOf(first, unit)
	case of == "Duration" && method == "parse", of == "MemorySize" && method == "parse":
		return first, first.is == aText
	case of == "Duration" || of == "Time":
		return spanOf(first, name)
	case of == "MemorySize":
		each := map[string]int64{"KibiBytes": 1 << 10, "MebiBytes": 1 << 20}[name]
		return value{is: aText, text: strconv.FormatInt(first.n*each, 10) + " bytes"}, each > 0 && first.is == aNumber
	case method == "toMillis" || method == "toSeconds":
		d, fine := spanOf(first, of)
		return inUnits(d, method), fine
	case method == "valueOf" || method == "parseLong" || method == "parseInt":
		return first, len(given) == 1
	}
	return first, false
}

// units of Duration, Time, TimeUnit and ChronoUnit, of Scala's and Kotlin's 10.seconds.
var units = []struct {
	name string
	each event.Time
}{
	{"milli", event.Millisecond}, {"millisecond", event.Millisecond}, {"second", event.Second}, {"minute", 60 * event.Second}, {"hour", 3600 * event.Second}, {"day", 86400 * event.Second},
}

// spanOf is so many of a unit.
func spanOf(n value, unit string) (value, bool) {
	unit = strings.TrimSuffix(strings.ToLower(unit), "s")
	for _, u := range units {
		if u.name == unit && n.is == aNumber && n.n >= 0 && n.n <= 1<<62/u.each {
			return value{is: aDuration, n: n.n * u.each}, true
		}
	}
	return n, false
}

func inUnits(d value, method string) value {
	each := event.Millisecond
	if strings.HasSuffix(strings.ToLower(method), "seconds") {
		each = event.Second
	}
	return numbered(d.n / each)
}

// after reads what stands behind a value: .toMillis(), .seconds, .name().
func (e *expression) after(v value) (value, bool) {
	name := e.peek(1).text
	e.at += 2
	if e.peek(0).is("(") && len(e.arguments()) > 0 {
		return v, false
	}
	switch {
	case v.is == aDuration && (name == "toMillis" || name == "toSeconds" || name == "getSeconds" || name == "toMilliseconds" || name == "inWholeMilliseconds"):
		if strings.HasSuffix(name, "illiseconds") {
			name = "toMillis"
		}
		return inUnits(v, name), true
	case v.is == aNumber:
		return spanOf(v, name)
	case name == "toString" || name == "name" || name == "key" || v.is == aDuration && (name == "toJava" || name == "toJavaDuration"):
		return v, true
	}
	return v, false
}

// written is a value as a configuration has it for an option of such a type; false if it is none of that type.
func (v value) written(of option.Type) (string, bool) {
	switch {
	case v.is == aDuration:
		return option.FormatDuration(v.n), true
	case v.is == aNumber && of == option.Duration:
		return v.text + " ms", true
	case v.is == aConstant: // of an enumeration; another constant's value is elsewhere
		return v.text, of == option.Enum || of == option.Text
	}
	return v.text, true
}
