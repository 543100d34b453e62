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
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

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
		if verb, args, err := Event(raw); err == nil && verb == "check" && len(args) == 1 && !isEmpty(args[0]) {
			return true
		}
	}
	return !isEmpty(c.Expect)
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

// isEmpty reports whether raw is no object with keys.
func isEmpty(raw json.RawMessage) bool {
	var keys map[string]json.RawMessage
	return json.Unmarshal(raw, &keys) != nil || len(keys) == 0
}
