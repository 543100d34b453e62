// Package state is what checkpoints store and how long it is kept (spec 8): files that several checkpoints share, what an
// incremental snapshot uploads, the log of a changelog backend.
//
// Read File first, then Registry (who uses a file, when it is deleted), Incremental (what is uploaded again and what is
// not), Changelog. All are pure: what is uploaded and deleted is told to the caller, who has the storage and the time.
package state

import (
	"slices"

	"checkpointlab/core/event"
)

// File is one piece of state in storage that several checkpoints may use.
type File struct {
	Key   int64 // what it is the state of; a file that is uploaded again has the same one
	Copy  int64 // which upload of it, from 1; 0 stands for the one that is registered under Key
	Bytes int64
}

// Upload is f as it is registered since 1.17.1 (FLINK-29913): each upload of a subtask, owner, has a key of its own, so that a
// file which was uploaded again because a confirmation came late is not mistaken for the first copy. f has a Copy.
func (f File) Upload(owner int32) File {
	return File{Key: int64(owner)<<40 | f.Copy, Copy: 1, Bytes: f.Bytes}
}

// Registry is the coordinator's book of shared files (SharedStateRegistryImpl): a file is deleted once no retained
// checkpoint uses it. NewRegistry makes one.
type Registry struct {
	entries    []entry            // ascending by key
	whole      []event.Checkpoint // restored from, and shared with nothing: kept while any of their files is used
	notClaimed event.Checkpoint   // files of checkpoints up to this one belong to somebody else
	bytes      int64
}

// entry is one file with the checkpoints that it was first and last used by.
type entry struct {
	File
	created, used event.Checkpoint
	confirmed     bool // a completed checkpoint uses it
	pins          bool // the checkpoint that created it must not be discarded
}

// NewRegistry is an empty registry.
func NewRegistry() Registry { return Registry{notClaimed: -1} }

// Len is the number of files registered.
func (r *Registry) Len() int { return len(r.entries) }

// Bytes is the size of all files registered.
func (r *Registry) Bytes() int64 { return r.bytes }

// Lookup is the file registered under a key.
func (r *Registry) Lookup(key int64) (f File, ok bool) {
	i, ok := r.find(key)
	if !ok {
		return File{}, false
	}
	return r.entries[i].File, true
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

// Register notes that checkpoint id uses f, when a task has acknowledged, and answers which copy it has to use. If there is another copy under the key,
// one of both is deleted: the new one if a completed checkpoint uses the old one, else the old one, for it may have come
// from an attempt that failed. pins keeps the checkpoint that created the file as a whole (spec 8.3: a changelog over
// restored state).
func (r *Registry) Register(f File, id event.Checkpoint, pins bool, deleted []File) (use File, _ []File) {
	i, known := r.find(f.Key)
	if !known {
		if f.Copy == 0 {
			panic("state: a placeholder for a file that nobody registered")
		}
		r.entries = slices.Insert(r.entries, i, entry{File: f, created: id, used: id, pins: pins})
		r.bytes += f.Bytes
		return f, deleted
	}
	e := &r.entries[i]
	switch {
	case f.Copy == 0 || f.Copy == e.Copy:
	case e.confirmed:
		deleted = append(deleted, f)
	default:
		deleted = append(deleted, e.File)
		r.bytes += f.Bytes - e.Bytes
		e.File = f
	}
	e.used = max(e.used, id)
	e.pins = e.pins || pins
	return e.File, deleted
}

// Completed notes that checkpoint id is complete: what it was the last to use is confirmed.
func (r *Registry) Completed(id event.Checkpoint) {
	for i := range r.entries {
		if r.entries[i].used == id {
			r.entries[i].confirmed = true
		}
	}
}

// Kind is what a job was restored from.
type Kind uint8

// The kinds.
const (
	Checkpoint      Kind = iota // a retained checkpoint: its files are shared with those before and after it
	NativeSavepoint             // shares nothing; it is kept as a whole while any of its files is used
)

// Restored notes what the job goes on from; its files are registered under its id. What is not claimed (NO_CLAIM, LEGACY)
// stays its owner's: none of its files is ever deleted here.
func (r *Registry) Restored(id event.Checkpoint, kind Kind, claimed bool) {
	if kind == NativeSavepoint && !slices.Contains(r.whole, id) {
		r.whole = append(r.whole, id)
	}
	if !claimed {
		r.notClaimed = max(r.notClaimed, id)
	}
}

// Unregister drops the files that no checkpoint from lowest on uses and appends those to delete. inUse gets the
// checkpoints, ascending, that must not be discarded although they are older: some of their files are used, and they are
// kept as a whole.
func (r *Registry) Unregister(lowest event.Checkpoint, inUse []event.Checkpoint, deleted []File) ([]event.Checkpoint, []File) {
	kept := r.entries[:0]
	for _, e := range r.entries {
		switch {
		case e.used >= lowest:
			kept = append(kept, e)
			if e.pins || slices.Contains(r.whole, e.created) {
				inUse = insert(inUse, e.created)
			}
			continue
		case e.created > r.notClaimed:
			deleted = append(deleted, e.File)
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
	*r = *src
	r.entries, r.whole = entries, whole
}
