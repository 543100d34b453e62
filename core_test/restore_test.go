package core_test

import (
	"strings"
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
)

// anew is a job with state on RocksDB, of which a new version is started at 9.3 s.
func anew(t testing.TB, action core.Action, options ...string) core.Setup {
	t.Helper()
	s := stateful(t, "rocksdb", 2, 4000, 50_000, 1000, append([]string{interval, "2 s",
		"execution.checkpointing.externalized-checkpoint-retention", "RETAIN_ON_CANCELLATION"}, options...)...)
	action.At, action.Do = 9300*event.Millisecond, core.RestoreJob
	s.Script = []core.Action{action}
	return s
}

// audited is a run under the auditor; a copy of it from every phase goes on alike.
func audited(t *testing.T, s core.Setup) *core.Lab {
	t.Helper()
	l, err := core.New(s)
	if err != nil {
		t.Fatal(err)
	}
	a := core.NewAuditor(l)
	var kept [3]core.State
	for at, i := event.Time(0), 0; at < s.Duration; at += 100 * event.Millisecond {
		l.Advance(at, 0)
		if i < len(kept) && at >= event.Time(2*i+1)*s.Duration/6 {
			l.Snapshot(&kept[i])
			i++
		}
		if err := a.Check(); err != nil {
			t.Fatalf("at %d ms: %v", at/event.Millisecond, err)
		}
	}
	l.Advance(s.Duration, 0)
	twin := l.Twin()
	for i := range kept {
		twin.Restore(&kept[len(kept)-1-i])
		if twin.Advance(s.Duration, 0); twin.Hash() != l.Hash() {
			t.Error("a copy goes on differently")
		}
	}
	return l
}

// after is the checkpoints that were complete after the new version has started.
func after(l *core.Lab) (all []core.CheckpointRecord) {
	for _, c := range completed(l) {
		if f := l.History().Failures; len(f) > 0 && f[0].RunningAt >= 0 && c.Triggered >= f[0].RunningAt {
			all = append(all, c)
		}
	}
	return all
}

func stored1(c core.CheckpointRecord) (stored, full int64) {
	for _, p := range c.Tasks {
		stored, full = stored+p.Stored, full+p.Size
	}
	return stored, full
}

// TestTheClaimModeDecidesWhatIsStoredAndDeleted (spec 8.2): from the last checkpoint, NO_CLAIM's first one stores all and the snapshot stays the user's; CLAIM
// and LEGACY build on it, and only CLAIM deletes it once it is subsumed.
func TestTheClaimModeDecidesWhatIsStoredAndDeleted(t *testing.T) {
	for mode, want := range map[string]struct{ full, deleted bool }{"NO_CLAIM": {true, false}, "CLAIM": {false, true}, "LEGACY": {false, false}} {
		l := audited(t, anew(t, core.Action{Vertex: -1}, "execution.state-recovery.claim-mode", mode))
		all := after(l)
		if len(all) < 4 {
			t.Fatalf("%s: %d checkpoints, %+v", mode, len(all), l.History().Failures)
		}
		restored := l.History().Failures[0].RestoredTo
		stored, full := stored1(all[0])
		if isFull := stored == full; restored == 0 || isFull != want.full {
			t.Errorf("%s: the first checkpoint behind checkpoint %d stores %d of %d bytes", mode, restored, stored, full)
		}
		less := false // a compaction may rewrite all files, but not each time
		for _, c := range all[1:] {
			stored, full := stored1(c)
			less = less || stored < full
		}
		if !less {
			t.Errorf("%s: every checkpoint is full", mode)
		}
		for _, c := range completed(l) {
			if c.ID == restored && (c.Deletes > 0) != want.deleted {
				t.Errorf("%s: %d files of the snapshot were deleted", mode, c.Deletes)
			}
		}
		var v core.View
		l.View(&v)
		if (v.Account.Savepoints == 0) != want.deleted {
			t.Errorf("%s: %d bytes are the user's", mode, v.Account.Savepoints)
		}
	}
}

// TestSavepointFormats: a canonical savepoint is read entry by entry and is nobody's base; a native one is all files of the
// backend, whole, and claimed it is a base, kept as long as any of its files is used (spec 8.2).
func TestSavepointFormats(t *testing.T) {
	took := map[bool]event.Time{}
	for _, native := range []bool{false, true} {
		s := anew(t, core.Action{Vertex: -1, FromSavepoint: true, Native: native}, "execution.state-recovery.claim-mode", "CLAIM")
		s.Storage.PerManager = 0
		l := audited(t, s)
		all := after(l)
		stored, full := stored1(all[0])
		if (stored == full) == native {
			t.Errorf("native %v: the first checkpoint stores %d of %d bytes", native, stored, full)
		}
		for _, c := range completed(l) {
			if c.Stop {
				took[native] = c.Ended - c.Triggered
			}
		}
	}
	if took[true]*2 > took[false] {
		t.Errorf("a canonical savepoint took %d ns, a native one %d", took[false], took[true])
	}
}

// TestWhatCannotStart: state that no operator takes, another max parallelism, another backend's format; each is told with key,
// value and remedy (Checkpoints.loadAndValidateCheckpoint, StateUtil).
func TestWhatCannotStart(t *testing.T) {
	const ignore = "execution.state-recovery.ignore-unclaimed-state"
	for _, c := range []struct {
		action  core.Action
		options []string
		why     core.Refusal
		words   string
	}{
		{core.Action{Vertex: 1, Renamed: true, FromSavepoint: true}, nil, core.UnclaimedState, ignore},
		{core.Action{Vertex: 1, Renamed: true, FromSavepoint: true}, []string{ignore, "true"}, core.NotRefused, ""},
		{core.Action{Vertex: 0, Renamed: true}, []string{ignore, "true"}, core.NotRefused, ""},
		{core.Action{Vertex: -1, MaxParallel: 256, FromSavepoint: true}, nil, core.OtherMaxParallelism, "pipeline.max-parallelism is 256"},
		{core.Action{Vertex: -1, Backend: 1, FromSavepoint: true, Native: true}, nil, core.OtherBackend, "hashmap"},
		{core.Action{Vertex: -1, Backend: 1, FromSavepoint: true}, nil, core.NotRefused, ""},
		{core.Action{Vertex: -1, Backend: 3, FromSavepoint: true}, nil, core.NotRefused, ""},
	} {
		l := audited(t, anew(t, c.action, c.options...))
		refused, runs := l.History().Refusals, len(after(l)) > 0
		if (len(refused) > 0) != (c.why != core.NotRefused) || runs != (c.why == core.NotRefused) {
			t.Errorf("%+v: refused %v, runs %v", c.action, refused, runs)
			continue
		}
		if len(refused) > 0 && (refused[0].Why != c.why || !strings.Contains(refused[0].Words, c.words)) {
			t.Errorf("%+v: %+v", c.action, refused[0])
		}
	}
}

// TestOvertakenVersionIsRefused: somebody who rescales all vertices before a new version has its savepoint starts that version, and
// is told what it lacks.
func TestOvertakenVersionIsRefused(t *testing.T) {
	for words, action := range map[string]core.Action{
		"state of map":                    {Vertex: 1, Renamed: true, FromSavepoint: true},
		"pipeline.max-parallelism is 256": {Vertex: -1, MaxParallel: 256, FromSavepoint: true},
		"state.backend.type is hashmap":   {Vertex: -1, Backend: 1, FromSavepoint: true},
	} {
		s := anew(t, action)
		s.Script = append(s.Script, core.Action{At: s.Script[0].At + 1, Do: core.RescaleJob, Vertex: -1, Parallelism: 1})
		refused := audited(t, s).History().Refusals
		if len(refused) == 0 || refused[0].Action != 1 || !strings.Contains(refused[0].Words, words) {
			t.Errorf("%s: %+v", words, refused)
		}
	}
}

// TestStateOfARenamedVertexIsGone: with --allowNonRestoredState the map begins with nothing, and a source from the beginning of
// its log.
func TestStateOfARenamedVertexIsGone(t *testing.T) {
	for vertex, reread := range map[int]bool{0: true, 1: false} {
		s := anew(t, core.Action{Vertex: vertex, Renamed: true, FromSavepoint: true}, "execution.state-recovery.ignore-unclaimed-state", "true")
		l := audited(t, s)
		f := l.History().Failures[0]
		if (f.Reread > 30_000) != reread {
			t.Errorf("vertex %d: %d records are read again", vertex, f.Reread)
		}
		var v core.View
		l.View(&v)
		entries := v.Vertices[1].Tasks[0].Keyed.Entries + v.Vertices[1].Tasks[1].Keyed.Entries
		if vertex == 1 && entries >= 50_000 || vertex == 0 && entries < 50_000 {
			t.Errorf("vertex %d: the state has %d entries", vertex, entries)
		}
	}
}

// TestWhatFlinkRefusesToRestoreIsRefused: what Flink refuses before anything runs.
func TestWhatFlinkRefusesToRestoreIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		action core.Action
		option string
		value  string
	}{
		"a cancelled job's checkpoint is deleted": {core.Action{Vertex: -1}, "execution.checkpointing.externalized-checkpoint-retention", "DELETE_ON_CANCELLATION"},
		"a changelog cannot store a full one":     {core.Action{Vertex: -1, FromSavepoint: true}, "state.changelog.enabled", "true"},
	} {
		s := anew(t, c.action)
		s.Options = resolved(t, interval, "2 s", c.option, c.value)
		if err := s.Check(); err == nil || !strings.Contains(err.Error(), c.option) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestARestartInTheSamePlaceReadsNothing: a restart in the same place reads nothing from the storage; what a lost task manager had is read from there.
func TestARestartInTheSamePlaceReadsNothing(t *testing.T) {
	read := func(local string, do core.Do) (bytes int64, downtime event.Time) {
		s := stateful(t, "rocksdb", 2, 4000, 50_000, 1000, interval, "2 s", "state.backend.local-recovery", local, "restart-strategy.type", "fixed-delay",
			"restart-strategy.fixed-delay.attempts", "9", "heartbeat.interval", "1 s")
		s.Script = []core.Action{{At: 9 * event.Second, Do: do, Vertex: 1, Subtask: 1}}
		l := audited(t, s)
		var v core.View
		l.View(&v)
		f := l.History().Failures[0]
		return v.Account.Read, f.RunningAt - f.At
	}
	remote, slow := read("false", core.Kill)
	local, quick := read("true", core.Kill)
	lost, _ := read("true", core.Lose)
	if local != 0 || remote < 50_000*1000 || quick >= slow || lost == 0 || lost >= remote*3/4 {
		t.Errorf("%d bytes are read in %d ns without copies, %d in %d with them, %d after a loss", remote, slow, local, quick, lost)
	}
}

// TestRescalingDealsState: entries go with their key groups, and none is lost or made; a restore reads the old parts that a
// subtask's key groups meet, whole if they are RocksDB's files (spec 10.4).
func TestRescalingDealsState(t *testing.T) {
	for _, backend := range []string{"hashmap", "rocksdb", "forst"} {
		for _, to := range []int{1, 3, 4} {
			s := stateful(t, backend, 2, 4000, 50_000, 1000, interval, "2 s")
			s.Vertices[1].State = append(s.Vertices[1].State, core.KeyedState{Name: "pay", Kind: 3, Keys: 1000, KeyBytes: 8, ValueBytes: 200, Retention: 4 * event.Second})
			s.Script = []core.Action{{At: 9300 * event.Millisecond, Do: core.RescaleJob, Vertex: 1, Parallelism: to, FromSavepoint: backend == "hashmap"}}
			l := audited(t, s)
			var v core.View
			l.View(&v)
			entries := int64(0)
			for i := range v.Vertices[1].Tasks {
				entries += v.Vertices[1].Tasks[i].Keyed.Entries
			}
			// 50,000 values, and what came in 4 s
			if entries < 50_000+31_000 || entries > 50_000+33_000 || len(after(l)) < 3 {
				t.Errorf("%s to %d: %d entries, %d checkpoints", backend, to, entries, len(after(l)))
			}
			whole := v.Account.Read
			if backend == "rocksdb" && to == 3 && whole < 4*50_000*1000/2 { // the middle one reads both old parts
				t.Errorf("%d bytes were read", whole)
			}
		}
	}
}
