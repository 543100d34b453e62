package scene

import (
	"checkpointlab/core"
	"checkpointlab/render/token"
)

// crowded is how many channels an exchange may have before a cell with a barrier leaves out what lies behind it.
const crowded = 200

// amounts are a channel's bytes by tone.
type amounts struct {
	ahead, stored, behind int64
	barrier               bool // the reference barrier is in it
}

func (a amounts) total() int64 { return a.ahead + a.stored + a.behind }

// weigh sums a channel from the consumer against the flow.
func (p *plan) weigh(e *core.ExchangeView, c *core.ChannelView) (a amounts) {
	w := walker{ref: p.cut.ref, behind: p.cut.consumed(p.v, e, c)}
	if c.Holding {
		a.add(&c.Current, w.behind)
	}
	for _, q := range [...][]core.Cell{c.Receiver, c.Wire, c.Sender} {
		for i := range q {
			cell := &q[i]
			behind := w.pass(cell)
			if cell.Kind == core.Data {
				a.add(cell, behind)
			} else if cell.Kind == core.Barrier && cell.Checkpoint == p.cut.ref {
				a.barrier = true
			}
		}
	}
	return a
}

func (a *amounts) add(c *core.Cell, isBehind bool) {
	switch toneOf(c, isBehind) {
	case stored:
		a.stored += int64(c.Bytes)
	case behind:
		a.behind += int64(c.Bytes)
	default:
		a.ahead += int64(c.Bytes)
	}
}

// capacity is a channel's fill that a full cell stands for: its share of the pools on both sides. It does not change
// while a run plays.
func (p *plan) capacity(e *core.ExchangeView) float64 {
	from, to := p.v.Vertices[e.From].Tasks, p.v.Vertices[e.To].Tasks
	buffers := 1.0
	if len(from) > 0 && len(to) > 0 {
		buffers = float64(from[0].OutTotal)/float64(e.Outs) + float64(to[0].InTotal)/float64(e.Ins)
	}
	return max(1, buffers) * float64(p.segment)
}

// matrix draws an exchange with senders in rows and receivers in columns; a cell's height is the channel's queued bytes,
// what lies ahead of the barrier at the bottom.
func (s *Scene) matrix(i int, b block) {
	p := &s.plan
	e := &p.v.Exchanges[i]
	rows, cols := p.matrixSize(e)
	w := min(26, b.w/float64(cols))
	h := min(Matrix.lineH(), b.h/float64(rows))
	left := b.x + float64(int((b.w-w*float64(cols))/2))
	full := p.capacity(e)
	for _, draw := range matrixPasses { // one kind of ink after the other: fewer changes of style
		for k := range e.Channels {
			c := &e.Channels[k]
			s.matrixCell(e, c, block{left + float64(c.Sub)*w, b.y + float64(c.From)*h, w - 1, h - 3, 0}, full, draw)
		}
	}
}

// matrixSize is the number of senders and of receivers per sender.
func (p *plan) matrixSize(e *core.ExchangeView) (rows, cols int) {
	return max(1, len(p.v.Vertices[e.From].Tasks)), max(1, e.Outs)
}

// matrixMark is one kind of ink in a matrix cell.
type matrixMark uint8

const (
	darkPart matrixMark = iota
	stripedPart
	lightPart
	border
	held
)

var matrixPasses = [...]matrixMark{darkPart, stripedPart, lightPart, border, held}

// matrixCell draws one kind of ink of one channel in its box.
func (s *Scene) matrixCell(e *core.ExchangeView, c *core.ChannelView, b block, full float64, kind matrixMark) {
	p, id := &s.plan, channelID(Channel, c.Channel)
	a := p.weigh(e, c)
	scale := b.h / max(full, float64(a.total()))
	dark, striped, light := float64(a.ahead)*scale, float64(a.stored)*scale, float64(a.behind)*scale
	bottom := b.y + b.h
	switch kind {
	case darkPart:
		if a.ahead > 0 {
			s.Rect(id, b.x, bottom-dark, b.w, max(1, dark), token.BufPre)
		} else if a.total() == 0 {
			s.Rect(id, b.x, bottom-1, b.w, 1, token.Line)
		}
	case stripedPart:
		if a.stored > 0 {
			s.Rect(id, b.x, bottom-dark-striped, b.w, max(1, striped), token.Hue(p.cut.ref)).Hatch = Stored
		}
	case lightPart:
		if a.behind > 0 && (!a.barrier || len(e.Channels) <= crowded) {
			s.Frame(id, b.x, bottom-dark-striped-light, b.w, max(1.5, light), token.BufPostFill, token.BufPost, 1)
		}
	case border:
		if a.barrier {
			s.Rect(id, b.x, min(bottom-dark-striped-1.5, bottom-3), b.w, token.BarrierW, token.Hue(p.cut.ref))
		}
	case held:
		if parked(c) {
			s.Frame(id, b.x-0.5, b.y-1, b.w+1, b.h+2, token.None, token.Hue(c.BlockedBy), 2)
		}
	}
}

// compact draws an exchange as one grid of four greys by queued bytes, and over it the hue's tint on channels that have
// the barrier in them or are held by it.
func (s *Scene) compact(i int, b block) {
	p := &s.plan
	e := &p.v.Exchanges[i]
	rows, cols := p.matrixSize(e)
	full := p.capacity(e)
	h := min(Compact.lineH(), b.h/float64(rows))
	w := min(h*1.5, b.w/float64(cols))
	if w >= 1 {
		w = float64(int(w)) // whole px where there are any
	}
	for _, cellOf := range [...]func(*plan, *core.ExchangeView, *core.ChannelView, float64) token.Token{(*plan).grey, (*plan).tint} {
		lo := int32(len(s.cells))
		for range rows * cols {
			s.cells = append(s.cells, token.None)
		}
		for k := range e.Channels {
			c := &e.Channels[k]
			s.cells[int(lo)+c.From*cols+c.Sub] = cellOf(p, e, c, full)
		}
		m := s.add(Mark{Kind: Grid, ID: ID{What: Exchange, A: int32(i)}, Cols: int32(cols), lo: lo, hi: lo + int32(rows*cols)})
		m.X, m.Y = float32(b.x+float64(int((b.w-w*float64(cols))/2))), float32(b.y)
		m.W, m.H = float32(w*float64(cols)), float32(h*float64(rows))
	}
	s.Marks[len(s.Marks)-1].Alpha = 160
}

// tint is the hue of the pending barrier where it is or what it holds.
func (p *plan) tint(e *core.ExchangeView, c *core.ChannelView, _ float64) token.Token {
	held := p.cut.ref != 0 && c.BlockedBy == p.cut.ref
	if held || p.cut.ref != 0 && (p.cut.holds(c.Receiver) || p.cut.holds(c.Wire) || p.cut.holds(c.Sender)) {
		return token.Hue(p.cut.ref)
	}
	return token.None
}

// grey is the colour of a channel in the compact matrix.
func (p *plan) grey(e *core.ExchangeView, c *core.ChannelView, full float64) token.Token {
	a := p.weigh(e, c)
	switch fill := float64(a.total()) / full; {
	case fill < 0.05:
		return token.Rule
	case fill < 0.35:
		return token.BufPostFill
	case fill < 0.7:
		return token.BufPost
	}
	return token.BufPre
}
