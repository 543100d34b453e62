package vector

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"checkpointlab/core/event"
)

// remarks are keys of an object that assert nothing.
var remarks = []string{"note", "comment", "why"}

// bounds are the endings of a key that ask something else of its value than to be the same.
var bounds = []struct {
	ending string
	holds  func(got, want float64) bool
}{
	{"Min", func(got, want float64) bool { return got >= want }}, {"AtLeast", func(got, want float64) bool { return got >= want }},
	{"Max", func(got, want float64) bool { return got <= want }}, {"AtMost", func(got, want float64) bool { return got <= want }},
	{"GreaterThan", func(got, want float64) bool { return got > want }}, {"LessThan", func(got, want float64) bool { return got < want }},
}

// timeUnits are the endings of a key that holds a time.
var timeUnits = []struct {
	ending string
	unit   event.Time
}{
	{"Nanos", 1}, {"Ns", 1}, {"Micros", event.Microsecond}, {"Us", event.Microsecond}, {"Ms", event.Millisecond}, {"Millis", event.Millisecond},
	{"Seconds", event.Second}, {"Minutes", 60 * event.Second},
}

// judged compares under a key that the machine does not have, but of which it has the value: another bound (…Min, …Max,
// …GreaterThan), another unit (…Ms, …Nanos), how many (…Count), what is not it or not in it (…Not), or what is asked for at the end
// anyway (…AtEnd). known is false if the machine does not have that either.
func judged(m machine, key string, want json.RawMessage) (status Status, diff string, known bool) {
	if stem, ok := strings.CutSuffix(key, "AtEnd"); ok {
		if got, ok := m.value(stem, want); ok {
			if !meansSame(got, want) {
				status, diff = Differ(key, got, string(want))
			}
			return status, diff, true
		}
		key = stem
	}
	if other, ok := boundByAnotherName(key); ok {
		if got, ok := m.value(other, want); ok {
			if !meansSame(got, want) {
				status, diff = Differ(key, got, string(want))
			}
			return status, diff, true
		}
	}
	for _, b := range bounds {
		stem, ok := strings.CutSuffix(key, b.ending)
		if !ok {
			continue
		}
		if got, ok := numberOf(m, stem, want); ok {
			var bound float64
			if json.Unmarshal(want, &bound) != nil {
				return NotModelled, "", false
			}
			if !b.holds(got, bound) {
				status, diff = Differ(key, got, bound)
			}
			return status, diff, true
		}
	}
	for _, ending := range []string{"Not", "_not"} {
		if stem, ok := strings.CutSuffix(key, ending); ok {
			if got, ok := m.value(stem, want); ok {
				return holdsNot(key, got, want)
			}
		}
	}
	for _, ending := range []string{"Count", "Size"} {
		if stem, ok := strings.CutSuffix(key, ending); ok {
			if n, ok := countOf(m, stem); ok {
				if !meansSame(n, want) {
					status, diff = Differ(key, n, string(want))
				}
				return status, diff, true
			}
		}
	}
	if got, ok := numberOf(m, key, want); ok { // in another unit
		if !meansSame(got, want) {
			status, diff = Differ(key, got, string(want))
		}
		return status, diff, true
	}
	return NotModelled, "", false
}

// numberOf is the number that a machine has for a key, or for the key with another unit of time.
func numberOf(m machine, key string, want json.RawMessage) (n float64, ok bool) {
	if got, known := m.value(key, want); known {
		return n, asNumber(got, &n)
	}
	for _, asked := range timeUnits {
		stem, ok := strings.CutSuffix(key, asked.ending)
		if !ok {
			continue
		}
		for _, has := range timeUnits {
			if got, known := m.value(stem+has.ending, want); known && has.ending != asked.ending {
				ok := asNumber(got, &n)
				return n * float64(has.unit) / float64(asked.unit), ok
			}
		}
	}
	return 0, false
}

func asNumber(got any, n *float64) bool {
	written, err := json.Marshal(got)
	return err == nil && !bytes.Equal(written, []byte("null")) && json.Unmarshal(written, n) == nil
}

// countOf is how many a list of the machine has; a place where there is nothing does not count.
func countOf(m machine, key string) (n int, ok bool) {
	got, known := m.value(key, json.RawMessage("[]"))
	list := reflect.ValueOf(got)
	if !known || list.Kind() != reflect.Slice {
		return 0, false
	}
	for i := range list.Len() {
		if e := list.Index(i); e.Kind() != reflect.Pointer || !e.IsNil() {
			n++
		}
	}
	return n, true
}

// saysWhich reports whether a case asks by name which are in a list, {"a": true, "b": false}, and they are.
func saysWhich(got any, want json.RawMessage) bool {
	var which map[string]bool
	names, isNames := got.([]string)
	if !isNames || json.Unmarshal(want, &which) != nil || len(which) == 0 {
		return false
	}
	for name, in := range which {
		if slices.Contains(names, name) != in {
			return false
		}
	}
	return true
}

// boundByAnotherName is …Min for …AtLeast and …Max for …AtMost, which a machine may have itself.
func boundByAnotherName(key string) (other string, ok bool) {
	for ending, own := range map[string]string{"AtLeast": "Min", "AtMost": "Max"} {
		if stem, cut := strings.CutSuffix(key, ending); cut {
			return stem + own, true
		}
	}
	return "", false
}

// isHowMany reports whether a case that asks for names or messages with a number asks how many there are, and there are.
func isHowMany(got any, want json.RawMessage) bool {
	var n int
	list := reflect.ValueOf(got)
	if list.Kind() != reflect.Slice || json.Unmarshal(want, &n) != nil || string(want) == "null" {
		return false
	}
	named := list.Type().Elem().Kind() == reflect.String || list.Type().Elem().Kind() == reflect.Slice
	return named && list.Len() == n
}

// eachOf is the value that is listed behind every event under a key with Each or AfterEach: the machine's own, or how many it has.
func eachOf(m machine, key string) (got any, ok bool) {
	stem, each := strings.CutSuffix(key, "Each")
	if !each {
		return nil, false
	}
	for _, stem := range []string{strings.TrimSuffix(stem, "After"), stem} {
		if got, ok := m.value(stem, json.RawMessage("null")); ok {
			return got, true
		}
		for _, ending := range []string{"Count", "Size"} {
			if list, counted := strings.CutSuffix(stem, ending); counted {
				if n, ok := countOf(m, list); ok {
					return n, true
				}
			}
		}
	}
	return nil, false
}

// holdsNot holds a value against another one that it must not be, or whose parts a list must not have.
func holdsNot(key string, got any, want json.RawMessage) (Status, string, bool) {
	var has, not []json.RawMessage
	written, err := json.Marshal(got)
	if err == nil && json.Unmarshal(written, &has) == nil && json.Unmarshal(want, &not) == nil && len(not) > 0 {
		for _, part := range not {
			if slices.ContainsFunc(has, func(x json.RawMessage) bool { return meansSame(x, part) }) {
				status, diff := Differ(key, string(written), "without "+string(part))
				return status, diff, true
			}
		}
		return Pass, "", true
	}
	if meansSame(got, want) {
		status, diff := Differ(key, string(written), "another value")
		return status, diff, true
	}
	return Pass, "", true
}

// followed are what a case expects along its events: checks by the event they follow (-1 is before all), and the keys with
// Each, which list a value behind every event.
type followed struct {
	checks map[int][]json.RawMessage
	each   map[string][]json.RawMessage // by the key, as they came
	verbs  []string                     // of the events that they came behind
}

// follow takes the checks and the keys with Each that the machine does not have itself out of expect.
func follow(m machine, events []json.RawMessage, expect json.RawMessage) (f followed, rest json.RawMessage, err error) {
	f = followed{checks: map[int][]json.RawMessage{}, each: map[string][]json.RawMessage{}}
	var want map[string]json.RawMessage
	if json.Unmarshal(expect, &want) != nil || want == nil {
		return f, expect, nil
	}
	if raw, ok := want["checks"]; ok {
		if err := f.schedule(raw); err != nil {
			return f, nil, err
		}
		delete(want, "checks")
	}
	for key, value := range want {
		if _, own := m.value(key, value); own {
			continue
		}
		if _, known := eachOf(m, key); known {
			f.each[key] = nil
		}
	}
	f.takeMoments(m, events, want)
	rest, err = json.Marshal(want)
	return f, rest, err
}

// schedule reads expect.checks.
func (f *followed) schedule(raw json.RawMessage) error {
	var list []map[string]json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return fmt.Errorf("checks: %w", err)
	}
	for _, check := range list {
		var after int
		if err := json.Unmarshal(check["after"], &after); err != nil || after < -1 {
			return errors.New("a check without the event that it follows")
		}
		delete(check, "after")
		object, err := json.Marshal(check)
		if err != nil {
			return err
		}
		f.checks[after] = append(f.checks[after], object)
	}
	return nil
}

// behind holds what follows event i, and notes the values that are asked for behind each.
func (f *followed) behind(m machine, i int, verb string) (Status, string) {
	for _, check := range f.checks[i] {
		if status, diff := compareValues(m, check); status != Pass {
			return status, fmt.Sprintf("after event %d: %s", i, diff)
		}
	}
	if verb == "" || verb == "check" {
		return Pass, ""
	}
	f.verbs = append(f.verbs, verb)
	for key := range f.each {
		got, _ := eachOf(m, key)
		if isNilList(got) {
			got = []any{}
		}
		written, err := json.Marshal(got)
		if err != nil {
			return Unknown(key, err)
		}
		f.each[key] = append(f.each[key], written)
	}
	if l, ok := m.(looker); ok && len(f.each) > 0 {
		looks := map[string]json.RawMessage{}
		for key := range f.each {
			looks[strings.TrimSuffix(key, "Each")] = nil
		}
		l.looked(looks)
	}
	return Pass, ""
}

// compare holds the lists behind each event: one value an event, or one each event of the only verb that came so often.
// It returns what is left of expect.
func (f *followed) compare(rest json.RawMessage) (left json.RawMessage, status Status, diff string) {
	if len(f.each) == 0 {
		return rest, Pass, ""
	}
	var want map[string]json.RawMessage
	if err := json.Unmarshal(rest, &want); err != nil {
		status, diff = Unknown("expect", err)
		return rest, status, diff
	}
	for _, key := range sortedKeys(f.each) {
		var list []json.RawMessage
		if json.Unmarshal(want[key], &list) != nil {
			status, diff = Unknown(key, errUnknown)
			return rest, status, diff
		}
		got, ok := f.values(f.each[key], len(list))
		if !ok {
			status, diff = Unknown(key, fmt.Errorf("%d values for %d events", len(list), len(f.verbs)))
			return rest, status, diff
		}
		asserts := false
		for i := range list {
			asserts = asserts || !bytes.Equal(list[i], []byte("null"))
			if !bytes.Equal(list[i], []byte("null")) && !meansSame(got[i], list[i]) {
				status, diff = Differ(fmt.Sprintf("%s, number %d,", key, i), string(got[i]), string(list[i]))
				return rest, status, diff
			}
		}
		if !asserts {
			status, diff = Unknown(key, errNothing)
			return rest, status, diff
		}
		delete(want, key)
	}
	left, err := json.Marshal(want)
	if err != nil {
		status, diff = Unknown("expect", err)
	}
	return left, status, diff
}

func (f *followed) values(all []json.RawMessage, n int) ([]json.RawMessage, bool) {
	if len(all) == n {
		return all, true
	}
	times := map[string]int{}
	for _, verb := range f.verbs {
		times[verb]++
	}
	var only string
	for verb, k := range times {
		if k == n {
			if only != "" {
				return nil, false
			}
			only = verb
		}
	}
	var some []json.RawMessage
	for i, verb := range f.verbs {
		if verb == only {
			some = append(some, all[i])
		}
	}
	return some, only != ""
}
