package finding

import (
	"fmt"
	"slices"

	"checkpointlab/core"
	"checkpointlab/core/event"
)

// A checkpoint stands out that takes so many times as long as half of all do, and at least leastSlow.
const outstanding = 10

// usual is the median duration of checkpoints, and whether there are enough to say so.
func usual(list []*core.CheckpointRecord) (d event.Time, ok bool) {
	all := make([]event.Time, 0, len(list))
	for _, c := range list {
		all = append(all, c.Duration())
	}
	slices.Sort(all)
	if len(all) == 0 {
		return 0, false
	}
	return all[(len(all)-1)/2], len(all) >= enough
}

// spikes: most checkpoints are fast and a few are not, so that a mean says nothing of either.
func (r *run) spikes() {
	list := r.completed(1 << 20)
	half, ok := usual(list)
	if !ok {
		return
	}
	var slow []*core.CheckpointRecord
	for _, c := range list {
		if c.Duration() >= max(leastSlow, outstanding*half) {
			slow = append(slow, c)
		}
	}
	if len(slow) == 0 {
		return
	}
	at, ok := lastTo(slow[0])
	if !ok {
		return
	}
	r.say("spikes: %d of %d checkpoints took %s or longer, but half of them no more than %s: the mean says nothing of either. %s", len(slow), len(list),
		span(max(leastSlow, outstanding*half)), span(half), r.stoodOut(slow[0], at))
}

// stoodOut says what a checkpoint waited for that took much longer than others.
func (r *run) stoodOut(c *core.CheckpointRecord, at int) string {
	p := &c.Tasks[at]
	delay, align, sync, async := p.StartDelay, max(0, p.Alignment), max(0, p.Sync), stored(p)
	switch max(delay, align, sync, async) {
	case async:
		return fmt.Sprintf("In the last of them, %d, the asynchronous part of %s took %s: the storage was slow then, or had much more to take", c.ID, r.name(at), span(async))
	case sync:
		return fmt.Sprintf("In the last of them, %d, the synchronous part of %s took %s", c.ID, r.name(at), span(sync))
	}
	hop, waited := r.longestHop(c, at)
	v, _ := r.vertexOf(hop)
	switch {
	case r.s.Vertices[v].Kind == core.Source:
		return fmt.Sprintf("In the last of them, %d, %s took the barrier only after %s: its thread, or the lock under which it emits, was not free", c.ID, r.name(hop), span(waited))
	case r.s.Vertices[v].Window.Size > 0 && !(r.s.Options.Unaligned && r.s.Options.InterruptibleTimers):
		return fmt.Sprintf("In the last of them, %d, the barrier stood before %s for %s while windows fired: a thread reads no barrier, unaligned or not, until all timers that are due have fired. "+
			"With unaligned checkpoints execution.checkpointing.unaligned.interruptible-timers.enabled lets it pass between two of them", c.ID, r.name(hop), span(waited))
	}
	return fmt.Sprintf("In the last of them, %d, the barrier stood before %s for %s: its thread did something else then (a call that does not return, a pause of its process), or worked off what had piled up. Look at what happened at that time, not at the settings", c.ID, r.name(hop), span(waited))
}

// unseen: sinks that commit with checkpoints, and no checkpoints.
func (r *run) unseen() {
	if r.s.Options.Interval > 0 || r.v.Coord.JobFailed || r.v.Coord.Completed > 0 {
		return
	}
	read := int64(0)
	for v := range r.v.Vertices {
		for i := range r.v.Vertices[v].Tasks {
			read += r.v.Vertices[v].Tasks[i].Log.Read
		}
	}
	for v := range r.v.Vertices {
		waits := int64(0)
		for i := range r.v.Vertices[v].Tasks {
			if o := &r.v.Vertices[v].Tasks[i].Output; o.Guarantee == core.ExactlyOnce {
				waits += o.Written - o.Visible
			}
		}
		if r.s.Vertices[v].Kind == core.Sink && waits > 0 {
			r.say("no checkpoints: execution.checkpointing.interval is not set, and %s commits only when a checkpoint completes: it has written %d records, and a read_committed reader sees none of them. A failure would begin from the start, %d records again",
				r.s.Vertices[v].Name, waits, read)
			return
		}
	}
	if read > 0 {
		r.say("no checkpoints: execution.checkpointing.interval is not set: without a restart strategy a failure ends the job, and with one it begins from the start, %d records again, with empty state", read)
	}
}

// leastBehind is how old the oldest unread record has to be to be told.
const leastBehind = 10 * event.Second

// behind: a source that does not keep up although nothing behind it holds it back.
func (r *run) behind() {
	for v := range r.v.Vertices {
		if r.s.Vertices[v].Kind != core.Source {
			continue
		}
		tasks, at := r.v.Vertices[v].Tasks, -1
		sum := int64(0)
		for i := range tasks {
			t := &tasks[i]
			sum += t.Log.Arrived
			if t.Log.OldestWait >= leastBehind && t.Metrics.BusyTimeMsPerSecond >= full && (at < 0 || t.Log.OldestWait > tasks[at].Log.OldestWait) {
				at = i
			}
		}
		if at < 0 {
			continue
		}
		t := &tasks[at]
		if even := sum / int64(len(tasks)); t.Log.Arrived*4 > even*5 {
			r.say("lag: subtask %d of %s is busy for %d ms a second and %d records behind, the oldest for %s, for its partitions get %.1f times the mean of the records. More subtasks do not split a partition; rebalance() behind the source, or another key in the log, spreads the work",
				at, r.v.Vertices[v].Name, t.Metrics.BusyTimeMsPerSecond, t.Log.Arrived-t.Log.Read, span(t.Log.OldestWait), float64(t.Log.Arrived)/float64(max(1, even)))
			return
		}
		r.say("lag: %s is busy for %d ms a second, with all that is chained to it, and subtask %d of it is %d records behind, the oldest for %s: nothing behind it holds it back, it sets the throughput itself",
			r.v.Vertices[v].Name, r.mean(v, busy), at, t.Log.Arrived-t.Log.Read, span(t.Log.OldestWait))
		return
	}
}
