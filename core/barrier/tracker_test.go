package barrier

import (
	"testing"

	"checkpointlab/core/event"
)

// Spec 3.3: the oldest of more than 50 falls out silently.
func TestTrackerForgetsTheOldest(t *testing.T) {
	h := New(TrackerKind, 2, true)
	for id := event.Checkpoint(1); id <= maxTracked+2; id++ {
		if out := h.OnBarrier(0, 0, plain(id), nil); len(out) > 0 {
			t.Fatal(show(out))
		}
	}
	if ids := h.AppendPending(nil); len(ids) != maxTracked || ids[0] != 3 || h.Latest() != maxTracked+2 {
		t.Errorf("tracked are %v", ids)
	}
	expect(t, "forgotten", h.OnBarrier(0, 1, plain(2), nil), "")
	expect(t, "oldest", h.OnBarrier(0, 1, plain(3), nil), "Snapshot 3 0 0")
	expect(t, "newest", h.OnBarrier(4, 1, plain(maxTracked+2), nil), "Snapshot 52 0 4")
	if h.Pending() || h.tracker.used != 0 {
		t.Error("something is still tracked")
	}
}

// CheckpointBarrierTracker#processEndOfPartition without checkpoints after finish.
func TestTrackerEndOfPartitionAbortsAll(t *testing.T) {
	h := New(TrackerKind, 3, false)
	h.OnBarrier(0, 0, plain(1), nil)
	h.OnCancel(0, 1, 2, nil)
	h.OnBarrier(0, 0, plain(3), nil)
	h.OnAnnouncement(0, 1, timed(4, 1), nil)
	expect(t, "end", h.OnEndOfPartition(0, 0, nil), "Abort 3 CHECKPOINT_DECLINED_INPUT_END_OF_STREAM")
	if h.Pending() || h.Blocked(1) || h.Aligning() {
		t.Error("something is pending")
	}
}

// CheckpointBarrierTracker measures one alignment, the newest one's; an older one's end does not end it, a cancellation of
// another does not either, except the one that a single open channel brings.
func TestTrackerMeasuresTheNewest(t *testing.T) {
	h := New(TrackerKind, 2, true)
	h.OnBarrier(0, 0, plain(1), nil)
	h.OnBarrier(1, 0, plain(2), nil)
	h.OnBytes(3)
	out := h.OnBarrier(2, 1, plain(1), nil)
	expect(t, "older", out, "Snapshot 1 0 0")
	if out[0].Bytes != 0 || !h.Aligning() {
		t.Error("the older one is measured")
	}
	h.OnBytes(4)
	out = h.OnBarrier(9, 1, plain(2), nil)
	expect(t, "newest", out, "Snapshot 2 0 8")
	if out[0].Bytes != 7 {
		t.Errorf("%d bytes", out[0].Bytes)
	}
	h.OnBarrier(10, 0, plain(3), nil)
	h.OnCancel(11, 1, 4, nil)
	h.OnCancel(12, 0, 4, nil)
	if h.Pending() || !h.Aligning() {
		t.Error("a cancellation ends the measurement")
	}
	h.OnBarrier(20, 0, plain(5), nil)
	h.OnCancel(21, 1, 6, nil)
	h.OnBarrier(22, 0, plain(6), nil)
	if h.Pending() || !h.Aligning() {
		t.Error("the last barrier of a cancelled one ends the measurement")
	}
	h.OnBarrier(30, 0, plain(7), nil)
	h.OnEndOfPartition(31, 0, nil)
	h.OnCancel(32, 1, 8, nil)
	if h.Aligning() || h.AlignmentDuration(40) != 0 {
		t.Error("the measurement goes on")
	}
}
