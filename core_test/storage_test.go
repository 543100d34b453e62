package core_test

import (
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

const mb = 1 << 20

// stored is a job of a source and a map of so many subtasks, whose map has state, on task managers of so many slots.
func stored(parallelism, slots int, state int64, interval event.Time) core.Setup {
	o := option.Defaults("2.3")
	o.Interval, o.Restart, o.RestartAttempts = interval, option.RestartFixedDelay, 1000
	return core.Setup{
		Vertices: []core.Vertex{
			{Name: "source", Kind: core.Source, Parallelism: 1, Cost: -1, RateNum: 10, RatePer: event.Second, Payload: 100},
			{Name: "map", Parallelism: parallelism, Cost: -1, Snapshot: core.Snapshot{Size: state}},
			{Name: "sink", Kind: core.Sink, Parallelism: 1, Cost: -1},
		},
		Edges:   []core.Edge{{From: 0, To: 1, Partition: core.Hash}, {From: 1, To: 2, Partition: core.Hash}},
		Options: o, Duration: 10 * 60 * event.Second, Seed: 1, FirstTrigger: core.AtInterval,
		Cluster: core.Cluster{Slots: slots}, Storage: core.Storage{On: true},
	}
}

func simulate(t *testing.T, s core.Setup) *core.Lab {
	t.Helper()
	l, err := core.New(s)
	if err != nil {
		t.Fatal(err)
	}
	a := core.NewAuditor(l)
	for at := event.Time(0); at < s.Duration; at += event.Second {
		l.Advance(at+event.Second, 0)
		if err := a.Check(); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

func completed(l *core.Lab) (all []core.CheckpointRecord) {
	for _, c := range l.History().Checkpoints {
		if c.Outcome == core.Completed {
			all = append(all, c)
		}
	}
	return all
}

// TestUploadsDecideTheInterval (case C36): 20 GB of full checkpoints every minute by two task managers. At 100 MB/s each takes
// 102 s and so is the period; at twice the bandwidth it is the minute again.
func TestUploadsDecideTheInterval(t *testing.T) {
	for _, c := range []struct {
		perManager int64
		duration   event.Time
		completed  int
	}{{100, 102_400 * event.Millisecond, 45}, {200, 51_200 * event.Millisecond, 76}} {
		s := stored(8, 5, 20*1024*mb/8, 60*event.Second)
		s.Vertices[0].Parallelism, s.Vertices[2].Parallelism = 1, 1
		s.Storage.PerManager = c.perManager * mb
		s.Duration = 77 * 60 * event.Second
		l := simulate(t, s)
		all := completed(l)
		if n := len(all); n < c.completed-2 || n > c.completed+2 {
			t.Errorf("%d MB/s: %d checkpoints in 77 min, expected %d", c.perManager, n, c.completed)
		}
		for _, k := range all[1:] {
			if d := k.Ended - k.Triggered; d < c.duration || d > c.duration+500*event.Millisecond {
				t.Fatalf("%d MB/s: checkpoint %d takes %d ns, expected %d", c.perManager, k.ID, d, c.duration)
			}
		}
	}
}

// TestFinalizationIsBeyondTheTimeout (case C32): the metadata takes 20 min once; the checkpoint is in progress all the time,
// with every acknowledgement, and then complete, although its timeout is 10 min.
func TestFinalizationIsBeyondTheTimeout(t *testing.T) {
	s := stored(2, 4, mb, 60*event.Second)
	s.Storage.Latency = event.Millisecond
	s.Duration = 40 * 60 * event.Second
	s.Script = []core.Action{
		{At: 110 * event.Second, Do: core.StorageFault, Slow: 1_200_000_000, Fail: -1, Where: core.OnlyJobManager},
		{At: 130 * event.Second, Do: core.StorageFault, Slow: 1000, Fail: -1, Where: core.OnlyJobManager},
	}
	l := simulate(t, s)
	second := completed(l)[1]
	if second.ID != 2 || second.Ended-second.Triggered < 19*60*event.Second || second.Ended-second.Triggered > 21*60*event.Second {
		t.Errorf("checkpoint %d from %d to %d", second.ID, second.Triggered, second.Ended)
	}
	for _, k := range second.Tasks {
		if k.Acked > second.Triggered+event.Second {
			t.Errorf("a task acknowledges at %d", k.Acked)
		}
	}
	for _, k := range l.History().Checkpoints {
		if k.Outcome == core.FailedCheckpoint || k.Triggered > second.Triggered && k.Triggered < second.Ended {
			t.Errorf("checkpoint %d from %d, %s", k.ID, k.Triggered, k.Reason)
		}
	}
}
