package core_test

import (
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
)

// heldKinds are runs in which threads are kept from their mailboxes.
func heldKinds(t testing.TB) map[string]core.Setup {
	hanging := pipeline(t, 2, 2000, slowSink, interval, "2 s", "execution.checkpointing.timeout", "3 s", "execution.checkpointing.tolerable-failed-checkpoints", "2")
	hanging.Script = []core.Action{
		{At: 5 * event.Second, Do: core.Hang, Vertex: 1, Subtask: 0, For: 1500 * event.Millisecond},
		{At: 9 * event.Second, Do: core.Hang, Vertex: 2, Subtask: 1},
		{At: 18 * event.Second, Do: core.Kill, Vertex: 1, Subtask: 1},
	}
	callback := pipeline(t, 2, 2000, slowSink, interval, "1 s")
	callback.Vertices[2].Callback = core.Callback{Time: 300 * event.Millisecond, Grows: 100 * event.Millisecond}
	lock := pipeline(t, 2, 0, slowSink, interval, "1 s", unaligned, "true")
	lock.Vertices[0].Lock = core.LockEmit
	first := pipeline(t, 2, 3, slowSink, interval, "1 s")
	first.Vertices[0].Lock = core.LockFirst
	first.Script = []core.Action{{At: 7400 * event.Millisecond, Do: core.Kill, Vertex: 1}}
	skewed := pipeline(t, 4, 1000, -1, interval, "2 s")
	skewed.Vertices[1].Snapshot = core.Snapshot{Size: 10 << 20, Skew: 500_000, Files: 3}
	skewed.Storage = core.Storage{On: true, PerManager: 10 << 20, Latency: 5 * event.Millisecond}
	return map[string]core.Setup{"hanging": hanging, "callback": callback, "lock": lock, "lock until the first": first, "skewed": skewed}
}

// At every step of such runs nothing is forgotten: a thread that is held is known to be, and somebody lets it go.
func TestHeldThreadsAreAudited(t *testing.T) {
	for name, s := range heldKinds(t) {
		lab, err := core.New(s)
		if err != nil {
			t.Fatal(err)
		}
		auditor := core.NewAuditor(lab)
		for !lab.Advance(s.Duration, 97) {
			if err := auditor.Check(); err != nil {
				t.Fatalf("%s, %d ns: %v", name, lab.Now(), err)
			}
		}
		if len(lab.History().Checkpoints) < 4 || lab.History().Pipeline.Len() == 0 {
			t.Errorf("%s: %d checkpoints, %d latencies", name, len(lab.History().Checkpoints), lab.History().Pipeline.Len())
		}
	}
}
