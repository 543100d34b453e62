package sink

import "checkpointlab/core/event"

// Output is one sink subtask's partition of the outside log, as its readers see it (spec 6.2).
type Output struct {
	Written    int64 // records that a read_uncommitted reader sees, aborted ones included
	Visible    int64 // records that a read_committed reader sees
	Duplicates int64 // visible records that were visible before
	Lost       int64 // records that were pre-committed and never become visible

	// ByCount tells duplicates by how many records the subtask had shown when it was restored to fewer: exact behind
	// aligned barriers, where a restore repeats exactly what came after the checkpoint. Else they are told by channel, source
	// and position, which finds what at-least-once barriers repeat, too, but takes records that come in order of position.
	ByCount  bool
	position int64 // records shown, by the state
	farthest int64 // highest position ever

	high              []int64 // by input channel and source: first position not shown yet, in event.Fine; made when it is needed
	channels, sources int
}

// NewOutput is an empty partition that tells duplicates apart by input channel and source.
func NewOutput(channels, sources int) Output {
	return Output{channels: channels, sources: sources}
}

// Rewind sets the position back to what a checkpoint stored.
func (o *Output) Rewind(to int64) { o.position = to }

// Regroup goes on after a rescaling: with other input channels, and with that many records ahead of the position which other
// subtasks had shown.
func (o *Output) Regroup(channels int, ahead int64) {
	o.high, o.channels = nil, channels
	o.farthest = o.position + ahead
}

// Ahead is how many records beyond the position to were shown.
func (o *Output) Ahead(to int64) int64 { return max(0, o.farthest-to) }

// Show makes r's records visible, and counts those of them that were visible before.
func (o *Output) Show(r *event.Run) {
	if o.ByCount {
		o.showCount(r.Count)
	} else {
		o.showAt(r.Count, &place{r.Pos, r.PosStep, r.Via, r.Src})
	}
}

// showCount makes n records visible of which the subtask knows how many they are.
func (o *Output) showCount(n int64) {
	o.Visible += n
	o.Duplicates += min(n, o.farthest-o.position)
	o.pass(n)
}

// showAt makes n records visible of which it knows where they come from.
func (o *Output) showAt(n int64, p *place) {
	o.Visible += n
	if len(o.high) == 0 {
		o.high = make([]int64, o.channels*o.sources)
	}
	h := &o.high[int(p.via)*o.sources+int(p.source)]
	last := p.pos + (n-1)*p.step
	switch {
	case last < *h:
		o.Duplicates += n
		return
	case p.pos < *h && p.step > 0:
		o.Duplicates += (*h - p.pos + p.step - 1) / p.step
	}
	*h = last + 1 // not a whole step on: the next run of a thinned one may begin sooner
}

// lose is records that are never shown.
func (o *Output) lose(n int64) {
	o.Lost += n
	o.pass(n)
}

// pass moves the position on.
func (o *Output) pass(n int64) {
	o.position += n
	o.farthest = max(o.farthest, o.position)
}

// CopyFrom makes o a deep copy of src.
func (o *Output) CopyFrom(src *Output) {
	high := append(o.high[:0], src.high...)
	*o = *src
	o.high = high
}
