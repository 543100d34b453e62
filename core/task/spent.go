package task

import (
	"checkpointlab/core/event"
	"checkpointlab/core/watermark"
)

// Spent is the time spent in each activity up to now, the present one included. A source that reads records as they arrive
// is busy while it has one in work, and idle between them.
func (w *World) Spent(t *Task, now event.Time) [threads]event.Time {
	s := t.SpentUntil(now)
	busy := w.pacedWork(t, now)
	s[Busy] += busy
	s[Idle] -= busy
	return s
}

// pacedWork is the work on records of a step that reads them as they arrive, as far as it is not booked.
func (w *World) pacedWork(t *Task, now event.Time) event.Time {
	if t.Step.N == 0 || !t.Step.Paced {
		return 0
	}
	log, done := &w.Logs[t.Log], w.Done(t, now)
	busy := done * t.Cost
	if at := log.Arrival(log.Next + done); done < t.Step.N && at < now {
		busy += now - at
	}
	return busy
}

// Counted is how many records a task's counters show by now. A record counts as in once its processing begins
// (OneInputStreamTask.StreamTaskNetworkOutput.emitRecord, SourceReaderBase.pollNext; a SourceFunction counts none), and as out once it
// is written whole to every output (RecordWriterOutput.collect, BroadcastingOutputCollector.collect). The task must not ride.
func (w *World) Counted(t *Task, now event.Time) (in, out int64) {
	done := w.Done(t, now)
	in, out = t.In, t.Out-t.unwritten()+t.OutOf(done)
	switch {
	case t.Kind == Source && t.Pushes:
		return 0, out
	case t.Kind == Source:
		in = t.Out + done
	case !t.Step.Fire && !t.Step.Mark:
		in += done
	}
	if w.recordInWork(t, now, done) {
		in++
	}
	return in, out
}

// recordInWork reports whether a record is in the middle of its processing: on the thread, behind the first done ones of the step, or
// among those of asynchronous requests for which there is no room.
func (w *World) recordInWork(t *Task, now event.Time, done int64) bool {
	s := &t.Step
	switch {
	case t.requests.yielding:
		return !t.requests.ending
	case s.Paced: // one that arrives now is begun now
		log := &w.Logs[t.Log]
		return done < s.N && log.Arrival(log.Next+done) <= now
	}
	return t.Thread == Busy && done < s.N && !s.Fire && !s.Mark
}

// unwritten is how many records are made and not written to every output.
func (t *Task) unwritten() int64 {
	if t.rest.Count > 0 {
		return t.rest.Count
	}
	if t.waiting > 0 && t.time.outs == 0 {
		return 1
	}
	return 0
}

// pressedFor notes how long the back pressure is that goes on since Since (TimerGauge.markEnd).
func (t *Task) pressedFor(now event.Time) {
	if x := &t.longest[t.Thread-Soft]; now-t.Since > *x {
		*x = now - t.Since
	}
}

// Longest is how long the task was soft and hard back-pressured at once at most since the last call, what goes on included, which counts
// again in the next one (TimerGauge.update).
func (t *Task) Longest(now event.Time) (soft, hard event.Time) {
	if t.Thread.pressed() {
		t.pressedFor(now)
	}
	soft, hard = t.longest[0], t.longest[1]
	t.longest = [2]event.Time{}
	return soft, hard
}

// WaitsSince is since when the thread is idle or back-pressured without a break, and which; of any other thread it means nothing.
func (w *World) WaitsSince(t *Task, now event.Time) (since event.Time, thread Thread) {
	if t.Step.N == 0 || !t.Step.Paced {
		return t.Since, t.Thread
	}
	log, done := &w.Logs[t.Log], w.Done(t, now)
	if at := log.Arrival(log.Next + done); done < t.Step.N && at < now {
		return at, Busy
	}
	return max(t.Since, w.readUntil(t, done)), Idle
}

// readUntil is when a source had done with the last record that it read as it arrived, the first of its step included so far; 0 if it
// has read none so.
func (w *World) readUntil(t *Task, done int64) event.Time {
	cost := t.lastCost
	if done > 0 {
		cost = t.Cost
	}
	if log := &w.Logs[t.Log]; cost >= 0 {
		return log.Arrival(log.Next+done-1) + cost
	}
	return 0
}

// FiredTimers is how many timers of windows the task has fired (numFiredTimers).
func (w *World) FiredTimers(t *Task, now event.Time) int64 {
	if !t.windows {
		return 0
	}
	if t.Step.Fire {
		return t.window.fired + w.Done(t, now)
	}
	return t.window.fired
}

// noteIdle notes that a source finds nothing to read (InternalSourceReaderMetricGroup.idlingStarted).
func (t *Task) noteIdle(now event.Time) {
	if t.Kind == Source && t.Thread != Idle {
		t.idleSince = now
	}
}

// SourceIdle is since when a source has had nothing to read; idle is false while it has (InternalSourceReaderMetricGroup.isIdling).
func (w *World) SourceIdle(t *Task, now event.Time) (since event.Time, idle bool) {
	_, thread := w.WaitsSince(t, now)
	since = t.idleSince
	if !w.Logs[t.Log].Unlimited() {
		since = max(since, w.readUntil(t, w.Done(t, now)))
	}
	return min(since, now), thread == Idle
}

// LastRead is the event time in ms of the record that a source has read last, watermark.None if it has read none since its start
// or its records have none.
func (w *World) LastRead(t *Task, now event.Time) int64 {
	rule := &w.Rules.Marks[t.Vertex]
	if !rule.On {
		return watermark.None
	}
	log, done := &w.Logs[t.Log], w.Done(t, now)
	if last := log.Next + done - 1; last >= t.time.from && !log.Unlimited() {
		return (log.Arrival(last) - rule.Behind) / event.Millisecond
	}
	return w.readAt(t, 1)
}

// Drift is how far a source's watermark is ahead of what its group allows, ms; ok is false before it is told
// (InternalSourceReaderMetricGroup.getAlignedWatermarkDrift).
func (t *Task) Drift() (ms int64, ok bool) {
	if t.align.most == watermark.End || t.time.out == watermark.None {
		return 0, false
	}
	return t.time.out - t.align.most, true
}
