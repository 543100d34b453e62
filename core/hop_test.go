package core

import (
	"testing"

	"checkpointlab/core/event"
)

// TestHoppingChangesNothing: a run in which buffers hop through their tasks and steps are done at once is the run in which all
// of it takes its way through the queue, however it is cut; and whenever it is cut, what must hold at every instant does.
func TestHoppingChangesNothing(t *testing.T) {
	wide := wideJob(t, 24, Hash, 200, 5*event.Second)
	wide.Script = []Action{{At: 2100 * event.Millisecond, Do: Kill, Vertex: 1, Subtask: 3}, {At: 3 * event.Second, Do: Slow, Vertex: 1, Cost: event.Millisecond}}
	free := wideJob(t, 12, Hash, 1000, 3*event.Second)
	free.Vertices[1].Cost = 0
	slow := wideJob(t, 12, Hash, 1000, 3*event.Second)
	slow.Vertices[1].Cost = 100 * event.Microsecond
	steady := chapter(t, "1 s")
	steady.Duration = 20 * event.Second
	pressed := bp222(t)
	pressed.Duration = 10 * event.Second
	urgent := bp222(t)
	urgent.Duration, urgent.Options = 10*event.Second, config(t, "execution.checkpointing.interval", "1 s", "execution.checkpointing.unaligned.enabled", "true")
	for name, s := range map[string]Setup{"wide": wide, "free": free, "slow": slow, "steady": steady, "pressed": pressed, "unaligned": urgent} {
		plain, whole, cut := ran(t, s, false, 0), ran(t, s, true, 0), ran(t, s, true, 7)
		if plain.Hash() != whole.Hash() || plain.Hash() != cut.Hash() {
			t.Errorf("%s: the trace hash is %x; with hopping %x, and cut %x", name, plain.Hash(), whole.Hash(), cut.Hash())
		}
		if plain.Events() < 1000 {
			t.Errorf("%s: %d events only", name, plain.Events())
		}
	}
}

// ran computes a setup to its end, audited every few items, and at odd instants, if it is cut. Behind each cut it goes on from a
// snapshot.
func ran(t *testing.T, s Setup, wide bool, cut int) *Lab {
	t.Helper()
	l, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	if l.world.Wide = wide; cut == 0 {
		l.Advance(s.Duration, 0)
		return l
	}
	var kept State
	a := NewAuditor(l)
	for until := event.Time(0); l.Now() < s.Duration; {
		for until += 7_654_321; !l.Advance(min(until, s.Duration), cut); {
		}
		if err := a.Check(); err != nil {
			t.Fatalf("at %d ns: %v", l.Now(), err)
		}
		l.Snapshot(&kept)
		l.Restore(&kept)
	}
	return l
}
