package barrier

import "checkpointlab/core/event"

// maxAborted is how many aborted ids a task remembers (SubtaskCheckpointCoordinatorImpl's maxRecordAbortedCheckpoints).
const maxAborted = 128

// gate stands before each snapshot: an id is performed once, in order, and not after it was aborted (spec 3.6 step 0).
type gate struct {
	performed     event.Checkpoint   // highest id performed or aborted here; -1 = none
	latestAborted event.Checkpoint   // highest id the coordinator reported; -1 = none
	aborted       []event.Checkpoint // reported and above performed, in order of the reports
}

// abort remembers an id that the coordinator gave up before this task came to it.
func (g *gate) abort(id event.Checkpoint) {
	if id <= g.performed || g.find(id) >= 0 {
		return
	}
	if len(g.aborted) == maxAborted {
		g.aborted = g.aborted[:copy(g.aborted, g.aborted[1:])]
	}
	g.aborted = append(g.aborted, id)
	g.latestAborted = max(g.latestAborted, id)
}

func (g *gate) find(id event.Checkpoint) int {
	for i, a := range g.aborted {
		if a == id {
			return i
		}
	}
	return -1
}

// given says whether the coordinator gave id up; an id far below the latest report counts, as its report may be forgotten.
func (g *gate) given(id event.Checkpoint) bool {
	return g.find(id) >= 0 || id+maxAborted < g.latestAborted
}

// pass moves on to id and forgets reports up to it.
func (g *gate) pass(id event.Checkpoint) {
	g.performed = max(g.performed, id)
	n := 0
	for _, a := range g.aborted {
		if a > g.performed {
			g.aborted[n] = a
			n++
		}
	}
	g.aborted = g.aborted[:n]
}

// perform has the snapshot taken, unless the id was performed or aborted before.
func (h *Handler) perform(b Barrier, out []Effect) []Effect {
	if b.ID <= h.gate.performed {
		return out
	}
	given := h.gate.given(b.ID)
	h.gate.pass(b.ID)
	if given {
		return emit(out, PassCancel, b.ID, -1)
	}
	if b.Alignment == ForcedAligned { // it overtakes this task's own output again (spec 3.7)
		b = b.UnalignedSupported()
		out = h.init(b, out)
	}
	e := Effect{Kind: Snapshot, ID: b.ID, Channel: -1, Barrier: b, Unaligned: b.Alignment == Unaligned}
	h.measure.fill(&e)
	h.owed = e.Alignment < 0
	return append(out, e)
}

// init starts channel state where a barrier has any (SubtaskCheckpointCoordinatorImpl#initInputsCheckpoint).
func (h *Handler) init(b Barrier, out []Effect) []Effect {
	if b.Alignment == Unaligned || b.Timeoutable() {
		out = append(out, Effect{Kind: Start, ID: b.ID, Channel: -1, Barrier: b})
	}
	return out
}

// giveUp declines id here and downstream.
func (h *Handler) giveUp(id event.Checkpoint, why event.Reason, out []Effect) []Effect {
	h.gate.pass(id)
	return append(out, Effect{Kind: Abort, ID: id, Channel: -1, Reason: why})
}
