package scene

import (
	"sort"

	"checkpointlab/core"
	"checkpointlab/core/event"
)

// How far a subtask had come in a checkpoint at the instant of a view: phases that end later reach to that instant, or to the
// checkpoint's failure, and so does the one that a subtask was in which never acknowledged. Until that is recorded, the barriers
// that it had received tell.

// missing reports whether a subtask's acknowledgement was asked for and is not known.
func missing(p *core.TaskPhases) bool { return p.Acked < 0 && !p.Finished && p.Reused == 0 }

// lasted is up to when a checkpoint is seen.
func lasted(v *core.View, c *core.CheckpointRecord) event.Time {
	if c.Outcome == core.InProgress || c.Ended > v.At {
		return max(v.At, c.Triggered)
	}
	return c.Ended
}

// soFar is a subtask's part of a checkpoint as it is known at a view's instant, and whether its acknowledgement is still missing.
func soFar(v *core.View, h *core.History, c *core.CheckpointRecord, t event.Task) (p core.TaskPhases, open bool) {
	p = c.Tasks[t]
	end := lasted(v, c)
	if missing(&p) {
		outlast(&p, v, h, c, t, end)
	}
	if open = missing(&p) || p.Acked > end; open {
		clip(&p, end-c.Triggered)
	}
	return p, open
}

// outlast makes the phase last that a subtask is in whose acknowledgement is missing.
func outlast(p *core.TaskPhases, v *core.View, h *core.History, c *core.CheckpointRecord, t event.Task, end event.Time) {
	switch {
	case p.SyncEnded >= 0:
		if p.Async < 0 {
			p.Async = max(0, end-p.SyncEnded)
		}
	case p.StartDelay >= 0:
		p.Sync = max(0, end-c.Triggered-p.StartDelay-max(0, p.Alignment))
	case channelsOf(v) > core.MostPassing: // nothing tells
	default:
		p.StartDelay = end - c.Triggered
		if came, first := arrived(h, c, t, end); came > 0 {
			p.StartDelay, p.Alignment = first-c.Triggered, end-first
		}
	}
}

// clip cuts phases at a time after the trigger.
func clip(p *core.TaskPhases, left event.Time) {
	for _, d := range [...]*event.Time{&p.StartDelay, &p.Alignment, &p.Sync, &p.Async} {
		if *d < 0 {
			continue
		}
		if left < 0 {
			*d = -1
			continue
		}
		*d = min(*d, left)
		if left -= *d; left == 0 {
			left = -1
		}
	}
}

// arrived is how many barriers of a checkpoint a subtask had received by an instant, and when the first.
func arrived(h *core.History, c *core.CheckpointRecord, t event.Task, by event.Time) (came int, first event.Time) {
	if h == nil {
		return 0, 0
	}
	from := sort.Search(len(h.Passages), func(i int) bool { return h.Passages[i].Received >= c.Triggered })
	for i := from; i < len(h.Passages) && h.Passages[i].Received <= by; i++ {
		if w := &h.Passages[i]; w.Checkpoint == c.ID && w.To == t {
			if came++; came == 1 {
				first = w.Received
			}
		}
	}
	return came, first
}
