package backend

import (
	"cmp"
	"slices"

	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/core/state"
	"checkpointlab/core/state/keyed"
	"checkpointlab/core/state/lsm"
)

// Rocks is RocksDB on the local disk: one instance of the task, a column family (tree) for each keyed state (spec 8.2).
type Rocks struct {
	common
	o       *option.LSM
	rules   []lsm.Rules // by tree
	shapes  []int       // by tree: its state
	trees   []lsm.Tree
	inc     state.Incremental
	remote  bool  // ForSt: jobs work on the remote storage
	distant int64 // ForSt: share of blocks that are not on the local disk, in millionths

	clock  event.Time // up to which the jobs have worked
	credit int64      // bytes the disk may still do above its throughput
	dirty  bool       // the cost of an access has to be computed anew
	cost   event.Time
	pacing lsm.Pace
	cache  hits

	full    bool        // the disk is
	sent    int64       // bytes that snapshots have read back from the disk, or from the entries
	read    int64       // of them, entry by entry
	stalled event.Time  // the thread was held by stopped or slowed writes, in all
	hold    event.Time  // of it the record that begins now
	lookups [2]int64    // block cache hits and misses, in all
	live    []state.SST // reused
	out     []state.SST
	listed  []lsm.File
}

func newRocks(r *Rules) *Rocks {
	b := &Rocks{}
	b.begin(r, &r.Options.Rocks)
	return b
}

// begin makes b an instance with its trees filled as the scenario says.
func (b *Rocks) begin(r *Rules, o *option.LSM) {
	b.common, b.o, b.inc = newCommon(r), o, state.NewIncremental(0)
	b.inc.NumberFrom(r.FirstFile)
	b.credit = r.Disk.Credit
	for i := range r.Shapes {
		if s := &r.Shapes[i]; s.Keyed() && !(s.Kind == keyed.Timers && o.HeapTimers) {
			b.rules = append(b.rules, treeRules(o, s, r.Keys[i], len(r.Weights)))
			b.shapes = append(b.shapes, i)
		}
	}
	for i := range b.rules {
		b.trees = append(b.trees, lsm.NewTree(&b.rules[i]))
	}
	b.fillTrees(0)
}

// treeRules are the options of a column family and the sizes of a state's entries: 8 bytes of sequence number and type, 4 of lengths
// and a share of the index beside key group, key and value (state-rocksdb-incremental: 1026 bytes for a key of 4 and a value of 1004).
func treeRules(o *option.LSM, s *keyed.Shape, keys int64, groups int) lsm.Rules {
	key := s.KeyPart() + 1
	if groups > 128 {
		key++
	}
	entry := key + int64(s.ValueBytes) + 12
	entry += max(1, min(entry, entry*(key+14)/max(1, o.Block))) // keys larger than blocks would have an index larger than the data
	return lsm.Rules{
		Keys: max(1, keys*s.Windows()), Entry: entry, Deletion: key + 12, InMemory: entry + memtableNode, Compress: s.Left(),
		Buffer: o.Buffer, Buffers: o.Buffers, Merge: o.Merge, Style: lsm.Style(o.Style), Base: o.LevelBase, File: o.FileBase, Dynamic: o.Dynamic,
	}
}

// fillTrees makes the files hold the entries, as if all had been compacted.
func (b *Rocks) fillTrees(now event.Time) {
	for t := range b.trees {
		s := &b.stores[b.shapes[t]]
		b.trees[t] = lsm.NewTree(&b.rules[t])
		if n := s.Entries(now); n > 0 {
			c := lsm.Content{Old: n}
			if s.Shape().Unique() {
				c = lsm.Content{New: n}
			}
			b.trees[t].Fill(c)
		}
	}
	b.dirty = true
}

// Access books records: entries go to the memtables, of which full ones are sealed.
func (b *Rocks) Access(now event.Time, r event.Run) {
	b.advance(now)
	b.lookups[0] += r.Count * (b.cache.perRecord - b.cache.missed) / 1000
	b.lookups[1] += r.Count * b.cache.missed / 1000
	b.stalled += b.hold * r.Count
	for t := range b.trees {
		c := b.stores[b.shapes[t]].Access(now, r.Count)
		if b.stores[b.shapes[t]].Shape().TTL > 0 { // what is too old is no tombstone: a compaction leaves it out (RocksDbTtlCompactFiltersManager)
			c.Delete = 0
		}
		b.trees[t].Write(lsm.Content{Old: c.Old, New: c.New, Dels: c.Delete})
	}
	for i := range b.stores {
		if !b.inTree(i) {
			b.stores[i].Access(now, r.Count)
		}
	}
	if b.sealFull() {
		b.schedule(now)
	}
}

// inTree reports whether a state has a column family.
func (b *Rocks) inTree(shape int) bool { return slices.Contains(b.shapes, shape) }

// sealFull makes full memtables immutable: each at the size of a write buffer, the largest when all together have the write buffers' memory
// (WriteBufferManager::ShouldFlush: seven eighths of it).
func (b *Rocks) sealFull() (sealed bool) {
	sum, largest := int64(0), 0
	for t := range b.trees {
		n := b.trees[t].Active()
		if n >= b.rules[t].Buffer {
			b.trees[t].Seal()
			sealed, n = true, 0
		}
		sum += n
		if n > b.trees[largest].Active() {
			largest = t
		}
	}
	if len(b.trees) > 0 && sum >= b.buffers()*7/8 {
		b.trees[largest].Seal()
		sealed = true
	}
	if sealed {
		b.dirty = true
	}
	return sealed
}

// buffers is the memory of all write buffers (RocksDBMemoryControllerUtils.calculateWriteBufferManagerCapacity).
func (b *Rocks) buffers() int64 {
	if !b.bounded() {
		return 1 << 60
	}
	return max(1<<20, b.r.Memory*2/3*b.o.WriteBufferMill()/1000)
}

// bounded reports whether memory is bounded by what Flink gives RocksDB; else each column family has the cache and buffers of its options.
func (b *Rocks) bounded() bool { return b.o.Managed || b.o.FixedPerSlot > 0 || b.o.FixedPerTM > 0 }

// blockCache is the memory for blocks, of which memtables take their part (RocksDBMemoryControllerUtils.calculateActualCacheCapacity).
func (b *Rocks) blockCache() int64 {
	if !b.bounded() {
		return b.o.CacheSize * int64(max(1, len(b.trees)))
	}
	return max(1<<20, b.r.Memory/3*(3000-b.o.WriteBufferMill())/1000-b.memtables())
}

func (b *Rocks) memtables() (n int64) {
	for t := range b.trees {
		n += b.trees[t].Memtables()
	}
	return n
}

// Limit ends a step with the record that fills a memtable.
func (b *Rocks) Limit(now event.Time, n int64, _ int32) int64 {
	b.advance(now)
	if b.pace(now) == lsm.Stopped {
		return 1
	}
	sum, perSum := int64(0), int64(0)
	for t := range b.trees {
		one := max(1, perRecord(&b.r.Shapes[b.shapes[t]], b.rules[t].InMemory))
		n = min(n, (b.rules[t].Buffer-b.trees[t].Active()+one-1)/one)
		sum, perSum = sum+b.trees[t].Active(), perSum+one
	}
	if perSum > 0 {
		n = min(n, (b.buffers()*7/8-sum+perSum-1)/perSum)
	}
	return max(1, n)
}

// Snapshot flushes all memtables and lists the files; a canonical savepoint reads all entries instead (spec 8.2).
func (b *Rocks) Snapshot(now event.Time, id event.Checkpoint, kind state.Kind, p *state.Part) {
	b.advance(now)
	p.Threads = b.o.TransferThreads
	if kind == state.CanonicalSavepoint {
		bytes := b.Bytes(now)
		b.own(p, b.compressed(now, true))
		b.operators(now, p)
		p.Sync, p.Async = event.Millisecond, per(bytes, iterateSpeed)
		b.sent, b.read = b.sent+bytes, b.read+bytes
	} else {
		p.Sync = b.flushAll(now) - now + checkpointing
		b.list(id, kind, p)
		b.misc(p)
		b.operators(now, p)
		p.Async = listing + per(p.Uploaded(), readBack)
		b.sent += p.Uploaded()
		b.heapTimers(now, p)
	}
	b.groups(now, p)
	b.given(p)
	p.Stores = append(p.Stores[:0], b.stores...)
	s := b.keep(id)
	s.trees = copyTrees(s.trees, b.trees)
	s.ssts = append(s.ssts, b.out...)
}

// heapTimers are snapshotted with the thread held; a canonical savepoint has them among all entries.
func (b *Rocks) heapTimers(now event.Time, p *state.Part) {
	for i := range b.stores {
		if s := b.stores[i].Shape(); s.Kind == keyed.Timers && !b.inTree(i) {
			n := b.stores[i].Bytes(now)
			b.own(p, n)
			p.Sync += per(n, serialize)
		}
	}
}

// flushAll flushes every memtable and says when it is done: a flush waits while it would stall writes (FlushOptions::allow_write_stall is off),
// and for one that is under way.
func (b *Rocks) flushAll(now event.Time) event.Time {
	for t := range b.trees {
		b.trees[t].Seal()
	}
	for {
		left := false
		for t := range b.trees {
			left = left || b.trees[t].Immutable() > 0
			if b.trees[t].LevelFiles(0) < slowFiles || b.trees[t].Compacting() == 0 {
				b.trees[t].Flush(true)
			}
		}
		if !left {
			break
		}
		next := b.NextEvent(now)
		if next == event.Never {
			panic("backend: memtables wait for a flush that nobody does")
		}
		now = next
		b.work(now)
		if b.settle() {
			b.schedule(now)
		}
	}
	return now
}

// slowFiles is RocksDB's level0_slowdown_writes_trigger.
const slowFiles = 20

// list fills in the files of a snapshot: those that the base has are used again.
func (b *Rocks) list(id event.Checkpoint, kind state.Kind, p *state.Part) {
	b.live = b.live[:0]
	for t := range b.trees {
		b.listed = b.trees[t].Files(b.listed[:0])
		slices.SortFunc(b.listed, func(x, y lsm.File) int { return cmp.Compare(x.Number, y.Number) })
		for _, f := range b.listed {
			b.live = append(b.live, state.SST{Number: int64(t)<<40 | f.Number, Handle: state.Handle{Bytes: f.Bytes}})
		}
	}
	sharing := state.ForwardBackward
	switch {
	case kind == state.FullCheckpoint && b.r.Options.Incremental:
		sharing = state.Forward
	case kind != state.Checkpoint || !b.r.Options.Incremental && !b.remote:
		sharing = state.NoSharing
	}
	b.out, _ = b.inc.Snapshot(id, b.live, 0, sharing, b.out[:0])
	for _, f := range b.out {
		p.Full += f.Bytes
		switch {
		case f.Reused:
			p.Reused = append(p.Reused, state.File{ID: uint64(f.Key), Bytes: f.Bytes, Shared: true})
		default:
			p.Upload = append(p.Upload, state.File{ID: uint64(f.Key), Bytes: f.Bytes, Shared: sharing != state.NoSharing})
		}
	}
}

// misc are the small files of every snapshot: MANIFEST, OPTIONS, CURRENT, and Flink's description of the states.
func (b *Rocks) misc(p *state.Part) {
	for _, n := range [...]int64{200 + 60*int64(len(b.live)), 8 << 10, 16, 1200} {
		b.own(p, n)
	}
}

// Confirmed moves the base.
func (b *Rocks) Confirmed(_ event.Time, id event.Checkpoint) {
	b.inc.Complete(id)
	b.confirmed(id)
}

// Aborted drops a snapshot's uploads: they are made again.
func (b *Rocks) Aborted(_ event.Time, id event.Checkpoint) {
	b.inc.Abort(id)
	b.aborted(id)
}

// Restore opens the files of a snapshot; key groups of other tasks are clipped and merged into new ones.
func (b *Rocks) Restore(now event.Time, id event.Checkpoint, kind state.Kind, claimed bool, parts []*state.Part) {
	b.clock, b.dirty, b.full = now, true, false
	s := b.back(now, id, parts)
	if s == nil || len(s.trees) == 0 {
		b.inc.Restore(0, nil)
		b.fillTrees(now)
		return
	}
	for t := range b.trees {
		totals := b.trees[t].Totals
		b.trees[t].CopyFrom(&s.trees[t])
		b.trees[t].Reopen()
		b.trees[t].Totals = totals
	}
	if claimed && kind != state.CanonicalSavepoint && b.r.Options.Incremental {
		b.inc.Restore(id, s.ssts)
	} else {
		b.inc.Restore(0, nil)
	}
	b.schedule(now)
}

// Rebuild is how long a restore takes once all files are there: opened as they are, or, after a change of key groups, all but the largest part
// read and written into a new instance (rescale-116).
func (b *Rocks) Rebuild(parts []*state.Part, _ int64) event.Time {
	if len(parts) == 1 {
		return checkpointing
	}
	most, all := int64(0), int64(0)
	for _, p := range parts {
		most, all = max(most, p.Full), all+p.Full
	}
	return checkpointing + per(all-most, mergeSpeed)
}

// mergeSpeed is bytes a second that a restore puts into another instance (RocksDBIncrementalCheckpointUtils, entry by entry): fitted to subtask 2
// of rescale-116, 40.7 gb in 890 s.
const mergeSpeed = 46_000_000

// Background is what flushes, compactions and the iteration of canonical savepoints take, and what they and uploads move on the disk.
func (b *Rocks) Background() (cpu event.Time, disk int64) {
	for t := range b.trees {
		x := &b.trees[t].Totals
		cpu += per(x.Flushed, flushSpeed) + per(x.CompactRead+x.Compacted, compactSpeed)
		disk += x.Flushed + x.CompactRead + x.Compacted
	}
	if b.remote {
		return cpu + per(b.read, iterateSpeed), 0
	}
	return cpu + per(b.read, iterateSpeed), disk + b.sent
}

// Dead tells that the disk is full.
func (b *Rocks) Dead() bool { return b.full }

// CopyFrom makes b a deep copy of src.
func (b *Rocks) CopyFrom(src state.Backend) { b.copyRocks(src.(*Rocks)) }

func (b *Rocks) copyRocks(s *Rocks) {
	b.copyFrom(&s.common)
	b.trees = copyTrees(b.trees, s.trees)
	b.inc.CopyFrom(&s.inc)
	b.clock, b.credit, b.dirty, b.cost, b.pacing, b.distant, b.cache, b.stalled, b.hold, b.lookups, b.full, b.sent, b.read = s.clock, s.credit, s.dirty, s.cost, s.pacing, s.distant, s.cache, s.stalled, s.hold, s.lookups, s.full, s.sent, s.read
}
