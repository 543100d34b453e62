package backend

import (
	"checkpointlab/core/event"
	"checkpointlab/core/state/lsm"
)

// Report is what can be seen of a backend at an instant; RocksDB's numbers under the names of its metrics (rocksdb.* in Flink). Bytes and
// counts; what a backend does not have is 0.
type Report struct {
	Bytes   int64 // serialized, of the whole state
	Entries int64
	Access  event.Time // what the accesses of a record cost at present

	// hashmap
	HeapUsed, HeapMax int64 // of the task manager's JVM
	Collections       int64
	CollectionTime    event.Time

	// RocksDB and ForSt
	NumFilesAtLevel                [lsm.Levels]int64
	BytesAtLevel                   [lsm.Levels]int64
	CurSizeActiveMemTable          int64
	CurSizeAllMemTables            int64
	NumImmutableMemTable           int64
	EstimateNumKeys                int64
	TotalSstFilesSize              int64
	EstimatePendingCompactionBytes int64
	NumRunningCompactions          int64
	NumRunningFlushes              int64
	IsWriteStopped                 int64 // 1 while writes are stopped
	ActualDelayedWriteRate         int64 // bytes a second; 0 = not delayed
	BlockCacheCapacity             int64
	BlockCacheUsage                int64
	BlockCacheHit, BlockCacheMiss  int64 // lookups
	BytesWritten                   int64 // by the task, before compression
	FlushedBytes                   int64
	CompactionReadBytes            int64
	CompactionWriteBytes           int64
	StallMicros                    int64

	// ForSt
	InFlight                          int64 // records that wait for their state
	FileCacheHit, FileCacheMiss       int64
	FileCacheUsed, FileCacheRemaining int64
}

// WriteAmplification is the bytes that flushes and compactions wrote for a hundred bytes that were flushed; 0 before the first flush.
func (r *Report) WriteAmplification() int64 {
	if r.FlushedBytes == 0 {
		return 0
	}
	return (r.FlushedBytes + r.CompactionWriteBytes) / max(1, r.FlushedBytes/100)
}

// CacheHit is the share of block lookups that found their block, per mille; 1000 without lookups.
func (r *Report) CacheHit() int64 {
	if n := r.BlockCacheHit + r.BlockCacheMiss; n > 0 {
		return r.BlockCacheHit * 1000 / n
	}
	return 1000
}

// Reporting is a backend that can be looked into without being changed.
type Reporting interface {
	Report(now event.Time, r *Report)
}

func (c *common) report(now event.Time, r *Report) {
	*r = Report{}
	for i := range c.stores {
		s := c.stores[i] // a copy: looking lets nothing expire
		r.Entries += s.Entries(now)
		r.Bytes += s.Bytes(now)
	}
}

// Report fills r.
func (h *Heap) Report(now event.Time, r *Report) {
	h.report(now, r)
	r.Access = h.Cost(now) - h.pause
	r.HeapUsed, r.HeapMax, r.Collections, r.CollectionTime = h.r.Machine.live(), h.r.Machine.Heap, h.pauses, h.paused
}

// Report fills r.
func (b *Rocks) Report(now event.Time, r *Report) {
	b.report(now, r)
	r.Access = b.cost
	for t := range b.trees {
		tree := &b.trees[t]
		for l := range lsm.Levels {
			r.NumFilesAtLevel[l] += int64(tree.LevelFiles(l))
			r.BytesAtLevel[l] += tree.LevelBytes(l)
		}
		r.CurSizeActiveMemTable += tree.Active()
		r.CurSizeAllMemTables += tree.Memtables()
		r.NumImmutableMemTable += int64(tree.Immutable())
		r.EstimateNumKeys += tree.Entries()
		r.TotalSstFilesSize += tree.Bytes()
		r.EstimatePendingCompactionBytes += tree.Pending()
		r.NumRunningCompactions += int64(tree.Compacting())
		if tree.Flushing() {
			r.NumRunningFlushes++
		}
		r.BytesWritten += tree.Written
		r.FlushedBytes += tree.Flushed
		r.CompactionReadBytes += tree.CompactRead
		r.CompactionWriteBytes += tree.Compacted
		r.BlockCacheUsage += tree.Bytes() + b.index(t)
	}
	switch b.slowest() {
	case lsm.Stopped:
		r.IsWriteStopped = 1
	case lsm.Slow:
		r.ActualDelayedWriteRate = delayedWrite
	}
	r.BlockCacheCapacity = b.blockCache()
	r.BlockCacheUsage = min(r.BlockCacheUsage, r.BlockCacheCapacity)
	r.BlockCacheHit, r.BlockCacheMiss = b.lookups[0], b.lookups[1]
	r.StallMicros = b.stalled / event.Microsecond
}

// Report fills r.
func (f *ForSt) Report(now event.Time, r *Report) {
	f.Rocks.Report(now, r)
	r.Access = f.thread()
	r.InFlight = (f.waiting + 999) / 1000
	r.FileCacheHit, r.FileCacheMiss, r.FileCacheUsed = f.accesses[0], f.accesses[1], f.cached
	r.FileCacheRemaining = max(0, min(f.local(), 1<<50)-f.cached)
}
