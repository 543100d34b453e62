package core_test

import (
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"

	"pgregory.net/rapid"
)

// drawStored is a small job on a storage with all that may happen to it.
func drawStored(t *rapid.T) core.Setup {
	s := stored(rapid.IntRange(1, 4).Draw(t, "parallelism"), rapid.IntRange(1, 3).Draw(t, "slots"), 0, rapid.SampledFrom([]int64{200, 1000, 3000}).Draw(t, "interval")*event.Millisecond)
	s.Vertices[0].RateNum = 200
	s.Vertices[1].Snapshot = core.Snapshot{
		Size:   rapid.SampledFrom([]int64{0, 10_000, 5 * mb, 80 * mb}).Draw(t, "size"),
		Change: rapid.SampledFrom([]int64{0, 1000, 100_000}).Draw(t, "change"), Amplification: 3000,
	}
	if rapid.Bool().Draw(t, "slow sink") {
		s.Vertices[2].Cost = 6 * event.Millisecond
	}
	s.Storage.Bandwidth = rapid.SampledFrom([]int64{0, 100 * mb}).Draw(t, "bandwidth")
	s.Storage.PerManager = rapid.SampledFrom([]int64{0, 30 * mb}).Draw(t, "perManager")
	s.Storage.Latency = rapid.SampledFrom([]int64{0, 20}).Draw(t, "latency") * event.Millisecond
	s.Storage.Requests = rapid.SampledFrom([]int64{0, 200}).Draw(t, "requests")
	s.Storage.Refuse = rapid.Bool().Draw(t, "refuse")
	o := &s.Options
	o.Retained = rapid.IntRange(1, 3).Draw(t, "retained")
	o.MaxConcurrent = rapid.IntRange(1, 2).Draw(t, "concurrent")
	o.Timeout, o.Tolerable = 4*event.Second, 100
	o.Changelog, o.ChangelogMaterialize = rapid.Bool().Draw(t, "changelog"), 2*event.Second
	if o.ChangelogPreemptive = 300_000; o.Changelog {
		o.ClaimMode = option.Claim // for rescalings from savepoints: with NO_CLAIM it cannot go on from one
	}
	o.FileMerging, o.FileMergingAcross = rapid.Bool().Draw(t, "merging"), rapid.Bool().Draw(t, "across")
	o.ParallelClean = rapid.Bool().Draw(t, "parallel cleaning")
	if o.Unaligned = rapid.Bool().Draw(t, "unaligned"); o.Unaligned {
		o.MaxConcurrent = 1
		o.AlignedTimeout = rapid.SampledFrom([]int64{0, 300}).Draw(t, "aligned timeout") * event.Millisecond
	}
	s.Duration = 20 * event.Second
	o.LocalBackup = rapid.Bool().Draw(t, "local copies")
	o.FromLocal = o.LocalBackup
	s.RegionReuse = rapid.IntRange(0, 2).Draw(t, "region reuse")
	if rapid.Bool().Draw(t, "state") {
		o.Backend, o.Incremental = rapid.SampledFrom([]option.StateBackend{option.RocksDB, option.HashMap, option.ForSt}).Draw(t, "backend"), rapid.Bool().Draw(t, "incremental")
		o.Rocks.Buffer, o.Rocks.LevelBase, o.Rocks.FileBase = 256<<10, 2<<20, 512<<10
		s.Vertices[0].RateNum, s.Vertices[1].Snapshot = 2000, core.Snapshot{}
		s.Vertices[1].State = []core.KeyedState{{Name: "v", Keys: 5000, KeyBytes: 8, ValueBytes: 400, ReadNum: 1, ReadDen: 1, Filled: true}}
	}
	for range rapid.IntRange(0, 4).Draw(t, "actions") {
		a := core.Action{At: rapid.Int64Range(1, 15_000).Draw(t, "at") * event.Millisecond, Fail: -1}
		switch rapid.SampledFrom([]string{"kill", "savepoint", "slow", "fail", "rescale", "lose", "checkpoint"}).Draw(t, "do") {
		case "kill":
			a.Do, a.Vertex = core.Kill, 1
		case "savepoint":
			a.Do = core.Savepoint
		case "checkpoint":
			a.Do, a.Full = core.Trigger, !o.Changelog
		case "rescale":
			a.Do, a.Vertex, a.Parallelism = core.RescaleJob, 1, rapid.IntRange(1, 5).Draw(t, "to")
			a.FromSavepoint = rapid.Bool().Draw(t, "from a savepoint")
		case "lose":
			a.Do, a.Vertex = core.Lose, 1
		case "slow":
			a.Do, a.Slow = core.StorageFault, rapid.SampledFrom([]int64{500, 5000}).Draw(t, "slow")
		default:
			a.Do, a.Fail = core.StorageFault, rapid.SampledFrom([]int64{0, 50_000}).Draw(t, "fail")
		}
		s.Script = append(s.Script, a)
	}
	for i := range s.Script { // in the order of time
		for k := i; k > 0 && s.Script[k-1].At > s.Script[k].At; k-- {
			s.Script[k-1], s.Script[k] = s.Script[k], s.Script[k-1]
		}
	}
	return s
}

// auditedWithTwin computes a run under the eyes of an Auditor, and goes on from a snapshot at half to see that a copy does alike.
func auditedWithTwin(t *rapid.T, s core.Setup, half event.Time) *core.Lab {
	l, err := core.New(s)
	if err != nil {
		t.Fatal(err)
	}
	a := core.NewAuditor(l)
	var then core.State
	for at := event.Time(0); at < s.Duration; at += 100 * event.Millisecond {
		l.Advance(at, 0)
		if at == half {
			l.Snapshot(&then)
		}
		if err := a.Check(); err != nil {
			t.Fatalf("at %d ms: %v", at/event.Millisecond, err)
		}
	}
	l.Advance(s.Duration, 0)
	twin := l.Twin()
	twin.Restore(&then)
	if twin.Advance(s.Duration, 0); twin.Hash() != l.Hash() {
		t.Fatal("a copy goes on differently")
	}
	return l
}

// TestStorageLaws: whatever happens, every byte of a retained checkpoint is in the storage, no file is nobody's, a copy of the
// run goes on alike, and what a restore reads is what the checkpoint has.
func TestStorageLaws(t *testing.T) {
	cases(t, 30)
	seen := 0
	rapid.Check(t, func(t *rapid.T) {
		s := drawStored(t)
		l := auditedWithTwin(t, s, s.Duration/2)
		for _, c := range l.History().Checkpoints {
			if c.Outcome == core.Completed {
				seen++
			}
		}
	})
	if seen == 0 && !t.Failed() && !testing.Short() {
		t.Error("no checkpoint was complete")
	}
}
