package scene

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/render/font"
	"checkpointlab/render/token"
)

// heads writes the columns' names above them.
func (s *Scene) heads(y float64) {
	p := &s.plan
	s.logHead(y)
	p.headEnds = p.headEnds[:0]
	for c := range p.colX {
		p.headEnds = append(p.headEnds, s.columnHead(c, y))
	}
	for i := range p.v.Exchanges {
		e := &p.v.Exchanges[i]
		if i > 0 && p.v.Exchanges[i-1].To == e.To && p.v.Exchanges[i-1].Partition == e.Partition {
			continue // the other input of a join says the same
		}
		if p.single(i) {
			continue // one channel, however it is dealt
		}
		s.exchangeHead(i, y)
	}
	if p.has(core.Sink) {
		s.label(ID{}, p.outX, y, 12, token.Ink).bold().str(wOutput.in(p.lang)).end(Start)
	}
}

// exchangeHead names how an exchange deals, in the middle of its wires, or of what the columns' names leave of them; where that is too
// little it is left out.
func (s *Scene) exchangeHead(i int, y float64) {
	p, x := &s.plan, &s.plan.exchanges[i]
	from := p.vertices[p.v.Exchanges[i].From].column
	word := p.v.Exchanges[i].Partition.String()
	half := font.Width(word, font.Regular, 11) / 2
	left, right := p.headEnds[from]+headAir, p.headX(from+1)-headAir
	if right-left < 2*half {
		return
	}
	middle := max(left+half, min((x.sendX+x.recvEnd)/2, right-half))
	s.label(ID{What: Exchange, A: p.exchange(i)}, middle, y, 11, token.Ink3).str(word).end(Middle)
}

// headAir is the least distance of two names above the columns, px.
const headAir = 6

// headX is where the name above a column begins; behind the last one that of the output does.
func (p *plan) headX(column int) float64 {
	if column < len(p.colX) {
		return p.colX[column] + min(10, max(0, (p.g.cardW-40)/2))
	}
	return p.outX
}

// single reports whether an exchange leads from one subtask to one.
func (p *plan) single(exchange int) bool {
	e := &p.all.Exchanges[p.exchange(exchange)]
	return len(p.all.Vertices[e.From].Tasks) == 1 && len(p.all.Vertices[e.To].Tasks) == 1
}

// has reports whether an operator of a kind is in view.
func (p *plan) has(k core.VertexKind) bool {
	for i := range p.v.Vertices {
		if p.v.Vertices[i].Kind == k {
			return true
		}
	}
	return false
}

func (s *Scene) logHead(y float64) {
	p := &s.plan
	if !p.has(core.Source) {
		return
	}
	x := s.label(ID{}, 0, y, 12, token.Ink).bold().str(wLog.in(p.lang)).end(Start) + 5
	for i := range p.v.Vertices {
		if w := &p.v.Vertices[i]; w.Kind == core.Source && w.Rate > 0 && p.layout == Wide {
			s.label(ID{}, x, y, 11, token.Ink3).int(w.Rate).str(wEach.in(p.lang)).end(Start)
			return
		}
	}
}

// columnHead names the operators of a column: "source ×2", and what a record costs there. It returns where the names end.
func (s *Scene) columnHead(c int, y float64) float64 {
	p := &s.plan
	x := p.headX(c)
	limit := min(x+p.g.cardW+24, p.headX(c+1)-headAir-2)
	first := true
	for i := range p.v.Vertices {
		w := &p.v.Vertices[i]
		if p.vertices[i].column != c {
			continue
		}
		if !first {
			x = s.label(ID{}, x, y, 12, token.Ink3).str(", ").end(Start)
		}
		id := ID{What: Operator, A: p.vertex(i)}
		l := s.label(id, x, y, 12, token.Ink).bold().str(w.Name).str(" ×").plain(int64(len(w.Tasks)))
		if p.v != p.all {
			l = l.str("/").plain(int64(len(p.all.Vertices[p.vertex(i)].Tasks)))
		}
		if l.within(limit) {
			x = s.lastEnd()
		} else {
			x = s.label(id, x, y, 12, token.Ink).bold().str(w.Name).cut(limit) // rather the name than its number
		}
		first = false
		if w.Kind != core.Source && w.Cost > 0 && p.layout == Wide && s.label(id, x+5, y, 11, token.Ink3).span(w.Cost).str(wPerRecord.in(p.lang)).within(limit) {
			x = s.lastEnd()
		}
	}
	return x
}

// lastEnd is the right end of the mark drawn last.
func (s *Scene) lastEnd() float64 {
	m := &s.Marks[len(s.Marks)-1]
	return float64(m.X + m.W)
}

// wires draws the belts under the queues and the strokes between them.
func (s *Scene) wires() {
	p := &s.plan
	const faint = 140
	for i := range p.v.Exchanges {
		e, x := &p.v.Exchanges[i], &p.exchanges[i]
		for j := range e.Channels {
			c := &e.Channels[j]
			send, recv := p.ends(i, j)
			id := channelID(Wire, c.Channel)
			s.Line(id, x.sendX, send, x.bendX, send, token.Line, 1).Alpha = faint
			s.Line(id, x.bendX, send, x.recvX, recv, token.Line, 1).Alpha = faint
			s.Line(id, x.recvX, recv, x.recvEnd, recv, token.Line, 1).Alpha = faint
		}
	}
}

// poolsOf draws a gate's floating buffers: filled = lent, outline = free.
func (s *Scene) poolsOf(exchange int) {
	p := &s.plan
	e, x := &p.v.Exchanges[exchange], &p.exchanges[exchange]
	for i := range e.Gates {
		g := &e.Gates[i]
		rows := p.vertices[e.To].in
		last := x.inBase + e.Ins - 1
		y := p.rowY(e.To, i, last, rows) + 8
		s.pool(ID{What: Pool, A: p.exchange(exchange), B: int32(p.gate(exchange, i))}, g, x.recvEnd-6, y)
	}
}

// gate is the place of a gate's consumer in the whole job.
func (p *plan) gate(exchange, i int) int {
	if p.v == p.all {
		return i
	}
	return p.opening.kept[p.opening.vertices[p.v.Exchanges[exchange].To]][i]
}

// mostSquares is how many floating buffers are drawn one by one.
const mostSquares = 16

func (s *Scene) pool(id ID, g *core.GateView, right, y float64) {
	lent := g.Floating - g.FloatingFree
	if g.Floating > mostSquares {
		w := 8.0 * mostSquares
		s.Frame(id, right-w, y, w, 5, token.None, token.Ink3, 1)
		s.Rect(id, right-w*float64(lent)/float64(g.Floating), y, w*float64(lent)/float64(g.Floating), 5, token.Ink3)
		return
	}
	for k := range g.Floating {
		x := right - 6 - 8*float64(k)
		if k < lent {
			s.Rect(id, x, y, 6, 6, token.Ink3)
		} else {
			s.Frame(id, x, y, 6, 6, token.None, token.Ink3, 1)
		}
	}
}

// timeBudget draws where the oldest invisible record spent its age: one scale for all bars, each under its place.
func (s *Scene) timeBudget(y float64) {
	p := &s.plan
	b := &p.v.Budget
	s.budgetTitle(y)
	if b.Age <= 0 {
		return
	}
	s.Line(ID{}, 0, y+19.5, p.o.Width, y+19.5, token.Rule, 1)
	hop := func(k int) float64 { // the k-th one of the path lies between columns k and k+1
		if k+1 < len(p.colX) {
			return p.colX[k] + p.g.cardW + 4
		}
		return p.outX
	}
	s.budgetPart(0, 0, hop(0), y, b.Log, wInLog)
	for k, t := range b.Exchanges {
		if p.v == p.all && k+1 < len(p.colX) {
			s.budgetPart(1+k, hop(k), hop(k+1), y, t, wInBuffers)
		}
	}
	last := wInTransaction
	if p.layout != Wide {
		last = wShortInTransaction
	}
	s.budgetPart(1+len(b.Exchanges), p.outX, p.o.Width+headAir, y, b.Output, last)
}

func (s *Scene) budgetTitle(y float64) {
	p, b, id := &s.plan, &s.plan.v.Budget, ID{What: Budget}
	if b.Age <= 0 {
		s.label(id, 0, y, 12, token.Ink2).str(wAllVisible.in(p.lang)).end(Start)
		return
	}
	x := s.label(id, 0, y, 12, token.Ink2).str(wWhere.in(p.lang)).end(Start)
	x = s.label(id, x, y, 12, token.Ink).bold().seconds(b.Age, 1).end(Start)
	l := s.label(id, x, y, 12, token.Ink2).str(wHasSpent.in(p.lang))
	if b.Behind != 0 {
		l = l.str(wRightBehind.in(p.lang)).plain(b.Behind).str(wRightBehindEnd.in(p.lang))
	}
	l.end(Start)
}

// budgetPart draws one part; its words are left out where they would touch the next part's, at limit.
func (s *Scene) budgetPart(i int, x, limit, y float64, t event.Time, where word) {
	p, id := &s.plan, ID{What: Budget, A: int32(i)}
	w := p.perSecond * float64(t) / float64(event.Second)
	if t > 0 {
		s.Rect(id, x, y+16, max(1, w), 7, token.Ink)
	}
	end := s.label(id, x, y+38, 12, token.Ink).bold().seconds(t, 1).end(Start)
	s.label(id, end, y+38, 12, token.Ink2).str(where.in(p.lang)).within(limit - headAir)
}
