// Package format writes the picture's numbers: counts, spans and sizes, always with a narrow no-break space between
// thousands and before the unit. All functions append to the caller's buffer and do not allocate.
package format

import (
	"strconv"

	"checkpointlab/core/event"
)

// Space is the narrow no-break space.
const Space = "\u202f"

// Count appends n in groups of three: 46 236.
func Count(b []byte, n int64) []byte {
	if n < 0 {
		return Count(append(b, "−"...), -n)
	}
	return groups(b, n)
}

func groups(b []byte, n int64) []byte {
	if n < 1000 {
		return strconv.AppendInt(b, n, 10)
	}
	b = append(groups(b, n/1000), Space...)
	r := n % 1000
	return append(b, byte('0'+r/100), byte('0'+r/10%10), byte('0'+r%10))
}

// Short appends n with at most three digits and a factor: 46.2 k.
func Short(b []byte, n int64) []byte {
	switch {
	case n < 10_000:
		return Count(b, n)
	case n < 1_000_000:
		return append(tenths(b, n, 1000), Space+"k"...)
	}
	return append(tenths(b, n, 1_000_000), Space+"M"...)
}

// tenths appends n/unit with one decimal below 100 and none above.
func tenths(b []byte, n, unit int64) []byte {
	if n >= 100*unit {
		return Count(b, (n+unit/2)/unit)
	}
	return Fixed(b, n, unit, 1)
}

// Fixed appends n/unit with so many decimals, rounded half up.
func Fixed(b []byte, n, unit int64, decimals int) []byte {
	if n < 0 {
		return Fixed(append(b, "−"...), -n, unit, decimals)
	}
	scale := int64(1)
	for range decimals {
		scale *= 10
	}
	whole, rest := n/unit, n%unit
	part := (rest*scale + unit/2) / unit
	if unit > 1_000_000_000_000 { // keep rest*scale inside an int64
		part = (rest/1000*scale + unit/2000) / (unit / 1000)
	}
	if part >= scale {
		whole, part = whole+1, part-scale
	}
	b = groups(b, whole)
	if decimals == 0 {
		return b
	}
	b = append(b, '.')
	for d := scale / 10; d > 0; d /= 10 {
		b = append(b, byte('0'+part/d%10))
	}
	return b
}

// Seconds appends a span in seconds with so many decimals: 9.3 s.
func Seconds(b []byte, t event.Time, decimals int) []byte {
	return append(Fixed(b, t, event.Second, decimals), Space+"s"...)
}

// Span appends a span in the unit that suits it: 200 µs, 180 ms, 2.03 s, 17.1 s, 10 min.
func Span(b []byte, t event.Time) []byte {
	switch {
	case t < 0:
		return Span(append(b, "−"...), -t)
	case t == 0:
		return append(b, "0"+Space+"s"...)
	case t < event.Millisecond:
		return append(trimmed(b, t, event.Microsecond, 1), Space+"µs"...)
	case t < event.Second:
		return append(trimmed(b, t, event.Millisecond, decimalsBelow(t, 10*event.Millisecond, 1)), Space+"ms"...)
	case t < 10*event.Second:
		return append(trimmed(b, t, event.Second, 2), Space+"s"...)
	case t < 120*event.Second:
		return append(trimmed(b, t, event.Second, 1), Space+"s"...)
	}
	return append(trimmed(b, t, 60*event.Second, 1), Space+"min"...)
}

func decimalsBelow(t, limit event.Time, decimals int) int {
	if t < limit {
		return decimals
	}
	return 0
}

// trimmed is Fixed without the zeros at its end.
func trimmed(b []byte, n, unit int64, decimals int) []byte {
	b = Fixed(b, n, unit, decimals)
	if decimals == 0 {
		return b
	}
	for b[len(b)-1] == '0' {
		b = b[:len(b)-1]
	}
	if b[len(b)-1] == '.' {
		return b[:len(b)-1]
	}
	return b
}

// Bytes appends a size: 180 B, 31.9 KiB, 2.6 MiB.
func Bytes(b []byte, n int64) []byte {
	switch {
	case n < 1<<10:
		return append(Count(b, n), Space+"B"...)
	case n < 1<<20:
		return append(tenths(b, n, 1<<10), Space+"KiB"...)
	case n < 1<<30:
		return append(tenths(b, n, 1<<20), Space+"MiB"...)
	}
	return append(tenths(b, n, 1<<30), Space+"GiB"...)
}

// Percent appends per mille as a rounded percentage: 93 %.
func Percent(b []byte, mille int) []byte {
	return append(strconv.AppendInt(b, int64((mille+5)/10), 10), Space+"%"...)
}
