package scene

import (
	"math"
	"sort"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/render/token"
)

// Times of motions on the screen in ms (picture grammar, 7).
const (
	slideFor  = 80.0 // a queue moves up by a place
	commitFor = float64(token.MCommitMs)
	stepFor   = 300.0                  // without motion: a barrier's way stands out
	glyphFor  = float64(token.MFlagMs) // a state's glyph takes the place of the one before
)

// mostFlights is how many barriers' ways are looked at for those that are under way.
const mostFlights = 512

// motions is what is on its way at the instant of a view. All of it follows from the view, the trace and Options.Motion, so
// that the same instant, played alike, is the same picture.
type motions struct {
	flights []int      // into History.Passages: overtaking barriers that were sent and have not been received
	moved   []int      // barriers that were received just now, which moved up what stood behind them
	crossed []int      // without motion: barriers that were sent or received just now
	commit  event.Time // of the newest commit; 0 = long ago
	records float64    // of it, those of one output that is drawn
	over    event.Checkpoint
}

// left is how much of a motion of so many ms that began at an instant is still to come: 1 at its beginning, 0 when it is over
// or nothing moves.
func (p *plan) left(since event.Time, ms float64) float64 {
	if p.o.Motion == nil || p.o.Steps || since <= 0 || since > p.v.At {
		return 0
	}
	return max(0, 1-p.o.Motion(since)/ms)
}

// slide is what is left of a slide that slows down towards its end.
func (p *plan) slide(since event.Time, ms float64) float64 {
	f := p.left(since, ms)
	return f * f * f
}

// move finds what is on its way.
func (p *plan) move() {
	m := &p.motions
	m.flights, m.moved, m.crossed, m.commit, m.over = m.flights[:0], m.moved[:0], m.crossed[:0], 0, 0
	if p.o.Motion == nil || p.h == nil {
		return
	}
	now, all := p.v.At, p.h.Passages
	next := sort.Search(len(all), func(i int) bool { return all[i].Received > now })
	if p.o.Steps {
		p.findCrossed(next)
		return
	}
	for i := next; i < min(len(all), next+mostFlights); i++ {
		if all[i].Sent <= now && p.overtakes(all[i].Checkpoint) {
			m.flights = append(m.flights, i)
		}
	}
	for i := next - 1; i >= 0 && p.left(all[i].Received, slideFor) > 0; i-- {
		if !p.overtakes(all[i].Checkpoint) {
			m.moved = append(m.moved, i)
		}
	}
	if i := sort.Search(len(p.h.Commits), func(i int) bool { return p.h.Commits[i].At > now }) - 1; i >= 0 {
		c := &p.h.Commits[i]
		m.commit, m.over, m.records = c.At, c.Checkpoint, float64(c.Records)
	}
}

// findCrossed finds the barriers whose way stands out without motion: they were sent or received just now. next is the first that has not been received.
func (p *plan) findCrossed(next int) {
	m, all := &p.motions, p.h.Passages
	for i := next - 1; i >= 0 && p.o.Motion(all[i].Received) < stepFor; i-- {
		m.crossed = append(m.crossed, i)
	}
	for i := next; i < min(len(all), next+mostFlights); i++ {
		if all[i].Sent <= p.v.At && p.o.Motion(all[i].Sent) < stepFor {
			m.crossed = append(m.crossed, i)
		}
	}
}

// crossing is the checkpoint whose barrier's way through a channel stands out without motion; 0 = none.
func (p *plan) crossing(c event.Channel) event.Checkpoint {
	for _, i := range p.motions.crossed {
		if w := &p.h.Passages[i]; w.Channel == c {
			return w.Checkpoint
		}
	}
	return 0
}

// reached is the checkpoint whose barrier goes to a subtask, as crossing has it.
func (p *plan) reached(t event.Task) event.Checkpoint {
	for _, i := range p.motions.crossed {
		if w := &p.h.Passages[i]; w.To == t {
			return w.Checkpoint
		}
	}
	return 0
}

// crossedWire marks the wire of a barrier's way.
func (s *Scene) crossedWire(c *core.ChannelView, r *row, id event.Checkpoint) {
	hue := token.Hue(id)
	if r.x.bendX > r.x.gateX {
		s.Line(channelID(Wire, c.Channel), r.x.gateX, r.send, r.x.bendX, r.send, hue, crossedW)
	}
	s.Line(channelID(Wire, c.Channel), r.x.bendX, r.send, r.x.recvX, r.recv, hue, crossedW)
	s.Line(channelID(Wire, c.Channel), r.x.recvX, r.recv, r.x.recvEnd, r.recv, hue, crossedW)
}

// crossedW is the width of what stands out without motion, in px.
const crossedW = 2

// overtakes reports whether a checkpoint's barriers overtake from the start.
func (p *plan) overtakes(id event.Checkpoint) bool {
	for i := range p.v.Coord.Pending {
		if c := &p.v.Coord.Pending[i]; c.Checkpoint == id {
			return c.Unaligned
		}
	}
	return false
}

// movedUp is when the receiver's queue of a channel moved up last.
func (p *plan) movedUp(c *core.ChannelView) (at event.Time) {
	if c.Holding {
		at = c.Taken
	}
	for _, i := range p.motions.moved {
		if w := &p.h.Passages[i]; w.Channel == c.Channel {
			at = max(at, w.Received)
		}
	}
	return at
}

// flight is a barrier that overtakes the buffers of a channel. It stands where its way from the sender's last buffer that it
// overtakes to the receiver's task has led it; what it has passed shows in stripes, what it has not is as before.
type flight struct {
	id    event.Checkpoint // 0 = none
	x, y  float64
	gateX float64 // the sender's buffers stand left of it
}

// flightOf is the barrier that is under way in a channel.
func (p *plan) flightOf(c *core.ChannelView, r *row) (f flight) {
	for _, i := range p.motions.flights {
		w := &p.h.Passages[i]
		if w.Channel != c.Channel {
			continue
		}
		overtaken := 0
		for k := range c.Sender {
			overtaken += int(flag(c.Sender[k].Stored))
		}
		part := float64(p.v.At-w.Sent) / float64(w.Received-w.Sent)
		from := max(r.x.sendX, r.x.gateX-7-float64(overtaken)*r.x.pitch)
		f = flight{id: w.Checkpoint, x: from + (r.x.recvEnd-6-from)*part, gateX: r.x.gateX}
		f.y = r.beltAt(f.x) - arcHeight*math.Sin(math.Pi*part)
	}
	return f
}

// arcHeight is how far above its belt an overtaking barrier flies, in px.
const arcHeight = 9.0

// beltAt is the y of the belt of a channel at x.
func (r *row) beltAt(x float64) float64 {
	switch {
	case x <= r.x.bendX:
		return r.send
	case x >= r.x.recvX:
		return r.recv
	}
	return r.send + (r.recv-r.send)*(x-r.x.bendX)/(r.x.recvX-r.x.bendX)
}

// passed is the tone of a cell, whose checkpoint is id if it is stored, while a barrier is under way, and in whose channel state
// it is then. The sender has stored what is overtaken as it let the barrier go, and the receiver stores what it finds queued
// when it has seen the barrier: on both sides a cell turns as the barrier passes it. What the receiver has stored already,
// since it has seen the barrier of another channel, stays.
func (f *flight) passed(t tone, id event.Checkpoint, x float64) (tone, event.Checkpoint) {
	switch {
	case f.id == 0 || x > f.x && (t != stored || x > f.gateX):
		return t, id
	case x > f.x:
		return ahead, 0
	case t == ahead && x > f.gateX:
		return stored, f.id
	}
	return t, id
}

// fly draws the barrier that is under way.
func (s *Scene) fly(c *core.ChannelView, f *flight) {
	if f.id == 0 {
		return
	}
	id := ID{What: Barrier, Place: Transit, A: c.Channel}
	s.barrier(id, f.x, f.y, f.id, true)
	s.overtaken(id, f.x-5, f.y, f.id)
}

// committing is how far the border of what is visible has still to slide after a commit, in px.
func (p *plan) committing(upTo event.Checkpoint, outputs int) float64 {
	m := &p.motions
	if upTo == 0 || upTo != m.over {
		return 0
	}
	return p.perRecord * m.records / float64(max(1, outputs)) * p.slide(m.commit, commitFor)
}

// sinks counts the outputs that are drawn: with merged subtasks one for each operator.
func (p *plan) sinks() (n int) {
	for i := range p.v.Vertices {
		if w := &p.v.Vertices[i]; w.Kind == core.Sink {
			n += len(w.Tasks)
		}
	}
	return n
}

// stateGlyph draws a state's glyph; for a moment the one before it fades.
func (s *Scene) stateGlyph(t *core.TaskView, x, y float64) {
	colour, _ := stateColour(t)
	id := taskID(Card, t.Task)
	since, before := changed(s.plan.v, s.plan.h, t)
	fades := s.plan.left(since, glyphFor)
	if fades > 0 && before != t.State {
		was := *t
		was.State = before
		old, _ := stateColour(&was)
		s.Sprite(id, glyphs[before].shape, x, y, 8, 8, old).Alpha = uint8(Opaque * fades)
	}
	m := s.Sprite(id, glyphs[t.State].shape, x, y, 8, 8, colour)
	if fades > 0 && before != t.State {
		m.Alpha = uint8(Opaque * (1 - fades))
	}
}
