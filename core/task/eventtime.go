package task

import (
	"slices"

	"checkpointlab/core/event"
	"checkpointlab/core/sim"
	"checkpointlab/core/watermark"
)

// eventTime is a task's state of event time: what its inputs say, what it has said itself, and which of that is not written
// yet.
type eventTime struct {
	valve  watermark.Valve     // of the inputs
	inputs []watermark.Valve   // of each input by itself, if there are several: only for currentInputNWatermark
	source watermark.Generator // of a source
	splits watermark.Splits    // of a source of which some splits fall silent
	from   int64               // a source: the position from which it has read since its start
	out    int64               // currentOutputWatermark, ms
	idle   bool                // it has said that it is idle
	queue  [2]event.Run        // to be written after what is being written; a status and a watermark at most
	queued int8
	outs   int8 // outputs that have got queue[0], the one in the middle of it included
}

// UseEventTime prepares a task with so many channels in each of its gates for watermarks.
func (t *Task) UseEventTime(channels []int) {
	all := 0
	for _, n := range channels {
		if all += n; len(channels) > 1 {
			t.time.inputs = append(t.time.inputs, watermark.NewValve(n))
		}
	}
	if t.time.valve = watermark.NewValve(all); t.Kind == Source {
		t.time.source.Reset(0)
	}
}

func (e *eventTime) copyFrom(src *eventTime) {
	valve, inputs := e.valve, e.inputs
	*e = *src
	e.valve, e.inputs = valve, inputs
	e.valve.CopyFrom(&src.valve)
	for i := range e.inputs {
		e.inputs[i].CopyFrom(&src.inputs[i])
	}
}

// reset begins anew: watermarks are in no checkpoint.
func (e *eventTime) reset(position int64) {
	e.valve.Reset()
	for i := range e.inputs {
		e.inputs[i].Reset()
	}
	e.source.Reset(position)
	e.from, e.out, e.idle, e.queued, e.outs = position, watermark.None, false, 0, 0
}

// startMarks begins the periods of a source's watermarks; the first one ends at first.
func (w *World) startMarks(now event.Time, t *Task, first event.Time) {
	rule := &w.Rules.Marks[t.Vertex]
	t.time.source.Bound, t.time.source.Timeout = rule.Bound, rule.Idle
	t.time.reset(t.Seen)
	w.startAlignment(now, t)
	if t.Kind == Source {
		t.time.splits.Reset(&t.time.source, w.Logs[t.Log].Counts())
	}
	if rule.On {
		w.Queue.Push(sim.Item{At: first, Kind: event.DueMark, A: t.ID, Gen: t.Gen})
	}
}

// MarkPeriod is called at the end of a period of a source's watermarks. It sends a mail, which waits while the thread is
// blocked; the next period does not wait (ProcessingTimeService.scheduleWithFixedDelay).
func (w *World) MarkPeriod(now event.Time, id event.Task, gen uint32) {
	t := &w.Tasks[id]
	if t.Gen != gen || !t.Alive {
		return
	}
	if !t.hasMail(event.MailMark) { // a second one would find nothing new
		w.Mail(now, id, event.MailMark, 0)
	}
	w.Queue.Push(sim.Item{At: now + w.Rules.MarkPeriod, Kind: event.DueMark, A: id, Gen: gen})
}

func (t *Task) hasMail(kind event.Mail) bool {
	for i := range t.mails {
		if t.mails[i].kind == kind {
			return true
		}
	}
	return false
}

// generate makes a source's watermark.
func (w *World) generate(now event.Time, t *Task) {
	if t.awaits { // its generator begins with its first read (SourceOperator.initializeMainOutput)
		return
	}
	if t.time.out == watermark.End || t.End.Data { // the end quiesces its timers, with a drain or without (StreamOperatorWrapper.finish)
		return
	}
	clock := now
	if w.Rules.PausedClock {
		s := t.SpentUntil(now)
		clock -= s[Soft] + s[Hard] + t.pausedFor(now)
	}
	log, newest := &w.Logs[t.Log], watermark.None
	if w.Rules.NewestAsIdle && w.Rules.Marks[t.Vertex].Idle > 0 {
		newest = w.readAt(t, 1)
	}
	if log.HasSilent() {
		silent, loud := log.Oldest()
		w.announce(now, t, t.time.splits.Tick(clock, log.Counts(), [2]int64{w.timeOf(t, silent), w.timeOf(t, loud)}, newest))
	} else {
		w.announce(now, t, t.time.source.Tick(clock, log.Next, w.latest(t), newest))
	}
	w.checkAlignment(now, t)
}

// timeOf is the event time in ms of the record at a position of a source's log, None if it was not read since the start.
func (w *World) timeOf(t *Task, position int64) int64 {
	if position < t.time.from {
		return watermark.None
	}
	return (w.Logs[t.Log].Arrival(position) - w.Rules.Marks[t.Vertex].Behind) / event.Millisecond
}

// Silence makes some splits of a source silent from now on, or ends that; its rate changes with it.
func (w *World) Silence(now event.Time, id event.Task, on bool) {
	t := &w.Tasks[id]
	w.settle(now, t)
	w.Logs[t.Log].Silence(now, on)
}

// lastMark makes a source whose log is over, or that is drained, emit the last watermark ahead of EndOfData
// (StreamTask.endData, SourceOperatorStreamTask.advanceToEndOfEventTime). It is true if that happened now.
func (w *World) lastMark(now event.Time, t *Task) bool {
	if !w.Rules.EventTime || t.Kind != Source || t.time.out == watermark.End || t.End.Data || t.End.stopping == suspends ||
		t.End.stopping == goesOn && (t.awaits || !w.Logs[t.Log].Over(now)) {
		return false
	}
	w.say(now, t, watermark.End)
	w.writeMarks(now, t)
	return true
}

// latest is the greatest event time in ms read from the split in which it is least: with n splits read in turn, that of the
// n-th last record.
func (w *World) latest(t *Task) int64 {
	if log := &w.Logs[t.Log]; !log.Unlimited() { // else all splits have what is read now
		return w.readAt(t, max(1, log.Splits))
	}
	return w.readAt(t, 1)
}

// readAt is the event time in ms of the record that a source has read as the last one, the last but one …; None: not since its start.
func (w *World) readAt(t *Task, back int64) int64 {
	log, rule := &w.Logs[t.Log], &w.Rules.Marks[t.Vertex]
	last := log.Next - back
	switch {
	case last < t.time.from:
		return watermark.None
	case log.Unlimited():
		return (t.lastBorn - rule.Behind) / event.Millisecond
	}
	return (log.Arrival(last) - rule.Behind) / event.Millisecond
}

// takeMark handles a watermark or a status that a task takes off channel c.
func (w *World) takeMark(now event.Time, t *Task, c event.Channel, r *event.Run) {
	slot := w.Net.Wires[c].Slot
	if len(t.time.inputs) > 0 {
		w.hearByInput(t, c, r)
	}
	if r.Via != 0 {
		w.announce(now, t, t.time.valve.Status(slot, watermark.Status(r.Via)))
		return
	}
	w.announce(now, t, t.time.valve.Mark(slot, r.Since))
}

// hearByInput lets the valve of one input take a watermark or a status (a two-input task has a valve for each,
// StreamTwoInputProcessorFactory).
func (w *World) hearByInput(t *Task, c event.Channel, r *event.Run) {
	wire := &w.Net.Wires[c]
	valve := &t.time.inputs[slices.Index(t.Gates, wire.Gate)]
	if r.Via != 0 {
		valve.Status(wire.Input, watermark.Status(r.Via))
		return
	}
	valve.Mark(wire.Input, r.Since)
}

// InputWatermarks appends the watermark of each input of a task with several, in ms (watermark.None: none yet).
func (t *Task) InputWatermarks(out []int64) []int64 {
	for i := range t.time.inputs {
		out = append(out, t.time.inputs[i].Least())
	}
	return out
}

// announce passes on the output of a generator or a valve.
func (w *World) announce(now event.Time, t *Task, o watermark.Output) {
	if o.Status != watermark.Same && !o.After {
		w.sayStatus(now, t, o.Status)
	}
	if o.Moved && (t.windows || t.asks) {
		w.writeMarks(now, t)
		if w.passMark(now, t, o); t.windows {
			return
		}
	} else if o.Moved {
		w.say(now, t, o.Mark)
	}
	if o.Status != watermark.Same && o.After {
		w.sayStatus(now, t, o.Status)
	}
	w.writeMarks(now, t)
}

// say records that the task emits a watermark.
func (w *World) say(now event.Time, t *Task, mark int64) {
	t.time.out = mark
	t.time.put(event.MarkRun(mark))
	w.Feed.Emit(event.Event{At: now, Kind: event.Watermark, Task: t.ID, A: mark})
}

func (w *World) sayStatus(now event.Time, t *Task, s watermark.Status) {
	t.time.idle = s == watermark.Idle
	t.time.put(event.StatusRun(int8(s)))
	w.Feed.Emit(event.Event{At: now, Kind: event.Watermark, Task: t.ID, A: t.time.out, N: int64(s)})
}

// put queues what is to be written.
func (e *eventTime) put(r event.Run) {
	e.queue[e.queued] = r
	e.queued++
}

// writeMarks writes what is queued to every channel of every output, one after the other; a missing segment stops the thread on
// the way (spec 4.1). It flushes nothing unless every record is flushed.
func (w *World) writeMarks(now event.Time, t *Task) {
	e := &t.time
	for e.queued > 0 && t.waiting == 0 { // else the thread is in the middle of what goes ahead of it
		for int(e.outs) < len(t.Outs) {
			p := t.Outs[e.outs]
			e.outs++
			if t.waiting = w.Net.EmitToAll(now, p, e.queue[0]); t.waiting > 0 {
				return
			}
			w.markWritten(now, p)
		}
		e.queue[0] = e.queue[1]
		e.queued--
		e.outs = 0
	}
}

func (w *World) markWritten(now event.Time, p int32) {
	if w.Rules.BufferTimeout == 0 {
		w.Net.Flush(now, p)
	}
}

// continueMarks continues a watermark after a segment came back.
func (w *World) continueMarks(now event.Time, t *Task) {
	p := t.Outs[t.time.outs-1]
	if t.waiting = w.Net.Continue(now, p); t.waiting > 0 {
		return
	}
	w.markWritten(now, p)
	w.writeMarks(now, t)
}

// Watermarks are the watermarks that a task has received and emitted, in ms (watermark.None: none yet), and whether it has
// declared itself idle.
func (t *Task) Watermarks() (in, out int64, idle bool) {
	if t.Kind == Source {
		return watermark.None, t.time.out, t.time.idle
	}
	return t.time.valve.Least(), t.time.out, t.time.idle
}
