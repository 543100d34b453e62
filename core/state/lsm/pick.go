package lsm

import "checkpointlab/core/state/keyed"

// Pick starts the most urgent compaction, if one is due whose files are free.
func (t *Tree) Pick() bool {
	if t.rules.Style == Universal {
		return t.pickUniversal()
	}
	base, targets := t.targets()
	var tried [Levels]bool
	for range Levels {
		best, score := -1, int64(0)
		for l := 0; l < Levels-1; l++ {
			if s := t.score(l, targets[l]); !tried[l] && s >= 1000 && s > score && (l == 0 || l >= base) {
				best, score = l, s
			}
		}
		if best < 0 {
			return false
		}
		tried[best] = true
		if best == 0 && t.pickZero(base) || best > 0 && t.pickFile(best) {
			return true
		}
	}
	return false
}

// targets are the most bytes of each level (VersionStorageInfo::CalculateBaseBytes); base is the level into which level 0 goes.
func (t *Tree) targets() (base int, targets [Levels]int64) {
	size := t.rules.Base
	for l := 1; l < Levels; l++ {
		targets[l] = size
		if size < 1<<58 {
			size *= multiplier
		}
	}
	if !t.rules.Dynamic {
		return 1, targets
	}
	size = max(t.LevelBytes(Levels-1), t.rules.Base)
	for base = Levels - 1; base > 1 && size > t.rules.Base; base-- {
		targets[base] = size
		size /= multiplier
	}
	targets[base] = max(size, t.rules.Base/multiplier)
	return base, targets
}

// score is how full a level is, per mille of where compaction begins; what is being compacted does not count above level 0.
func (t *Tree) score(l int, target int64) int64 {
	if l == 0 {
		return int64(len(t.levels[0])) * 1000 / compactionTrigger
	}
	n := int64(0)
	for i := range t.levels[l] {
		if f := &t.levels[l][i]; f.job == 0 {
			n += f.Bytes
		}
	}
	if target == 0 {
		return 0
	}
	return keyed.Scale(n, 1000, target)
}

// pickZero compacts all of level 0 with all of the base level: their keys lie everywhere.
func (t *Tree) pickZero(base int) bool {
	for _, l := range []int{0, base} {
		for i := range t.levels[l] {
			if t.levels[l][i].job != 0 {
				return false
			}
		}
	}
	id := t.last + 1
	inputs := make([]Content, 0, 64)
	read := int64(0)
	for i := range t.levels[0] {
		f := &t.levels[0][i]
		f.job = id
		read += f.Bytes
		inputs = append(inputs, f.Content)
	}
	var older Content
	for i := range t.levels[base] {
		f := &t.levels[base][i]
		f.job = id
		read += f.Bytes
		older = older.plus(f.Content)
	}
	t.compact(Job{From: 0, To: base, Read: read, Hi: whole}, append(inputs, older))
	return true
}

// pickFile compacts the next file of a level whose files below are free with these; a file that meets none is only moved.
func (t *Tree) pickFile(l int) bool {
	files := t.levels[l]
	begin := 0
	for begin < len(files) && files[begin].Lo < t.cursor[l] {
		begin++
	}
	for k := range files {
		i := (begin + k) % len(files)
		if files[i].job != 0 || !t.free(l+1, files[i].Lo, files[i].Hi) {
			continue
		}
		t.cursor[l] = files[i].Hi
		t.compactFile(l, i)
		return true
	}
	return false
}

// free reports whether no file of the level that meets [lo, hi) is being compacted.
func (t *Tree) free(l int, lo, hi int64) bool {
	for i := range t.levels[l] {
		if f := &t.levels[l][i]; f.job != 0 && f.Lo < hi && lo < f.Hi {
			return false
		}
	}
	return true
}

func (t *Tree) compactFile(l, i int) {
	f := &t.levels[l][i]
	j := Job{From: l, To: l + 1, Read: f.Bytes, Lo: f.Lo, Hi: f.Hi}
	id, meets := t.last+1, false
	var older Content
	for k := range t.levels[l+1] {
		if o := &t.levels[l+1][k]; o.Lo < f.Hi && f.Lo < o.Hi {
			o.job, meets = id, true
			j.Lo, j.Hi, j.Read = min(j.Lo, o.Lo), max(j.Hi, o.Hi), j.Read+o.Bytes
			older = older.plus(o.Content)
		}
	}
	if !meets {
		t.move(l, i)
		return
	}
	f.job = id
	t.compact(j, []Content{f.Content, older})
}

// move is a trivial move: the file goes one level down unread.
func (t *Tree) move(l, i int) {
	f := t.levels[l][i]
	t.levels[l] = append(t.levels[l][:i], t.levels[l][i+1:]...)
	at := 0
	for at < len(t.levels[l+1]) && t.levels[l+1][at].Lo < f.Lo {
		at++
	}
	below := append(t.levels[l+1], File{})
	copy(below[at+1:], below[at:])
	below[at] = f
	t.levels[l+1] = below
}

// compact books a job whose inputs are marked, newest first.
func (t *Tree) compact(j Job, inputs []Content) {
	var raw int64
	for _, c := range inputs {
		raw += c.puts()
	}
	j.Content = t.merge(inputs, j.To, j.Lo, j.Hi)
	j.gone = raw - j.puts()
	j.Write = t.size(j.Content)
	t.start(j)
}

// pickUniversal merges sorted runs of level 0, the newest first: all when the newer ones are too large beside the oldest, else as many
// as are about as large as those before, else enough to be below the trigger (UniversalCompactionPicker).
func (t *Tree) pickUniversal() bool {
	if t.Compacting() > 0 {
		return false
	}
	var runs []int64 // bytes, newest first
	last := int64(-1)
	for i := range t.levels[0] {
		if f := &t.levels[0][i]; f.Run != last {
			runs, last = append(runs, 0), f.Run
		}
		runs[len(runs)-1] += t.levels[0][i].Bytes
	}
	if len(runs) < compactionTrigger {
		return false
	}
	newer := int64(0)
	for _, r := range runs[:len(runs)-1] {
		newer += r
	}
	first, n := similar(runs)
	switch {
	case newer*100 >= runs[len(runs)-1]*sizeAmplification:
		first, n = 0, len(runs)
	case n < 2 && len(runs) > compactionTrigger:
		first, n = 0, len(runs)-compactionTrigger+1
	case n < 2:
		return false
	}
	t.mergeRuns(first, n, first+n == len(runs))
	return true
}

// similar is the newest runs of which each is at most as large as all before it, and how many.
func similar(runs []int64) (first, n int) {
	for first = range runs {
		n = 1
		for sum := runs[first]; first+n < len(runs) && runs[first+n]*100 <= sum*(100+sizeRatio); n++ {
			sum += runs[first+n]
		}
		if n >= 2 {
			return first, n
		}
	}
	return 0, 0
}

// mergeRuns compacts n runs from the first-th newest on into one.
func (t *Tree) mergeRuns(first, n int, oldest bool) {
	id, last, run := t.last+1, int64(-1), -1
	j := Job{Hi: whole}
	var inputs []Content
	for i := range t.levels[0] {
		f := &t.levels[0][i]
		if f.Run != last {
			run, last = run+1, f.Run
			if run >= first && run < first+n {
				inputs = append(inputs, Content{})
			}
		}
		if run < first || run >= first+n {
			continue
		}
		f.job, j.run, j.Read = id, f.Run, j.Read+f.Bytes
		inputs[run-first] = inputs[run-first].plus(f.Content)
	}
	var raw int64
	for _, c := range inputs {
		raw += c.puts()
	}
	if oldest {
		j.Content = t.merge(inputs, Levels-1, 0, whole) // below it is nothing
	} else {
		j.Content = t.mergePart(inputs)
	}
	j.gone = raw - j.puts()
	j.Write = t.size(j.Content)
	t.start(j)
}

// mergePart merges runs that are not the oldest: tombstones stay for what lies in the others.
func (t *Tree) mergePart(inputs []Content) Content {
	out := inputs[len(inputs)-1]
	for i := len(inputs) - 2; i >= 0; i-- {
		out = t.over(inputs[i], out, whole)
	}
	return out.cancel(t.entries(), false)
}

// Pending is the bytes that compactions would have to read and write until every level is within its target
// (VersionStorageInfo::EstimateCompactionBytesNeeded).
func (t *Tree) Pending() (n int64) {
	if t.rules.Style == Universal {
		return 0
	}
	base, targets := t.targets()
	carry := int64(0)
	if len(t.levels[0]) >= compactionTrigger {
		carry = t.LevelBytes(0)
		n = carry + t.LevelBytes(base)
	}
	for l := base; l < Levels-1; l++ {
		size := t.LevelBytes(l) + carry
		if carry = max(0, size-targets[l]); carry == 0 || targets[l] == 0 {
			carry = 0
			continue
		}
		n += carry + keyed.Scale(t.LevelBytes(l+1), min(carry, size), size)
	}
	return n
}

// Pace is how fast writes are let in.
type Pace uint8

// The paces (WriteController).
const (
	Free Pace = iota
	Slow      // at the delayed write rate
	Stopped
)

// Pace is the tree's (ColumnFamilyData::GetWriteStallConditionAndCause).
func (t *Tree) Pace() Pace {
	files := len(t.levels[0])
	if t.rules.Style == Universal {
		files = t.runs()
	}
	pending := int64(0)
	if files > 0 || t.Compacting() > 0 {
		pending = t.Pending()
	}
	switch {
	case len(t.full) >= t.rules.Buffers || files >= stopTrigger || pending >= stopPending:
		return Stopped
	case files >= slowTrigger || pending >= slowPending || t.rules.Buffers > 3 && len(t.full) >= t.rules.Buffers-1:
		return Slow
	}
	return Free
}

// runs is the number of sorted runs in level 0.
func (t *Tree) runs() (n int) {
	last := int64(-1)
	for i := range t.levels[0] {
		if f := &t.levels[0][i]; f.Run != last {
			n, last = n+1, f.Run
		}
	}
	return n
}
