// Package backend is the state of one task while the job works: hashmap on the heap, RocksDB on the local disk, ForSt in remote storage
// (spec 8.1, 8.2, 8.4).
//
// Read Rules first (what a backend is made of), then common.go (entries by key group, snapshots, restores), heap.go, rocks.go with
// jobs.go (what works beside the task's thread) and reads.go (what an access costs), forst.go. New makes the backend that the options
// name. Sizes are bytes, times ns.
package backend

import (
	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/core/state"
	"checkpointlab/core/state/keyed"
)

// Disk is where RocksDB works. The zero value is Unlimited.
type Disk struct {
	Throughput int64      // bytes a second, reads and writes together
	Burst      int64      // bytes a second while there are credits; 0 = none
	Credit     int64      // bytes above Throughput that can be saved up; full at the start
	Latency    event.Time // of a block that no cache has
	Size       int64      // bytes; 0 = no limit
}

// Remote is the storage in which ForSt keeps its files.
type Remote struct {
	Throughput int64 // bytes a second for one task
	Latency    event.Time
}

// Rules are one task's part of a vertex's state and what it runs on. They never change in a run.
type Rules struct {
	Options *option.Config
	Shapes  []keyed.Shape
	Keys    []int64 // by shape: how many of its keys are this task's
	Mine    int64   // share of the task's records that are not of the hot key, in millionths
	First   int32   // key group of Weights[0]
	Weights []int64 // keys by key group of the task's range

	RateNum   int64      // records that a state that is filled at the start has seen in the past:
	RatePer   event.Time // so many in so many ns
	Memory    int64      // managed memory for this task's RocksDB or ForSt
	Share     int64      // tasks that share the disk
	Disk      Disk
	Remote    Remote
	Sync      event.Time // what every snapshot takes beside the backend's own
	Async     event.Time
	Given     int64    // bytes that every snapshot stores beside the backend's own
	FirstFile int64    // files are numbered from here, at most 2^31 of a kind
	Machine   *Machine // the JVM, for hashmap
	Slot      int      // in Machine
}

// New makes the backend that the options name.
func New(r *Rules) state.Working {
	switch r.Options.Backend {
	case option.RocksDB:
		return newRocks(r)
	case option.ForSt:
		return newForSt(r)
	}
	return newHeap(r)
}

// Costs of the model. Flink documents only that RocksDB takes about ten times as long as the heap (spec 8.2); the rest is measured on
// recorded runs (truth, state-*) or the order of what the hardware does.
const (
	heapAccess  event.Time = 200  // a lookup or an update in a hash map
	rocksPut    event.Time = 1500 // JNI and memtable; with 1 kb of value 2.0 us (state-rocksdb-incremental against state-hashmap, busy time)
	rocksGet    event.Time = 2000 // JNI and what is in the caches
	probe       event.Time = 400  // search of one more file's index
	perKilobyte event.Time = 500  // serialization and copies of a value in or out of RocksDB

	flushSpeed    = 600_000_000 // bytes a second of one thread (state-rocksdb-incremental: 8 mb in 13 of 19 ms)
	compactSpeed  = 300_000_000 // bytes a second read and written by one thread
	iterateSpeed  = 200_000_000 // bytes a second of a canonical savepoint's iteration
	checkpointing = 5 * event.Millisecond
	delayedWrite  = 16 << 20 // bytes a second: RocksDB's delayed_write_rate without a rate limiter

	listing  = 4 * event.Millisecond // an upload's start (state-rocksdb-incremental: 15 ms for 13 mb)
	readBack = 1_200_000_000         // bytes a second that it reads from the local disk

	serialize    = 800_000_000 // bytes a second of a heap snapshot (state-hashmap: 20.2 mb in 25 ms)
	deserialize  = 400_000_000
	tableSpeed   = 8 // ns an entry: copying the table in the synchronous part
	entryOnHeap  = 96
	copySpeed    = 1_000_000_000 // bytes a second that a collection moves
	collection   = 5 * event.Millisecond
	memtableNode = 34 // bytes of a skip list node beyond the entry
)

// per is the time of n bytes at a speed in bytes a second, at most unending.
func per(n, speed int64) event.Time {
	n, speed = max(0, n), max(1, speed)
	if n/speed >= unending/event.Second {
		return unending
	}
	return keyed.Scale(n, event.Second, speed)
}

const (
	unending = event.Time(1) << 52 // 52 days: longer than any run, and sums of such times can be counted
	dearest  = 1000 * event.Second // that the accesses of a record are counted to take at most; a step has many records
)
