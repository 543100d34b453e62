package core

import (
	"checkpointlab/core/event"
	"checkpointlab/core/network"
	"checkpointlab/core/task"
)

// How an exchange is seen: its channels, and what lies in their queues.

func (l *Lab) viewExchange(e int, v *ExchangeView) {
	edge, at := l.plan.setup.Edges[e], l.plan.edges[e]
	v.From, v.To, v.Partition = edge.From, edge.To, edge.Partition
	v.Gates = resize(v.Gates, l.plan.consumers(e))
	for g := range v.Gates {
		v.Gates[g] = GateView{Floating: l.plan.net.Floating, FloatingFree: l.world.Net.Gates[int(at.gate)+g].Gate.FloatingFree()}
	}
	v.Ins, v.Outs = 1, 1
	v.Channels = resize(v.Channels, edge.Partition.Channels(l.plan.producers(e), l.plan.consumers(e)))
	for c := range v.Channels {
		ch := &v.Channels[c]
		l.viewChannel(at.channel+event.Channel(c), ch)
		v.Ins, v.Outs = max(v.Ins, ch.Input+1), max(v.Outs, ch.Sub+1)
	}
}

func (l *Lab) viewChannel(c event.Channel, v *ChannelView) {
	net := l.world.Net
	ch, w := &net.Channels[c], &net.Wires[c]
	gate := &net.Gates[w.Gate].Gate
	v.Channel, v.Local, v.Sub, v.Input = c, w.Local, int(w.Sub), int(w.Input)
	v.From, v.To = int(l.world.Tasks[w.Producer].Index), int(l.world.Tasks[w.Consumer].Index)
	v.Sender = l.cells(v.Sender[:0], &ch.Queue)
	v.Sender = l.addWritten(v.Sender, c, w)
	v.Wire = l.cells(v.Wire[:0], &ch.Wire)
	for i := range v.Wire {
		e := ch.Wire.At(i)
		v.Wire[i].Progress = perMille(l.now-e.Left, max(1, e.Arrives-e.Left))
	}
	v.Receiver = l.received(v.Receiver[:0], &ch.Input)
	v.Credit, v.Backlog, v.Blocked, v.Usable = net.CreditAt(l.now, c), ch.Backlog(), ch.Blocked, ch.Usable
	v.BlockedBy = 0
	if ch.Blocked {
		v.BlockedBy = ch.BlockedBy()
	}
	v.Available = gate.Available(int(w.Input))
	v.Floating = gate.FloatingHeld(int(w.Input))
	v.Moved = moved(ch)
	l.viewHand(c, w, v)
}

// moved is when the newest of what the sender has sent left it, as far as that is still to be seen: on the wire or in the
// receiver's queue. A part of the open buffer leaves without moving the queue.
func moved(ch *network.Channel) event.Time {
	if ch.Queue.Len() == 0 || ch.Queue.At(0).Sent > 0 {
		return 0
	}
	if n := ch.Wire.Len(); n > 0 {
		return ch.Wire.At(n - 1).Left
	}
	if n := ch.Input.Len(); n > 0 {
		return ch.Input.At(n - 1).Left
	}
	return 0
}

// addWritten adds what the producer's step in work has written to the channel by now.
func (l *Lab) addWritten(cells []Cell, c event.Channel, w *network.Wire) []Cell {
	t, net := &l.world.Tasks[w.Producer], l.world.Net
	d := l.world.Done(t, l.now)
	if t.Step.N > 0 {
		d = min(d, t.Step.N-1) // the last one is booked by the step's end
	}
	if d <= 0 || len(cells) == 0 || !cells[len(cells)-1].Open {
		return cells
	}
	part := &net.Partitions[w.Partition]
	d = t.OutOf(d)
	n := d
	if part.Count > 1 && !part.All {
		n = net.Dealers[w.Partition].Count(int(w.Sub), part.Emitted, part.Emitted+d)
	}
	last := &cells[len(cells)-1]
	last.Records += n
	last.Bytes = min(last.Usable, last.Bytes+int32(n)*l.world.SizeInWork(t))
	if last.Oldest == 0 && n > 0 {
		last.Oldest = l.world.BornInWork(t)
	}
	return cells
}

// viewHand is the buffer in the consumer's hand, if it came by this channel.
func (l *Lab) viewHand(c event.Channel, w *network.Wire, v *ChannelView) {
	v.Holding, v.Current, v.Taken = false, Cell{}, 0
	t := &l.world.Tasks[w.Consumer]
	for i := range t.Hands {
		h := &t.Hands[i]
		if !h.Valid || h.Channel != c {
			continue
		}
		v.Holding, v.Current, v.Taken = true, l.cell(&h.Entry), h.Entry.Arrives
		if done := l.doneOf(t, i); done > 0 && v.Current.Records > 0 {
			v.Current.Bytes -= int32(int64(v.Current.Bytes) * done / h.Entry.Records)
			v.Current.Records -= done
		}
	}
}

// doneOf is how many records of the step in work came from gate i's hand by now.
func (l *Lab) doneOf(t *task.Task, i int) int64 {
	d := l.world.Done(t, l.now)
	for k := int8(0); k < t.Step.K && d > 0; k++ {
		if int(t.Step.Gates[k]) == i {
			return t.Step.Share(k, d)
		}
	}
	return 0
}

func (l *Lab) cells(out []Cell, q *network.Ring) []Cell {
	for i := 0; i < q.Len(); i++ {
		e := q.At(i)
		if e.Kind == network.Data && e.Finished && e.Sent == e.Bytes && e.Bytes > 0 {
			continue // wholly sent
		}
		out = append(out, l.cell(e))
	}
	return out
}

func (l *Lab) received(out []Cell, q *network.InputQueue) []Cell {
	for i := 0; i < q.Len(); i++ {
		r := q.At(i)
		if r.Announcement {
			continue
		}
		out = append(out, l.cell(r))
		if r.Kind == network.Data {
			out[len(out)-1].Overtaken = q.Overtaker(r)
		}
	}
	return out
}

func (l *Lab) cell(e *network.Entry) Cell {
	c := Cell{Open: !e.Finished && e.Kind == network.Data, Exclusive: e.Exclusive, Bytes: e.Bytes - e.Sent, Usable: e.Size, Records: e.Records}
	switch e.Kind {
	case network.Data:
		c.Checkpoint, c.Stored = e.ID, e.ID != 0
	case network.Barrier:
		c.Kind, c.Checkpoint, c.Unaligned = Barrier, e.ID, e.Flags&network.Priority != 0
	case network.Cancel:
		c.Kind, c.Checkpoint = Other, e.ID
	case network.EndData, network.End:
		c.Kind = Other
	}
	for i := e.Runs.First(); i >= 0; i = l.world.Net.Slab.Next(i) {
		if r := l.world.Net.Slab.At(i); !r.IsMark() {
			c.Oldest = r.Born / event.Fine
			break
		}
	}
	if l.world.Rules.EventTime {
		l.countMarks(e, &c)
	}
	return c
}
