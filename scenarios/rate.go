package scenarios

import (
	"strconv"
	"strings"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// ParseRate reads records per time, such as "2000/s", "90/min" or "1/500 ms", and "max": a record arrives the moment it can
// be read, which gives 0, 0. An error is a *option.Mistake without a key.
func ParseRate(s string) (num int64, per event.Time, err error) {
	text := strings.TrimSpace(s)
	const remedy = "write records per time, such as 1000/s or 90/min, or max"
	if strings.EqualFold(text, "max") {
		return 0, 0, nil
	}
	bad := func(problem, remedy string) (int64, event.Time, error) {
		return 0, 0, &option.Mistake{Value: text, Problem: problem, Remedy: remedy}
	}
	count, unit, ok := strings.Cut(text, "/")
	count, unit = strings.TrimSpace(count), strings.TrimSpace(unit)
	if !ok || unit == "" {
		return bad("is not a rate", remedy)
	}
	num, err = strconv.ParseInt(count, 10, 64)
	switch {
	case err != nil && strings.ContainsAny(count, ".,"):
		return bad("has a fraction", "write a whole number per longer time, such as 90/min")
	case err != nil:
		return bad("is not a rate", remedy)
	case num < 0:
		return bad("is negative", remedy)
	case num == 0:
		return bad("is a rate at which nothing ever arrives", "write 1/s or more, or max for a source that is never short")
	}
	if unit[0] < '0' || unit[0] > '9' {
		unit = "1 " + unit
	}
	per, err = option.ParseDuration(unit)
	if err != nil || per == 0 || endsInDigit(unit) {
		return bad("is not a rate", remedy)
	}
	if per > longestRun {
		return bad("counts by a time longer than the longest run", "write records per 30 d or less")
	}
	if num > per { // 1e9 a second is one a nanosecond
		return bad("is more than 1000000000/s", "write a lower rate")
	}
	return num, per, nil
}

func endsInDigit(s string) bool { c := s[len(s)-1]; return '0' <= c && c <= '9' }

// mostRate is how many records a ns the lab counts in all partitions of a source.
const mostRate = 10

// notTooMany keeps a mistake if the partitions of a log make more of a rate than the lab can count.
func (o *object) notTooMany(field string, v *core.Vertex, num int64, per event.Time) {
	logs := int64(v.Logs())
	if num > mostRate*per/logs {
		o.bad(field, "comes to more than "+decimal(mostRate)+"000000000/s in "+decimal(logs)+" partitions", "write a lower rate or fewer partitions")
	}
}

// rate is a field of records per time; 0, 0 if it is max, not given or wrong.
func (o *object) rate(field string) (num int64, per event.Time) {
	o.read(field, "write records per time, such as 1000/s", func(text string) (err error) {
		num, per, err = ParseRate(text)
		return err
	})
	return num, per
}
