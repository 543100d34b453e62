package finding

import (
	"fmt"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/ops/sustain"
)

// A checkpoint that takes less than leastSlow, or than one part in slowParts of the interval, is not asked where its time went.
const (
	leastSlow = event.Second
	slowParts = 10
)

// spent is where the time of a checkpoint goes, on the way to its last acknowledgement. Times ns.
type spent struct{ delay, align, sync, async, total event.Time }

// lastTo is the subtask that acknowledged last; ok is false if its times are not known.
func lastTo(c *core.CheckpointRecord) (task int, ok bool) {
	task = -1
	for i := range c.Tasks {
		if p := &c.Tasks[i]; !p.Finished && p.Acked >= 0 && p.StartDelay >= 0 && (task < 0 || p.Acked > c.Tasks[task].Acked) {
			task = i
		}
	}
	return task, task >= 0
}

// phases says where the time of slow checkpoints goes: each of the four has another cause and another remedy.
func (r *run) phases() {
	list := r.completed(history)
	var sum spent
	n, at := event.Time(0), 0
	for _, c := range list {
		i, ok := lastTo(c)
		if !ok {
			continue
		}
		p := &c.Tasks[i]
		if n++; n == 1 {
			at = i
		}
		sum.delay, sum.align = sum.delay+p.StartDelay, sum.align+max(0, p.Alignment)
		sum.sync, sum.async, sum.total = sum.sync+max(0, p.Sync), sum.async+stored(p), sum.total+c.Ended-c.Triggered
	}
	if n == 0 || sum.total/n < max(leastSlow, r.s.Options.Interval/slowParts) {
		return
	}
	if half, _ := usual(list); half*outstanding < sum.total/n { // a few stand out: see spikes
		return
	}
	m := spent{sum.delay / n, sum.align / n, sum.sync / n, sum.async / n, sum.total / n}
	r.say("phases: of the %s that checkpoints took on average, the subtask that acknowledged last (now %s) had %s of start delay, %s of alignment, %s of the synchronous and %s of the asynchronous part. %s",
		span(m.total), r.name(at), span(m.delay), span(m.align), span(m.sync), span(m.async), r.largest(&m, at))
}

// stored is the asynchronous part without what an unaligned one waits for meanwhile: the rest of its barriers.
func stored(p *core.TaskPhases) event.Time {
	if p.Unaligned {
		return max(0, p.Async-max(0, p.Alignment))
	}
	return max(0, p.Async)
}

// passed is the instant at which a subtask sent the barrier on, or took its part of the checkpoint; -1 = not known.
func passed(c *core.CheckpointRecord, task int) event.Time {
	p := &c.Tasks[task]
	switch {
	case p.Finished:
		return -1
	case p.Sent >= 0:
		return p.Sent
	case p.StartDelay < 0:
		return -1
	case p.Unaligned:
		return c.Triggered + p.StartDelay
	default:
		return c.Triggered + p.StartDelay + max(0, p.Alignment)
	}
}

// longestHop goes the barrier's way back from a subtask, each time to the one before it that passed the barrier last, and names
// the subtask at which the barrier stayed longest on that way, with how long it did.
func (r *run) longestHop(c *core.CheckpointRecord, task int) (at int, stayed event.Time) {
	at = task
	for {
		before, sent := -1, c.Triggered
		v, i := r.vertexOf(task)
		for _, e := range r.s.Edges {
			for k := range r.s.Vertices[e.From].Parallelism {
				t := r.first[e.From] + k
				if e.To != v || t >= len(c.Tasks) || e.Partition == core.Forward && k != i {
					continue
				}
				if p := passed(c, t); before < 0 || p > sent {
					before, sent = t, max(sent, p)
				}
			}
		}
		if d := passed(c, task) - sent; d > stayed {
			at, stayed = task, d
		}
		if before < 0 {
			return at, stayed
		}
		task = before
	}
}

// largest says what the largest phase means.
func (r *run) largest(m *spent, at int) string {
	v, _ := r.vertexOf(at)
	hop, waited := r.longestHop(r.completed(1)[0], at)
	if h, _ := r.vertexOf(hop); r.s.Vertices[h].Kind == core.Source && waited > m.total/2 && max(m.delay, m.align) >= max(m.sync, m.async) {
		return fmt.Sprintf("It begins late at the source: %s starts it only when its thread, or the lock under which it emits, is free; what lies behind waits for its barrier", r.name(hop))
	}
	switch most := max(m.delay, m.align, m.sync, m.async); {
	case most < m.total/2 && m.total-m.delay-m.align-m.sync-m.async > m.total/2 && r.s.Vertices[v].Flush > m.total/2:
		return fmt.Sprintf("Most is none of them: ahead of its snapshot the writer of %s waits for %s until the outside system has taken what was written since the last one (a flush), and its thread passes no record meanwhile. Smaller or faster batches there, or a shorter interval, help", r.s.Vertices[v].Name, span(r.s.Vertices[v].Flush))
	case most < m.total/2 && m.total-m.delay-m.align-m.sync-m.async > m.total/2:
		return "Most is none of them: the JobManager writes the metadata"
	case most == m.async && r.copies(v) != "":
		return r.copies(v)
	case most == m.async:
		return r.storing()
	case most == m.sync:
		return "Most is the synchronous part: the thread passes no record meanwhile (a flush, a rewrite of files, a copy of the state)"
	case r.overtakesLate(m, at):
		return fmt.Sprintf("Most is the wait until execution.checkpointing.aligned-checkpoint-timeout (%s) is over: only then does the barrier overtake what stands before %s. A shorter one makes checkpoints as much shorter, and stores more of what is in flight", span(r.s.Options.AlignedTimeout), r.name(hop))
	case r.s.Vertices[v].Callback.Time > 0 && most == m.delay:
		return "Most is start delay: the barrier waits for what the thread still does for the checkpoint before"
	case r.carriesNone(hop) && max(m.delay, m.align) == most:
		return fmt.Sprintf("Most is the barrier's way although checkpoints are unaligned: it waits longest before %s, behind the records there. An exchange that is pointwise or a broadcast (FORWARD, RESCALE, BROADCAST) carries no unaligned barriers, and then none into the same vertex does", r.name(hop))
	case most == m.delay:
		return fmt.Sprintf("Most is start delay: on its way the barrier waits longest before %s (%s in the last one), behind the records there: back pressure", r.name(hop), span(waited))
	case r.s.Options.Mode == option.AtLeastOnce:
		return fmt.Sprintf("Most is the time from the first barrier to the last; with AT_LEAST_ONCE no input is blocked meanwhile. On its way the last one waits longest before %s (%s in the last checkpoint), behind the records there", r.name(hop), span(waited))
	default:
		return fmt.Sprintf("Most is alignment: one input brings the barrier later than others, which are blocked meanwhile. On its way the late one waits longest before %s (%s in the last one), behind the records there", r.name(hop), span(waited))
	}
}

// overtakesLate reports whether checkpoints last as long as they may stay aligned: each goes over to unaligned then.
func (r *run) overtakesLate(m *spent, at int) bool {
	o := &r.s.Options
	return o.Unaligned && o.AlignedTimeout > 0 && m.total >= o.AlignedTimeout && m.total < o.AlignedTimeout*6/5 && r.completed(1)[0].Tasks[at].Unaligned
}

// carriesNone reports whether a subtask's inputs carry no unaligned barriers although checkpoints are unaligned.
func (r *run) carriesNone(task int) bool {
	v, _ := r.vertexOf(task)
	for _, e := range r.s.Edges {
		if e.To == v && !e.Partition.Partitioner().CarriesUnaligned() {
			return r.s.Options.Unaligned
		}
	}
	return false
}

// storing says what the asynchronous part waits for.
func (r *run) storing() string {
	if form, ok := sustain.Closed(r.s, r.h, r.v.Account.Managers); ok {
		switch binding := uploads(&form); binding {
		case sustain.Requests:
			return "Most is the asynchronous part, and of it the number of requests at the storage's limit: fewer and larger files help, not bandwidth"
		case sustain.Waiting:
			if r.s.Storage.Latency == 0 {
				break
			}
			return "Most is the asynchronous part, and of it the storage's latency for one file after another: fewer files help, not bandwidth"
		}
	}
	return "Most is the asynchronous part: bytes at the rate of the storage. It does not hold the thread; incremental checkpoints or a faster storage shorten it"
}

// copies says that each subtask of a vertex stores all of its broadcast state; "" if it has none that counts.
func (r *run) copies(v int) string {
	c, n := r.completed(1)[0], r.s.Vertices[v].Parallelism
	of, all := int64(0), int64(0)
	for i := range c.Tasks {
		size := c.Tasks[i].Size - c.Tasks[i].Persisted
		if all += size; i >= r.first[v] && i < r.first[v]+n {
			of += size
		}
	}
	for _, s := range r.s.Vertices[v].State {
		if stateKind(&s) == "broadcast" && n > 1 && of*2 > all {
			return fmt.Sprintf("Most is the asynchronous part: each of the %d subtasks of %s stores a copy of the broadcast state of its own, %s in all. Fewer subtasks or a smaller broadcast state make checkpoints smaller; incremental ones do not, for it is no keyed state", n, r.s.Vertices[v].Name, bytes(of))
		}
	}
	return ""
}

// uploads is the largest of the terms of which the asynchronous part consists.
func uploads(f *sustain.Form) (name string) {
	most := event.Time(-1)
	for _, t := range f.Terms {
		if (t.Name == sustain.Upload || t.Name == sustain.Requests || t.Name == sustain.Waiting) && t.Time > most {
			most, name = t.Time, t.Name
		}
	}
	return name
}

// heldMost is the share of a subtask's time, per mille, above which synchronous parts are told.
const heldMost = 100

// held: synchronous parts that are short but come often take much of a thread's time.
func (r *run) held() {
	list := r.completed(history)
	if len(list) < 2 {
		return
	}
	over := list[0].Triggered - list[len(list)-1].Triggered
	most, at := event.Time(0), 0
	for t := range list[0].Tasks {
		sum := event.Time(0)
		for _, c := range list[1:] {
			if t < len(c.Tasks) {
				sum += max(0, c.Tasks[t].Sync)
			}
		}
		if sum > most {
			most, at = sum, t
		}
	}
	if over <= 0 || most*1000/over < heldMost {
		return
	}
	r.say("synchronous parts: those of %s take %s of its thread's time: its records wait as long. A longer interval takes less of it; so does a shorter synchronous part", r.name(at), number(int(most*100/over))+" %")
}

// flushes: a writer that waits for the outside system ahead of each barrier takes much of its thread's time.
func (r *run) flushes() {
	list := r.completed(history)
	if len(list) < 2 {
		return
	}
	every := (list[0].Triggered - list[len(list)-1].Triggered) / event.Time(len(list)-1)
	for v := range r.s.Vertices {
		if s := &r.s.Vertices[v]; every > 0 && s.Flush*1000/every >= heldMost {
			r.say("flush: ahead of each barrier the writer of %s waits for %s until the outside system has taken what was written, %s of its thread's time: it passes no record meanwhile. A faster outside system takes less; so does a longer interval, unless a flush takes the longer the more there is",
				s.Name, span(s.Flush), number(int(min(s.Flush, every)*100/every))+" %")
		}
	}
}

// declined: checkpoints that failed and did not expire.
func (r *run) declined() {
	var list []*core.CheckpointRecord
	for i := len(r.h.Checkpoints) - 1; i >= 0; i-- {
		c := &r.h.Checkpoints[i]
		if c.Outcome == core.InProgress {
			continue
		}
		if c.Outcome != core.FailedCheckpoint || len(list) > 0 && c.Reason != list[0].Reason {
			break
		}
		list = append(list, c)
	}
	if len(list) == 0 {
		return
	}
	switch list[0].Reason {
	case event.NotAllRequiredTasksRunning:
		if t := r.gone(); t >= 0 && !r.s.Options.AfterTasksFinish {
			r.say("finished: %s has finished, and no checkpoint starts since (%d in a row: %s): execution.checkpointing.checkpoints-after-tasks-finish is off. Nothing is committed and nothing is safe any more; switch it on",
				r.name(t), len(list), list[0].Reason)
		}
	case event.FinalizeCheckpointFailure:
		r.say("declined: the last %d checkpoints failed with %s: every subtask had acknowledged, but the metadata could not be written: the JobManager's access to the storage, not the tasks", len(list), list[0].Reason)
	case event.CheckpointAsyncException, event.IOException, event.CheckpointDeclined:
		who := "a subtask"
		for i := range list[0].Tasks {
			if p := &list[0].Tasks[i]; p.Acked < 0 && p.SyncEnded >= 0 && !p.Finished {
				who = r.name(i)
				break
			}
		}
		if r.s.Options.Storage == option.JobManagerStorage {
			r.say("declined: the last %d checkpoints failed with %s: a piece of the state of %s is above 5 mb, the most that execution.checkpointing.storage: jobmanager takes; write checkpoints to a file system", len(list), list[0].Reason, who)
			return
		}
		r.say("declined: the last %d checkpoints failed with %s: %s could not write its part, for the storage failed or refused its requests. Neither back pressure nor the timeout is the cause", len(list), list[0].Reason, who)
	}
}

// gone is a subtask that has finished while the job runs; -1 = none.
func (r *run) gone() int {
	for v := range r.v.Vertices {
		for i := range r.v.Vertices[v].Tasks {
			if r.v.Vertices[v].Tasks[i].State == core.Finished && !r.v.Coord.JobFinished {
				return r.first[v] + i
			}
		}
	}
	return -1
}

// growing: each checkpoint is larger than the one before, with no end in sight.
func (r *run) growing() {
	list := r.completed(history)
	if len(list) < history {
		return
	}
	size := func(c *core.CheckpointRecord) (n int64) {
		for i := range c.Tasks {
			n += c.Tasks[i].Size - c.Tasks[i].Persisted
		}
		return n
	}
	first, last := list[len(list)-1], list[0]
	for i := 1; i < len(list); i++ {
		if size(list[i-1]) <= size(list[i]) {
			return
		}
	}
	grown, over := size(last)-size(first), last.Triggered-first.Triggered
	if grown < 1<<20 || grown < size(first)/10 || over <= 0 {
		return
	}
	if pending := r.pending(); pending >= grown {
		r.say("growing: files grew in each of the last %d checkpoints, from %s to %s in %s, but %s wait for compaction: those are old versions of the same keys, not more state. Compaction has to keep up",
			history, bytes(size(first)), bytes(size(last)), span(over), bytes(pending))
		return
	}
	r.say("growing: the state grew in each of the last %d checkpoints, from %s to %s in %s, and nothing removes what is no longer needed so far: a state TTL, windows that close, or keys that are bounded end that; until then durations and recovery grow with it",
		history, bytes(size(first)), bytes(size(last)), span(over))
}

// pending is what waits for compaction in all of RocksDB.
func (r *run) pending() (n int64) {
	for v := range r.v.Vertices {
		for i := range r.v.Vertices[v].Tasks {
			n += r.v.Vertices[v].Tasks[i].Keyed.EstimatePendingCompactionBytes
		}
	}
	return n
}

// callbacks: what a vertex does on its thread when a checkpoint is complete.
func (r *run) callbacks() {
	n := event.Time(r.v.Coord.Completed)
	for v := range r.s.Vertices {
		c := r.s.Vertices[v].Callback
		last := c.Time + c.Grows*max(0, n-1)
		if n == 0 || r.s.Options.Interval == 0 || last < r.s.Options.Interval/2 {
			continue
		}
		r.say("commit: %s holds its thread for %s after each checkpoint (notifyCheckpointComplete), of an interval of %s: it passes no record meanwhile, and the barrier of the next checkpoint, not of this one, waits for it. Commit beside the thread, or less often",
			r.s.Vertices[v].Name, span(last), option.FormatDuration(r.s.Options.Interval))
		return
	}
}

// savepoints: one that takes longer than the interval keeps the periodic checkpoints waiting.
func (r *run) savepoints() {
	o := &r.s.Options
	for i := len(r.h.Checkpoints) - 1; i >= 0; i-- {
		c := &r.h.Checkpoints[i]
		if !c.Savepoint || c.Outcome == core.InProgress || o.Interval == 0 || c.Ended-c.Triggered < o.Interval || o.MaxConcurrent > 1 {
			continue
		}
		if c.Outcome == core.FailedCheckpoint {
			r.say("savepoint: %d was in progress for %s until it failed, and no periodic checkpoint started beside it (execution.checkpointing.max-concurrent-checkpoints is 1): a failure then went back to a checkpoint from before it, and commits waited as long",
				c.ID, span(c.Ended-c.Triggered))
			return
		}
		r.say("savepoint: %d took %s, and no periodic checkpoint starts beside it (execution.checkpointing.max-concurrent-checkpoints is 1): a failure meanwhile would have gone back to a checkpoint from before it, and commits wait as long",
			c.ID, span(c.Ended-c.Triggered))
		return
	}
}
