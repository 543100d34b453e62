package option

import (
	"testing"

	"checkpointlab/core/event"

	"pgregory.net/rapid"
)

func TestParseDuration(t *testing.T) {
	const ms, s = event.Millisecond, event.Second
	cases := []struct {
		in   string
		want event.Time
		err  string
	}{
		{"60000", 60 * s, ""}, // a bare number is milliseconds
		{"60s", 60 * s, ""}, {"60 s", 60 * s, ""}, {"  60  S ", 60 * s, ""},
		{"1min", minute, ""}, {"1 m", minute, ""}, {"10 minutes", 10 * minute, ""},
		{"90 sec", 90 * s, ""}, {"2 h", 2 * hour, ""}, {"1 d", day, ""}, {"2 days", 2 * day, ""},
		{"500ms", 500 * ms, ""}, {"100 milli", 100 * ms, ""},
		{"250us", 250_000, ""}, {"250 µs", 250_000, ""}, {"250000 micro", 250 * ms, ""}, {"1000000000 ns", s, ""},
		{"PT10M", 10 * minute, ""}, {"PT1M30S", 90 * s, ""}, {"pt0.5s", 500 * ms, ""}, {"P1DT2H", 26 * hour, ""}, {"P2D", 2 * day, ""},
		{"0", 0, ""}, {"0 h", 0, ""}, {"PT0S", 0, ""},
		{"292 years", 0, `"292 years" has no unit of time that Flink knows; write d, h, min, s, ms, us or ns after the number`},
		{"5 mins", 0, `"5 mins" has no unit of time that Flink knows; write d, h, min, s, ms, us or ns after the number`},
		{"1min30s", 0, `"1min30s" has no unit of time that Flink knows; write d, h, min, s, ms, us or ns after the number`},
		{"1 day s", 0, `"1 day s" has no unit of time that Flink knows; write d, h, min, s, ms, us or ns after the number`},
		{"1.5 s", 0, `"1.5 s" has a fraction; write a whole number of a smaller unit, such as 1500 ms`},
		{"-1", 0, `"-1" is negative; write 0 or more`},
		{"fast", 0, `"fast" is not a duration; write a whole number and a unit, such as 500 ms, 10 s or 2 min`},
		{"", 0, `has no value; write a whole number and a unit, such as 500 ms, 10 s or 2 min`},
		{"9223372036854775807", event.Never, ""},
		{"9223372036854775806", 0, `"9223372036854775806" is longer than the 292 years that the lab can count; write a shorter time`},
		{"99999999999999999999 ns", 0, `"99999999999999999999 ns" is longer than the 292 years that the lab can count; write a shorter time`},
		{"106752 d", 0, `"106752 d" is longer than the 292 years that the lab can count; write a shorter time`},
		{"P", 0, `"P" is not an ISO-8601 duration that the lab can count; write PT10M, PT1M30S or, simpler, 10 min`},
		{"PT", 0, `"PT" is not an ISO-8601 duration that the lab can count; write PT10M, PT1M30S or, simpler, 10 min`},
		{"PT30S1M", 0, `"PT30S1M" is not an ISO-8601 duration that the lab can count; write PT10M, PT1M30S or, simpler, 10 min`},
		{"P106751DT24H", 0, `"P106751DT24H" is not an ISO-8601 duration that the lab can count; write PT10M, PT1M30S or, simpler, 10 min`},
	}
	for _, c := range cases {
		got, err := ParseDuration(c.in)
		if text := message(err); got != c.want || text != c.err {
			t.Errorf("ParseDuration(%q) = %d, %s\nwant %d, %s", c.in, got, text, c.want, c.err)
		}
	}
}

func TestFormatDuration(t *testing.T) {
	cases := map[event.Time]string{
		0: "0 ms", 500 * event.Millisecond: "500 ms", event.Second: "1 s", 90 * event.Second: "90 s", 1500 * event.Millisecond: "1500 ms",
		10 * minute: "10 min", 24 * hour: "1 d", 200_000: "200 µs", 1: "1 ns", -event.Second: "-1 s",
	}
	for d, want := range cases {
		if got := FormatDuration(d); got != want {
			t.Errorf("FormatDuration(%d) = %q, want %q", d, got, want)
		}
	}
}

func TestDurationRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.Int64Range(0, event.Never).Draw(t, "d")
		if unit := rapid.SampledFrom(durationUnits).Draw(t, "unit").span; rapid.Bool().Draw(t, "whole") {
			d -= d % unit
		}
		if got, err := ParseDuration(FormatDuration(d)); got != d || err != nil {
			t.Fatalf("%d → %q → %d, %v", d, FormatDuration(d), got, err)
		}
	})
}

func TestParseSize(t *testing.T) {
	cases := []struct {
		in   string
		want int64
		err  string
	}{
		{"64mb", 64 << 20, ""}, {"64 MB", 64 << 20, ""}, {"64m", 64 << 20, ""}, {"1g", 1 << 30, ""}, {"32 kb", 32 << 10, ""},
		{"256 bytes", 256, ""}, {"1024", 1024, ""}, {"2t", 2 << 40, ""}, {"3 mebibytes", 3 << 20, ""}, {"0", 0, ""}, {"100 b", 100, ""},
		{"1.5gb", 0, `"1.5gb" has a fraction; write a whole number of a smaller unit, such as 1536 mb`},
		{"64mib", 0, `"64mib" has no unit of size that Flink knows; write b, kb, mb, gb or tb after the number`},
		{"-1", 0, `"-1" is negative; write 0 or more`},
		{"big", 0, `"big" is not a size; write a whole number and a unit, such as 32 kb`},
		{"8388608 tb", 0, `"8388608 tb" is larger than the lab can count; write a smaller size`},
		{" ", 0, `has no value; write a whole number and a unit, such as 32 kb`},
	}
	for _, c := range cases {
		got, err := ParseSize(c.in)
		if text := message(err); got != c.want || text != c.err {
			t.Errorf("ParseSize(%q) = %d, %s\nwant %d, %s", c.in, got, text, c.want, c.err)
		}
	}
}

func TestFormatSize(t *testing.T) {
	for n, want := range map[int64]string{0: "0 bytes", 1000: "1000 bytes", 1 << 10: "1 kb", 32 << 10: "32 kb", 3 << 30: "3 gb"} {
		if got := FormatSize(n); got != want {
			t.Errorf("FormatSize(%d) = %q, want %q", n, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(0, 1<<62).Draw(t, "n") >> rapid.IntRange(0, 62).Draw(t, "shift")
		if got, err := ParseSize(FormatSize(n)); got != n || err != nil {
			t.Fatalf("%d → %q → %d, %v", n, FormatSize(n), got, err)
		}
	})
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
