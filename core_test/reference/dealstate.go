package reference

import (
	"slices"

	"checkpointlab/core/job"
)

// What a checkpoint has of a vertex's state, dealt to other subtasks (spec 10.4).

// dealWindows deals the windows of a vertex by key groups; of subtasks that have fired differently far the one that is
// behind counts, which only watermarks that barriers do not wait for let happen.
func (d *deal) dealWindows(v int, from, to *save) {
	old, now := len(d.old.tasks[v]), len(d.run.subtasks(v))
	for _, t := range d.run.subtasks(v) {
		if to.windows[t] = from.windows[t]; old != now || d.drops(v) {
			to.windows[t] = map[int64]pane{}
		}
	}
	if old == now || d.drops(v) {
		return
	}
	for _, t := range d.old.tasks[v] {
		readers, shares := d.readers(v, t.index)
		all, before := int64(0), int64(0)
		for _, s := range shares {
			all += s
		}
		for i, o := range readers {
			part := func(n int64) int64 { return n*(before+shares[i])/all - n*before/all }
			for end, p := range from.windows[t] {
				own, some := to.windows[o][end]
				if !some {
					own.slices = map[int64]int64{}
				}
				own.fired += part(p.fired)
				for at, n := range p.slices {
					if got := part(n); got > 0 {
						own.slices[at] += got
						own.records += got
					}
				}
				if own.records > 0 {
					to.windows[o][end] = own
				}
			}
			before += shares[i]
		}
	}
}

// readers is who reads what an old subtask of a vertex has by key, and how much of it.
func (d *deal) readers(v, index int) (readers []*task, shares []int64) {
	old, now, most := len(d.old.tasks[v]), d.run.subtasks(v), d.old.setup.MaxParallel
	weights := job.KeyWeights(d.old.setup.Keys, d.old.setup.HotShareMill, most)
	share, all := make([]int64, len(now)), int64(0)
	for g, w := range weights {
		if job.SubtaskOf(g, old, most) == index {
			share[job.SubtaskOf(g, len(now), most)] += w
			all += w
		}
	}
	for j, t := range now {
		if !slices.Contains(job.Range.OldSubtasks(j, old, len(now), nil), index) {
			continue
		}
		if all == 0 {
			share[j] = 1
		}
		readers, shares = append(readers, t), append(shares, share[j])
	}
	return readers, shares
}

// dealRequests deals what is asked for: one list, of which each subtask gets as much, the first ones what is left over. A
// request counts as read where it is asked again.
func (d *deal) dealRequests(v int, from, to *save) {
	var all []record
	for _, t := range d.old.tasks[v] {
		all = append(all, from.asked[t]...)
	}
	now := d.run.subtasks(v)
	if len(now) == len(d.old.tasks[v]) && !d.drops(v) {
		for _, t := range now {
			to.asked[t] = from.asked[t]
		}
		return
	}
	if d.drops(v) {
		all = nil
	}
	for _, t := range now {
		to.next[t] = 0 // a new one has read nothing
	}
	for _, t := range d.old.tasks[v] {
		to.next[t] = from.next[t] - int64(len(from.asked[t]))
	}
	for i, t := range now {
		n := len(all) / (len(now) - i)
		if len(all)%(len(now)-i) > 0 {
			n++
		}
		to.asked[t], all = all[:n:n], all[n:]
		to.next[t] += int64(n)
	}
}
