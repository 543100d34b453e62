package scene

import (
	"checkpointlab/core"
	"checkpointlab/render/token"
)

// Build draws a view into s, reusing its memory: a second picture of the same kind allocates nothing. The history gives
// the scales of logs and time budget; nil means that the view alone gives them.
func Build(v *core.View, h *core.History, o Options, s *Scene) {
	p := &s.plan
	p.v, p.h, p.o = v, h, o
	p.layout, p.lang = o.layout(), o.Lang
	p.segment = o.Segment
	if p.segment == 0 {
		p.segment = defaultSegment
	}
	p.geometry()
	p.cut.find(v)
	p.move()
	p.all = v
	s.Level = max(o.Level, LevelFor(v))
	if o.Open > 0 && s.Level != Cells && p.opening.open(v, o.Open-1) {
		p.v, s.Level = &p.opening.view, Cells
	}
	s.Reset(o.Width, 0)
	s.build()
	if o.Dim > 0 {
		s.dim(o)
	}
}

// spacious is the width below which the medium layout spares air, so that cells stay readable.
const spacious = 860

// geometry chooses the sizes of the layout.
func (p *plan) geometry() {
	switch p.layout {
	case Wide:
		p.g, p.top = &wide, wide.top
	case Phone:
		p.g, p.top = &phone, 0
	case Embed:
		p.g, p.top = &medium, medium.topBare
	default:
		p.g, p.top = &medium, medium.top
	}
	if p.g == &medium && p.o.Width < spacious {
		p.own = medium
		p.own.logW, p.own.outW, p.own.side, p.own.senderTail, p.own.wires = 98, 108, 6, 15, 12
		p.g = &p.own
	}
}

// Least pitches of a queue's cells in px: below the first a wide picture of many columns is laid out as a medium one, below the second
// channels become cells of a matrix.
const (
	leastWide  = 4.0
	leastCells = 2.5
)

// leastBetween is the least distance of two operators whose channels are merged, in px, and narrowCard what makes room for it. Where
// that does not, operators are as narrow as leastCard to stay leastGap apart.
const (
	leastBetween = 80.0
	narrowCard   = 60.0
	leastGap     = 36.0
	leastCard    = 16.0
)

// narrow chooses the medium layout where the wide one leaves the exchanges too little room, and reports whether that leaves too little
// for cells.
func (p *plan) narrow() bool {
	p.columns()
	p.rows()
	if p.layout == Wide && p.pitchIn(&wide) < leastWide {
		p.layout, p.g, p.top = Medium, &medium, medium.top
	}
	if p.pitchIn(p.g) >= leastCells {
		return false
	}
	if p.apart(p.g)-p.g.cardW < leastBetween {
		p.own = *p.g
		p.own.cardW = narrowCard
		p.g = &p.own
		if gap := p.apart(p.g) - narrowCard; gap < leastGap { // a px less of each of n + 1 operators is 1 + 1/n px more between two
			n := float64(len(p.colX) - 1)
			p.own.cardW = max(leastCard, float64(int(narrowCard-(leastGap-gap)*n/(n+1))))
		}
	}
	return true
}

func (s *Scene) build() {
	p := &s.plan
	narrow := p.layout != Phone && p.narrow()
	if s.Level == Cells && narrow {
		s.Level = Matrix
	}
	if s.Level != Cells {
		s.merged()
		return
	}
	if p.layout == Phone {
		s.phone()
		return
	}
	p.arrange()
	if p.o.Height > 0 && p.bottom+p.foot() > p.o.Height { // too high for cells
		s.Level = Matrix
		s.merged()
		return
	}
	s.ground()
	s.Static = len(s.Marks)
	s.flow()
	s.foot()
}

// ground draws what only the layout changes.
func (s *Scene) ground() {
	p := &s.plan
	if p.layout != Embed {
		s.bandGround()
	}
	s.wires()
	for i := range p.v.Vertices {
		w, at := &p.v.Vertices[i], &p.vertices[i]
		for j := range w.Tasks {
			y := p.cardY[at.first+j]
			s.cardGround(&w.Tasks[j], at.x, y, p.g.cardW, at.h)
			base := y + p.g.first
			switch w.Kind {
			case core.Source:
				s.belt(taskID(Log, w.Tasks[j].Task), 0, base, p.g.logW)
			case core.Sink:
				s.belt(taskID(Output, w.Tasks[j].Task), p.outX, base, p.g.outW)
			}
		}
	}
}

func (s *Scene) belt(id ID, x, y, w float64) { s.Line(id, x, y, x+w, y, token.Line, 1).Alpha = 140 }

// flow draws what the state changes: band, heads, channels, cards, logs and outputs.
func (s *Scene) flow() {
	p := &s.plan
	if p.layout != Embed {
		s.band()
	}
	s.heads(p.top - 14)
	for i := range p.v.Exchanges {
		if p.g.underray && p.layout == Wide && !p.noPools {
			s.poolsOf(i)
		}
		for j := range p.v.Exchanges[i].Channels {
			s.channel(i, j)
		}
	}
	for i := range p.v.Vertices {
		w, at := &p.v.Vertices[i], &p.vertices[i]
		for j := range w.Tasks {
			t, y := &w.Tasks[j], p.cardY[at.first+j]
			s.card(w, t, at.x, y, at.h)
			switch w.Kind {
			case core.Source:
				s.log(t, 0, y+p.g.first)
			case core.Sink:
				s.output(t, p.outX, y+p.g.first)
			}
		}
	}
}

// foot is the height of what stands below the lowest card: time budget and legend.
func (p *plan) foot() float64 {
	switch p.o.layout() {
	case Embed:
		return 4
	case Wide:
		return 98
	}
	return 74
}

// foot draws the time budget and the legend and fixes the height.
func (s *Scene) foot() {
	p := &s.plan
	s.Height = p.bottom + p.foot()
	if p.layout == Embed {
		return
	}
	s.timeBudget(p.bottom + 28)
	if p.o.layout() == Wide {
		s.legend(p.bottom + 90)
	}
}

// dim weakens everything that does not belong to the checkpoint in focus.
func (s *Scene) dim(o Options) {
	hue := token.Hue(o.Focus)
	for i := range s.Marks {
		m := &s.Marks[i]
		if m.Fill != hue && m.Edge != hue && m.Fill != token.OnCP {
			m.Alpha = uint8(float64(m.Alpha) * (1 - 0.65*min(1, o.Dim)))
		}
	}
}
