package finding

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// completed are the last completed checkpoints, newest first.
func (r *run) completed(most int) (list []*core.CheckpointRecord) {
	for _, c := range r.periodic(1 << 20) {
		if c.Outcome == core.Completed && len(list) < most {
			list = append(list, c)
		}
	}
	return list
}

// late: checkpoints that take longer than their interval follow each other without a pause.
func (r *run) late() {
	list := r.completed(history)
	o := &r.s.Options
	if len(list) < 2 || o.Interval == 0 {
		return
	}
	sum := event.Time(0)
	for _, c := range list {
		sum += c.Ended - c.Triggered
	}
	mean := sum / event.Time(len(list))
	if mean <= o.Interval {
		return
	}
	if every := (list[0].Triggered - list[len(list)-1].Triggered) / event.Time(len(list)-1); o.MaxConcurrent > 1 {
		if every*10 > o.Interval*12 {
			r.say("late: the last %d checkpoints took %s on average, the interval is %s: up to %d are in progress at once (execution.checkpointing.max-concurrent-checkpoints), and still one completes every %s only. They share what they wait for, so that more at once take longer each",
				len(list), span(mean), span(o.Interval), o.MaxConcurrent, span(every))
		}
		return
	}
	r.say("late: the last %d checkpoints took %s on average, the interval is %s: the next one starts %s after one ends, and the interval is no longer what decides", len(list), span(mean), span(o.Interval), span(o.MinPause))
}

// enough checkpoints of equal sizes are no accident.
const enough = 5

// full: what is stored equals what there is, so nothing is shared with the checkpoint before.
func (r *run) full() {
	list := r.completed(enough)
	o := &r.s.Options
	if len(list) < enough || o.Backend == option.HashMap || o.Changelog {
		return
	}
	for _, c := range list {
		full, stored := int64(0), int64(0)
		for i := range c.Tasks {
			full, stored = full+c.Tasks[i].Size-c.Tasks[i].Persisted, stored+c.Tasks[i].Stored-c.Tasks[i].Persisted
		}
		if full != stored || full < 1<<20 {
			return
		}
	}
	how := "execution.checkpointing.incremental is on, but nothing has been shared"
	switch {
	case !o.Incremental:
		how = "execution.checkpointing.incremental is off"
	case r.heapTimers():
		how = "execution.checkpointing.incremental is on, but timers on the heap (timer-service.factory: HEAP) are stored in full each time, by the thread itself; ROCKSDB keeps them in the files"
	}
	r.say("full: the checkpointed size equals the full size in each of the last %d checkpoints: they are full, not incremental; %s", enough, how)
}

// heapTimers reports whether timers are kept on the heap beside a backend that has files.
func (r *run) heapTimers() bool {
	tuning := r.s.Options.Rocks
	if r.s.Options.Backend == option.ForSt {
		tuning = r.s.Options.ForSt
	}
	for v := range r.s.Vertices {
		for i := range r.s.Vertices[v].State {
			if stateKind(&r.s.Vertices[v].State[i]) == "timers" && tuning.HeapTimers {
				return true
			}
		}
	}
	return false
}

// stateKind is a state's kind by its name in a scenario.
func stateKind(s *core.KeyedState) string { return core.StateKinds()[s.Kind] }

// uneven is how many times the mean the largest subtask's state has to be to be told.
const uneven = 3

// skewed: one subtask has much more state than the others of its vertex, and the checkpoint waits for its upload.
func (r *run) skewed() {
	list := r.completed(1)
	if len(list) == 0 {
		return
	}
	c := list[0]
	for v := range r.s.Vertices {
		n, sum, most, at := r.s.Vertices[v].Parallelism, int64(0), int64(0), 0
		for i := range n {
			t := r.first[v] + i
			if t >= len(c.Tasks) {
				return
			}
			if size := c.Tasks[t].Size - c.Tasks[t].Persisted; size > most {
				most, at = size, t
			}
			sum += c.Tasks[t].Size - c.Tasks[t].Persisted
		}
		if n < 2 || most < 1<<20 || most*int64(n) <= uneven*sum {
			continue
		}
		r.say("state skew: %s has %s of the %s of its vertex, %.1f times the mean; its asynchronous part took %s of the checkpoint's %s. "+
			"More subtasks or a faster storage for all do not help a key that cannot be split", r.name(at), bytes(most), bytes(sum), float64(most)*float64(n)/float64(sum), span(max(0, c.Tasks[at].Async)), span(c.Ended-c.Triggered))
	}
}

// floor: debloating is at its smallest buffer and still has more in flight than its target.
func (r *run) floor() {
	o := &r.s.Options
	if !o.Debloat {
		return
	}
	least, at, of := event.Never, 0, ""
	for v := range r.v.Vertices {
		for i := range r.v.Vertices[v].Tasks {
			m := &r.v.Vertices[v].Tasks[i].Metrics
			if d := m.EstimatedTimeToConsumeBuffersMs * event.Millisecond; m.DebloatedBufferSize == int64(o.MinSegmentSize) && d > o.DebloatTarget && d < least {
				least, at, of = d, i, r.v.Vertices[v].Name
			}
		}
	}
	if of != "" {
		r.say("debloating: the target of %s cannot be met: buffers of subtask %d of %s are at taskmanager.memory.min-segment-size (%d bytes) and still hold %s of work. "+
			"Fewer buffers, a faster vertex or unaligned checkpoints help", span(o.DebloatTarget), at, of, o.MinSegmentSize, span(least))
	}
}

// unused: writers would look for the channel with the least to send, but none of the job's may.
func (r *run) unused() {
	if !r.s.Options.AdaptivePartitioner {
		return
	}
	for i := range r.s.Edges {
		if r.s.LooksForLoad(i) {
			return
		}
	}
	r.say("partitioner: taskmanager.network.adaptive-partitioner.enabled does nothing in this job: it acts on REBALANCE and RESCALE exchanges with several channels for each producer. HASH keeps each key with its subtask, however much waits for it")
}
