package format_test

import (
	"strings"
	"testing"

	"checkpointlab/core/event"
	"checkpointlab/render/format"
)

func TestNumbers(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{string(format.Count(nil, 0)), "0"},
		{string(format.Count(nil, 46_236)), "46 236"},
		{string(format.Count(nil, 1_000_007)), "1 000 007"},
		{string(format.Count(nil, -59_746)), "−59 746"},
		{string(format.Short(nil, 9_999)), "9 999"},
		{string(format.Short(nil, 46_236)), "46.2 k"},
		{string(format.Short(nil, 460_236)), "460 k"},
		{string(format.Short(nil, 4_602_360)), "4.6 M"},
		{string(format.Seconds(nil, 17_080*event.Millisecond, 1)), "17.1 s"},
		{string(format.Seconds(nil, 999_600*event.Microsecond, 2)), "1.00 s"},
		{string(format.Span(nil, 200*event.Microsecond)), "200 µs"},
		{string(format.Span(nil, 1500)), "1.5 µs"},
		{string(format.Span(nil, 180*event.Millisecond)), "180 ms"},
		{string(format.Span(nil, 2500*event.Microsecond)), "2.5 ms"},
		{string(format.Span(nil, 2030*event.Millisecond)), "2.03 s"},
		{string(format.Span(nil, 10*event.Second)), "10 s"},
		{string(format.Span(nil, 600*event.Second)), "10 min"},
		{string(format.Span(nil, 0)), "0 s"},
		{string(format.Bytes(nil, 180)), "180 B"},
		{string(format.Bytes(nil, 32_666)), "31.9 KiB"},
		{string(format.Bytes(nil, 2_760_000)), "2.6 MiB"},
		{string(format.Percent(nil, 931)), "93 %"},
	} {
		if want := strings.ReplaceAll(c.want, " ", format.Space); c.got != want {
			t.Errorf("got %q, want %q", c.got, want)
		}
	}
}

func TestNoAllocation(t *testing.T) {
	b := make([]byte, 0, 64)
	if n := testing.AllocsPerRun(100, func() {
		format.Span(b, 2030*event.Millisecond)
		format.Count(b, 1_000_000)
		format.Bytes(b, 32_666)
	}); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}
