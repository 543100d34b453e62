package task

import (
	"checkpointlab/core/event"
	"checkpointlab/core/sim"
)

// maxInputs is the most input gates of a task.
const maxInputs = 8

// Step is the work in progress: N records, the first of which begins at Start.
type Step struct {
	Start  event.Time
	N      int64
	Paced  bool // a source that has caught up: records are read as they arrive
	Mark   bool // it is a watermark, which takes no time
	Fire   bool // it fires N timers of a window
	K      int8 // inputs that take part, one record each in turn; 0 for a source
	Gates  [maxInputs]int8
	books  bool   // what is done is being booked
	apart  bool   // the task's inputs make records of their own: EmitNum, EmitDen and Size are those of Gates[0]
	booked bool   // its first records were booked: if Start is now, one is done and the next has not begun
	Gen    uint32 // counts steps, so that an overtaken end is recognised
}

// Share is how many of the first j records of the step come from its i-th input.
func (s *Step) Share(i int8, j int64) int64 {
	k := int64(s.K)
	if k == 1 {
		return j
	}
	return (j - int64(i) + k - 1) / k
}

// end is when the j-th record (1-based) is done.
func (w *World) end(t *Task, j int64) event.Time {
	s := &t.Step
	if s.Paced {
		log := &w.Logs[t.Log]
		at := log.Arrival(log.Next + j - 1)
		if at == event.Never {
			return at
		}
		return at + t.Cost
	}
	if s.Mark {
		return s.Start
	}
	return s.Start + j*t.each()
}

// Done is how many records of the step in work are done at now.
func (w *World) Done(t *Task, now event.Time) int64 {
	s := &t.Step
	switch {
	case s.N == 0 || now < s.Start:
		return 0
	case s.Paced:
		log := &w.Logs[t.Log]
		return min(s.N, max(0, log.Arrived(now-t.Cost)-log.Next))
	case t.each() == 0:
		return s.N
	case now-s.Start < t.each(): // else it is a division
		return 0
	default:
		return min(s.N, (now-s.Start)/t.each())
	}
}

// midRecord reports whether a source that reads records as they arrive has one in work.
func (w *World) midRecord(t *Task, now event.Time) bool {
	if t.Step.N == 0 || !t.Step.Paced {
		return false
	}
	at := w.Logs[t.Log].Arrival(w.Logs[t.Log].Next + w.Done(t, now))
	return at < now || at == now && w.looked(now, t)
}

// settle books what is done of the step at now, but for its last record, which DueStep books.
func (w *World) settle(now event.Time, t *Task) {
	if t.Step.N <= 1 {
		return
	}
	if d := min(w.Done(t, now), t.Step.N-1); d > 0 {
		w.apply(now, t, d)
	}
}

// Book books what a task has written by now, because one of its buffers is read.
func (w *World) Book(now event.Time, id event.Task) {
	if t := &w.Tasks[id]; t.Step.N > 1 && !t.Step.books {
		w.settle(now, t)
	}
}

// apply books the first d records of the step: input consumed, output written.
func (w *World) apply(now event.Time, t *Task, d int64) {
	s := &t.Step
	if t.probe <= now {
		w.probesStep(t, d)
	}
	if !s.Mark && !s.Fire {
		t.begins(now)
	}
	s.books = true
	each := t.each()
	switch {
	case t.Kind == Source:
		w.read(now, t, d)
	case t.plain:
		h := &t.Hands[0]
		h.Entry.Records -= d
		w.consume(now, t, h, s.Start+t.Cost, d)
	case s.Fire:
		w.fireTimers(now, t, d)
	default:
		w.processAll(now, t, d)
		w.rotate(t, d)
	}
	s.books = false
	if s.Paced {
		t.mailed += d // each has found the thread waiting
		t.Spent[Busy] += d * t.Cost
		t.Spent[Idle] -= d * t.Cost
	} else {
		s.Start += d * each
	}
	s.booked = true
	s.N -= d
}

// begins notes when a task has processed records for the first time.
func (t *Task) begins(at event.Time) {
	if t.FirstAt == 0 {
		t.FirstAt = max(1, at)
	}
}

// processAll takes the next d records of the step through the task: each input's at once, for the order of records in a
// buffer does not matter (mechanisms 7), unless their sizes differ.
func (w *World) processAll(now event.Time, t *Task, d int64) {
	s := &t.Step
	if len(t.Outs) > 0 && t.Size == 0 && w.mixed(t, d) {
		for j := int64(0); j < d; j++ {
			w.process(now, t, int8(j%int64(s.K)), j/int64(s.K), 1)
		}
		return
	}
	for i := int8(0); i < s.K; i++ {
		if n := s.Share(i, d); n > 0 {
			w.process(now, t, i, 0, n)
		}
	}
}

// mixed reports whether the next d records of the step are of different sizes.
func (w *World) mixed(t *Task, d int64) bool {
	s := &t.Step
	for i := int8(1); i < s.K && s.Share(i, d) > 0; i++ {
		if w.front(t, i).Size != w.front(t, 0).Size {
			return true
		}
	}
	return false
}

// front is the run that the step's i-th input reads from.
func (w *World) front(t *Task, i int8) *event.Run {
	return w.Net.Slab.Front(&t.Hands[t.Step.Gates[i]].Entry.Runs)
}

// rotate makes the input after the d-th record the first of the rest, and the next one to be looked at.
func (w *World) rotate(t *Task, d int64) {
	s := &t.Step
	if len(t.Gates) == 1 {
		return
	}
	k := int64(s.K)
	t.Turn = (s.Gates[(d-1)%k] + 1) % int8(len(t.Gates))
	if by := int8(d % k); by > 0 {
		g := s.Gates
		for i := int8(0); i < s.K; i++ {
			s.Gates[i] = g[(i+by)%s.K]
		}
	}
}

// read emits the next d records of a source's log.
func (w *World) read(now event.Time, t *Task, d int64) {
	log := &w.Logs[t.Log]
	r := event.Run{Src: t.ID, Size: t.Size, Since: t.Latest, Count: d}
	taken := t.Step.Start - t.stood
	t.stood = 0
	if log.Unlimited() {
		r.Born, r.BornStep = taken*event.Fine, t.Cost*event.Fine
		t.lastBorn = taken + (d-1)*t.Cost
	} else {
		_, r.Born, r.BornStep = log.Span(d)
		t.lastCost = t.Cost
		if !t.Step.Paced {
			t.lastCost = -1
			r.Lag = max(0, taken-r.Born/event.Fine)
		}
	}
	behind := log.Behindhand()
	log.Take(d)
	t.locked = t.locked && t.LockedPast && log.Behindhand()
	if behind && !log.Behindhand() {
		w.Queue.Push(sim.Item{At: now + w.Rules.RPC, Kind: event.DueCaughtUp, A: t.ID, Gen: t.Gen})
	}
	t.Seen += d
	w.write(now, t, &r)
}

// process takes n records of the step's i-th input through the task; from of its records were before.
func (w *World) process(now event.Time, t *Task, i int8, from, n int64) {
	s, h := &t.Step, &t.Hands[t.Step.Gates[i]]
	h.Entry.Records -= n
	if s.Mark {
		w.processMark(now, t, h)
		return
	}
	w.consume(now, t, h, s.Start+(from*int64(s.K)+int64(i)+1)*t.Cost, n)
}

// consume takes n records from a hand, of which they are booked already, through the task, run by run; the first one is done at done.
func (w *World) consume(now event.Time, t *Task, h *Hand, done event.Time, n int64) {
	t.In += n
	if t.Kind == Sink {
		w.writeOut(now, t, h, done, n)
		return
	}
	if t.plain || t.passes(&w.Rules) {
		n -= w.move(t, h, n)
	}
	for n > 0 {
		r := w.Net.Slab.CutFront(&h.Entry.Runs, min(n, w.Net.Slab.Front(&h.Entry.Runs).Count))
		w.Net.Channels[h.Channel].Unread -= r.Count * int64(r.Size)
		n -= r.Count
		w.access(now, t, &r)
		w.emit(now, t, &r)
	}
}

// processMark takes the watermark at the front of a hand.
func (w *World) processMark(now event.Time, t *Task, h *Hand) {
	r := w.Net.Slab.CutFront(&h.Entry.Runs, 1)
	w.Net.Channels[h.Channel].Unread -= int64(r.Size)
	w.takeMark(now, t, h.Channel, &r)
}

// isPlain tells that records come to a task by one gate, which brings no watermarks, and go as they come to one output or, of a sink, to
// its writer: nobody looks at each of them.
func (w *World) isPlain(t *Task) bool {
	return len(t.Gates) == 1 && (t.Kind == Sink && !t.windows && !t.asks || t.passes(&w.Rules)) && t.Working == nil && t.log == nil && !w.Rules.EventTime
}

// passes reports whether the task writes records to one output as they came in, and nobody looks at each of them.
func (t *Task) passes(r *Rules) bool {
	return t.Working == nil && !t.windows && !t.asks && !t.Step.apart && t.Kind == Map && len(t.Outs) == 1 && t.EmitNum == t.EmitDen && !t.Burst && t.Size == 0 && r.BufferTimeout != 0
}

// move passes n records from a hand, of which they are booked already, on as whole runs, as far as nothing has to be asked; it
// returns how many.
func (w *World) move(t *Task, h *Hand, n int64) int64 {
	size := int64(w.sizeOf(&h.Entry))
	moved := w.Net.Move(t.Outs[0], &h.Entry.Runs, n, h.Entry.Records == 0)
	w.Net.Channels[h.Channel].Unread -= moved * size
	t.Seen += moved
	t.Out += moved
	return moved
}

// writeOut gives n records from a hand to the sink's writer, the first of which is done at done.
func (w *World) writeOut(now event.Time, t *Task, h *Hand, done event.Time, n int64) {
	runs, each, bytes := w.Net.Slab.CutFronts(&h.Entry.Runs, n, w.taken[:0]), int64(t.Step.K)*t.Cost, int64(0)
	via := w.Net.Wires[h.Channel].Slot
	for i := range runs {
		r := &runs[i]
		r.Via = via
		bytes += r.Count * int64(r.Size)
	}
	if t.Working != nil || t.log != nil {
		for i := range runs {
			w.accessState(now, t, &runs[i])
		}
	}
	w.Net.Channels[h.Channel].Unread -= bytes
	t.Seen += n
	t.Out += n
	w.writeRuns(now, t, done, each, runs, n)
}

// writeRuns gives n records in runs that a sink has processed to its writer, the first of which is done at done.
func (w *World) writeRuns(now event.Time, t *Task, done, each event.Time, runs []event.Run, n int64) {
	w.writeRunsTo(t.Writer, now, t, done, each, runs, n)
}

// writeRunsTo is writeRuns of a task whose writer is known: the task's memory is not looked at.
func (w *World) writeRunsTo(writer int32, now event.Time, t *Task, done, each event.Time, runs []event.Run, n int64) {
	if w.Processed != nil {
		w.Processed(now, t, done, each, runs)
	}
	if w.Writers[writer].Write(done, runs, n) && w.Shown != nil {
		w.Shown(now, t, done, each, runs)
	}
	w.taken = runs
}

// SizeInWork is the bytes of a record that the step in work makes.
func (w *World) SizeInWork(t *Task) int32 {
	if t.Size > 0 {
		return t.Size
	}
	if r := w.inWork(t); r != nil {
		return r.Size
	}
	return t.Size
}

// BornInWork is when the first record of the step in work arrived in its log, in ns of the run.
func (w *World) BornInWork(t *Task) event.Time {
	if r := w.inWork(t); r != nil {
		return r.Born / event.Fine
	}
	if t.Step.Fire {
		return t.window.born()
	}
	if log := &w.Logs[t.Log]; !log.Unlimited() {
		return log.Arrival(log.Next)
	}
	return t.Step.Start - t.stood
}

// inWork is the run that the step's first input reads from, nil for a source.
func (w *World) inWork(t *Task) *event.Run {
	if t.Kind == Source || t.Step.K == 0 || t.Step.N == 0 {
		return nil
	}
	return w.Net.Slab.Front(&t.Hands[t.Step.Gates[0]].Entry.Runs)
}

// work puts the step to work. Its end comes ahead of what else is due at that instant, as the end of every record in it
// does; of several tasks' in the order of the tasks.
func (w *World) work(now event.Time, t *Task) {
	if t.Step.Paced {
		t.noteIdle(now)
		w.become(now, t, Idle)
	} else {
		w.become(now, t, Busy)
	}
	t.Step.booked = false
	w.endAfter(t, t.Step.N)
}

// begun reports whether the first record of a settled step has been begun: not if the one before it is done at this very
// instant and the thread is yet to look.
func (w *World) begun(now event.Time, t *Task) bool {
	return !t.Step.booked || t.Step.Start != now || w.looked(now, t)
}

// endAfter lets the step end with its n-th record.
func (w *World) endAfter(t *Task, n int64) {
	t.Step.N = n
	t.Step.Gen++
	if end := w.end(t, n); end != event.Never {
		w.Queue.PushAhead(sim.Item{At: end, Kind: event.DueStep, A: t.ID, Gen: t.Step.Gen}, t.ID)
	}
}

// cut ends the step with the record in work, so that the thread can look; at once if one is done at this very instant.
func (w *World) cut(now event.Time, t *Task) {
	w.settle(now, t)
	s := &t.Step
	switch {
	case s.N > 0 && !w.begun(now, t):
		s.N = 0
		s.Gen++
		w.poke(now, t)
	case s.N > 1:
		w.endAfter(t, 1)
	}
}
