package reference

import (
	"math"

	"checkpointlab/core/event"
)

// group is partitions of a source that count as idle together, where some fall silent while the others go on.
type group struct {
	read, seen int64 // records, and those at the last period
	quiet      event.Time
	idle       bool
	told       int64 // its watermark
}

// silentGroup is the partitions that fall silent; nil if none does, or all do.
func (t *task) silentGroup() *group {
	if l := &t.vertex.Load; l.Quiet && l.QuietSplits > 0 && l.QuietSubtask == t.index {
		return &t.time.groups[0]
	}
	return nil
}

// makeOfGroups says the least of the groups that are not idle.
func (t *task) makeOfGroups(clock event.Time) {
	e, least, some := &t.time, int64(math.MaxInt64), false
	for i := range e.groups {
		from, to := int64(0), int64(t.vertex.Load.QuietSplits)
		if i == 1 {
			from, to = to, t.log.partitions
		}
		if g := &e.groups[i]; !t.periodOf(g, clock, from, to) {
			least, some = min(least, g.told), true
		}
	}
	switch {
	case !some && !e.idle:
		t.turnIdle()
	case some && least > e.told:
		if e.idle {
			e.idle = false
			t.say(mark{status: 2})
		}
		t.reach(least)
	}
	t.write()
}

// periodOf is the end of a period for a group, which has partitions from one up to another; true: it is idle.
func (t *task) periodOf(g *group, clock event.Time, from, to int64) bool {
	rule := &t.vertex.Watermarks
	if rule.Idle > 0 {
		switch {
		case g.read != g.seen:
			g.seen, g.quiet = g.read, -1
		case g.quiet < 0:
			g.quiet = clock
		case clock-g.quiet > rule.Idle:
			g.idle = true
			return true
		}
	}
	least := int64(math.MaxInt64)
	for p := from; p < to; p++ {
		at, any := t.time.splits[p]
		if !any {
			return g.idle
		}
		least = min(least, at)
	}
	if mark := least - rule.Bound/event.Millisecond - 1; mark > g.told {
		g.told, g.idle = mark, false
	}
	return g.idle
}
