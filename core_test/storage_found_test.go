package core_test

import (
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/state/storage"
)

// TestATaskThatClosesAsItsCheckpointFails: a source whose final checkpoint is complete takes no mail any more, so that it does not
// hear that a later one, whose files it still writes, was given up. It ends all the same.
func TestATaskThatClosesAsItsCheckpointFails(t *testing.T) {
	s := sideBySide(3, 2)
	o := &s.Options
	o.Changelog, o.ChangelogMaterialize = true, 2*event.Second
	o.FileMerging, o.LocalBackup, o.FromLocal = true, true, true
	s.Seed = 3
	s.Script = []core.Action{
		{At: event.Second, Do: core.StorageFault, Fail: 300_000, Where: core.OnlyTasks},
		{At: 3 * event.Second, Do: core.StorageFault, Fail: -1, Slow: 4000},
		{At: 7011 * event.Millisecond, Do: core.Savepoint},
		{At: 11 * event.Second, Do: core.Trigger},
		{At: 15004 * event.Millisecond, Do: core.Kill, Vertex: 1, Subtask: 2},
	}
	var v core.View
	if simulate(t, s).View(&v); !v.Coord.JobFinished {
		t.Error("the job has not come to its end")
	}
}

// TestFilesAfterARescaleHaveTheirOwnNames: subtask 0 goes on numbering its files where the one before it has stopped, however often
// the job is rescaled.
func TestFilesAfterARescaleHaveTheirOwnNames(t *testing.T) {
	for _, change := range []int64{0, 1000} {
		s := stored(1, 1, 0, 200*event.Millisecond)
		s.Vertices[0].RateNum, s.Duration = 200, 8*event.Second
		s.Vertices[1].Snapshot = core.Snapshot{Size: 5 * mb, Change: change}
		for i, to := range []int{2, 1, 3, 2} {
			s.Script = append(s.Script, core.Action{At: event.Time(1+i) * 1500 * event.Millisecond, Do: core.RescaleJob, Vertex: 1, Parallelism: to, FromSavepoint: i%2 == 0})
		}
		if l := simulate(t, s); len(l.History().Failures) != 4 || len(completed(l)) < 20 {
			t.Errorf("change %d: %d rescalings, %d checkpoints", change, len(l.History().Failures), len(completed(l)))
		}
	}
}

// TestLocalCopiesGoWithTheLeader: a job that restarts finds its state on its task managers, and one that another JobManager leads does
// not, because the old one has freed the slots (JobMaster.disconnectTaskManager, TaskExecutor.freeSlotInternal).
func TestLocalCopiesGoWithTheLeader(t *testing.T) {
	for do, reads := range map[core.Do]bool{core.Kill: false, core.Elect: true} {
		s := example(t)
		changing(&s)
		s.Options.LocalBackup, s.Options.FromLocal = true, true
		s.Script = []core.Action{{At: 177 * ms, Do: do, For: 10 * ms}}
		l, err := core.New(s)
		if err != nil {
			t.Fatal(err)
		}
		restores, read := 0, int64(0)
		l.Listen(func(e event.Event) {
			if e.Kind == event.FilesStored && storage.Purpose(e.B) == storage.Restore {
				restores, read = restores+1, read+e.A
			}
		})
		l.Advance(s.Duration, 0)
		if restores == 0 || read > 0 != reads {
			t.Errorf("after %v: %d restores have read %d bytes", do, restores, read)
		}
	}
}

// TestAReusedPartLetsTheLogGo: a task whose region a checkpoint goes without has held the log since an older materialization for it. Its
// files go as it gives the checkpoint up, though that has a part of the task again, an earlier one's.
func TestAReusedPartLetsTheLogGo(t *testing.T) {
	s := sideBySide(3, 2)
	o := &s.Options
	o.Changelog, o.ChangelogMaterialize, o.Retained, o.MaxConcurrent = true, 2*event.Second, 1, 2
	s.Seed, s.Duration = 452, 10*event.Second
	s.Script = []core.Action{
		{At: event.Second, Do: core.StorageFault, Fail: 300_000, Where: core.OnlyTasks},
		{At: 4011 * event.Millisecond, Do: core.Savepoint},
	}
	l, err := core.New(s)
	if err != nil {
		t.Fatal(err)
	}
	a, reused := core.NewAuditor(l), 0
	l.Listen(func(e event.Event) {
		if e.Kind == event.RegionReused {
			reused++
		}
	})
	for at := event.Time(0); at < s.Duration; at += 100 * event.Millisecond {
		l.Advance(at, 0)
		if err := a.Check(); err != nil {
			t.Fatalf("at %d ms: %v", at/event.Millisecond, err)
		}
	}
	if reused == 0 {
		t.Error("no part is used again")
	}
}
