// Package sample makes views by hand, so that the picture can be tested without a run. Queues are written as text, head
// first: F a full buffer, digits 1 to 9 a buffer filled by so many tenths, o one just opened, S a stored one,
// | an aligned barrier, > an unaligned one, x another event. An upper-case letter is an exclusive buffer at the receiver.
package sample

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
)

// Segment is the size of a sample's buffers.
const Segment = 32 << 10

// queue reads a queue; barriers are of the checkpoint id.
func queue(text string, id event.Checkpoint, usable int32) []core.Cell {
	var cells []core.Cell
	exclusive := 2
	for _, r := range text {
		c := core.Cell{Usable: usable, Oldest: 54 * event.Second}
		switch r {
		case '|', '>':
			c = core.Cell{Kind: core.Barrier, Unaligned: r == '>', Checkpoint: id}
		case 'x':
			c = core.Cell{Kind: core.Other}
		case 'S':
			c.Bytes, c.Stored, c.Checkpoint = usable, true, id
		case 'o':
			c.Bytes, c.Open = usable/50, true
		case 'F':
			c.Bytes = usable
		default:
			c.Bytes = usable * int32(r-'0') / 10
		}
		if c.Kind == core.Data {
			c.Records = int64(c.Bytes) / 145
			c.Exclusive = exclusive > 0
			exclusive--
		}
		cells = append(cells, c)
	}
	return cells
}

// Channel is one channel in short: queues, the buffer in hand ("" = none), credit.
type Channel struct {
	Send, Wire, Recv, Hand string
	Credit                 int
	Held                   bool // the barrier has been handed out
	Shut                   bool // the sender waits, the barrier is still on its way
	Usable                 int32
}

// Job is a view in short.
type Job struct {
	Names     []string
	Kinds     []core.VertexKind
	Edges     [][2]int
	P         []int // parallelism
	Channels  [][]Channel
	ID        event.Checkpoint // pending; 0 = none
	Completed event.Checkpoint
	At        event.Time
	Acks      []bool
}

// View makes the view of a job: dense ids in order of vertices and exchanges.
func (j Job) View() *core.View {
	v := &core.View{At: j.At, Computed: j.At, Duration: 90 * event.Second}
	task := event.Task(0)
	for i, name := range j.Names {
		w := core.VertexView{Name: name, Kind: j.Kinds[i], Cost: 50 * event.Microsecond}
		if w.Kind == core.Source {
			w.Rate = 6000
		}
		for k := range j.P[i] {
			w.Tasks = append(w.Tasks, core.TaskView{Task: task, Index: k})
			task++
		}
		v.Vertices = append(v.Vertices, w)
	}
	channel := event.Channel(0)
	for i, e := range j.Edges {
		x := core.ExchangeView{From: e[0], To: e[1], Ins: j.P[e[0]], Outs: j.P[e[1]]}
		for range j.P[e[1]] {
			x.Gates = append(x.Gates, core.GateView{Floating: 8})
		}
		for from := range j.P[e[0]] {
			for to := range j.P[e[1]] {
				c := Channel{}
				if i < len(j.Channels) {
					c = j.Channels[i][from*j.P[e[1]]+to]
				}
				x.Channels = append(x.Channels, c.view(channel, from, to, j.ID, &x.Gates[to]))
				channel++
			}
		}
		v.Exchanges = append(v.Exchanges, x)
	}
	j.finish(v, int(task))
	return v
}

func (c Channel) view(id event.Channel, from, to int, cp event.Checkpoint, g *core.GateView) core.ChannelView {
	usable := c.Usable
	if usable == 0 {
		usable = Segment
	}
	out := core.ChannelView{Channel: id, From: from, To: to, Sub: to, Input: from, Credit: c.Credit, Available: c.Credit, Usable: usable,
		Sender: queue(c.Send, cp, usable), Wire: queue(c.Wire, cp, usable), Receiver: queue(c.Recv, cp, usable)}
	for i := range out.Wire {
		out.Wire[i].Progress = 700 - 300*i
	}
	for i := range out.Sender {
		out.Sender[i].Exclusive = false
	}
	if c.Hand != "" {
		out.Current, out.Holding = queue(c.Hand, cp, usable)[0], true
		if len(out.Receiver) > 0 {
			second(out.Receiver)
		}
	}
	held := 0
	for i := range out.Receiver {
		if out.Receiver[i].Kind == core.Data {
			held++
		}
	}
	out.Floating = max(0, held+c.Credit+int(min(1, len(c.Hand)))-2)
	g.FloatingFree = max(0, g.Floating-out.Floating)
	if c.Held || c.Shut {
		out.Blocked, out.BlockedBy = true, cp
	}
	return out
}

// second leaves one exclusive buffer to the one in hand.
func second(cells []core.Cell) {
	seen := 0
	for i := range cells {
		if cells[i].Exclusive {
			seen++
			cells[i].Exclusive = seen < 2
		}
	}
}

func (j Job) finish(v *core.View, tasks int) {
	for i := range v.Exchanges {
		e := &v.Exchanges[i]
		for k := range e.Channels {
			c := &e.Channels[k]
			from, to := &v.Vertices[e.From].Tasks[c.From], &v.Vertices[e.To].Tasks[c.To]
			from.OutUsed, from.OutTotal = from.OutUsed+len(c.Sender), 12
			to.InUsed += len(c.Receiver)
			to.InTotal = 2*len(v.Vertices[e.From].Tasks) + 8
		}
	}
	v.Coord.LastCompleted, v.Coord.LastDuration = j.Completed, 2030*event.Millisecond
	v.Coord.NextTrigger = j.At + 8800*event.Millisecond
	if j.ID != 0 {
		acks := make([]bool, tasks)
		copy(acks, j.Acks)
		v.Coord.Pending = []core.PendingView{{Checkpoint: j.ID, Triggered: j.At - 1200*event.Millisecond, Timeout: 600 * event.Second, Acks: acks}}
	}
}
