// Package metric computes what is read off a run: exact latency quantiles over runs of records, Flink's time gauges.
//
// Latencies collects, Selection answers: how many, mean, least, greatest and any quantile of the latencies seen in a
// window. TimeGauge and TaskTimes are Flink's time metrics; Level and NodeColor are how its web page shows them.
package metric

import (
	"math/bits"
	"sort"

	"checkpointlab/core/event"
)

// Unit is the parts of a nanosecond in which latencies are kept, so that a run of records that arrive at a rate which
// does not divide the second stays an arithmetic progression.
const Unit = 1024

// bound keeps every sum and difference of two values within int64; in ns it is a run of 26 days.
const bound = int64(1) << 61

// Latencies keeps the latencies of every record as runs in arithmetic progression, so that quantiles are exact
// and cost grows with buffers, not with records. It only grows, in order of time; a view at t reads a prefix.
type Latencies struct {
	blocks []*block // all full but the last one
	before []int64  // by block: values in all blocks ahead of it
	n      int      // runs
	last   *latencyRun
	free   []latencyRun // of the block that is filled
	values int64        // in all of them
}

// block holds runs that never move, so that growing copies nothing.
type block [blockSize]latencyRun

const (
	blockBits = 9
	blockSize = 1 << blockBits
)

// latencyRun is n values first, first+step, … seen from at on; first and step are ns in 1/1024.
type latencyRun struct {
	at          event.Time
	first, step int64
	n           int64
}

// run is the i-th one.
func (l *Latencies) run(i int) *latencyRun { return &l.blocks[i>>blockBits][i&(blockSize-1)] }

// Add notes n latencies first, first+step, …, first+(n-1)·step, in 1/1024 ns, all seen at the instant at (ns).
// It panics if at lies before the last one's, n is negative or a value is beyond ±2^61.
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
	if last := l.last; last != nil && at <= last.at {
		if at < last.at {
			panic("metric: latencies must be added in order of time")
		}
		if last.extend(first, step, n) {
			l.values += n
			return
		}
	}
	if len(l.free) == 0 {
		l.begin(l.values)
	}
	l.values += n
	l.last, l.free = &l.free[0], l.free[1:]
	l.n++
	l.last.at, l.last.first, l.last.step, l.last.n = at, first, step, n
}

// AddRuns notes the latencies of records that are seen at the instant at, the first of which was done at the instant done and the
// others so long after each other: done less when each of them had arrived.
func (l *Latencies) AddRuns(at, done, each event.Time, runs []event.Run) {
	for i := range runs {
		r := &runs[i]
		l.Add(at, done*event.Fine-r.Born, each*event.Fine-r.BornStep, r.Count)
		done += r.Count * each
	}
}

// begin makes the next block the one that is filled; so many values are ahead of it.
//
//go:noinline
func (l *Latencies) begin(before int64) {
	if l.n>>blockBits == len(l.blocks) {
		l.blocks, l.before = append(l.blocks, new(block)), append(l.before, 0)
	}
	l.before[l.n>>blockBits] = before
	l.free = l.blocks[l.n>>blockBits][:]
}

// short tells of n values, n > 0, that none of them can be beyond ±bound, as is so of nearly all.
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

// extend appends the values to r if they continue its progression.
func (r *latencyRun) extend(first, step, n int64) bool {
	gap := first - (r.first + r.step*(r.n-1)) // what the step between the two runs would be
	if r.n > 1 && gap != r.step || n > 1 && gap != step {
		return false
	}
	r.step = gap
	r.n += n
	return true
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
		sum += l.blocks[i>>blockBits][k].n
	}
	return sum
}

// index is the first run seen at t or later, or (with) later than t.
func (l *Latencies) index(t event.Time, with bool) int {
	return sort.Search(l.n, func(i int) bool {
		at := l.run(i).at
		return at > t || !with && at == t
	})
}

// Reset forgets everything; the memory is kept.
func (l *Latencies) Reset() { l.n, l.values, l.last, l.free = 0, 0, nil, nil }

// CopyFrom makes l an independent copy of src, in l's own memory.
func (l *Latencies) CopyFrom(src *Latencies) {
	for len(l.blocks) < len(src.blocks) {
		l.blocks = append(l.blocks, new(block))
	}
	for i, b := range src.blocks {
		*l.blocks[i] = *b
	}
	l.before = append(l.before[:0], src.before...)
	for len(l.before) < len(l.blocks) {
		l.before = append(l.before, 0)
	}
	l.n, l.values, l.last, l.free = src.n, src.values, nil, nil
	if l.n > 0 {
		l.last, l.free = l.run(l.n-1), l.blocks[(l.n-1)>>blockBits][(l.n-1)&(blockSize-1)+1:]
	}
}
