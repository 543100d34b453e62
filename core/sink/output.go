package sink

import "checkpointlab/core/event"

// Output is one sink subtask's partition of the outside log, as its readers see it (spec 6.2).
type Output struct {
	Visible    int64 // records that a read_committed reader sees
	Written    int64 // records that a read_uncommitted reader sees, aborted ones included
	Duplicates int64 // visible records that were visible before
	Lost       int64 // records that were pre-committed and never become visible

	high    []int64 // by input channel and source: first position not shown yet, in event.Fine
	sources int
}

// NewOutput is an empty partition that tells duplicates apart by input channel and source.
func NewOutput(channels, sources int) Output {
	return Output{high: make([]int64, channels*sources), sources: sources}
}

// Show makes r's records visible, and counts those of them that were visible before.
func (o *Output) Show(r *event.Run) {
	o.Visible += r.Count
	h := &o.high[int(r.Via)*o.sources+int(r.Src)]
	last := r.Pos + (r.Count-1)*r.PosStep
	switch {
	case last < *h:
		o.Duplicates += r.Count
		return
	case r.Pos < *h && r.PosStep > 0:
		o.Duplicates += (*h - r.Pos + r.PosStep - 1) / r.PosStep
	}
	*h = last + 1 // not a whole step on: the next run of a thinned one may begin sooner
}

// CopyFrom makes o a deep copy of src.
func (o *Output) CopyFrom(src *Output) {
	high := append(o.high[:0], src.high...)
	*o = *src
	o.high = high
}
