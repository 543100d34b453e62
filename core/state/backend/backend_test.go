package backend

import (
	"testing"

	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/core/state"
	"checkpointlab/core/state/keyed"

	"pgregory.net/rapid"
)

// options resolves "key", "value" pairs.
func options(t testing.TB, pairs ...string) *option.Config {
	t.Helper()
	var all []option.Pair
	for i := 0; i < len(pairs); i += 2 {
		all = append(all, option.Pair{Key: pairs[i], Value: pairs[i+1]})
	}
	c, _, err := option.Resolve("2.3", all)
	if err != nil {
		t.Fatal(err)
	}
	return &c
}

// rules are those of a task that has all of one state on a task manager of its own with the options given.
func rules(t testing.TB, shape keyed.Shape, pairs ...string) *Rules {
	o := options(t, pairs...)
	if shape.KeyBytes == 0 {
		shape.KeyBytes = 8
	}
	r := &Rules{
		Options: o, Shapes: []keyed.Shape{shape}, Keys: []int64{shape.Keys}, Mine: million, Memory: o.Memory.ManagedMemory(), Share: 1,
		Disk: Disk{Throughput: 1_000_000_000, Latency: 100 * event.Microsecond}, Remote: Remote{Throughput: 100_000_000, Latency: 20 * event.Millisecond},
		Machine: NewMachine(o.Memory, 1), Weights: make([]int64, 128),
	}
	for g := range r.Weights {
		r.Weights[g] = int64(g%3 + 1)
	}
	return r
}

// rocksdb are options of an incremental RocksDB with that much managed memory, and more.
func rocksdb(managed string, more ...string) []string {
	return append([]string{"state.backend.type", "rocksdb", "execution.checkpointing.incremental", "true",
		"taskmanager.memory.managed.size", managed, "taskmanager.memory.process.size", "64 gb"}, more...)
}

// gb is a value a key of 1000 bytes, that many bytes in all.
func gb(n int64) keyed.Shape {
	return keyed.Shape{Name: "v", Keys: n << 30 / 1026, ValueBytes: 1000, ReadNum: 1, ReadDen: 1, Filled: true}
}

// thread is a task that has work all the time: a record costs own and its accesses. It stops at until and says how many it has done.
func thread(b state.Working, from, until, own event.Time) (records int64) {
	for now := from; now < until; {
		for at := b.NextEvent(now); at <= now; at = b.NextEvent(now) {
			b.Happen(now)
		}
		cost := own + b.Cost(now)
		n := b.Limit(now, max(1, min((until-now)/max(1, cost), 4096)), 1047)
		if n > 1 {
			if at := b.NextEvent(now); at < now+n*cost {
				n = max(1, (at-now)/cost)
			}
		}
		now += n * cost
		b.Access(now, event.Run{Count: n, Size: 1047})
		records += n
	}
	return records
}

func report(b state.Working, now event.Time) (r Report) {
	b.(Reporting).Report(now, &r)
	return r
}

// Chapter A9: an access to RocksDB takes about ten times as long as one to the heap.
func TestRocksDBIsAboutTenTimesSlowerAnAccess(t *testing.T) {
	shape := keyed.Shape{Name: "v", Keys: 1000, ValueBytes: 1000, ReadNum: 1, ReadDen: 1, Filled: true}
	heap := New(rules(t, shape)).Cost(0)
	rocks := New(rules(t, shape, rocksdb("512 mb")...)).Cost(0)
	if ratio := float64(rocks) / float64(heap); ratio < 7 || ratio > 15 {
		t.Errorf("a read and a write take %d ns on the heap and %d ns in RocksDB: %.1f times", heap, rocks, ratio)
	}
}

// Chapter A22 (Toss 2026): the block cache's hit rate goes from 62-64 % to 99-100 % when write buffers leave it its memory. Fitted: 240 mb of state in
// 512 mb of managed memory, of which 14 write buffers, merged by 12, may take nearly all.
func TestWriteBuffersTakeTheBlockCachesMemory(t *testing.T) {
	rate := func(ratio, count, merge string) int64 {
		shape := keyed.Shape{Name: "v", Keys: 240_000, ValueBytes: 1000, ReadNum: 1, ReadDen: 1, Filled: true}
		b := New(rules(t, shape, rocksdb("512 mb", "state.backend.rocksdb.memory.high-prio-pool-ratio", "0", "state.backend.rocksdb.memory.write-buffer-ratio", ratio,
			"state.backend.rocksdb.writebuffer.count", count, "state.backend.rocksdb.writebuffer.number-to-merge", merge)...))
		thread(b, 0, 1200*event.Second, 20*event.Microsecond)
		r := report(b, 1200*event.Second)
		return r.CacheHit()
	}
	before, after := rate("0.95", "14", "12"), rate("0.15", "2", "1")
	if before < 600 || before > 660 || after < 990 {
		t.Errorf("hit rate %d per mille, and %d with smaller write buffers; want about 630 and 990 or more", before, after)
	}
}

// Chapter A22: index and filters that are not partitioned have to be in the cache whole, or each miss reads hundreds of kilobytes; partitioned
// ones leave the memory to the write buffers, and the amplification falls from about 20 to about 10. For each the ratio is the largest with which an
// access takes at most 240 us. Fitted: that bound, and 25 gb of state in 256 mb.
func TestPartitionedIndexesLeaveMemoryToWriteBuffers(t *testing.T) {
	amplification := func(partitioned string) int64 {
		best := int64(0)
		for _, ratio := range []string{"0.05", "0.1", "0.3", "0.5", "0.7", "0.9"} {
			b := New(rules(t, gb(25), rocksdb("256 mb", "state.backend.rocksdb.memory.write-buffer-ratio", ratio, "state.backend.rocksdb.memory.partitioned-index-filters", partitioned,
				"state.backend.rocksdb.use-bloom-filter", "true", "state.backend.rocksdb.memory.high-prio-pool-ratio", "0")...))
			b.(*Rocks).r.Disk.Throughput = 2_000_000_000
			thread(b, 0, 7200*event.Second, 300*event.Microsecond)
			r := report(b, 7200*event.Second)
			if r.Access > 240*event.Microsecond {
				break
			}
			best = r.WriteAmplification()
		}
		return best
	}
	whole, parts := amplification("false"), amplification("true")
	if whole < 1500 || whole > 2600 || parts < 700 || parts > 1300 {
		t.Errorf("amplification %d.%02d whole, %d.%02d partitioned; want about 20 and 10", whole/100, whole%100, parts/100, parts%100)
	}
}

// Chapter A18 (ByteDance 2022): above about 15 gb an operator's RocksDB compacts often and stalls writes. Fitted: a disk of 200 mb/s and 11,000
// writes of 1 kb a second; the second hour is measured.
func TestCompactionStallsWritesAboveSomeSize(t *testing.T) {
	var shares []int64
	sizes := []int64{8, 15, 30}
	for _, size := range sizes {
		shape := gb(size)
		shape.ReadNum, shape.ReadDen = 0, 0
		b := New(rules(t, shape, rocksdb("1 gb")...))
		b.(*Rocks).r.Disk.Throughput = 200_000_000
		const hour = 3600 * event.Second
		thread(b, 0, hour, 88*event.Microsecond)
		before := report(b, hour)
		thread(b, hour, 2*hour, 88*event.Microsecond)
		r := report(b, 2*hour)
		shares = append(shares, (r.StallMicros-before.StallMicros)*1000/(hour/event.Microsecond))
	}
	if shares[0] > 5 || shares[1] < 20 || shares[2] < 2*shares[1] {
		t.Errorf("stalled %v per mille of the time with %v gb; want none at 8, some at 15, much at 30", shares, sizes)
	}
}

// Snapshots of random work: sizes add up, files are those of the tree, a restore is exactly the state at the barrier.
func TestSnapshotsAddUpAndRestoreExactly(t *testing.T) {
	for _, name := range []string{"hashmap", "rocksdb", "forst"} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) { snapshots(t, rt, name) })
		})
	}
}

// moment is what a snapshot must bring back.
type moment struct {
	id    event.Checkpoint
	part  state.Part
	bytes int64
}

func snapshots(t *testing.T, rt *rapid.T, name string) {
	shape := keyed.Shape{Name: "v", Kind: keyed.Kind(rapid.IntRange(0, 6).Draw(rt, "kind")), Keys: rapid.Int64Range(1, 100_000).Draw(rt, "keys"), ValueBytes: 500}
	switch shape.Kind {
	case keyed.Window:
		shape.Size = 10 * event.Second
	case keyed.Join, keyed.Timers:
		shape.Retention = 20 * event.Second
	}
	r := rules(t, shape, "state.backend.type", name, "execution.checkpointing.incremental", "true", "taskmanager.memory.process.size", "8 gb")
	b, other := New(r), New(rules(t, shape, "state.backend.type", name, "execution.checkpointing.incremental", "true", "taskmanager.memory.process.size", "8 gb"))
	var now event.Time
	var taken []moment
	confirmed := event.Checkpoint(0)
	stored := map[uint64]int64{}
	for id := event.Checkpoint(1); id < 12; id++ {
		now += rapid.Int64Range(1, 20*event.Second).Draw(rt, "later")
		for at := b.NextEvent(now); at <= now; at = b.NextEvent(now) {
			b.Happen(now)
		}
		b.Access(now, event.Run{Count: rapid.Int64Range(0, 20_000).Draw(rt, "records"), Size: 600})
		var m moment
		m.id = id
		kind := state.Kind(rapid.IntRange(0, 3).Draw(rt, "kind of snapshot"))
		b.Snapshot(now, id, kind, &m.part)
		now += m.part.Sync
		m.bytes = report(b, now).Bytes
		addUp(rt, b, now, &m, stored)
		switch rapid.IntRange(0, 2).Draw(rt, "then") {
		case 0:
			b.Confirmed(now, id)
			if kind == state.Checkpoint || kind == state.FullCheckpoint {
				confirmed, taken = id, append(taken[:0], m)
			}
		case 1:
			b.Aborted(now, id)
		}
		if confirmed > 0 && rapid.IntRange(0, 4).Draw(rt, "fail") == 0 {
			back := &taken[0]
			b.Restore(now, back.id, state.Checkpoint, true, []*state.Part{&back.part})
			if got := report(b, now).Bytes; shape.Kind == keyed.Value && got != back.bytes {
				rt.Fatalf("restored %d bytes, the snapshot had %d", got, back.bytes)
			}
		}
		if name == "hashmap" && b.(*Heap).died {
			return
		}
		other.CopyFrom(b)
		if x, y := report(b, now), report(other, now); x != y {
			rt.Fatalf("a copy differs: %+v and %+v", x, y)
		}
	}
}

// addUp checks a part against itself and what is in the storage.
func addUp(rt *rapid.T, b state.Working, now event.Time, m *moment, stored map[uint64]int64) {
	sum, groups := m.part.Inline, int64(0)
	for _, f := range m.part.Upload {
		if _, twice := stored[f.ID]; twice {
			rt.Fatalf("file %d is uploaded a second time under its id", f.ID)
		}
		stored[f.ID] = f.Bytes
		sum += f.Bytes
	}
	for _, f := range m.part.Reused {
		if n, there := stored[f.ID]; !there || n != f.Bytes {
			rt.Fatalf("file %d of %d bytes is used again, the storage has %d", f.ID, f.Bytes, n)
		}
		sum += f.Bytes
	}
	for _, g := range m.part.Groups {
		groups += g
	}
	if sum != m.part.Full {
		rt.Fatalf("files and metadata have %d bytes, the full size is %d", sum, m.part.Full)
	}
	if m.part.Stores[0].Shape().Keyed() && groups != m.part.Stores[0].Bytes(now-m.part.Sync) {
		rt.Fatalf("key groups have %d bytes, the state %d", groups, m.bytes)
	}
}

// What was uploaded by checkpoints that nobody confirmed is uploaded again, with what came since (spec 8.2, trap 15).
func TestExpiredCheckpointsAreUploadedAgain(t *testing.T) {
	shape := gb(1)
	b := New(rules(t, shape, rocksdb("512 mb")...))
	var sizes []int64
	now, confirmed := event.Time(0), false
	for id := event.Checkpoint(1); id <= 5; id++ {
		var p state.Part
		now += 10 * event.Second
		b.Access(now, event.Run{Count: 10_000})
		b.Snapshot(now, id, state.Checkpoint, &p)
		sizes = append(sizes, p.Uploaded()>>20)
		if confirmed = id == 1; confirmed {
			b.Confirmed(now, id)
		} else {
			b.Aborted(now, id)
		}
	}
	if sizes[0] < 1000 || sizes[1] > 15 || sizes[2] < 2*sizes[1]-1 || sizes[3] < 3*sizes[1]-2 {
		t.Errorf("uploads of %v mb: want all, then a growing rest", sizes)
	}
}

// changelog-valuestate (published 1.5), the row without changelog: 50 subtasks of 1,000 events a second, a checkpoint every 7.54 s, upload 3.05 GB each, some
// twelve times the logical change of 0.67 kB an event, because every fourth flush rewrites level 1. Fitted: the number of keys, from the full size.
func TestBackToBackCheckpointsUploadWhatCompactionRewrites(t *testing.T) {
	for _, keys := range []int64{330_000, 410_000} { // full sizes of 12 and 27 GB around the published 18.5
		b := New(rules(t, keyed.Shape{Name: "v", Keys: keys, ValueBytes: 640, ReadNum: 1, ReadDen: 1, Filled: true}, rocksdb("1 gb")...))
		const first, last, pause = 100, 500, 7540 * event.Millisecond
		uploaded, now := int64(0), event.Time(0)
		for id := event.Checkpoint(1); id <= last; id++ {
			for end := now + pause; now < end; {
				now += 130 * event.Millisecond
				for at := b.NextEvent(now); at <= now; at = b.NextEvent(now) {
					b.Happen(now)
				}
				b.Access(now, event.Run{Count: 130, Size: 700})
			}
			var p state.Part
			b.Snapshot(now, id, state.Checkpoint, &p)
			now += p.Sync
			b.Confirmed(now, id)
			if id > first {
				uploaded += p.Uploaded()
			}
		}
		if gb := float64(uploaded) / (last - first) * 50 / 1e9; gb < 3.05*0.8 || gb > 3.05*1.2 {
			t.Errorf("%d keys a subtask: %.2f GB a checkpoint, published 3.05", keys, gb)
		}
	}
}

// Without a claim the first checkpoint uploads everything, and the next build on it; a savepoint is no base (spec 8.2).
func TestFullCheckpointsAndSavepoints(t *testing.T) {
	b := New(rules(t, gb(1), rocksdb("512 mb")...))
	now := event.Time(0)
	take := func(id event.Checkpoint, kind state.Kind) int64 {
		var p state.Part
		now += 10 * event.Second
		b.Access(now, event.Run{Count: 1000})
		b.Snapshot(now, id, kind, &p)
		b.Confirmed(now, id)
		return p.Uploaded() >> 20
	}
	first, next := take(1, state.FullCheckpoint), take(2, state.Checkpoint)
	native, canonical, after := take(3, state.NativeSavepoint), take(4, state.CanonicalSavepoint), take(5, state.Checkpoint)
	if first < 1000 || next > 10 || native < 1000 || canonical < 950 || after > 10 {
		t.Errorf("uploads of %d, %d, %d, %d, %d mb", first, next, native, canonical, after)
	}
}

// Collections take longer as the heap fills, and a heap that is full ends the process (spec 8.1).
func TestCollectionsGrowWithTheHeapsFilling(t *testing.T) {
	pause := func(share int64) event.Time {
		shape := keyed.Shape{Name: "v", ValueBytes: 1000, Filled: true}
		o := []string{"taskmanager.memory.task.heap.size", "3968 mb", "taskmanager.memory.managed.size", "64 mb"}
		shape.Keys = share * (4 << 30) / 100 / (shape.EntryBytes() + 8 + entryOnHeap)
		b := New(rules(t, shape, o...))
		thread(b, 0, 60*event.Second, 20*event.Microsecond)
		r := report(b, 60*event.Second)
		if b.(*Heap).died {
			return -1
		}
		return r.CollectionTime
	}
	a, b, c := pause(20), pause(60), pause(90)
	t.Logf("pauses of %d, %d and %d ms a minute", a/event.Millisecond, b/event.Millisecond, c/event.Millisecond)
	if a <= 0 || b < a*2 || c < b*2 {
		t.Errorf("collections take %d, %d and %d ms", a/event.Millisecond, b/event.Millisecond, c/event.Millisecond)
	}
	if pause(110) != -1 {
		t.Error("more than the heap holds lives on it")
	}
}

// Accesses of ForSt leave the thread alone until as many wait as may; a barrier drains them; nothing that is there is uploaded (spec 8.4).
func TestForStWaitsBesideTheThread(t *testing.T) {
	o := []string{"state.backend.type", "forst", "execution.checkpointing.incremental", "true", "taskmanager.memory.process.size", "4 gb",
		"state.backend.forst.cache.size-based-limit", "1 gb"}
	b := New(rules(t, gb(4), o...)).(*ForSt)
	if c := b.Cost(0); c > 10*event.Microsecond {
		t.Errorf("the first record costs the thread %d ns", c)
	}
	n := thread(b, 0, 60*event.Second, 10*event.Microsecond)
	r := report(b, 60*event.Second)
	if r.InFlight < 5900 || r.InFlight > 6000 || r.FileCacheMiss == 0 || r.FileCacheUsed != 1<<30 {
		t.Errorf("%d records done, %+v", n, r)
	}
	if d := b.Drain(60 * event.Second); d < event.Second {
		t.Errorf("6000 remote reads by three threads drain in %d ms", d/event.Millisecond)
	}
	var p state.Part
	b.Snapshot(60*event.Second, 1, state.Checkpoint, &p)
	if p.Uploaded() > 1<<20 || p.Full < 4<<30 {
		t.Errorf("uploads %d of %d bytes", p.Uploaded(), p.Full)
	}
	b.Restore(100*event.Second, 1, state.Checkpoint, true, []*state.Part{&p})
	if got := report(b, 100*event.Second).FileCacheUsed; got != 0 {
		t.Errorf("after a restore the file cache has %d bytes", got)
	}
}

// rescale-116 (published 2.6): three thirds become quarters. Fitted: the merge rate on subtask 2. Outer quarters clip one part, inner ones merge a second.
func TestRescaleMergesWhatTheInnerSubtasksTake(t *testing.T) {
	b := New(rules(t, gb(1), rocksdb("512 mb")...)).(*Rocks)
	part := &state.Part{Full: 40_700_000_000}
	outer, inner := b.Rebuild([]*state.Part{part}, part.Full), b.Rebuild([]*state.Part{part, part}, part.Full)
	if want := 819 * event.Second; inner < want*3/4 || inner > want*5/4 || outer*100 > inner*15 {
		t.Errorf("outer %d s, inner %d s; published 9 and 13 s, 890 and 819 s", outer/event.Second, inner/event.Second)
	}
}

// The key groups of two tasks make the state of a third.
func TestRescaleTakesKeyGroupsOfOthers(t *testing.T) {
	shape := keyed.Shape{Name: "v", Keys: 30_000, ValueBytes: 100, Filled: true}
	third := func(i int) *Rules {
		r := rules(t, shape, rocksdb("512 mb")...)
		r.First, r.Weights, r.Keys = int32(i*40), make([]int64, 40), []int64{10_000}
		for g := range r.Weights {
			r.Weights[g] = 250
		}
		return r
	}
	var parts [2]state.Part
	for i := range parts {
		New(third(i)).Snapshot(0, 1, state.Checkpoint, &parts[i])
	}
	r := third(0)
	r.First, r.Weights = 20, r.Weights[:40]
	b := New(r)
	b.Restore(0, 1, state.Checkpoint, true, []*state.Part{&parts[0], &parts[1]})
	if n := report(b, 0).Entries; n < 9_900 || n > 10_100 {
		t.Errorf("%d of 10 000 entries", n)
	}
}

// TestTimesBeyondAnyRun: bytes over a speed are a time, however many and however slow; beyond any run it is one that sums can take.
func TestTimesBeyondAnyRun(t *testing.T) {
	for _, c := range []struct{ bytes, speed, want int64 }{
		{0, 1, 0}, {-5, 1, 0}, {1000, 1000, event.Second}, {7, 0, 7 * event.Second}, {1 << 50, 1, unending}, {event.Never, 1, unending}, {event.Never, event.Never, event.Second},
		{1 << 50, 1 << 50, event.Second}, {4_000_000, 1, 4_000_000 * event.Second}, {5_000_000, 1, unending},
	} {
		if got := per(c.bytes, c.speed); got != c.want {
			t.Errorf("%d bytes at %d a second take %d ns, expected %d", c.bytes, c.speed, got, c.want)
		}
	}
}

// TestKeysLargerThanBlocks: an index is at most as large as what it finds.
func TestKeysLargerThanBlocks(t *testing.T) {
	o := option.LSM{Block: 4 << 10}
	for _, c := range []struct {
		key  int32
		most int64
	}{{8, 1200}, {1 << 28, 3 << 28}} {
		s := keyed.Shape{Kind: keyed.List, KeyBytes: c.key, ValueBytes: 1000}
		if entry := treeRules(&o, &s, 1, 1).Entry; entry < int64(c.key)+1000 || entry > c.most {
			t.Errorf("an entry with a key of %d bytes takes %d", c.key, entry)
		}
	}
}

// What snapshots keep of replaced values is freed when they are written, not when the checkpoint is complete (SnapshotStrategyRunner); a task
// that has ended takes none of the heap.
func TestSnapshotsKeepCopiesUntilTheyAreWritten(t *testing.T) {
	b := New(rules(t, keyed.Shape{Name: "v", Keys: 100_000, ValueBytes: 1000, Filled: true})).(*Heap)
	b.Restore(0, 0, state.Checkpoint, true, nil)
	var p state.Part
	b.Snapshot(event.Second, 1, state.Checkpoint, &p)
	b.Access(2*event.Second, event.Run{Count: 50_000, Size: 100})
	b.measure(2 * event.Second)
	kept := b.copied
	b.Written(1)
	if kept != 50_000*1000 || b.copied != 0 {
		t.Errorf("%d bytes are kept, %d once it is written", kept, b.copied)
	}
	if b.Left(); b.r.Machine.live() != framework {
		t.Errorf("a task that has ended takes %d bytes", b.r.Machine.live()-framework)
	}
}

// Each state compresses by itself, and a canonical savepoint has the states of no key apart, too.
func TestSnapshotsOfSeveralStates(t *testing.T) {
	for _, name := range []string{"hashmap", "rocksdb"} {
		r := rules(t, keyed.Shape{Name: "v", Keys: 1000, ValueBytes: 991, Filled: true, LeftMill: 500}, "state.backend.type", name, "execution.checkpointing.snapshot-compression", "true")
		r.Shapes = append(r.Shapes, keyed.Shape{Name: "list", Kind: keyed.Operator, Keys: 10, ValueBytes: 9}, keyed.Shape{Name: "all", Kind: keyed.Broadcast, Keys: 10, ValueBytes: 9, LeftMill: 500})
		r.Keys = append(r.Keys, 10, 10)
		b := New(r)
		b.Restore(0, 0, state.Checkpoint, true, nil)
		var p state.Part
		b.Snapshot(event.Second, 1, state.CanonicalSavepoint, &p)
		f, _, ok := p.Operator()
		if !ok || f.Bytes != 10*10+10*10/2 || p.Full != 1000*1000/2+f.Bytes {
			t.Errorf("%s: %d bytes, of them %d of the operator's own", name, p.Full, f.Bytes)
		}
	}
}

// A restore makes objects of what the task takes, not of all that others have stored.
func TestARestoreMakesObjectsOfItsOwn(t *testing.T) {
	b := New(rules(t, gb(1))).(*Heap)
	if d := b.Rebuild(nil, deserialize/2); d != event.Second/2 {
		t.Errorf("half as much as a second makes takes %d ns", d)
	}
}
