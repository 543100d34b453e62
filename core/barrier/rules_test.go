package barrier

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

const ms = event.Millisecond

// show writes effects in one line, kind and what it is about.
func show(out []Effect) string {
	var s []string
	for _, e := range out {
		w := fmt.Sprintf("%v %d", e.Kind, e.ID)
		if e.Channel >= 0 {
			w += fmt.Sprintf("/%d", e.Channel)
		}
		switch e.Kind {
		case Snapshot:
			w += fmt.Sprintf(" %d %d", e.Barrier.Alignment, e.Alignment)
		case AlignmentEnded:
			w += fmt.Sprintf(" %d", e.Alignment)
		case Abort:
			w += " " + e.Reason.String()
		case RegisterTimer:
			w += fmt.Sprintf(" %d", e.At)
		}
		s = append(s, w)
	}
	return strings.Join(s, ", ")
}

func expect(t *testing.T, what string, out []Effect, want string) {
	t.Helper()
	if got := show(out); got != want {
		t.Errorf("%s:\n got %s\nwant %s", what, got, want)
	}
}

func plain(id event.Checkpoint) Barrier { return Barrier{ID: id} }

func over(id event.Checkpoint) Barrier { return Barrier{ID: id, Alignment: Unaligned} }

func timed(id event.Checkpoint, timeout event.Time) Barrier {
	return Barrier{ID: id, Alignment: TimeoutableAligned, Timeout: timeout}
}

// Spec 3.2: snapshot first, then all channels go on.
func TestAlignedSnapshotRunsBeforeChannelsResume(t *testing.T) {
	h := New(AlignedKind, 3, true)
	h.OnBarrier(1, 2, plain(1), nil)
	h.OnBarrier(2, 0, plain(1), nil)
	if have, of := h.Aligned(); have != 2 || of != 3 || !h.Pending() || !h.Aligning() {
		t.Errorf("aligned %d of %d", have, of)
	}
	expect(t, "last barrier", h.OnBarrier(5, 1, plain(1), nil), "Block 1/1, Snapshot 1 0 4, Resume 1/0, Resume 1/1, Resume 1/2")
	if have, of := h.Aligned(); have != 0 || of != 0 || h.Pending() || h.Aligning() {
		t.Errorf("after it: aligned %d of %d", have, of)
	}
}

// Spec 3.2, truth/mechanisms 4: even with a single channel the sender waits for the resume.
func TestSingleChannelResumesItsSender(t *testing.T) {
	h := New(AlignedKind, 1, true)
	expect(t, "barrier", h.OnBarrier(1, 0, plain(1), nil), "Block 1/0, Snapshot 1 0 0, Resume 1/0")
	if h.Blocked(0) {
		t.Error("the channel stays blocked")
	}
}

// SingleCheckpointBarrierHandler#processBarrier: an obsolete barrier resumes its channel, an unaligned one needs none.
func TestObsoleteBarrierResumesAtOnce(t *testing.T) {
	h := New(AlternatingKind, 2, true)
	h.OnBarrier(0, 0, plain(7), nil)
	expect(t, "older", h.OnBarrier(0, 1, plain(6), nil), "Resume 6/1")
	expect(t, "older unaligned", h.OnBarrier(0, 1, over(6), nil), "")
	h.OnBarrier(0, 1, plain(7), nil)
	expect(t, "completed", h.OnBarrier(0, 1, plain(7), nil), "Resume 7/1")
}

// Spec 3.2: checkpoints-after-tasks-finish off aborts; an ended channel is not resumed.
func TestEndOfPartitionAborts(t *testing.T) {
	h := New(AlignedKind, 3, false)
	h.OnBarrier(0, 0, plain(1), nil)
	h.OnBarrier(0, 1, plain(1), nil)
	expect(t, "end", h.OnEndOfPartition(0, 1, nil), "Resume 1/0, Abort 1 CHECKPOINT_DECLINED_INPUT_END_OF_STREAM")
	expect(t, "end without checkpoint", h.OnEndOfPartition(0, 0, nil), "")
	if h.Open() != 1 {
		t.Errorf("%d channels open", h.Open())
	}
}

// Spec 3.4: the first barrier starts channel state on all channels; its own stores what it overtook and no more.
func TestUnalignedStoresInput(t *testing.T) {
	h := New(UnalignedKind, 3, true)
	h.OnEndOfPartition(0, 2, nil)
	expect(t, "first", h.OnBarrier(1, 1, over(1), nil), "Start 1, StoreInput 1/0, StoreInput 1/1, Snapshot 1 2 -1, StopStoring 1/1")
	h.OnBytes(30)
	out := h.OnBarrier(9, 0, over(1), nil)
	expect(t, "last", out, "StopStoring 1/0, AlignmentEnded 1 8")
	if b := out[len(out)-1].Bytes; b != 30 {
		t.Errorf("%d bytes", b)
	}
}

// Spec 3.4: an unaligned checkpoint that is aborted stores no more and has no end of alignment.
func TestAnAbortedUnalignedCheckpointStoresNoMore(t *testing.T) {
	h := New(UnalignedKind, 2, true)
	h.OnBarrier(0, 0, over(1), nil)
	expect(t, "cancel", h.OnCancel(3, 1, 1, nil), "StopStoring 1/1, Abort 1 CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER")
	expect(t, "its late barrier", h.OnBarrier(4, 1, over(1), nil), "")
	if h.AlignmentDuration(9) != 0 {
		t.Errorf("alignment %d", h.AlignmentDuration(9))
	}
}

// Spec 3.5: the timer before any barrier only moves announced barriers to the front; the first barrier takes the snapshot.
func TestTimerBeforeFirstBarrier(t *testing.T) {
	h := New(AlternatingKind, 3, true)
	expect(t, "announcement", h.OnAnnouncement(2*ms, 1, timed(1, 10*ms), nil), "RegisterTimer 1 10000000")
	expect(t, "another", h.OnAnnouncement(2*ms, 0, timed(1, 10*ms), nil), "")
	expect(t, "timer", h.OnTimer(10*ms, 1, nil), "MakePriority 1/0, MakePriority 1/1")
	expect(t, "late announcement", h.OnAnnouncement(11*ms, 2, timed(1, 10*ms), nil), "MakePriority 1/2")
	expect(t, "barrier", h.OnBarrier(11*ms, 1, timed(1, 10*ms), nil),
		"Block 1/1, Start 1, StoreInput 1/0, StoreInput 1/1, StoreInput 1/2, Snapshot 1 2 -1, StopStoring 1/1")
	h.OnBarrier(12*ms, 0, timed(1, 10*ms), nil)
	expect(t, "last", h.OnBarrier(13*ms, 2, timed(1, 10*ms), nil),
		"Block 1/2, StopStoring 1/2, Resume 1/0, Resume 1/1, Resume 1/2, AlignmentEnded 1 2000000")
	expect(t, "next begins aligned", h.OnBarrier(20*ms, 0, timed(2, 100*ms), nil), "RegisterTimer 2 100000000, Block 2/0")
}

// Spec 3.5: the timer after a barrier takes the snapshot at once; a channel whose barrier was taken is not stored.
func TestTimerAfterBarrier(t *testing.T) {
	h := New(AlternatingKind, 3, true)
	h.OnBarrier(0, 0, timed(1, 10), nil)
	h.OnAnnouncement(0, 2, timed(1, 10), nil)
	expect(t, "timer", h.OnTimer(10, 1, nil), "MakePriority 1/2, Start 1, StoreInput 1/1, StoreInput 1/2, Snapshot 1 2 -1")
	expect(t, "timer again", h.OnTimer(11, 1, nil), "")
	expect(t, "end of partition", h.OnEndOfPartition(12, 1, nil), "StopStoring 1/1")
	expect(t, "unaligned barrier", h.OnBarrier(13, 2, over(1), nil), "StopStoring 1/2, Resume 1/0, AlignmentEnded 1 13")
}

// Spec 3.5: the passive check is strict, and a barrier that completes the alignment keeps it aligned however late.
func TestThePassiveTimeoutIsStrict(t *testing.T) {
	h := New(AlternatingKind, 3, true)
	h.OnBarrier(10*ms, 0, timed(1, 10*ms), nil)
	if h.Latest() != 1 || len(h.AppendPending(nil)) != 1 {
		t.Error("a barrier at the deadline switched")
	}
	expect(t, "behind the deadline", h.OnBarrier(11*ms, 1, timed(1, 10*ms), nil),
		"Block 1/1, Start 1, StoreInput 1/1, StoreInput 1/2, Snapshot 1 2 -1, StopStoring 1/1")
	h = New(AlternatingKind, 2, true)
	h.OnBarrier(1*ms, 0, timed(1, 10*ms), nil)
	expect(t, "last one, late", h.OnBarrier(99*ms, 1, timed(1, 10*ms), nil), "Block 1/1, Start 1, Snapshot 1 1 98000000, Resume 1/0, Resume 1/1")
	expect(t, "stale timer", h.OnTimer(99*ms, 1, nil), "")
}

// Clocks have whole milliseconds: 10.95 ms behind 0.9 ms 10 have passed, 0.05 ms later 11 (BarrierAlignmentUtil#getTimerDelay).
func TestTheTimePassedIsOfWholeMilliseconds(t *testing.T) {
	b := timed(1, 10*ms)
	b.Timestamp = 900 * event.Microsecond
	for now, want := range map[event.Time]event.Time{
		b.Timestamp: 10_900 * event.Microsecond, 1500 * event.Microsecond: 10_500 * event.Microsecond, 10_950 * event.Microsecond: 10_950 * event.Microsecond, 30 * ms: 30 * ms,
	} {
		if got := b.Deadline(now); got != want {
			t.Errorf("at %d the deadline is %d, expected %d", now, got, want)
		}
	}
	if b.timedOut(10_950*event.Microsecond) || !b.timedOut(11*ms) {
		t.Error("the passive check has a finer clock")
	}
}

// A timer of an id that was subsumed or cancelled is ignored (AlternatingCheckpointsTest#testNoActiveTimeoutAlignmentAfterAbort).
func TestATimerOfAnEndedCheckpointIsIgnored(t *testing.T) {
	h := New(AlternatingKind, 2, true)
	h.OnBarrier(0, 0, timed(1, 10*ms), nil)
	expect(t, "newer", h.OnBarrier(1*ms, 1, timed(2, 10*ms), nil),
		"Resume 1/0, Abort 1 CHECKPOINT_DECLINED_SUBSUMED, RegisterTimer 2 10000000, Block 2/1")
	expect(t, "timer of the old one", h.OnTimer(10*ms, 1, nil), "")
	h.OnCancel(11*ms, 0, 2, nil)
	expect(t, "timer of the cancelled one", h.OnTimer(11*ms, 2, nil), "")
	expect(t, "the next one is aligned", h.OnBarrier(12*ms, 0, timed(3, 99*ms), nil), "RegisterTimer 3 99000000, Block 3/0")
}

// An announcement alone makes its id pending, so that a newer one subsumes it (SingleCheckpointBarrierHandler#checkNewCheckpoint).
func TestAnnouncedIsSubsumed(t *testing.T) {
	h := New(AlternatingKind, 2, true)
	h.OnAnnouncement(0, 0, timed(1, 10*ms), nil)
	expect(t, "newer", h.OnAnnouncement(5*ms, 1, timed(2, 10*ms), nil), "Abort 1 CHECKPOINT_DECLINED_SUBSUMED, RegisterTimer 2 10000000")
	expect(t, "obsolete", h.OnAnnouncement(5*ms, 1, timed(1, 10*ms), nil), "")
	expect(t, "timer", h.OnTimer(10*ms, 2, nil), "MakePriority 2/1")
}

// Announcements do not outlive their checkpoint or their channel (ChannelState#emptyState, #channelFinished).
func TestAnnouncementsAreForgotten(t *testing.T) {
	h := New(AlternatingKind, 3, true)
	h.OnBarrier(0, 1, timed(1, 10), nil)
	h.OnAnnouncement(0, 0, timed(1, 10), nil)
	h.OnCancel(0, 2, 1, nil)
	h.OnAnnouncement(0, 1, timed(2, 10), nil)
	h.OnAnnouncement(0, 2, timed(2, 10), nil)
	h.OnEndOfPartition(0, 2, nil)
	expect(t, "timer", h.OnTimer(10, 2, nil), "MakePriority 2/1")
}

// CheckpointBarrierHandler#markAlignmentStart: clocks of coordinator and task may differ.
func TestStartDelayIsNotNegative(t *testing.T) {
	h := New(AlignedKind, 2, true)
	h.OnBarrier(5, 0, Barrier{ID: 1, Timestamp: 9}, nil)
	if h.StartDelay() != 0 || h.AlignmentDuration(7) != 2 {
		t.Errorf("start delay %d, alignment %d", h.StartDelay(), h.AlignmentDuration(7))
	}
}

// SingleCheckpointBarrierHandler#processCancellationBarrier: a current id without any barrier seen is not cancelled.
func TestCancelOfAnnouncedOnlyIsIgnored(t *testing.T) {
	h := New(AlternatingKind, 2, true)
	h.OnAnnouncement(0, 0, timed(1, 10), nil)
	expect(t, "cancel", h.OnCancel(0, 1, 1, nil), "")
	if !h.Pending() {
		t.Error("it is given up")
	}
}

// Spec 3.7: a forced-aligned barrier aligns and is turned back before it is passed on.
func TestForcedAlignedTurnsBack(t *testing.T) {
	for _, timeout := range []event.Time{0, 10} {
		b := Barrier{ID: 1, Alignment: Unaligned, Timeout: timeout}
		want := "Block 1/1, Start 1, Snapshot 1 2 0, Resume 1/0, Resume 1/1"
		if timeout > 0 {
			b.Alignment = TimeoutableAligned
			want = "Block 1/1, Start 1, Snapshot 1 1 0, Resume 1/0, Resume 1/1"
		}
		forced := b.UnalignedUnsupported()
		if forced.Alignment != ForcedAligned || forced.Timeoutable() || !forced.BlocksSender() || forced.UnalignedSupported() != b {
			t.Errorf("%+v is forced to %+v", b, forced)
		}
		h := New(AlternatingKind, 2, true)
		expect(t, "first, late", h.OnBarrier(99, 0, forced, nil), "Block 1/0")
		expect(t, "last", h.OnBarrier(99, 1, forced, nil), want)
	}
	if s := plain(1); s.UnalignedUnsupported() != s || s.UnalignedSupported() != s {
		t.Error("an aligned barrier is changed")
	}
}

// Spec 3.6 step 0: an id that the coordinator gave up ends in a cancellation marker; one far below the latest report, too.
func TestAbortedByNotification(t *testing.T) {
	h := New(AlignedKind, 2, true)
	h.OnAborted(1)
	h.OnBarrier(0, 0, plain(1), nil)
	expect(t, "last barrier", h.OnBarrier(1, 1, plain(1), nil), "Block 1/1, PassCancel 1, Resume 1/0, Resume 1/1")
	h.OnAborted(1) // performed: nothing to remember
	h.OnAborted(200)
	h.OnBarrier(0, 0, plain(71), nil)
	expect(t, "far below", h.OnBarrier(1, 1, plain(71), nil), "Block 71/1, PassCancel 71, Resume 71/0, Resume 71/1")
	h.OnBarrier(0, 0, plain(72), nil)
	expect(t, "not so far", h.OnBarrier(1, 1, plain(72), nil), "Block 72/1, Snapshot 72 0 1, Resume 72/0, Resume 72/1")
}

// An unaligned checkpoint that the coordinator gave up reports no end of its alignment.
func TestAbortedUnalignedHasNoEnd(t *testing.T) {
	h := New(UnalignedKind, 2, true)
	h.OnAborted(1)
	expect(t, "first", h.OnBarrier(0, 0, over(1), nil), "Start 1, StoreInput 1/0, StoreInput 1/1, PassCancel 1, StopStoring 1/0")
	expect(t, "last", h.OnBarrier(0, 1, over(1), nil), "StopStoring 1/1")
	h.OnBarrier(0, 0, over(2), nil)
	h.OnCancel(0, 1, 2, nil)
	h.OnAborted(3)
	h.OnBarrier(0, 0, over(3), nil)
	expect(t, "last after one that was cancelled", h.OnBarrier(0, 1, over(3), nil), "StopStoring 3/1")
}

// SubtaskCheckpointCoordinatorImpl#checkAndClearAbortedStatus: the id exactly 128 below the latest is forgotten and not yet
// far enough below, so it is performed.
func TestRememberedAbortsAreBounded(t *testing.T) {
	h := New(AlignedKind, 1, true)
	for id := event.Checkpoint(1); id <= 3*maxAborted; id++ {
		h.OnAborted(id)
	}
	if n := len(h.gate.aborted); n != maxAborted {
		t.Errorf("%d ids are remembered", n)
	}
	for id := event.Checkpoint(1); id <= 3*maxAborted; id++ {
		want := fmt.Sprintf("Block %d/0, PassCancel %d, Resume %d/0", id, id, id)
		if id == 2*maxAborted {
			want = fmt.Sprintf("Block %d/0, Snapshot %d 0 0, Resume %d/0", id, id, id)
		}
		expect(t, "barrier", h.OnBarrier(0, 0, plain(id), nil), want)
	}
}

// Spec 3.6: a source performs the request at once; spec 2.3: a task behind finished producers takes it for their barriers.
func TestATriggerStandsForBarriers(t *testing.T) {
	h := New(AlternatingKind, 0, true)
	out := h.OnTrigger(7*ms, over(1), nil)
	expect(t, "source", out, "Start 1, Snapshot 1 2 0")
	if e := out[1]; e.StartDelay != 7*ms || h.Latest() != 1 || h.Pending() {
		t.Errorf("%+v, latest %d", e, h.Latest())
	}
	expect(t, "older", h.OnTrigger(8*ms, plain(1), nil), "")
	h = New(AlignedKind, 3, true)
	h.OnEndOfPartition(0, 1, nil)
	expect(t, "task", h.OnTrigger(0, plain(1), nil), "Snapshot 1 0 0")
	h = New(TrackerKind, 2, true)
	expect(t, "tracker", h.OnTrigger(0, Barrier{ID: 1, Alignment: AtLeastOnce}, nil), "Snapshot 1 4 0")
}

// Spec 3.1 and CheckpointOptions#forConfig.
func TestKindAndBarrierOfAConfiguration(t *testing.T) {
	for _, c := range []struct {
		config    option.Config
		savepoint bool
		kind      Kind
		alignment Alignment
	}{
		{option.Config{Mode: option.AtLeastOnce}, false, TrackerKind, AtLeastOnce},
		{option.Config{}, false, AlignedKind, Aligned},
		{option.Config{AlignedTimeout: 5}, false, AlignedKind, Aligned},
		{option.Config{Unaligned: true}, false, AlternatingKind, Unaligned},
		{option.Config{Unaligned: true}, true, AlternatingKind, Aligned},
		{option.Config{Unaligned: true, AlignedTimeout: 5}, false, AlternatingKind, TimeoutableAligned},
		{option.Config{Unaligned: true, AlignedTimeout: 5}, true, AlternatingKind, Aligned},
	} {
		b := Make(&c.config, 3, 9, c.savepoint)
		if k := KindOf(&c.config); k != c.kind || b.Alignment != c.alignment || b.ID != 3 || b.Timestamp != 9 || b.Savepoint != c.savepoint {
			t.Errorf("%+v: kind %d, barrier %+v", c.config, k, b)
		}
		if b.Timeoutable() != (c.alignment == TimeoutableAligned) {
			t.Errorf("%+v is timeoutable: %v", b, b.Timeoutable())
		}
	}
}

func TestProgrammersMistakesPanic(t *testing.T) {
	for what, f := range map[string]func(){
		"a negative number": func() { New(AlignedKind, -1, true) },
		"ended twice": func() {
			h := New(AlignedKind, 2, true)
			h.OnEndOfPartition(0, 1, nil)
			h.OnEndOfPartition(0, 1, nil)
		},
		"an unaligned barrier": func() {
			h := New(AlignedKind, 2, true)
			h.OnBarrier(0, 1, over(1), nil)
		},
	} {
		func() {
			defer func() {
				if p := recover(); p == nil || !strings.Contains(fmt.Sprint(p), what) {
					t.Errorf("%s: %v", what, p)
				}
			}()
			f()
		}()
	}
}

func TestASetListsItsChannelsInOrder(t *testing.T) {
	s := make(set, words(130))
	for _, ch := range []int32{129, 0, 63, 64, 0} {
		s.add(ch)
	}
	var got []int32
	for ch := s.next(0); ch >= 0; ch = s.next(ch + 1) {
		got = append(got, ch)
	}
	if !slices.Equal(got, []int32{0, 63, 64, 129}) || s.next(130) != -1 || !s.remove(64) || s.remove(64) || s.next(64) != 129 {
		t.Errorf("members %v", got)
	}
}
