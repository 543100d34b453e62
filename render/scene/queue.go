package scene

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/render/font"
	"checkpointlab/render/token"
)

// tone is how a buffer is inked.
type tone uint8

const (
	ahead  tone = iota // of the reference barrier: dark
	behind             // light, with an edge
	stored             // in the channel state of its checkpoint: stripes in the hue
)

func toneOf(c *core.Cell, isBehind bool) tone {
	switch {
	case c.Stored:
		return stored
	case isBehind:
		return behind
	}
	return ahead
}

// row is where one channel is drawn.
type row struct {
	x          *exchangePlan
	send, recv float64 // y of the belts
	pitch      float64 // of the receiver's cells
	flight     flight
}

// channel draws one channel: receiver, wire, sender, gate.
func (s *Scene) channel(exchange, i int) {
	p := &s.plan
	e := &p.v.Exchanges[exchange]
	c := &e.Channels[i]
	r := row{x: &p.exchanges[exchange]}
	r.send, r.recv = p.ends(exchange, i)
	w := walker{ref: p.cut.ref, behind: p.cut.consumed(p.v, e, c)}
	held := parked(c)
	if id := p.crossing(c.Channel); id != 0 {
		s.crossedWire(c, &r, id)
	}
	if held {
		s.heldWire(c, &r)
	}
	r.flight = p.flightOf(c, &r)
	tail := s.receiver(c, &r, &w, held)
	s.transit(c, &r, &w, tail)
	s.sender(c, &r, &w)
	s.gate(c, &r)
	s.fly(c, &r.flight)
}

// parked reports whether the barrier that blocks the channel has been handed to the task.
func parked(c *core.ChannelView) bool {
	return c.Blocked && c.BlockedBy != 0 && !carries(c.Receiver, c.BlockedBy) && !carries(c.Wire, c.BlockedBy) &&
		!carries(c.Sender, c.BlockedBy)
}

func carries(queue []core.Cell, id event.Checkpoint) bool {
	for i := range queue {
		if queue[i].Kind == core.Barrier && queue[i].Checkpoint == id {
			return true
		}
	}
	return false
}

// heldWire marks a channel whose barrier waits at the task for the others.
func (s *Scene) heldWire(c *core.ChannelView, r *row) {
	hue, g := token.Hue(c.BlockedBy), s.plan.g
	if r.x.bendX > r.x.gateX {
		s.Line(channelID(Wire, c.Channel), r.x.gateX, r.send, r.x.bendX, r.send, hue, 4).Dash = Dash33
	}
	s.Line(channelID(Wire, c.Channel), r.x.bendX, r.send, r.x.recvX, r.recv, hue, 4).Dash = Dash33
	s.barrier(ID{What: Barrier, Place: Hand, A: c.Channel, B: int32(c.BlockedBy)}, r.x.recvEnd-7, r.recv, c.BlockedBy, false)
	right, word := r.x.recvEnd-7-g.flag/2-4, wBlocked.in(s.plan.lang)
	if len(c.Receiver) == 0 && right-font.Width(word, font.Bold, 11) > r.x.gateX+5 { // clear of the gates
		s.label(channelID(Wire, c.Channel), right, r.recv-8, 11, hue).bold().str(word).end(End)
	}
}

// receiver draws the receiver's queue, head at the task, then the free buffers it has announced; it returns the x where
// the next buffer will stand.
func (s *Scene) receiver(c *core.ChannelView, r *row, w *walker, held bool) float64 {
	p := &s.plan
	right := r.x.recvEnd - 6
	if held {
		right -= p.g.flag
	}
	inHand := c.Holding && c.Current.Kind == core.Data
	n := len(c.Receiver) + int(flag(inHand))
	r.pitch = squeeze(right-r.x.recvX, n, r.x.pitch)
	var u underlines
	u.start(s, c.Channel, r.recv, p.g.underray && !p.bare)
	x := right - r.pitch*p.slide(p.movedUp(c), slideFor)
	if inHand {
		x = s.cell(cellID(c.Channel, Hand, 0, false), x, r, &c.Current, toneOf(&c.Current, w.behind), r.recv, &u)
	}
	for i := range c.Receiver {
		x = s.place(c.Channel, Receiver, i, x, r, &c.Receiver[i], w, r.recv, &u)
	}
	if !held && !p.bare && !c.Local {
		x = s.credits(c, r, x, &u)
	}
	u.end()
	return x
}

// squeeze is the pitch at which n cells fit into a room.
func squeeze(room float64, n int, pitch float64) float64 {
	if need := float64(n) * pitch; need > room && n > 0 {
		return max(1.5, room/float64(n))
	}
	return pitch
}

// place draws one place of a queue whose right end is x and returns the right end of the next one.
func (s *Scene) place(c event.Channel, at Place, i int, x float64, r *row, cell *core.Cell, w *walker, y float64, u *underlines) float64 {
	isBehind := w.pass(cell)
	id := cellID(c, at, i, cell.Kind == core.Barrier)
	switch cell.Kind {
	case core.Barrier:
		if r.flight.id == cell.Checkpoint && cell.Unaligned {
			return x // it is drawn on its way
		}
		s.barrier(id, x-r.pitch/2, y, cell.Checkpoint, cell.Unaligned)
		u.skip()
		if cell.Unaligned && r.pitch == r.x.pitch {
			s.overtaken(id, x-r.pitch, y, cell.Checkpoint)
			return x - r.pitch - overtakeW
		}
		return x - r.pitch
	case core.Other:
		s.Frame(id, x-r.pitch/2-1.5, y-21, 3, 18, token.None, token.Ink3, 1)
		u.skip()
		return x - r.pitch
	}
	return s.cell(id, x, r, cell, toneOf(cell, isBehind), y, u)
}

// cell draws a buffer whose right end is x: height is the bytes written of the usable size, width the usable size of the
// segment. It returns the right end of the next place.
func (s *Scene) cell(id ID, x float64, r *row, c *core.Cell, t tone, y float64, u *underlines) float64 {
	g := s.plan.g
	width := r.x.cell * r.pitch / r.x.pitch
	t, checkpoint := r.flight.passed(t, c.Checkpoint, x-width/2)
	u.take(x-width, x, c.Exclusive)
	full := c.Usable
	if full <= 0 {
		full = s.plan.segment
	}
	w := width
	if c.Usable > 0 && c.Usable < s.plan.segment {
		w = max(1.8, width*float64(c.Usable)/float64(s.plan.segment))
		m := s.slot(id, x-width, y, width, g.cellH, t, checkpoint)
		m.Dash, m.Alpha = Dash11, slotAlpha
	}
	h := min(1, float64(c.Bytes)/float64(full)) * g.cellH
	if h < g.cellH-1 && t == ahead && w == width {
		s.slot(id, x-width, y, width, g.cellH, t, checkpoint).Alpha = slotAlpha
	}
	s.ink(id, x-w, y, w, max(1.5, h), t, checkpoint)
	if c.Watermarks > 0 { // a thin line over the buffer
		s.Rect(id, x-w, y-5.5-g.cellH, w, 1.5, token.Ink2)
	}
	return x - r.pitch
}

// slotAlpha keeps an empty part weaker than ink.
const slotAlpha = 115

// slot is the outline of a buffer that is not full, or of the segment that a debloated one does not use.
func (s *Scene) slot(id ID, x, y, w, h float64, t tone, checkpoint event.Checkpoint) *Mark {
	edge := token.BufPre
	switch t {
	case behind:
		edge = token.BufPost
	case stored:
		edge = token.Hue(checkpoint)
	}
	return s.Frame(id, x, y-3-h, w, h, token.None, edge, 1)
}

// ink fills a buffer up to h.
func (s *Scene) ink(id ID, x, y, w, h float64, t tone, checkpoint event.Checkpoint) {
	switch t {
	case behind:
		if w < 3 || h < 3 {
			s.Rect(id, x, y-3-h, w, h, token.BufPost)
			return
		}
		s.Frame(id, x, y-3-h, w, h, token.BufPostFill, token.BufPost, 1)
	case stored:
		hue := token.Hue(checkpoint)
		s.Frame(id, x, y-3-h, w, h, hue, hue, 1).Hatch = Stored
	default:
		s.Rect(id, x, y-3-h, w, h, token.BufPre)
	}
}

// credits draws the free buffers that the receiver holds for the channel, left of the queue.
func (s *Scene) credits(c *core.ChannelView, r *row, x float64, u *underlines) float64 {
	free := c.Available - c.Floating + floatingIn(c)
	width := r.x.cell
	for i := range c.Available {
		if x-width < r.x.recvX-1 {
			break
		}
		u.take(x-width, x, i < free)
		s.Rect(channelID(Credits, c.Channel), x-width, r.recv-5.5, width, 2.5, token.Line)
		x -= r.x.pitch
	}
	return x
}

// floatingIn is how many of the channel's floating buffers are filled.
func floatingIn(c *core.ChannelView) int {
	n := int(flag(c.Holding && c.Current.Kind == core.Data && !c.Current.Exclusive))
	for i := range c.Receiver {
		n += int(flag(c.Receiver[i].Kind == core.Data && !c.Receiver[i].Exclusive))
	}
	return n
}

// transit draws what is on the wire, at its place from the gate to the queue.
func (s *Scene) transit(c *core.ChannelView, r *row, w *walker, tail float64) {
	u := underlines{}
	reach := max(r.x.recvX, tail) - r.x.gateX
	for i := range c.Wire {
		x := r.x.gateX + reach*float64(c.Wire[i].Progress)/1000
		s.place(c.Channel, Transit, i, x+r.x.pitch/2, r, &c.Wire[i], w, r.beltAt(x), &u)
	}
}

// sender draws the sender's queue, head at the gate.
func (s *Scene) sender(c *core.ChannelView, r *row, w *walker) {
	u := underlines{}
	x := r.x.gateX - 7
	q := *r
	q.pitch = squeeze(x-r.x.sendX, len(c.Sender), r.x.pitch)
	x -= q.pitch * s.plan.slide(c.Moved, slideFor)
	for i := range c.Sender {
		x = s.place(c.Channel, Sender, i, x, &q, &c.Sender[i], w, r.send, &u)
	}
}

// gate draws the sender's credit: a chevron and a number, or a bar when it must wait.
func (s *Scene) gate(c *core.ChannelView, r *row) {
	g, id := s.plan.g, channelID(Gate, c.Channel)
	middle := r.send - 3 - g.cellH/2
	if c.Local && !c.Blocked {
		return // both ends in one task manager: no credit
	}
	if c.Blocked || c.Credit <= 0 {
		colour := token.Ink3
		if c.Blocked && c.BlockedBy != 0 {
			colour = token.Hue(c.BlockedBy)
		}
		s.Rect(id, r.x.gateX-3, middle-g.gateH/2, 2, g.gateH, colour)
		if c.Blocked {
			return
		}
	} else {
		s.Sprite(id, Chevron, r.x.gateX-4, middle-4, 4, 8, token.Ink3)
	}
	if g.numbers {
		s.label(id, r.x.gateX+4, middle+4, 11, token.Ink2).int(int64(c.Credit)).end(Start)
	}
}

// underlines collects neighbouring places of the same kind into one stroke: exclusive buffers solid, floating dotted.
type underlines struct {
	s         *Scene
	channel   event.Channel
	y         float64
	left      float64
	right     float64
	on        bool
	exclusive bool
	open      bool
}

func (u *underlines) start(s *Scene, c event.Channel, y float64, on bool) {
	u.s, u.channel, u.y, u.on = s, c, y, on
}

// take adds the place from left to right, which stands left of those before it.
func (u *underlines) take(left, right float64, exclusive bool) {
	if !u.on {
		return
	}
	if u.open && u.exclusive != exclusive {
		u.end()
	}
	if !u.open {
		u.right, u.exclusive, u.open = right, exclusive, true
	}
	u.left = left
}

// skip leaves out a place that holds no buffer.
func (u *underlines) skip() {}

// end draws the stroke so far.
func (u *underlines) end() {
	if !u.open {
		return
	}
	u.open = false
	m := u.s.Rect(channelID(Credits, u.channel), u.left, u.y+1.75, u.right-u.left, 1.5, token.Ink3)
	if !u.exclusive {
		m.Hatch = Dotted
	}
}
