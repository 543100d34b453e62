package scene

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
)

// mostNeighbours is how many subtasks an opened one shows on either side.
const mostNeighbours = 4

// opening is the part of a job that an opened subtask shows: itself and its direct neighbours. Task and channel ids stay;
// places are renumbered.
type opening struct {
	view      core.View
	vertices  []int // original index, by new index
	exchanges []int
	kept      [][]int
	focus     int // original index of the opened subtask's vertex
}

// open builds the part; false when the view has no such task.
func (o *opening) open(v *core.View, task event.Task) bool {
	place := -1
	for i := range v.Vertices {
		for j := range v.Vertices[i].Tasks {
			if v.Vertices[i].Tasks[j].Task == task {
				o.focus, place = i, j
			}
		}
	}
	if place < 0 {
		return false
	}
	for len(o.kept) < len(v.Vertices) {
		o.kept = append(o.kept, nil)
	}
	for i := range o.kept {
		o.kept[i] = o.kept[i][:0]
	}
	o.kept[o.focus] = append(o.kept[o.focus], place)
	for i := range v.Exchanges {
		o.neighbours(&v.Exchanges[i], place)
	}
	o.fill(v)
	return true
}

// neighbours keeps the subtasks at the other ends of the channels that tell most: with a barrier or held first, then the
// fullest.
func (o *opening) neighbours(e *core.ExchangeView, place int) {
	other := -1
	switch o.focus {
	case e.From:
		other = e.To
	case e.To:
		other = e.From
	default:
		return
	}
	for range mostNeighbours {
		best, most := -1, int64(-1)
		for k := range e.Channels {
			c := &e.Channels[k]
			here, there := c.To, c.From
			if o.focus == e.From {
				here, there = c.From, c.To
			}
			if here != place || contains(o.kept[other], there) {
				continue
			}
			if w := weightOf(c); w > most {
				best, most = there, w
			}
		}
		if best < 0 {
			return
		}
		o.kept[other] = append(o.kept[other], best)
	}
}

// weightOf ranks a channel.
func weightOf(c *core.ChannelView) int64 {
	w := total(c.Sender) + total(c.Wire) + total(c.Receiver)
	for _, q := range [...][]core.Cell{c.Receiver, c.Wire, c.Sender} {
		for i := range q {
			if q[i].Kind == core.Barrier {
				w += 1 << 40
			}
		}
	}
	if c.Blocked {
		w += 1 << 40
	}
	return w
}

func contains(s []int, v int) bool {
	for _, x := range s {
		if x == v {
			return true
		}
	}
	return false
}

// fill copies what is kept; the order of subtasks is that of the job.
func (o *opening) fill(v *core.View) {
	w := &o.view
	w.At, w.Computed, w.Duration, w.Coord, w.Budget = v.At, v.Computed, v.Duration, v.Coord, v.Budget
	w.Vertices, w.Exchanges = w.Vertices[:0], w.Exchanges[:0]
	o.vertices, o.exchanges = o.vertices[:0], o.exchanges[:0]
	for i := range v.Vertices {
		if len(o.kept[i]) == 0 {
			continue
		}
		sortInts(o.kept[i])
		vertex := v.Vertices[i]
		vertex.Tasks = nil
		for _, place := range o.kept[i] {
			vertex.Tasks = append(vertex.Tasks, v.Vertices[i].Tasks[place])
		}
		w.Vertices = append(w.Vertices, vertex)
		o.vertices = append(o.vertices, i)
	}
	for i := range v.Exchanges {
		o.fillExchange(v, i)
	}
}

func sortInts(s []int) {
	for i := 1; i < len(s); i++ {
		for j := i; j > 0 && s[j] < s[j-1]; j-- {
			s[j], s[j-1] = s[j-1], s[j]
		}
	}
}

func (o *opening) fillExchange(v *core.View, i int) {
	e := v.Exchanges[i]
	if e.From != o.focus && e.To != o.focus {
		return
	}
	from, to := o.kept[e.From], o.kept[e.To]
	channels, gates := e.Channels, e.Gates
	e.Channels, e.Gates = nil, nil
	for _, t := range to {
		e.Gates = append(e.Gates, gates[t])
	}
	for k := range channels {
		c := channels[k]
		a, b := indexOf(from, c.From), indexOf(to, c.To)
		if a >= 0 && b >= 0 {
			c.From, c.To = a, b
			e.Channels = append(e.Channels, c)
		}
	}
	number(&e)
	e.From, e.To = indexOf(o.vertices, e.From), indexOf(o.vertices, e.To)
	o.view.Exchanges = append(o.view.Exchanges, e)
	o.exchanges = append(o.exchanges, i)
}

// number counts the channels that are left of each sender and of each receiver.
func number(e *core.ExchangeView) {
	e.Ins, e.Outs = 1, 1
	for k := range e.Channels {
		c := &e.Channels[k]
		c.Input, c.Sub = 0, 0
		for i := range e.Channels[:k] {
			if e.Channels[i].To == c.To {
				c.Input++
			}
			if e.Channels[i].From == c.From {
				c.Sub++
			}
		}
		e.Ins, e.Outs = max(e.Ins, c.Input+1), max(e.Outs, c.Sub+1)
	}
}

func indexOf(s []int, v int) int {
	for i, x := range s {
		if x == v {
			return i
		}
	}
	return -1
}
