package vector

import (
	"fmt"
	"maps"
	"slices"
)

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

// names shows a list in which null is possible.
func names(list []*string) string {
	shown := make([]string, len(list))
	for i, s := range list {
		shown[i] = "null"
		if s != nil {
			shown[i] = *s
		}
	}
	return fmt.Sprint(shown)
}

// equalNames compares lists in which null is possible.
func equalNames(a, b []*string) bool {
	return slices.EqualFunc(a, b, func(x, y *string) bool {
		return (x == nil) == (y == nil) && (x == nil || *x == *y)
	})
}
