package scene

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/render/token"
)

// logPosition is where the read position stands in a log's strip, as a share of its width.
const logPosition = 0.4

// log draws the part of the outside log that one source subtask reads: what is unread left of the position, what was
// read since the last completed checkpoint right of it.
func (s *Scene) log(source *core.TaskView, x, y float64) {
	p, t := &s.plan, rewound(source)
	s.logStrip(t, x, y, p.g.logW)
	id := s.endID(Log, t.Task)
	size := 12.0
	s.label(id, x, y+19, size, token.Ink).bold().str(wLag.in(p.lang)).int(t.Log.Arrived - t.Log.Read).end(Start)
	if t.Log.OldestWait > 0 {
		s.label(id, x, y+34, 11, token.Ink2).str(wOldestWaits.in(p.lang)).seconds(t.Log.OldestWait, 1).end(Start)
	}
	if p.layout != Wide {
		return
	}
	if again := readAgain(t); again > 0 {
		s.label(id, x, y+54, 11, token.Ink2).str(wReadingAgain.in(p.lang)).int(again).end(Start)
		return
	}
	s.label(id, x, y+54, 11, token.Ink3).str(wIfFails.in(p.lang)).end(Start)
	s.label(id, x, y+69, 11, token.Ink2).int(t.Log.ReadAgain).str(wAgain.in(p.lang)).end(Start)
}

// rewound is a source as the picture has it: one that has failed stands where it goes back to, with all that it will read
// again before it.
func rewound(t *core.TaskView) *core.TaskView {
	if up(t) || t.State >= core.Finished || t.Log.ReadAgain <= 0 || t.Log.ReplayTo > t.Log.Read {
		return t
	}
	back := *t
	back.Log.ReplayTo, back.Log.Read = t.Log.Read, t.Log.Read-t.Log.ReadAgain
	back.Log.ReadAgain = 0
	return &back
}

// readAgain is what a source reads again after a failure: what is left of it, or all of it while the job is still down.
func readAgain(t *core.TaskView) int64 {
	if n := t.Log.ReplayTo - t.Log.Read; n > 0 {
		return n
	}
	if !up(t) {
		return t.Log.ReadAgain
	}
	return 0
}

// logStrip draws the strip itself; y is its base line.
func (s *Scene) logStrip(t *core.TaskView, x, y, w float64) {
	p, g := &s.plan, s.plan.g
	id := s.endID(Log, t.Task)
	top := y - 2.5 - g.cellH
	position := x + float64(int(w*logPosition))
	s.unread(t, id, x, position, top)
	read := newestCompleted(&t.Log)
	if read >= 0 {
		m := t.Log.Marks[read]
		far := min(x+w-8, position+p.perRecord*float64(t.Log.Read-m.Position))
		if far-position > 1 {
			s.Frame(id, position+0.5, top, far-position, g.cellH, token.None, token.Line, 1)
		}
	}
	s.Rect(id, position-1, top-5, 2, g.cellH+10, token.Ink)
	clear := x
	for i := len(t.Log.Marks) - 1; i >= 0; i-- { // from the position to the right, so that flags stand side by side
		m := &t.Log.Marks[i]
		if !m.Completed || i == read {
			at := min(x+w-8, position+p.perRecord*float64(t.Log.Read-m.Position))
			clear = s.logFlag(t, m, at, top, clear)
		}
	}
}

// unread draws what the log holds before the position; after a failure the part that was read before in stripes.
func (s *Scene) unread(t *core.TaskView, id ID, left, position, top float64) {
	p, g := &s.plan, s.plan.g
	all := p.perRecord * float64(t.Log.Arrived-t.Log.Read)
	again := p.perRecord * float64(max(0, min(t.Log.ReplayTo, t.Log.Arrived)-t.Log.Read))
	room := position - left
	again = min(again, room)
	if new := min(all, room) - again; new > 0.2 {
		s.Rect(id, position-again-new, top, new, g.cellH, token.BufPre)
	}
	if again > 0.2 {
		s.Rect(id, position-again, top, again, g.cellH, token.BufPre).Hatch = Replay
	}
	if all > room { // more than fits: a gap says that the rest is cut off
		s.Rect(id, left+3, top-1, 2, g.cellH+2, token.Page)
		s.Rect(id, left+7, top-1, 2, g.cellH+2, token.Page)
	}
}

// newestCompleted is the index of the mark that a restore would go to; -1 = none.
func newestCompleted(l *core.LogView) int {
	for i := len(l.Marks) - 1; i >= 0; i-- {
		if l.Marks[i].Completed {
			return i
		}
	}
	return -1
}

// logFlag draws the place of a barrier: a solid flag when its checkpoint completed, a hollow one until then. The flag
// keeps right of clear; the right end is returned.
func (s *Scene) logFlag(t *core.TaskView, m *core.LogMark, x, top, clear float64) float64 {
	g, hue := s.plan.g, token.Hue(m.Checkpoint)
	id := ID{What: LogFlag, A: t.Task, B: int32(m.Checkpoint)}
	w := flagWidth(g.flag, m.Checkpoint)
	left := max(clear, x-w/2)
	if m.Completed {
		s.Rect(id, x-1.5, top-4, token.BarrierW, g.cellH+8, hue)
		s.flag(id, Flag, left, top-4-g.flag, w, g.flag, m.Checkpoint)
	} else {
		s.Line(id, x, top-4, x, top+g.cellH+4, hue, 2).Dash = Dash32
		s.flag(id, HollowFlag, left, top-4-g.flag, w, g.flag, m.Checkpoint)
	}
	return left + w + 1
}

// output draws what one sink subtask has written: open, pre-committed, visible.
func (s *Scene) output(t *core.TaskView, x, y float64) {
	p := &s.plan
	s.outputStrip(t, x, y, p.g.outW, p.sinks())
	s.outputText(t, x, y)
}

// outputStrip draws the strip of one of so many outputs; y is its base line. The sink writes at the left end.
func (s *Scene) outputStrip(t *core.TaskView, x, y, w float64, outputs int) {
	p, g := &s.plan, s.plan.g
	id := s.endID(Output, t.Task)
	top, end := y-2.5-g.cellH, x+w
	o := &t.Output
	if !up(t) && (len(o.Transactions) == 0 || o.Transactions[len(o.Transactions)-1].Checkpoint != 0) {
		s.aborted(id, x, top, 16)
		x += 18
	}
	for i := len(o.Transactions) - 1; i >= 0; i-- {
		tx := &o.Transactions[i]
		width := min(max(3, p.perRecord*float64(tx.Records)), end-x-40)
		if tx.Checkpoint == 0 && !up(t) {
			s.aborted(id, x, top, max(16, width))
			width = max(16, width)
		} else if tx.Checkpoint == 0 {
			s.openTransaction(t, id, x, top, width)
		} else {
			s.Frame(id, x, top, width, g.cellH, token.Hue(tx.Checkpoint), token.Hue(tx.Checkpoint), 1).Hatch = Stored
			s.flag(ID{What: OutputFlag, A: t.Task, B: int32(tx.Checkpoint)}, HollowFlag, max(x, s.rightOfFlags(t, top)), top-4-g.flag,
				flagWidth(g.flag, tx.Checkpoint), g.flag, tx.Checkpoint)
		}
		x += width + 1
	}
	if o.VisibleUpTo > 0 || o.Visible > 0 {
		s.visible(t, id, x, end, top, outputs)
	}
}

// aborted draws a transaction that a failure took.
func (s *Scene) aborted(id ID, x, top, width float64) {
	h := s.plan.g.cellH
	s.Frame(id, x, top, width, h, token.None, token.Fail, 1.5).Dash = Dash32
	s.Sprite(id, Failed, x+width/2-5, top+h/2-5, 10, 10, token.Fail)
}

// openTransaction draws the outline; the checkpoint that will commit it is known once one is pending.
func (s *Scene) openTransaction(t *core.TaskView, id ID, x, top, width float64) {
	p, g := &s.plan, s.plan.g
	edge := token.Ink3
	next := p.cut.ref
	if next != 0 && p.cut.past[t.Task] {
		next = 0
	}
	if next != 0 {
		edge = token.Hue(next)
		s.flag(ID{What: OutputFlag, A: t.Task, B: int32(next)}, HollowFlag, x, top-4-g.flag, flagWidth(g.flag, next), g.flag, next)
	}
	s.Frame(id, x, top, width, g.cellH, token.None, edge, 1.5).Dash = Dash32
}

// visible draws what a read_committed reader sees: the tint of the checkpoint up to which it sees, and its flag.
func (s *Scene) visible(t *core.TaskView, id ID, x, end, top float64, outputs int) {
	p, g, o := &s.plan, s.plan.g, &t.Output
	hue := token.Ink3
	if o.VisibleUpTo > 0 {
		hue = token.Hue(o.VisibleUpTo)
	}
	x = min(x+1, end-40)
	if slides := min(p.committing(o.VisibleUpTo, outputs), end-40-x); slides > 0.5 {
		s.Frame(id, x, top, slides, g.cellH, hue, hue, 1).Hatch = Stored
		x += slides
	}
	bar := x + token.BarrierW
	s.Rect(id, bar, top, end-bar, g.cellH, hue).Alpha = 71
	s.Rect(id, bar, top+g.cellH-2, end-bar, 2, hue)
	s.Rect(id, x, top-4, token.BarrierW, g.cellH+8, hue)
	if o.VisibleUpTo > 0 {
		w := flagWidth(g.flag, o.VisibleUpTo)
		left := max(x+1.5-w/2, s.rightOfFlags(t, top))
		s.flag(ID{What: OutputFlag, A: t.Task, B: int32(o.VisibleUpTo)}, Flag, left, top-4-g.flag, w, g.flag, o.VisibleUpTo)
	}
	if p.layout == Wide || p.layout == Phone {
		word := wVisible
		if o.Guarantee != core.ExactlyOnce {
			word = wDirect
		}
		s.label(id, end-6, top+g.cellH-5, 11, token.Ink).bold().str(word.in(p.lang)).end(End)
	}
}

// rightOfFlags keeps a flag clear of the hollow ones that stand left of it.
func (s *Scene) rightOfFlags(t *core.TaskView, top float64) float64 {
	right := 0.0
	for i := len(s.Marks) - 1; i >= 0 && i > len(s.Marks)-24; i-- {
		m := &s.Marks[i]
		if m.ID.What == OutputFlag && m.ID.A == t.Task && m.Kind == Rect {
			right = max(right, float64(m.X+m.W)+1)
		}
	}
	return right
}

// outputText says what is open, since when, and up to where a reader sees.
func (s *Scene) outputText(t *core.TaskView, x, y float64) {
	p, o := &s.plan, &t.Output
	id := s.endID(Output, t.Task)
	tx := oldest(o)
	switch {
	case o.Guarantee != core.ExactlyOnce:
		s.label(id, x, y+19, 12, token.Ink).bold().str(wDirect.in(p.lang)).end(Start)
		s.label(id, x, y+34, 11, token.Ink2).int(o.Duplicates).str(wDuplicates.in(p.lang)).end(Start)
		return
	case !up(t):
		word := wAborted
		if p.layout != Wide {
			word = wShortAborted
		}
		s.label(id, x, y+19, 12, token.Fail).bold().str(word.in(p.lang)).end(Start)
	case tx != nil:
		word := wOpenTransaction
		if tx.Checkpoint != 0 {
			word = wPreCommitted
		}
		s.label(id, x, y+19, 12, token.Ink).bold().str(word.in(p.lang)).end(Start)
		s.amount(id, tx, x, y+34)
	}
	if p.layout != Wide {
		return
	}
	if o.Lost > 0 {
		s.label(id, x, y+54, 11, token.Fail).bold().int(o.Lost).str(wLost.in(p.lang)).end(Start)
	} else {
		s.label(id, x, y+54, 11, token.Ink3).str(wReader.in(p.lang)).end(Start)
	}
	if o.VisibleUpTo == 0 {
		s.label(id, x, y+69, 11, token.Ink2).str(wSeesNothing.in(p.lang)).end(Start)
		return
	}
	s.label(id, x, y+69, 11, token.Ink2).str(wSeesUpTo.in(p.lang)).plain(o.VisibleUpTo).str(wSeesUpToEnd.in(p.lang)).end(Start)
}

func (s *Scene) amount(id ID, tx *core.TransactionView, x, y float64) {
	l := s.label(id, x, y, 11, token.Ink2)
	if s.plan.layout == Wide {
		l = l.int(tx.Records).str(wRecords.in(s.plan.lang))
	} else {
		l = l.short(tx.Records).str(", ")
	}
	l.seconds(max(event.Time(0), s.plan.v.At-tx.Since), 1).end(Start)
}

// oldest is the transaction that waits longest.
func oldest(o *core.OutputView) *core.TransactionView {
	if len(o.Transactions) == 0 {
		return nil
	}
	return &o.Transactions[0]
}
