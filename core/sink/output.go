package sink

import "checkpointlab/core/event"

// Output is one sink subtask's partition of the outside log, as its readers see it (spec 6.2).
type Output struct {
	Written    int64 // records that a read_uncommitted reader sees, aborted ones included
	Visible    int64 // records that a read_committed reader sees
	Duplicates int64 // visible records that were visible before
	Lost       int64 // records that were pre-committed and never become visible

	// ByCount tells duplicates by how many records the subtask had shown when it was restored to fewer: exact behind aligned
	// barriers, where a restore repeats exactly what came after the checkpoint. Behind barriers that do not align a subtask has
	// shown more than that, so they are told by channel (Lanes).
	ByCount  bool
	position int64 // records shown, by the state
	farthest int64 // highest position ever
	ahead    int64 // with Lanes: of the next records, those that other subtasks had shown before the job was rescaled
	Lanes
}

// NewOutput is an empty partition of a sink with so many input channels.
func NewOutput(channels int) Output { return Output{Lanes: Lanes{channels: channels}} }

// Rewind goes back to a checkpoint, 0 = to none, whose stored position is to.
func (o *Output) Rewind(to int64, id event.Checkpoint) {
	o.position = to
	o.Lanes.rewind(id)
}

// Regroup continues after a rescaling: with other input channels, and with that many records ahead of the position which other
// subtasks had shown.
func (o *Output) Regroup(channels int, ahead int64) {
	o.Lanes = Lanes{channels: channels}
	o.ahead, o.farthest = 0, o.position+ahead
	if !o.ByCount {
		o.ahead = ahead
	}
}

// Ahead is how many records beyond a checkpoint (Rewind) were shown.
func (o *Output) Ahead(to int64, id event.Checkpoint) int64 {
	if !o.ByCount {
		return o.ahead + o.Lanes.beyond(id)
	}
	return max(0, o.farthest-to)
}

// Show makes r's records visible, and counts those that were visible before.
func (o *Output) Show(r *event.Run) {
	if o.ByCount {
		o.showCount(r.Count)
	} else {
		o.showFrom(r.Count, origin{r.Since, r.Via})
	}
}

// showCount makes n records visible of which the subtask knows how many they are.
func (o *Output) showCount(n int64) {
	o.Visible += n
	o.Duplicates += min(n, o.farthest-o.position)
	o.pass(n)
}

// showFrom makes n records visible of which it knows where they come from.
func (o *Output) showFrom(n int64, from origin) {
	o.Visible += n
	again := o.Lanes.pass(n, from)
	other := min(n-again, o.ahead)
	o.ahead -= other
	o.Duplicates += again + other
}

// lose counts records that are never shown.
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
	lanes := o.Lanes
	*o = *src
	o.Lanes = lanes
	o.Lanes.copyFrom(&src.Lanes)
}
