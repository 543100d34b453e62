package option

import (
	"math"
	"strconv"
	"strings"
)

// sizeUnits are Flink's labels, multiples of 1024; the first label of each is the one written.
var sizeUnits = []struct {
	bytes  int64
	labels string
}{
	{1 << 40, " tb t tebibytes "},
	{1 << 30, " gb g gibibytes "},
	{1 << 20, " mb m mebibytes "},
	{1 << 10, " kb k kibibytes "},
	{1, " bytes b "},
}

// ParseSize reads a size in bytes as Flink does (spec 1.0): "32 kb", "64mb", "1 gb"; a bare number is bytes.
// An error is a *Mistake without a key.
func ParseSize(s string) (int64, error) {
	n, m := parseSize(s)
	if m != nil {
		m.Value = strings.TrimSpace(s)
		return 0, m
	}
	return n, nil
}

func parseSize(s string) (int64, *Mistake) {
	s = strings.ToLower(strings.TrimSpace(s))
	digits := leadingDigits(s)
	unit := strings.TrimSpace(s[digits:])
	switch {
	case s == "":
		return 0, &Mistake{Problem: "has no value", Remedy: "write a whole number and a unit, such as 32 kb"}
	case s[0] == '-':
		return 0, &Mistake{Problem: "is negative", Remedy: "write 0 or more"}
	case digits == 0:
		return 0, &Mistake{Problem: "is not a size", Remedy: "write a whole number and a unit, such as 32 kb"}
	case strings.HasPrefix(unit, ".") || strings.HasPrefix(unit, ","):
		return 0, &Mistake{Problem: "has a fraction", Remedy: "write a whole number of a smaller unit, such as 1536 mb"}
	}
	factor := sizeFactor(unit)
	if factor == 0 {
		return 0, &Mistake{Problem: "has no unit of size that Flink knows", Remedy: "write b, kb, mb, gb or tb after the number"}
	}
	n, err := strconv.ParseInt(s[:digits], 10, 64)
	if err != nil || n > math.MaxInt64/factor {
		return 0, &Mistake{Problem: "is larger than the lab can count", Remedy: "write a smaller size"}
	}
	return n * factor, nil
}

// sizeFactor is the bytes of a unit's label, 0 for none; no label is bytes.
func sizeFactor(label string) int64 {
	if label == "" {
		return 1
	}
	for _, u := range sizeUnits {
		if !strings.Contains(label, " ") && strings.Contains(u.labels, " "+label+" ") {
			return u.bytes
		}
	}
	return 0
}

// FormatSize writes bytes in Flink's words with the largest unit that is exact: "32 kb", "1000 bytes". ParseSize reads it back.
func FormatSize(n int64) string {
	for _, u := range sizeUnits {
		if n%u.bytes == 0 && (n != 0 || u.bytes == 1) {
			return strconv.FormatInt(n/u.bytes, 10) + " " + strings.Fields(u.labels)[0]
		}
	}
	panic("option: no unit divides " + strconv.FormatInt(n, 10))
}
