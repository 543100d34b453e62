package scene

import (
	"checkpointlab/core"
	"checkpointlab/render/token"
)

// block is the area of a merged operator or exchange; its words end before end.
type block struct{ x, y, w, h, end float64 }

// merged draws a view whose subtasks or channels are merged: levels Matrix, Compact and Summed.
func (s *Scene) merged() {
	p := &s.plan
	p.columns()
	p.rows()
	if p.layout == Phone {
		p.own = phone
		p.g = &p.own
		p.g.logW, p.g.outW = p.o.Width, p.o.Width
	}
	p.mergedScales()
	if p.layout == Phone {
		s.mergedPhone()
		return
	}
	p.stackOperators(s.Level)
	p.mergedExchanges()
	if p.layout != Embed {
		s.bandGround()
	}
	s.Static = len(s.Marks)
	if p.layout != Embed {
		s.band()
	}
	s.heads(p.top - 14)
	for i := range p.v.Vertices {
		s.operatorBlock(i, p.operatorBlock(i))
	}
	for i := range p.v.Exchanges {
		s.exchangeBlock(i, p.exchangeBlock(i))
	}
	s.mergedEnds()
	s.foot()
}

// lineH is the height of one subtask's line by level, the gap below it included.
func (l Level) lineH() float64 {
	if l == Matrix {
		return 22
	}
	return 6
}

// areaH is the height of a summed operator.
const areaH = 150

// stackOperators gives each operator its block, columns centred against the highest.
func (p *plan) stackOperators(l Level) {
	highest := 0.0
	lineH := p.fit(l.lineH())
	for i := range p.vertices {
		w := &p.vertices[i]
		w.operatorH = areaH
		if l != Summed {
			w.operatorH = max(70, float64(len(p.v.Vertices[i].Tasks))*lineH)
		}
		p.colH[w.column] += w.operatorH + p.g.rowGap
		p.colRows[w.column] += len(p.v.Vertices[i].Tasks)
	}
	for _, h := range p.colH {
		highest = max(highest, h-p.g.rowGap)
	}
	p.bottom = p.top + max(highest, 120)
	p.spread()
	for c := range p.colH {
		p.colH[c] = p.top + float64(int((highest-p.colH[c]+p.g.rowGap)/2))
	}
	for i := range p.vertices {
		w := &p.vertices[i]
		w.x, w.operatorY = p.colX[w.column], p.colH[w.column]
		p.colH[w.column] += w.operatorH + p.g.rowGap
	}
}

// fit lowers the lines until the highest column fits into the height that was asked for.
func (p *plan) fit(lineH float64) float64 {
	if p.o.Height <= 0 {
		return lineH
	}
	most := 1
	clear(p.colRows)
	for i := range p.vertices {
		p.colRows[p.vertices[i].column] += len(p.v.Vertices[i].Tasks)
	}
	for c := range p.colRows {
		most = max(most, p.colRows[c])
		p.colRows[c] = 0
	}
	return min(lineH, max(3, (p.o.Height-p.top-p.foot())/float64(most)))
}

// mergedExchanges fills the ends of the exchanges, which heads and time budget need.
func (p *plan) mergedExchanges() {
	for i := range p.v.Exchanges {
		e, x := &p.v.Exchanges[i], &p.exchanges[i]
		from, to := &p.vertices[e.From], &p.vertices[e.To]
		x.sendX = from.x + p.g.cardW + 4
		x.recvEnd = p.colX[min(from.column+1, to.column)] - 2
	}
}

func (p *plan) operatorBlock(i int) block {
	w, end := &p.vertices[i], p.o.Width
	if w.column+1 < len(p.colX) {
		end = p.colX[w.column+1] - headAir
	}
	return block{w.x, w.operatorY, p.g.cardW, w.operatorH, end}
}

// exchangeBlock lies right of its sender; exchanges of one sender share the width.
func (p *plan) exchangeBlock(i int) block {
	e, x := &p.v.Exchanges[i], &p.exchanges[i]
	n, k := 0, 0
	for j := range p.v.Exchanges {
		if p.v.Exchanges[j].From == e.From {
			if j < i {
				k++
			}
			n++
		}
	}
	w := &p.vertices[e.From]
	air := min(18, max(4, (x.recvEnd-x.sendX)/8)) // at least what marks a subtask of thin lines at its left
	width := (x.recvEnd - x.sendX - 2*air - float64(n-1)*air) / float64(n)
	left := x.sendX + air + float64(k)*(width+air)
	return block{left, w.operatorY, width, w.operatorH, left + width + min(8, air-1)}
}

// operatorBlock draws an operator's subtasks as lines or as one sorted area.
func (s *Scene) operatorBlock(i int, b block) {
	switch s.Level {
	case Matrix:
		s.lines(i, b, 1)
	case Compact:
		s.thinLines(i, b)
	default:
		s.area(i, b)
	}
}

// exchangeBlock draws an exchange as a matrix or as ranges.
func (s *Scene) exchangeBlock(i int, b block) {
	switch s.Level {
	case Matrix:
		s.matrix(i, b)
	case Compact:
		s.compact(i, b)
	default:
		s.ranges(i, b)
	}
}

// lines draws one line per subtask, in so many columns: its index, where there is room, and its shares.
func (s *Scene) lines(vertex int, b block, columns int) {
	w := &s.plan.v.Vertices[vertex]
	rows := (len(w.Tasks) + columns - 1) / columns
	pitch := b.h / float64(max(1, rows))
	pitch = min(pitch, Matrix.lineH())
	width := (b.w - 8*float64(columns-1)) / float64(columns)
	for i := range w.Tasks {
		t := &w.Tasks[i]
		x, y := b.x+float64(i/rows)*(width+8), b.y+float64(i%rows)*pitch
		h := min(19, pitch-2)
		id := taskID(Card, t.Task)
		s.Frame(id, x, y, width, h, token.Panel, token.Rule, 1).Radius = token.R1
		if c, edged := stateColour(t); edged {
			s.Frame(id, x, y, width, h, token.None, c, 1.5).Radius = token.R1
		}
		if width < narrowCard {
			s.shares(t, x+3, y+h/2-4.5, width-6, 9)
			continue
		}
		s.label(id, x+6, y+h/2+4, 11, token.Ink3).plain(int64(t.Index)).end(Start)
		s.shares(t, x+24, y+h/2-4.5, width-30, 9)
	}
}

// thinLines draws one line of 6 px per subtask, without an index.
func (s *Scene) thinLines(vertex int, b block) {
	w := &s.plan.v.Vertices[vertex]
	pitch := min(Compact.lineH(), b.h/float64(max(1, len(w.Tasks))))
	for i := range w.Tasks {
		t := &w.Tasks[i]
		y := b.y + float64(i)*pitch
		id := taskID(Card, t.Task)
		if c, edged := stateColour(t); edged {
			s.Rect(id, b.x-5, y, 3, pitch-1, c)
		}
		s.thinShares(t, id, b.x, y, b.w, pitch-1)
	}
}

func (s *Scene) thinShares(t *core.TaskView, id ID, x, y, w, h float64) {
	if !up(t) {
		s.Frame(id, x, y, w, h, token.None, token.Line, 1)
		return
	}
	busy, pressed := w*share(t.Busy, 1000), w*share(t.Soft+t.Hard, 1000-t.Busy)
	part := func(x, w float64, fill token.Token, h2 Hatch) {
		if w >= 0.75 {
			s.Rect(id, x, y, w, h, fill).Hatch = h2
		}
	}
	part(x, busy, token.Busy, Solid)
	part(x+busy, pressed, token.BP, Backpressured)
	part(x+busy+pressed, w-busy-pressed, token.Idle, Dots)
}

// mergedScales are the scales for summed logs and outputs.
func (p *plan) mergedScales() {
	p.scales()
	if p.o.RecordsPerPx > 0 {
		return
	}
	var lag, commit int64
	for i := range p.v.Vertices {
		w := &p.v.Vertices[i]
		switch w.Kind {
		case core.Source:
			l := sumLogs(w)
			lag, commit = max(lag, l.Arrived-l.Read), max(commit, l.ReadAgain)
		case core.Sink:
			o := sumOutputs(w)
			commit = max(commit, o.open+o.committing)
		}
	}
	if p.h != nil {
		for i := range p.h.Samples {
			lag = max(lag, p.h.Samples[i].Lag)
		}
		for i := range p.h.Commits {
			commit = max(commit, p.h.Commits[i].Records)
		}
	}
	g := p.g
	p.perRecord = min(step(logPosition*g.logW-2, float64(lag)), step(0.5*min((1-logPosition)*g.logW*2, g.outW), float64(commit)))
}

// mergedEnds draws one log per source operator and one output per sink operator.
func (s *Scene) mergedEnds() {
	p := &s.plan
	for i := range p.v.Vertices {
		w, at := &p.v.Vertices[i], &p.vertices[i]
		y := at.operatorY + p.g.first
		switch w.Kind {
		case core.Source:
			s.belt(s.endID(Log, w.Tasks[0].Task), 0, y, p.g.logW)
			s.summedLog(w, 0, y, p.g.logW)
		case core.Sink:
			s.belt(s.endID(Output, w.Tasks[0].Task), p.outX, y, p.g.outW)
			s.summedOutput(w, p.outX, y, p.g.outW)
		}
	}
}
