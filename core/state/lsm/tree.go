// Package lsm is RocksDB's files without their keys: memtables, levels, compactions, by entries and bytes (spec 8.2).
//
// Read Rules and Tree first (tree.go: what is written and flushed), then pick.go (what is compacted when), merge.go (what becomes
// of entries that meet), reads.go (what a read costs). A Tree is one column family. It knows no time: the caller runs the jobs
// that Flush and Pick hand out and says when they have ended.
//
// What is conserved is exact: each entry written is in a memtable or in a file, or was replaced or deleted by a later one.
// Inside a file the keys lie evenly: how many entries of two files have the same key is the expected number.
package lsm

import "checkpointlab/core/state/keyed"

// whole is the key space: files hold parts [Lo, Hi) of it.
const whole = 1 << 32

// Levels is RocksDB's number of levels (Options::num_levels).
const Levels = 7

// RocksDB's triggers (AdvancedColumnFamilyOptions and ColumnFamilyOptions, which Flink leaves alone).
const (
	compactionTrigger = 4         // level0_file_num_compaction_trigger
	slowTrigger       = 20        // level0_slowdown_writes_trigger
	stopTrigger       = 36        // level0_stop_writes_trigger
	slowPending       = 64 << 30  // soft_pending_compaction_bytes_limit
	stopPending       = 256 << 30 // hard_pending_compaction_bytes_limit
	multiplier        = 10        // max_bytes_for_level_multiplier
	sizeRatio         = 1         // CompactionOptionsUniversal::size_ratio, per cent
	sizeAmplification = 200       // max_size_amplification_percent
)

// Style is the compaction style.
type Style uint8

// The styles that are modelled.
const (
	Level Style = iota
	Universal
)

// Rules are a column family's options and the sizes of what it holds.
type Rules struct {
	Keys     int64 // population that writes may replace each other in
	Entry    int64 // bytes of an entry in a file, before compression
	Deletion int64 // bytes of a tombstone in a file
	InMemory int64 // bytes of a write in a memtable
	Compress int64 // per mille of the bytes that compression leaves

	Buffer  int64 // write buffer size
	Buffers int   // max write buffers
	Merge   int   // min write buffers to merge
	Style   Style
	Base    int64 // max bytes of level 1
	File    int64 // target file size
	Dynamic bool  // level_compaction_dynamic_level_bytes
}

// Content is entries by what can become of them.
type Content struct {
	Old  int64 // of keys from the population: of two with one key the newer replaces the other
	New  int64 // of keys of their own
	Dels int64 // tombstones, each of one entry
}

func (c Content) puts() int64 { return c.Old + c.New }

func (c Content) plus(d Content) Content {
	return Content{c.Old + d.Old, c.New + d.New, c.Dels + d.Dels}
}

// File is one SST file.
type File struct {
	Number int64
	Lo, Hi int64
	Run    int64 // universal: files of one sorted run
	Bytes  int64
	Content
	job int64 // it is an input of, 0 = none
}

// Job is a flush or a compaction under way.
type Job struct {
	ID     int64
	From   int // level, -1 = a flush
	To     int
	Read   int64 // bytes
	Write  int64
	Left   int64 // bytes of both that are still to do: the caller counts them down
	Lo, Hi int64
	run    int64
	Content
	tables int   // memtables of a flush
	gone   int64 // entries of the inputs that are not in Content
}

// Totals are conserved sums over the tree's life, in bytes unless said otherwise.
type Totals struct {
	Written     int64 // by the user, uncompressed
	Flushed     int64
	CompactRead int64
	Compacted   int64 // written by compactions
	Puts, Gone  int64 // entries written, and replaced or deleted
	Flushes     int64 // number
	Compactions int64 // number
}

// Tree is one column family. NewTree makes one.
type Tree struct {
	rules  *Rules
	active Content
	full   []Content // immutable, oldest first
	levels [Levels][]File
	jobs   []Job
	cursor [Levels]int64 // where the next pick of a level begins
	next   int64         // number of the next file
	last   int64         // of the last job
	live   int64         // current entries; -1: not told
	pinned int           // memtables under a flush
	Totals
}

// NewTree is an empty column family.
func NewTree(r *Rules) Tree { return Tree{rules: r, next: 1, live: -1} }

// Rules are the tree's.
func (t *Tree) Rules() *Rules { return t.rules }

// Write takes writes into the active memtable.
func (t *Tree) Write(c Content) {
	t.active = t.active.plus(c)
	t.Puts += c.puts()
	t.Written += c.puts()*t.rules.Entry + c.Dels*t.rules.Deletion
}

// Live tells how many entries are current: compactions to the last level leave no more.
func (t *Tree) Live(n int64) { t.live = n }

// memory is the bytes of a memtable with that content.
func (t *Tree) memory(c Content) int64 {
	return c.puts()*t.rules.InMemory + c.Dels*(t.rules.InMemory-t.rules.Entry+t.rules.Deletion)
}

// Active is the bytes of the active memtable, Memtables of all.
func (t *Tree) Active() int64 { return t.memory(t.active) }

// Memtables is the bytes of all memtables.
func (t *Tree) Memtables() int64 {
	n := t.Active()
	for _, c := range t.full {
		n += t.memory(c)
	}
	return n
}

// Immutable is how many memtables wait for a flush or are in one.
func (t *Tree) Immutable() int { return len(t.full) }

// Empty reports whether no memtable holds anything.
func (t *Tree) Empty() bool { return t.active == Content{} && len(t.full) == 0 }

// Seal makes the active memtable immutable, unless it is empty.
func (t *Tree) Seal() {
	if t.active == (Content{}) {
		return
	}
	t.full = append(t.full, t.active)
	t.active = Content{}
}

// Flush starts to flush the immutable memtables together, if there are enough and none is being flushed; all flushes whatever
// is there, as a checkpoint does. ok is false if there is nothing to do.
func (t *Tree) Flush(all bool) (ok bool) {
	n := len(t.full) - t.pinned
	if n == 0 || t.pinned > 0 || !all && n < min(t.rules.Merge, t.rules.Buffers-1) {
		return false
	}
	var c Content
	for _, f := range t.full {
		c = c.plus(f)
	}
	t.pinned = n
	raw := c.puts()
	c.Old = keyed.Distinct(t.rules.Keys, c.Old)
	below := t.entries()
	c = c.cancel(below, below == 0)
	t.start(Job{From: -1, Hi: whole, Content: c, Write: t.size(c), tables: n, gone: raw - c.puts()})
	return true
}

// start books a job.
func (t *Tree) start(j Job) {
	t.last++
	j.ID, j.Left = t.last, j.Read+j.Write
	t.jobs = append(t.jobs, j)
}

// Jobs are those under way, oldest first. The caller may change Left.
func (t *Tree) Jobs() []Job { return t.jobs }

// Compacting is how many compactions are under way.
func (t *Tree) Compacting() int {
	n := len(t.jobs)
	if t.pinned > 0 {
		n--
	}
	return n
}

// Flushing reports whether a flush is under way.
func (t *Tree) Flushing() bool { return t.pinned > 0 }

// Finish ends the i-th job: its outputs replace its inputs.
func (t *Tree) Finish(i int) {
	j := t.jobs[i]
	t.jobs = append(t.jobs[:i], t.jobs[i+1:]...)
	t.Gone += j.gone
	if j.From < 0 {
		t.full = t.full[:copy(t.full, t.full[j.tables:])]
		t.pinned = 0
		t.Flushed += j.Write
		t.Flushes++
		j.run = j.ID // the newest sorted run
		t.put(&j, 1)
		return
	}
	for l := j.From; l <= j.To; l++ {
		kept := t.levels[l][:0]
		for _, f := range t.levels[l] {
			if f.job != j.ID {
				kept = append(kept, f)
			}
		}
		t.levels[l] = kept
	}
	t.CompactRead += j.Read
	t.Compacted += j.Write
	t.Compactions++
	t.put(&j, max(1, (j.Write+t.rules.File-1)/t.rules.File))
}

// put adds n files with a job's content, which the key range divides evenly.
func (t *Tree) put(j *Job, n int64) {
	if j.Content == (Content{}) {
		return
	}
	part := func(total, i int64) int64 { return keyed.Scale(total, i+1, n) - keyed.Scale(total, i, n) }
	at, level := t.place(j), t.levels[j.To]
	for range n {
		level = append(level, File{})
	}
	copy(level[at+int(n):], level[at:])
	for i := range n {
		level[at+int(i)] = File{
			Number: t.next, Lo: j.Lo + keyed.Scale(j.Hi-j.Lo, i, n), Hi: j.Lo + keyed.Scale(j.Hi-j.Lo, i+1, n), Run: j.run,
			Content: Content{part(j.Old, i), part(j.New, i), part(j.Dels, i)}, Bytes: part(j.Write, i),
		}
		t.next++
	}
	t.levels[j.To] = level
}

// place is where a job's outputs go in their level: level 0 is newest first, the others are in the order of keys.
func (t *Tree) place(j *Job) int {
	for i, f := range t.levels[j.To] {
		if j.To == 0 && f.Run < j.run || j.To > 0 && f.Lo >= j.Lo {
			return i
		}
	}
	return len(t.levels[j.To])
}

// size is the bytes of a file with that content: entries, and an index and a footer that are small beside them.
func (t *Tree) size(c Content) int64 {
	return keyed.Scale(c.puts()*t.rules.Entry+c.Dels*t.rules.Deletion, t.rules.Compress, 1000)
}

// entries is how many are in files.
func (t *Tree) entries() (n int64) {
	for l := range t.levels {
		for i := range t.levels[l] {
			n += t.levels[l][i].puts()
		}
	}
	return n
}

// Entries is how many are in memtables and files; one key may have several.
func (t *Tree) Entries() int64 {
	n := t.entries() + t.active.puts()
	for _, c := range t.full {
		n += c.puts()
	}
	return n
}

// Bytes is the size of all files.
func (t *Tree) Bytes() (n int64) {
	for l := range t.levels {
		n += t.LevelBytes(l)
	}
	return n
}

// LevelBytes is the size of a level's files, LevelFiles their number.
func (t *Tree) LevelBytes(l int) (n int64) {
	for i := range t.levels[l] {
		n += t.levels[l][i].Bytes
	}
	return n
}

// LevelFiles is how many files a level has.
func (t *Tree) LevelFiles(l int) int { return len(t.levels[l]) }

// Files appends all files, level by level.
func (t *Tree) Files(out []File) []File {
	for l := range t.levels {
		out = append(out, t.levels[l]...)
	}
	return out
}

// Fill makes the tree hold entries in its last level, as if all had been compacted.
func (t *Tree) Fill(c Content) {
	t.Puts += c.puts()
	j := Job{Hi: whole, Content: c, Write: t.size(c), To: 1, run: 1}
	if t.rules.Style == Universal {
		j.To = 0
	} else if t.rules.Dynamic {
		j.To = Levels - 1
	} else {
		for target := t.rules.Base; j.To < Levels-1 && j.Write > target; target *= multiplier {
			j.To++
		}
	}
	t.put(&j, max(1, (j.Write+t.rules.File-1)/t.rules.File))
	t.last = 1
}

// CopyFrom makes t a deep copy of src, in its own memory.
func (t *Tree) CopyFrom(src *Tree) {
	full, jobs, levels := append(t.full[:0], src.full...), append(t.jobs[:0], src.jobs...), t.levels
	for l := range levels {
		levels[l] = append(levels[l][:0], src.levels[l]...)
	}
	*t = *src
	t.full, t.jobs, t.levels = full, jobs, levels
}

// Reopen is the tree after a restart from its files: memtables and jobs are gone, the outputs that jobs had begun as well.
func (t *Tree) Reopen() {
	t.active, t.full, t.jobs, t.pinned = Content{}, t.full[:0], t.jobs[:0], 0
	for l := range t.levels {
		for i := range t.levels[l] {
			t.levels[l][i].job = 0
		}
	}
}

// Buffered is about how many keys the memtables hold.
func (t *Tree) Buffered() int64 {
	c := t.active
	for _, f := range t.full {
		c = c.plus(f)
	}
	return keyed.Distinct(t.rules.Keys, c.Old) + c.New
}

// Sorted is how many sorted runs a level has, and their entries: above level 0 one.
func (t *Tree) Sorted(l int) (runs, entries int64) {
	last := int64(-1)
	for i := range t.levels[l] {
		f := &t.levels[l][i]
		if l == 0 && f.Run != last || runs == 0 {
			runs++
		}
		last = f.Run
		entries += f.puts()
	}
	return runs, entries
}
