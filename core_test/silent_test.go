package core_test

import (
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
)

// silentPartition is a source of three partitions of which one falls silent from second 10 to second 30; idle is its withIdleness.
func silentPartition(t *testing.T, idle event.Time) *core.Lab {
	t.Helper()
	s := pipeline(t, 1, 300, -1)
	x := &s.Vertices[0]
	x.Partitions = 3
	x.Watermarks = core.Watermarks{On: true, Idle: idle}
	x.Load = core.Load{Quiet: true, QuietSplits: 1, QuietFrom: 10 * event.Second, QuietTo: 30 * event.Second}
	s.Duration = 40 * event.Second
	lab, err := core.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return lab
}

// One silent partition holds the watermark of its subtask while the records of the others flow; when it speaks again the watermark
// catches up at once (WatermarkOutputMultiplexer takes the least of the splits).
func TestSilentPartitionHoldsTheWatermark(t *testing.T) {
	lab := silentPartition(t, 0)
	before := *sourceAt(lab, 12*event.Second)
	held := *sourceAt(lab, 29*event.Second)
	if a, b := before.Metrics.CurrentOutputWatermark, held.Metrics.CurrentOutputWatermark; a != b || a > 10_000 {
		t.Errorf("the watermark went from %d to %d ms while a partition was silent from 10 s on", a, b)
	}
	if n := held.Log.Read - before.Log.Read; n < 17*600-20 || n > 17*600+20 {
		t.Errorf("%d records of the other two partitions in 17 s; they have 600 a second", n)
	}
	after := *sourceAt(lab, 31*event.Second)
	if m := after.Metrics.CurrentOutputWatermark; m < 30_000 {
		t.Errorf("the watermark is %d ms a second after the partition spoke again", m)
	}
}

// With idleness the partition holds it that long only, and it is not the subtask that is idle.
func TestSilentPartitionBecomesIdle(t *testing.T) {
	lab := silentPartition(t, 5*event.Second)
	if m := sourceAt(lab, 14*event.Second).Metrics.CurrentOutputWatermark; m > 10_000 {
		t.Errorf("the watermark is %d ms before the partition counts as idle", m)
	}
	late := sourceAt(lab, 20*event.Second)
	if m := late.Metrics.CurrentOutputWatermark; m < 19_000 || late.MarkedIdle {
		t.Errorf("the watermark is %d ms, marked idle: %v; the other partitions go on", m, late.MarkedIdle)
	}
}

// A partition that is silent from the start has its part of what the log begins with, so the subtask does have a watermark. Without
// such a past a partition that has never had a record lets none be made.
func TestSilentFromTheStart(t *testing.T) {
	for history, want := range map[int64]int64{0: core.NoWatermark, 50: -1} {
		s := pipeline(t, 1, 300, -1)
		x := &s.Vertices[0]
		x.Partitions, x.History, x.Watermarks = 3, history, core.Watermarks{On: true}
		x.Load = core.Load{Quiet: true, QuietSplits: 2, QuietTo: 30 * event.Second}
		s.Duration = 40 * event.Second
		lab, err := core.New(s)
		if err != nil {
			t.Fatal(err)
		}
		if m := sourceAt(lab, 29*event.Second).Metrics.CurrentOutputWatermark; m != want {
			t.Errorf("with %d records in each partition the watermark is %d ms, expected %d: two partitions got nothing since", history, m, want)
		}
	}
}

func TestNotAllPartitionsAreSome(t *testing.T) {
	s := pipeline(t, 2, 300, -1)
	s.Vertices[0].Load = core.Load{Quiet: true, QuietSplits: 1, QuietTo: event.Second}
	if err := s.Check(); err == nil {
		t.Error("one of one partition falls silent while the others go on")
	}
}
