package lsm

import (
	"testing"

	"pgregory.net/rapid"
)

// settle runs all jobs to their end.
func settle(t *Tree) {
	for {
		for len(t.jobs) > 0 {
			t.Finish(0)
		}
		if !t.Flush(false) && !t.Pick() {
			return
		}
	}
}

func defaults() Rules {
	return Rules{Keys: 1 << 40, Entry: 1026, Deletion: 34, InMemory: 1060, Compress: 1000, Buffer: 64 << 20, Buffers: 2, Merge: 1, Base: 256 << 20, File: 64 << 20}
}

// check finds a broken invariant.
func check(t *rapid.T, tree *Tree) {
	if got, want := tree.Entries(), tree.Puts-tree.Gone; got != want {
		t.Fatalf("%d entries, but %d written and %d gone", got, tree.Puts, tree.Gone)
	}
	seen := map[int64]bool{}
	for l := range tree.levels {
		end := int64(0)
		for i, f := range tree.levels[l] {
			if seen[f.Number] || f.Old < 0 || f.New < 0 || f.Dels < 0 || f.Bytes < 0 {
				t.Fatalf("level %d file %+v", l, f)
			}
			seen[f.Number] = true
			if l > 0 && f.Lo < end {
				t.Fatalf("level %d: file %d overlaps the one before", l, i)
			}
			end = f.Hi
		}
	}
	if got, want := tree.Bytes(), tree.Flushed+tree.Compacted-tree.CompactRead; got != want {
		t.Fatalf("%d bytes in files, %d were made and not taken away", got, want)
	}
}

// What is written is in a memtable or a file, or was replaced or deleted; no level overlaps; bytes made and deleted add up.
func TestEntriesAndBytesAreConserved(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := defaults()
		r.Keys = rapid.Int64Range(1, 1<<20).Draw(t, "keys")
		r.Base, r.File = 1<<rapid.IntRange(18, 24).Draw(t, "base"), 1<<rapid.IntRange(16, 20).Draw(t, "file")
		r.Style, r.Dynamic = Style(rapid.IntRange(0, 1).Draw(t, "style")), rapid.Bool().Draw(t, "dynamic")
		r.Merge = rapid.IntRange(1, 3).Draw(t, "merge")
		tree := NewTree(&r)
		for range rapid.IntRange(1, 120).Draw(t, "steps") {
			switch rapid.IntRange(0, 5).Draw(t, "do") {
			case 0, 1:
				tree.Write(Content{Old: rapid.Int64Range(0, 5000).Draw(t, "old"), New: rapid.Int64Range(0, 100).Draw(t, "new"), Dels: rapid.Int64Range(0, 50).Draw(t, "dels")})
			case 2:
				tree.Seal()
			case 3:
				tree.Flush(rapid.Bool().Draw(t, "all"))
			case 4:
				tree.Pick()
			case 5:
				if n := len(tree.jobs); n > 0 {
					tree.Finish(rapid.IntRange(0, n-1).Draw(t, "job"))
				}
			}
			check(t, &tree)
		}
		settle(&tree)
		check(t, &tree)
	})
}

// A recorded run: 20 000 keys of 1004 bytes, 10 000 writes between two checkpoints, each of which flushes. Every fourth file starts a
// compaction to one run of 20.5 mb, so full sizes go 28, 36, 44, 52 mb and the delta is 8, 8, 8, 28 (truth, state-rocksdb-incremental).
func TestFlushesOfARecordedRun(t *testing.T) {
	r := defaults()
	r.Keys = 20000
	tree := NewTree(&r)
	var sizes []int64
	for range 16 {
		tree.Write(Content{Old: 10000})
		tree.Seal()
		tree.Flush(true)
		tree.Finish(0)
		sizes = append(sizes, tree.Bytes()/1e6)
		settle(&tree)
	}
	for i, want := range []int64{28, 36, 44, 52} {
		if got := sizes[12+i]; got != want {
			t.Errorf("sizes %v mb: the %dth of the last four is %d, want %d", sizes, i+1, got, want)
		}
	}
}

// ingest writes bytes evenly over the keys, memtable by memtable, and lets all compactions end; it says what was written to disk for each byte.
func ingest(tree *Tree, bytes int64) (amplification float64) {
	before := tree.Totals
	for tree.Written-before.Written < bytes {
		tree.Write(Content{Old: tree.rules.Buffer / tree.rules.InMemory})
		tree.Seal()
		settle(tree)
	}
	return float64(tree.Flushed+tree.Compacted-before.Flushed-before.Compacted) / float64(tree.Written-before.Written)
}

// filled is a tree of that many bytes that has run for some time.
func filled(r Rules, bytes int64) *Tree {
	r.Keys = bytes / r.Entry
	tree := NewTree(&r)
	tree.Fill(Content{Old: r.Keys})
	tree.Live(r.Keys)
	ingest(&tree, bytes/4)
	return &tree
}

// The memtable's size decides how often level 1 is rewritten: from 8 to 32 mb the amplification halves and files are a quarter as many when the
// target file size grows alike (chapter A22: 20 to 10, 30 to 20, SST files 160 to 40).
func TestWriteAmplificationFallsWithLargerMemtables(t *testing.T) {
	r := defaults()
	r.Buffer = 8 << 20
	small := ingest(filled(r, 8<<30), 1<<30)
	r.Buffer = 40 << 20
	large := ingest(filled(r, 8<<30), 1<<30)
	t.Logf("amplification %.1f and %.1f", small, large)
	if small < 15 || small > 30 || large < 7 || large > 14 || small/large < 1.6 {
		t.Errorf("amplification %.1f with memtables of 8 mb, %.1f with 40 mb; want about 20 and 10", small, large)
	}
}

func TestFilesAreAsLargeAsTheTarget(t *testing.T) {
	r := defaults()
	few := filled(r, 2500<<20)
	r.File /= 4
	many := filled(r, 2500<<20)
	a, b := len(few.Files(nil)), len(many.Files(nil))
	t.Logf("%d and %d files", a, b)
	if b < 130 || b > 200 || a < 35 || a > 55 {
		t.Errorf("2.5 gb are in %d files of 64 mb and %d of 16 mb; want about 40 and 160 (chapter A22)", a, b)
	}
}

func TestUniversalCompactionWritesLessAndKeepsMore(t *testing.T) {
	r := defaults()
	level := ingest(filled(r, 4<<30), 4<<30)
	r.Style = Universal
	tree := filled(r, 4<<30)
	universal := ingest(tree, 4<<30)
	t.Logf("amplification %.1f level, %.1f universal, %.2f bytes a live byte", level, universal, float64(tree.Bytes())/(4<<30))
	if universal >= level || tree.Bytes() <= 4<<30 || tree.Bytes() > 3*(4<<30)+r.Buffer*4 {
		t.Errorf("amplification %.1f against %.1f by level, %d bytes for 4 gb", universal, level, tree.Bytes())
	}
}

// With room for every level, level 0 goes to the last one's size divided by tens.
func TestDynamicLevelsKeepNineTenthsInTheLast(t *testing.T) {
	r := defaults()
	r.Dynamic = true
	tree := filled(r, 8<<30)
	ingest(tree, 8<<30)
	if last := tree.LevelBytes(Levels - 1); last*10 < tree.Bytes()*8 {
		t.Errorf("%d of %d bytes are in the last level", last, tree.Bytes())
	}
}

// Entries of a retention come and are deleted: what stays is what is kept.
func TestDeletedEntriesLeaveTheFiles(t *testing.T) {
	r := defaults()
	r.Base, r.File = 4<<20, 1<<20
	tree := NewTree(&r)
	const kept, a = 40_000, 1000
	for i := range int64(400) {
		c := Content{New: a}
		if i >= kept/a {
			c.Dels = a
		}
		tree.Write(c)
		tree.Live(min((i+1)*a, kept))
		tree.Seal()
		settle(&tree)
	}
	if n := tree.Entries(); n < kept || n > kept*3/2 {
		t.Errorf("%d entries, of which %d are kept", n, kept)
	}
}

func TestStallsFollowRocksDBsTriggers(t *testing.T) {
	r := defaults()
	tree := NewTree(&r)
	for i, want := range map[int]Pace{19: Free, 20: Slow, 35: Slow, 36: Stopped} {
		tree = NewTree(&r)
		for range i {
			tree.Write(Content{New: 10})
			tree.Seal()
			tree.Flush(true)
			tree.Finish(0)
		}
		if got := tree.Pace(); got != want {
			t.Errorf("%d files in level 0: pace %d, want %d", i, got, want)
		}
	}
	tree = NewTree(&r)
	for range 2 {
		tree.Write(Content{New: 10})
		tree.Seal()
	}
	if tree.Pace() != Stopped {
		t.Error("two memtables wait for a flush and writes go on")
	}
}
