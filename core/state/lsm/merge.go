package lsm

import "checkpointlab/core/state/keyed"

// over is what is left when newer entries meet older ones of the key range that the older ones span, whose width is of the key space:
// of two with one key the newer stays. A newer key of the population is among the older ones with the older ones' density.
func (t *Tree) over(newer, older Content, width int64) Content {
	out := newer.plus(older)
	room := max(1, keyed.Scale(t.rules.Keys, width, whole))
	same := keyed.Scale(newer.Old, min(older.Old, room), room)
	out.Old = min(out.Old-min(same, older.Old), max(room, newer.Old, older.Old))
	return out
}

// cancel lets tombstones meet their entries. deeper is how many entries lie below, where most of them go: at the bottom each has met its entry or
// has none, and is dropped.
func (c Content) cancel(deeper int64, bottom bool) Content {
	if c.Dels == 0 {
		return c
	}
	met := c.Dels
	if !bottom {
		met = keyed.Scale(c.Dels, c.puts(), max(1, c.puts()+deeper))
	}
	fromNew := min(c.New, met)
	fromOld := min(c.Old, met-fromNew)
	c.New, c.Old = c.New-fromNew, c.Old-fromOld
	if bottom {
		c.Dels = 0
	} else {
		c.Dels -= fromNew + fromOld
	}
	return c
}

// merge is what a compaction of inputs, newest first, leaves in [lo, hi) when it goes to a level; those of one level lie beside each other.
func (t *Tree) merge(levels []Content, to int, lo, hi int64) Content {
	width := hi - lo
	out := levels[len(levels)-1]
	for i := len(levels) - 2; i >= 0; i-- {
		out = t.over(levels[i], out, width)
	}
	deeper, bottom := t.below(to, lo, hi)
	out = out.cancel(deeper, bottom)
	if most := keyed.Scale(t.live, width, whole) + 1; bottom && t.live >= 0 && out.puts() > most {
		drop := out.puts() - most
		fromOld := min(out.Old, drop)
		out.Old, out.New = out.Old-fromOld, out.New-(drop-fromOld)
	}
	return out
}

// below is how many entries the key range has in deeper levels; bottom: none.
func (t *Tree) below(to int, lo, hi int64) (n int64, bottom bool) {
	for l := to + 1; l < Levels; l++ {
		for i := range t.levels[l] {
			if f := &t.levels[l][i]; f.Lo < hi && lo < f.Hi {
				n += f.puts()
			}
		}
	}
	return n, n == 0
}
