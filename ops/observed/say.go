package observed

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// ms is a span as Flink's answers have it; bytes is a size. Negative: not known. Sentences take them as they are, and each
// language writes them its way.
type (
	ms    int64
	bytes int64
)

func (d ms) String() string {
	if d < 0 {
		return "unknown"
	}
	switch {
	case d >= 10_000 && d%60_000 == 0:
	case d >= 36_000_000:
		return fraction(float64(d)/3_600_000, "h")
	case d >= 1_000_000:
		return fraction(float64(d)/60_000, "min")
	case d >= 10_000:
		return fraction(float64(d)/1000, "s")
	}
	return option.FormatDuration(event.Time(d) * event.Millisecond)
}

func (n bytes) String() string {
	if n < 0 {
		return "unknown"
	}
	for _, u := range [...]struct {
		of   bytes
		name string
	}{{1 << 40, "tb"}, {1 << 30, "gb"}, {1 << 20, "mb"}, {1 << 10, "kb"}} {
		if n >= u.of {
			return fraction(float64(n)/float64(u.of), u.name)
		}
	}
	return strconv.FormatInt(int64(n), 10) + " bytes"
}

// fraction writes a number with one digit behind the point, none where that is 0.
func fraction(x float64, unit string) string {
	return strconv.FormatFloat(float64(int64(x*10+0.5))/10, 'f', -1, 64) + " " + unit
}

// warn says something that asks for a change, or that is easily read wrongly; remark says something for information. Both
// sentences take the same values.
func (s *Seen) warn(line int, en, ko string, values ...any) {
	s.say(line, option.Warning, en, ko, values)
}

func (s *Seen) remark(line int, en, ko string, values ...any) {
	s.say(line, option.Info, en, ko, values)
}

// mostAlike is how often one sentence is said of different things.
const mostAlike = 8

// rest says that there was more of the same.
func (s *Seen) rest() {
	if s.left > 0 {
		s.remark(0, "%d more of the same kinds are left out.", "같은 종류가 %d번 더 있어 줄였다.", s.left)
	}
}

func (s *Seen) say(line int, severity option.Severity, en, ko string, values []any) {
	n := option.Note{Line: line, Text: filled(en, values), Ko: filled(ko, inKorean(values)), Severity: severity}
	if slices.ContainsFunc(s.Notes, func(o option.Note) bool { return o.Text == n.Text }) {
		return
	}
	if s.alike == nil {
		s.alike = map[string]int{}
	}
	if s.alike[en]++; s.alike[en] > mostAlike {
		s.left++
		return
	}
	s.Notes = append(s.Notes, n)
}

// filled is a sentence with its values. One language may use fewer of them, by number.
func filled(format string, values []any) string {
	if len(values) == 0 {
		return format
	}
	if !strings.Contains(format, "%[") { // the first ones, as many as it asks for
		values = values[:min(len(values), strings.Count(format, "%")-2*strings.Count(format, "%%"))]
	}
	return fmt.Sprintf(format, values...)
}

func inKorean(values []any) []any {
	out := slices.Clone(values)
	for i, v := range out {
		switch v := v.(type) {
		case ms:
			out[i] = known(option.Korean(v.String()))
		case bytes:
			out[i] = known(option.Korean(v.String()))
		}
	}
	return out
}

func known(text string) string {
	if text == "unknown" {
		return "알 수 없음"
	}
	return text
}

func (s *Seen) span(name string, d ms) {
	s.Facts = append(s.Facts, Fact{Name: name, Text: d.String(), Number: int64(d), Unit: "ms", Known: d >= 0})
}

func (s *Seen) size(name string, n bytes) {
	s.Facts = append(s.Facts, Fact{Name: name, Text: n.String(), Number: int64(n), Unit: "bytes", Known: n >= 0})
}

func (s *Seen) count(name string, n int64) {
	s.Facts = append(s.Facts, Fact{Name: name, Text: strconv.FormatInt(n, 10), Number: n, Known: n >= 0})
}

func (s *Seen) word(name, text string) {
	s.Facts = append(s.Facts, Fact{Name: name, Text: text, Known: text != ""})
}

// times is how many times a is of b, as "4.7".
func times(a, b int64) string {
	return strconv.FormatFloat(float64(a)/float64(max(1, b)), 'f', 1, 64)
}

// percent is the share of a in b.
func percent(a, b int64) int64 {
	if b <= 0 {
		return 0
	}
	return int64(float64(a)*100/float64(b) + 0.5)
}

func digits(n int64) string {
	if n < 0 {
		return "unknown"
	}
	return strconv.FormatInt(n, 10)
}
