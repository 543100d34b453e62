package vector

import (
	"encoding/json"
	"fmt"
	"strings"

	"checkpointlab/core/option"
)

// hint says which word of a case its unit does not have, and which one is nearest; "" if it knows all of them.
func (l lexicon) hint(c Case) string {
	if len(l.keys) == 0 {
		return ""
	}
	for _, key := range keysOf(c.Given) {
		if !has(l.given, key) && !has(l.given, key+"Ms") && !has(l.given, stem(key)+"Ms") {
			return unknownWord("given", key, l.given)
		}
	}
	for i, raw := range c.Events {
		verb, args, err := Event(raw)
		if err != nil {
			return fmt.Sprintf("; event %d: %v", i, err)
		}
		if !has(l.verbs, verb) && !strings.HasPrefix(verb, "buf") && !strings.HasPrefix(verb, "poll->") {
			return unknownWord(fmt.Sprintf("event %d", i), verb, l.verbs)
		}
		if l.verbs[fold(verb)] == "check" && len(args) == 1 {
			if said := l.hintOfKeys(fmt.Sprintf("event %d", i), args[0]); said != "" {
				return said
			}
		}
	}
	return l.hintOfKeys("expect", c.Expect)
}

// hintOfKeys is hint for the keys that are asked for.
func (l lexicon) hintOfKeys(where string, raw json.RawMessage) string {
	for _, key := range keysOf(raw) {
		_, known := derived(l.keys, key)
		_, aMoment := l.momentInOwnWords(l.keys, key)
		if !has(l.keys, key) && !known && !aMoment {
			return unknownWord(where, key, l.keys)
		}
	}
	return ""
}

// stem is a key without the endings that ask for a bound, a unit, a count or each of a list.
func stem(key string) string {
	key = stemInItsUnit(key)
	for _, u := range timeUnits {
		key = strings.TrimSuffix(key, u.ending)
	}
	return key
}

// stemInItsUnit is the same with its unit.
func stemInItsUnit(key string) string {
	for _, ending := range []string{"AtEnd", "Each", "After", "Not", "_not", "Count", "Size"} {
		key = strings.TrimSuffix(key, ending)
	}
	for _, b := range bounds {
		key = strings.TrimSuffix(key, b.ending)
	}
	return key
}

func has(words map[string]string, word string) bool {
	_, ok := words[fold(word)]
	return ok
}

// unknownWord names a word and the nearest one that is known.
func unknownWord(where, word string, words map[string]string) string {
	own := make([]string, 0, len(words))
	for _, key := range sortedKeys(words) {
		own = append(own, words[key])
	}
	return fmt.Sprintf("; %s: nothing is known of %q%s", where, word, nearest(word, own))
}

// nearest is ", perhaps it means …" if one of the words is near enough.
func nearest(word string, words []string) string {
	if near := option.Closest(word, words); near != "" {
		return fmt.Sprintf(", perhaps it means %q", near)
	}
	return ""
}

// unitWords are the names of units.
func unitWords() []string {
	names := sortedKeys(runners)
	for _, other := range sortedKeys(unitNames) {
		names = append(names, unitNames[other])
	}
	return names
}

// keysOf are the keys of an object in order, none of another value.
func keysOf(raw json.RawMessage) []string {
	var keys map[string]json.RawMessage
	if json.Unmarshal(raw, &keys) != nil {
		return nil
	}
	for _, key := range remarks {
		delete(keys, key)
	}
	return sortedKeys(keys)
}
