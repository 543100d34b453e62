package core

import (
	"fmt"
	"slices"

	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/core/sink"
	"checkpointlab/core/task"
)

// hop counts what flows into the subtasks of a vertex in one region. A restore sets sent and seen back together, so their
// difference stays; with aligned barriers that difference is what is on the way.
type hop struct {
	sent, seen, inFlight int64
	cutSent, cutSeen     int64 // in the latest completed checkpoint; cutSent is less the data in flight that it stored
	alive                bool  // all tasks run
	gen, sum             uint32
	begun                bool
	ahead                int64 // seen beyond what was sent and arrived: what an at-least-once checkpoint had seen too much
}

// shownMark is how many more records a sink that shows them at once had shown than seen when it started.
type shownMark struct {
	gen   uint32
	begun bool
	again int64
}

// records: what was sent is on the way or was seen, now and in the latest completed checkpoint.
func (a *Auditor) records() error {
	id, _ := a.lab.coord.LatestCompleted()
	if a.lab.job.stopped {
		id = max(id, a.lab.job.last)
	}
	s := a.lab.world.Save(id)
	if id != 0 && s == nil {
		return fmt.Errorf("checkpoint %d is completed and was forgotten", id)
	}
	if id == 0 {
		s = nil
	} else {
		a.cuts++
	}
	a.sumUp(s)
	for v := range a.hops {
		for r := range a.hops[v] {
			if err := a.checkHop(&a.hops[v][r], s); err != nil {
				return fmt.Errorf("into %s, region %d, checkpoint %d: %w", a.lab.plan.setup.Vertices[v].Name, r, id, err)
			}
		}
	}
	for i := range a.lab.world.Tasks {
		if err := a.checkTask(&a.lab.world.Tasks[i], s); err != nil {
			return fmt.Errorf("task %d, checkpoint %d: %w", i, id, err)
		}
	}
	return nil
}

// exact reports whether barriers align, so that a restore repeats nothing inside the job.
func (a *Auditor) exact() bool { return a.lab.plan.setup.Options.Mode == option.ExactlyOnce }

func (a *Auditor) checkHop(h *hop, s *task.Save) error {
	if a.lab.plan.phase > 0 {
		return a.checkRescaledHop(h, s)
	}
	if s != nil && !a.unwaited() {
		if h.cutSeen < h.cutSent || a.exact() && h.cutSeen != h.cutSent {
			return fmt.Errorf("%d records were sent ahead of the barriers and not stored, %d were seen", h.cutSent, h.cutSeen)
		}
	}
	ahead, alive := h.lead()
	if !alive {
		return nil
	}
	if ahead != h.ahead || ahead < 0 || a.exact() && ahead != 0 {
		return fmt.Errorf("%d records were sent, %d are on the way, %d were seen, of which %d are repeated", h.sent, h.inFlight, h.seen, h.ahead)
	}
	return nil
}

// unwaited reports whether a task may have finished before what it sent was read: without an interval none waits for its readers
// (StreamTask.areCheckpointsWithFinishedTasksEnabled), and a checkpoint that is asked for has what they have seen by then.
func (a *Auditor) unwaited() bool { return a.ended && a.lab.plan.setup.Options.Interval == 0 }

// lead is how many records were seen beyond those that have arrived; h.ahead is what it was when the tasks began. false: they
// do not run.
func (h *hop) lead() (ahead int64, alive bool) {
	if !h.alive {
		h.begun = false
		return 0, false
	}
	ahead = h.seen - (h.sent - h.inFlight)
	if !h.begun || h.gen != h.sum {
		h.begun, h.gen, h.ahead = true, h.sum, ahead
	}
	return ahead, true
}

// checkRescaledHop: subtasks that a rescaling left out have seen and sent records, too, so only the difference stays, in what
// flows and in what checkpoints hold.
func (a *Auditor) checkRescaledHop(h *hop, s *task.Save) error {
	ahead, alive := h.lead()
	if !alive {
		return nil
	}
	if ahead != h.ahead || s != nil && a.exact() && h.cutSeen-h.cutSent != ahead {
		return fmt.Errorf("after a rescaling %d records were sent, %d are on the way, %d were seen, %d ahead; the checkpoint has %d sent and %d seen",
			h.sent, h.inFlight, h.seen, h.ahead, h.cutSent, h.cutSeen)
	}
	return nil
}

// checkTask: outputs have what the state says was emitted; a sink has written what it has seen, the transactions of a
// completed checkpoint what it had seen then.
func (a *Auditor) checkTask(t *task.Task, s *task.Save) error {
	if t.Kind == task.Sink {
		return a.checkSink(t, &a.lab.world.Writers[t.Writer], s)
	}
	if !t.Alive {
		return nil
	}
	if err := t.AuditWindows(); err != nil {
		return err
	}
	made := a.lab.world.Made(t)
	for i, p := range t.Outs {
		if out := a.lab.world.Net.Partitions[p].Emitted; out+t.Left(i) != made {
			return fmt.Errorf("its state has made %d records; %d went to output %d and %d are left", made, out, i, t.Left(i))
		}
	}
	return nil
}

func (a *Auditor) checkSink(t *task.Task, w *sink.Writer, s *task.Save) error {
	if !w.Transactional {
		m := &a.shown[t.Writer]
		if !m.begun || m.gen != t.Gen {
			*m = shownMark{gen: t.Gen, begun: t.Alive, again: w.Visible - t.Seen}
		}
		if t.Alive && (w.Visible-t.Seen != m.again || m.again < 0) {
			return fmt.Errorf("%d records seen and %d shown, %d of them again", t.Seen, w.Visible, m.again)
		}
		return nil
	}
	if w.AtEnd || a.lab.job.repeats { // what was committed without a checkpoint of the store is written again after a failure
		return nil
	}
	upTo, cut, sealed, all := event.Checkpoint(0), int64(0), w.Visible+w.Lost, w.Visible+w.Lost+w.Open.Records
	if s != nil {
		upTo, cut = a.lab.shownTo(t.ID, s.ID), s.Next[t.ID]
	}
	for i := range w.Sealed {
		all += w.Sealed[i].Records
		if w.Sealed[i].ID <= upTo {
			sealed += w.Sealed[i].Records
		}
	}
	switch {
	case w.UpTo > upTo && !a.completed(w.UpTo): // one behind the savepoint that the job was stopped with is: it has no record more
		return fmt.Errorf("checkpoint %d is committed", w.UpTo)
	case sealed != cut:
		return fmt.Errorf("%d records visible or sealed by it, it has %d", sealed, cut)
	case t.Alive && all != t.Seen:
		return fmt.Errorf("%d records seen, %d visible or in transactions", t.Seen, all)
	}
	return nil
}

// completed reports whether checkpoint id was complete at any time of the run.
func (a *Auditor) completed(id event.Checkpoint) bool {
	return slices.ContainsFunc(a.lab.rec.history.Checkpoints, func(c CheckpointRecord) bool { return c.ID == id && c.Outcome == Completed })
}

// sumUp fills the hops from the present and from the completed checkpoint.
func (a *Auditor) sumUp(s *task.Save) {
	l := a.lab
	for v := range a.hops {
		for r := range a.hops[v] {
			h := &a.hops[v][r]
			*h = hop{alive: true, gen: h.gen, begun: h.begun, ahead: h.ahead}
		}
	}
	for i := range l.world.Tasks {
		a.sumTask(&l.world.Tasks[i], s)
	}
	for c, w := range l.plan.net.Wires {
		h := a.hopInto(w.Consumer)
		l.world.Net.Count(event.Channel(c), h.addInFlight)
	}
	for p := range l.world.Net.Partitions {
		part := &l.world.Net.Partitions[p]
		h := a.hopInto(l.plan.net.Wires[part.First].Consumer)
		copies := int64(1)
		if part.All {
			copies = int64(part.Count)
		}
		h.sent += part.Emitted * copies
		if s != nil {
			h.cutSent += s.Emitted[p] * copies
		}
	}
	if s == nil {
		return
	}
	for i := range s.Flow {
		h := a.hopInto(l.plan.net.Wires[s.Flow[i].Channel].Consumer)
		for at := s.Flow[i].Runs.First(); at >= 0; at = l.world.Slab.Next(at) {
			if r := l.world.Slab.At(at); !r.IsMark() {
				h.cutSent -= r.Count
			}
		}
	}
}

// addInFlight counts records on the way; watermarks are none.
func (h *hop) addInFlight(r *event.Run) {
	if !r.IsMark() {
		h.inFlight += r.Count
	}
}

func (a *Auditor) hopInto(t event.Task) *hop {
	region := a.lab.plan.regions[t]
	if a.lab.plan.phase > 0 { // subtasks of several regions may have become one's
		region = 0
	}
	return &a.hops[a.lab.world.Tasks[t].Vertex][region]
}

func (a *Auditor) sumTask(t *task.Task, s *task.Save) {
	h := a.hopInto(t.ID)
	a.lab.world.CountHands(t, func(_ event.Channel, r *event.Run) { h.addInFlight(r) })
	h.alive = h.alive && !t.Down()
	h.sum += t.Gen
	a.ended = a.ended || t.End.Finished
	if t.Kind == task.Source {
		return
	}
	h.seen += t.Seen
	if s != nil {
		h.cutSeen += s.Next[t.ID]
	}
}

// slabs: every run in a slab belongs to exactly one list.
func (a *Auditor) slabs() error {
	l, lists := a.lab, 0
	for c := range l.world.Net.Channels {
		lists += l.world.Net.Count(event.Channel(c), func(*event.Run) {})
	}
	for i := range l.world.Tasks {
		lists += l.world.CountHands(&l.world.Tasks[i], func(event.Channel, *event.Run) {})
	}
	if used := l.world.Net.Slab.Used(); used != lists {
		return fmt.Errorf("the network's slab has %d runs, %d of them are in lists", used, lists)
	}
	kept := 0
	count := func(runs event.Runs) {
		for i := runs.First(); i >= 0; i = l.world.Slab.Next(i) {
			kept++
		}
	}
	for i := range l.world.Saves {
		for k := range l.world.Saves[i].Flow {
			count(l.world.Saves[i].Flow[k].Runs)
		}
	}
	if used := l.world.Slab.Used(); used != kept {
		return fmt.Errorf("the tasks' slab has %d runs, %d of them are in checkpoints", used, kept)
	}
	return nil
}
