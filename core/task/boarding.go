package task

import (
	"slices"

	"checkpointlab/core/event"
	"checkpointlab/core/network"
	"checkpointlab/core/sim"
)

// Board puts the job on express if it qualifies; nothing else may be due at this instant.
func (w *World) Board() {
	x := &w.express
	if x.on {
		return
	}
	if x.post.on = w.deals(); x.post.on && x.post.rests() || !w.mayBoard(x.post.on) {
		return
	}
	x.on, x.works.n = true, 0
	if len(x.cars) < len(w.Tasks) {
		x.cars = make([]car, len(w.Tasks))
	}
	if len(x.wells) < len(w.Logs) {
		x.wells = make([]well, len(w.Logs))
	}
	x.tracks.Start(w.Net, len(w.Tasks), w.recordSize())
	for i := range w.Tasks {
		w.board(&w.Tasks[i])
	}
	for i := range w.Tasks {
		w.boardOutput(&w.Tasks[i])
	}
	x.tracks.TakeWires()
	x.rotas = x.rotas[:0]
	for i := range event.FlushLanes {
		w.takeTicks(event.LaneFlush + i)
	}
	if x.post.on {
		w.openPost()
	} else {
		w.layer()
	}
}

// mayBoard reports whether cars and tracks can represent all tasks, and rotas all ticks.
func (w *World) mayBoard(deals bool) bool {
	if w.Rules.EventTime || w.Rules.slow() || w.Hopping() || w.Feed.Hears(event.BufferSent) || w.Feed.Hears(event.BufferReceived) || !w.Net.MayStart() {
		return false
	}
	flushers, size := 0, w.recordSize()
	for i := range w.Tasks {
		t := &w.Tasks[i]
		if !t.Retired && !w.mayRide(t, size, deals) {
			return false
		}
		if !t.Retired && len(t.Outs) > 0 {
			flushers++
		}
	}
	for i := range event.FlushLanes {
		n, ok := w.inRota(event.LaneFlush + i)
		if !ok {
			return false
		}
		flushers -= n
	}
	return flushers == 0 && (!deals || w.mayDeal(size))
}

// inRota counts the ticks of a lane; ok is false unless they are all of tasks with the same period.
func (w *World) inRota(lane int) (n int, ok bool) {
	first := w.Queue.Upcoming(lane, 0)
	for ; ; n++ {
		it := w.Queue.Upcoming(lane, n)
		if it == nil {
			return n, true
		}
		t := &w.Tasks[it.A]
		if it.Kind != event.DueFlush || it.Gen != t.Gen || t.Retired || t.FlushPeriod != w.Tasks[first.A].FlushPeriod || it.At-first.At > t.FlushPeriod {
			return n, false
		}
	}
}

// recordSize is the size of a record in bytes, 0 if it cannot be determined.
func (w *World) recordSize() int32 {
	if n := w.Net.Slab.Size(); n > 0 {
		return n
	}
	for i := range w.Tasks {
		if t := &w.Tasks[i]; t.Kind == Source && !t.Retired {
			return t.Size
		}
	}
	return 0
}

func (w *World) mayRide(t *Task, size int32, deals bool) bool {
	if !t.Alive || t.ran || t.over || t.locked || t.holds.on || t.costChanges || t.waiting > 0 || len(t.mails) > 0 || t.Cost <= 0 || t.Handler.Aligning() {
		return false
	}
	if len(t.Outs) > 1 || len(t.Outs) == 1 && !(deals && t.Kind == Source) && !w.Net.MayTake(t.Outs[0], w.held(t.Outs[0]), !deals) {
		return false
	}
	if t.Kind == Source {
		s := &t.Step
		return len(t.Outs) == 1 && t.Thread == Idle && (s.N == 0 || s.Paced && s.N > 1) && t.Size == size && size > 0 && t.Working == nil && t.log == nil &&
			t.EmitNum == t.EmitDen && !t.Burst && !t.Pushes && !t.align.paused && !t.awaits && t.End.stopping == goesOn && w.Rules.BufferTimeout > 0
	}
	return t.hops && len(t.Outs) == 1 == (t.Kind == Map) && (t.waits() && !t.Hands[0].Valid || w.inWhole(t))
}

// inWhole reports whether the step in work is exactly the records of the buffer in hand, none of them done, and they fit into
// the output.
func (w *World) inWhole(t *Task) bool {
	s, h := &t.Step, &t.Hands[0]
	if t.Thread != Busy || s.N == 0 || s.K != 1 || s.booked || s.Mark || s.Fire || s.Start != t.Since {
		return false
	}
	e := &h.Entry
	return h.Valid && e.Arrives == s.Start && e.Records == s.N && e.Exclusive && !e.Extra && e.ID == 0 && (t.Kind == Sink || w.Net.Fits(t.Outs[0], &e.Runs, s.N))
}

// held reports whether the consumer of an output has a buffer of it in work.
func (w *World) held(p int32) bool {
	id, ok := w.Net.OnlyConsumer(p)
	return ok && len(w.Tasks[id].Hands) == 1 && w.Tasks[id].Hands[0].Valid
}

func (w *World) board(t *Task) {
	x := &w.express
	c := &x.cars[t.ID]
	*c = car{kind: t.Kind, rides: !t.Retired, since: t.Since, cost: t.Cost, fresh: t.FirstAt == 0}
	switch {
	case t.Retired:
	case t.Kind == Source:
		c.place = t.Log
		x.wells[t.Log] = wellOf(&w.Logs[t.Log], t)
		if x.post.on {
			x.wells[t.Log].ends = w.ends(c)
			t.Step.Gen++ // the end of its step is done express
		}
	default:
		c.place = t.Writer
		if t.Step.N > 0 {
			w.boardWork(t, c)
		}
	}
}

// boardOutput puts a task's output on its track, with its consumer's end.
func (w *World) boardOutput(t *Task) {
	switch {
	case t.Retired || len(t.Outs) == 0:
		return
	case w.Net.Dealt(t.Outs[0]):
		w.express.tracks.TakeSpokes(t.Outs[0])
		return
	}
	id, _ := w.Net.OnlyConsumer(t.Outs[0])
	w.express.tracks.Take(t.Outs[0], &w.express.cars[id].Inlet, w.held(t.Outs[0]))
}

// boardWork takes over the buffer that a task works on. The end of its step in the event queue is void from now on.
func (w *World) boardWork(t *Task, c *car) {
	h, s := &t.Hands[0], &t.Step
	s.Gen++
	if c.begins(s.Start, int32(s.N), false); w.Net.Dealt(w.Net.Wires[h.Channel].Partition) {
		w.express.tracks.HandOver(h.Channel, int32(s.N))
	}
	*w.express.works.add(s.Start+s.N*t.Cost, t.ID) = network.Sent{
		Due: due{At: s.Start}, Many: h.Entry.Runs, Bytes: h.Entry.Bytes, Records: int32(s.N), Producer: w.Net.Wires[h.Channel].Producer, Consumer: t.ID, Channel: h.Channel,
	}
	t.Thread, s.N = Idle, 0
}

// GatherTicks sorts the ticks of flushers into their lanes: tasks that start have them at any instant of a period.
func (w *World) GatherTicks() {
	for i := range event.FlushLanes {
		w.Queue.Gather(event.LaneFlush+i, func(it *sim.Item) bool {
			return it.Kind == event.DueFlush && int(w.Tasks[it.A].Vertex)%event.FlushLanes == i && it.Gen == w.Tasks[it.A].Gen
		})
	}
}

// takeTicks turns a lane of flushers into a rota, if it holds any.
func (w *World) takeTicks(lane int) {
	x := &w.express
	if w.Queue.Upcoming(lane, 0) == nil {
		return
	}
	x.rotas = slices.Grow(x.rotas, 1)[:len(x.rotas)+1]
	r := &x.rotas[len(x.rotas)-1]
	r.ticks, r.next, r.lane = r.ticks[:0], 0, lane
	for it := w.Queue.TakeFrom(lane); it != nil; it = w.Queue.TakeFrom(lane) {
		r.ticks = append(r.ticks, tick{it.At, it.Seq, it.A})
		r.period = w.Tasks[it.A].FlushPeriod
		x.tracks.TicksAt(it.A, it.At)
	}
	r.tick = r.ticks[0]
}
