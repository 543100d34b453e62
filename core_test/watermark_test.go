package core_test

import (
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
)

// lags are how far the watermark at the sinks lay behind at the samples after from.
func lags(t *testing.T, s core.Setup, from event.Time) (least, most event.Time) {
	t.Helper()
	lab := runTo(t, s, s.Duration)
	least = event.Never
	for _, x := range lab.History().Samples {
		if x.At >= from && x.MarkLag >= 0 {
			least, most = min(least, x.MarkLag), max(most, x.MarkLag)
		}
	}
	return least, most
}

// A watermark lies behind by the bound, waits for the source's period, and then, since it flushes nothing, for a flush on
// each exchange (case latency-ladder: 250 + W + B at most for one exchange).
func TestWatermarksWaitForPeriodAndFlush(t *testing.T) {
	const ms = event.Millisecond
	s := pipeline(t, 2, 1000, -1, "pipeline.auto-watermark-interval", "200 ms", "execution.buffer-timeout.interval", "100 ms")
	s.Vertices[0].Watermarks = core.Watermarks{On: true, Bound: 250 * ms}
	least, most := lags(t, s, 2*event.Second)
	if least < 250*ms || most > (250+2*200+2*101+10)*ms || most < (250+200)*ms {
		t.Errorf("the watermark at the sinks lies %d to %d ms behind", least/ms, most/ms)
	}
}

// A subtask whose partitions fall silent holds the watermark of all up, unless it is marked idle.
func TestIdleSourcesHoldUpNothing(t *testing.T) {
	const ms = event.Millisecond
	s := pipeline(t, 2, 1000, -1)
	quiet := s.Vertices[0]
	quiet.Name, quiet.Until, quiet.Watermarks = "quiet", 3*event.Second, core.Watermarks{On: true}
	s.Vertices[0].Watermarks.On = true
	s.Vertices = append(s.Vertices, quiet)
	s.Edges = append(s.Edges, core.Edge{From: 3, To: 1, Partition: core.Hash})
	if _, most := lags(t, s, 10*event.Second); most < 16*event.Second {
		t.Errorf("with a silent source the watermark lies %d ms behind, expected all the time since", most/ms)
	}
	s.Vertices[3].Watermarks.Idle = event.Second
	if _, most := lags(t, s, 10*event.Second); most > event.Second {
		t.Errorf("with an idle source the watermark lies %d ms behind, expected some periods", most/ms)
	}
}

// An operator with two inputs has a watermark for each, and goes by the lesser one (currentInput1Watermark and currentInput2Watermark).
func TestEachInputHasItsWatermark(t *testing.T) {
	s := pipeline(t, 2, 100, -1, "pipeline.auto-watermark-interval", "100 ms")
	s.Vertices[0].Watermarks.On = true
	late := s.Vertices[0]
	late.Name, late.Watermarks.Behind = "late", 5*event.Second
	s.Vertices = append(s.Vertices, late)
	s.Edges = append(s.Edges, core.Edge{From: 3, To: 1, Partition: core.Hash})
	var v core.View
	runTo(t, s, s.Duration).View(&v)
	for _, x := range v.Vertices[1].Tasks {
		in := x.InputWatermarks
		if len(in) != 2 || in[0]-in[1] < 4800 || in[0]-in[1] > 5200 || x.Metrics.CurrentInputWatermark != in[1] {
			t.Errorf("subtask %d: watermarks of its inputs %v, its own %d", x.Index, in, x.Metrics.CurrentInputWatermark)
		}
	}
	if in := v.Vertices[2].Tasks[0].InputWatermarks; len(in) != 0 {
		t.Errorf("a task with one input has %v", in)
	}
	for _, i := range []int{0, 3} {
		for _, x := range v.Vertices[i].Tasks {
			m := &x.Metrics.Source
			if lag := m.WatermarkLag - s.Vertices[i].Watermarks.Behind/ms; lag < 0 || lag > 200 || m.CurrentEmitEventTimeLag < s.Vertices[i].Watermarks.Behind/ms || m.CurrentEmitEventTimeLag > m.WatermarkLag || m.SourceIdleTime > 20 || m.WatermarkAlignmentDrift != core.NoWatermark {
				t.Errorf("source %d: %+v", x.Task, *m)
			}
		}
	}
}

// Watermarks take room in the buffers: 13 bytes for every channel and period, with nothing else to do for an empty exchange.
func TestWatermarksAreWritten(t *testing.T) {
	s := pipeline(t, 2, 1, -1, "pipeline.auto-watermark-interval", "100 ms")
	s.Vertices[0].Watermarks.On = true
	read := func(s core.Setup) int64 { // of two sources; what is written counts once a buffer is full
		var v core.View
		runTo(t, s, s.Duration).View(&v)
		return v.Vertices[1].Tasks[0].Metrics.NumBytesIn + v.Vertices[1].Tasks[1].Metrics.NumBytesIn
	}
	with := read(s)
	s.Vertices[0].Watermarks.On = false
	marks := (with - read(s)) / 13 / 2
	if marks < 2*19 || marks > 2*20 { // a record a second lets the watermark go on once a second
		t.Errorf("%d watermarks on two channels in 20 s, expected one a second and channel", marks)
	}
}

// A source with fewer partitions than subtasks runs: what has no partition reads nothing, takes part in checkpoints (readers of an
// unbounded source are not told that there are no more splits, FLINK-24347), and its watermark stands until an idle timeout says
// that it does not count (Kafka connector's documentation, "Idleness").
func TestSubtasksWithoutPartitions(t *testing.T) {
	s := pipeline(t, 3, 1000, -1, "execution.checkpointing.interval", "1 s")
	s.Vertices[0].Partitions, s.Vertices[0].Watermarks.On = 2, true
	for _, idle := range []event.Time{0, event.Second} {
		s.Vertices[0].Watermarks.Idle = idle
		lab := runTo(t, s, s.Duration)
		var v core.View
		lab.View(&v)
		if logs := v.Vertices[0].Tasks[2].Log; logs.Read != 0 {
			t.Errorf("a subtask without a partition has read %d records", logs.Read)
		}
		if n := len(lab.History().Checkpoints); n < 8 {
			t.Errorf("%d checkpoints in %d s", n, s.Duration/event.Second)
		}
		if in := v.Vertices[2].Tasks[0].Metrics.CurrentInputWatermark; (in > 0) != (idle > 0) {
			t.Errorf("idle timeout %d ns: the watermark at the sink is %d ms", idle, in)
		}
	}
}
