package report

import (
	"strconv"

	"checkpointlab/core"
)

// stateGauges adds the metrics of a task's state: RocksDB's and ForSt's under Flink's names (state.backend.rocksdb.metrics.*, spec 11), the
// heap's under the JVM's. What the backend does not have is left out.
func stateGauges(m Values, s *core.StateView) {
	m["stateSize"], m["stateEntries"] = s.Bytes, s.Entries
	if s.HeapMax > 0 {
		m["Status.JVM.Memory.Heap.Used"], m["Status.JVM.Memory.Heap.Max"] = s.HeapUsed, s.HeapMax
		m["Status.JVM.GarbageCollector.All.Count"], m["Status.JVM.GarbageCollector.All.Time"] = s.Collections, s.CollectionTime/1_000_000
		return
	}
	for name, n := range map[string]int64{
		"cur-size-active-mem-table": s.CurSizeActiveMemTable, "cur-size-all-mem-tables": s.CurSizeAllMemTables, "num-immutable-mem-table": s.NumImmutableMemTable,
		"estimate-num-keys": s.EstimateNumKeys, "estimate-live-data-size": s.Bytes, "total-sst-files-size": s.TotalSstFilesSize, "live-sst-files-size": s.TotalSstFilesSize,
		"estimate-pending-compaction-bytes": s.EstimatePendingCompactionBytes, "num-running-compactions": s.NumRunningCompactions,
		"num-running-flushes": s.NumRunningFlushes, "is-write-stopped": s.IsWriteStopped, "actual-delayed-write-rate": s.ActualDelayedWriteRate,
		"block-cache-capacity": s.BlockCacheCapacity, "block-cache-usage": s.BlockCacheUsage, "block-cache-hit": s.BlockCacheHit, "block-cache-miss": s.BlockCacheMiss,
		"bytes-written": s.BytesWritten, "compaction-read-bytes": s.CompactionReadBytes, "compaction-write-bytes": s.CompactionWriteBytes, "stall-micros": s.StallMicros,
	} {
		m["rocksdb."+name] = n
	}
	for l, n := range s.NumFilesAtLevel {
		m["rocksdb.num-files-at-level"+strconv.Itoa(l)] = n
	}
	if s.FileCacheUsed+s.FileCacheRemaining > 0 {
		m["forst.fileCache.hit"], m["forst.fileCache.miss"] = s.FileCacheHit, s.FileCacheMiss
		m["forst.fileCache.usedBytes"], m["forst.fileCache.remainingBytes"] = s.FileCacheUsed, s.FileCacheRemaining
	}
}
