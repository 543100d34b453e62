// Package state is what checkpoints store and how long it is kept (spec 8): files that several checkpoints share, what an
// incremental snapshot uploads, the log of a changelog backend.
//
// Read Part and Backend first: what a task hands to a checkpoint. Then Handle and Registry (who uses a file, when it is
// deleted), Incremental (what is uploaded again and what is not), Changelog. All are pure: what is uploaded and deleted is
// told to the caller, who has the storage and the time.
package state

import (
	"iter"
	"slices"

	"checkpointlab/core/event"
)

// Handle is one upload of a piece of state, which several checkpoints may use.
type Handle struct {
	Key    int64 // one for each upload of the job, also of the same piece
	Bytes  int64
	Reused bool // it was uploaded for an earlier checkpoint (PlaceholderStreamStateHandle)
}

// Registry is the coordinator's book of shared files (SharedStateRegistryImpl since FLINK-29913): a file is deleted once no
// retained checkpoint uses it. NewRegistry makes one.
type Registry struct {
	entries    []entry            // ascending by key
	restored   []event.Checkpoint // restored from: kept while a file of theirs that pins them is used
	whole      []event.Checkpoint // those of them that shared nothing: kept while any of their files is used
	notClaimed event.Checkpoint   // files of checkpoints up to this one belong to somebody else
	pinned     bool               // some file has pinned its checkpoint
	bytes      int64
}

// entry is one file with the checkpoints that it was first and last used by.
type entry struct {
	Handle
	created, used event.Checkpoint
	pins          bool // the checkpoint that created it must not be discarded if the job was restored from it
}

// NewRegistry is an empty registry.
func NewRegistry() Registry { return Registry{notClaimed: -1} }

// Len is the number of files registered.
func (r *Registry) Len() int { return len(r.entries) }

// Bytes is the size of all files registered.
func (r *Registry) Bytes() int64 { return r.bytes }

// Has reports whether a file is registered.
func (r *Registry) Has(key int64) bool {
	_, ok := r.find(key)
	return ok
}

// Keys is the keys of all files registered, ascending.
func (r *Registry) Keys() iter.Seq[int64] {
	return func(yield func(int64) bool) {
		for i := range r.entries {
			if !yield(r.entries[i].Key) {
				return
			}
		}
	}
}

// Left is the keys of the files that Unregister drops without deleting them, because they are of a checkpoint that was not claimed.
func (r *Registry) Left(lowest event.Checkpoint) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		if r.notClaimed < 0 {
			return
		}
		for i := range r.entries {
			if e := &r.entries[i]; e.used < lowest && e.created <= r.notClaimed && !yield(e.Key) {
				return
			}
		}
	}
}

// Release forgets a file without deleting it; one that is not registered is nothing to forget.
func (r *Registry) Release(key int64) {
	if i, ok := r.find(key); ok {
		r.bytes -= r.entries[i].Bytes
		r.entries = slices.Delete(r.entries, i, i+1)
	}
}

func (r *Registry) find(key int64) (int, bool) {
	return slices.BinarySearchFunc(r.entries, key, func(e entry, key int64) int {
		switch {
		case e.Key < key:
			return -1
		case e.Key > key:
			return 1
		}
		return 0
	})
}

// Register notes that checkpoint id uses f; it is called when a task has acknowledged, before the checkpoint is complete. pins
// keeps the checkpoint that created the file as a whole if the job was restored from it (spec 8.3: a changelog over restored state);
// of the first to register a file it says nothing (registerReference returns early).
func (r *Registry) Register(f Handle, id event.Checkpoint, pins bool) {
	i, known := r.find(f.Key)
	if !known {
		if f.Reused {
			panic("state: a file is to be used again that nobody registered")
		}
		r.entries = slices.Insert(r.entries, i, entry{Handle: f, created: id, used: id})
		r.bytes += f.Bytes
		return
	}
	e := &r.entries[i]
	if e.Bytes != f.Bytes {
		panic("state: two files with one key")
	}
	e.used = max(e.used, id)
	e.pins = e.pins || pins
	r.pinned = r.pinned || pins
}

// Kind is what kind of snapshot it is: one that is taken, or one that a job was restored from.
type Kind uint8

// The kinds.
const (
	Checkpoint         Kind = iota // its files are shared with those before and after it
	NativeSavepoint                // the backend's own files; shares nothing, and restored from it is kept as a whole while any of its files is used
	CanonicalSavepoint             // all entries in a format of no backend: it is nobody's base
	FullCheckpoint                 // uploads all, later ones may use its files: the first one after a restore without a claim
)

// Restored notes what the job goes on from; its files are registered under its id. What is not claimed (NO_CLAIM, LEGACY)
// stays its owner's: none of its files is ever deleted here.
func (r *Registry) Restored(id event.Checkpoint, kind Kind, claimed bool) {
	r.restored = insert(r.restored, id)
	if kind == NativeSavepoint {
		r.whole = insert(r.whole, id)
	}
	if !claimed {
		r.notClaimed = max(r.notClaimed, id)
	}
}

// keeps reports whether a file in use keeps the checkpoint that created it (SharedStateRegistryImpl.preventsDiscardingCreatedCheckpoint).
func (r *Registry) keeps(e *entry) bool {
	return e.pins && slices.Contains(r.restored, e.created) || slices.Contains(r.whole, e.created)
}

// InUse appends the checkpoints, ascending, that must not be discarded although they are older than lowest: as Unregister does,
// without dropping anything.
func (r *Registry) InUse(lowest event.Checkpoint, inUse []event.Checkpoint) []event.Checkpoint {
	if !r.pinned && len(r.whole) == 0 {
		return inUse
	}
	for i := range r.entries {
		if e := &r.entries[i]; e.used >= lowest && r.keeps(e) {
			inUse = insert(inUse, e.created)
		}
	}
	return inUse
}

// Unregister drops the files that no checkpoint from lowest on uses and appends those to delete. inUse gets the
// checkpoints, ascending, that must not be discarded although they are older: some of their files are used, and they are
// kept as a whole.
func (r *Registry) Unregister(lowest event.Checkpoint, inUse []event.Checkpoint, deleted []Handle) ([]event.Checkpoint, []Handle) {
	kept := r.entries[:0]
	for i := range r.entries {
		e := r.entries[i]
		switch {
		case e.used >= lowest:
			kept = append(kept, e)
			if r.keeps(&e) {
				inUse = insert(inUse, e.created)
			}
			continue
		case e.created > r.notClaimed:
			deleted = append(deleted, e.Handle)
		}
		r.bytes -= e.Bytes
	}
	r.entries = kept
	return inUse, deleted
}

// insert puts id into ascending ids, once.
func insert(ids []event.Checkpoint, id event.Checkpoint) []event.Checkpoint {
	i, known := slices.BinarySearch(ids, id)
	if known {
		return ids
	}
	return slices.Insert(ids, i, id)
}

// CopyFrom makes r a deep copy of src.
func (r *Registry) CopyFrom(src *Registry) {
	entries, whole := append(r.entries[:0], src.entries...), append(r.whole[:0], src.whole...)
	restored := append(r.restored[:0], src.restored...)
	*r = *src
	r.entries, r.whole, r.restored = entries, whole, restored
}
