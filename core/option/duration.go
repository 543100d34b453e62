package option

import (
	"math"
	"strconv"
	"strings"

	"checkpointlab/core/event"
)

// The long spans that a duration can name, in nanoseconds.
const (
	minute = 60 * event.Second
	hour   = 60 * minute
	day    = 24 * hour
)

// durationUnits are the labels of Flink, with "us" for keyboards without µ; the first label of each span is the one written.
var durationUnits = []struct {
	span   event.Time
	labels string
}{
	{day, " d day days "},
	{hour, " h hour hours "},
	{minute, " min m minute minutes "},
	{event.Second, " s sec secs second seconds "},
	{event.Millisecond, " ms milli millis millisecond milliseconds "},
	{event.Microsecond, " µs us μs micro micros microsecond microseconds "},
	{1, " ns nano nanos nanosecond nanoseconds "},
}

const durationRemedy = "write a whole number and a unit, such as 500 ms, 10 s or 2 min"

// ParseDuration reads a span as Flink does (spec 1.0): "200 ms", "1s", "10 min", "PT1M30S"; a bare number is milliseconds.
// The result is in ns and never negative. An error is a *Mistake without a key.
func ParseDuration(s string) (event.Time, error) {
	d, m := parseDuration(s)
	if m != nil {
		m.Value = strings.TrimSpace(s)
		return 0, m
	}
	return d, nil
}

func parseDuration(s string) (event.Time, *Mistake) {
	s = strings.ToLower(strings.TrimSpace(s))
	digits := leadingDigits(s)
	number, unit := s[:digits], strings.TrimSpace(s[digits:])
	switch {
	case s == "":
		return 0, &Mistake{Problem: "has no value", Remedy: durationRemedy}
	case s[0] == '-':
		return 0, &Mistake{Problem: "is negative", Remedy: "write 0 or more"}
	case s[0] == 'p':
		return parseISO(s)
	case digits == 0:
		return 0, &Mistake{Problem: "is not a duration", Remedy: durationRemedy}
	case strings.HasPrefix(unit, ".") || strings.HasPrefix(unit, ","):
		return 0, &Mistake{Problem: "has a fraction", Remedy: "write a whole number of a smaller unit, such as 1500 ms"}
	}
	span := durationSpan(unit)
	if span == 0 {
		return 0, &Mistake{Problem: "has no unit of time that Flink knows", Remedy: "write d, h, min, s, ms, us or ns after the number"}
	}
	return times(number, span)
}

// durationSpan is the span of a unit's label, 0 for none; no label is milliseconds.
func durationSpan(label string) event.Time {
	if label == "" {
		return event.Millisecond
	}
	for _, u := range durationUnits {
		if !strings.Contains(label, " ") && strings.Contains(u.labels, " "+label+" ") {
			return u.span
		}
	}
	return 0
}

// times is number × span without overflow. What Flink counts to at most in milliseconds, Long.MAX_VALUE, stands for never.
func times(number string, span event.Time) (event.Time, *Mistake) {
	n, err := strconv.ParseInt(number, 10, 64)
	if err == nil && n == math.MaxInt64 && span == event.Millisecond {
		return event.Never, nil
	}
	if err != nil || n > event.Never/span {
		return 0, &Mistake{Problem: "is longer than the 292 years that the lab can count", Remedy: "write a shorter time"}
	}
	return n * span, nil
}

// parseISO reads the ISO-8601 form p1dt2h3m4.5s (lower case): days, then after a "t" hours, minutes and seconds.
func parseISO(s string) (event.Time, *Mistake) {
	date, clock, timed := strings.Cut(s[1:], "t")
	total, ok := isoParts(date, "d")
	if timed && ok && clock != "" {
		var d event.Time
		if d, ok = isoParts(clock, "hms"); ok && d <= event.Never-total {
			return total + d, nil
		}
	}
	if !ok || timed || date == "" {
		return 0, &Mistake{Problem: "is not an ISO-8601 duration that the lab can count", Remedy: "write PT10M, PT1M30S or, simpler, 10 min"}
	}
	return total, nil
}

// isoParts sums numbers that each end in one of the letters, in their order, none twice; seconds may have nine decimals.
func isoParts(s, letters string) (total event.Time, ok bool) {
	spans := map[byte]event.Time{'d': day, 'h': hour, 'm': minute, 's': event.Second}
	for s != "" {
		n := leadingDigits(s)
		number, rest, fraction := s[:n], s[n:], ""
		if strings.HasPrefix(rest, ".") {
			f := leadingDigits(rest[1:])
			fraction, rest = rest[1:1+f], rest[1+f:]
		}
		at := -1
		if rest != "" {
			at = strings.IndexByte(letters, rest[0])
		}
		if number == "" || at < 0 || len(fraction) > 9 || fraction != "" && rest[0] != 's' {
			return 0, false
		}
		d, m := times(number, spans[rest[0]])
		nanos, _ := strconv.ParseInt((fraction + "000000000")[:9], 10, 64)
		if m != nil || d > event.Never-total-nanos {
			return 0, false
		}
		total, letters, s = total+d+nanos, letters[at+1:], rest[1:]
	}
	return total, true
}

func leadingDigits(s string) int {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n
}

// FormatDuration writes a span in Flink's words with the largest unit that is exact: "500 ms", "90 s", "10 min", "200 µs".
// ParseDuration reads it back; 0 is "0 ms". A negative span, which no option has, gets a minus sign.
func FormatDuration(d event.Time) string {
	if d == 0 {
		return "0 ms"
	}
	for _, u := range durationUnits {
		if d%u.span == 0 {
			return strconv.FormatInt(d/u.span, 10) + " " + strings.Fields(u.labels)[0]
		}
	}
	panic("option: no unit divides " + strconv.FormatInt(d, 10))
}
