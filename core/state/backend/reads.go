package backend

import (
	"checkpointlab/core/event"
	"checkpointlab/core/state/keyed"
	"checkpointlab/core/state/lsm"
)

// hits is what reads find in the caches at present, in millionths.
type hits struct {
	Data, Index int64 // of lookups of data blocks, and of index and filter blocks
	perRecord   int64 // block lookups of a thousand records …
	missed      int64 // … and those of them that miss
}

// Cost is what the accesses of a record cost now; a record that begins while writes are stopped waits for the next end of a job.
func (b *Rocks) Cost(now event.Time) event.Time {
	b.advance(now)
	switch b.pace(now) {
	case lsm.Stopped:
		if next := b.NextEvent(now); next != event.Never {
			b.hold = next - now
			return b.hold + b.cost
		}
	case lsm.Slow:
		slow := max(b.cost, b.slow())
		b.hold = slow - b.cost
		return slow
	}
	b.hold = 0
	return b.cost
}

// slow is how long a record's writes take at the delayed write rate.
func (b *Rocks) slow() event.Time {
	bytes := int64(0)
	for t := range b.trees {
		bytes += perRecord(&b.r.Shapes[b.shapes[t]], b.rules[t].Entry)
	}
	return per(bytes, delayedWrite)
}

// recompute finds the cost of a record's accesses from what the memtables, the caches and the files hold.
func (b *Rocks) recompute(now event.Time) {
	b.dirty, b.cost, b.pacing = false, 0, b.slowest()
	b.cache = b.inCache()
	for i := range b.stores {
		s := b.stores[i].Shape()
		if !s.Keyed() || !b.inTree(i) {
			b.cost += perRecord(s, heapAccess) + reads(s, heapAccess)
			continue
		}
		value := event.Time(s.EntryBytes()) * perKilobyte / 1000
		b.cost += perRecord(s, rocksPut+value)
		if s.ReadNum > 0 {
			b.cost += reads(s, min(dearest, rocksGet+value+b.search(now, i)))
		}
	}
	b.cost = min(dearest, b.cost)
}

// inCache finds how much of what reads look up is in the block cache. Keys are even, so of what does not fit every block is as likely to be there. Index and
// filter blocks are looked up by every read and stay before data.
func (b *Rocks) inCache() hits {
	h := hits{Data: million, Index: million}
	data, index := int64(0), int64(0)
	for t := range b.trees {
		data += b.trees[t].Bytes()
		index += b.index(t)
	}
	room := b.blockCache()
	if index > room {
		h.Index = keyed.Scale(room, million, index)
	}
	if left := max(0, room-index); data > left {
		h.Data = keyed.Scale(left, million, data)
	}
	return h
}

// index is the bytes of a tree's index and filter blocks: an index entry for each data block, and the bloom filter's bits for each entry.
func (b *Rocks) index(t int) int64 {
	key := b.rules[t].Deletion
	n := keyed.Scale(b.trees[t].Bytes(), key+2, max(1, b.o.Block))
	if b.o.Filtered() {
		n += keyed.Scale(b.trees[t].Entries(), b.o.BloomMill(), 8000)
	}
	return n
}

// search is how long a read of a state looks in the files, blocks that miss the cache included. Files are asked from the newest on until the key
// is found: each of level 0, then one a level; with bloom filters only the one that has it, and one in a hundred others.
func (b *Rocks) search(now event.Time, shape int) event.Time {
	t := 0
	for b.shapes[t] != shape {
		t++
	}
	tree := &b.trees[t]
	live := max(1, b.stores[shape].Entries(now))
	asked, blocks, left := int64(0), int64(0), int64(million)
	left -= keyed.Scale(min(live, tree.Buffered()), million, live)
	for l := range lsm.Levels {
		runs, entries := tree.Sorted(l)
		for range runs {
			part := min(left, keyed.Scale(min(live, entries/runs), million, live))
			if b.o.Filtered() {
				asked += left
				blocks += part + (left-part)/100
			} else {
				asked += left
				blocks += left
			}
			left -= part
		}
	}
	return b.lookup(t, asked, blocks)
}

// lookup is the time of some searches and data blocks, in millionths of a read, and notes them for the hit rate.
func (b *Rocks) lookup(t int, asked, blocks int64) event.Time {
	s := &b.r.Shapes[b.shapes[t]]
	missIndex := keyed.Scale(asked, million-b.cache.Index, million)
	missData := keyed.Scale(blocks, million-b.cache.Data, million)
	b.cache.perRecord += reads(s, asked+blocks) / 1000
	b.cache.missed += reads(s, missIndex+missData) / 1000
	whole := b.o.Block
	if files := int64(max(1, len(b.trees[t].Files(b.listed[:0])))); !b.o.Partitioned {
		whole = max(whole, b.index(t)/files)
	}
	time := keyed.Scale(asked, probe, million)
	time += keyed.Scale(missIndex, min(dearest, b.fetch(whole)), million)
	return time + keyed.Scale(missData, min(dearest, b.fetch(b.o.Block)), million)
}

const million = 1_000_000

// fetch is how long a block takes that no cache in memory has: of ForSt, part of the files are on the local disk.
func (b *Rocks) fetch(bytes int64) event.Time {
	disk := b.r.Disk.Latency
	if d := b.r.Disk.Throughput; d > 0 {
		disk += per(bytes, d)
	}
	if !b.remote {
		return disk
	}
	far := b.r.Remote.Latency + per(bytes, b.r.Remote.Throughput)
	return disk + keyed.Scale(b.distant, max(0, far-disk), million)
}
