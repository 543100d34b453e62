package main

import (
	"testing"

	"checkpointlab/core/event"
)

func TestParseInstant(t *testing.T) {
	for text, want := range map[string]event.Time{
		"71.2s": 71_200 * event.Millisecond, "71.2 s": 71_200 * event.Millisecond, ".5 min": 30 * event.Second, "10m": 600 * event.Second,
		"90 s": 90 * event.Second, "1.000000001s": event.Second + 1, "0.3ms": 300 * event.Microsecond, "PT10S": 10 * event.Second,
	} {
		if got, err := parseInstant(text); err != nil || got != want {
			t.Errorf("%q is %d ns (%v), expected %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "71", "71.2", "1.2.3s", "-1s", "1.5 parsecs", "s", "1.0000000001s", "soon", "106751.999999999d", "99999999999d"} {
		if got, err := parseInstant(text); err == nil {
			t.Errorf("%q is taken for %d ns", text, got)
		}
	}
}
