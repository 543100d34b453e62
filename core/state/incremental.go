package state

import "checkpointlab/core/event"

// Sharing is how a snapshot may share files with others (SnapshotType.SharingFilesStrategy).
type Sharing uint8

// The strategies.
const (
	ForwardBackward Sharing = iota // a checkpoint: uses files of the base, later ones use its
	Forward                        // a full checkpoint, as the first one after a restore without a claim: uploads all, later ones use its
	NoSharing                      // a savepoint: uploads all, is nobody's base
)

// SST is a file of the backend, with its upload once it has one.
type SST struct {
	Number int64 // the backend's own
	Handle
}

// Incremental decides for one subtask which files a snapshot uploads: those that the last checkpoint confirmed to the
// subtask does not have (RocksIncrementalSnapshotStrategy, spec 8.2). NewIncremental makes one.
type Incremental struct {
	uploads []upload // ascending by checkpoint: the base and those that are not confirmed
	base    event.Checkpoint
	key     int64 // of the last upload
}

// upload is the files of one snapshot. Those behind the end of Incremental.uploads lend their memory.
type upload struct {
	id    event.Checkpoint
	files []SST
}

// NewIncremental has no base. owner is a number that no other Incremental or Changelog of the job has.
func NewIncremental(owner int32) Incremental { return Incremental{key: firstKey(owner)} }

// NumberFrom numbers the uploads to come from there on.
func (n *Incremental) NumberFrom(key int64) { n.key = max(n.key, key) }

// firstKey is below the keys of an owner's uploads.
func firstKey(owner int32) int64 { return int64(owner) << 40 }

// Size is what a snapshot takes, in bytes.
type Size struct {
	Checkpointed int64 // uploaded by it
	Full         int64 // all it refers to
}

// Base is the checkpoint whose files are not uploaded again, 0 if there is none.
func (n *Incremental) Base() event.Checkpoint { return n.base }

// Snapshot appends the files of snapshot id with their uploads: of live, the backend's files ascending by number, those that
// the base has are used again, which has them registered already. always is the bytes of metadata and small files, which
// every snapshot uploads. id is above those of all snapshots before.
func (n *Incremental) Snapshot(id event.Checkpoint, live []SST, always int64, sharing Sharing, out []SST) ([]SST, Size) {
	var base []SST
	if i := n.find(n.base); sharing == ForwardBackward && i >= 0 {
		base = n.uploads[i].files
	}
	size, from := Size{always, always}, len(out)
	for i, f := range live {
		if i > 0 && f.Number <= live[i-1].Number {
			panic("state: the files of a backend are not in the order of their numbers")
		}
		for len(base) > 0 && base[0].Number < f.Number {
			base = base[1:]
		}
		size.Full += f.Bytes
		if f.Reused = len(base) > 0 && base[0].Number == f.Number; f.Reused {
			f.Key = base[0].Key
		} else {
			n.key++
			f.Key = n.key
			size.Checkpointed += f.Bytes
		}
		out = append(out, f)
	}
	if sharing != NoSharing {
		n.keep(id, out[from:])
	}
	return out, size
}

// keep remembers what a snapshot has in storage.
func (n *Incremental) keep(id event.Checkpoint, files []SST) {
	if k := len(n.uploads); k > 0 && n.uploads[k-1].id >= id {
		panic("state: checkpoints do not ascend")
	}
	if len(n.uploads) < cap(n.uploads) {
		n.uploads = n.uploads[:len(n.uploads)+1]
	} else {
		n.uploads = append(n.uploads, upload{})
	}
	u := &n.uploads[len(n.uploads)-1]
	u.id, u.files = id, append(u.files[:0], files...)
}

// Complete is notifyCheckpointComplete: the base moves there, unless id is not a checkpoint that was uploaded here, as a
// savepoint is not (vector incremental.savepoint-completion-does-not-reset-base).
func (n *Incremental) Complete(id event.Checkpoint) {
	if id <= n.base || n.find(id) < 0 {
		return
	}
	for n.uploads[0].id < id {
		n.drop(0)
	}
	n.base = id
}

// Abort is notifyCheckpointAborted: what it uploaded is nobody's base.
func (n *Incremental) Abort(id event.Checkpoint) {
	if i := n.find(id); i >= 0 && id != n.base {
		n.drop(i)
	}
}

// Restore goes on from checkpoint id with its files, ascending by number; without files there is no base (spec 8.2: a canonical
// savepoint, or a change of key groups). Keys are numbered on, so that lost uploads are not taken for others.
func (n *Incremental) Restore(id event.Checkpoint, files []SST) {
	for len(n.uploads) > 0 {
		n.drop(len(n.uploads) - 1)
	}
	n.base = 0
	if len(files) > 0 {
		n.base = id
		n.keep(id, files)
	}
}

func (n *Incremental) find(id event.Checkpoint) int {
	for i := range n.uploads {
		if n.uploads[i].id == id {
			return i
		}
	}
	return -1
}

// drop takes the i-th upload out; its memory is kept behind the end.
func (n *Incremental) drop(i int) {
	u, last := n.uploads[i], len(n.uploads)-1
	copy(n.uploads[i:], n.uploads[i+1:])
	n.uploads[last] = u
	n.uploads = n.uploads[:last]
}

// CopyFrom makes n a deep copy of src.
func (n *Incremental) CopyFrom(src *Incremental) {
	n.uploads = n.uploads[:0]
	for i := range src.uploads {
		n.keep(src.uploads[i].id, src.uploads[i].files)
	}
	n.base, n.key = src.base, src.key
}
