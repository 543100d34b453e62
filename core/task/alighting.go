package task

import (
	"checkpointlab/core/event"
	"checkpointlab/core/network"
	"checkpointlab/core/sim"
)

// Alight ends the ride: what cars, tracks and rotas hold goes back to tasks, channels and the event queue.
func (w *World) Alight(now event.Time) {
	x := &w.express
	if !x.on {
		return
	}
	x.on = false
	x.tracks.ReturnUnderWay()
	for i := range w.Tasks {
		if t := &w.Tasks[i]; !t.Retired {
			w.alight(now, t, &x.cars[i])
		}
	}
	x.tracks.ReturnWires()
	for i := range x.rotas {
		w.returnTicks(&x.rotas[i])
	}
	for i := range x.works.n {
		k := x.works.at(i)
		x.cars[k.Consumer].place = int32(i)
		w.Queue.PushAhead(sim.Item{At: k.end, Kind: event.DueStep, A: k.Consumer, Gen: w.Tasks[k.Consumer].Step.Gen}, k.Consumer)
	}
	for i := range w.Tasks {
		if c := &x.cars[i]; c.rides && c.load > 0 {
			w.resume(now, &w.Tasks[i], &x.works.at(int(c.place)).Sent)
		}
	}
}

// alight books what a car has counted, except for the buffer that it works on.
func (w *World) alight(now event.Time, t *Task, c *car) {
	x, in := &w.express, int64(c.in)
	if len(t.Outs) == 1 && w.Net.Dealt(t.Outs[0]) {
		x.tracks.ReturnSpokes(now, t.Outs[0])
	} else if len(t.Outs) == 1 {
		id, _ := w.Net.OnlyConsumer(t.Outs[0])
		to := &x.cars[id]
		x.tracks.Return(t.Outs[0], &to.Inlet, in, int64(to.in), to.holding())
	}
	busy := in * c.cost
	t.Spent[Busy] += busy
	t.Spent[Idle] -= busy
	t.Seen += in
	t.Out += in
	t.Spent[Idle] += c.since - t.Since
	t.Since = c.since
	if t.Kind == Source {
		t.mailed += in
		w.Logs[t.Log].Take(in)
		if in > 0 {
			t.lastCost = c.cost
		}
		t.Step.N, t.Step.booked = x.wells[t.Log].left, t.Step.booked || in > 0
		if x.post.on && t.Step.N > 0 {
			w.Queue.PushAhead(sim.Item{At: x.wells[t.Log].ends, Kind: event.DueStep, A: t.ID, Gen: t.Step.Gen}, t.ID)
		}
		return
	}
	t.In += in
	t.mailed += int64(c.Buffers)
	t.Thread, t.Step.N, t.Hands[0] = Idle, 0, Hand{Entry: network.Entry{Runs: event.EmptyRuns}}
}

// returnTicks turns a rota back into a lane of flushers.
func (w *World) returnTicks(r *rota) {
	for k := range r.ticks {
		t := &r.ticks[(r.next+k)%len(r.ticks)]
		w.Queue.GiveTo(r.lane, sim.Item{At: t.at, Seq: t.seq, Kind: event.DueFlush, A: t.task, Gen: w.Tasks[t.task].Gen})
	}
}

// resume makes a task work on the buffer that it has taken, or look for it if it has only just arrived and something else is
// due.
func (w *World) resume(now event.Time, t *Task, s *network.Sent) {
	x := &w.express
	c := &x.cars[t.ID]
	if w.Net.Dealt(w.Net.Wires[s.Channel].Partition) {
		x.tracks.HandBack(s.Channel, s.Records, c.holding())
	}
	if s.At == now && !w.Queue.Quiet(now) {
		x.tracks.Unbegun(s, c.holding())
		t.Step.Gen++
		w.poke(now, t)
		return
	}
	h, p := &t.Hands[0], &t.Step
	h.Valid, h.Channel, h.Entry = true, s.Channel, x.tracks.Entry(s, c.holding())
	p.K, p.Paced, p.Mark, p.Fire, p.booked, p.Start, p.N, p.Gates[0] = 1, false, false, false, false, s.At, int64(s.Records), 0
	t.become(s.At, Busy)
	if w.limit(now, t, x.tracks.Size()); p.N < int64(s.Records) { // to where it fills a buffer
		w.endAfter(t, p.N)
	}
}
