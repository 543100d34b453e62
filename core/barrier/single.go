package barrier

import "checkpointlab/core/event"

// The frame of the kinds that handle one checkpoint at a time: SingleCheckpointBarrierHandler (spec 3.2, 3.4, 3.5).
// The states between begin and end are in states.go.

// obsolete says whether id was overtaken, or is current and over.
func (h *Handler) obsolete(id event.Checkpoint) bool {
	return id < h.current || id == h.current && !h.Pending()
}

// barrier ignores an obsolete one and resumes its channel at once, as its sender has blocked itself.
func (h *Handler) barrier(now event.Time, ch int32, b Barrier, out []Effect) []Effect {
	if h.obsolete(b.ID) {
		if b.BlocksSender() && !h.requested {
			out = emit(out, Resume, b.ID, ch)
		}
		return out
	}
	out = h.begin(now, b, out)
	h.mark(now, ch, b)
	return h.settle(h.barrierReceived(now, ch, b, out))
}

// announcement may begin a checkpoint, but neither aligns nor blocks nor triggers.
func (h *Handler) announcement(now event.Time, ch int32, b Barrier, out []Effect) []Effect {
	out = h.begin(now, b, out)
	if h.obsolete(b.ID) {
		return out
	}
	return h.announcementReceived(ch, out)
}

// begin makes b's checkpoint the current one if it is newer; an older one that still waits is aborted.
func (h *Handler) begin(now event.Time, b Barrier, out []Effect) []Effect {
	if h.current >= b.ID {
		return out
	}
	if h.Pending() {
		out = h.abort(h.current, event.CheckpointDeclinedSubsumed, out)
	}
	h.current, h.pending = b.ID, b
	h.aligned.clear()
	h.count, h.target = 0, h.open
	if h.kind == AlternatingKind && b.Timeoutable() {
		h.timer = true
		out = append(out, Effect{Kind: RegisterTimer, ID: b.ID, Channel: -1, At: b.Deadline(now)})
	}
	return out
}

// mark counts ch as aligned and measures. The last mark is measured before the states see it, so that an aligned snapshot
// knows its duration.
func (h *Handler) mark(now event.Time, ch int32, b Barrier) {
	if h.aligned.add(ch) {
		h.count++
	}
	if h.count == 1 {
		h.measure.begin(now, b)
	}
	if h.allBarriersReceived() {
		h.measure.end(now - h.measure.start)
	}
}

// allBarriersReceived is the end of the alignment.
func (h *Handler) allBarriersReceived() bool { return h.count == h.target }

// settle closes the checkpoint once all barriers came.
func (h *Handler) settle(out []Effect) []Effect {
	if !h.allBarriersReceived() {
		return out
	}
	h.aligned.clear()
	h.count, h.timer = 0, false
	h.ended = h.current
	if h.owed {
		h.owed = false
		e := Effect{Kind: AlignmentEnded, ID: h.current, Channel: -1}
		h.measure.fill(&e)
		e.StartDelay = 0
		out = append(out, e)
	}
	return out
}

// cancel gives id up if it is newer than current, or current with a barrier seen; a current one that was only announced
// goes on, as in SingleCheckpointBarrierHandler#processCancellationBarrier.
func (h *Handler) cancel(id event.Checkpoint, out []Effect) []Effect {
	if id > h.current || id == h.current && h.count > 0 {
		return h.abort(id, event.CheckpointDeclinedOnCancellationBarrier, out)
	}
	return out
}

// abort ends the current checkpoint, releases its channels and declines id (SingleCheckpointBarrierHandler#abortInternal).
func (h *Handler) abort(id event.Checkpoint, why event.Reason, out []Effect) []Effect {
	out = h.finish(out) // before current moves on: what is released belongs to the old one
	h.current, h.ended = max(id, h.current), max(id, h.ended)
	h.aligned.clear()
	h.count, h.target = 0, 0
	h.timer, h.owed = false, false
	h.measure.reset()
	return h.giveUp(id, why, out)
}

// endOfPartition counts as the channel's barrier, or aborts, by checkpoints-after-tasks-finish (spec 3.2).
func (h *Handler) endOfPartition(now event.Time, ch int32, out []Effect) []Effect {
	if !h.Pending() {
		return out
	}
	if !h.afterTasksFinish {
		h.forget(ch)
		return h.abort(h.current, event.CheckpointDeclinedInputEndOfStream, out)
	}
	h.mark(now, ch, h.pending)
	return h.settle(h.endReceived(now, ch, out))
}
