package task

import (
	"fmt"

	"checkpointlab/core/event"
	"checkpointlab/core/watermark"
)

// window is a window operator: it keeps the records by slices of event time, and when a watermark passes the end of a window
// it fires a timer for each key, one after the other, and each makes a result (WindowOperator). Before the last timer is done
// the task reads no mail, so a barrier waits, unless timers are interruptible
// (execution.checkpointing.unaligned.interruptible-timers.enabled, MailboxWatermarkProcessor).
type window struct {
	list   bool // fixed, like the next three: every record is kept and read when the window fires, else an aggregate of each key
	fire   event.Time
	result int64 // records that a timer makes
	entry  int64 // bytes of state of an aggregate or of a record

	panes  watermark.Windows
	made   int64            // results so far, by the state
	firing bool             // a watermark is being worked off
	mark   int64            // that one
	since  event.Time       // when it came
	after  watermark.Status // and the status that follows it
	now    watermark.Firing // the window whose timers the step in work fires
	fired  int64            // timers, in all (numFiredTimers)
}

func (x *window) copyFrom(src *window) {
	panes := x.panes
	*x = *src
	x.panes = panes
	x.panes.CopyFrom(&src.panes)
}

// WindowRule is what a window operator is like.
type WindowRule struct {
	Size, Slide int64 // ms
	List        bool
	Fire        event.Time // ns for a timer, or with List for each record of the window
	Result      int64      // records that a timer makes
	Entry       int64      // bytes of state of a key of a window, or with List of a record of a window
	Keys        int64      // of this subtask
}

// UseWindows makes a task a window operator. Its records make nothing until a window fires.
func (t *Task) UseWindows(r WindowRule) {
	t.windows, t.EmitNum, t.EmitDen = true, 0, 1
	t.window = window{
		list: r.List, fire: r.Fire, result: r.Result, entry: r.Entry, panes: watermark.NewWindows(r.Size, r.Slide, r.Keys),
	}
}

// collect puts records into the slices of their event times, which lie evenly in a run.
func (w *World) collect(t *Task, r event.Run) {
	behind, ahead := w.behind(&r), r.Ahead()
	length := t.window.panes.Slice() * event.Millisecond
	for r.Count > 0 {
		at := r.Born/event.Fine + ahead - behind
		n := r.Count
		if end := (floorDiv(at, length)+1)*length + behind; r.BornStep > 0 {
			n = min(n, max(1, (end*event.Fine-r.Born+r.BornStep-1)/r.BornStep)) // records before the slice's end
		}
		t.window.panes.Add(floorDiv(at, event.Millisecond), n, t.time.valve.Least())
		r.Cut(n)
	}
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// behind is how far the event time of a record lies behind its arrival; results of windows carry event time.
func (w *World) behind(r *event.Run) event.Time { return w.Rules.Marks[w.Tasks[r.Src].Vertex].Behind }

// begin takes a watermark: its timers fire before it is passed on.
func (x *window) begin(now event.Time, o watermark.Output) {
	x.mark, x.since = o.Mark, now
	x.firing = true
	if o.After {
		x.after = o.Status
	}
}

// fires lets the timers of a watermark fire. It is true if the thread is at work; false: it is done, or has to go on.
func (w *World) fires(now event.Time, t *Task) bool {
	x, s := &t.window, &t.Step
	var due bool
	if x.now, due = x.panes.Next(x.mark); !due {
		w.firedAll(now, t)
		return false
	}
	s.K, s.Paced, s.Mark, s.Fire, s.Start, s.N = 0, false, false, true, now, x.now.Left
	for _, p := range t.Outs {
		if most := w.Net.Boundary(p, t.Size, s.N*x.result); most > 0 {
			s.N = min(s.N, (most+x.result-1)/x.result)
		}
	}
	if w.Rules.BufferTimeout == 0 && len(t.Outs) > 0 {
		s.N = 1
	}
	w.become(now, t, Busy)
	if w.end(t, s.N) > now {
		s.booked = false
		w.endAfter(t, s.N)
		return true
	}
	w.apply(now, t, s.N)
	return false
}

// firedAll passes the watermark on behind the results.
func (w *World) firedAll(now event.Time, t *Task) {
	x := &t.window
	x.firing, t.Step.Fire = false, false
	w.say(now, t, x.mark)
	if x.after != watermark.Same {
		w.sayStatus(now, t, x.after)
		x.after = watermark.Same
	}
	w.writeMarks(now, t)
}

// fireTimers is d timers of the step having fired.
func (w *World) fireTimers(now event.Time, t *Task, d int64) {
	x := &t.window
	x.panes.Fire(x.now, d)
	x.fired += d
	r := event.Run{
		Src: t.ID, Size: t.Size, Count: d * x.result, Since: t.Latest, Born: x.born() * event.Fine, Lag: min(0, x.born()-x.last()),
	}
	x.made += r.Count
	if w.Fired != nil {
		each := t.each() * event.Fine
		w.Fired(now, t, max(0, t.Step.Start-x.now.End*event.Millisecond)*event.Fine+each, each, d)
	}
	w.write(now, t, &r)
}

// last is the event time of the results of a window that fires: its last ms (Window.maxTimestamp), here its last ns.
func (x *window) last() event.Time { return x.now.End*event.Millisecond - 1 }

// born is since when there could be those results. The end of the data fires windows whose last ms is to come.
func (x *window) born() event.Time { return min(x.last(), x.since) }

// each is what one unit of the step in work takes: a record, or a timer.
func (t *Task) each() event.Time {
	if !t.Step.Fire {
		return t.Cost
	}
	if x := &t.window; x.list { // every record of the window is read
		return t.slowed(x.fire) * x.now.Records / max(1, x.now.Timers)
	}
	return t.slowed(t.window.fire)
}

// storedWindows is the bytes of the windows that a task has stored with a checkpoint.
func (w *World) storedWindows(t *Task, id event.Checkpoint) int64 {
	s := w.Save(id)
	if !t.windows || s == nil {
		return 0
	}
	_, entries := s.Windows[t.ID].Panes.Open(t.window.list)
	return entries * t.window.entry
}

// Windows is what a window operator keeps: windows with records, bytes of state, and whether timers fire; timers fired and
// records that came too late in all.
func (t *Task) Windows() (open, bytes int64, firing bool, fired, late int64) {
	if !t.windows {
		return 0, 0, false, 0, 0
	}
	open, entries := t.window.panes.Open(t.window.list)
	return open, entries * t.window.entry, t.window.firing, t.window.fired, t.window.panes.Late()
}

// WindowSave is a window operator's part of a checkpoint.
type WindowSave struct {
	Panes watermark.Windows
	Made  int64
}

// saveWindows stores the windows with a checkpoint.
func (t *Task) saveWindows(s *Save) {
	if !t.windows {
		return
	}
	x := &s.Windows[t.ID]
	x.Panes.CopyFrom(&t.window.panes)
	x.Made = t.window.made
}

// restoreWindows goes back to what a checkpoint stored, nil = to nothing.
func (t *Task) restoreWindows(s *Save) {
	x := &t.window
	x.firing, x.after = false, watermark.Same
	switch {
	case !t.windows:
	case s == nil:
		x.panes.Reset()
		x.made = 0
	default:
		x.panes.CopyFrom(&s.Windows[t.ID].Panes)
		x.panes.Restored()
		x.made = s.Windows[t.ID].Made
	}
}

// AuditWindows: every record that was seen is in a slice, or was when its windows fired, or came too late.
func (t *Task) AuditWindows() error {
	if err := t.auditAsync(); err != nil {
		return err
	}
	if x := &t.window; t.windows && x.panes.Seen() != t.Seen {
		return fmt.Errorf("%d records seen, %d are or were in windows or came too late", t.Seen, x.panes.Seen())
	}
	return nil
}
