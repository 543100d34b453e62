package scene

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/render/token"
)

// heads writes the columns' names above them.
func (s *Scene) heads(y float64) {
	p := &s.plan
	s.logHead(y)
	for c := range p.colX {
		s.columnHead(c, p.colX[c], y)
	}
	for i := range p.v.Exchanges {
		e, x := &p.v.Exchanges[i], &p.exchanges[i]
		if i > 0 && p.v.Exchanges[i-1].To == e.To && p.v.Exchanges[i-1].Partition == e.Partition {
			continue // the other input of a join says the same
		}
		s.label(ID{What: Exchange, A: int32(i)}, (x.sendX+x.recvEnd)/2, y, 11, token.Ink3).str(partitionNames[e.Partition]).end(Middle)
	}
	s.label(ID{}, p.outX, y, 12, token.Ink).bold().str(wOutput.in(p.lang)).end(Start)
}

// partitionNames are Flink's ship strategies.
var partitionNames = [...]string{core.Hash: "HASH", core.Rebalance: "REBALANCE", core.Forward: "FORWARD"}

func (s *Scene) logHead(y float64) {
	p := &s.plan
	x := s.label(ID{}, 0, y, 12, token.Ink).bold().str(wLog.in(p.lang)).end(Start) + 5
	for i := range p.v.Vertices {
		if w := &p.v.Vertices[i]; w.Kind == core.Source && w.Rate > 0 && p.layout == Wide {
			s.label(ID{}, x, y, 11, token.Ink3).int(w.Rate).str(wEach.in(p.lang)).end(Start)
			return
		}
	}
}

// columnHead names the operators of a column: "source ×2", and what a record costs there.
func (s *Scene) columnHead(c int, x, y float64) {
	p := &s.plan
	x += 10
	limit := x + p.g.cardW + 24
	first := true
	for i := range p.v.Vertices {
		w := &p.v.Vertices[i]
		if p.vertices[i].column != c {
			continue
		}
		if !first {
			x = s.label(ID{}, x, y, 12, token.Ink3).str(", ").end(Start)
		}
		id := ID{What: Operator, A: int32(i)}
		x = s.label(id, x, y, 12, token.Ink).bold().str(w.Name).str(" ×").plain(int64(len(w.Tasks))).cut(limit)
		first = false
		if w.Kind != core.Source && w.Cost > 0 && p.layout == Wide && x+70 < limit+20 {
			x = s.label(id, x+5, y, 11, token.Ink3).span(w.Cost).str(wPerRecord.in(p.lang)).end(Start)
		}
	}
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
			s.Line(id, x.sendX, send, x.gateX, send, token.Line, 1).Alpha = faint
			s.Line(id, x.gateX, send, x.recvX, recv, token.Line, 1).Alpha = faint
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
		last := x.inBase + len(p.v.Vertices[e.From].Tasks) - 1
		if e.Partition == core.Forward {
			last = x.inBase
		}
		y := p.rowY(e.To, i, last, rows) + 8
		s.pool(ID{What: Pool, A: int32(exchange), B: int32(i)}, g, x.recvEnd-6, y)
	}
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
	s.budgetPart(0, 0, y, b.Log, wInLog)
	for i, t := range b.Exchanges {
		if i < len(p.exchanges) {
			s.budgetPart(1+i, p.exchanges[i].sendX, y, t, wInBuffers)
		}
	}
	last := wInTransaction
	if p.layout != Wide {
		last = wShortInTransaction
	}
	s.budgetPart(1+len(b.Exchanges), p.outX, y, b.Output, last)
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
		l = l.str(wRightBehind.in(p.lang)).plain(b.Behind).str(")")
	}
	l.end(Start)
}

func (s *Scene) budgetPart(i int, x, y float64, t event.Time, where word) {
	p, id := &s.plan, ID{What: Budget, A: int32(i)}
	w := p.perSecond * float64(t) / float64(event.Second)
	if t > 0 {
		s.Rect(id, x, y+16, max(1, w), 7, token.Ink)
	}
	end := s.label(id, x, y+38, 12, token.Ink).bold().seconds(t, 1).end(Start)
	s.label(id, end, y+38, 12, token.Ink2).str(where.in(p.lang)).end(Start)
}

// legend explains the marks in one row.
func (s *Scene) legend(y float64) {
	l := legendPen{s: s, x: 0, y: y, gap: 26}
	l.inks()
	switch s.Level {
	case Cells:
		l.underGates()
	case Matrix:
		l.matrixMarks()
	}
	l.right()
}

// legendPen writes one entry behind the other.
type legendPen struct {
	s         *Scene
	x, y, gap float64
}

// say writes the words of an entry whose picture is w wide.
func (l *legendPen) say(w float64, text word) {
	l.x = l.s.label(ID{}, l.x+w+6, l.y, 11, token.Ink2).str(text.in(l.s.plan.lang)).end(Start) + l.gap
}

// inks explains what dark, light and striped mean.
func (l *legendPen) inks() {
	s, p := l.s, &l.s.plan
	if s.Level == Compact || s.Level == Summed {
		l.greys()
		return
	}
	s.Rect(ID{}, 0, l.y-11, 7, 13, token.BufPre)
	s.Rect(ID{}, 9, l.y-11, 7, 13, token.BufPre)
	text := s.label(ID{}, 22, l.y, 11, token.Ink2)
	if p.cut.ref == 0 {
		l.x = text.str(wBuffer.in(p.lang)).end(Start) + l.gap
		return
	}
	l.x = text.str(wAhead.in(p.lang)).plain(p.cut.ref).end(Start) + l.gap
	l.buffers(token.BufPostFill, token.BufPost, Solid, wBehind)
	if p.cut.unaligned {
		l.buffers(token.Hue(p.cut.ref), token.Hue(p.cut.ref), Stored, wStored)
	}
}

// greys explains the steps of the compact matrix.
func (l *legendPen) greys() {
	if l.s.Level == Summed {
		return
	}
	for i, t := range [...]token.Token{token.Rule, token.BufPostFill, token.BufPost, token.BufPre} {
		l.s.Rect(ID{}, l.x+10*float64(i), l.y-9, 10, 10, t)
	}
	l.say(40, wGreys)
	if ref := l.s.plan.cut.ref; ref != 0 {
		l.s.Rect(ID{}, l.x, l.y-9, 10, 10, token.Hue(ref)).Alpha = 160
		l.say(10, wBarrierHere)
	}
}

// matrixMarks explains the strokes in a matrix cell.
func (l *legendPen) matrixMarks() {
	ref := l.s.plan.cut.ref
	if ref == 0 {
		return
	}
	l.s.Rect(ID{}, l.x, l.y-6, 16, token.BarrierW, token.Hue(ref))
	l.say(16, wBarrier)
	l.s.Frame(ID{}, l.x, l.y-11, 16, 13, token.None, token.Hue(ref), 2)
	l.say(16, wBlocked)
}

func (l *legendPen) buffers(fill, edge token.Token, h Hatch, text word) {
	l.s.Frame(ID{}, l.x, l.y-11, 7, 13, fill, edge, 1).Hatch = h
	l.s.Frame(ID{}, l.x+9, l.y-11, 7, 13, fill, edge, 1).Hatch = h
	l.say(16, text)
}

// underGates explains what stands at the gates.
func (l *legendPen) underGates() {
	s, p := l.s, &l.s.plan
	if !p.bare {
		s.Rect(ID{}, l.x, l.y-1, 7, 2.5, token.Line)
		s.Rect(ID{}, l.x+9, l.y-1, 7, 2.5, token.Line)
		l.say(16, wCredit)
	}
	s.Rect(ID{}, l.x, l.y-11, 2, 13, token.Ink3)
	l.say(2, wNoneLeft)
	if p.bare {
		return
	}
	s.Rect(ID{}, l.x, l.y-4.75, 14, 1.5, token.Ink3)
	l.say(14, wExclusive)
	s.Rect(ID{}, l.x, l.y-4.75, 14, 1.5, token.Ink3).Hatch = Dotted
	l.say(14, wFloating)
	if p.noPools {
		return
	}
	s.Rect(ID{}, l.x, l.y-7, 6, 6, token.Ink3)
	s.Rect(ID{}, l.x+8, l.y-7, 6, 6, token.Ink3)
	s.Frame(ID{}, l.x+16, l.y-7, 6, 6, token.None, token.Ink3, 1)
	l.say(22, wPool)
}

// right explains the output and the shares, from the right end.
func (l *legendPen) right() {
	s, y := l.s, l.y
	lang := s.plan.lang
	x := s.plan.o.Width
	entry := func(w float64, text word, draw func(x float64)) {
		s.label(ID{}, x, y, 11, token.Ink2).str(text.in(lang)).end(End)
		x = float64(s.Marks[len(s.Marks)-1].X) - 6 - w
		draw(x)
		x -= 22
	}
	hue := token.Ink3
	if s.plan.cut.ref != 0 {
		hue = token.Hue(s.plan.cut.ref)
	}
	entry(15, wIdle, func(x float64) { s.Frame(ID{}, x, y-9, 15, 10, token.Idle, token.IdleEdge, 1).Hatch = Dots })
	entry(15, wBackpressured, func(x float64) { s.Frame(ID{}, x, y-9, 15, 10, token.BP, token.BPEdge, 1).Hatch = Backpressured })
	entry(15, wBusy, func(x float64) { s.Frame(ID{}, x, y-9, 15, 10, token.Busy, token.BusyEdge, 1) })
	x -= 18
	entry(16, wVisible, func(x float64) {
		s.Rect(ID{}, x, y-11, 16, 13, hue).Alpha = 71
		s.Rect(ID{}, x, y, 16, 2, hue)
	})
	entry(16, wPreCommitted, func(x float64) { s.Frame(ID{}, x, y-11, 16, 13, hue, hue, 1).Hatch = Stored })
	entry(16, wOpen, func(x float64) { s.Frame(ID{}, x, y-11, 16, 13, token.None, hue, 1.5).Dash = Dash32 })
}
