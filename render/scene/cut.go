package scene

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
)

// cut is the border that the newest pending checkpoint draws through the flow: what lies ahead of its barrier is dark,
// what lies behind is light (design 1).
type cut struct {
	ref       event.Checkpoint // 0 = no checkpoint is pending: everything is ahead
	unaligned bool
	past      []bool // by task id: it has sent the barrier on
}

// find computes the cut of a view. A task has sent the barrier on when it acknowledged or snapshots, when its log or its
// transactions are marked with it, when the barrier stands in one of its output channels or is held there, or when a task
// after it has sent it on.
func (c *cut) find(v *core.View) {
	c.ref, c.unaligned = 0, false
	n := len(v.Coord.Pending)
	if n == 0 {
		return
	}
	pending := &v.Coord.Pending[n-1]
	c.ref = pending.Checkpoint
	c.past = grow(c.past, max(len(pending.Acks), tasks(v)))
	copy(c.past, pending.Acks)
	for i := range v.Vertices {
		for j := range v.Vertices[i].Tasks {
			t := &v.Vertices[i].Tasks[j]
			c.past[t.Task] = c.past[t.Task] || c.marked(t)
		}
	}
	for changed := true; changed; {
		changed = false
		for i := range v.Exchanges {
			changed = c.follow(v, &v.Exchanges[i]) || changed
		}
	}
}

// tasks is one more than the largest task id of a view.
func tasks(v *core.View) int {
	n := 0
	for i := range v.Vertices {
		for j := range v.Vertices[i].Tasks {
			n = max(n, int(v.Vertices[i].Tasks[j].Task)+1)
		}
	}
	return n
}

func (c *cut) marked(t *core.TaskView) bool {
	if t.Checkpoint == c.ref && (t.State == core.Syncing || t.State == core.Uploading) {
		return true
	}
	for i := range t.Log.Marks {
		if t.Log.Marks[i].Checkpoint == c.ref {
			return true
		}
	}
	for i := range t.Output.Transactions {
		if t.Output.Transactions[i].Checkpoint == c.ref {
			return true
		}
	}
	return false
}

// follow carries the knowledge along one exchange against the flow and reports whether it learned something.
func (c *cut) follow(v *core.View, e *core.ExchangeView) (changed bool) {
	from, to := v.Vertices[e.From].Tasks, v.Vertices[e.To].Tasks
	for i := range e.Channels {
		ch := &e.Channels[i]
		sent := c.holds(ch.Sender) || c.holds(ch.Wire) || c.holds(ch.Receiver)
		task := from[ch.From].Task
		if !c.past[task] && (sent || ch.BlockedBy == c.ref || c.past[to[ch.To].Task]) {
			c.past[task], changed = true, true
		}
	}
	return changed
}

// holds reports whether the reference barrier stands in a queue.
func (c *cut) holds(queue []core.Cell) bool {
	for i := range queue {
		if queue[i].Kind == core.Barrier && queue[i].Checkpoint == c.ref {
			c.unaligned = c.unaligned || queue[i].Unaligned
			return true
		}
	}
	return false
}

// consumed reports whether the channel's consumer has taken the reference barrier out, so that all of it is behind.
func (c *cut) consumed(v *core.View, e *core.ExchangeView, ch *core.ChannelView) bool {
	if c.ref == 0 || c.holds(ch.Receiver) || c.holds(ch.Wire) || c.holds(ch.Sender) {
		return false
	}
	return ch.BlockedBy == c.ref || c.past[v.Vertices[e.From].Tasks[ch.From].Task]
}

// walker goes through a channel from the consumer against the flow and knows on which side of the barrier it is.
type walker struct {
	ref    event.Checkpoint
	behind bool
}

// pass takes the next cell and reports whether it lies behind the reference barrier. What that has overtaken at the receiver
// stands behind it in the queue and yet came ahead of it: the task stores it as soon as it has seen the barrier.
func (w *walker) pass(cell *core.Cell) bool {
	if cell.Kind == core.Barrier && cell.Checkpoint == w.ref {
		w.behind = true
	}
	return w.behind && (cell.Overtaken != w.ref || w.ref == 0)
}
