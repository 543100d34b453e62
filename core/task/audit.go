package task

import (
	"fmt"

	"checkpointlab/core/barrier"
	"checkpointlab/core/event"
	"checkpointlab/core/network"
)

// Due is how many items that still count are due for a task, and whether they wait because its process stands still.
type Due struct {
	Looks, Steps, Syncs, Asyncs, Flushes, Debloats, Marks int
	Stands                                                bool
}

// Audit checks what must hold at every instant between two due items: no thread sleeps although it has something to do, all
// time is accounted for, and every stopped sender will be resumed. due is by task, under by channel.
func (w *World) Audit(now event.Time, due []Due, under []network.Under) error {
	for i := range w.Tasks {
		t := &w.Tasks[i]
		if err := w.auditThread(now, t, &due[i]); err != nil {
			return fmt.Errorf("task %d (thread %d): %w", i, t.Thread, err)
		}
		if err := w.auditTimers(t, &due[i]); err != nil {
			return fmt.Errorf("task %d: %w", i, err)
		}
		if err := t.auditTime(now); err != nil {
			return fmt.Errorf("task %d: %w", i, err)
		}
		if err := w.auditRestored(t); err != nil {
			return fmt.Errorf("task %d: %w", i, err)
		}
	}
	for c := range w.Net.Channels {
		if err := w.auditBlocked(event.Channel(c), &under[c]); err != nil {
			return fmt.Errorf("channel %d: %w", c, err)
		}
	}
	return nil
}

// auditRestored: a task is INITIALIZING as long as one of its gates has restored input, and nothing arrives at that gate
// before. One that has ended has dropped what was in its hand.
func (w *World) auditRestored(t *Task) error {
	if !t.Alive {
		return nil
	}
	all := 0
	for i, g := range t.Gates {
		left, hand := w.Net.RestoredQueued(g), 0
		if h := &t.Hands[i]; h.Valid && h.Entry.Extra {
			hand = 1
		}
		if w.Rules.Options.DuringRecovery {
			left, hand = 0, 0 // it holds nothing up
		}
		if all += left + hand; left+hand != w.Net.Restored(g) {
			return fmt.Errorf("gate %d has %d restored buffers and counts %d", i, left+hand, w.Net.Restored(g))
		}
	}
	if t.initializing != (all > 0) {
		return fmt.Errorf("initializing is %v with %d restored buffers", t.initializing, all)
	}
	return nil
}

// auditThread: a thread that does nothing has nothing to do, or a look is queued.
func (w *World) auditThread(now event.Time, t *Task, due *Due) error {
	if due.Looks > 1 || (due.Looks == 1) != t.ran {
		return fmt.Errorf("%d looks are queued, it knows of %v", due.Looks, t.ran)
	}
	if t.Alive == (t.Thread == Off) {
		return fmt.Errorf("alive is %v", t.Alive)
	}
	if t.ran || !t.Alive {
		return nil
	}
	ends := t.Step.Paced && t.Step.N > 0 && w.end(t, t.Step.N) <= now // the step's end is due at this instant
	if len(t.mails) > 0 && !t.locked && (t.Thread == Idle && !w.midRecord(t, now) && !ends || t.Thread == Soft) {
		return fmt.Errorf("%d mails are not read", len(t.mails))
	}
	switch t.Thread {
	case Idle:
		return w.auditIdle(now, t, due)
	case Busy:
		if t.Step.N == 0 && t.LogBlocked() || t.requests.yielding && due.Steps == 0 { // changelog-busy, or waiting for an answer
			return nil
		}
		if t.Step.N <= 0 || due.Steps != 1 {
			return fmt.Errorf("works on %d records with %d ends due", t.Step.N, due.Steps)
		}
	case Sync:
		if due.Syncs != 1 && !t.holds.ever {
			return fmt.Errorf("%d ends of the synchronous part are due", due.Syncs)
		}
	case Soft:
		if w.available(t) || t.waiting > 0 {
			return fmt.Errorf("%d channels wait, every output is available", t.waiting)
		}
	case Hard:
		return w.auditHard(t)
	}
	return nil
}

func (w *World) auditIdle(now event.Time, t *Task, due *Due) error {
	for i, g := range t.Gates {
		if w.Net.Waiting(g) || t.Hands[i].Valid && t.Hands[i].Entry.Records > 0 {
			return fmt.Errorf("gate %d has something to read", i)
		}
	}
	if t.over {
		if w.mayFinish(t) && (len(t.Uploads) == 0 || !w.afterFinish()) {
			return fmt.Errorf("nothing keeps it from finishing")
		}
		return nil
	}
	if t.Kind != Source || (t.align.paused || t.awaits) && t.Step.N == 0 {
		return nil
	}
	log := &w.Logs[t.Log]
	if log.Over(now-1) && !due.Stands { // it ends at this very instant
		return fmt.Errorf("its log is read to the end")
	}
	if t.Step.N == 0 && !log.Unlimited() && log.Arrival(log.Next) == event.Never {
		return nil
	}
	if t.Step.N == 0 && log.Unlimited() && log.Ended(now) {
		return nil
	}
	if t.Step.N == 0 || due.Steps != 1 {
		return fmt.Errorf("waits for %d records with %d ends due", t.Step.N, due.Steps)
	}
	return nil
}

func (w *World) auditHard(t *Task) error {
	waiting := 0
	for _, p := range t.Outs {
		n, segment := w.Net.Waits(p)
		if waiting += n; n > 0 && segment {
			return fmt.Errorf("%d channels of partition %d wait for a segment though there is one", n, p)
		}
	}
	if waiting == 0 || waiting != t.waiting {
		return fmt.Errorf("%d channels wait for a segment, it knows of %d", waiting, t.waiting)
	}
	return nil
}

// auditTimers: every asynchronous part has an end scheduled, and flushers and debloaters tick while the task lives.
func (w *World) auditTimers(t *Task, due *Due) error {
	written := 0
	if t.flow.written {
		written = 1
	}
	if n := len(t.Uploads); w.Store == nil && n != due.Asyncs+written || n < due.Asyncs {
		return fmt.Errorf("%d uploads are under way, %d ends are due and %d wait for channel state", len(t.Uploads), due.Asyncs, written)
	}
	if u := t.find(t.flow.id); t.flow.written && !t.flow.open() && (u == nil || !u.shares) {
		return fmt.Errorf("all is stored of checkpoint %d and it is not acknowledged", t.flow.id)
	}
	flushes, debloats := 0, 0
	if t.Alive && len(t.Outs) > 0 && w.Rules.BufferTimeout > 0 {
		flushes = 1
	}
	if t.Alive && !t.initializing && len(t.Gates) > 0 && w.Rules.Options.Debloat {
		debloats = 1
	}
	for i := range t.mails {
		if t.mails[i].kind == event.MailDebloat {
			debloats--
		}
	}
	marks := 0
	if t.Alive && w.Rules.EventTime && w.Rules.Marks[t.Vertex].On {
		marks = 1
	}
	if due.Marks != marks {
		return fmt.Errorf("%d of %d periods of watermarks are due", due.Marks, marks)
	}
	if t.End.closing { // its mailbox takes no mail any more: the period that ends then is the last one
		debloats = min(debloats, due.Debloats)
	}
	if due.Flushes != flushes || due.Debloats != debloats {
		return fmt.Errorf("%d of %d flushes and %d of %d debloater's periods are due", due.Flushes, flushes, due.Debloats, debloats)
	}
	return nil
}

// auditTime: the time spent in all activities is the time since the start.
func (t *Task) auditTime(now event.Time) error {
	var sum event.Time
	for th, d := range t.SpentUntil(now) {
		if d < 0 {
			return fmt.Errorf("%d ns were spent in activity %d", d, th)
		}
		sum += d
	}
	if sum != now {
		return fmt.Errorf("%d of %d ns are accounted for", sum, now)
	}
	return nil
}

// auditBlocked: every sender that has stopped at a barrier will be told to go on.
func (w *World) auditBlocked(c event.Channel, u *network.Under) error {
	ch, wire := &w.Net.Channels[c], &w.Net.Wires[c]
	t := &w.Tasks[wire.Consumer]
	if !ch.Blocked || w.Net.Broken(c) || u.Resumes > 0 || t.Handler.Blocked(wire.Slot) {
		return nil
	}
	for i := range t.held {
		if t.held[i].Kind == barrier.Resume && t.held[i].Channel == wire.Slot {
			return nil
		}
	}
	for i := 0; i < ch.Wire.Len(); i++ {
		if e := ch.Wire.At(i); e.Kind == network.Barrier && e.Flags&network.Blocking != 0 {
			return nil
		}
	}
	for i := 0; i < ch.Input.Len(); i++ {
		if e := ch.Input.At(i); e.Kind == network.Barrier && !e.Announcement && e.Flags&network.Blocking != 0 {
			return nil
		}
	}
	return fmt.Errorf("the sender stopped at barrier %d, and nothing will resume it", ch.BlockedBy())
}

// CountHands passes every record in a task's hand to add, with the channel it came by.
func (w *World) CountHands(t *Task, add func(c event.Channel, r *event.Run)) (runs int) {
	for i := range t.Hands {
		l := t.Hands[i].Entry.Runs
		for k := l.First(); k >= 0; k = w.Net.Slab.Next(k) {
			add(t.Hands[i].Channel, w.Net.Slab.At(k))
			runs++
		}
	}
	return runs
}

// Made is how many records the task has made according to its state.
func (w *World) Made(t *Task) int64 {
	if t.Kind == Source {
		return w.Logs[t.Log].Next
	}
	switch {
	case t.windows:
		return t.window.made
	case t.asks:
		return t.requests.made
	}
	return t.made(t.Seen, t.seenBy)
}

// Left is how many of the records of the run in hand output i has still to get.
func (t *Task) Left(i int) int64 {
	if i < t.restAt {
		return t.rest.Count - 1
	}
	return t.rest.Count
}
