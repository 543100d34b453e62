package sink

import "checkpointlab/core/event"

// Contents are the records of a transaction, in the order in which they were written: only what is asked for when readers see
// them. A sink that works at full speed keeps some hundred runs of records in each, and looks at each twice.
type Contents struct {
	Runs    []event.Arrivals
	last    event.Run
	origins []origin // by run, where duplicates are told by them; else empty
}

// add keeps the records of r, joined with the last run where they go on evenly.
func (c *Contents) add(r *event.Run, origins bool) {
	if n := len(c.Runs); n > 0 && c.last.Continues(r) {
		c.last.Count += r.Count
		c.Runs[n-1].Count += r.Count
		return
	}
	c.last = *r
	c.Runs = append(c.Runs, event.Arrivals{Born: r.Born, BornStep: r.BornStep, Count: r.Count})
	if origins {
		c.origins = append(c.origins, origin{r.Since, r.Via, r.Src})
	}
}

func (c *Contents) clear() { c.Runs, c.origins = c.Runs[:0], c.origins[:0] }

// copyFrom makes c a deep copy of src, in c's own memory.
func (c *Contents) copyFrom(src *Contents) {
	c.Runs, c.origins, c.last = append(c.Runs[:0], src.Runs...), append(c.origins[:0], src.origins...), src.last
}
