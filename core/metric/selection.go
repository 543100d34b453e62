package metric

import (
	"math"
	"math/bits"
	"slices"

	"checkpointlab/core/event"
)

// Window says which latencies count: those seen in [SeenFrom, SeenTo] whose record arrived at ArrivedFrom or later,
// the arrival being the instant seen minus the latency (truth: a record counts if it arrived after the measurement
// began and became visible before it ended). Times in ns, both ends included.
type Window struct {
	SeenFrom, SeenTo, ArrivedFrom event.Time
}

// Everything is the window without a limit.
func Everything() Window { return Window{math.MinInt64, event.Never, math.MinInt64} }

// Selection is the latencies of one window of some Latencies. It reads them again for each answer, copying only the runs in
// which a rank may lie, so they must not change while it is used. It keeps its memory from one Select to the next; the zero
// value selects nothing. All answers are in whole ns, rounded down; those of an empty selection are 0.
type Selection struct {
	of       *Latencies
	from, to int // its runs
	arrived  event.Time
	tally    // lo and hi are 0 and 0 without any
	part     [partSize]progression
	runs     []progression // those in which a rank may lie
}

// partSize is how many runs are read at once.
const partSize = 128

// progression is first, first+step, … first+(n-1)·step with n ≥ 1 and step ≥ 0, in 1/1024 ns.
type progression struct{ first, step, n int64 }

// tally counts values.
type tally struct {
	n, lo, hi int64
	sumHigh   uint64 // twice the sum of all values, each of them raised by bound, so that it is never negative: 128 bits
	sumLow    uint64
}

// add counts n values in even progression from the least, lo, to the greatest, hi: together they are as much as so often half of these two.
func (t *tally) add(lo, hi, n int64) {
	t.n += n
	if lo < t.lo {
		t.lo = lo
	}
	if hi > t.hi {
		t.hi = hi
	}
	high, low := bits.Mul64(uint64(lo+bound)+uint64(hi+bound), uint64(n))
	var carry uint64
	t.sumLow, carry = bits.Add64(t.sumLow, low, 0)
	t.sumHigh += high + carry
}

// mean is of all values, in 1/1024 ns.
func (t *tally) mean() int64 {
	mean, _ := bits.Div64(t.sumHigh>>1, t.sumHigh<<63|t.sumLow>>1, uint64(t.n))
	return int64(mean) - bound
}

// Select fills s with the latencies of l in w. It takes O(runs in the window).
func (s *Selection) Select(l *Latencies, w Window) {
	s.of, s.from, s.to, s.arrived = l, l.index(w.SeenFrom, false), l.index(w.SeenTo, true), w.ArrivedFrom
	t := tally{lo: bound, hi: -bound}
	for i := s.from; i < s.to; {
		runs := s.next(i)
		if s.whole() {
			for k := range runs {
				lo, hi, n := l.span(&runs[k])
				t.add(lo, hi, n)
			}
		} else {
			for _, p := range s.cut(runs, i) {
				t.add(p.first, p.last(), p.n)
			}
		}
		i += len(runs)
	}
	if s.tally = t; t.n == 0 {
		s.lo, s.hi = 0, 0
	}
}

// whole reports whether every value of the runs in the window counts, however early its record arrived.
func (s *Selection) whole() bool { return s.arrived <= -bound }

// next is some of the runs of the window, from the i-th on.
func (s *Selection) next(i int) []latencyRun {
	next := min(i+partSize, s.to, (i|(blockSize-1))+1)
	return s.of.blocks[i>>blockBits][i&(blockSize-1):][:next-i]
}

// cut is what of runs, the first of which is the i-th, had arrived at an instant or later.
func (s *Selection) cut(runs []latencyRun, i int) []progression {
	l, n := s.of, 0
	seen := l.instantOf(i)
	for k := range runs {
		if seen+1 < l.instants.n && l.instants.at(seen+1).run == i+k {
			seen++
		}
		if p := l.of(&runs[k]).upTo(arrivalLimit(l.instants.at(seen).at, s.arrived)); p.n > 0 {
			s.part[n] = p
			n++
		}
	}
	return s.part[:n]
}

// arrivalLimit is the greatest latency of a record seen at at that arrived at from or later.
func arrivalLimit(at, from event.Time) int64 {
	d, sign := uint64(at)-uint64(from), int64(1)
	if from > at {
		d, sign = -d, -1
	}
	return sign * int64(min(d, uint64(bound/Unit))) * Unit
}

// upTo is the values of p that are ≤ x; its n is 0 if there are none.
func (p progression) upTo(x int64) progression {
	switch {
	case x < p.first:
		return progression{}
	case x < p.last(): // else all are, which is how it is nearly always: no division then
		p.n = (x-p.first)/p.step + 1
	}
	return p
}

func (p progression) last() int64 { return p.first + p.step*(p.n-1) }

// Count is the number of latencies selected.
func (s *Selection) Count() int64 { return s.n }

// Min is the least latency in ns.
func (s *Selection) Min() event.Time { return floorUnit(s.lo) }

// Max is the greatest latency in ns.
func (s *Selection) Max() event.Time { return floorUnit(s.hi) }

// floorUnit turns 1/1024 ns into ns.
func floorUnit(v int64) event.Time { return v >> 10 }

// Mean is the exact mean in ns.
func (s *Selection) Mean() event.Time {
	if s.n == 0 {
		return 0
	}
	return floorUnit(s.mean())
}

// Quantile is the value at the 0-based rank floor(q·n), at most n-1, of the latencies in order: the rule of the program
// that measured the recorded runs. q in [0, 1].
func (s *Selection) Quantile(q float64) event.Time {
	return s.AtRank(int64(math.Floor(q * float64(s.n))))
}

// QuantileNearest is the value at the nearest rank, ceil(q·n) counted from 1. q in [0, 1] is rounded to a billionth, so that
// 0.55 of 20 is exactly 11.
func (s *Selection) QuantileNearest(q float64) event.Time {
	const billion = 1_000_000_000
	hi, lo := bits.Mul64(uint64(math.Round(q*billion)), uint64(s.n))
	rank, rest := bits.Div64(hi, lo, billion)
	if rest > 0 {
		rank++
	}
	return s.AtRank(int64(rank) - 1)
}

// AtRank is the value at a 0-based rank of the latencies in order; the rank is clipped to those there are.
//
// A sample of the runs tells between which two values it probably lies. The runs with any value between them are copied, and
// the remaining range is halved repeatedly; runs that lie wholly outside it are not looked at any more. So the whole costs a
// few passes over the runs, however many records they stand for, and memory for a part of them.
func (s *Selection) AtRank(rank int64) event.Time {
	if s.n == 0 {
		return 0
	}
	c := cutter{rank: min(max(rank, 0), s.n-1)}
	guess := s.around(c.rank)
	s.gather(&c, guess[0], guess[1])
	switch {
	case c.rank < c.upTo(c.lo-1):
		s.gather(&c, s.lo, c.lo-1)
	case c.rank >= c.upTo(c.hi):
		s.gather(&c, c.hi+1, s.hi)
	}
	for c.lo < c.hi {
		c.cut(c.lo + (c.hi-c.lo)/2)
	}
	return floorUnit(c.lo)
}

// gather gives the cutter the range from lo to hi, and the runs that have values in it.
func (s *Selection) gather(c *cutter, lo, hi int64) {
	c.lo, c.hi, c.under, s.runs = lo, hi, 0, s.runs[:0]
	for i := s.from; i < s.to; {
		runs := s.next(i)
		if s.whole() {
			for k := range runs {
				switch least, most, n := s.of.span(&runs[k]); {
				case most < lo:
					c.under += n
				case least <= hi:
					s.runs = append(s.runs, s.of.of(&runs[k]))
				}
			}
		} else {
			for _, p := range s.cut(runs, i) {
				switch {
				case p.last() < lo:
					c.under += p.n
				case p.first <= hi:
					s.runs = append(s.runs, p)
				}
			}
		}
		i += len(runs)
	}
	c.across = s.runs
}

// sampled is how many runs a rank is guessed from, margin how many of them a guess lies to either side.
const (
	sampled = 48
	margin  = 3
)

// around are two values between which the one at a rank probably lies; nothing hangs on it but how long finding it takes.
func (s *Selection) around(rank int64) [2]int64 {
	var sample [sampled]int64
	for i := range sample {
		sample[i] = s.of.of(s.of.run(s.from + i*(s.to-s.from)/sampled)).first
	}
	slices.Sort(sample[:])
	at := int(rank / (s.n/sampled + 1)) // below sampled
	lo, hi := s.lo, s.hi
	if at >= margin {
		lo = sample[at-margin]
	}
	if at+margin < sampled {
		hi = sample[at+margin]
	}
	return [2]int64{lo, hi}
}

// cutter narrows the range of values in which the one at a rank lies.
type cutter struct {
	across       []progression // that may have values from lo to hi
	under        int64         // values in runs that are wholly below lo
	lo, hi, rank int64
}

// upTo is how many values are at most x, which is at least lo-1 and at most hi.
func (c *cutter) upTo(x int64) int64 {
	n := c.under
	for i := range c.across {
		n += c.across[i].upTo(x).n
	}
	return n
}

// cut decides whether the value is at most mid, which is at least lo and below hi.
func (c *cutter) cut(mid int64) {
	if c.rank < c.upTo(mid) {
		c.hi = mid
	} else {
		c.lo = mid + 1
	}
	var below int64
	c.across, below = narrow(c.across, c.lo, c.hi)
	c.under += below
}

// narrow moves the runs without a value from lo to hi behind the others, which it returns, with the number of values in those
// that are wholly below lo.
func narrow(runs []progression, lo, hi int64) (across []progression, below int64) {
	n := len(runs)
	for i := 0; i < n; {
		p := &runs[i]
		switch last := p.last(); {
		case last < lo:
			below += p.n
		case p.first <= hi:
			i++
			continue
		}
		n--
		runs[i], runs[n] = runs[n], runs[i]
	}
	return runs[:n], below
}
