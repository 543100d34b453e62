package core

import (
	"checkpointlab/core/checkpoint"
	"checkpointlab/core/event"
	"checkpointlab/core/metric"
	"checkpointlab/core/state/storage"
	"checkpointlab/core/task"
)

// recorder listens to a run and keeps its History.
type recorder struct {
	lab     *Lab
	history History
	way     wayMean
	aligned bool // the first alignment was marked
	sel     metric.Selection
	of      []int // by task: the failure whose restart it was in last, from 1
}

// mostForeseen is the number of samples, those of ten minutes, for which there is room from the start: growing copies them
// repeatedly.
const mostForeseen = 600*event.Second/SamplePeriod + 1

// newRecorder makes a recorder of a run.
func newRecorder(l *Lab) *recorder {
	r := &recorder{lab: l}
	r.history.Samples = make([]Sample, 0, min(l.plan.setup.Duration/SamplePeriod+1, mostForeseen))
	l.feed.Listen, l.feed.Deaf = r.listen, 1<<event.BufferSent|1<<event.BufferReceived|1<<event.BackPressured // the most frequent ones
	l.world.Processed = func(now event.Time, _ *task.Task, done, each event.Time, runs []event.Run) {
		r.history.Pipeline.AddRuns(now, done, each, runs)
		r.way.add(done, each, runs)
	}
	l.world.Fired = func(now event.Time, _ *task.Task, first, step, n int64) {
		r.history.Fired.Add(now, first, step, n)
	}
	l.world.Shown = func(now event.Time, _ *task.Task, done, each event.Time, runs []event.Run) {
		r.history.Visible.AddRuns(now, done, each, runs)
	}
	l.world.Revealed = func(now event.Time, _ *task.Task, runs []event.Arrivals) {
		r.history.Visible.AddArrivals(now, runs)
	}
	return r
}

// find is the record of an id, nil if there is none.
func (r *recorder) find(id event.Checkpoint) *CheckpointRecord {
	for i := len(r.history.Checkpoints) - 1; i >= 0; i-- {
		if c := &r.history.Checkpoints[i]; c.ID == id {
			return c
		}
	}
	return nil
}

// listen takes one event of the feed.
func (r *recorder) listen(e event.Event) {
	switch e.Kind {
	case event.CheckpointTriggered:
		r.open(e)
	case event.TaskSnapshot, event.TaskSynced, event.TaskAligned, event.TaskStored, event.TaskAcknowledged:
		r.phase(e)
	case event.CheckpointCompleted, event.CheckpointFailed:
		r.end(e)
	case event.TaskFailed:
		r.history.Failures = append(r.history.Failures, FailureRecord{At: e.At, RunningAt: -1, Cause: r.lab.job.why, Task: e.Task})
		r.moment(e)
	case event.Rescaled:
		r.history.Failures = append(r.history.Failures, FailureRecord{At: e.At, RunningAt: -1, Rescaled: true, RestoredTo: e.Checkpoint, Reread: e.N})
		r.belongs()
	case event.JobRestarting:
		r.belongs()
	case event.TaskRestored:
		r.restored(e)
	case event.TaskRunning:
		r.running(e)
	case event.RegionReused:
		r.reused(e)
	case event.FilesStored:
		r.filesStored(e)
	case event.ProcessStalled:
		s := StallRecord{At: e.At, For: e.N, Until: -1, Manager: e.Task}
		for t := range r.lab.world.Tasks {
			if w := &r.lab.world.Tasks[t]; w.Alive && w.Manager == e.Task {
				s.Tasks = append(s.Tasks, event.Task(t))
			}
		}
		r.history.Stalls = append(r.history.Stalls, s)
	case event.ProcessResumed:
		for i := range r.history.Stalls {
			if s := &r.history.Stalls[i]; s.Manager == e.Task && s.Until < 0 && s.At+s.For <= e.At {
				s.Until = e.At
			}
		}
	case event.ScriptDone, event.JobFailed, event.JobFinished:
		r.moment(e)
	case event.RescaleRefused:
		r.moment(e)
		s := &r.lab.plan.setup
		why := Refusal(e.N)
		r.history.Refusals = append(r.history.Refusals, RefusalRecord{e.At, int(e.A), e.Checkpoint, why, why.Words(s, r.lab.refused(int(e.A), why), e.Checkpoint)})
	case event.ChannelBlocked:
		r.blocked(e)
	case event.BarrierReceived:
		r.passed(e)
	}
}

func (r *recorder) moment(e event.Event) {
	r.history.Moments = append(r.history.Moments, Moment{At: e.At, Kind: e.Kind, Task: e.Task, A: e.A, ID: e.Checkpoint})
}

// blocked marks the first alignment that holds a channel of a task with several.
func (r *recorder) blocked(e event.Event) {
	if w := r.lab.plan.net.Wires[e.Channel]; !r.aligned && len(r.lab.plan.net.GateInputs[w.Gate]) > 1 {
		r.aligned = true
		e.Task = w.Consumer
		r.moment(e)
	}
}

func (r *recorder) open(e event.Event) {
	tasks := make([]TaskPhases, r.lab.plan.tasks)
	for i := range tasks {
		tasks[i] = TaskPhases{Acked: -1, StartDelay: -1, Alignment: -1, Sync: -1, Async: -1, SyncEnded: -1, Sent: -1}
		if t := &r.lab.world.Tasks[i]; r.lab.coord.Finished(t.ID) {
			tasks[i].Offset, tasks[i].Finished = t.Seen, true
		}
	}
	r.history.Checkpoints = append(r.history.Checkpoints, CheckpointRecord{
		ID: e.Checkpoint, Savepoint: checkpoint.Snapshot(e.A).IsSavepoint(), Stop: checkpoint.Snapshot(e.A).IsSynchronous(),
		Native: checkpoint.Format(e.B) == checkpoint.Native, Full: checkpoint.Format(e.B) == checkpoint.Full, Triggered: e.At, Tasks: tasks,
	})
}

// phase books one subtask's part.
func (r *recorder) phase(e event.Event) {
	c := r.find(e.Checkpoint)
	if c == nil {
		return
	}
	t := &c.Tasks[e.Task]
	switch e.Kind {
	case event.TaskSnapshot:
		t.StartDelay, t.Alignment, t.Processed, t.Sent = e.A, e.N, e.B, e.At
		t.Unaligned = r.lab.world.Tasks[e.Task].Stores(e.Checkpoint)
		if s := r.lab.world.Save(e.Checkpoint); s != nil {
			t.Offset = s.Next[e.Task]
		}
	case event.TaskSynced:
		t.Sync, t.SyncEnded = e.A, e.At
	case event.TaskAligned:
		t.Alignment, t.Processed = e.A, e.N
	case event.TaskStored:
		t.Async, t.Size, t.Stored, t.Persisted = e.At-t.SyncEnded, e.A, e.N, e.B
		t.Unaligned = t.Unaligned || e.B > 0
	case event.TaskAcknowledged:
		t.Acked = e.At
	}
}

// reused books that a checkpoint contains a subtask's part of an earlier one; the subtask's own figures do not count.
func (r *recorder) reused(e event.Event) {
	c, from := r.find(e.Checkpoint), r.find(e.A)
	if c == nil || from == nil {
		return
	}
	t := &c.Tasks[e.Task]
	*t = TaskPhases{Acked: -1, StartDelay: -1, Alignment: -1, Sync: -1, Async: -1, SyncEnded: -1, Sent: t.Sent, Reused: e.A}
	t.Size, t.Offset = from.Tasks[e.Task].Size, from.Tasks[e.Task].Offset
}

// filesStored books what a checkpoint costs the storage.
func (r *recorder) filesStored(e event.Event) {
	c := r.find(e.Checkpoint)
	if c == nil || e.Checkpoint == 0 {
		return
	}
	switch storage.Purpose(e.B) {
	case storage.Snapshot, storage.ChannelState, storage.Metadata:
		c.Written += e.A
		c.Requests += e.N
	case storage.Cleaning, storage.Ending:
		c.Cleaned, c.Deletes = e.At, e.N
	}
}

// passed books a barrier's way through a channel.
func (r *recorder) passed(e event.Event) {
	wires := r.lab.plan.net.Wires
	c := r.find(e.Checkpoint)
	if len(wires) > MostPassing || c == nil {
		return
	}
	w := &wires[e.Channel]
	if sent := c.Tasks[w.Producer].Sent; sent >= 0 {
		r.history.Passages = append(r.history.Passages, Passage{e.Channel, e.Checkpoint, w.Producer, w.Consumer, sent, e.At})
	}
}

// end books a checkpoint's outcome. One that failed before it had an id gets a row of its own.
func (r *recorder) end(e event.Event) {
	c := r.find(e.Checkpoint)
	if e.Checkpoint == 0 || c == nil {
		r.history.Checkpoints = append(r.history.Checkpoints, CheckpointRecord{Triggered: e.At})
		c = &r.history.Checkpoints[len(r.history.Checkpoints)-1]
	}
	c.Ended = e.At
	if e.Kind == event.CheckpointFailed {
		c.Outcome, c.Reason = FailedCheckpoint, event.Reason(e.A)
		r.moment(e)
		return
	}
	c.Outcome, c.Finalized = Completed, e.At-c.Triggered-e.A
}

// belongs notes that the tasks of the restart which has begun are those of the last failure.
func (r *recorder) belongs() {
	if r.of == nil {
		r.of = make([]int, r.lab.plan.tasks)
	}
	for t, gen := range r.lab.back.of {
		if gen == r.lab.job.gen {
			r.of[t] = len(r.history.Failures)
		}
	}
}

// failure is the one that a task comes back from, nil = none.
func (r *recorder) failure(t event.Task) *FailureRecord {
	if r.of == nil || r.of[t] == 0 {
		return nil
	}
	return &r.history.Failures[r.of[t]-1]
}

// restored books what the failure costs: the records that a source reads again.
func (r *recorder) restored(e event.Event) {
	f := r.failure(e.Task)
	if f == nil || f.Rescaled {
		return
	}
	f.RestoredTo = e.Checkpoint
	if t := &r.lab.world.Tasks[e.Task]; t.Kind == task.Source {
		f.Reread += r.lab.world.Logs[t.Log].Next - e.A
	}
}

func (r *recorder) running(e event.Event) {
	if f := r.failure(e.Task); f != nil && f.RunningAt < 0 {
		f.RunningAt = e.At
		r.moment(e)
	}
}

// countDuplicates books the records shown again since the last failure.
func (r *recorder) countDuplicates() {
	n := len(r.history.Failures)
	if n == 0 {
		return
	}
	var total int64
	for i := range r.lab.world.Writers {
		total += r.lab.world.Writers[i].Duplicates
	}
	for _, f := range r.history.Failures[:n-1] {
		total -= f.Duplicates
	}
	r.history.Failures[n-1].Duplicates = total
}

// commits books that all sinks have made a checkpoint's records visible, the first sink at from.
func (r *recorder) commits(id event.Checkpoint, from, now event.Time) {
	r.sel.Select(&r.history.Visible, metric.Window{SeenFrom: from, SeenTo: now, ArrivedFrom: -event.Never})
	if r.sel.Count() == 0 {
		return
	}
	r.history.Commits = append(r.history.Commits, CommitRecord{
		At: now, Checkpoint: id, Records: r.sel.Count(), Mean: r.sel.Mean(), P99: r.sel.QuantileNearest(0.99),
		Min: r.sel.Min(), Max: r.sel.Max(),
	})
	r.history.Moments = append(r.history.Moments, Moment{At: now, Kind: event.Committed, ID: id})
}
