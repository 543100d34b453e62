package finding

import (
	"fmt"
	"slices"

	"checkpointlab/core"
	"checkpointlab/core/event"
)

// finalizingFor is how long a checkpoint of which nothing is missing may stand before it is told: writing metadata takes less.
const finalizingFor = 10 * event.Second

// finalizing: all have acknowledged, and the checkpoint is not complete.
func (r *run) finalizing() {
	for _, c := range r.periodic(history) {
		last := event.Time(-1)
		for i := range c.Tasks {
			if t := &c.Tasks[i]; t.Acked < 0 && !t.Finished {
				last = event.Never
			} else {
				last = max(last, t.Acked)
			}
		}
		end := c.Ended
		if c.Outcome == core.InProgress {
			end = r.v.At
		}
		if last < 0 || last == event.Never || end-last <= finalizingFor || c.Outcome == core.FailedCheckpoint {
			continue
		}
		r.say("finalization: every subtask had acknowledged checkpoint %d after %s, and it stayed in progress for %s more: the JobManager writes the metadata. "+
			"Look at its storage, not at the tasks; the checkpoint timeout of %s cannot end that", c.ID, span(last-c.Triggered), span(end-last), span(r.s.Options.Timeout))
		return
	}
}

// lately are the newest checkpoints in a row that have not completed: the failed ones, and one in progress for half of the timeout.
func (r *run) lately() (list []*core.CheckpointRecord) {
	for _, c := range r.periodic(1 << 20) {
		switch {
		case c.Outcome == core.InProgress && r.v.At-c.Triggered < r.s.Options.Timeout/2:
		case c.Outcome == core.Completed:
			return list
		case c.Outcome == core.FailedCheckpoint && c.Reason != event.CheckpointExpired:
			return list
		default:
			list = append(list, c)
		}
	}
	return list
}

// missing names the subtasks that keep checkpoint after checkpoint from completing: of those that never acknowledge the ones
// whose inputs all did, since the rest waits for their barriers.
func (r *run) missing() {
	list := r.lately()
	if len(list) == 0 {
		return
	}
	never := make([]bool, len(list[0].Tasks))
	for i := range never {
		never[i] = true
	}
	for _, c := range list {
		for i := range min(len(never), len(c.Tasks)) {
			never[i] = never[i] && !inTime(c, i) && !c.Tasks[i].Finished
		}
	}
	behind := make([]bool, len(r.s.Vertices)) // some producer is missing, too
	for _, e := range r.s.Edges {
		for i := range r.s.Vertices[e.From].Parallelism {
			if at := r.first[e.From] + i; at < len(never) && never[at] {
				behind[e.To] = true
			}
		}
	}
	r.tellMissing(never, behind, list)
}

// tellMissing says why of each, of all subtasks of a vertex at once, and of three at most.
func (r *run) tellMissing(never, behind []bool, list []*core.CheckpointRecord) {
	told := 0
	for v := range r.s.Vertices {
		if behind[v] {
			continue
		}
		first, of := r.first[v], min(r.first[v]+r.s.Vertices[v].Parallelism, len(never))
		if of-first > 1 && !slices.Contains(never[first:of], false) {
			r.why(first, fmt.Sprintf("every subtask of %s, such as %d,", r.s.Vertices[v].Name, 0), list)
			continue
		}
		for t := first; t < of; t++ {
			if !never[t] {
				continue
			}
			if told++; told > 3 {
				r.say("further subtasks are missing likewise")
				return
			}
			r.why(t, r.name(t), list)
		}
	}
}

// why says by what a subtask is held up, who as it is called.
func (r *run) why(task int, who string, list []*core.CheckpointRecord) {
	t, of, n := r.view(task), "", len(list)
	if t == nil {
		return
	}
	if n > 1 {
		of = "any of the last " + number(n) + " checkpoints"
	} else {
		of = "the last checkpoint"
	}
	still := t.RateIn == 0 && t.RateOut == 0
	switch c := begun(list, task); {
	case c != nil && still && c.Tasks[task].SyncEnded < 0 && slices.Index(list, c) > 1: // further barriers were not looked at
		r.say("not acknowledging: %s has not acknowledged %s: its barriers came, but its synchronous part has not ended since, and it passes no record: its thread is held (a native call that does not return). "+
			"A checkpoint timeout does not fail the task: with %d tolerable failures the job restarts after about %d x %s", who, of, r.s.Options.Tolerable, r.s.Options.Tolerable+1, span(r.s.Options.Timeout))
		return
	case c != nil:
		r.within(task, who, of, c)
		return
	}
	v, _ := r.vertexOf(task)
	source := r.s.Vertices[v].Kind == core.Source
	m := &t.Metrics
	switch {
	case source && r.inSnapshot(v, t) > 0:
		r.say("not acknowledging: %s has not acknowledged %s: it reads the snapshot of its table under the checkpoint lock (%d records of it unread), and no checkpoint begins at it before the last one. "+
			"A longer timeout or more tolerable failures let it come to its end; a job that restarts before begins the snapshot anew. Incremental snapshots take no such lock", who, of, r.inSnapshot(v, t))
	case source && m.IdleTimeMsPerSecond > 900:
		r.say("not acknowledging: %s has not acknowledged %s, and it is idle (%d ms a second; back-pressured %d): it does not start the checkpoint. "+
			"Something in the source holds its lock while no record comes; this is no back pressure, and it gets worse with less input", who, of, m.IdleTimeMsPerSecond, m.BackPressuredTimeMsPerSecond)
	case still && m.BackPressuredTimeMsPerSecond < 100 && m.IdleTimeMsPerSecond < 500:
		r.say("not acknowledging: %s has not acknowledged %s, and it passes no record: its thread is held (a call that does not return, a lock, a pause of the JVM). "+
			"A checkpoint timeout does not fail the task: with %d tolerable failures the job restarts after about %d x %s", who, of, r.s.Options.Tolerable, r.s.Options.Tolerable+1, span(r.s.Options.Timeout))
	case source:
		r.say("not acknowledging: %s has not acknowledged %s; it is back-pressured for %d ms a second and holds its lock meanwhile", who, of, m.BackPressuredTimeMsPerSecond)
	default:
		r.say("not acknowledging: %s has not acknowledged %s: it still works on what stands before the barrier (busy %d, back-pressured %d ms a second). "+
			"This is back pressure: unaligned checkpoints, less in flight or a faster vertex behind it help, a longer timeout only waits", who, of, m.BusyTimeMsPerSecond, m.BackPressuredTimeMsPerSecond)
	}
}

// inSnapshot is how many records of its table's snapshot a source has not read that holds its lock meanwhile.
func (r *run) inSnapshot(v int, t *core.TaskView) int64 {
	x := &r.s.Vertices[v]
	if x.Lock != core.LockSnapshot {
		return 0
	}
	partitions := (x.Logs() - t.Index + x.Parallelism - 1) / x.Parallelism
	return max(0, x.History*int64(partitions)-t.Log.Read)
}

// inTime reports whether a subtask has acknowledged a checkpoint before that ended.
func inTime(c *core.CheckpointRecord, task int) bool {
	at := c.Tasks[task].Acked
	return at >= 0 && (c.Outcome != core.FailedCheckpoint || at <= c.Ended)
}

// begun is the newest failed one of them of which all barriers had come to a subtask before it ended; nil if there is none.
func begun(list []*core.CheckpointRecord, task int) *core.CheckpointRecord {
	for _, c := range list {
		if c.Outcome != core.FailedCheckpoint || task >= len(c.Tasks) {
			continue
		}
		if p := &c.Tasks[task]; p.StartDelay >= 0 && c.Triggered+p.StartDelay+max(0, p.Alignment) < c.Ended {
			return c
		}
	}
	return nil
}

// within says in which part of its snapshot a subtask was when the time was up: its barriers had come.
func (r *run) within(task int, who, of string, c *core.CheckpointRecord) {
	p := &c.Tasks[task]
	part, remedy := "its synchronous part did not end", "Its thread is held by the snapshot itself: a flush, a rewrite of files, a slow local disk"
	if p.SyncEnded >= 0 && p.SyncEnded <= c.Ended {
		part, remedy = "its asynchronous part did not end", "The state is too large for the storage's rate: incremental checkpoints, a faster storage or a longer timeout help"
	}
	r.say("not acknowledging: %s has not acknowledged %s: its barriers came after %s, but %s within the timeout of %s. %s; this is no back pressure",
		who, of, span(p.StartDelay+max(0, p.Alignment)), part, span(r.s.Options.Timeout), remedy)
}

// paused: a source that watermark alignment lets read nothing is neither idle input nor back-pressured.
func (r *run) paused() {
	for v := range r.v.Vertices {
		for i := range r.v.Vertices[v].Tasks {
			t := &r.v.Vertices[v].Tasks[i]
			if t.State != core.Paused || t.Metrics.IdleTimeMsPerSecond < 500 {
				continue
			}
			r.say("paused: subtask %d of %s is paused by watermark alignment: it counts as idle (%d ms a second) and not as back-pressured (%d), but %d records wait in its log. "+
				"A member of its group %q holds the least watermark", t.Index, r.v.Vertices[v].Name, t.Metrics.IdleTimeMsPerSecond, t.Metrics.BackPressuredTimeMsPerSecond, t.Log.Arrived-t.Log.Read, r.s.Vertices[v].Watermarks.Align.Group)
			return
		}
	}
}
