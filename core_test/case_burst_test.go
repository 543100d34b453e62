package core_test

import (
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// burstJob is a source of 10 records a second, a flat map that makes so many buffers of 32 KiB of one record, and a sink that
// takes one buffer in half a second, 64 KiB/s, all with unaligned checkpoints every 1.7 s: the job of case C12, with one
// subtask so that each time is known.
func burstJob(t *testing.T, buffers int64, overdraft string) core.Setup {
	t.Helper()
	c, _, err := option.Resolve("1.18", []option.Pair{
		{Key: interval, Value: "1700 ms"}, {Key: unaligned, Value: "true"},
		{Key: "taskmanager.network.memory.max-overdraft-buffers-per-gate", Value: overdraft},
	})
	if err != nil {
		t.Fatal(err)
	}
	return core.Setup{
		Vertices: []core.Vertex{
			{Name: "source", Kind: core.Source, Parallelism: 1, Cost: -1, RateNum: 10, RatePer: event.Second, Payload: 100},
			{Name: "flatMap", Parallelism: 1, Cost: event.Millisecond, EmitNum: 32 * buffers, EmitDen: 1, Payload: 1024},
			{Name: "sink", Kind: core.Sink, Parallelism: 1, Cost: 500 * event.Millisecond / 32},
		},
		Edges:    []core.Edge{{From: 0, To: 1, Partition: core.Hash}, {From: 1, To: 2, Partition: core.Hash}},
		Options:  c,
		Duration: 120 * event.Second, Seed: 1,
	}
}

// startDelays are the start delays of the flat map over all completed checkpoints after the queues have filled.
func startDelays(t *testing.T, s core.Setup) (least, most event.Time) {
	t.Helper()
	lab, err := core.New(s)
	if err != nil {
		t.Fatal(err)
	}
	lab.Advance(s.Duration, 0)
	n := 0
	for _, c := range lab.History().Checkpoints {
		if c.Outcome != core.Completed || c.Triggered < 30*event.Second {
			continue
		}
		if d := c.Tasks[1].StartDelay; n == 0 {
			least, most = d, d
		} else {
			least, most = min(least, d), max(most, d)
		}
		n++
	}
	if n < 5 {
		t.Fatalf("%d checkpoints completed", n)
	}
	return least, most
}

// A subtask asks for one free buffer before it takes a record. One that needs more blocks in the middle of the record, and
// an unaligned barrier waits, too, unless overdraft suffices (case C12: FLINK-26762).
func TestBurstsHoldUpUnalignedBarriers(t *testing.T) {
	const drain = 500 * event.Millisecond // of one buffer
	t.Run("no overdraft", func(t *testing.T) {
		if _, most := startDelays(t, burstJob(t, 10, "0")); most < 8*drain || most > 10*drain {
			t.Errorf("10 buffers of output: the barrier waits up to %d ms, expected the time of nearly 9 buffers, %d ms", most/event.Millisecond, 9*drain/event.Millisecond)
		}
	})
	t.Run("overdraft suffices", func(t *testing.T) {
		if _, most := startDelays(t, burstJob(t, 5, "5")); most > 10*event.Millisecond {
			t.Errorf("5 buffers of output, 5 of overdraft: the barrier waits up to %d ms, expected the record's own time", most/event.Millisecond)
		}
	})
	t.Run("overdraft falls short", func(t *testing.T) {
		_, most := startDelays(t, burstJob(t, 20, "5"))
		if most < 12*drain || most > 20*drain {
			t.Errorf("20 buffers of output, 5 of overdraft: the barrier waits up to %d ms, expected the time of about 14 buffers, %d ms", most/event.Millisecond, 14*drain/event.Millisecond)
		}
	})
}

// The slower the sink, the longer the barrier waits.
func TestBurstsWaitWithTheSink(t *testing.T) {
	fast := burstJob(t, 10, "0")
	slow := burstJob(t, 10, "0")
	slow.Vertices[2].Cost *= 2
	slow.Duration *= 2
	_, a := startDelays(t, fast)
	_, b := startDelays(t, slow)
	if ratio := float64(b) / float64(a); ratio < 1.7 || ratio > 2.3 {
		t.Errorf("with a sink half as fast the barrier waits up to %d ms instead of %d ms, expected twice as long", b/event.Millisecond, a/event.Millisecond)
	}
}
