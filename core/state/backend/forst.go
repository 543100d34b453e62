package backend

import (
	"checkpointlab/core/event"
	"checkpointlab/core/state"
	"checkpointlab/core/state/keyed"
	"checkpointlab/core/state/lsm"
)

// ForSt keeps its files in remote storage and part of them on the local disk. Accesses do not hold the task's thread: records wait for them
// beside it, up to a limit, and a barrier waits until none does (spec 8.4).
type ForSt struct {
	Rocks
	waiting  int64      // records in flight, in thousandths
	at       event.Time // up to which they have been served
	cached   int64      // bytes of files on the local disk
	accesses [2]int64   // of blocks: from the file cache, and from the remote storage
}

// submit is what an asynchronous request costs the task's thread: the record's context, its key's order, the callback.
const submit event.Time = 1000

func newForSt(r *Rules) *ForSt {
	f := &ForSt{}
	f.remote = true
	f.begin(r, &r.Options.ForSt)
	f.warm(f.onDisk())
	return f
}

// local is how many bytes the file cache may hold: up to a limit, or until the disk has no more than the reserve left.
func (f *ForSt) local() int64 {
	room := f.r.Disk.Size/max(1, f.r.Share) - f.r.Options.ForStCacheReserve
	if f.r.Disk.Size == 0 {
		room = 1 << 60
	}
	if l := f.r.Options.ForStCacheLimit; l > 0 {
		room = min(room, l)
	}
	return max(0, room)
}

// step is by how much the share of remote blocks has to change, in millionths, before the cost of reads is computed anew.
const step = 5000

// warm puts bytes into the file cache: what is written stays there, what is read often enough comes.
func (f *ForSt) warm(bytes int64) {
	all := f.onDisk()
	f.cached = min(f.cached+bytes, f.local(), all)
	distant := int64(0)
	if all > 0 {
		distant = million - keyed.Scale(f.cached, million, all)
	}
	if d := distant - f.distant; d > step || d < -step || distant == 0 {
		f.distant, f.dirty = distant, true
	}
}

// service is how long the threads beside the task's take for a record once others wait: reads are divided among read-io-parallelism, writes
// are the coordinator's, or divided among write-io-parallelism.
func (f *ForSt) service(now event.Time) event.Time {
	if f.dirty {
		f.recompute(now)
	}
	o := f.r.Options
	writes := event.Time(0)
	for _, i := range f.shapes {
		s := f.stores[i].Shape()
		writes += perRecord(s, rocksPut+s.EntryBytes()*perKilobyte/1000)
	}
	read := max(0, f.cost-writes) / event.Time(max(1, o.ForStReadIO))
	if !o.ForStInlineWrite {
		writes /= event.Time(max(1, o.ForStWriteIO))
	}
	s := max(read, writes, 1)
	switch f.pace(now) {
	case lsm.Stopped:
		if next := f.NextEvent(now); next != event.Never {
			s += next - now
		}
	case lsm.Slow:
		s = max(s, f.slow())
	}
	return s
}

// thread is what a record's requests cost the task's thread.
func (f *ForSt) thread() (c event.Time) {
	for _, i := range f.shapes {
		s := f.stores[i].Shape()
		c += perRecord(s, submit) + reads(s, submit)
	}
	return c
}

// serve lets the requests in flight go on up to now.
func (f *ForSt) serve(now event.Time) {
	if dt := now - f.at; dt > 0 {
		f.waiting = max(0, f.waiting-keyed.Scale(dt, 1000, f.service(now)))
		f.at = now
	}
}

func (f *ForSt) full() int64 { return int64(f.r.Options.AsyncBuffer) * 1000 }

// Cost is what the requests cost the thread; while as many are in flight as may be, a record waits for the end of one.
func (f *ForSt) Cost(now event.Time) event.Time {
	f.advance(now)
	f.serve(now)
	if f.waiting >= f.full()-1000 {
		return max(f.thread(), f.service(now))
	}
	return f.thread()
}

// Limit ends a step where no more may be in flight.
func (f *ForSt) Limit(now event.Time, n int64, size int32) int64 {
	n = f.Rocks.Limit(now, n, size)
	if left := (f.full() - f.waiting) / 1000; f.service(now) > f.thread() && left > 0 {
		return max(1, min(n, left))
	}
	return n
}

// Access books records, which are in flight from now on.
func (f *ForSt) Access(now event.Time, r event.Run) {
	written := f.written()
	f.Rocks.Access(now, r)
	f.serve(now)
	f.waiting = min(f.full(), f.waiting+r.Count*1000)
	missed := r.Count * f.cache.missed / 1000
	distant := keyed.Scale(missed, f.distant, million)
	f.accesses[0] += missed - distant
	f.accesses[1] += distant
	if n := f.written() - written; n > 0 || distant > 0 {
		f.warm(n + distant*f.promoted())
	}
}

// written is the bytes of files that were made.
func (f *ForSt) written() (n int64) {
	for t := range f.trees {
		n += f.trees[t].Flushed + f.trees[t].Compacted
	}
	return n
}

// promoted is the bytes that come to the local disk for an access that was remote: a file after cache.lru.access-before-promote of them.
func (f *ForSt) promoted() int64 {
	n := int64(0)
	for t := range f.trees {
		n += int64(len(f.trees[t].Files(f.listed[:0])))
	}
	return f.onDisk() / max(1, n) / int64(max(1, f.r.Options.ForStPromote))
}

// Drain is how long a barrier waits until nothing is in flight: before it is passed on (AsyncExecutionController::drainInflightRecords).
func (f *ForSt) Drain(now event.Time) event.Time {
	f.advance(now)
	f.serve(now)
	return keyed.Scale(f.waiting, f.service(now), 1000)
}

// Snapshot flushes the memtables. Files that are in the storage already are not written again.
func (f *ForSt) Snapshot(now event.Time, id event.Checkpoint, kind state.Kind, p *state.Part) {
	f.waiting = 0
	f.Rocks.Snapshot(now, id, kind, p)
	if kind == state.Checkpoint || kind == state.FullCheckpoint {
		for i := range p.Upload {
			p.Upload[i].There = p.Upload[i].Shared
		}
	}
}

// Restore goes on with the remote files; the local disk is empty.
func (f *ForSt) Restore(now event.Time, id event.Checkpoint, kind state.Kind, claimed bool, parts []*state.Part) {
	f.Rocks.Restore(now, id, kind, claimed, parts)
	f.waiting, f.at, f.cached = 0, now, 0
	if len(parts) == 0 {
		f.cached = f.local()
	}
	f.warm(0)
}

// CopyFrom makes f a deep copy of src.
func (f *ForSt) CopyFrom(src state.Backend) {
	s := src.(*ForSt)
	f.copyRocks(&s.Rocks)
	f.waiting, f.at, f.cached, f.accesses = s.waiting, s.at, s.cached, s.accesses
}
