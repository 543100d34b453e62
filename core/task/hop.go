package task

import "checkpointlab/core/event"

// Most buffers come to a task that waits for one, and all of their records are done before anything else happens in the whole
// job. Such a buffer takes neither a place of the receiver's queue nor a look of the thread nor a step: it hops through the
// task. All that can be seen of it is as if it had taken them.

// mayHop tells whether buffers may hop through a task, as far as it stays so until the task's next start: all channels of its
// one gate are remote, and nobody looks at each of its records.
func (w *World) mayHop(t *Task) bool {
	return len(t.Gates) == 1 && (t.Kind == Sink || t.passes(&w.Rules)) && t.Working == nil && t.log == nil && !t.debloats &&
		!w.Rules.EventTime && w.Rules.Wake == 0 && w.Net.Prompt(t.Gates[0])
}

// waits tells whether a task has nothing to do but to wait for records.
func (t *Task) waits() bool {
	return t.Alive && t.Thread == Idle && !t.ran && !t.over && t.Step.N == 0 && t.waiting == 0 && len(t.mails) == 0 && !t.costChanges
}

// hop takes the buffer that arrives by channel c all the way through its consumer, if it can.
func (w *World) hop(now event.Time, t *Task, c event.Channel) bool {
	if !t.hops || !t.waits() {
		return false
	}
	e := w.Net.Coming(c)
	if e == nil || !w.Net.Slab.Uniform() {
		return false
	}
	n, end := e.Records, now+e.Records*t.Cost
	if !w.Queue.Alone(end) || t.Kind != Sink && !w.Net.Fits(t.Outs[0], &e.Runs, n) {
		return false
	}
	e = w.Net.Enter(now, c)
	t.Handler.OnBytes(int64(e.Bytes))
	if t.FirstAt == 0 {
		t.FirstAt = max(1, end)
	}
	t.In += n
	t.Spent[Idle] += now - t.Since
	t.Spent[Busy] += end - now
	t.Since = end
	if t.Kind == Sink {
		h := &t.Hands[0]
		h.Channel, h.Entry.Runs, t.Step.K = c, e.Runs, 1
		w.writeOut(end, t, h, now+t.Cost, n)
	} else {
		w.move(t, c, &e.Runs, n)
	}
	w.Queue.Behind(end)
	w.Net.Recycle(end, c, e)
	return true
}
