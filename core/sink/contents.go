package sink

import "checkpointlab/core/event"

// Contents are the records of a transaction, in the order in which they were written: only what is asked for when readers see
// them. A sink that works at full speed keeps some hundred runs of records in each, and looks at each twice.
type Contents struct {
	Runs   []event.Arrivals
	last   event.Run
	places []place // by run, where duplicates are told by them; else empty
}

// place is where a run's records come from.
type place struct {
	pos, step int64
	via       int32
	source    event.Task
}

// add keeps the records of r, joined with the last run where they go on evenly.
func (c *Contents) add(r *event.Run, places bool) {
	if n := len(c.Runs); n > 0 && c.last.Continues(r) {
		c.last.Count += r.Count
		c.Runs[n-1].Count += r.Count
		return
	}
	c.last = *r
	c.Runs = append(c.Runs, event.Arrivals{Born: r.Born, BornStep: r.BornStep, Count: r.Count})
	if places {
		c.places = append(c.places, place{r.Pos, r.PosStep, r.Via, r.Src})
	}
}

func (c *Contents) clear() { c.Runs, c.places = c.Runs[:0], c.places[:0] }

// copyFrom makes c a deep copy of src, in c's own memory.
func (c *Contents) copyFrom(src *Contents) {
	c.Runs, c.places, c.last = append(c.Runs[:0], src.Runs...), append(c.places[:0], src.places...), src.last
}
