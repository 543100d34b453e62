package core_test

import (
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
)

// A slow outside system holds the sink's thread ahead of the barrier, before its snapshot begins: the checkpoint takes longer, and
// none of its phases does (spec 6.2).
func TestFlushIsInNoPhase(t *testing.T) {
	s := pipeline(t, 2, 1000, -1, interval, "2 s")
	s.Duration = 30 * event.Second
	s.Vertices[2].Guarantee = core.AtLeastOnce
	s.Vertices[2].Flush = 400 * event.Millisecond
	s.Script = []core.Action{{At: 15 * event.Second, Do: core.SlowFlush, Vertex: 2, Subtask: -1, Cost: 900 * event.Millisecond}}
	lab := runTo(t, s, s.Duration)
	seen := 0
	for _, c := range lab.History().Checkpoints {
		if c.Outcome != core.Completed || c.ID == 1 {
			continue
		}
		seen++
		flush := s.Vertices[2].Flush
		if c.Triggered > s.Script[0].At {
			flush = s.Script[0].Cost
		}
		phases := event.Time(0)
		for _, task := range c.Tasks {
			phases = max(phases, task.StartDelay+task.Alignment+task.Sync+task.Async)
		}
		took := c.Ended - c.Triggered
		if took < flush || took > flush+200*event.Millisecond || phases > 150*event.Millisecond {
			t.Errorf("checkpoint %d took %d ns, its phases %d ns at most, with a flush of %d ns", c.ID, took, phases, flush)
		}
	}
	if seen < 10 {
		t.Errorf("only %d checkpoints completed", seen)
	}
}

// Who guarantees nothing does not flush, and a writer that has written nothing has nothing to wait for.
func TestNothingToFlush(t *testing.T) {
	s := pipeline(t, 1, 1000, -1, interval, "2 s")
	s.Duration = 29 * event.Second
	s.Vertices[2].Flush = 400 * event.Millisecond
	s.Vertices[0].Until = 5 * event.Second
	lab := runTo(t, s, s.Duration)
	all := lab.History().Checkpoints
	if last := &all[len(all)-1]; last.Outcome != core.Completed || last.Ended-last.Triggered > 20*event.Millisecond {
		t.Errorf("the last checkpoint, with nothing written since the one before, took %d ns", last.Ended-last.Triggered)
	}
	s.Vertices[2].Guarantee = core.NoGuarantee
	if err := s.Check(); err == nil {
		t.Error("a sink without a guarantee has a flush")
	}
}
