package scene

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/render/font"
	"checkpointlab/render/token"
)

// bandH is the height of the coordinator band.
const bandH = 30

// bandGround draws what does not change of the band.
func (s *Scene) bandGround() {
	s.Rect(ID{What: Coordinator}, 0, 0, s.plan.o.Width, bandH, token.Band).Radius = token.R2
}

// band draws the coordinator: one box per subtask above its column, progress, time, the last completed checkpoint.
func (s *Scene) band() {
	p := &s.plan
	id := ID{What: Coordinator}
	s.label(id, 12, 19.5, 12, token.Ink).bold().str(wCoordinator.in(p.lang)).end(Start)
	coord := &p.v.Coord
	slots := s.bandSlots()
	switch n := len(coord.Pending); {
	case n > 0 && coord.Stalled:
		s.boxes(&coord.Pending[n-1])
		s.stalled(slots[0])
	case n > 0:
		s.boxes(&coord.Pending[n-1])
		s.progress(&coord.Pending[n-1], slots[0], slots[1])
	default:
		s.pause(slots[0])
	}
	s.lastCompleted(slots[2])
}

// bandSlots are the x where progress, time and the last completed checkpoint are written: in the exchanges and above the
// output, so that the words stand clear of the boxes.
func (s *Scene) bandSlots() [3]float64 {
	p := &s.plan
	air := min(14, max(4, (p.apart(p.g)-p.g.cardW-60)/2)) // to the boxes
	first := p.colX[0] + p.g.cardW + air
	second := first
	if len(p.colX) > 2 {
		second = p.colX[1] + p.g.cardW + air
	}
	return [3]float64{first, second, p.outX}
}

// boxes draws an acknowledgement box per subtask, or one bar per operator when there are too many.
func (s *Scene) boxes(pending *core.PendingView) {
	p := &s.plan
	for i := range p.v.Vertices {
		w, x := &p.v.Vertices[i], p.vertices[i].x
		offset := 0
		for j := range i {
			if p.vertices[j].column == p.vertices[i].column {
				offset += len(p.v.Vertices[j].Tasks)
			}
		}
		if p.colRows[p.vertices[i].column]*20 > int(p.g.cardW)-8 {
			s.ackBar(pending, w, x, p.vertices[i].column, offset)
			continue
		}
		for j := range w.Tasks {
			s.ackBox(pending, w.Tasks[j].Task, x+13+20*float64(offset+j)) // its edge under the column's name
		}
	}
}

func (s *Scene) ackBox(pending *core.PendingView, t event.Task, x float64) {
	hue, id := token.Hue(pending.Checkpoint), taskID(Ack, t)
	done := pending.Acks[t]
	fill := token.Panel
	if done {
		fill = hue
	}
	s.Frame(id, x-3, 8, 14, 14, fill, hue, 1.5).Radius = token.R1
	if done {
		s.Sprite(id, Tick, x+0.2, 12, 7.4, 6, token.OnCP)
	}
}

// ackBar draws the acknowledged share of a column's operator.
func (s *Scene) ackBar(pending *core.PendingView, w *core.VertexView, x float64, column, offset int) {
	p := &s.plan
	width := (p.g.cardW - 8) * float64(len(w.Tasks)) / float64(p.colRows[column])
	left := x + 4 + (p.g.cardW-8)*float64(offset)/float64(p.colRows[column])
	done := 0
	for i := range w.Tasks {
		done += int(flag(pending.Acks[w.Tasks[i].Task]))
	}
	id, hue := ID{What: Ack, A: w.Tasks[0].Task, B: 1}, token.Hue(pending.Checkpoint)
	s.Frame(id, left, 9, width-2, 12, token.Panel, hue, 1)
	s.Rect(id, left, 9, (width-2)*float64(done)/float64(len(w.Tasks)), 12, hue)
}

// progress writes what is pending and since when.
func (s *Scene) progress(c *core.PendingView, x, x2 float64) {
	p, id := &s.plan, ID{What: Coordinator}
	what := wCheckpoint
	if c.Savepoint {
		what = wSavepoint
	}
	limit := p.boxesAt(1)
	w := flagWidth(token.Flag, c.Checkpoint)
	if p.layout == Wide && x+font.Width(what.in(p.lang), font.Regular, 12)+w+80 < limit {
		x = s.label(id, x, 19.5, 12, token.Ink2).str(what.in(p.lang)).end(Start) + 6
	}
	s.flag(id, Flag, x, 8, w, token.Flag, c.Checkpoint)
	x += w + 7
	if p.layout == Wide && s.fits(x+90, limit, wAcknowledged) {
		kind := wAligned
		if c.Unaligned || p.cut.unaligned {
			kind = wUnaligned
		}
		x = s.label(id, x, 19.5, 12, token.Ink2).str(kind.in(p.lang)).end(Start)
	}
	done := 0
	for _, a := range c.Acks {
		done += int(flag(a))
	}
	first, from := len(s.Marks), x
	for _, of := range [...]string{wOf.in(p.lang), "/", ""} { // the first that has room; the boxes tell, too
		if s.Marks, x = s.Marks[:first], from; of == "" {
			break
		}
		if x = s.label(id, x, 19.5, 12, token.Ink).bold().int(int64(done)).str(of).int(int64(len(c.Acks))).end(Start); x+2 < limit {
			break
		}
	}
	if s.fits(x, limit, wAcknowledged) {
		x = s.label(id, x, 19.5, 12, token.Ink).bold().str(wAcknowledged.in(p.lang)).end(Start)
	}
	if x2 < x+10 || p.layout != Wide && len(p.colX) < 3 {
		x2 = x + 14
	}
	s.elapsed(c, x2)
}

// boxesAt is where the boxes of a column begin, which words must not touch.
func (p *plan) boxesAt(column int) float64 {
	if column < len(p.colX) {
		return p.colX[column] + 4
	}
	return p.outX - 8
}

// fits reports whether a word in bold fits between x and a limit.
func (s *Scene) fits(x, limit float64, w word) bool {
	return x+font.Width(w.in(s.plan.lang), font.Bold, 12)+4 < limit
}

func (s *Scene) elapsed(c *core.PendingView, x float64) {
	p, id := &s.plan, ID{What: Coordinator}
	limit := p.boxesAt(min(2, len(p.colX)-1))
	if s.fits(x+50, limit, wElapsed) {
		x = s.label(id, x, 19.5, 12, token.Ink2).str(wElapsed.in(p.lang)).end(Start)
	}
	if !s.label(id, x, 19.5, 12, token.Ink).bold().seconds(p.v.At-c.Triggered, 2).within(limit) {
		return
	}
	x = s.lastEnd()
	if p.layout == Wide && s.fits(x+font.Width(wOfTimeout.in(p.lang), font.Regular, 12)+50, limit, wTimeout) {
		s.label(id, x, 19.5, 12, token.Ink2).str(wOfTimeout.in(p.lang)).span(c.Timeout).str(wTimeout.in(p.lang)).end(Start)
	}
}

// stalled says that the JobManager's process stands still.
func (s *Scene) stalled(x float64) {
	s.label(ID{What: Coordinator}, x, 19.5, 12, token.Fail).bold().str(wMasterStalled.in(s.plan.lang)).end(Start)
}

// pause says why nothing is pending.
func (s *Scene) pause(x float64) {
	p, id, c := &s.plan, ID{What: Coordinator}, &s.plan.v.Coord
	switch {
	case c.JobFailed:
		s.label(id, x, 19.5, 12, token.Fail).bold().str(wJobFailed.in(p.lang)).end(Start)
	case c.JobFinished:
		s.label(id, x, 19.5, 12, token.Ink2).bold().str(wJobFinished.in(p.lang)).end(Start)
	case c.Stalled:
		s.stalled(x)
	case c.RestartingTill == event.Never:
		s.label(id, x, 19.5, 12, token.Fail).bold().str(wNotCancelled.in(p.lang)).end(Start)
	case c.RestartingTill > p.v.At:
		s.label(id, x, 19.5, 12, token.Fail).bold().str(wRestarting.in(p.lang)).seconds(c.RestartingTill-p.v.At, 2).end(Start)
	default:
		x = s.label(id, x, 19.5, 12, token.Ink2).str(wNoPending.in(p.lang)).end(Start)
		if c.NextTrigger != event.Never && c.NextTrigger >= p.v.At && p.layout == Wide {
			s.label(id, x, 19.5, 12, token.Ink2).str(", ").str(wNext.in(p.lang)).wait(c.NextTrigger - p.v.At).end(Start)
		}
	}
}

func (s *Scene) lastCompleted(x float64) {
	p, id, c := &s.plan, ID{What: Coordinator}, &s.plan.v.Coord
	if c.LastCompleted == 0 {
		return
	}
	if p.layout == Wide {
		x = s.label(id, x, 19.5, 12, token.Ink2).str(wLastCompleted.in(p.lang)).end(Start) + 6
	}
	w := flagWidth(token.Flag, c.LastCompleted)
	s.flag(id, Flag, x, 8, w, token.Flag, c.LastCompleted)
	s.label(id, x+w+6, 19.5, 12, token.Ink).bold().span(c.LastDuration).end(Start)
}
