package vector

import (
	"encoding/json"
	"regexp"
	"strings"
)

// A moment is a key that asks for a value just before or behind an event of the case: commitsBeforeCrash,
// emittedAfterSecondPreBarrier, visibleAfterNotifyComplete1, the last one by the event's first argument.
var moment = regexp.MustCompile(`^(.+?)(Before|After)(First|Second|Third|Fourth|Fifth|Last)?([A-Z][A-Za-z]*)(\d*)$`)

var momentOrdinals = map[string]int{"First": 0, "Second": 1, "Third": 2, "Fourth": 3, "Fifth": 4}

// momentOf is a moment's value's key and the events behind which it is looked at, -1 for before all; none if it is no moment. Without
// First, Second … it is meant of every such event, of several in a row of the row as a whole.
func momentOf(events []json.RawMessage, key string) (stem string, behind []int) {
	m := moment.FindStringSubmatch(key)
	if m == nil {
		return "", nil
	}
	before := m[2] == "Before"
	var at []int
	row := -2 // the last event of the row, so far
	for i, raw := range events {
		verb, args, err := Event(raw)
		if err != nil || fold(verb) != fold(m[4]) || m[5] != "" && (len(args) == 0 || !saysNumber(args[0], m[5])) {
			continue
		}
		goesOn := m[3] == "" && row == i-1
		switch row = i; {
		case !goesOn:
			at = append(at, i)
		case !before:
			at[len(at)-1] = i
		}
	}
	if nth, named := momentOrdinals[m[3]]; named && nth < len(at) {
		at = at[nth : nth+1]
	} else if m[3] == "Last" && len(at) > 0 {
		at = at[len(at)-1:]
	} else if m[3] != "" {
		return "", nil
	}
	if before {
		for k := range at {
			at[k]--
		}
	}
	return m[1], at
}

// saysNumber reports whether an argument is that number, or a word of these digits.
func saysNumber(arg json.RawMessage, digits string) bool {
	return strings.Trim(string(arg), `"`) == digits || whole(arg) != nil && string(whole(arg)) == digits
}

// takeMoments takes the moments out of what is expected and schedules a check of each.
func (f *followed) takeMoments(m machine, events []json.RawMessage, want map[string]json.RawMessage) {
	for _, key := range sortedKeys(want) {
		if _, own := m.value(key, want[key]); own {
			continue
		}
		if _, each := f.each[key]; each {
			continue
		}
		stem, behind := momentOf(events, key)
		for _, i := range behind {
			f.checks[i] = append(f.checks[i], written(map[string]json.RawMessage{stem: want[key]}))
		}
		if len(behind) > 0 {
			delete(want, key)
		}
	}
}

// momentInOwnWords is a moment with the value's key and the event's verb in the runner's words.
func (l lexicon) momentInOwnWords(keys map[string]string, key string) (string, bool) {
	m := moment.FindStringSubmatch(key)
	if m == nil {
		return "", false
	}
	stem, ok := keys[fold(m[1])]
	verb, verbOk := l.verbs[fold(m[4])]
	if !ok || !verbOk {
		return "", false
	}
	return stem + m[2] + m[3] + strings.ToUpper(verb[:1]) + verb[1:] + m[5], true
}
