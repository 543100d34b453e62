package reference

import (
	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/core/state"
	"checkpointlab/core/state/storage"
)

// changes is what records change of a state, and what snapshots have stored of that (spec 8.2, 8.5).
type changes struct {
	bytes int64 // changed so far
	base  kept  // the checkpoint whose files are used again
	open  []kept
}

// kept is a checkpoint's files, oldest first, and what had been changed by then.
type kept struct {
	id    event.Checkpoint
	bytes int64
	files []file
}

// largestSST is the most bytes of a file, as long as they are not too many: of a large state they are larger.
const (
	largestSST = 16 << 20
	mostSSTs   = 10_000
)

// access is a record that the task has processed.
func (t *task) access() {
	t.state.bytes += t.vertex.Snapshot.Change
	bytes := t.vertex.Snapshot.Change
	if t.hashmap != nil {
		bytes += t.hashmap.access(t.inWork.size)
	}
	if t.logged != nil {
		t.logged.append(bytes)
	}
}

// changes stores what was changed since the base, and as much again as compaction has rewritten; all of the state without a base,
// and for what shares no files.
func (t *task) changes(id event.Checkpoint, kind state.Kind) (reused, made []file) {
	k, bytes := &t.state, t.size
	if kind == state.Checkpoint && len(k.base.files) > 0 {
		amplified := t.vertex.Snapshot.Amplification
		if amplified == 0 {
			amplified = 1000
		}
		bytes = min(bytes, (k.bytes-k.base.bytes)*amplified/1000)
		reused = append(reused, t.rest(bytes)...)
	}
	shared := kind == state.Checkpoint || kind == state.FullCheckpoint
	size := max(largestSST, (bytes+mostSSTs-1)/mostSSTs)
	for rest := bytes; rest > 0; rest -= size {
		made = append(made, t.newFile(min(rest, size), shared))
	}
	if shared {
		k.open = append(k.open, kept{id: id, bytes: k.bytes, files: append(append([]file(nil), reused...), made...)})
	}
	return reused, made
}

// rest is what compaction leaves of the base's files when so many bytes are new: the oldest go as long as the others hold all of the
// state.
func (t *task) rest(bytes int64) []file {
	files, all := t.state.base.files, bytes
	for _, f := range files {
		all += f.Bytes
	}
	for len(files) > 0 && all-files[0].Bytes >= t.size {
		all -= files[0].Bytes
		files = files[1:]
	}
	return files
}

// confirmed is the word that a checkpoint is complete: the next ones use its files.
func (k *changes) confirmed(id event.Checkpoint) {
	for i, x := range k.open {
		if x.id == id {
			k.base, k.open = x, k.open[i+1:]
			return
		}
	}
}

// aborted forgets what was stored for a checkpoint.
func (k *changes) aborted(id event.Checkpoint) {
	for i, x := range k.open {
		if x.id == id {
			k.open = append(append([]kept(nil), k.open[:i]...), k.open[i+1:]...)
			return
		}
	}
}

// restoreState begins with what a task has read. Files of a checkpoint or a native savepoint that it has stored itself, in the same
// parallelism, are the base if they belong to the job (RocksDBIncrementalRestoreOperation.restorePreviousIncrementalFilesStatus).
func (t *task) restoreState(s *save) {
	k, r := &t.state, t.run
	if t.hashmap != nil {
		t.hashmap.restore(s)
	}
	t.startLog()
	*k = changes{bytes: k.bytes, base: kept{bytes: k.bytes}}
	if s == nil || t.vertex.Snapshot.Change == 0 || !r.sameState(t, s) || s.kind == state.CanonicalSavepoint || s.foreign && r.setup.Options.ClaimMode != option.Legacy {
		return
	}
	for _, f := range s.part(t).files() {
		if !storage.IsChannelState(f.ID) {
			f.Shared = true
			k.base.files = append(k.base.files, f)
		}
	}
}
