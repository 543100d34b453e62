package checkpoint

import (
	"slices"

	"checkpointlab/core/event"
)

// Regions lets a checkpoint complete although some regions of the job have given it up. No released Flink does that (spec 2.7);
// the rule is the lab's own, modelled on what is published about StreamShield (published 1.6):
//
// A region is a pipelined region, so that no record passes from one to another and their parts fit together whatever their age.
// A checkpoint goes on without a region in which a task declines it or has not acknowledged it by the timeout: the region's
// part of the latest completed checkpoint is used again, at most Reuse times in a row. It is aborted as usual if a region has
// been reused that often, if nothing was completed before, or if no region is left. A savepoint is never merged, and a task
// that fails ends all checkpoints as usual. Tasks of an omitted region hear that the checkpoint is aborted, so that their sinks
// commit nothing.
type Regions struct {
	Of    []int32 // by task: its region's first task
	Reuse int     // 0 = every checkpoint is of the whole job
}

// SetRegions says how tasks are joined from now on.
func (c *Coordinator) SetRegions(r Regions) {
	c.regions = r
	c.reused = slices.Grow(c.reused[:0], len(r.Of))[:len(r.Of)]
	clear(c.reused)
}

// Lost reports whether a checkpoint in progress goes without a task's region.
func (c *Coordinator) Lost(id event.Checkpoint, t event.Task) bool {
	p := c.Find(id)
	return p != nil && len(p.lost) > 0 && p.lost[c.regions.Of[t]]
}

// mayLose reports whether slot i can go without the region of t.
func (c *Coordinator) mayLose(i int, t event.Task) bool {
	p := &c.pending.slots[i]
	r := c.regions
	return r.Reuse > 0 && !c.forceFull && p.Snapshot == Checkpoint && p.Format != Full && len(c.store) > 0 && t >= 0 && c.reused[r.Of[t]] < r.Reuse
}

// lose lets slot i go without the region of t. False: it cannot.
func (c *Coordinator) lose(i int, t event.Task, reason event.Reason, out []Effect) ([]Effect, bool) {
	p := &c.pending.slots[i]
	if !c.mayLose(i, t) {
		return out, false
	}
	if len(p.lost) == 0 {
		p.lost = slices.Grow(p.lost, c.cfg.Tasks)[:c.cfg.Tasks]
		clear(p.lost)
	}
	region := c.regions.Of[t]
	if p.lost[region] {
		return out, true
	}
	p.lost[region], p.reason = true, reason
	if !c.anyLeft(p) {
		p.lost[region] = false
		return out, false
	}
	for k := range event.Task(c.cfg.Tasks) {
		if c.regions.Of[k] == region && !p.Acked(k) {
			p.acked[k>>6] |= 1 << (k & 63)
			p.Left--
		}
	}
	return append(out, Effect{Kind: RegionLost, ID: p.ID, Task: region, Reason: reason}), true
}

// anyLeft reports whether a task that runs gives its own part.
func (c *Coordinator) anyLeft(p *Pending) bool {
	for t := range event.Task(c.cfg.Tasks) {
		if !c.Finished(t) && !p.lost[c.regions.Of[t]] {
			return true
		}
	}
	return false
}

// loseLate lets slot i go without every region that is late. False: it cannot, and nothing has changed that matters to an abort.
func (c *Coordinator) loseLate(i int, out []Effect) ([]Effect, bool) {
	p := &c.pending.slots[i]
	for t := range event.Task(c.cfg.Tasks) {
		if !p.Acked(t) && !c.mayLose(i, t) {
			return out, false
		}
	}
	for t := range event.Task(c.cfg.Tasks) {
		if p.Acked(t) {
			continue
		}
		var ok bool
		if out, ok = c.lose(i, t, event.CheckpointExpired, out); !ok {
			return out, false
		}
	}
	return out, p.complete()
}

// merge says which parts of the latest completed checkpoint slot i takes. False: with another one that was complete meanwhile a
// region would be used again too often.
func (c *Coordinator) merge(i int, out []Effect) ([]Effect, bool) {
	p := &c.pending.slots[i]
	latest, _ := c.LatestCompleted()
	for t, lost := range p.lost {
		if lost && c.reused[t] >= c.regions.Reuse {
			return out, false
		}
	}
	for t, lost := range p.lost {
		if lost {
			out = append(out, Effect{Kind: Merge, ID: p.ID, Other: latest, Task: event.Task(t)})
		}
	}
	return out, true
}

// countReuse notes which regions a completed checkpoint goes without.
func (c *Coordinator) countReuse(p *Pending) {
	for t := range c.reused {
		if len(p.lost) > 0 && p.lost[t] {
			c.reused[t]++
		} else {
			c.reused[t] = 0
		}
	}
}
