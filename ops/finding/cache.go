package finding

import "checkpointlab/core/event"

// A cache is told where its misses, at the disk's latency each, have taken this part of a busy thread's time.
const missesMost = 5

// cache: accesses to RocksDB wait for the local disk, since little of the state is in memory.
func (r *run) cache() {
	for v := range r.v.Vertices {
		for i := range r.v.Vertices[v].Tasks {
			t := &r.v.Vertices[v].Tasks[i]
			k := &t.Keyed
			if !t.Stateful || t.Metrics.BusyTimeMsPerSecond < full || event.Time(k.BlockCacheMiss)*r.s.LocalDisk().Latency*missesMost < r.v.At {
				continue
			}
			r.say("block cache: RocksDB of subtask %d of %s found %s of the blocks that it read in its cache of %s and had to read the others from the local disk; its thread is busy for %d ms a second. More managed memory (taskmanager.memory.managed.size), smaller state a subtask or a faster disk make accesses cheaper",
				i, r.v.Vertices[v].Name, number(int(k.CacheHit()/10))+" %", bytes(k.BlockCacheCapacity), t.Metrics.BusyTimeMsPerSecond)
			return
		}
	}
}
