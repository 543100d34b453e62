package core_test

import (
	"testing"

	"pgregory.net/rapid"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// sideBySide is a job of so many pipelines side by side, each of them a region, that read 2000 records each and end.
func sideBySide(regions, reuse int) core.Setup {
	config := option.Defaults("2.3")
	config.Interval, config.Timeout, config.Tolerable = event.Second, 3*event.Second, 1000
	config.Restart, config.RestartAttempts = option.RestartFixedDelay, 1000
	return core.Setup{
		Vertices: []core.Vertex{
			{Name: "queue", Kind: core.Source, Parallelism: regions, Cost: -1, RateNum: 100, RatePer: event.Second, Payload: 100, EndsAfter: 2000, Snapshot: core.Snapshot{Size: 100_000}},
			{Name: "map", Parallelism: regions, Cost: -1, Snapshot: core.Snapshot{Size: mb, Change: 2000}},
			{Name: "hive", Kind: core.Sink, Parallelism: regions, Cost: -1, Guarantee: core.ExactlyOnce},
		},
		Edges:   []core.Edge{{From: 0, To: 1, Partition: core.Forward}, {From: 1, To: 2, Partition: core.Forward}},
		Options: config, Duration: 60 * event.Second, Seed: 1, RegionReuse: reuse, Storage: core.Storage{On: true, PerManager: 50 * mb, Latency: 10 * event.Millisecond},
	}
}

// TestRegionsSurviveAFailedUpload states the rule of checkpoint.Regions by a run: a region whose upload fails keeps its last part,
// once in a row; the others are not held up. A restore takes it back to that part, and its sink has committed no more than that.
func TestRegionsSurviveAFailedUpload(t *testing.T) {
	rate := map[int]float64{}
	for _, reuse := range []int{0, 1} {
		s := sideBySide(6, reuse)
		s.Vertices[0].EndsAfter, s.Duration = 0, 600*event.Second
		s.Script = []core.Action{{At: event.Second / 2, Do: core.StorageFault, Fail: 20_000, Where: core.OnlyTasks}}
		l := simulate(t, s)
		merged, twice := 0, 0
		before := map[int]event.Checkpoint{}
		all := completed(l)
		for _, c := range all {
			for i := range c.Tasks {
				from := c.Tasks[i].Reused
				if from == 0 {
					delete(before, i)
					continue
				}
				merged++
				if before[i] != 0 {
					twice++
				}
				if before[i] = from; from >= c.ID || c.Tasks[i].Acked >= 0 {
					t.Errorf("checkpoint %d has task %d's part of %d, acknowledged at %d", c.ID, i, from, c.Tasks[i].Acked)
				}
			}
		}
		if reuse == 0 && merged > 0 || reuse > 0 && (merged == 0 || merged%3 != 0 || twice > 0) {
			t.Errorf("reuse %d: %d parts are used again, %d twice in a row", reuse, merged, twice)
		}
		rate[reuse] = float64(len(all)) / float64(len(l.History().Checkpoints))
	}
	// A region of three tasks with two requests a checkpoint fails with 1 - 0.98^2.
	if rate[0] > 0.85 || rate[1] < 0.95 {
		t.Errorf("%.3f of the checkpoints are complete without regions, %.3f with them", rate[0], rate[1])
	}
}

// TestMergedCheckpointsAreExactlyOnce: whatever fails, each record of a bounded job becomes visible once; every byte that a retained
// checkpoint names is there, and no file is nobody's.
func TestMergedCheckpointsAreExactlyOnce(t *testing.T) {
	cases(t, 25)
	merged := 0
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 4).Draw(t, "regions")
		s := sideBySide(n, rapid.IntRange(1, 3).Draw(t, "reuse"))
		o := &s.Options
		o.Changelog, o.ChangelogMaterialize = rapid.Bool().Draw(t, "changelog"), 2*event.Second
		o.Retained, o.MaxConcurrent = rapid.IntRange(1, 3).Draw(t, "retained"), rapid.IntRange(1, 2).Draw(t, "concurrent")
		o.FileMerging = rapid.Bool().Draw(t, "merging")
		o.LocalBackup = rapid.Bool().Draw(t, "local")
		o.FromLocal = o.LocalBackup
		s.Seed = rapid.Uint64Range(1, 1000).Draw(t, "seed")
		if rapid.Bool().Draw(t, "all to all") {
			s.Edges[1].Partition = core.Hash
		}
		s.Script = []core.Action{{At: event.Second, Do: core.StorageFault, Fail: rapid.SampledFrom([]int64{100_000, 30_000, 300_000, 0}).Draw(t, "fail"), Where: core.OnlyTasks}}
		for at := 3 * event.Second; at < 24*event.Second; at += 4 * event.Second {
			a := core.Action{At: at + rapid.Int64Range(0, 3000).Draw(t, "at")*event.Millisecond, Vertex: 1, Subtask: n - 1, Fail: -1, Slow: 4000}
			a.Do = rapid.SampledFrom([]core.Do{core.Kill, core.Savepoint, core.StorageFault, core.Lose, core.Trigger}).Draw(t, "do")
			s.Script = append(s.Script, a)
		}
		s.Script = append(s.Script, core.Action{At: 30 * event.Second, Do: core.StorageFault, Slow: 1000})
		l := auditedWithTwin(t, s, s.Duration/4)
		var v core.View
		if l.View(&v); !v.Coord.JobFinished {
			t.Fatalf("the job has not come to its end: %+v", l.History().Failures)
		}
		samples := l.History().Samples
		if shown := samples[len(samples)-1].Shown; shown != int64(2000*n) {
			t.Fatalf("%d of %d records were shown", shown, 2000*n)
		}
		for _, c := range completed(l) {
			for i := range c.Tasks {
				if c.Tasks[i].Reused != 0 {
					merged++
				}
			}
		}
	})
	if merged == 0 && !t.Failed() && !testing.Short() {
		t.Error("no part was used again")
	}
}
