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

// goLonger gives a job fewer records, and so more checkpoints and restores.
func goLonger(s *core.Setup) {
	for v := range s.Vertices {
		if x := &s.Vertices[v]; x.Kind == core.Source {
			if x.Payload = min(x.Payload, 1000); x.RateNum > 0 {
				x.RateNum = min(x.RateNum, 500)
			} else {
				x.Cost = max(x.Cost, 2*ms)
			}
		}
	}
	s.Duration = max(s.Duration, 800*ms)
}

// workWell gives a storage room for checkpoints that complete, and lets its faults end.
func workWell(s *core.Setup) {
	st := &s.Storage
	if st.PerManager, st.P99, st.Max = 0, 0, 0; st.Bandwidth > 0 {
		st.Bandwidth = max(st.Bandwidth, 100<<20)
	}
	if st.Requests > 0 {
		st.Requests = max(st.Requests, 500)
	}
	for v := range s.Vertices {
		s.Vertices[v].Snapshot.Size = min(s.Vertices[v].Snapshot.Size, 90_001)
	}
	for _, a := range s.Script {
		if a.Do == core.StorageFault {
			s.Script = append(s.Script, core.Action{At: a.At + s.Duration/8, Do: core.StorageFault, Slow: 1000})
		}
	}
	slices.SortStableFunc(s.Script, func(a, b core.Action) int { return int(a.At - b.At) })
}

// drawClaim says whose the snapshot is that a new version starts from, and what is left of an old one.
func drawClaim(t *rapid.T, s *core.Setup) {
	s.Options.ClaimMode = drawn(t, "claim mode", option.Claim, option.NoClaim, option.Legacy)
	if !slices.ContainsFunc(s.Script, func(a core.Action) bool { return a.Do == core.RestoreJob && !a.FromSavepoint }) {
		s.Options.Retention = drawn(t, "retention", option.RetainOnCancel, option.DeleteOnCancel, option.NotExternalized)
	}
}

// drawChanges lets records change the state of some vertices, of which local copies may be kept.
func drawChanges(t *rapid.T, s *core.Setup) {
	for v := range s.Vertices {
		x := &s.Vertices[v].Snapshot
		if s.Vertices[v].Kind != core.Source && !oneIn(t, 4, "all of the state") {
			x.Size, x.Files = drawn[int64](t, "changing state", 100_001, 1, 2_000_003, 40<<20), 0
			x.Change, x.Amplification = drawn[int64](t, "change", 100, 1, 7_001, 900_000), drawn[int64](t, "amplification", 0, 1500, 3333)
		}
	}
	s.Options.LocalBackup = rapid.Bool().Draw(t, "local copies")
	s.Options.FromLocal = s.Options.LocalBackup && !oneIn(t, 4, "not read")
	if oneIn(t, 2, "a slow disk") {
		s.Cluster.Disk.Throughput = 10 << 20
	}
}

// meetFiles counts what a run had to do with a storage, and with state of which files are used again.
func meetFiles(met map[string]int, s *core.Setup, events []event.Event) {
	had, anew := map[string]bool{}, false
	for _, e := range events {
		switch e.Kind {
		case event.FilesStored, event.FilesFailed:
			had["a storage"] = true
			meetFile(had, s, &e, anew)
		case event.Rescaled:
			anew = true
			theirs := s.Options.ClaimMode != option.Claim && e.Checkpoint != 0 && s.Script[e.A].FromSavepoint
			had["a snapshot that stays its user's"] = had["a snapshot that stays its user's"] || s.Storage.On && theirs
		case event.TaskStored:
			had["files that are used again"] = had["files that are used again"] || e.N < e.A
		}
	}
	for what, yes := range had {
		if yes {
			met[what]++
		}
	}
}

// meetFile notes what the end of an order to a storage shows. anew: the job has begun anew with something changed.
func meetFile(had map[string]bool, s *core.Setup, e *event.Event, anew bool) {
	failed := e.Kind == event.FilesFailed
	switch storage.Purpose(e.B) {
	case storage.ChannelState:
		had["a file of channel state"] = true
	case storage.Metadata:
		had["metadata that failed"] = had["metadata that failed"] || failed
	case storage.Restore:
		had["a restore from files"] = had["a restore from files"] || e.A > 0
		had["a restore that cannot read them"] = had["a restore that cannot read them"] || failed
		had["a restore from files that others have stored"] = had["a restore from files that others have stored"] || e.A > 0 && anew
		had["a restore from local copies"] = had["a restore from local copies"] || s.Options.FromLocal && e.A == 0 && !failed
	}
}
