package sim

import (
	"testing"

	"pgregory.net/rapid"
)

// The numbers are written down so that another platform or another Go release that changes a run is seen.
func TestStreamIsTheSameEverywhere(t *testing.T) {
	s := NewStream(1, "rebalance")
	got := [4]uint64{s.Uint64(), s.Uint64(), uint64(s.Int64n(1_000_000)), s.Uint64() >> 11}
	want := [4]uint64{0xeeb9338fcc1de197, 0x79ac845bb99c9cbb, 0x9b0e7, 0xdd40c13fadfd9}
	if got != want {
		t.Fatalf("got %#v, want %#v", got, want)
	}
}

func TestStreamCopyGoesOnTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := NewStream(rapid.Uint64().Draw(t, "seed"), rapid.String().Draw(t, "name"))
		for range rapid.IntRange(0, 20).Draw(t, "before") {
			s.Uint64()
		}
		c := s
		var first [8]uint64
		for i := range first {
			first[i] = s.Uint64()
		}
		for i := range first {
			if got := c.Uint64(); got != first[i] {
				t.Fatalf("draw %d of the copy: %d, want %d", i, got, first[i])
			}
		}
	})
}

// Two streams agree in a bit half of the time, whether their names or their seeds differ, and by however little.
func TestStreamsAreIndependent(t *testing.T) {
	pairs := [][2]Stream{
		{NewStream(1, "a"), NewStream(1, "b")},
		{NewStream(1, "a"), NewStream(2, "a")},
		{NewStream(0, ""), NewStream(1, "")},
		{NewStream(1, "jitter/1"), NewStream(1, "jitter/2")},
	}
	for i, p := range pairs {
		const draws = 10_000
		var same [64]int
		for range draws {
			x := p[0].Uint64() ^ p[1].Uint64()
			for bit := range 64 {
				same[bit] += int(x >> bit & 1)
			}
		}
		for bit, n := range same {
			if n < draws/2-300 || n > draws/2+300 { // six standard deviations
				t.Errorf("pair %d: bit %d differs %d times of %d", i, bit, n, draws)
			}
		}
	}
}

func TestInt64nIsUniformAndInRange(t *testing.T) {
	s := NewStream(7, "dice")
	var seen [6]int
	for range 60_000 {
		seen[s.Int64n(6)]++
	}
	for v, n := range seen {
		if n < 9_500 || n > 10_500 {
			t.Errorf("%d came %d times of 60000", v, n)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Min(1).Draw(t, "n")
		if v := s.Int64n(n); v < 0 || v >= n {
			t.Fatalf("Int64n(%d) = %d", n, v)
		}
	})
}
