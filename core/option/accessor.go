package option

import (
	"math"
	"strconv"
	"strings"

	"checkpointlab/core/event"
)

// accessor reads and writes one field of Config as text.
type accessor struct {
	typ   Type
	unit  string
	enum  []string
	bound string // the range in words
	set   func(*resolver, string) *Mistake
	get   func(*Config) string
}

// as completes a line of the table with the way to its field.
func (o Option) as(a accessor) Option {
	o.Type, o.Unit, o.Enum, o.set, o.get, o.Modelled = a.typ, a.unit, a.enum, a.set, a.get, true
	if o.Range == "" {
		o.Range = a.bound
	}
	return o
}

// longest bounds every duration: Flink caps the minimum pause there (spec 2.1), and sums of a few cannot overflow.
const longest = 365 * day

// never is Long.MAX_VALUE, cut to milliseconds, with which Flink switches periodic things off.
const never = event.Never - event.Never%event.Millisecond

// span is a duration of at least least. Flink keeps whole milliseconds of all options here, so the rest is cut off and noted.
func span(field func(*Config) *event.Time, least event.Time) accessor {
	return accessor{
		typ: Duration, unit: "ms", bound: FormatDuration(least) + " or more",
		set: func(r *resolver, v string) *Mistake {
			d, m := r.milliseconds(v)
			switch {
			case m != nil:
				return m
			case d < least:
				return &Mistake{Problem: "is shorter than " + FormatDuration(least) + ", which Flink refuses",
					Remedy: "write " + FormatDuration(least) + " or more"}
			case d >= never:
				d = longest
			case d > longest:
				return &Mistake{Problem: "is longer than " + FormatDuration(longest), Remedy: "write a shorter time"}
			}
			*field(&r.cfg) = d
			return nil
		},
		get: func(c *Config) string { return FormatDuration(*field(c)) },
	}
}

// unless makes a span's text empty while the field has the value that means "not set".
func (a accessor) unless(field func(*Config) *event.Time, unset event.Time) accessor {
	get := a.get
	a.get = func(c *Config) string {
		if *field(c) == unset {
			return ""
		}
		return get(c)
	}
	return a
}

// milliseconds parses a duration and cuts it to what Flink's toMillis keeps.
func (r *resolver) milliseconds(v string) (event.Time, *Mistake) {
	d, m := parseDuration(v)
	if m != nil {
		return 0, m
	}
	whole := d - d%event.Millisecond
	if whole != d {
		w := FormatDuration(whole)
		r.note(Warning, "Flink keeps whole milliseconds here: it becomes "+w+".", "Flink는 여기서 밀리초 단위만 쓴다. 실제 값: "+w+".")
	}
	return whole, nil
}

// bytes is a size between two bounds.
func bytes(field func(*Config) *int32, least, most int32) accessor {
	return accessor{
		typ: Size, unit: "bytes", bound: "up to " + FormatSize(int64(most)),
		set: func(r *resolver, v string) *Mistake {
			n, m := parseSize(v)
			if m == nil {
				m = between(n, int64(least), int64(most), FormatSize)
			}
			if m == nil {
				*field(&r.cfg) = int32(n)
			}
			return m
		},
		get: func(c *Config) string { return FormatSize(int64(*field(c))) },
	}
}

// amount is a size between two bounds that may be large.
func amount(field func(*Config) *int64, least, most int64) accessor {
	return accessor{
		typ: Size, unit: "bytes", bound: FormatSize(least) + " to " + FormatSize(most),
		set: func(r *resolver, v string) *Mistake {
			n, m := parseSize(v)
			if m == nil {
				m = between(n, least, most, FormatSize)
			}
			if m == nil {
				*field(&r.cfg) = n
			}
			return m
		},
		get: func(c *Config) string { return FormatSize(*field(c)) },
	}
}

// count is an integer between two bounds.
func count(field func(*Config) *int, least, most int) accessor {
	a := accessor{
		typ: Int, bound: strconv.Itoa(least) + " to " + strconv.Itoa(most),
		set: func(r *resolver, v string) *Mistake {
			n, m := parseInt(v)
			if m == nil {
				m = between(n, int64(least), int64(most), func(n int64) string { return strconv.FormatInt(n, 10) })
			}
			if m == nil {
				*field(&r.cfg) = int(n)
			}
			return m
		},
		get: func(c *Config) string { return strconv.Itoa(*field(c)) },
	}
	if most == math.MaxInt32 {
		a.bound = strconv.Itoa(least) + " or more"
	}
	return a
}

func parseInt(v string) (int64, *Mistake) {
	n, err := strconv.ParseInt(strings.TrimSpace(v), 10, 32)
	switch {
	case strings.TrimSpace(v) == "":
		return 0, &Mistake{Problem: "has no value", Remedy: "write a whole number"}
	case err != nil:
		return 0, &Mistake{Problem: "is not a whole number that fits 32 bits", Remedy: "write digits only, at most 2147483647"}
	}
	return n, nil
}

func between(n, least, most int64, format func(int64) string) *Mistake {
	switch {
	case n < least:
		return &Mistake{Problem: "is less than " + format(least), Remedy: "write " + format(least) + " or more"}
	case n > most:
		return &Mistake{Problem: "is more than " + format(most), Remedy: "write " + format(most) + " or less"}
	}
	return nil
}

// number is a decimal between two bounds; open excludes the lower one.
func number(field func(*Config) *float64, least, most float64, open bool) accessor {
	text := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	bound := text(least) + " to " + text(most)
	if open {
		bound = "more than " + text(least) + ", up to " + text(most)
	}
	return accessor{
		typ: Float, bound: bound,
		set: func(r *resolver, v string) *Mistake {
			x, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
			if err != nil || math.IsNaN(x) {
				return &Mistake{Problem: "is not a number", Remedy: "write a decimal number, such as 1.5"}
			}
			if x < least || x > most || open && x == least {
				return &Mistake{Problem: "is out of range", Remedy: "write a number of " + bound}
			}
			*field(&r.cfg) = x
			return nil
		},
		get: func(c *Config) string { return text(*field(c)) },
	}
}

// flag is true or false.
func flag(field func(*Config) *bool) accessor {
	return accessor{
		typ: Bool, bound: "true or false",
		set: func(r *resolver, v string) *Mistake {
			on, m := parseBool(v)
			if m == nil {
				*field(&r.cfg) = on
			}
			return m
		},
		get: func(c *Config) string { return strconv.FormatBool(*field(c)) },
	}
}

func parseBool(v string) (bool, *Mistake) {
	switch strings.ToLower(strings.TrimSpace(v)) {
	case "true":
		return true, nil
	case "false":
		return false, nil
	case "":
		return false, &Mistake{Problem: "has no value", Remedy: "write true or false"}
	}
	return false, &Mistake{Problem: "is neither true nor false", Remedy: "write true or false"}
}

// choice is one of some words, in any case; aliases maps further spellings to them.
func choice(words []string, aliases map[string]string, set func(*Config, int), get func(*Config) string) accessor {
	return accessor{
		typ: Enum, enum: words, bound: orList(words),
		set: func(r *resolver, v string) *Mistake {
			v = strings.TrimSpace(v)
			if full, ok := aliases[strings.ToLower(v)]; ok {
				v = full
			}
			for i, w := range words {
				if strings.EqualFold(v, w) {
					set(&r.cfg, i)
					return nil
				}
			}
			if v == "" {
				return &Mistake{Problem: "has no value", Remedy: "write " + orList(words)}
			}
			return &Mistake{Problem: "is no value of this option", Remedy: "write " + orList(words)}
		},
		get: get,
	}
}

// orList is "a, b or c".
func orList(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
