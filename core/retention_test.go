package core

import (
	"testing"

	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// retaining is a job with incremental checkpoints in a storage.
func retaining(t *testing.T, retention option.Retention) Setup {
	t.Helper()
	s := bounded(t, 0)
	s.Vertices[1].Snapshot = Snapshot{Size: 4 << 20, Change: 1 << 20}
	s.Options.Incremental, s.Options.Retained, s.Options.Retention = true, 2, retention
	s.Storage = Storage{On: true, PerManager: 100 << 20, Latency: event.Millisecond}
	s.Options.Restart, s.Duration = option.RestartNone, 15*event.Second
	return s
}

// What lies in the storage when a job has ended (CheckpointProperties, CompletedCheckpoint.shouldBeDiscardedOnShutdown,
// CompletedCheckpointTest.testCleanUpOnShutdown): nothing of one that has finished, the retained checkpoints of one that has failed if
// they are externalized. A savepoint stays.
func TestWhatAnEndedJobLeaves(t *testing.T) {
	for _, retention := range []option.Retention{option.NotExternalized, option.DeleteOnCancel, option.RetainOnCancel} {
		for _, c := range []struct {
			name  string
			kept  bool // of retained checkpoints
			files int64
			end   func(s *Setup)
		}{
			{"finished", false, 0, func(s *Setup) { s.Vertices[0].EndsAfter = 8000 }},
			{"failed", retention != option.NotExternalized, 0, func(s *Setup) { s.Script = []Action{{At: 8500 * event.Millisecond, Do: Kill, Vertex: 0, Subtask: 0}} }},
			{"stopped", false, 3, func(s *Setup) {
				s.Script = []Action{{At: 8500 * event.Millisecond, Do: Stop, Vertex: -1, Subtask: -1}}
			}},
		} {
			s := retaining(t, retention)
			c.end(&s)
			l, _ := ends(t, s)
			if !l.job.failed && !l.job.finished {
				t.Fatalf("%s, %s: the job runs on", retention, c.name)
			}
			st := l.world.Store.Stats()
			if got := st.Files > c.files; got != c.kept || c.files > 0 && st.Files != c.files {
				t.Errorf("%s, %s: %d files, %d bytes are left", retention, c.name, st.Files, st.Bytes)
			}
			if n := len(l.coord.Retained()); (n == 2) != c.kept || n == 1 {
				t.Errorf("%s, %s: %d checkpoints are retained", retention, c.name, n)
			}
			if c.kept && st.Savepoints != st.Bytes {
				t.Errorf("%s, %s: %d of %d bytes are the user's", retention, c.name, st.Savepoints, st.Bytes)
			}
			if err := NewAuditor(l).Check(); err != nil {
				t.Errorf("%s, %s: %v", retention, c.name, err)
			}
		}
	}
}

// A snapshot that is not claimed stays its user's though the job that has started from it finishes before it is subsumed; shared files
// of the checkpoints behind it stay as well, for a retained one is older than they are (StandaloneCompletedCheckpointStore.shutdown
// unregisters what is unused below the lowest that it has retained).
func TestAnUnclaimedSnapshotOutlivesItsJob(t *testing.T) {
	for _, mode := range []option.ClaimMode{option.NoClaim, option.Claim} {
		s := retaining(t, option.RetainOnCancel)
		s.Options.ClaimMode, s.Options.Retained = mode, 10
		s.Vertices[0].EndsAfter = 5000
		s.Script = []Action{{At: 2500 * event.Millisecond, Do: RestoreJob, Vertex: -1, Subtask: -1}}
		l, _ := ends(t, s)
		st := l.world.Store.Stats()
		if kept := len(l.coord.Retained()) == 1; !l.job.finished || kept != (mode == option.NoClaim) {
			t.Errorf("%s: finished is %v, retained are %v", mode, l.job.finished, l.coord.Retained())
		}
		if (st.Bytes-st.Savepoints > 0) != (mode == option.NoClaim) {
			t.Errorf("%s: %d bytes are left, %d of them the user's", mode, st.Bytes, st.Savepoints)
		}
	}
}

// A job that is cancelled for a new version while its second checkpoint is pending, of which some tasks have acknowledged. What those
// have stored is nobody's: as nothing is retained it is deleted with the registry, and behind a retained checkpoint it stays for ever
// (DefaultCompletedCheckpointStore.shutdown: unregisterUnusedState up to the lowest that is retained).
func TestWhatAPendingCheckpointLeaves(t *testing.T) {
	for _, c := range []struct {
		at       event.Time
		retained bool
		left     int64 // of two maps, each with a new file of all of its state
	}{{1500 * event.Millisecond, false, 0}, {2500 * event.Millisecond, true, 8 << 20}} {
		s := retaining(t, option.RetainOnCancel)
		s.Duration = c.at + event.Second/4
		s.Vertices[0].Snapshot.Async = 700 * event.Millisecond
		s.Script = []Action{{At: c.at, Do: RestoreJob, Vertex: -1, Subtask: -1}}
		l, failed := ends(t, s, event.CheckpointFailed)
		if len(failed) != 1 || (l.History().Checkpoints[0].Outcome == Completed) != c.retained {
			t.Fatalf("at %d ns: failed are %v", c.at, failed)
		}
		if left := l.world.Store.Orphaned(); left != c.left {
			t.Errorf("at %d ns: %d bytes are left for ever, not %d", c.at, left, c.left)
		}
		if err := NewAuditor(l).Check(); err != nil {
			t.Errorf("at %d ns: %v", c.at, err)
		}
	}
}

// Another JobManager registers the shared files of the completed checkpoints that it finds as a job registers those that it starts from:
// with NO_CLAIM, which is the default also of a job that has started from nothing, they are never deleted
// (SharedStateRegistry.DEFAULT_FACTORY, SharedStateRegistryImpl.highestNotClaimedCheckpointID, FLINK-26985). What a checkpoint stored
// that was pending then nobody knows any more.
func TestWhatAnotherJobManagerLeaves(t *testing.T) {
	for _, c := range []struct {
		mode    option.ClaimMode
		pending bool
		left    int64
	}{{option.Claim, false, 0}, {option.NoClaim, false, 2 * 2 * 4 << 20}, {option.Claim, true, 2 * 4 << 20}} {
		s := retaining(t, option.RetainOnCancel)
		s.Options.ClaimMode, s.Duration = c.mode, 9500*event.Millisecond
		s.Script = []Action{{At: 2500 * event.Millisecond, Do: Elect, Vertex: -1, Subtask: -1}}
		if c.pending {
			s.Vertices[0].Snapshot.Async = 700 * event.Millisecond
		}
		l, failed := ends(t, s, event.CheckpointFailed)
		if (len(failed) == 1) != c.pending {
			t.Fatalf("%s: failed are %v", c.mode, failed)
		}
		if left := l.world.Store.Orphaned(); left != c.left {
			t.Errorf("%s: %d bytes are left for ever, not %d", c.mode, left, c.left)
		}
		if err := NewAuditor(l).Check(); err != nil {
			t.Errorf("%s: %v", c.mode, err)
		}
	}
}
