package sink

import "checkpointlab/core/event"

// Contents are the records of a transaction, in the order in which they were written: only what is asked for when readers see
// them. A sink that works at full speed keeps some hundred runs of records in each, and looks at each twice.
type Contents struct {
	Runs    []event.Arrivals
	last    event.Run
	origins []origin // by run, where duplicates are told by them; else empty
}

// add keeps the records of runs, each joined with the one before it where they go on evenly.
func (c *Contents) add(runs []event.Run, origins bool) {
	last := &c.last
	for i := range runs {
		r := &runs[i]
		if n := len(c.Runs); n > 0 && last.Meets(r) && last.Continues(r) {
			if last != &c.last {
				c.last, last = *last, &c.last
			}
			last.Count += r.Count
			c.Runs[n-1].Count += r.Count
			continue
		}
		last = r
		c.Runs = append(c.Runs, event.Arrivals{Born: r.Born, BornStep: r.BornStep, Count: r.Count})
		if origins {
			c.origins = append(c.origins, origin{r.Since, r.Via})
		}
	}
	if last != &c.last {
		c.last = *last
	}
}

func (c *Contents) clear() { c.Runs, c.origins = c.Runs[:0], c.origins[:0] }

// copyFrom makes c a deep copy of src, in c's own memory.
func (c *Contents) copyFrom(src *Contents) {
	c.Runs, c.origins, c.last = append(c.Runs[:0], src.Runs...), append(c.origins[:0], src.origins...), src.last
}
