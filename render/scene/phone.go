package scene

import (
	"checkpointlab/core"
	"checkpointlab/render/token"
)

// Distances of the phone layout in px.
const (
	phoneEndAir = 2.0 // above an output
	phoneGroupH = 5.0 // between the lanes of two receivers
	phoneFoot   = 4.0 // below the last lane of an exchange
	phoneAir    = 8.0 // between what stands side by side
	mostInRow   = 4   // cards side by side
)

// arrangePhone stacks the job from top to bottom: logs, cards, one lane per channel grouped by receiver, cards, outputs; lower where
// only that fits into the height.
func (p *plan) arrangePhone() {
	p.columns()
	p.rows()
	p.cardY, p.laneY, p.cardX = p.cardY[:0], p.laneY[:0], p.cardX[:0]
	for i := range p.vertices {
		w := &p.vertices[i]
		w.first = len(p.cardY)
		p.colRows[w.column] += len(p.v.Vertices[i].Tasks)
		for range p.v.Vertices[i].Tasks {
			p.cardY, p.cardX = append(p.cardY, 0), append(p.cardX, 0)
		}
	}
	p.tight = false
	p.stack(&phone)
	if p.o.Height > 0 && p.bottom > p.o.Height {
		if p.stack(&lowPhone); p.bottom > p.o.Height {
			p.stack(&phone)
		}
	}
	p.scales()
	p.economize()
}

// stack gives everything its place with a geometry.
func (p *plan) stack(g *geometry) {
	p.own, p.laneY = *g, p.laneY[:0]
	p.g = &p.own
	ends := min(mostInRow, max(1, p.colRows[0], p.colRows[len(p.colRows)-1]))
	p.g.logW = (p.o.Width - phoneAir*float64(ends-1)) / float64(ends)
	p.g.outW = p.g.logW
	y := g.endH
	for c := range p.colX {
		y = p.phoneLanes(c, y)
		y = p.phoneCards(c, y)
	}
	p.bottom = y - g.rowGap + phoneEndAir + g.endH
}

// phoneCards places the cards of a column in rows.
func (p *plan) phoneCards(column int, y float64) float64 {
	n := max(1, min(mostInRow, p.colRows[column]))
	width := (p.o.Width - phoneAir*float64(n-1)) / float64(n)
	k := 0
	for i := range p.vertices {
		w := &p.vertices[i]
		if w.column != column {
			continue
		}
		w.h = p.g.cardH
		for j := range p.v.Vertices[i].Tasks {
			p.cardX[w.first+j] = float64(k%n) * (width + phoneAir)
			p.cardY[w.first+j] = y + float64(k/n)*(p.g.cardH+p.g.rowGap)
			k++
		}
	}
	p.colX[column] = width // all cards of the column
	rows := (k + n - 1) / n
	return y + float64(rows)*(p.g.cardH+p.g.rowGap)
}

// phoneLanes places the lanes of the exchanges that end in a column.
func (p *plan) phoneLanes(column int, y float64) float64 {
	for i := range p.v.Exchanges {
		e, x := &p.v.Exchanges[i], &p.exchanges[i]
		if p.vertices[e.To].column != column {
			continue
		}
		x.lane = len(p.laneY)
		for range e.Channels {
			p.laneY = append(p.laneY, 0)
		}
		for to := range p.v.Vertices[e.To].Tasks {
			for k := range e.Channels {
				if e.Channels[k].To == to {
					y += p.g.rowPitch
					p.laneY[x.lane+k] = y
				}
			}
			y += phoneGroupH
		}
		y += phoneFoot
		p.phoneQueues(e, x)
	}
	return y
}

// phoneQueues divides a lane: label, sender queue, gate, wire, receiver queue.
func (p *plan) phoneQueues(e *core.ExchangeView, x *exchangePlan) {
	g := p.g
	x.sendX, x.recvEnd = 42, p.o.Width-6
	receiver := float64(p.receiverCells(e))
	fit := min(1, (x.recvEnd-x.sendX-g.senderTail-g.wires-6-g.flag)/((senderCells+receiver)*g.pitch()))
	x.pitch, x.cell = g.pitch()*fit, g.cell*fit
	x.gateX = x.sendX + g.senderTail + senderCells*x.pitch
	x.recvX, x.bendX = x.gateX+g.wires, x.gateX
}

// phone draws the phone layout at level Cells.
func (s *Scene) phone() {
	p := &s.plan
	p.arrangePhone()
	s.wires()
	for i := range p.v.Vertices {
		for j := range p.v.Vertices[i].Tasks {
			x, y, w := p.phoneCard(i, j)
			s.cardGround(&p.v.Vertices[i].Tasks[j], x, y, w, p.g.cardH)
		}
	}
	s.Static = len(s.Marks)
	for i := range p.v.Exchanges {
		s.laneNames(i)
		for j := range p.v.Exchanges[i].Channels {
			s.channel(i, j)
		}
	}
	sources, sinks := 0, 0
	for i := range p.v.Vertices {
		w := &p.v.Vertices[i]
		for j := range w.Tasks {
			s.phoneCardMarks(w, &w.Tasks[j], i, j)
			switch w.Kind {
			case core.Source:
				s.phoneLog(&w.Tasks[j], sources)
				sources++
			case core.Sink:
				s.phoneOutput(&w.Tasks[j], sinks)
				sinks++
			}
		}
	}
	s.Height = p.bottom
}

func (p *plan) phoneCard(vertex, place int) (x, y, w float64) {
	at := &p.vertices[vertex]
	return p.cardX[at.first+place], p.cardY[at.first+place], p.colX[at.column]
}

// laneNames writes the sender's and the receiver's index before each lane.
func (s *Scene) laneNames(i int) {
	p := &s.plan
	e := &p.v.Exchanges[i]
	for k := range e.Channels {
		c := &e.Channels[k]
		from, to := p.v.Vertices[e.From].Tasks[c.From].Index, p.v.Vertices[e.To].Tasks[c.To].Index
		s.label(channelID(Wire, c.Channel), 0, p.laneY[p.exchanges[i].lane+k]-7, 12, token.Ink2).
			plain(int64(from)).str("→").plain(int64(to)).end(Start)
	}
}

// phoneCardMarks draws a low card: name and state above, shares below; three and more side by side leave out words, and one line
// all but the name.
func (s *Scene) phoneCardMarks(w *core.VertexView, t *core.TaskView, vertex, place int) {
	p := &s.plan
	x, y, width := p.phoneCard(vertex, place)
	id := taskID(Card, t.Task)
	s.cardEdge(t, x, y, width, p.g.cardH)
	if p.g.oneLine {
		s.stateGlyph(t, x+width-18, y+6)
		s.name(w, t, x+8, y+16, x+width/2)
		s.shares(t, x+width/2, y+7, width/2-26, 10)
		return
	}
	roomy := width > 140
	glyph := x + width - 18
	if roomy {
		l := s.label(id, x+width-10, y+18, 12, token.Ink)
		if t.State == core.Aligning {
			l.str(wAligning.in(p.lang)).str(" ").plain(int64(t.Aligned)).str("/").plain(int64(t.ToAlign)).end(End)
		} else {
			l.str(shortStates[t.State].in(p.lang)).throttled(t).end(End)
		}
		glyph = float64(s.Marks[len(s.Marks)-1].X) - 14
	}
	s.stateGlyph(t, glyph, y+10)
	s.name(w, t, x+8, y+18, glyph-4)
	if !roomy {
		s.shares(t, x+8, y+28, width-16, 10)
		return
	}
	words := s.shareRight(t, x+width-10, y+37) // the bar leaves them their room
	s.shares(t, x+10, y+28, min(width*0.45, words-x-18), 10)
}

// shortStates are the state words where room is little, by core.TaskState.
var shortStates = [...]word{core.Running: wRunning, core.Paused: wShortPaused, core.Aligning: wAligning, core.Syncing: wShortSync,
	core.Uploading: wShortAsync, core.Stalled: wShortStalled, core.Initializing: wShortInitializing, core.Restoring: wRestoring, core.Waiting: wShortWaiting, core.Failed: wFailed, core.Finished: wFinished, core.Lost: wLostManager}

// shareRight writes the largest share so that it ends at x, and returns where it begins.
func (s *Scene) shareRight(t *core.TaskView, x, y float64) float64 {
	if !up(t) {
		return x
	}
	word, mille := largestShare(t)
	s.label(taskID(Card, t.Task), x, y, 11, token.Ink2).str(shortShare(word).in(s.plan.lang)).str(" ").percent(mille).end(End)
	return float64(s.Marks[len(s.Marks)-1].X)
}

// phoneEnd is the left end and the baseline of the k-th log or output.
func (p *plan) phoneEnd(k int, top float64) (x, y float64) {
	return float64(k%mostInRow) * (p.g.logW + phoneAir), top + p.g.beltY
}

// endLabel is where the words below a log or an output stand, from its base line.
func (g *geometry) endLabel() float64 { return g.endH - g.beltY - 6 + float64(flag(g.oneLine))*2 }

func (s *Scene) phoneLog(source *core.TaskView, k int) {
	t := rewound(source)
	p, id := &s.plan, s.endID(Log, t.Task)
	x, y := p.phoneEnd(k, 0)
	s.belt(id, x, y, p.g.logW-10)
	s.logStrip(t, x, y, p.g.logW-10)
	if p.g.logW > 120 && !p.g.oneLine {
		s.label(id, x, 10, 11, token.Ink3).str(wLog.in(p.lang)).str(" ").plain(int64(t.Index)).end(Start)
	}
	s.label(id, x, y+p.g.endLabel(), 12, token.Ink).bold().str(wLag.in(p.lang)).short(t.Log.Arrived - t.Log.Read).end(Start)
}

func (s *Scene) phoneOutput(t *core.TaskView, k int) {
	p, id := &s.plan, s.endID(Output, t.Task)
	x, y := p.phoneEnd(k, p.bottom-p.g.endH)
	s.belt(id, x, y, p.g.outW)
	s.outputStrip(t, x, y, p.g.outW, p.sinks())
	if first := len(s.Marks); s.phoneOutputLabel(t, id, x, y, true) > x+p.g.outW {
		s.Marks = s.Marks[:first]
		s.phoneOutputLabel(t, id, x, y, false)
	}
}

// phoneOutputLabel says below an output what becomes visible next, in a word and in records, or in records alone; it returns where it
// ends.
func (s *Scene) phoneOutputLabel(t *core.TaskView, id ID, x, y float64, word bool) float64 {
	p, tx := &s.plan, oldest(&t.Output)
	l := s.label(id, x, y+p.g.endLabel(), 12, token.Ink).bold()
	switch {
	case !up(t):
		l.mark().Fill = token.Fail
		l = l.str(wShortAborted.in(p.lang))
	case t.Output.Guarantee != core.ExactlyOnce:
		l = l.str(wDirect.in(p.lang))
	case tx == nil:
		l = l.str(wVisible.in(p.lang))
	case !word:
		l = l.short(tx.Records)
	case tx.Checkpoint == 0:
		l = l.str(wOpen.in(p.lang)).str(" ").short(tx.Records)
	default:
		l = l.str(wPreCommitted.in(p.lang)).str(" ").short(tx.Records)
	}
	if word {
		return l.end(Start)
	}
	return l.cut(x + p.g.outW)
}

// mergedPhone stacks the blocks of a merged job: logs, operator, exchange, operator, outputs.
func (s *Scene) mergedPhone() {
	p := &s.plan
	y := 0.0
	for i := range p.v.Vertices {
		if w := &p.v.Vertices[i]; w.Kind == core.Source {
			s.belt(s.endID(Log, w.Tasks[0].Task), 0, y+36, p.o.Width)
			s.summedLog(w, 0, y+36, p.o.Width)
			y += phone.endH + 24
		}
	}
	for c := range p.colX {
		y = s.phoneExchanges(c, y)
		y = s.phoneOperators(c, y)
	}
	for i := range p.v.Vertices {
		if w := &p.v.Vertices[i]; w.Kind == core.Sink {
			s.belt(s.endID(Output, w.Tasks[0].Task), 0, y+40, p.o.Width)
			s.summedOutput(w, 0, y+40, p.o.Width)
			y += phone.endH + 28
		}
	}
	s.Height = y
}

func (s *Scene) phoneOperators(column int, y float64) float64 {
	p := &s.plan
	for i := range p.v.Vertices {
		if p.vertices[i].column != column {
			continue
		}
		w := &p.v.Vertices[i]
		s.label(ID{What: Operator, A: int32(i)}, 0, y+14, 12, token.Ink).bold().str(w.Name).str(" ×").plain(int64(len(w.Tasks))).end(Start)
		b := block{0, y + 22, p.o.Width, areaH, p.o.Width}
		switch s.Level {
		case Matrix:
			b.h = float64((len(w.Tasks)+1)/2) * Matrix.lineH()
			s.lines(i, b, 2)
		case Compact:
			b.h = float64(len(w.Tasks)) * 4
			s.thinLines(i, b)
		default:
			s.area(i, b)
		}
		y = b.y + b.h + 8
	}
	return y
}

func (s *Scene) phoneExchanges(column int, y float64) float64 {
	p := &s.plan
	for i := range p.v.Exchanges {
		e := &p.v.Exchanges[i]
		if p.vertices[e.To].column != column {
			continue
		}
		rows := len(p.v.Vertices[e.From].Tasks)
		b := block{0, y + 10, p.o.Width, 112, p.o.Width}
		switch s.Level {
		case Matrix:
			b.h = float64(rows) * 16
		case Compact:
			b.h = float64(rows) * 4
		}
		s.exchangeBlock(i, b)
		y = b.y + b.h + 8
	}
	return y
}
