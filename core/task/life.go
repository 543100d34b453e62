package task

import (
	"checkpointlab/core/barrier"
	"checkpointlab/core/event"
	"checkpointlab/core/network"
	"checkpointlab/core/option"
	"checkpointlab/core/sim"
	"checkpointlab/core/state"
)

// Start starts a task: at the job's start, or restored from a checkpoint (s is nil if there is none). Its flusher first ticks
// at flush, event.Never without one. A source's first watermark is due at mark.
func (w *World) Start(now event.Time, id event.Task, s *Save, flush, mark event.Time) {
	t := &w.Tasks[id]
	t.Alive, t.Lost, t.End, t.over = true, false, Ending{}, false
	t.holds, t.locked = hold{calls: t.holds.calls}, t.LockedFirst
	t.awaits = t.PausedFirst && s != nil // SourceOperator.initializeState
	t.become(now, Idle)
	if !w.Wide {
		t.probe = now + probePeriod
	}
	t.Handler = barrier.New(barrier.KindOf(w.Rules.Options), w.slots(t), w.Rules.Options.AfterTasksFinish)
	w.goBack(t, s)
	if t.LockedPast {
		t.locked = w.Logs[t.Log].Behindhand()
	}
	w.restoreState(now, t, s)
	if flush != event.Never && len(t.Outs) > 0 {
		w.Queue.Push(sim.Item{At: flush, Kind: event.DueFlush, A: id, Gen: t.Gen})
	}
	w.restoreAsync(now, t, s)
	w.startDebloating(t)
	t.plain = w.isPlain(t)
	t.hops = w.mayHop(t)
	if t.Kind == Source {
		if at := w.Logs[t.Log].Ends(); now < at && at != event.Never {
			w.Queue.Push(sim.Item{At: at, Kind: event.DueEnd, A: id, Gen: t.Gen})
		}
	}
	if w.Rules.EventTime {
		w.startMarks(now, t, mark)
	}
	w.commitOwed(now, t)
	w.poke(now, t)
	w.starts(now, t)
}

func (w *World) slots(t *Task) int {
	n := 0
	for _, g := range t.Gates {
		n += len(w.Net.Gates[g].First)
	}
	return n
}

// goBack sets positions to what the checkpoint stored (spec 9.3).
func (w *World) goBack(t *Task, s *Save) {
	if t.Count(s); s != nil {
		t.Latest = max(t.Latest, s.ID)
	}
	t.restoreWindows(s)
	if t.Kind == Source {
		w.Logs[t.Log].Rewind(t.Seen)
	}
	if t.Kind == Sink {
		w.rewindOutput(t, s)
	}
	for _, p := range t.Outs {
		var to int64
		if s != nil {
			to = s.Emitted[p]
		}
		w.Net.Partitions[p].Emitted = to
	}
}

// Stop cancels a task: what it has in hand and in its mailbox is gone.
func (w *World) Stop(now event.Time, id event.Task) {
	t := &w.Tasks[id]
	if w.Store != nil {
		w.Store.Leave(now, id)
	}
	if t.End.Finished { // it starts anew with its region
		t.Gen++
		t.End, t.over = Ending{}, false
	}
	if !t.Alive {
		return
	}
	t.waitForLog(now, false)
	w.leaveShares(t, 0)
	w.leaveLog(now, t)
	w.settle(now, t)
	t.leaveState()
	busy := w.pacedWork(t, now)
	t.Spent[Busy] += busy
	t.Spent[Idle] -= busy
	if t.Kind == Source && (t.Thread == Busy && t.Step.N > 0 && w.begun(now, t) || w.midRecord(t, now)) {
		w.Logs[t.Log].Begin()
	}
	w.become(now, t, Off)
	t.probe = event.Never
	t.Alive, t.Uploads, t.waiting, t.rest, t.restAt = false, t.Uploads[:0], 0, event.Run{}, 0
	t.ran, t.draining, t.initializing, t.Turn = false, false, false, 0
	t.holds = hold{calls: t.holds.calls}
	t.time.queued, t.time.outs = 0, 0
	t.window.firing, t.requests.yielding = false, false
	t.Gen++
	t.Step.N, t.stood, t.lastCost = 0, 0, -1
	t.Step.Gen++
	t.mails, t.held, t.batch = t.mails[:0], t.held[:0], batch{}
	t.flow = flow{numbers: t.flow.numbers[:0]}
	for i := range t.Hands {
		w.Net.Slab.Clear(&t.Hands[i].Entry.Runs)
		t.Hands[i] = Hand{Entry: network.Entry{Runs: event.EmptyRuns}}
	}
}

// Adopt carries over what a task of another phase of the run has counted; from first of its vertex it has the present cost.
func (t *Task) Adopt(before, first *Task) {
	t.mailed = before.mailed
	t.In, t.Out, t.Seen, t.Spent, t.Since, t.Gen = before.In, before.Out, before.Seen, before.Spent, before.Since, before.Gen+1
	t.Step.Gen = before.Step.Gen + 1
	t.Latest, t.FirstAt, t.Log, t.Writer, t.flowFiles = before.Latest, before.FirstAt, before.Log, before.Writer, before.flowFiles
	t.holds.calls, t.requests.asked = before.holds.calls, before.requests.asked
	t.Own, t.Cost, t.nextCost, t.costChanges = first.Own, first.Own, first.nextCost, first.costChanges
	t.Flush, t.refuses = first.Flush, first.refuses
	if first.ByGate == nil { // the script has given all inputs another cost
		t.ByGate = nil
	}
	t.takeCost()
}

// AdoptState goes on with the state that a task of another phase has, if its subtask holds the same (same), and with the numbers of
// its files in any case.
func (t *Task) AdoptState(before *Task, same bool) {
	if same {
		t.Backend.CopyFrom(before.Backend)
	} else if b, ok := t.Backend.(state.Numbering); ok {
		b.NumberOn(before.Backend)
	}
	switch {
	case t.log == nil || before.log == nil:
	case same:
		t.log.copyFrom(before.log)
	default:
		t.log.NumberOn(&before.log.Changelog)
	}
}

// Lose handles a task that is gone with its task manager: nothing passes its channels any more.
func (w *World) Lose(now event.Time, id event.Task) {
	w.Stop(now, id)
	t := &w.Tasks[id]
	t.Lost = true
	for _, g := range t.Gates {
		for _, c := range w.Net.Gates[g].First {
			w.Net.Break(c)
		}
	}
	w.LoseOutput(t)
}

// LoseOutput breaks the channels that a task writes to, which may have finished: they are gone with its task manager, and what is in
// them does not arrive.
func (w *World) LoseOutput(t *Task) {
	for _, p := range t.Outs {
		part := &w.Net.Partitions[p]
		for c := part.First; c < part.First+part.Count; c++ {
			w.Net.Break(c)
		}
	}
}

// failed makes a task fail by itself, after everything due at this instant.
func (w *World) failed(now event.Time, t *Task, why event.Cause) {
	w.Queue.Push(sim.Item{At: now, Kind: event.DueFail, A: t.ID, B: int32(why), Gen: t.Gen})
}

// startDebloating makes the debloaters of a task; tasks without inputs have none (spec 5). Their periods begin when it runs.
func (w *World) startDebloating(t *Task) {
	o := w.Rules.Options
	if !o.Debloat || len(t.Gates) == 0 {
		return
	}
	t.debloats, t.debloat, t.measure = true, t.debloat[:0], t.measure[:0]
	for range t.Gates {
		t.debloat = append(t.debloat, network.NewDebloater(debloating(o)))
		t.measure = append(t.measure, network.Throughput{})
	}
}

// debloatLater begins the debloater's next period: Flink registers the timer again once the mail of the last one has run, and a
// timer fires late (StreamTask.scheduleBufferDebloater).
func (w *World) debloatLater(now event.Time, t *Task) {
	w.Queue.Push(sim.Item{At: now + w.Rules.Options.DebloatPeriod + event.TimerLag, Kind: event.DueDebloat, A: t.ID, Gen: t.Gen})
}

func debloating(o *option.Config) network.Debloating {
	return network.Debloating{
		TargetMs: o.DebloatTarget / event.Millisecond, Start: min(o.StartingSegmentSize, o.SegmentSize), Min: o.MinSegmentSize,
		Max: o.SegmentSize, ThresholdPercent: o.DebloatThreshold, Samples: o.DebloatSamples,
		Whole: o.Version != "2.3",
	}
}

// Debloat is called at the end of a debloater's period. It sends a mail, which waits while the task is hard-blocked.
func (w *World) Debloat(now event.Time, id event.Task, gen uint32) {
	t := &w.Tasks[id]
	if t.Gen != gen || !t.Alive {
		return
	}
	w.Mail(now, id, event.MailDebloat, 0)
}

// resize measures each gate's throughput and announces a new buffer size if it differs enough.
func (w *World) resize(now event.Time, t *Task) {
	for i := range t.debloat {
		speed := t.measure[i].Calculate(now)
		if size, announce := t.debloat[i].Recalculate(speed, w.Net.InUse(t.Gates[i])); announce {
			w.Net.Announce(now, t.Gates[i], size)
		}
	}
	w.debloatLater(now, t)
}

// Resize handles a new buffer size that reaches the producer of a channel. What is written by now stands in buffers of the old
// size; the step in work was planned with it and ends with the record in work.
func (w *World) Resize(now event.Time, c event.Channel, size int32) {
	t := &w.Tasks[w.Net.Wires[c].Producer]
	w.settle(now, t)
	w.Net.Resize(now, c, size)
	switch {
	case t.Step.N == 0:
	case t.Thread == Busy: // also between two timers of a window, which no mail interrupts
		w.cut(now, t)
	default:
		w.interrupt(now, t)
	}
}

// count books a data buffer that was polled from gate i.
func (w *World) count(now event.Time, t *Task, i int, e *network.Entry) {
	t.Handler.OnBytes(int64(e.Bytes))
	if t.debloats {
		t.measure[i].Add(now, int64(e.Bytes))
	}
}

// measures books an event that was polled from gate i: the time that it takes the thread counts as time in which there was
// something to read, even after an empty poll (SingleInputGate.getNextBufferOrEvent). Its few bytes are left out.
func (w *World) measures(now event.Time, t *Task, i int) {
	if t.debloats {
		t.measure[i].Resume(now)
	}
}

// measured reports whether gate i counts the time, although it may be empty: the last poll brought an event. Until a poll finds it
// empty it is available (SingleInputGate.getChannel resets that alone), and is polled at its turn.
func (t *Task) measured(i int) bool { return t.debloats && t.measure[i].Running() }

// pause books a poll that found gate i empty.
func (w *World) pause(now event.Time, t *Task, i int) {
	if t.debloats {
		t.measure[i].Pause(now)
	}
}

// BufferSize is the last announced size of the task's first gate and its time to consume what is queued; 0, 0 without
// debloating.
func (t *Task) BufferSize() (bytes int32, consumeMs int64) {
	if len(t.debloat) == 0 {
		return 0, 0
	}
	return t.debloat[0].LastSize(), t.debloat[0].EstimatedTimeMs()
}

// Recover restores a sink: what the checkpoint's transactions hold is committed at once, later ones are aborted. If the outside
// system refuses, the task commits when it starts; final: it does not start again as it was.
func (w *World) Recover(now event.Time, id event.Task, to event.Checkpoint, final bool) {
	t := &w.Tasks[id]
	writer := &w.Writers[t.Writer]
	t.owes = 0
	if span, left, ok := w.refused(now, t, to); !final && (span > 0 || left > 0 || !ok) {
		t.owes = to
	} else if to != 0 {
		w.commit(now, t, to, 0)
	}
	writer.Restored(to)
	if n := writer.Abort(t.owes); n > 0 {
		w.Feed.Emit(event.Event{At: now, Kind: event.TransactionAborted, Task: id, N: n})
	}
}

// SetCost changes the cost of a record, from the next one on.
func (w *World) SetCost(now event.Time, id event.Task, cost event.Time) {
	t := &w.Tasks[id]
	if t.Kind == Source {
		cost = max(1, cost)
	}
	t.nextCost, t.costChanges = cost, true
	if t.Thread == Off {
		t.takeCost()
	}
	w.changes(now, t)
}

// takeCost puts a changed cost into force.
func (t *Task) takeCost() {
	if !t.costChanges {
		return
	}
	if t.nextCost >= 0 {
		t.Own, t.ByGate, t.nextCost = t.nextCost, nil, -1
	}
	t.slow = t.nextSlow
	t.Cost, t.costChanges = t.slowed(t.Own), false
}

// Slow lets records take so many times as long as usual, per mille, from the next one on; 0 = as usual.
func (w *World) Slow(now event.Time, id event.Task, times int64) {
	t := &w.Tasks[id]
	if t.Throttle(times); t.Thread == Busy && t.Step.Fire {
		w.cut(now, t)
		return
	}
	w.changes(now, t)
}

// Throttle is Slow of a task whose thread need not be told.
func (t *Task) Throttle(times int64) {
	if t.nextSlow, t.costChanges = times, true; t.Thread == Off {
		t.takeCost()
	}
}

// slowed is what something takes on the thread that usually takes that long.
func (t *Task) slowed(cost event.Time) event.Time {
	if t.slow == 0 {
		return cost
	}
	return cost * t.slow / 1000
}

// SetRate changes the rate of a source's log.
func (w *World) SetRate(now event.Time, id event.Task, num int64, per event.Time) {
	t := &w.Tasks[id]
	w.settle(now, t)
	w.changes(now, t)
	begun := int64(0)
	if t.Thread == Busy {
		begun = t.Step.N
	}
	w.Logs[t.Log].SetRate(now, num, per, begun)
}
