package core

import (
	"checkpointlab/core/checkpoint"
	"checkpointlab/core/event"
	"checkpointlab/core/sink"
	"checkpointlab/core/state/backend"
	"checkpointlab/core/task"
)

// resize makes s n long and keeps the memory of its elements.
func resize[T any](s []T, n int) []T {
	for cap(s) < n {
		s = append(s[:cap(s)], *new(T))
	}
	return s[:n]
}

// View fills v with the state at Now, work in progress included. It changes nothing.
func (l *Lab) View(v *View) {
	l.alight()
	s := &l.plan.setup
	v.At, v.Duration = l.now, s.Duration
	v.Computed = max(v.Computed, l.now)
	v.Vertices = resize(v.Vertices, len(s.Vertices))
	for i := range s.Vertices {
		l.viewVertex(i, &v.Vertices[i])
	}
	v.Exchanges = resize(v.Exchanges, len(s.Edges))
	for e := range s.Edges {
		l.viewExchange(e, &v.Exchanges[e])
	}
	l.viewCoordinator(&v.Coord)
	l.viewManagers(v)
	l.viewLatencies(v)
	l.viewBudget(&v.Budget)
	l.account(&v.Account)
}

func (l *Lab) viewVertex(i int, v *VertexView) {
	vert := &l.plan.setup.Vertices[i]
	v.Name, v.Kind = vert.Name, vert.Kind
	first := &l.world.Tasks[l.plan.first[i]]
	v.Cost, v.Rate = first.Cost, 0
	if vert.Kind == Source && !l.world.Logs[first.Log].Unlimited() {
		num, per := l.world.Logs[first.Log].Rate()
		v.Rate = num * event.Second / per / partitionsOf(vert, 0)
	}
	v.Tasks = resize(v.Tasks, vert.Parallelism)
	for k := range v.Tasks {
		l.viewTask(&l.world.Tasks[int(l.plan.first[i])+k], &v.Tasks[k])
	}
}

var threads = [...]Thread{task.Idle: ThreadIdle, task.Busy: ThreadBusy, task.Soft: ThreadSoft, task.Hard: ThreadHard, task.Sync: ThreadSync, task.Off: ThreadOff}

func (l *Lab) viewTask(t *task.Task, v *TaskView) {
	log, output, inputs := v.Log, v.Output, v.InputWatermarks
	*v = TaskView{Task: t.ID, Index: int(t.Index), Since: t.Since, Thread: threads[t.Thread], Log: log, Output: output, InputWatermarks: inputs[:0]}
	l.viewState(t, v)
	if m := int(t.Manager); m < len(l.throttles) && t.Alive {
		v.Times = l.throttles[m].times
	}
	if d, span := l.lastSecond(t); span > 0 {
		v.Busy, v.Soft, v.Hard = perMille(d.busy, span), perMille(d.soft, span), perMille(d.hard, span)
		v.RateIn, v.RateOut = d.in*event.Second/span, d.out*event.Second/span
	}
	l.viewPools(t, v)
	v.Metrics = l.metrics(t)
	if r, ok := t.Working.(backend.Reporting); ok {
		v.Stateful = true
		r.Report(l.now, &v.Keyed)
	}
	l.viewWatermarks(t, v)
	v.Window, v.LogWaits = viewWindows(t), t.LogBlocked()
	v.Changelog, v.HasChangelog = t.LogCounts()
	v.UnderWay, v.MayBe = t.UnderWay()
	switch t.Kind {
	case task.Source:
		l.viewLog(t, &v.Log)
		l.viewSource(t, &v.Metrics)
	case task.Sink:
		l.viewOutput(t, &v.Output)
	}
}

func perMille(part, whole event.Time) int { return int(min(1000, max(0, part*1000/whole))) }

// viewState is the state glyph.
func (l *Lab) viewState(t *task.Task, v *TaskView) {
	b := l.back.find(l.back.of[t.ID])
	waits := !t.Alive && b != nil && b.until > 0
	switch {
	case t.End.Finished:
		v.State = Finished
	case t.Lost && b == nil && !l.job.failed:
		v.State = Lost
	case l.job.failed && !t.Alive, waits && t.ID == b.culprit:
		v.State = Failed
	case waits:
		v.State = Waiting
	case !t.Alive:
		v.State = Restoring
	case l.now < l.stalls.until[t.Manager]:
		v.State = Stalled
	case t.Initializing():
		v.State = Initializing
	case t.Hanging() || t.Draining():
	case t.Thread == task.Sync:
		v.State, v.Checkpoint = Syncing, t.Latest
	case t.Handler.Aligning() && len(t.Gates) > 0:
		v.State, v.Checkpoint = Aligning, t.Handler.Latest()
		v.Since = l.now - t.Handler.AlignmentDuration(l.now)
		v.Aligned, v.ToAlign = t.Handler.Aligned()
	case len(t.Uploads) > 0:
		v.State, v.Checkpoint = Uploading, t.Latest
	case t.Paused():
		v.State = Paused
	}
}

func (l *Lab) viewPools(t *task.Task, v *TaskView) {
	for _, p := range t.Outs {
		pool := &l.world.Net.Partitions[p].Pool
		v.OutUsed += pool.Used()
		v.OutTotal += pool.Size()
	}
	for i, g := range t.Gates {
		line := &l.world.Net.Gates[g]
		v.InTotal += line.Gate.Exclusive() + l.plan.net.Floating
		if t.Hands[i].Valid {
			v.InUsed++
		}
		for _, c := range line.First {
			v.InUsed += l.world.Net.Channels[c].Input.Data()
		}
	}
}

func (l *Lab) viewLog(t *task.Task, v *LogView) {
	log := &l.world.Logs[t.Log]
	v.Read = log.Next + l.world.Done(t, l.now)
	v.Arrived = max(v.Read, log.Arrived(l.now))
	v.OldestWait, v.ReplayTo = 0, 0
	if at := log.Arrival(v.Read); !log.Unlimited() && at < l.now {
		v.OldestWait = l.now - at
	}
	if log.Read > v.Read {
		v.ReplayTo = log.Read
	}
	v.Marks = v.Marks[:0]
	done, ok := l.coord.LatestCompleted()
	v.ReadAgain = v.Read
	for i := range l.world.Saves {
		s := &l.world.Saves[i]
		if s.ID == 0 || s.At[t.ID] < 0 || s.Savepoint || s.ID < done {
			continue
		}
		if ok && s.ID == done {
			v.ReadAgain = v.Read - s.Next[t.ID]
		}
		v.Marks = insertMark(v.Marks, LogMark{Checkpoint: s.ID, Position: s.Next[t.ID], Completed: s.ID == done})
	}
}

// insertMark keeps marks oldest first.
func insertMark(marks []LogMark, m LogMark) []LogMark {
	marks = append(marks, m)
	for i := len(marks) - 1; i > 0 && marks[i-1].Checkpoint > m.Checkpoint; i-- {
		marks[i-1], marks[i] = marks[i], marks[i-1]
	}
	return marks
}

func (l *Lab) viewOutput(t *task.Task, v *OutputView) {
	w := &l.world.Writers[t.Writer]
	v.Guarantee = l.plan.setup.Vertices[t.Vertex].Guarantee
	v.Visible, v.Written, v.VisibleUpTo, v.Duplicates, v.Lost = w.Visible, w.Written, w.UpTo, w.Duplicates, w.Lost
	v.Transactions, v.Commits = v.Transactions[:0], w.Commits()
	for i := range w.Sealed {
		v.Transactions = append(v.Transactions, viewTransaction(&w.Sealed[i]))
	}
	working := l.world.Done(t, l.now)
	v.Written += working
	if w.Transactional {
		open := viewTransaction(&w.Open)
		open.Records += working
		v.Transactions = append(v.Transactions, open)
	} else {
		v.Visible += working
	}
}

func viewTransaction(t *sink.Transaction) TransactionView {
	return TransactionView{Checkpoint: t.ID, Records: t.Records, Since: t.Since}
}

func (l *Lab) viewCoordinator(v *CoordinatorView) {
	c := &l.coord
	n := c.NumPending()
	v.Pending = resize(v.Pending, n)
	for i := 0; i < n; i++ {
		l.viewPending(c.Pending(i), &v.Pending[i])
	}
	counts := c.Counts()
	v.Queued, v.NextTrigger = c.Queued(), c.NextTrigger()
	v.Completed, v.FailedTotal, v.Restarts, v.Rescales = counts.Completed, counts.Failed, l.job.restarts, l.job.rescales
	if goesOn := l.stalls.until[l.stalls.master()]; l.now < goesOn {
		v.Stalled, v.NextTrigger = true, max(v.NextTrigger, goesOn)
	}
	v.RestartingTill, v.JobFailed, v.JobFinished = l.back.backoffEnds(), l.job.failed, l.job.finished
	v.Backlog, v.Stopping = l.job.backlog, l.job.stopping && !l.job.stopped
	v.LastCompleted, _ = c.LatestCompleted()
	v.LastDuration = l.lastDuration
	l.viewStatus(&v.Status)
}

func (l *Lab) viewPending(p *checkpoint.Pending, v *PendingView) {
	v.Checkpoint, v.Triggered, v.Timeout, v.Savepoint = p.ID, p.Timestamp, p.Expires-p.Timestamp, p.Snapshot.IsSavepoint()
	o := &l.plan.setup.Options
	v.Unaligned = o.Unaligned && o.AlignedTimeout == 0 && !v.Savepoint
	v.Acks = resize(v.Acks, l.plan.tasks)
	for t := range v.Acks {
		v.Acks[t] = p.Acked(event.Task(t))
	}
}

// viewBudget finds where the oldest record that nobody can see has spent its age. It comes right after the barrier of the last
// committed checkpoint, so it passed the tasks when that barrier did.
func (l *Lab) viewBudget(b *Budget) {
	b.Exchanges = resize(b.Exchanges, len(l.plan.path))
	for i := range b.Exchanges {
		b.Exchanges[i] = 0
	}
	b.Age, b.Log, b.Output, b.Behind = 0, 0, 0, l.shown.ID
	u := l.oldest(l.now)
	if u.source < 0 {
		return
	}
	b.Age = l.now - u.at
	at, left := u.at, b.Age
	spend := func(until event.Time) event.Time {
		until = min(max(until, at), l.now)
		part := until - at
		at, left = until, left-part
		return part
	}
	b.Log = spend(l.passed(u.source))
	for i, e := range l.plan.path {
		b.Exchanges[i] = spend(l.passedVertex(l.plan.setup.Edges[e].To))
	}
	b.Output = left
}

// passed is when the record after the last committed barrier went through a task; Now if it has not yet.
func (l *Lab) passed(t event.Task) event.Time {
	if l.shown.ID != 0 && l.shown.At[t] >= 0 {
		return l.shown.At[t]
	}
	if at := l.world.Tasks[t].FirstAt; at > 0 {
		return at
	}
	return l.now
}

// passedVertex is the latest such instant over a vertex.
func (l *Lab) passedVertex(v int) event.Time {
	var last event.Time
	for k := 0; k < l.plan.setup.Vertices[v].Parallelism; k++ {
		last = max(last, l.passed(l.plan.first[v]+event.Task(k)))
	}
	return last
}
