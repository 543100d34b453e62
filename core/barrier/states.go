package barrier

import "checkpointlab/core/event"

// The states of the kinds that handle one checkpoint at a time. Each function is one input, its cases are Flink's state
// classes named at the phases in handler.go.

// first is the phase between checkpoints.
func (h *Handler) first() phase {
	if h.kind == UnalignedKind {
		return waitingUnaligned
	}
	return waiting
}

// barrierReceived is a barrier of the current checkpoint; ch is marked as aligned already.
func (h *Handler) barrierReceived(now event.Time, ch int32, b Barrier, out []Effect) []Effect {
	if h.phase == waitingUnaligned || h.phase == collectingUnaligned {
		return h.barrierUnaligned(ch, b, out)
	}
	if b.Alignment == Unaligned { // a task upstream switched before
		if h.kind == AlignedKind {
			panic("barrier: an unaligned barrier at an aligned handler")
		}
		return h.barrierUnaligned(ch, b, h.timeOut(b, ch, out))
	}
	h.announced.remove(ch)
	out = h.block(ch, out)
	if h.allBarriersReceived() {
		return h.complete(b, out)
	}
	if h.kind == AlternatingKind && b.timedOut(now) {
		return h.barrierUnaligned(ch, b.AsUnaligned(), h.timeOut(b, ch, out))
	}
	h.phase = collecting
	return out
}

// barrierUnaligned is a barrier after the switch. An aligned one is booked as blocked, as its sender has blocked itself.
func (h *Handler) barrierUnaligned(ch int32, b Barrier, out []Effect) []Effect {
	if b.Alignment != Unaligned {
		out = h.block(ch, out)
	}
	if h.phase == waitingUnaligned {
		out = h.startUnaligned(b, ch, out)
	}
	if h.storing.remove(ch) {
		out = emit(out, StopStoring, h.current, ch)
	}
	if h.allBarriersReceived() {
		return h.finish(out)
	}
	return out
}

// startUnaligned stores the data in flight of each channel whose barrier was not taken before this moment, and takes the
// snapshot. own is the channel whose barrier is being taken: what it overtook is stored, too; -1 = none.
func (h *Handler) startUnaligned(b Barrier, own int32, out []Effect) []Effect {
	b = b.AsUnaligned()
	out = h.init(b, out)
	for ch := range int32(h.channels) {
		if (h.aligned.has(ch) && ch != own) || h.closed.has(ch) {
			continue
		}
		h.storing.add(ch)
		out = emit(out, StoreInput, b.ID, ch)
	}
	h.phase = collectingUnaligned
	return h.perform(b, out)
}

// timeOut is the switch: announced barriers move to the front, and if a barrier was seen the snapshot is taken at once,
// else the first barrier will take it (spec 3.5).
func (h *Handler) timeOut(b Barrier, own int32, out []Effect) []Effect {
	switch h.phase {
	case waiting:
		h.phase = waitingUnaligned
		return h.prioritize(out)
	case collecting:
		return h.startUnaligned(b, own, h.prioritize(out))
	default: // switched already
		return out
	}
}

// announcementReceived remembers the announced barrier, or moves it to the front after the switch.
func (h *Handler) announcementReceived(ch int32, out []Effect) []Effect {
	switch {
	case h.kind == AlignedKind:
		return out
	case h.phase == waitingUnaligned || h.phase == collectingUnaligned:
		return emit(out, MakePriority, h.current, ch)
	default:
		h.announced.add(ch)
		return out
	}
}

// endReceived is the end of ch during a checkpoint; ch is marked as aligned already. While no barrier was seen it only
// counts.
func (h *Handler) endReceived(now event.Time, ch int32, out []Effect) []Effect {
	h.forget(ch)
	switch h.phase {
	case collecting:
		if h.allBarriersReceived() {
			return h.complete(h.pending, out)
		}
		if h.kind == AlternatingKind && h.pending.timedOut(now) {
			return h.timeOut(h.pending, -1, out)
		}
	case collectingUnaligned:
		if h.storing.remove(ch) {
			out = emit(out, StopStoring, h.current, ch)
		}
		if h.allBarriersReceived() {
			return h.finish(out)
		}
	}
	return out
}

// complete is the end of an aligned checkpoint: first the snapshot, then all channels go on (spec 3.2).
func (h *Handler) complete(b Barrier, out []Effect) []Effect {
	if h.kind == AlternatingKind {
		out = h.init(b, out)
	}
	return h.finish(h.perform(b, out))
}

// finish releases what the current checkpoint holds and waits for the next one.
func (h *Handler) finish(out []Effect) []Effect {
	for ch := h.storing.next(0); ch >= 0; ch = h.storing.next(ch + 1) {
		out = emit(out, StopStoring, h.current, ch)
	}
	for ch := h.blocked.next(0); ch >= 0; ch = h.blocked.next(ch + 1) {
		out = emit(out, Resume, h.current, ch)
	}
	h.storing.clear()
	h.blocked.clear()
	h.announced.clear()
	h.phase = h.first()
	return out
}

// prioritize moves the announced barriers to the front.
func (h *Handler) prioritize(out []Effect) []Effect {
	for ch := h.announced.next(0); ch >= 0; ch = h.announced.next(ch + 1) {
		out = emit(out, MakePriority, h.current, ch)
	}
	h.announced.clear()
	return out
}

// block books ch as blocked, unless the coordinator's request stands for the barrier: then no sender has blocked itself.
func (h *Handler) block(ch int32, out []Effect) []Effect {
	if h.requested {
		return out
	}
	h.blocked.add(ch)
	return emit(out, Block, h.current, ch)
}

// forget drops an ended channel's bookings: nobody is there to resume.
func (h *Handler) forget(ch int32) {
	h.blocked.remove(ch)
	h.announced.remove(ch)
}
