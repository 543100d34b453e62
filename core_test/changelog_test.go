package core_test

import (
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/state/storage"
)

// logged is a job whose map changes 1 kB of state a record, 2000 records a second and subtask, on a storage.
func logged(on bool) core.Setup {
	s := stored(4, 2, 200*mb, 5*event.Second)
	s.Vertices[0].RateNum = 8000
	s.Vertices[1].Snapshot = core.Snapshot{Size: 200 * mb, Change: 1000, Amplification: 8000}
	s.Storage.PerManager, s.Storage.Latency, s.Storage.Replay = 50*mb, 20*event.Millisecond, 40*mb
	s.Options.Changelog, s.Options.ChangelogMaterialize = on, 30*event.Second
	s.Options.Unaligned = false
	s.Duration = 3 * 60 * event.Second
	return s
}

// TestChangelogShortensCheckpoints (spec 8.3, case C38): the same state and writes; with the changelog checkpoints upload only
// its tail, so that they are shorter and add less, while the full size is larger and a restart reads and replays the log.
func TestChangelogShortensCheckpoints(t *testing.T) {
	type result struct {
		duration event.Time
		stored   int64
		full     int64
		down     event.Time
	}
	measure := func(on bool) (r result) {
		s := logged(on)
		s.Script = []core.Action{{At: 150 * event.Second, Do: core.Kill, Vertex: 1}}
		l := simulate(t, s)
		all := completed(l)
		for _, c := range all[len(all)/2:] {
			n := event.Time(len(all) - len(all)/2)
			r.duration += (c.Ended - c.Triggered) / n
			for _, k := range c.Tasks {
				r.stored, r.full = r.stored+k.Stored/n, r.full+k.Size/n
			}
		}
		f := l.History().Failures[0]
		r.down = f.RunningAt - f.At
		return r
	}
	off, on := measure(false), measure(true)
	if on.duration*4 > off.duration || on.stored*4 > off.stored {
		t.Errorf("on %+v, off %+v: expected to be four times shorter and smaller", on, off)
	}
	if on.full <= off.full || on.full > off.full*15/10 || on.down < off.down*12/10 {
		t.Errorf("on %+v, off %+v: expected a larger state and a slower restart", on, off)
	}
}

// TestChangelogBlocksTheWriter: a storage that is slower than the log lets the tasks wait, busy, for what is in flight.
func TestChangelogBlocksTheWriter(t *testing.T) {
	s := logged(true)
	s.Options.ChangelogInFlight, s.Storage.PerManager = 4*mb, mb
	s.Options.Interval, s.Duration = 0, 60*event.Second
	l, err := core.New(s)
	if err != nil {
		t.Fatal(err)
	}
	l.Advance(s.Duration, 0)
	var v core.View
	l.View(&v)
	arrived, processed := v.Vertices[0].Tasks[0].Log.Arrived, int64(0)
	for _, k := range v.Vertices[1].Tasks {
		processed += k.Metrics.NumRecordsIn
		if k.Metrics.BusyTimeMsPerSecond < 300 {
			t.Errorf("a blocked writer is busy for %d ms a second", k.Metrics.BusyTimeMsPerSecond)
		}
	}
	// 2 task managers of 1 mb/s take about a quarter of the 8 mb/s that are written.
	if processed > arrived/2 || processed < arrived/8 {
		t.Errorf("%d of %d records processed", processed, arrived)
	}
}

// TestIdleTaskPassesARecordToAFullLog: a thread that has waited for input takes what comes before it looks at the log, and without
// input it is idle, not busy, so that a log that is full all the time does not hold up records that come one by one (spec 4.4;
// StreamTask.processInput).
func TestIdleTaskPassesARecordToAFullLog(t *testing.T) {
	s := logged(true)
	s.Vertices[0].RateNum = 40
	s.Options.BufferTimeout, s.Options.ChangelogInFlight, s.Options.ChangelogPreemptive, s.Storage.PerManager = 0, 1, 1, mb/100
	s.Options.Interval, s.Duration = 0, 60*event.Second
	l := simulate(t, s)
	var v core.View
	l.View(&v)
	arrived, processed := v.Vertices[0].Tasks[0].Log.Arrived, int64(0)
	for i := range v.Vertices[1].Tasks {
		k := &v.Vertices[1].Tasks[i]
		processed += k.Metrics.NumRecordsIn
		if !k.LogWaits || k.Metrics.IdleTimeMsPerSecond < 900 {
			t.Errorf("subtask %d: log full %v, idle for %d ms a second", i, k.LogWaits, k.Metrics.IdleTimeMsPerSecond)
		}
	}
	if processed < arrived*9/10 {
		t.Errorf("%d of %d records processed", processed, arrived)
	}
}

// TestChangelogPassesTheBackendOn: the backend under a changelog can be looked into, goes back to the state at the barrier, takes
// time to be rebuilt, and kills a process whose heap is full.
func TestChangelogPassesTheBackendOn(t *testing.T) {
	for _, backend := range []string{"hashmap", "rocksdb", "forst"} {
		s := stateful(t, backend, 2, 4000, 50_000, 1000, interval, "2 s", "state.changelog.enabled", "true", "state.changelog.periodic-materialize.interval", "5 s")
		s.Script = []core.Action{{At: 15 * event.Second, Do: core.Kill, Vertex: 1}}
		off := s
		off.Options.Changelog = false
		with, without := simulate(t, s), simulate(t, off)
		var v, w core.View
		with.View(&v)
		without.View(&w)
		a, b := &v.Vertices[1].Tasks[0], &w.Vertices[1].Tasks[0]
		if a.Keyed.Entries == 0 || a.Keyed.Entries < b.Keyed.Entries*9/10 {
			t.Errorf("%s: %d entries with a changelog, %d without", backend, a.Keyed.Entries, b.Keyed.Entries)
		}
		f, g := with.History().Failures[0], without.History().Failures[0]
		if f.RunningAt < 0 || backend == "hashmap" && f.RunningAt-f.At < 1050*event.Millisecond || f.RestoredTo == 0 || g.RestoredTo == 0 {
			t.Errorf("%s: back after %d ns with a changelog, %d without", backend, f.RunningAt-f.At, g.RunningAt-g.At)
		}
	}
	s := stateful(t, "hashmap", 1, 4000, 1, 100_000, interval, "2 s", "state.changelog.enabled", "true")
	s.Vertices[1].State = []core.KeyedState{{Name: "v", Keys: 1_000_000, KeyBytes: 8, ValueBytes: 100_000}}
	if l := simulate(t, s); len(l.History().Failures) == 0 {
		t.Error("a full heap kills nobody under a changelog")
	}
}

// changeable is a job with state of a backend under a changelog.
func changeable(t testing.TB, backend string, script ...core.Action) core.Setup {
	t.Helper()
	s := stateful(t, backend, 2, 4000, 50_000, 1000, interval, "2 s", "state.changelog.enabled", "true", "state.changelog.periodic-materialize.interval", "3 s",
		"execution.checkpointing.externalized-checkpoint-retention", "RETAIN_ON_CANCELLATION", "execution.state-recovery.claim-mode", "CLAIM")
	s.Script = script
	return s
}

// TestChangelogRescales (spec 8.3, 10.4): the subtasks of another parallelism read the base and the log of every part that their key
// groups meet, and name their files in their own checkpoints until they have materialized; no entry is lost, and the files go
// once nobody names them. The checkpoints in between can be gone back to, and rescaled again.
func TestChangelogRescales(t *testing.T) {
	rescale := func(at event.Time, to int) core.Action {
		return core.Action{At: at * event.Millisecond, Do: core.RescaleJob, Vertex: 1, Parallelism: to}
	}
	kill := core.Action{At: 13 * event.Second, Do: core.Kill, Vertex: 1}
	for _, backend := range []string{"hashmap", "rocksdb", "forst"} {
		for n, script := range [][]core.Action{
			{rescale(9300, 1), kill}, {rescale(9300, 3), kill}, {rescale(9300, 4), rescale(12300, 3), kill}, {rescale(5300, 1), rescale(8800, 4)},
			{{At: 9300 * event.Millisecond, Do: core.RestoreJob, Vertex: 1, Parallelism: 3}, kill},
			{{At: 9300 * event.Millisecond, Do: core.RestoreJob, Vertex: 1, Parallelism: 3, FromSavepoint: true}, kill},
			{{At: 9300 * event.Millisecond, Do: core.RestoreJob, Vertex: -1, FromSavepoint: true, Native: true}, kill},
			{{At: 9300 * event.Millisecond, Do: core.RestoreJob, Vertex: -1, FromSavepoint: true}, kill},
		} {
			l := audited(t, changeable(t, backend, script...))
			var v core.View
			l.View(&v)
			entries, bytes := int64(0), int64(0)
			for i := range v.Vertices[1].Tasks {
				entries += v.Vertices[1].Tasks[i].Keyed.Entries
				bytes += v.Vertices[1].Tasks[i].Keyed.Bytes
			}
			if all := after(l); entries != 50_000 || len(all) < 3 || v.Account.Orphaned > 0 {
				t.Errorf("%s, script %d: %d entries of %d bytes, %d checkpoints, %d orphaned", backend, n, entries, bytes, len(all), v.Account.Orphaned)
			}
			if stored, full := stored1(after(l)[0]); stored*2 > full || full < bytes {
				t.Errorf("%s, script %d: the first checkpoint of the new subtasks stores %d of %d bytes", backend, n, stored, full)
			}
			// Nothing of the files before is left: the storage has no more than two bases and the log between them.
			if v.Account.Bytes-v.Account.Savepoints > 4*bytes {
				t.Errorf("%s, script %d: %d bytes in the storage for %d of state", backend, n, v.Account.Bytes, bytes)
			}
		}
	}
}

// TestChangelogReadsLocalCopies: a restart in the same place reads nothing from the storage; behind a lost task manager its subtask
// reads, and until its next materialization, which is its first local one, it would read again (ChangelogStateBackendLocalHandle).
func TestChangelogReadsLocalCopies(t *testing.T) {
	read := func(local string, script ...core.Action) int64 {
		s := changeable(t, "rocksdb", script...)
		s.Options = resolved(t, "state.backend.type", "rocksdb", "execution.checkpointing.incremental", "true", interval, "1 s", "state.changelog.enabled", "true",
			"state.changelog.periodic-materialize.interval", "6 s", "state.backend.local-recovery", local, "restart-strategy.type", "fixed-delay",
			"restart-strategy.fixed-delay.attempts", "9", "heartbeat.interval", "100 ms")
		l := audited(t, s)
		var v core.View
		l.View(&v)
		return v.Account.Read
	}
	kill := func(at event.Time, do core.Do) core.Action {
		return core.Action{At: at * event.Millisecond, Do: do, Vertex: 1, Subtask: 1}
	}
	remote, local, lost := read("false", kill(9000, core.Kill)), read("true", kill(9000, core.Kill)), read("true", kill(9000, core.Lose))
	if local != 0 || remote < 50_000*1000 || lost == 0 || lost > remote*3/4 {
		t.Errorf("%d bytes are read without copies, %d with them, %d after a loss", remote, local, lost)
	}
	soon, late := read("true", kill(9000, core.Lose), kill(11_500, core.Kill)), read("true", kill(9000, core.Lose), kill(18_900, core.Kill))
	if soon < lost*3/2 || late != lost {
		t.Errorf("%d bytes are read after a loss; %d with another failure soon after it, %d with one behind the next materialization", lost, soon, late)
	}
}

// written counts the orders of one purpose that were carried out, and their bytes one by one.
func written(t *testing.T, s core.Setup, purpose storage.Purpose) (bytes []int64) {
	t.Helper()
	l, err := core.New(s)
	if err != nil {
		t.Fatal(err)
	}
	l.Listen(func(e event.Event) {
		if e.Kind == event.FilesStored && storage.Purpose(e.B) == purpose {
			bytes = append(bytes, e.A)
		}
	})
	l.Advance(s.Duration, 0)
	return bytes
}

// TestTheRecordThatReachesTheThresholdIsUploaded: it and all before it, and no later one (FsStateChangelogWriter.preEmptiveFlushIfNeeded). A
// materialization ends a change set, so that the next one may be as long.
func TestTheRecordThatReachesTheThresholdIsUploaded(t *testing.T) {
	s := logged(true)
	s.Options.Interval, s.Options.ChangelogMaterialize, s.Options.ChangelogBatchDelay, s.Duration = 0, 0, 0, 20*event.Second
	s.Options.ChangelogPreemptive, s.Storage.Latency = 70_500, 0
	s.Vertices[0].Cost, s.Vertices[1].Cost = 10*event.Microsecond, 120*event.Microsecond // it has always several records to read
	all := written(t, s, storage.Log)
	if len(all) < 500 {
		t.Fatalf("%d uploads", len(all))
	}
	for _, n := range all {
		if n != 71_000 {
			t.Fatalf("an upload of %d bytes, want the 71 records that reach 70,500", n)
		}
	}
}

// TestNoMaterializationFollowsOneThatIsNotConfirmed: without checkpoints there is one (ChangelogKeyedStateBackend.initMaterialization), and
// none without a change since.
func TestNoMaterializationFollowsOneThatIsNotConfirmed(t *testing.T) {
	s := logged(true)
	s.Vertices[0].RateNum, s.Vertices[1].Snapshot, s.Options.ChangelogMaterialize, s.Duration = 400, core.Snapshot{Size: mb, Change: 1000}, 2*event.Second, 60*event.Second
	many := len(written(t, s, storage.Materialize))
	s.Options.Interval = 0
	one := len(written(t, s, storage.Materialize))
	s.Options.Interval, s.Vertices[0].RateNum, s.Vertices[0].RatePer = 5*event.Second, 1, 3600*event.Second
	idle := len(written(t, s, storage.Materialize))
	if many < 4*6 || one != 4 || idle != 1 {
		t.Errorf("%d materializations of 4 subtasks with checkpoints, %d without, %d of one record", many, one, idle)
	}
}
