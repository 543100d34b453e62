package rebuild

import (
	"fmt"
	"math"
	"strconv"

	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// words is a sentence in both languages.
type words struct{ en, ko string }

func from(en, ko string, values ...any) words {
	if len(values) == 0 {
		return words{en, ko}
	}
	return words{fmt.Sprintf(en, values...), fmt.Sprintf(ko, values...)}
}

// plain is the same in both languages.
func plain(s string) words { return words{s, s} }

func (w words) in(lang string) string {
	if lang == "ko" {
		return w.ko
	}
	return w.en
}

// line is a field of the file and where its value is from. Without a value it is not written.
type line struct {
	key, value string
	from       words
}

// assume notes what was assumed or cannot be had. Both sentences take the same values.
func (r *Rebuilt) assume(s option.Severity, en, ko string, values ...any) {
	w := from(en, ko, values...)
	r.Notes = append(r.Notes, option.Note{Text: w.en, Ko: w.ko, Severity: s})
}

// rounded keeps three digits: what was measured is not better.
func rounded(x float64) float64 {
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return x
	}
	unit := math.Pow(10, math.Floor(math.Log10(math.Abs(x)))-2)
	return math.Round(x/unit) * unit
}

// span writes ns, at most mostRun: more than a scenario takes of any.
func span(ns float64) string {
	return option.FormatDuration(event.Time(math.Round(rounded(max(0, min(ns, float64(mostRun)))))))
}

// number writes a count without a fraction, with thousands as they are.
func number(x float64) string { return strconv.FormatFloat(math.Round(x), 'f', 0, 64) }

// share writes a share in percent.
func share(x float64) string { return strconv.FormatFloat(math.Round(x*1000)/10, 'f', -1, 64) + " %" }

// rate writes records a second as a scenario has it.
func rate(perSecond float64) string {
	switch {
	case perSecond >= 1000:
		return number(perSecond) + "/s"
	case perSecond >= 0.001:
		return number(max(1, perSecond*1000)) + "/1000 s"
	default:
		return "1/h"
	}
}

// ratio writes records out for each one in, within the lab's bounds.
func ratio(x float64) string {
	den := int64(1000)
	if x < 1 {
		den = 1_000_000
	}
	num := max(1, int64(math.Round(x*float64(den))))
	for a, b := num, den; ; a, b = b, a%b {
		if b == 0 {
			num, den = num/a, den/a
			break
		}
	}
	if den == 1 {
		return strconv.FormatInt(num, 10)
	}
	return strconv.FormatInt(num, 10) + "/" + strconv.FormatInt(den, 10)
}
