package core_test

import (
	"fmt"
	"slices"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/metric"
	"checkpointlab/core/option"
	"checkpointlab/core/state/keyed"
)

// conserved: buffers, credit, bytes, records and time come from nowhere and go nowhere, no thread sleeps that could work,
// no sender waits for what nobody will send, and the latest completed checkpoint is a consistent cut (core.Auditor).
func conserved(w *watched) error { return w.auditor.Check() }

// shownOnce: what the sinks show, or have lost because a transaction was open for too long, is what the sources had read ahead of the barriers of the checkpoint that is committed,
// once for each path, whatever failed before; a transactional sink never shows a record twice (spec 6.1).
func shownOnce(w *watched) error {
	if w.setup.Options.Mode != option.ExactlyOnce || w.setup.Options.Interval == 0 || w.stops() || w.commitsAhead() {
		return nil // what a sink commits at the end of its input without checkpoints, or with the savepoint that the job stops with, is written again after a restart
	}
	var err error
	w.sinks(func(v *core.VertexView, guarantee core.Guarantee, paths []int64) {
		if guarantee != core.ExactlyOnce {
			return
		}
		id, visible := v.Tasks[0].Output.VisibleUpTo, int64(0)
		for i := range v.Tasks {
			o := &v.Tasks[i].Output
			if visible += o.Visible + o.Lost; o.Duplicates != 0 {
				err = fmt.Errorf("%s shows %d records again", v.Name, o.Duplicates)
			}
			if o.VisibleUpTo != id {
				id = 0 // some have not heard of it yet
			}
		}
		if before, known := w.readBefore(id, paths); err == nil && known {
			w.commits++
			err = differ(fmt.Sprintf("%s shows records of checkpoint %d", v.Name, id), visible, before)
		}
	})
	return err
}

// readBefore is how many records the sources had read ahead of a checkpoint's barriers, once for each path. It is not
// known of a job that changes their number or a checkpoint that stored data in flight, which is behind its barriers.
func (w *watched) readBefore(id event.Checkpoint, paths []int64) (n int64, known bool) {
	if id == 0 || !w.plain() {
		return 0, false
	}
	for _, c := range w.lab.History().Checkpoints {
		if c.ID != id || c.Outcome != core.Completed {
			continue
		}
		for t := range c.Tasks {
			if c.Tasks[t].Persisted > 0 {
				return 0, false
			}
		}
		for v := range w.now.Vertices {
			for k := range w.now.Vertices[v].Tasks {
				if t := &w.now.Vertices[v].Tasks[k]; w.now.Vertices[v].Kind == core.Source {
					n += c.Tasks[t.Task].Offset * paths[v]
				}
			}
		}
		return n, true
	}
	return 0, false
}

// stuck is how long a running job may move no record though there are some: far more than any cost, snapshot or timer.
const stuck = 5 * event.Second

// progressing: a job that runs and has input moves records, or is at work on some.
func progressing(w *watched) error {
	moved, waiting, busy := int64(0), false, false
	if w.mayStand() || w.now.Coord.JobFinished || w.now.Coord.JobFailed || w.now.Coord.Stopping { // its sources read nothing more
		return nil
	}
	for i := range w.now.Vertices {
		v := &w.now.Vertices[i]
		for k := range v.Tasks {
			t := &v.Tasks[k]
			moved += t.Metrics.NumRecordsIn + t.Metrics.NumRecordsOut
			busy = busy || t.Thread == core.ThreadBusy
			if v.Kind == core.Source {
				moved += t.Log.Read // what its step in work has written is counted at the step's end
				waiting = waiting || w.reads(i, t)
			}
		}
	}
	if moved != w.records || busy || !waiting || w.restarted() {
		w.records, w.moved = moved, w.now.At
		return nil
	}
	if w.now.At-w.moved > stuck {
		return fmt.Errorf("no record has moved since %d ns", w.moved)
	}
	return nil
}

// endless reports whether there is always something to read from a log without a rate.
func endless(v *core.Vertex) bool { return v.Until == 0 && v.EndsAt == 0 && v.EndsAfter == 0 }

// mayStand reports whether the setup allows a job that runs to stand still. Where an exchange cannot carry unaligned
// barriers, a vertex may align on a path that a producer, blocked by the other path, has not put its barrier into yet. And
// snapshots that follow each other faster than their synchronous parts leave the thread no time. A source that holds the lock
// until its first record comes, and has none, takes no barrier: whoever aligns behind it waits for the checkpoint's timeout. And whoever
// reads what a finished task has left waits for it once its task manager falls silent. And a source
// may be held by its alignment group. And restored sources may have to wait for their first snapshot.
func (w *watched) mayStand() bool {
	failed := len(w.lab.History().Failures) > 0 // then a lock may be of a later start, behind the last record that there is
	silent := slices.ContainsFunc(w.setup.Script, func(a core.Action) bool { return a.Do == core.Lose && a.Silent && a.At <= w.now.At })
	for i := range w.now.Vertices {
		for k := range w.now.Vertices[i].Tasks {
			t := &w.now.Vertices[i].Tasks[k]
			x := &w.setup.Vertices[i]
			locked := x.Lock == core.LockFirst && (t.Log.Read == 0 || failed && t.Log.Read >= t.Log.Arrived) || x.Lock == core.LockSnapshot && t.Log.Read < x.History*int64(x.Logs())
			if t.State == core.Lost || silent && t.State == core.Finished || locked || w.held(x) || failed && w.awaits(x, t) {
				return true
			}
		}
	}
	for _, a := range w.setup.Script { // until somebody restarts its task
		if a.Do == core.Hang && a.For == 0 && a.At <= w.now.At {
			return true
		}
	}
	for _, e := range w.setup.Edges {
		if !e.Partition.Partitioner().CarriesUnaligned() && w.setup.Options.Unaligned {
			return true
		}
	}
	for i := range w.setup.Vertices {
		if o := &w.setup.Options; o.MaxConcurrent > 1 && o.Interval > 0 && w.setup.Vertices[i].Snapshot.Sync >= o.Interval {
			return true
		}
	}
	return false
}

// held reports whether those of a source's alignment group that are ahead may have to wait for one that has nothing to read, or, in 1.18,
// for one that has ended (FLINK-35157).
func (w *watched) held(v *core.Vertex) bool {
	group := v.Watermarks.Align.Group
	if group == "" {
		return false
	}
	for i := range w.now.Vertices {
		x := &w.setup.Vertices[i]
		if x.Kind != core.Source || x.Watermarks.Align.Group != group {
			continue
		}
		for k := range w.now.Vertices[i].Tasks {
			t := &w.now.Vertices[i].Tasks[k]
			if t.State == core.Finished && w.setup.Options.Version == "1.18" || t.State != core.Finished && !w.reads(i, t) {
				return true
			}
		}
	}
	return false
}

// reads reports whether a source has something to read.
func (w *watched) reads(i int, t *core.TaskView) bool {
	return t.Log.Read < t.Log.Arrived || w.now.Vertices[i].Rate == 0 && endless(&w.setup.Vertices[i])
}

// awaits reports whether a restored source waits for its first snapshot, which may be long in coming: checkpoints fail, and those during a
// backlog have an interval of their own.
func (w *watched) awaits(v *core.Vertex, t *core.TaskView) bool {
	history := w.lab.History()
	restored := history.Failures[len(history.Failures)-1].At
	return v.Kind == core.Source && w.setup.Options.PauseSources && !slices.ContainsFunc(history.Checkpoints, func(c core.CheckpointRecord) bool {
		return c.Triggered > restored && int(t.Task) < len(c.Tasks) && c.Tasks[t.Task].SyncEnded > 0
	})
}

// sharesAddUp: a thread does one thing at a time.
func sharesAddUp(w *watched) error {
	return w.everyTask(func(v *core.Vertex, t, before *core.TaskView) error {
		m, least, most := &t.Metrics, int64(0), int64(1000)
		if v.Lock != core.NoLock { // a SourceFunction measures none
			least, most = -1, -1
		}
		return first(
			within("busy and back-pressured, per mille", t.Busy+t.Soft+t.Hard, 0, 1000),
			within("the least share, per mille", min(t.Busy, t.Soft, t.Hard), 0, 1000),
			within("idle, ms a second", m.IdleTimeMsPerSecond, 0, 1000),
			within("busy, ms a second", m.BusyTimeMsPerSecond, least, most),
			within("back-pressured, ms a second", m.BackPressuredTimeMsPerSecond, 0, 1000),
			within("rates", min(t.RateIn, t.RateOut), 0, 1<<60),
			within("since", t.Since, 0, w.now.At),
			within("aligned channels", t.Aligned, 0, t.ToAlign),
		)
	})
}

// cellsFit: a buffer holds no more than fits, the buffers in use are no more than there are.
func cellsFit(w *watched) error {
	largest := w.setup.Options.SegmentSize
	fits := func(where string, cells []core.Cell) error {
		for i, c := range cells {
			if c.Bytes < 0 || c.Records < 0 || c.Usable > largest || c.Kind == core.Data && c.Bytes > c.Usable || c.Kind != core.Data && c.Bytes != 0 {
				return fmt.Errorf("place %d of the %s: %+v", i, where, c)
			}
			if c.Open && i < len(cells)-1 || c.Progress < 0 || c.Progress > 1000 || c.Oldest > w.now.At {
				return fmt.Errorf("place %d of %d of the %s: %+v", i, len(cells), where, c)
			}
		}
		return nil
	}
	return w.everyChannel(func(c *core.ChannelView, _ *core.GateView) error {
		err := first(fits("sender", c.Sender), fits("wire", c.Wire), fits("receiver", c.Receiver))
		if c.Holding {
			err = first(err, fits("hand", []core.Cell{c.Current}))
		}
		return err
	})
}

// channelsAreSane: credit and buffers are never negative, floating ones never more than the gate has.
func channelsAreSane(w *watched) error {
	return first(
		w.everyChannel(func(c *core.ChannelView, gate *core.GateView) error {
			return first(
				within("credit", c.Credit, 0, 1<<20), within("available", c.Available, 0, 1<<20), within("backlog", c.Backlog, 0, 1<<20),
				within("floating", c.Floating, 0, gate.Floating), within("free floating", gate.FloatingFree, 0, gate.Floating),
				within("announced size", c.Usable, 1, w.setup.Options.SegmentSize),
			)
		}),
		w.everyTask(func(v *core.Vertex, t, _ *core.TaskView) error {
			return within("buffers of the output pools", t.OutUsed, 0, t.OutTotal+8*w.setup.Options.MaxOverdraft)
		}))
}

// logsAreSane: a source reads what has arrived, its barriers stand in order, and it goes back only with a failure.
func logsAreSane(w *watched) error {
	return w.everyTask(func(v *core.Vertex, t, before *core.TaskView) error {
		if v.Kind != core.Source {
			return nil
		}
		l := &t.Log
		err := first(within("read", l.Read, 0, l.Arrived), within("would be read again", l.ReadAgain, 0, l.Read),
			within("oldest waits", l.OldestWait, 0, w.now.At))
		if l.ReplayTo != 0 && l.ReplayTo <= l.Read {
			err = first(err, fmt.Errorf("replays to %d at %d", l.ReplayTo, l.Read))
		}
		for i, m := range l.Marks {
			if m.Position > l.Read && !w.stopped(&w.now) || i > 0 && (m.Checkpoint <= l.Marks[i-1].Checkpoint || m.Position < l.Marks[i-1].Position) {
				err = first(err, fmt.Errorf("marks at %d: %+v", l.Read, l.Marks))
			}
		}
		if before != nil && (before.Log.Arrived > l.Arrived || before.Log.Read > l.Read && !w.restarted()) {
			err = first(err, fmt.Errorf("%d of %d read, before it were %d of %d", l.Read, l.Arrived, before.Log.Read, before.Log.Arrived))
		}
		return err
	})
}

// outputsAreSane: what is shown stays shown, transactions stand in order, the open one last.
func outputsAreSane(w *watched) error {
	return w.everyTask(func(v *core.Vertex, t, before *core.TaskView) error {
		if v.Kind != core.Sink {
			return nil
		}
		o, upTo := &t.Output, w.now.Coord.LastCompleted
		if w.stops() { // it commits, too, and is not in the store
			upTo = max(upTo, o.VisibleUpTo)
		}
		err := first(within("visible", o.Visible, 0, o.Written), within("again", o.Duplicates, 0, o.Visible),
			within("visible up to", o.VisibleUpTo, 0, upTo))
		if before != nil && (before.Output.Visible > o.Visible || before.Output.Written > o.Written && !w.restarted()) {
			err = first(err, fmt.Errorf("%d visible of %d, before it were %d of %d", o.Visible, o.Written, before.Output.Visible, before.Output.Written))
		}
		back := w.stops() && len(w.lab.History().Failures) > 0 // behind the savepoint that it was stopped with: the end of its data has the id behind what it came back to
		for i, tr := range o.Transactions {
			open := i == len(o.Transactions)-1
			if open != (tr.Checkpoint == 0) || tr.Records < 0 || tr.Since < 0 || tr.Since > w.now.At || !open && !back && tr.Checkpoint <= o.VisibleUpTo ||
				i > 0 && !open && tr.Checkpoint <= o.Transactions[i-1].Checkpoint {
				err = first(err, fmt.Errorf("transactions, visible up to %d: %+v", o.VisibleUpTo, o.Transactions))
			}
		}
		return err
	})
}

// coordinatorIsSane: what is pending waits for somebody or for its metadata to be written, is not overdue, and agrees with the
// history.
func coordinatorIsSane(w *watched) error {
	c, records := &w.now.Coord, w.lab.History().Checkpoints
	completed, failed, atOnce, led := int64(0), int64(0), int64(0), w.led()
	for i := range records {
		switch r := &records[i]; {
		case r.Outcome == core.FailedCheckpoint && r.Triggered == led && r.Ended == led: // in that instant before it or behind it
			atOnce++
		case r.Outcome != core.InProgress && r.Ended <= led: // another JobManager counts anew
		case r.Outcome == core.Completed:
			completed++
		case r.Outcome == core.FailedCheckpoint:
			failed++
		}
	}
	next := w.now.At
	if w.masterStands() {
		next = 0
	}
	err := first(within("queued", c.Queued, 0, 1000), within("next trigger", c.NextTrigger, next, event.Never))
	if w.now.At > led { // a failure of that instant may have been ahead of it, and the cut between them
		err = first(err, differ("completed", c.Completed, completed), within("failed", c.FailedTotal, failed, failed+atOnce))
	}
	savepoints := 0
	for i, p := range c.Pending {
		if p.Savepoint {
			savepoints++
		}
		lastAck := event.Time(0)
		record := recordOf(records, p.Checkpoint)
		if record == nil || record.Outcome != core.InProgress {
			return fmt.Errorf("checkpoint %d is pending and is not in the history", p.Checkpoint)
		}
		for t, acked := range p.Acks {
			lastAck = max(lastAck, record.Tasks[t].Acked)
			if acked != (record.Tasks[t].Acked >= 0 || record.Tasks[t].Finished) {
				return fmt.Errorf("task %d has acknowledged checkpoint %d: %v, at %d", t, p.Checkpoint, acked, record.Tasks[t].Acked)
			}
		}
		// Metadata is written for one checkpoint after the other, those that are complete since among them, of which any number may have
		// been asked for; what is timed out waits for that, which takes as long as a storage does.
		write := w.setup.Control.Finalize * event.Time(len(c.Pending)+w.setup.Options.MaxConcurrent+len(w.setup.Script))
		done := acknowledged(p) && !w.setup.Storage.On && (write == 0 && !w.unites() || w.now.At > lastAck+write)
		stores := w.setup.Storage.On && slices.ContainsFunc(c.Pending, acknowledged)
		late := (done || !stores && w.now.At > p.Triggered+p.Timeout+write) && !w.masterStands()
		if late || p.Triggered > w.now.At || i > 0 && p.Checkpoint <= c.Pending[i-1].Checkpoint {
			err = first(err, fmt.Errorf("pending: %+v", p))
		}
	}
	return first(err, within("pending", len(c.Pending)-savepoints, 0, w.setup.Options.MaxConcurrent))
}

// acknowledged reports whether all tasks have acknowledged a checkpoint.
func acknowledged(p core.PendingView) bool { return !slices.Contains(p.Acks, false) }

// unites reports whether the job has union state, for which the coordinator looks at each checkpoint once more before it is complete:
// in the instant of the last acknowledgement, but behind it.
func (w *watched) unites() bool {
	return slices.ContainsFunc(w.setup.Vertices, func(v core.Vertex) bool {
		return slices.ContainsFunc(v.State, func(s core.KeyedState) bool { return s.Kind == keyed.Union })
	})
}

// masterStands reports whether the JobManager stands still or has gone on at this very instant, so that what it has to do is late.
func (w *watched) masterStands() bool {
	return slices.ContainsFunc(w.setup.Script, func(a core.Action) bool {
		return a.Do == core.Pause && a.Master && a.At <= w.now.At && w.now.At <= a.At+a.For
	})
}

func recordOf(records []core.CheckpointRecord, id event.Checkpoint) *core.CheckpointRecord {
	for i := range records {
		if records[i].ID == id {
			return &records[i]
		}
	}
	return nil
}

// budgetAddsUp: the age of the oldest record that nobody can see is spent in places, each counted once.
func budgetAddsUp(w *watched) error {
	b := &w.now.Budget
	sum, least := b.Log+b.Output, min(b.Log, b.Output)
	for _, x := range b.Exchanges {
		sum, least = sum+x, min(least, x)
	}
	return first(differ("age", sum, b.Age), within("least part", least, 0, b.Age), within("age", b.Age, 0, w.now.At))
}

// historyAgrees: what was recorded of the sinks is what they show, and each completed checkpoint was acknowledged by all
// tasks in order of its phases.
func historyAgrees(w *watched) error {
	h, visible, in, open := w.lab.History(), int64(0), int64(0), false
	w.sinks(func(v *core.VertexView, guarantee core.Guarantee, _ []int64) {
		for i := range v.Tasks {
			visible += v.Tasks[i].Output.Visible
			in += w.lab.Booked(v.Tasks[i].Task)
		}
		open = open || guarantee != core.ExactlyOnce
	})
	err := differ("records whose pipeline latency is known", h.Pipeline.Len(), in)
	if open { // a view shows the step in work, too
		err = first(err, within("records whose latency is known", h.Visible.Len(), 0, visible))
	} else {
		err = first(err, differ("records whose latency is known", h.Visible.Len(), visible))
	}
	for i := max(0, len(h.Checkpoints)-3); i < len(h.Checkpoints); i++ {
		err = first(err, recordIsSane(&h.Checkpoints[i]))
	}
	return err
}

// latenciesArePositive: no record is seen before it arrived.
func latenciesArePositive(w *watched) error {
	var shown, processed metric.Selection
	shown.Select(&w.lab.History().Visible, metric.Everything())
	processed.Select(&w.lab.History().Pipeline, metric.Everything())
	return first(within("the least visibility latency", shown.Min(), 0, event.Never), within("the least pipeline latency", processed.Min(), 0, event.Never))
}

func recordIsSane(c *core.CheckpointRecord) error {
	if c.Outcome == core.InProgress {
		return nil
	}
	if c.Ended < c.Triggered || c.Outcome == core.FailedCheckpoint && c.Reason == event.NoReason {
		return fmt.Errorf("checkpoint %d: %d … %d, outcome %d, reason %s", c.ID, c.Triggered, c.Ended, c.Outcome, c.Reason)
	}
	for t := range c.Tasks {
		p := &c.Tasks[t]
		if c.Outcome == core.Completed && !p.Finished && (p.Acked < c.Triggered || p.Acked > c.Ended || p.SyncEnded < c.Triggered || p.SyncEnded > p.Acked ||
			p.StartDelay < 0 || p.Alignment < 0 || p.Sync < 0 || p.Async < 0 || p.Persisted < 0 || p.Processed < 0) {
			return fmt.Errorf("checkpoint %d of %d … %d, task %d: %+v", c.ID, c.Triggered, c.Ended, t, *p)
		}
	}
	return nil
}
