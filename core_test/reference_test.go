package core_test

import (
	"fmt"
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core_test/reference"

	"pgregory.net/rapid"
)

func compare(t *rapid.T, s core.Setup) {
	lab, err := core.New(s)
	if err != nil {
		t.Skip(err)
	}
	ref := reference.New(lab.Setup())
	var want, got []event.Event
	ref.Listen = func(e event.Event) { want = append(want, e) }
	lab.Listen(func(e event.Event) { got = append(got, e) })
	const piece, enough = event.Millisecond, 50_000
	same := 0
	for at := event.Time(0); at < s.Duration && len(want) < enough; {
		at = min(at+piece, s.Duration)
		ref.Advance(at)
		lab.Advance(at, 0)
		for same < len(want) && same < len(got) && want[same] == got[same] {
			same++
		}
		if same < len(want) || same < len(got) {
			t.Fatalf("event %d differs; in common before:\n%score:\n%sreference:\n%s", same, showAll(want[max(0, same-20):same]), showAll(got[same:min(len(got), same+20)]), showAll(want[same:min(len(want), same+20)]))
		}
	}
}

func show(e event.Event) string {
	return fmt.Sprintf("%d %s task %d channel %d cp %d A %d N %d B %d", e.At, kindNames[e.Kind], e.Task, e.Channel, e.Checkpoint, e.A, e.N, e.B)
}

func showAll(all []event.Event) (s string) {
	for _, e := range all {
		s += show(e) + "\n"
	}
	return s
}

var kindNames = []string{"None", "BufferSent", "BufferReceived", "BarrierSent", "BarrierReceived", "ChannelBlocked", "ChannelResumed",
	"CheckpointTriggered", "TaskSnapshot", "TaskAligned", "TaskSynced", "TaskStored", "TaskAcknowledged", "CheckpointCompleted", "CheckpointFailed",
	"CheckpointDropped", "Committed", "TaskFailed", "JobRestarting", "TaskRestored", "TaskRunning", "JobFailed", "BufferSize", "BackPressured", "ScriptDone", "TransactionAborted"}

func TestReferenceAligned(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { compare(t, drawSetup(t, wide{})) })
}

func TestReferenceFailing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { compare(t, drawSetup(t, wide{kills: true})) })
}

func TestReferenceUnaligned(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { compare(t, drawSetup(t, wide{unaligned: true, kills: true})) })
}
