// Package metric computes what is read off a run: exact latency quantiles over runs of records, Flink's time gauges.
//
// Latencies collects, Selection answers: how many, mean, least, greatest and any quantile of the latencies seen in a
// window. TimeGauge and TaskTimes are Flink's time metrics; Level is how its web page calls them.
package metric

import (
	"math"
	"math/bits"
	"sort"

	"checkpointlab/core/event"
)

// Unit is the parts of a nanosecond in which latencies are kept, so that a run of records that arrive at a rate which
// does not divide the second stays an arithmetic progression.
const Unit = 1024

// bound keeps every difference of two values within int64, and the sum of two that are raised by it within uint64; in ns it is 52 days.
const bound = int64(1) << 62

// Latencies keeps the latencies of every record as runs in arithmetic progression, so that quantiles are exact
// and cost grows with buffers, not with records: 16 bytes a run, and 16 an instant. It only grows, in order of time; a view at t
// reads a prefix.
type Latencies struct {
	blocks   []*block      // all full but the last one
	before   []int64       // by block: values in all blocks ahead of it
	n        int           // runs
	filled   *block        // the last one
	ends     int64         // the value that was added last
	step     int64         // from each value of the last run to the next, in the order in which they were added
	seen     event.Time    // when the last run was
	instants instants      // at which runs were seen, ascending
	long     []progression // runs that do not fit into a latencyRun
	values   int64         // in all of them
}

// block holds runs that never move, so that growing copies nothing.
type block [blockSize]latencyRun

const (
	blockBits = 9
	blockSize = 1 << blockBits
)

// latencyRun is n values from the least on, first, first+step, …; they are ns in 1/1024. With n < 0 it is the -n-th of the long ones.
type latencyRun struct {
	first   int64
	step, n int32
}

// instant is when runs were seen: those from index run on, up to the next instant's.
type instant struct {
	at  event.Time
	run int
}

// instants stand in blocks, as runs do.
type instants struct {
	blocks []*[blockSize]instant
	n      int
}

func (s *instants) at(k int) *instant { return &s.blocks[k>>blockBits][k&(blockSize-1)] }

func (s *instants) add(i instant) {
	if s.n>>blockBits == len(s.blocks) {
		s.blocks = append(s.blocks, new([blockSize]instant))
	}
	*s.at(s.n) = i
	s.n++
}

// run is the i-th one.
func (l *Latencies) run(i int) *latencyRun { return &l.blocks[i>>blockBits][i&(blockSize-1)] }

// of is what a run stands for.
func (l *Latencies) of(r *latencyRun) progression {
	if r.n < 0 {
		return l.long[-r.n-1]
	}
	return progression{r.first, int64(r.step), int64(r.n)}
}

// span is the least and the greatest of what a run stands for, and how many that are.
func (l *Latencies) span(r *latencyRun) (lo, hi, n int64) {
	if r.n < 0 {
		p := &l.long[-r.n-1]
		return p.first, p.last(), p.n
	}
	n = int64(r.n)
	return r.first, r.first + int64(r.step)*(n-1), n
}

// Add notes n latencies first, first+step, …, first+(n-1)·step, in 1/1024 ns, all seen at the instant at (ns).
// It panics if at lies before the last one's, n is negative or a value is beyond ±2^62.
func (l *Latencies) Add(at event.Time, first, step, n int64) {
	switch n {
	case 0:
		return
	case 1:
		step = 0
	}
	if !short(first, step, n) {
		checkRun(first, step, n)
	}
	if l.n == 0 || at != l.seen {
		l.see(at)
	} else if gap := first - l.ends; n == 1 || gap == step { // what the step between the two runs would be
		if last := l.last(); (last.n == 1 || last.n > 1 && gap == l.step) && narrowStep(gap) && n <= math.MaxInt32-int64(last.n) {
			if last.step, l.step = int32(gap), gap; gap < 0 {
				last.step = int32(-gap)
				last.first += gap * n
			}
			last.n += int32(n)
			l.ends = first + step*(n-1)
			l.values += n
			return
		}
	}
	if l.n&(blockSize-1) == 0 {
		l.begin(l.values)
	}
	if !narrowStep(step) || n > math.MaxInt32 {
		l.appendLong(first, step, n)
	} else {
		l.append(first, step, n)
	}
}

// last is the last run; there is one.
func (l *Latencies) last() *latencyRun { return &l.filled[(l.n-1)&(blockSize-1)] }

// see begins another instant.
//
//go:noinline
func (l *Latencies) see(at event.Time) {
	if l.n > 0 && at < l.seen {
		panic("metric: latencies must be added in order of time")
	}
	l.seen = at
	l.instants.add(instant{at, l.n})
}

// AddRuns notes the latencies of records that are all seen at one instant, at: the first was done at done, the others each a
// time each later; a latency is the time from a record's arrival until it was done.
func (l *Latencies) AddRuns(at, done, each event.Time, runs []event.Run) {
	for i := range runs {
		r := &runs[i]
		first, step := done*event.Fine-r.Born, each*event.Fine-r.BornStep
		if at == l.seen && l.parts(first, step, r.Count) {
			l.append(first, step, r.Count)
		} else {
			l.Add(at, first, step, r.Count)
		}
		done += r.Count * each
	}
}

// AddArrivals notes the latencies of records that all are seen at the instant at.
func (l *Latencies) AddArrivals(at event.Time, runs []event.Arrivals) {
	for i := range runs {
		r := &runs[i]
		first, step := at*event.Fine-r.Born, -r.BornStep
		if at == l.seen && l.parts(first, step, r.Count) {
			l.append(first, step, r.Count)
		} else {
			l.Add(at, first, step, r.Count)
		}
	}
}

// parts reports whether n values, seen at the instant of the last run, can be appended without a further check: they do not
// continue that run, none of them is out of range, and there is a place. False says nothing.
func (l *Latencies) parts(first, step, n int64) bool {
	const many = 1 << 19
	return n > 1 && n <= many && first-l.ends != step && narrowStep(step) && uint64(first+bound/2) <= uint64(bound) && l.n&(blockSize-1) != 0
}

// narrowStep reports whether a latencyRun has room for a step of either sign.
func narrowStep(step int64) bool { return uint64(step+1<<30) < 1<<31 }

// append notes a run that is not long, for which there is a place.
func (l *Latencies) append(first, step, n int64) {
	l.ends, l.step = first+step*(n-1), step
	if step < 0 {
		first, step = l.ends, -step
	}
	r := &l.filled[l.n&(blockSize-1)]
	r.first, r.step, r.n = first, int32(step), int32(n)
	l.n++
	l.values += n
}

// appendLong is append of a long one.
//
//go:noinline
func (l *Latencies) appendLong(first, step, n int64) {
	p := progression{first, step, n}
	if l.ends, l.step = p.last(), step; step < 0 {
		p.first, p.step = l.ends, -step
	}
	l.long = append(l.long, p)
	l.filled[l.n&(blockSize-1)] = latencyRun{n: -int32(len(l.long))}
	l.n++
	l.values += n
}

// begin makes the next block the one that is filled; so many values are ahead of it.
//
//go:noinline
func (l *Latencies) begin(before int64) {
	if l.n>>blockBits == len(l.blocks) {
		l.blocks, l.before = append(l.blocks, new(block)), append(l.before, 0)
	}
	l.before[l.n>>blockBits] = before
	l.filled = l.blocks[l.n>>blockBits]
}

// short reports whether n values, n > 0, are certainly within ±bound, which nearly all are.
func short(first, step, n int64) bool {
	const many, slow = 1 << 19, 1 << 40
	return uint64(n) <= many && uint64(step+slow) <= 2*slow && uint64(first+bound/2) <= uint64(bound)
}

// checkRun panics unless all values of the run are within ±bound, which the arithmetic here relies on.
func checkRun(first, step, n int64) {
	if n < 0 || first <= -bound || first >= bound {
		panic("metric: latency run out of range")
	}
	hi, span := bits.Mul64(uint64(max(step, -step)), uint64(n-1))
	if hi != 0 || span >= uint64(bound) {
		panic("metric: latency run out of range")
	}
	if last := first + step*(n-1); last <= -bound || last >= bound {
		panic("metric: latency run out of range")
	}
}

// Len is the number of latencies, over all time.
func (l *Latencies) Len() int64 { return l.values }

// Count is how many latencies were seen in [from, to] (ns). It takes O(log runs).
func (l *Latencies) Count(from, to event.Time) int64 { return l.upTo(to, true) - l.upTo(from, false) }

// upTo is how many were seen before t, or until and with t.
func (l *Latencies) upTo(t event.Time, with bool) int64 {
	i := l.index(t, with)
	if i == l.n {
		return l.values
	}
	sum := l.before[i>>blockBits]
	for k := range i & (blockSize - 1) {
		sum += l.of(&l.blocks[i>>blockBits][k]).n
	}
	return sum
}

// index is the first run seen at t or later, or (with) later than t.
func (l *Latencies) index(t event.Time, with bool) int {
	k := sort.Search(l.instants.n, func(k int) bool {
		at := l.instants.at(k).at
		return at > t || !with && at == t
	})
	if k == l.instants.n {
		return l.n
	}
	return l.instants.at(k).run
}

// instantOf is the index of the instant at which run i was seen.
func (l *Latencies) instantOf(i int) int {
	return sort.Search(l.instants.n, func(k int) bool { return l.instants.at(k).run > i }) - 1
}
