package main

import (
	"fmt"
	"strconv"
	"strings"

	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// parseInstant reads a span as people write an instant: Flink's words for durations, and decimals of them such as 71.2s,
// which Flink itself does not take. A number without a unit is refused, since Flink's would be milliseconds.
func parseInstant(text string) (event.Time, error) {
	text = strings.TrimSpace(text)
	unit := strings.TrimLeft(text, "0123456789.")
	number := text[:len(text)-len(unit)]
	whole, fraction, decimal := strings.Cut(number, ".")
	if number != "" && unit == "" {
		return 0, fmt.Errorf("%q has no unit; write one after the number, such as 90s", text)
	}
	if !decimal {
		return option.ParseDuration(text)
	}
	one, err := option.ParseDuration("1" + unit)
	if err != nil {
		return 0, err
	}
	parts, err := strconv.ParseInt("0"+fraction, 10, 64)
	if err != nil || len(fraction) > 9 || strings.Contains(fraction, ".") {
		return 0, fmt.Errorf("%q is not a time; write one such as 71.2s", text)
	}
	base, err := option.ParseDuration("0" + whole + unit)
	if err != nil {
		return 0, err
	}
	scale := event.Time(1)
	for range fraction {
		scale *= 10
	}
	more := one/scale*parts + one%scale*parts/scale
	if base > event.Never-more {
		return 0, fmt.Errorf("%q is longer than the 292 years that the lab can count; write a shorter time", text)
	}
	return base + more, nil
}
