package watermark

import "checkpointlab/core/event"

// Splits combines the watermarks of two groups of a source's splits, each of which can be idle by itself: the result is the
// least over the groups that are not idle (WatermarkOutputMultiplexer, CombinedWatermarkStatus). A group that ceases to be idle
// holds the watermark until it has caught up.
type Splits struct {
	groups [2]Generator
	out    int64
	idle   bool
}

// Reset begins anew with what a single generator knows; counts are the records of each group so far.
func (s *Splits) Reset(g *Generator, counts [2]int64) {
	s.out, s.idle = None, false
	for i := range s.groups {
		s.groups[i] = Generator{Bound: g.Bound, Timeout: g.Timeout}
		s.groups[i].Reset(counts[i])
	}
}

// Tick is a periodic emission. For each group it takes the number of records so far, and the greatest time in ms of a record in
// the split where that is least, None if a split had no record.
func (s *Splits) Tick(clock event.Time, counts, latest [2]int64, newest int64) Output {
	least, idle := End, true
	for i := range s.groups {
		g := &s.groups[i]
		g.Tick(clock, counts[i], latest[i], None)
		if !g.idle {
			least, idle = min(least, g.out), false
		}
	}
	switch {
	case idle && !s.idle:
		s.idle = true
		return lastOf(newest, s.groups[0].Bound, &s.out)
	case idle || least <= s.out:
		return Output{}
	}
	o := Output{Mark: least, Moved: true}
	if s.idle {
		s.idle, o.Status = false, Active
	}
	s.out = least
	return o
}
