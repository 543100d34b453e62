package sink

import "checkpointlab/core/event"

// Head is the writer's operator (SinkWriterOperator): when records are flushed and what is handed to the committer (spec
// 6.1, 1 and 2). The zero value is a writer without a committer.
type Head struct {
	Subtask int32
	Commits bool // there is a committer behind it

	buffered int64
	ended    bool
}

// Buffered is the number of records written and not flushed.
func (h *Head) Buffered() int64 { return h.buffered }

// Ended reports whether the input has ended.
func (h *Head) Ended() bool { return h.ended }

// Write takes n records.
func (h *Head) Write(n int64) Failure {
	if h.ended {
		return InputEnded
	}
	h.buffered += n
	return NoFailure
}

// PreBarrier flushes ahead of a checkpoint's barrier and appends what goes to the committer: a summary and prepared, the
// ids that the connector's prepareCommit gave. After the end of the input there is nothing to hand over any more, not even
// a summary (vector writer.end-input-then-barrier).
func (h *Head) PreBarrier(id event.Checkpoint, prepared []int64, out []Message) []Message {
	if h.ended {
		return out
	}
	return h.hand(id, prepared, out)
}

// EndInput flushes and hands the last committables over (vector writer.end-input-batch).
func (h *Head) EndInput(prepared []int64, out []Message) []Message {
	return h.EndInputUnder(EndOfInput, prepared, out)
}

// EndInputUnder hands them over under a checkpoint's id.
func (h *Head) EndInputUnder(id event.Checkpoint, prepared []int64, out []Message) []Message {
	if h.ended {
		return out
	}
	h.ended = true
	return h.hand(id, prepared, out)
}

func (h *Head) hand(id event.Checkpoint, prepared []int64, out []Message) []Message {
	h.buffered = 0
	if !h.Commits {
		return out
	}
	out = append(out, Message{Kind: Summary, Checkpoint: id, Subtask: h.Subtask, Count: int32(len(prepared))})
	for _, p := range prepared {
		out = append(out, Message{Kind: Committable, Checkpoint: id, Subtask: h.Subtask, ID: p})
	}
	return out
}

// Restore goes on from what the subtasks before stored, one part each: the end of the input counts only if all had it.
func (h *Head) Restore(parts ...*Head) {
	h.buffered, h.ended = 0, len(parts) > 0
	for _, p := range parts {
		h.ended = h.ended && p.ended
	}
}

// CopyFrom makes h a copy of src.
func (h *Head) CopyFrom(src *Head) { *h = *src }
