package scene

import (
	"cmp"
	"slices"
	"strconv"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/render/font"
	"checkpointlab/render/token"
)

// ganttRow is one subtask's line.
type ganttRow struct {
	vertex, place int
	task          event.Task
	total         event.Time
	missing       bool // its acknowledgement
}

// Gantt draws the four phases of a checkpoint per subtask, slowest on top, into a box from the scene's left top corner:
// start delay as an outline, alignment hatched, sync solid, async grey, as far as they have come at the view's instant; where an
// acknowledgement is missing, a cross ends them if the checkpoint has failed. It appends to s, which the caller has reset. With
// more subtasks than fit, the slowest are shown and, below a line, each operator's subtask in the middle, to compare with.
func Gantt(v *core.View, h *core.History, id event.Checkpoint, width, height float64, lang Lang, s *Scene) {
	r := reader{v: v, h: h, lang: lang}
	s.plan.lang = lang
	c := r.record(id)
	if c == nil || id == 0 { // 0: none yet, or one that failed before it had an id
		s.label(ID{}, 0, 14, 13, token.Ink2).str(wNoCheckpoint.in(lang)).end(Start)
		return
	}
	const top, pitch, foot, right = 28.0, 17.0, 46.0, 46.0
	left := 64.0
	for i := range v.Vertices {
		w := &v.Vertices[i]
		left = min(max(left, font.Width(w.Name, font.Regular, 12)+16+indexWidth(len(w.Tasks)-1)), width/3)
	}
	rows := ganttRows(v, c)
	fit := min(len(rows), max(1, int((height-top-foot)/pitch)))
	var middles []ganttRow
	if fit < len(rows) && fit > len(v.Vertices)+2 {
		middles = ganttMiddles(len(v.Vertices), rows)
		fit -= len(middles)
		for i := range middles {
			w := font.Width(v.Vertices[middles[i].vertex].Name+" "+wMedian.in(lang), font.Regular, 12) + 8
			left = min(max(left, w), width/3)
		}
	}
	s.ganttTitle(c, width, fit, len(rows))
	longest := event.Millisecond
	for i := range rows {
		longest = max(longest, rows[i].total)
	}
	scale := (width - left - right) / float64(longest)
	bottom := top + pitch*float64(fit+len(middles))
	s.ganttAxis(longest, left, top, bottom, scale)
	for i := range fit {
		s.ganttName(v, &rows[i], left, top+pitch*float64(i), c.ID)
		s.ganttRow(v, h, c, &rows[i], left, top+pitch*float64(i), width, scale)
	}
	for i := range middles {
		y := top + pitch*float64(fit+i)
		id := ID{What: Phases, A: middles[i].task, B: int32(c.ID)}
		end := s.label(id, 0, y+12.5, 12, token.Ink).str(v.Vertices[middles[i].vertex].Name).cut(left - 7 - font.Width(wMedian.in(lang), font.Regular, 12))
		s.label(id, end+4, y+12.5, 12, token.Ink3).str(wMedian.in(lang)).end(Start)
		s.ganttRow(v, h, c, &middles[i], left, y, width, scale)
	}
	if len(middles) > 0 {
		y := top + pitch*float64(fit) + 0.5
		s.Line(ID{}, 0, y, width, y, token.Line, 1)
	}
	s.ganttLegend(bottom+36, width)
}

// ganttMiddles is the subtask in the middle of each operator, of rows that are sorted.
func ganttMiddles(vertices int, rows []ganttRow) (middles []ganttRow) {
	for v := range vertices {
		var own []ganttRow
		for _, r := range rows {
			if r.vertex == v {
				own = append(own, r)
			}
		}
		if len(own) > 0 {
			middles = append(middles, own[len(own)/2])
		}
	}
	return middles
}

// ganttTitle names the checkpoint, and how many of the subtasks are shown if not all are.
func (s *Scene) ganttTitle(c *core.CheckpointRecord, width float64, shown, all int) {
	lang, id := s.plan.lang, ID{What: Checkpoint, A: int32(c.ID)}
	kind := wCheckpoint
	if c.Savepoint {
		kind = wSavepoint
	}
	word := kind.in(lang)
	if lang == English {
		word = "C" + word[1:]
		if c.Savepoint {
			word = "S" + word[1:]
		}
	}
	x := s.label(id, 0, 14, 13, token.Ink).bold().str(word).end(Start) + 5
	w := flagWidth(token.Flag, c.ID)
	s.flag(id, Flag, x, 3, w, token.Flag, c.ID)
	end := s.label(id, x+w+2, 14, 13, token.Ink).bold().str(wPerSubtask.in(lang)).end(Start)
	if shown < all {
		s.label(ID{}, width, 14, 11, token.Ink3).int(int64(shown)).str(wOnlySlowest.in(lang)).int(int64(all)).end(End)
		return
	}
	if end+8+font.Width(wTriggerToAck.in(lang), font.Regular, 11) < width {
		s.label(ID{}, width, 14, 11, token.Ink3).str(wTriggerToAck.in(lang)).end(End)
	}
}

// ganttRows are the subtasks of a checkpoint, slowest first; those that have not acknowledged come first of all.
func ganttRows(v *core.View, c *core.CheckpointRecord) []ganttRow {
	var rows []ganttRow
	ended := c.Ended
	if c.Outcome == core.InProgress {
		ended = max(v.At, c.Triggered)
	}
	for i := range v.Vertices {
		for j := range v.Vertices[i].Tasks {
			t := v.Vertices[i].Tasks[j].Task
			if int(t) >= len(c.Tasks) {
				continue
			}
			p := &c.Tasks[t]
			total := max(0, p.StartDelay) + max(0, p.Alignment) + max(0, p.Sync) + max(0, p.Async)
			if p.Acked >= 0 {
				total = max(total, p.Acked-c.Triggered)
			}
			row := ganttRow{i, j, t, total, missing(p)}
			if row.missing {
				row.total = max(row.total, ended-c.Triggered)
			}
			rows = append(rows, row)
		}
	}
	slices.SortStableFunc(rows, func(a, b ganttRow) int {
		return cmp.Or(cmp.Compare(flag(b.missing), flag(a.missing)), cmp.Compare(b.total, a.total), cmp.Compare(b.task, a.task))
	})
	return rows
}

// ganttName names a subtask.
func (s *Scene) ganttName(v *core.View, r *ganttRow, left, y float64, checkpoint event.Checkpoint) {
	id := ID{What: Phases, A: r.task, B: int32(checkpoint)}
	w := &v.Vertices[r.vertex]
	end := s.label(id, 0, y+12.5, 12, token.Ink).str(w.Name).cut(left - 7 - indexWidth(w.Tasks[r.place].Index))
	s.label(id, end+4, y+12.5, 12, token.Ink3).plain(int64(w.Tasks[r.place].Index)).end(Start)
}

// ganttRow draws the phases of a subtask.
func (s *Scene) ganttRow(v *core.View, h *core.History, c *core.CheckpointRecord, r *ganttRow, left, y, width, scale float64) {
	id := ID{What: Phases, A: r.task, B: int32(c.ID)}
	p, open := soFar(v, h, c, r.task)
	x := left
	phase := func(t event.Time, draw func(w float64)) {
		if t < 0 {
			return
		}
		w := float64(t) * scale
		draw(w)
		x += w
	}
	phase(p.StartDelay, func(w float64) { s.Frame(id, x, y+4, max(1, w), 10, token.Panel, token.Line, 1) })
	phase(p.Alignment, func(w float64) {
		if w >= 1 {
			s.Rect(id, x, y+4, w, 10, token.Panel)
			s.Frame(id, x, y+4, w, 10, token.Ink2, token.Ink2, 1).Hatch = Alignment
		}
	})
	phase(p.Sync, func(w float64) { s.Rect(id, x, y+3, max(2, w), 12, token.Ink) })
	phase(p.Async, func(w float64) { s.Rect(id, x+0.5, y+4, max(1, w), 10, token.BufPost) })
	switch {
	case open:
		s.ganttOpen(v, c, id, x, left+float64(lasted(v, c)-c.Triggered)*scale, y, width)
	case p.Acked >= 0:
		took := p.Acked - c.Triggered
		if end := left + float64(took)*scale; end > x+3 { // the acknowledgement is on its way
			s.Line(id, x+2, y+9, end, y+9, token.Line, 1)
		}
		l := s.label(id, width, y+12.5, 11, token.Ink2)
		if took < 100*event.Millisecond {
			l.span(took).end(End)
		} else {
			l.seconds(took, 2).end(End)
		}
	}
}

// ganttOpen ends the row of a subtask whose acknowledgement is missing: up to end it has come, of what is known up to x.
func (s *Scene) ganttOpen(v *core.View, c *core.CheckpointRecord, id ID, x, end, y, width float64) {
	if end > x+3 {
		s.Line(id, x+2, y+9, end, y+9, token.Line, 1).Dash = Dash23
	}
	if c.Outcome != core.FailedCheckpoint || c.Ended > v.At {
		return
	}
	s.Sprite(id, Failed, end-4, y+5, 8, 8, token.Fail)
	s.label(id, width, y+12.5, 11, token.Fail).str(wNoAck.in(s.plan.lang)).end(End)
}

// ganttAxis draws a grid of four to eight round steps.
func (s *Scene) ganttAxis(longest event.Time, left, top, bottom, scale float64) {
	unit := RoundStep(longest, 5)
	for t := event.Time(0); t <= longest; t += unit {
		x := float64(int(left+float64(t)*scale)) + 0.5
		s.Line(ID{}, x, top, x, bottom, token.Rule, 1)
		l := s.label(ID{}, x, bottom+15, 11, token.Ink3)
		if t+unit > longest {
			l.span(t).end(Middle)
			continue
		}
		s.text = appendBare(l.s.text, t, longest)
		l.end(Middle)
	}
}

// appendBare writes a tick without its unit; the last tick of an axis carries it.
func appendBare(b []byte, t, longest event.Time) []byte {
	unit := event.Second
	if longest < event.Second {
		unit = event.Millisecond
	}
	tenths := t * 10 / unit
	return appendTenths(b, tenths)
}

func appendTenths(b []byte, tenths int64) []byte {
	b = strconv.AppendInt(b, tenths/10, 10)
	if r := tenths % 10; r != 0 {
		b = append(b, '.', byte('0'+r))
	}
	return b
}

// RoundStep is the least step of 1, 2 or 5 times a power of ten ns that makes at most n steps.
func RoundStep(longest event.Time, n int64) event.Time {
	for unit := event.Time(1); ; unit *= 10 {
		for _, f := range [...]event.Time{1, 2, 5} {
			if longest/(unit*f) <= n {
				return unit * f
			}
		}
	}
}

func (s *Scene) ganttLegend(y, width float64) {
	l := legendPen{s: s, x: 0, y: y, gap: 18}
	for _, text := range [...]word{wStartDelay, wAlignment, wShortSync, wShortAsync} {
		width -= 15 + 6 + font.Width(text.in(s.plan.lang), font.Regular, 11)
	}
	l.gap = max(4, min(l.gap, width/3))
	box := func(fill, edge token.Token, h Hatch, text word) {
		s.Rect(ID{}, l.x, y-9, 15, 10, token.Panel)
		s.Frame(ID{}, l.x, y-9, 15, 10, fill, edge, 1).Hatch = h
		l.say(15, text)
	}
	box(token.Panel, token.Line, Solid, wStartDelay)
	box(token.Ink2, token.Ink2, Alignment, wAlignment)
	box(token.Ink, token.Ink, Solid, wShortSync)
	box(token.BufPost, token.BufPost, Solid, wShortAsync)
}
