package scene

import (
	"slices"

	"checkpointlab/core"
	"checkpointlab/render/token"
)

// areaColumn is the width of one column of the sorted area in px; it averages the subtasks that fall into it.
const areaColumn = 4

// area draws an operator's subtasks sorted by their shares: busy below, backpressured between, idle above.
func (s *Scene) area(vertex int, b block) {
	p := &s.plan
	w, id := &p.v.Vertices[vertex], ID{What: Operator, A: int32(vertex)}
	p.ints = p.ints[:0]
	stopped := 0
	for i := range w.Tasks {
		t := &w.Tasks[i]
		if !up(t) {
			stopped++
			continue
		}
		pressed := min(t.Soft+t.Hard, 1000-t.Busy)
		p.ints = append(p.ints, int64(t.Busy+pressed)<<40|int64(t.Busy)<<20|int64(pressed)) // idle falls from left to right
	}
	slices.Sort(p.ints)
	h := b.h - 40
	running := b.w * float64(len(p.ints)) / float64(max(1, len(w.Tasks)))
	s.areaColumns(id, b.x, b.y, running, h)
	s.Frame(id, b.x, b.y, b.w, h, token.None, token.Ink3, 1)
	if stopped > 0 {
		s.label(id, b.x, b.y+h+16, 11, token.Fail).bold().int(int64(stopped)).str(wNotRunning.in(p.lang)).cut(b.end)
	} else {
		s.label(id, b.x, b.y+h+16, 11, token.Ink3).str(wSortedByShare.in(p.lang)).within(b.end)
	}
	if p.cut.ref != 0 {
		s.areaPassed(id, b.x, b.y+h+32, b.end, w)
	}
}

// areaPassed writes how many subtasks the barrier has passed, in as many words as there is room for.
func (s *Scene) areaPassed(id ID, x, y, end float64, w *core.VertexView) {
	p, passed, all := &s.plan, int64(0), int64(len(w.Tasks))
	for i := range w.Tasks {
		passed += int64(flag(p.cut.past[w.Tasks[i].Task]))
	}
	l := func() label { return s.label(id, x, y, 11, token.Hue(p.cut.ref)).bold().int(passed) }
	_ = l().str(wOf.in(p.lang)).int(all).str(wPassed.in(p.lang)).within(end) || l().str("/").int(all).within(end) || l().within(end)
}

// areaColumns draws the columns, joining neighbours of the same height.
func (s *Scene) areaColumns(id ID, x, y, w, h float64) {
	n := len(s.plan.ints)
	columns := min(n, int(w/areaColumn))
	if columns == 0 {
		return
	}
	width := w / float64(columns)
	from, busy, pressed := 0, -1.0, -1.0
	for c := 0; c <= columns; c++ {
		nb, np := -2.0, -2.0
		if c < columns {
			nb, np = s.plan.mean(c*n/columns, (c+1)*n/columns)
			nb, np = float64(int(nb*h+0.5)), float64(int(np*h+0.5))
		}
		if nb == busy && np == pressed {
			continue
		}
		if c > 0 {
			s.areaColumn(id, x+float64(from)*width, y, float64(c-from)*width, h, busy, pressed)
		}
		from, busy, pressed = c, nb, np
	}
}

// mean is the average busy and backpressured share of the sorted subtasks from i to j.
func (p *plan) mean(i, j int) (busy, pressed float64) {
	for _, v := range p.ints[i:j] {
		busy += float64(v >> 20 & (1<<20 - 1))
		pressed += float64(v & (1<<20 - 1))
	}
	n := 1000 * float64(j-i)
	return busy / n, pressed / n
}

func (s *Scene) areaColumn(id ID, x, y, w, h, busy, pressed float64) {
	if rest := h - busy - pressed; rest >= 0.5 {
		s.Rect(id, x, y, w, rest, token.Idle).Hatch = Dots
	}
	if pressed >= 0.5 {
		s.Rect(id, x, y+h-busy-pressed, w, pressed, token.BP).Hatch = Backpressured
	}
	if busy >= 0.5 {
		s.Rect(id, x, y+h-busy, w, busy, token.Busy)
	}
}

// ranges draws an exchange of more than 64 subtasks: bytes queued per receiver as a range, and the share of channels that
// the barrier has passed.
func (s *Scene) ranges(i int, b block) {
	p := &s.plan
	e, id := &p.v.Exchanges[i], ID{What: Exchange, A: int32(i)}
	p.ints = grow(p.ints, len(p.v.Vertices[e.To].Tasks))
	passed := 0
	for k := range e.Channels {
		c := &e.Channels[k]
		p.ints[c.To] += total(c.Sender) + total(c.Wire) + total(c.Receiver)
		passed += int(flag(p.cut.consumed(p.v, e, c)))
	}
	slices.Sort(p.ints)
	full := p.capacity(e) * float64(len(e.Channels)) / float64(max(1, len(p.ints)))
	s.queuedRange(id, b, full)
	if p.cut.ref != 0 {
		s.passedBar(id, b, passed, len(e.Channels))
	}
}

func (s *Scene) queuedRange(id ID, b block, full float64) {
	p, n := &s.plan, len(s.plan.ints)
	if n == 0 {
		return
	}
	full = max(full, float64(p.ints[n-1]))
	at := func(v int64) float64 { return b.w * float64(v) / full }
	_ = s.label(id, b.x, b.y+18, 11, token.Ink2).str(wQueued.in(p.lang)).within(b.end) ||
		s.label(id, b.x, b.y+18, 11, token.Ink2).str(wShortQueued.in(p.lang)).within(b.end)
	s.Rect(id, b.x, b.y+28, b.w, 10, token.Band)
	lo, hi := at(p.ints[0]), at(p.ints[n-1])
	s.Rect(id, b.x+lo, b.y+28, max(2, hi-lo), 10, token.BufPre)
	s.Rect(id, b.x+min(b.w-2, at(p.ints[n/2])), b.y+24, 2, 18, token.Ink)
	s.queuedValues(id, b)
}

// queuedValues writes the least, the middle and the greatest of the sums, with their names where there is room; where there is little,
// the middle one.
func (s *Scene) queuedValues(id ID, b block) {
	p, n := &s.plan, len(s.plan.ints)
	values := [...]int64{p.ints[0], p.ints[n/2], p.ints[n-1]}
	l := s.label(id, b.x, b.y+54, 11, token.Ink2)
	plain := func() label { return s.label(id, b.x, b.y+54, 11, token.Ink2) }
	for i, name := range [...]word{wLeast, wMedian, wMost} {
		if i > 0 {
			l = l.str(", ")
		}
		l = l.str(name.in(p.lang)).bytes(values[i])
	}
	_ = l.within(b.end) || plain().bytes(values[0]).str(" · ").bytes(values[1]).str(" · ").bytes(values[2]).within(b.end) || plain().bytes(values[1]).within(b.end)
}

func (s *Scene) passedBar(id ID, b block, passed, all int) {
	p := &s.plan
	hue := token.Hue(p.cut.ref)
	part := float64(passed) / float64(max(1, all))
	s.label(id, b.x+b.w, b.y+82, 11, token.Ink).bold().percent(int(part * 1000)).end(End)
	if value := float64(s.Marks[len(s.Marks)-1].X); value < b.x {
		s.Marks = s.Marks[:len(s.Marks)-1] // the bar alone
	} else {
		s.label(id, b.x, b.y+82, 11, token.Ink2).str(wHasPassed.in(p.lang)).plain(p.cut.ref).str(wHasPassedEnd.in(p.lang)).within(value - headAir)
	}
	s.Frame(id, b.x, b.y+90, b.w, 10, token.None, hue, 1)
	s.Rect(id, b.x, b.y+90, b.w*part, 10, hue)
}
