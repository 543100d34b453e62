package metric

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"checkpointlab/core/event"

	"pgregory.net/rapid"
)

// seen is one latency of the dumb reference: every value on its own.
type seen struct {
	at event.Time
	v  int64
}

// drawRuns fills a Latencies and the reference with the same values.
func drawRuns(t *rapid.T) (*Latencies, []seen) {
	l, all := new(Latencies), []seen(nil)
	at := event.Time(0)
	for range rapid.IntRange(0, 12).Draw(t, "runs") {
		at += rapid.SampledFrom([]event.Time{0, 0, 1, 5, 3_000}).Draw(t, "later")
		first := rapid.OneOf(rapid.Int64Range(-3, 20), rapid.Int64Range(0, 9000*Unit), rapid.Int64Range(bound-2000, bound-1000)).Draw(t, "first")
		step := rapid.OneOf(rapid.Int64Range(-3, 3), rapid.Int64Range(-Unit, 0)).Draw(t, "step")
		n := rapid.Int64Range(0, 30).Draw(t, "n")
		l.Add(at, first, step, n)
		for i := range n {
			all = append(all, seen{at, first + i*step})
		}
	}
	return l, all
}

func drawWindow(t *rapid.T) Window {
	instant := rapid.OneOf(rapid.Int64Range(-2, 20), rapid.Int64Range(-9000, 12_000), rapid.SampledFrom([]int64{math.MinInt64, math.MaxInt64}))
	w := Window{instant.Draw(t, "seenFrom"), instant.Draw(t, "seenTo"), instant.Draw(t, "arrivedFrom")}
	if rapid.Bool().Draw(t, "everything") {
		w = Everything()
	}
	return w
}

// choose is the definition of a window, without any arithmetic that could overflow.
func choose(all []seen, w Window) []int64 {
	var vs []int64
	for _, s := range all {
		arrived := new(big.Int).Sub(new(big.Int).Mul(big.NewInt(s.at), big.NewInt(Unit)), big.NewInt(s.v))
		from := new(big.Int).Mul(big.NewInt(w.ArrivedFrom), big.NewInt(Unit))
		if w.SeenFrom <= s.at && s.at <= w.SeenTo && arrived.Cmp(from) >= 0 {
			vs = append(vs, s.v)
		}
	}
	slices.Sort(vs)
	return vs
}

func TestSelectionIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, all := drawRuns(t)
		w := drawWindow(t)
		vs := choose(all, w)
		var s Selection
		s.Select(l, Everything()) // whatever it held before must not matter
		s.Select(l, w)
		n := len(vs)
		if s.Count() != int64(n) {
			t.Fatalf("Count = %d, want %d", s.Count(), n)
		}
		if n == 0 {
			if s.Min() != 0 || s.Max() != 0 || s.Mean() != 0 || s.Quantile(0.5) != 0 || s.QuantileNearest(0.5) != 0 {
				t.Fatal("an empty selection must answer 0")
			}
			return
		}
		for r, v := range vs {
			if got := s.AtRank(int64(r)); got != v>>10 {
				t.Fatalf("AtRank(%d) = %d, want %d of %v", r, got, v>>10, vs)
			}
		}
		sum := new(big.Int)
		for _, v := range vs {
			sum.Add(sum, big.NewInt(v))
		}
		mean := sum.Div(sum, big.NewInt(int64(n)*Unit)).Int64() // Euclidean: rounds down for a positive divisor
		if s.Min() != vs[0]>>10 || s.Max() != vs[n-1]>>10 || s.Mean() != mean {
			t.Fatalf("Min, Max, Mean = %d, %d, %d, want %d, %d, %d", s.Min(), s.Max(), s.Mean(), vs[0]>>10, vs[n-1]>>10, mean)
		}
		millis := rapid.Int64Range(0, 1000).Draw(t, "q")
		q := float64(millis) / 1000
		if want := vs[min(n-1, int(math.Floor(q*float64(n))))] >> 10; s.Quantile(q) != want {
			t.Fatalf("Quantile(%v) = %d, want %d", q, s.Quantile(q), want)
		}
		if want := vs[max(0, (int(millis)*n+999)/1000-1)] >> 10; s.QuantileNearest(q) != want {
			t.Fatalf("QuantileNearest(%v) = %d, want %d", q, s.QuantileNearest(q), want)
		}
	})
}

func TestCountOfAnInterval(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, all := drawRuns(t)
		w := drawWindow(t)
		if w.SeenFrom > w.SeenTo {
			w.SeenFrom, w.SeenTo = w.SeenTo, w.SeenFrom
		}
		w.ArrivedFrom = math.MinInt64
		if got, want := l.Count(w.SeenFrom, w.SeenTo), int64(len(choose(all, w))); got != want {
			t.Fatalf("Count(%d, %d) = %d, want %d", w.SeenFrom, w.SeenTo, got, want)
		}
		if l.Len() != int64(len(all)) {
			t.Fatalf("Len = %d, want %d", l.Len(), len(all))
		}
	})
}

func TestAddMergesWhatContinues(t *testing.T) {
	cases := []struct {
		name string
		adds [][4]int64 // at, first, step, n
		runs int
	}{
		{"same progression", [][4]int64{{5, 100, -10, 3}, {5, 70, -10, 4}}, 1},
		{"single values", [][4]int64{{5, 100, 0, 1}, {5, 90, 0, 1}, {5, 80, 0, 1}}, 1},
		{"single before run", [][4]int64{{5, 100, 7, 1}, {5, 90, -10, 4}}, 1},
		{"run before single", [][4]int64{{5, 100, -10, 2}, {5, 80, 0, 1}}, 1},
		{"equal values", [][4]int64{{5, 100, 0, 2}, {5, 100, 0, 9}}, 1},
		{"another step", [][4]int64{{5, 100, -10, 2}, {5, 80, -9, 2}}, 2},
		{"a gap", [][4]int64{{5, 100, -10, 2}, {5, 70, -10, 2}}, 2},
		{"another instant", [][4]int64{{5, 100, -10, 2}, {6, 80, -10, 2}}, 2},
		{"nothing", [][4]int64{{5, 100, -10, 0}}, 0},
	}
	for _, c := range cases {
		var l Latencies
		for _, a := range c.adds {
			l.Add(a[0], a[1], a[2], a[3])
		}
		if l.n != c.runs {
			t.Errorf("%s: %d runs, want %d", c.name, l.n, c.runs)
		}
	}
}

func TestAddPanicsOnMisuse(t *testing.T) {
	for name, add := range map[string]func(l *Latencies){
		"back in time": func(l *Latencies) { l.Add(5, 1, 0, 1); l.Add(4, 1, 0, 1) },
		"negative n":   func(l *Latencies) { l.Add(5, 1, 0, -1) },
		"first":        func(l *Latencies) { l.Add(5, bound, 0, 1) },
		"last":         func(l *Latencies) { l.Add(5, bound-1, 1, 2) },
		"span":         func(l *Latencies) { l.Add(5, 0, math.MaxInt64, 1<<40) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			add(new(Latencies))
		}()
	}
}

func TestSelectionDoesNotAllocate(t *testing.T) {
	var l Latencies
	for i := range int64(1000) {
		l.Add(i, i*37%1000*Unit, -7, 10)
	}
	var s Selection
	s.Select(&l, Everything())
	s.Quantile(0.5)
	if n := testing.AllocsPerRun(10, func() {
		s.Select(&l, Everything())
		s.Quantile(0.99)
		s.Mean()
	}); n != 0 {
		t.Fatalf("%v allocations", n)
	}
}

func BenchmarkQuantileOf100kRuns(b *testing.B) {
	var l Latencies
	for i := range int64(100_000) {
		l.Add(i*1000, (i*7919%1_000_000)*1000*Unit, -200_000*Unit/1000, 200)
	}
	var s Selection
	for b.Loop() {
		s.Select(&l, Everything())
		s.Quantile(0.99)
	}
}

// Steps at the edge of what a short run has room for, up and down.
func TestWideStepsAreExact(t *testing.T) {
	for _, step := range []int64{math.MaxInt32, math.MinInt32, math.MinInt32 - 1, 1<<30 - 1, 1 << 30, -1 << 30, -1<<30 - 1} {
		var l Latencies
		var s Selection
		for i := range int64(3) { // the second half of each run goes on where the first one ends
			l.Add(i, 1<<40, step, 2)
			l.Add(i, 1<<40+2*step, step, 2)
		}
		s.Select(&l, Everything())
		last := int64(1<<40) + 3*step
		if s.Count() != 12 || s.Min() != min(1<<40, last)>>10 || s.Max() != max(1<<40, last)>>10 {
			t.Errorf("step %d: %d values from %d to %d", step, s.Count(), s.Min(), s.Max())
		}
		for rank := range int64(12) {
			at := rank / 3
			if step < 0 {
				at = 3 - at
			}
			if got, want := s.AtRank(rank), (int64(1<<40)+at*step)>>10; got != want {
				t.Errorf("step %d: rank %d is %d, expected %d", step, rank, got, want)
			}
		}
	}
}
