package scene

import (
	"checkpointlab/render/font"
	"checkpointlab/render/token"
)

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
		l.striped()
		return
	}
	l.x = text.str(wAhead.in(p.lang)).plain(p.cut.ref).str(wAheadEnd.in(p.lang)).end(Start) + l.gap
	l.buffers(token.BufPostFill, token.BufPost, Solid, wBehind)
	l.striped()
}

// striped explains stored buffers when there are any, in the hue of the first.
func (l *legendPen) striped() {
	for i := range l.s.Marks {
		if m := &l.s.Marks[i]; m.Hatch == Stored && (m.ID.What == Buffer || m.ID.What == Channel) {
			l.buffers(m.Fill, m.Fill, Stored, wStored)
			return
		}
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
	if p.noPools || p.layout != Wide {
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
		if x-6-w-font.Width(text.in(lang), font.Regular, 11) < l.x {
			return // no room beside the left entries
		}
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
