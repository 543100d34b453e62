package vector

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
)

// machine is a unit with verbs to drive it and values to look at.
type machine interface {
	// event does what a verb says; a verb or arguments that the machine does not know are answered with Unknown.
	event(verb string, args []json.RawMessage) (Status, string)
	// value is what the machine has for a key; ok is false if it does not know the key. want is what is expected, for
	// keys that leave parts open.
	value(key string, want json.RawMessage) (got any, ok bool)
}

var errUnknown = errors.New("not known to the runner")

// replayOn runs a case's events on m, then looks at what is expected. The verb check looks at values in between.
func replayOn(m machine, c Case) (Status, string) {
	f, expect, err := follow(m, c.Events, c.Expect)
	if err != nil {
		return Unknown("expect", err)
	}
	if status, diff := f.behind(m, -1, ""); status != Pass {
		return status, diff
	}
	for i, raw := range c.Events {
		verb, args, err := Event(raw)
		if err != nil {
			return Unknown(fmt.Sprintf("event %d", i), err)
		}
		var status Status
		var diff string
		if verb == "check" && len(args) == 1 {
			status, diff = compareValues(m, args[0])
		} else {
			status, diff = m.event(verb, args)
		}
		if status != Pass {
			return status, fmt.Sprintf("event %d, %s: %s", i, verb, diff)
		}
		if status, diff = f.behind(m, i, verb); status != Pass {
			return status, diff
		}
	}
	for i := range f.checks {
		if i >= len(c.Events) {
			return Unknown("expect", fmt.Errorf("a check after event %d of %d", i, len(c.Events)))
		}
	}
	left, status, diff := f.compare(expect)
	if status != Pass {
		return status, diff
	}
	return compareValues(m, left)
}

// compareValues holds every key of an object against the machine.
func compareValues(m machine, raw json.RawMessage) (Status, string) {
	var want map[string]json.RawMessage
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &want); err != nil {
			return Unknown("check", err)
		}
	}
	for _, key := range remarks {
		delete(want, key)
	}
	if o, ok := m.(ofParts); ok {
		if err := o.lookAt(want); err != nil {
			return Unknown("check", err)
		}
	}
	status, diff := Pass, ""
	for _, key := range sortedKeys(want) { // a key that is not known outweighs a difference
		got, own := m.value(key, want[key])
		if own && (meansSame(got, want[key]) || isHowMany(got, want[key]) || saysWhich(got, want[key])) {
			continue
		}
		s, d, known := judged(m, key, want[key])
		switch {
		case own:
			shown, _ := json.Marshal(got)
			s, d = Differ(key, string(shown), string(want[key]))
		case !known:
			return Unknown(key, errUnknown)
		}
		if status == Pass {
			status, diff = s, d
		}
	}
	if status != Pass {
		return status, diff
	}
	if l, ok := m.(looker); ok {
		l.looked(want)
	}
	return Pass, ""
}

// ofParts is a machine of several parts, of which a case may look at one. lookAt takes what says which out of the keys.
type ofParts interface {
	lookAt(want map[string]json.RawMessage) error
}

// looker is a machine with values that count from the last look at them.
type looker interface {
	looked(keys map[string]json.RawMessage)
}

// meaning is a value that a case may write in several forms.
type meaning interface {
	means(want json.RawMessage) bool
}

// meansSame reports whether got, written as JSON, means the same as want.
func meansSame(got any, want json.RawMessage) bool {
	if t, ok := got.(meaning); ok {
		return t.means(want)
	}
	a, b, ok := bothAsJSON(got, want)
	return ok && reflect.DeepEqual(a, b)
}

// bothAsJSON are two values of JSON to compare: an object by place, {"0": …, "1": …}, where there is a list is one, too.
func bothAsJSON(got any, want json.RawMessage) (a, b any, ok bool) {
	shown, err := json.Marshal(got)
	if err != nil || json.Unmarshal(shown, &a) != nil || json.Unmarshal(want, &b) != nil {
		return nil, nil, false
	}
	if _, asksForList := b.([]any); asksForList && isNilList(got) {
		a = []any{}
	}
	if _, isList := a.([]any); isList {
		b = inPlaces(b)
	}
	return a, b, true
}

// isNilList reports whether a value is a list in which there is nothing, which JSON has as null.
func isNilList(got any) bool {
	v := reflect.ValueOf(got)
	return v.Kind() == reflect.Slice && v.IsNil()
}

// inPlaces is the list that an object writes by its places; anything else is left.
func inPlaces(v any) any {
	object, ok := v.(map[string]any)
	if !ok || len(object) == 0 {
		return v
	}
	list := make([]any, len(object))
	for i := range list {
		if list[i], ok = object[strconv.Itoa(i)]; !ok {
			return v
		}
	}
	return list
}

// word is a name of a case: text, or a number that stands for it.
type word string

// UnmarshalJSON reads it.
func (w *word) UnmarshalJSON(raw []byte) error {
	var n json.Number
	if json.Unmarshal(raw, &n) == nil && n != "" {
		*w = word(n)
		return nil
	}
	return json.Unmarshal(raw, (*string)(w))
}

// oneOrMore are names, or one.
type oneOrMore []string

// UnmarshalJSON reads them.
func (o *oneOrMore) UnmarshalJSON(raw []byte) error {
	var one word
	if json.Unmarshal(raw, (*[]string)(o)) == nil {
		return nil
	}
	err := json.Unmarshal(raw, &one)
	*o = oneOrMore{string(one)}
	return err
}

// scan reads the arguments of an event into pointers, one each.
func scan(args []json.RawMessage, into ...any) error {
	if len(args) != len(into) {
		return fmt.Errorf("%d arguments, the runner knows the verb with %d", len(args), len(into))
	}
	for i, raw := range args {
		if err := json.Unmarshal(raw, into[i]); err != nil {
			return fmt.Errorf("argument %d: %w", i+1, err)
		}
	}
	return nil
}

// done is the answer of an event that could be done unless its arguments were wrong.
func done(err error) (Status, string) {
	if err != nil {
		return Unknown("arguments", err)
	}
	return Pass, ""
}
