package core_test

import (
	"slices"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/core/state/storage"

	"pgregory.net/rapid"
)

// drawStorage keeps a job's checkpoints somewhere: of some bandwidth, latency and number of requests, in several files, and lets
// that be slow, late or fail for a while.
func drawStorage(t *rapid.T, s *core.Setup) {
	s.Storage = core.Storage{
		On: true, Bandwidth: drawn[int64](t, "bandwidth", 10<<20, 0, 1<<20, 100<<20), PerManager: drawn[int64](t, "of a task manager", 0, 0, 3<<20),
		Latency: drawn(t, "latency", 0, 1_000_003, 20*ms), Requests: drawn[int64](t, "requests", 0, 0, 40, 500), Prefixes: drawn[int64](t, "prefixes", 0, 3),
		Refuse: rapid.Bool().Draw(t, "refuse"), Attempts: drawn(t, "attempts", 0, 2), RetryAfter: drawn(t, "retry after", 0, 3*ms),
	}
	if s.Storage.Latency > 0 && oneIn(t, 2, "a tail") {
		s.Storage.P99, s.Storage.Max = 3*s.Storage.Latency, 10*s.Storage.Latency
	}
	for v := range s.Vertices {
		x := &s.Vertices[v].Snapshot
		x.Size, x.Files = drawn[int64](t, "state", 100_001, 100_001, 0, 2_000_003), drawn[int64](t, "files", 0, 3, 7)
	}
	o := &s.Options
	o.InlineThreshold = drawn[int64](t, "inline", 20<<10, 0, 1<<20)
	o.ChannelFileSubtasks = drawn(t, "subtasks in a file of channel state", 5, 1, 2)
	o.ParallelClean, o.IOPool = rapid.Bool().Draw(t, "clean in parallel"), drawn(t, "threads", 4, 1, 2)
	o.FileMerging = oneIn(t, 3, "merging")
	o.FileMergingSize, o.FileMergingAcross = drawn[int64](t, "merged up to", 32<<20, 150_000), rapid.Bool().Draw(t, "across checkpoints")
	if oneIn(t, 5, "jobmanager storage") {
		o.Storage = option.JobManagerStorage
		s.Vertices[len(s.Vertices)-1].Snapshot.Size = drawn[int64](t, "of the last vertex", 4<<20, 6<<20, 20<<20)
	}
	o.Interval, o.Tolerable = drawn(t, "another interval", 20*ms, 10*ms, 35*ms, 100*ms), 1000
	s.Duration = max(s.Duration, 400*ms)
	shorten(s)
	at := func() event.Time { return s.Duration * event.Time(rapid.IntRange(1, 15).Draw(t, "at, 16ths")) / 16 }
	for range rapid.IntRange(1, 2).Draw(t, "kills") {
		kill := core.Action{At: at() + 77_777, Do: core.Kill, Vertex: len(s.Vertices) - 1}
		s.Script = append(s.Script, kill)
		if oneIn(t, 3, "nothing can be read for a while") {
			s.Script = append(s.Script, core.Action{At: kill.At, Do: core.StorageFault, Fail: 1_000_000, Where: core.OnlyTasks},
				core.Action{At: kill.At + 40*ms, Do: core.StorageFault})
		}
	}
	for range rapid.IntRange(0, 3).Draw(t, "faults") {
		s.Script = append(s.Script, core.Action{
			At: at(), Do: core.StorageFault,
			Slow: drawn[int64](t, "slow", 0, 500, 20_000), Fail: drawn[int64](t, "fail", -1, 1_000_000, 300_000, 0),
			Late: drawn[int64](t, "late", 0, 300_000), By: drawn(t, "by", 0, 15*ms), Where: core.Where(rapid.IntRange(0, 2).Draw(t, "where")),
		})
	}
	slices.SortStableFunc(s.Script, func(a, b core.Action) int { return int(a.At - b.At) })
}

// meetFiles counts what a run had to do with a storage.
func meetFiles(met map[string]int, events []event.Event) {
	had := map[string]bool{}
	for _, e := range events {
		if e.Kind != event.FilesStored && e.Kind != event.FilesFailed {
			continue
		}
		failed := e.Kind == event.FilesFailed
		had["a storage"] = true
		switch storage.Purpose(e.B) {
		case storage.ChannelState:
			had["a file of channel state"] = true
		case storage.Metadata:
			had["metadata that failed"] = had["metadata that failed"] || failed
		case storage.Restore:
			had["a restore from files"] = had["a restore from files"] || e.A > 0
			had["a restore that cannot read them"] = had["a restore that cannot read them"] || failed
		}
	}
	for what := range had {
		if had[what] {
			met[what]++
		}
	}
}
