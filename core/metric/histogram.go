package metric

import "slices"

// Histogram is one of Flink's histograms over the newest values (DescriptiveStatisticsHistogram), of 60 as mailboxLatencyMs has them. The
// zero value is empty.
type Histogram struct {
	ring [60]int32
	size int8 // values kept
	at   int8 // where the coming one goes
}

// Add takes a value, from 0 to the greatest int32; a greater one counts as that.
func (h *Histogram) Add(value int64) {
	h.ring[h.at] = int32(min(value, 1<<31-1))
	h.at = (h.at + 1) % int8(len(h.ring))
	h.size = min(h.size+1, int8(len(h.ring)))
}

// Len is the number of values kept.
func (h *Histogram) Len() int { return int(h.size) }

// Summary is what a reporter tells of a histogram. All are 0 without a value.
type Summary struct {
	Min, Max                         int64
	Mean                             float64
	Median, P75, P95, P98, P99, P999 float64
}

// Summary is of the values kept.
func (h *Histogram) Summary() (s Summary) {
	if h.size == 0 {
		return s
	}
	sorted := h.ring
	v := sorted[:h.size]
	slices.Sort(v)
	sum := int64(0)
	for _, x := range v {
		sum += int64(x)
	}
	s.Min, s.Max, s.Mean = int64(v[0]), int64(v[len(v)-1]), float64(sum)/float64(len(v))
	for _, q := range []struct {
		into *float64
		of   float64
	}{{&s.Median, 0.5}, {&s.P75, 0.75}, {&s.P95, 0.95}, {&s.P98, 0.98}, {&s.P99, 0.99}, {&s.P999, 0.999}} {
		*q.into = percentile(v, q.of)
	}
	return s
}

// percentile lies between the values beside the place q·(n+1) (Percentile of Commons Math, by its default estimation).
func percentile(sorted []int32, q float64) float64 {
	n := len(sorted)
	place := q * float64(n+1)
	switch i := int(place); {
	case place < 1:
		return float64(sorted[0])
	case i >= n:
		return float64(sorted[n-1])
	default:
		low, high := float64(sorted[i-1]), float64(sorted[i])
		return low + (place-float64(i))*(high-low)
	}
}
