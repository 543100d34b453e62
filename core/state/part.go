package state

import (
	"iter"
	"slices"

	"checkpointlab/core/event"
	"checkpointlab/core/state/keyed"
)

// File is one file that a backend has in a snapshot.
type File struct {
	ID       uint64 // unique within the task over all of its attempts, a new one for each upload; below 2^40
	Bytes    int64
	Of       int32 // 0 = the task stored it; else 1 + the task that did, in phase Phase of the run: with a changelog it is inherited
	Phase    uint16
	Shared   bool // later snapshots may use it again; else it belongs to this snapshot alone
	Whole    bool // belongs to a savepoint, which is kept as a whole while a changelog is based on it
	Operator bool // holds the states that belong to no key, all of them (OperatorStateHandle)
	There    bool // is in the storage already, as ForSt's are: it is noted and not written
}

// Owner is the task that stored a file which task t refers to.
func (f *File) Owner(t event.Task) event.Task { return owner(f.Of, t) }

func owner(of int32, t event.Task) event.Task {
	if of == 0 {
		return t
	}
	return event.Task(of - 1)
}

// Part is one task's part of a snapshot: what Backend.Snapshot fills in and Backend.Restore gets back.
type Part struct {
	Sync   event.Time // the task's thread is blocked that long
	Async  event.Time // the asynchronous part takes at least so long, however quick the storage
	Upload []File     // are to be written, in this order
	Reused []File     // were uploaded for an earlier snapshot, all Shared
	Inline int64      // bytes that go into the metadata
	Small  []File     // the files of which these are; later snapshots may use them again, too
	Full   int64      // bytes of the whole state: Inline and all files

	First  int32         // key group of Groups[0]
	Groups []int64       // bytes by key group of the task's range, keyed state only; empty if the backend does not know
	Stores []keyed.Store // what the files hold, by state of the vertex, so that other tasks can take key groups of it

	Threads int // files that are transferred at once; 0 = 1

	Base Materialization // with a changelog: what the log goes on from; its files are Reused
	Log  []Segment       // with a changelog: the segments from there on
}

// Reset makes p empty; its memory is kept.
func (p *Part) Reset() {
	*p = Part{Upload: p.Upload[:0], Reused: p.Reused[:0], Small: p.Small[:0], Groups: p.Groups[:0], Stores: p.Stores[:0], Log: p.Log[:0]}
}

// Operator is the file with the states that belong to no key; inline: it lies in the metadata.
func (p *Part) Operator() (f File, inline, ok bool) {
	for _, f := range p.Upload {
		if f.Operator {
			return f, false, true
		}
	}
	for _, f := range p.Small {
		if f.Operator {
			return f, true, true
		}
	}
	return File{}, false, false
}

// DropOperator takes the states that belong to no key out of p: a changelog has no part in them (ChangelogKeyedStateBackend).
func (p *Part) DropOperator() {
	p.Upload = slices.DeleteFunc(p.Upload, func(f File) bool {
		if f.Operator {
			p.Full -= f.Bytes
		}
		return f.Operator
	})
	p.Small = slices.DeleteFunc(p.Small, func(f File) bool {
		if f.Operator {
			p.Full, p.Inline = p.Full-f.Bytes, p.Inline-f.Bytes
		}
		return f.Operator
	})
}

// PutInline moves files of up to most bytes into the metadata (data-inline-threshold, spec 1.1), new ones and those that were
// put there before alike.
func (p *Part) PutInline(most int64) {
	p.Upload, p.Reused = p.inline(p.Upload, most), p.inline(p.Reused, most)
}

func (p *Part) inline(files []File, most int64) []File {
	kept := files[:0]
	for _, f := range files {
		if f.Bytes <= most {
			p.Inline += f.Bytes
			p.Small = append(p.Small, f)
		} else {
			kept = append(kept, f)
		}
	}
	return kept
}

// Files is all files of the part: those of earlier snapshots, then the new ones.
func (p *Part) Files() iter.Seq[File] {
	return func(yield func(File) bool) {
		for _, f := range p.Reused {
			if !yield(f) {
				return
			}
		}
		for _, f := range p.Upload {
			if !yield(f) {
				return
			}
		}
	}
}

// inherits reports whether other tasks stored what is Reused.
func (p *Part) inherits() bool { return len(p.Reused) > 0 && p.Reused[0].Of != 0 }

// Largest is the bytes of the largest new file.
func (p *Part) Largest() (n int64) {
	for _, f := range p.Upload {
		n = max(n, f.Bytes)
	}
	return n
}

// Uploaded is the checkpointed size: the bytes that this snapshot adds, of the metadata and of files (spec 7.1).
func (p *Part) Uploaded() int64 {
	n := p.Inline
	for _, f := range p.Upload {
		if !f.There {
			n += f.Bytes
		}
	}
	return n
}

// CopyFrom makes p a deep copy of src.
func (p *Part) CopyFrom(src *Part) {
	upload, reused, groups := append(p.Upload[:0], src.Upload...), append(p.Reused[:0], src.Reused...), append(p.Groups[:0], src.Groups...)
	stores := append(p.Stores[:0], src.Stores...)
	log, small := append(p.Log[:0], src.Log...), append(p.Small[:0], src.Small...)
	*p = *src
	p.Small = small
	p.Upload, p.Reused, p.Groups, p.Stores, p.Log = upload, reused, groups, stores, log
}

// Backend is the state of one task as checkpoints see it. Calls come in the order of time.
type Backend interface {
	// Snapshot is the synchronous part of snapshot id at the barrier, of any kind: it fills p, which is Reset.
	Snapshot(now event.Time, id event.Checkpoint, kind Kind, p *Part)
	// Confirmed is notifyCheckpointComplete: id becomes the base of incremental snapshots if it is one that can.
	Confirmed(now event.Time, id event.Checkpoint)
	// Aborted is notifyCheckpointAborted, or a snapshot that the task gave up itself: what it uploaded is nobody's base.
	Aborted(now event.Time, id event.Checkpoint)
	// Restore begins anew from the parts that hold the task's key groups, of snapshot id of that kind; without parts the
	// state is empty. claimed: the job owns the snapshot's files and may use them as a base.
	Restore(now event.Time, id event.Checkpoint, kind Kind, claimed bool, parts []*Part)
	// CopyFrom makes it a deep copy of src, which is of the same type and built alike.
	CopyFrom(src Backend)
}

// Numbering is a backend that numbers the files of its task by itself.
type Numbering interface {
	// NumberOn numbers the files to come behind those of the one in whose place it is, which may still be in use.
	NumberOn(before Backend)
}

// Mortal is a backend that can kill its process.
type Mortal interface {
	// Dead tells that its state does not fit the process's memory any more.
	Dead() bool
}

// Rebuilding is a backend that takes time to begin from parts whose files are on its machine; of them, bytes are the task's own.
type Rebuilding interface {
	Rebuild(parts []*Part, bytes int64) event.Time
}

// Releasing is a backend that keeps something for a snapshot until its asynchronous part is over.
type Releasing interface {
	// Written is that end.
	Written(id event.Checkpoint)
}

// Leaving is a backend that takes room which others have once its task has ended.
type Leaving interface {
	// Left is the end of the task.
	Left()
}

// Noting is a backend that can tell what it holds without storing it: under a changelog the log and the last materialization make
// up what belongs to keys.
type Noting interface {
	// Note fills in Stores and Groups of p, and adds the states that belong to no key, which are stored as ever.
	Note(now event.Time, p *Part)
}

// Logging is a backend that can tell what a changelog over it writes.
type Logging interface {
	// Logged is how many bytes of changes the last n records that were booked have made, Logs how many the next n will make.
	Logged(n int64) int64
	Logs(n int64) int64
}

// Costing is a backend that works beside the task's thread.
type Costing interface {
	// Cost so far of what it does in threads of its own: their time, and the bytes that it has moved on the local disk.
	Background() (cpu event.Time, disk int64)
}

// Draining is a backend with which a barrier waits before it is passed on, until no record waits for its state.
type Draining interface {
	// Drain is how long that takes at now.
	Drain(now event.Time) event.Time
}

// Working is a backend whose accesses cost the task's thread time.
type Working interface {
	Backend
	// Cost is what the state adds to a record that begins at now, in ns. It changes only with Access, Happen and Snapshot.
	Cost(now event.Time) event.Time
	// Limit is how many of the next n records can be processed, the first at now, before the backend has something to
	// decide; at least 1. No record is larger than size bytes.
	Limit(now event.Time, n int64, size int32) int64
	// Turns is the first instant from now on at which records begin to count as of another part of time; event.Never if none does.
	Turns(now event.Time) event.Time
	// Access books the records of r, which have been processed by now.
	Access(now event.Time, r event.Run)
	// NextEvent is when something happens in the backend by itself, such as the end of a compaction; event.Never for
	// nothing. Happen is called then.
	NextEvent(now event.Time) event.Time
	// Happen lets what is due by now happen.
	Happen(now event.Time)
}
