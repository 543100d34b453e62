package metric

import "testing"

// The newest sixty values count; percentiles lie between two of them, as Commons Math has them.
func TestHistogramOfTheNewestValues(t *testing.T) {
	var h Histogram
	if h.Summary() != (Summary{}) || h.Len() != 0 {
		t.Errorf("empty: %+v", h.Summary())
	}
	h.Add(7)
	if s := h.Summary(); s != (Summary{7, 7, 7, 7, 7, 7, 7, 7, 7}) {
		t.Errorf("one value: %+v", s)
	}
	for _, x := range []int64{3, 1, 5} {
		h.Add(x)
	}
	if s := h.Summary(); s.Min != 1 || s.Max != 7 || s.Mean != 4 || s.Median != 4 || s.P75 != 6.5 || s.P95 != 7 {
		t.Errorf("1 3 5 7: %+v", s)
	}
	for x := range int64(60) {
		h.Add(100 + x)
	}
	if s := h.Summary(); h.Len() != 60 || s.Min != 100 || s.Max != 159 || s.Median != 129.5 {
		t.Errorf("100 to 159: %+v of %d", s, h.Len())
	}
	if h.Add(1 << 40); h.Summary().Max != 1<<31-1 {
		t.Errorf("a value beyond all: %+v", h.Summary())
	}
}
