package vector

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
)

// errNothing is what is wrong with a case that would pass whatever happens.
var errNothing = errors.New("the case asserts nothing")

// sortedKeys are a map's keys in order, so that reports do not depend on the map's.
func sortedKeys[K ~string, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// sameSet reports whether both lists hold the same words, in any order.
func sameSet(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// orZero is the value behind p, or 0.
func orZero(p *int64) int64 {
	if p == nil {
		return 0
	}
	return *p
}

// asserts reports whether a case can fail: it checks or expects something.
func asserts(c Case) bool {
	for _, raw := range c.Events {
		if verb, args, err := Event(raw); err == nil && verb == "check" && len(args) == 1 && holds(args[0]) {
			return true
		}
	}
	return holds(c.Expect)
}

// holds reports whether an object of expected values can fail: one of them does, besides remarks.
func holds(raw json.RawMessage) bool {
	var keys map[string]json.RawMessage
	if json.Unmarshal(raw, &keys) != nil {
		return false
	}
	for key, value := range keys {
		switch {
		case slices.Contains(remarks, key) || key == "after":
		case key == "checks":
			var checks []json.RawMessage
			if json.Unmarshal(value, &checks) == nil && slices.ContainsFunc(checks, holds) {
				return true
			}
		case saysSomething(key, value):
			return true
		}
	}
	return false
}

// open are keys whose lists leave a place open with null; elsewhere it says that there is nothing.
var open = []string{"backoffMs", "bytesPerSecond"}

// saysSomething reports whether an expected value can differ: not an object that asks for nothing, nor a list that leaves all of
// its places open.
func saysSomething(key string, value json.RawMessage) bool {
	var keys map[string]json.RawMessage
	var list []json.RawMessage
	switch {
	case json.Unmarshal(value, &keys) == nil && keys != nil:
		return len(keys) > 0
	case (slices.Contains(open, key) || strings.HasSuffix(key, "Each")) && json.Unmarshal(value, &list) == nil && len(list) > 0:
		return slices.ContainsFunc(list, func(v json.RawMessage) bool { return string(v) != "null" })
	}
	return true
}

// outcomes are verbs that say what comes of them: a buffer, nothing, or of which kind what is polled is.
var outcomes = []string{"poll", "take", "tryTake", "takeFromChannel", "takeFromPool"}

// saysByEvents reports whether an event of a case can fail by itself.
func saysByEvents(c Case) bool {
	for _, raw := range c.Events {
		verb, args, err := Event(raw)
		if err != nil {
			continue
		}
		_, fails := failing(args)
		inUse := verb == "unregisterUnusedBelow" && len(args) == 2
		if fails || inUse || slices.Contains(outcomes, verb) || strings.HasPrefix(verb, "poll->") {
			return true
		}
	}
	return false
}
