package scene

import (
	"strconv"

	"checkpointlab/core"
	"checkpointlab/render/font"
	"checkpointlab/render/token"
)

// glyphs are the state glyphs and their words, by core.TaskState.
var glyphs = [...]struct {
	shape Shape
	word  word
}{
	core.Running:      {Running, wRunning},
	core.Paused:       {Paused, wPaused},
	core.Aligning:     {Aligning, wAligning},
	core.Syncing:      {Syncing, wSync},
	core.Uploading:    {Uploading, wAsync},
	core.Stalled:      {Paused, wStalled},
	core.Initializing: {Restoring, wInitializing},
	core.Restoring:    {Restoring, wRestoring},
	core.Waiting:      {Waiting, wWaiting},
	core.Failed:       {Failed, wFailed},
	core.Finished:     {Finished, wFinished},
	core.Lost:         {Waiting, wLostManager},
}

// up reports whether a task is running, so that its shares mean something.
func up(t *core.TaskView) bool { return t.State < core.Restoring }

// stateColour is the colour of a task's glyph and, when edged, of its frame.
func stateColour(t *core.TaskView) (c token.Token, edged bool) {
	switch t.State {
	case core.Running, core.Paused, core.Initializing, core.Waiting, core.Finished:
		return token.Ink2, false
	case core.Failed, core.Lost, core.Stalled:
		return token.Fail, true
	}
	if t.Checkpoint == 0 {
		return token.Ink2, false
	}
	return token.Hue(t.Checkpoint), t.State != core.Uploading && t.State != core.Restoring
}

// cardGround draws what does not change of a card.
func (s *Scene) cardGround(t *core.TaskView, x, y, w, h float64) {
	s.Frame(taskID(Card, t.Task), x, y, w, h, token.Panel, token.Rule, 1).Radius = token.R2
}

// cardEdge draws the edge of a task that aligns, is in its synchronous part, or failed, or that a barrier reaches in one step.
func (s *Scene) cardEdge(t *core.TaskView, x, y, w, h float64) {
	if c, edged := stateColour(t); edged {
		s.Frame(taskID(Card, t.Task), x, y, w, h, token.None, c, 1.5).Radius = token.R2
	}
	if id := s.plan.reached(t.Task); id != 0 {
		s.Frame(taskID(Card, t.Task), x, y, w, h, token.None, token.Hue(id), crossedW).Radius = token.R2
	}
}

// card draws one subtask.
func (s *Scene) card(w *core.VertexView, t *core.TaskView, x, y, h float64) {
	p := &s.plan
	s.cardEdge(t, x, y, p.g.cardW, h)
	left, right := x+10, x+p.g.cardW-10
	if p.layout == Wide {
		s.titleAndRate(w, t, left, right, y)
		s.shares(t, left, y+49, right-left, 11)
		s.shareText(t, left, y+75)
		s.pools(t, left, right, y)
		return
	}
	s.name(w, t, left, y+18, right)
	if up(t) { // the last second of one that does not run tells of the time before
		s.rate(w, t, left, y+34, Start)
	}
	s.state(t, left, y+47, y+55)
	s.shares(t, left, y+66, right-left, 10)
	s.shareText(t, left, y+91)
}

// titleAndRate writes name and rate side by side; a long name leaves the rate the line below, where a short state leaves
// room.
func (s *Scene) titleAndRate(w *core.VertexView, t *core.TaskView, left, right, y float64) {
	if !up(t) {
		s.name(w, t, left, y+20, right)
		s.state(t, left, y+32, y+40)
		return
	}
	name := font.Width(w.Name, font.Bold, 13) + 4 + indexWidth(t.Index)
	first := len(s.Marks)
	rate := s.rate(w, t, right, y+20, End)
	if left+name+6 <= rate {
		s.name(w, t, left, y+20, rate-6)
		s.state(t, left, y+32, y+40)
		return
	}
	s.Marks[first].Y += 20
	s.name(w, t, left, y+20, right)
	s.state(t, left, y+32, y+40)
	if last := &s.Marks[len(s.Marks)-1]; float64(last.X+last.W)+6 > rate {
		s.Marks = append(s.Marks[:first], s.Marks[first+1:]...) // no room
	}
}

// indexWidth is the width of a subtask's index in a card.
func indexWidth(i int) float64 {
	digits := 9.0
	for ; i >= 10; i /= 10 {
		digits += 8
	}
	return digits
}

// name writes the operator and the subtask's index; the index is never cut off.
func (s *Scene) name(w *core.VertexView, t *core.TaskView, x, y, end float64) {
	id := taskID(Card, t.Task)
	x = s.label(id, x, y, 13, token.Ink).bold().str(w.Name).cut(end-4-indexWidth(t.Index)) + 4
	s.label(id, x, y, 13, token.Ink3).plain(int64(t.Index)).end(Start)
}

// rate writes records per second, out of a source and into the others, and returns where it begins.
func (s *Scene) rate(w *core.VertexView, t *core.TaskView, x, y float64, a Anchor) float64 {
	rate := t.RateIn
	if w.Kind == core.Source {
		rate = t.RateOut
	}
	s.label(taskID(Card, t.Task), x, y, 11, token.Ink2).int(rate).str("/s").end(a)
	return float64(s.Marks[len(s.Marks)-1].X)
}

// state draws the glyph and its word.
func (s *Scene) state(t *core.TaskView, x, top, base float64) {
	g := glyphs[t.State]
	id := taskID(Card, t.Task)
	s.stateGlyph(t, x, top)
	l := s.label(id, x+14, base, 12, token.Ink)
	if t.State == core.Aligning {
		l.aligning(t, s.plan.layout == Wide)
		return
	}
	word := g.word
	if s.plan.layout != Wide {
		word = shortStates[t.State]
	}
	end := x + s.plan.g.cardW - 12
	if l = l.str(word.in(s.plan.lang)); t.Times == 0 {
		l.cut(end)
	} else if !l.throttled(t).within(end) {
		s.label(id, x+14, base, 12, token.Ink).throttled(t).end(Start)
	}
}

// throttled says how many times as long records take on a task manager that is throttled.
func (l label) throttled(t *core.TaskView) label {
	if t.Times > 0 {
		l.s.text = strconv.AppendFloat(append(l.s.text, " ×"...), float64(t.Times)/1000, 'g', 3, 64)
	}
	return l
}

// aligning says how many of the channels' barriers have come.
func (l label) aligning(t *core.TaskView, long bool) {
	lang := l.s.plan.lang
	l = l.str(wAligning.in(lang)).str(" ").plain(int64(t.Aligned))
	if long {
		l = l.str(wOf.in(lang))
	} else {
		l = l.str("/")
	}
	l.plain(int64(t.ToAlign)).end(Start)
}

// shares draws the bar of the last second: busy, backpressured, idle, always in this order; empty if not running.
func (s *Scene) shares(t *core.TaskView, x, y, w, h float64) {
	id := taskID(Card, t.Task)
	if !up(t) {
		s.Frame(id, x, y, w, h, token.None, token.Line, 1)
		return
	}
	busy, pressed := w*share(t.Busy, 1000), w*share(t.Soft+t.Hard, 1000-t.Busy)
	s.part(id, x+busy+pressed, y, w-busy-pressed, h, token.Idle, token.IdleEdge, Dots)
	s.part(id, x+busy, y, pressed, h, token.BP, token.BPEdge, Backpressured)
	s.part(id, x, y, busy, h, token.Busy, token.BusyEdge, Solid)
}

// share is per mille as a fraction, at most what is left.
func share(mille, left int) float64 { return float64(max(0, min(mille, left))) / 1000 }

// part draws one share if it can be seen.
func (s *Scene) part(id ID, x, y, w, h float64, fill, edge token.Token, hatch Hatch) {
	if w < 0.75 {
		return
	}
	s.Frame(id, x, y, w, h, fill, edge, 1).Hatch = hatch
}

// shareText writes the largest share in words.
func (s *Scene) shareText(t *core.TaskView, x, y float64) {
	if !up(t) {
		return
	}
	word, mille := largestShare(t)
	id := taskID(Card, t.Task)
	if s.plan.layout != Wide {
		word = shortShare(word)
	}
	s.label(id, x, y, 11, token.Ink2).str(word.in(s.plan.lang)).str(" ").percent(mille).end(Start)
}

// largestShare is what a task spent most of the last second on.
func largestShare(t *core.TaskView) (word, int) {
	busy, pressed := t.Busy, t.Soft+t.Hard
	w, mille := wIdle, 1000-busy-pressed
	if busy >= mille {
		w, mille = wBusy, busy
	}
	if pressed > mille {
		w, mille = wBackpressured, pressed
	}
	return w, mille
}

// shortShare is the word where room is little.
func shortShare(w word) word {
	if w == wBackpressured {
		return wShortBackpressured
	}
	return w
}

// pools writes how many buffers of the input and output pools are in use.
func (s *Scene) pools(t *core.TaskView, x, right, y float64) {
	id := taskID(Card, t.Task)
	s.Line(id, x, y+86, right, y+86, token.Rule, 1)
	y += 105
	if t.InTotal == 0 || t.OutTotal == 0 {
		word, used, total := wIn, t.InUsed, t.InTotal
		if t.InTotal == 0 {
			word, used, total = wOut, t.OutUsed, t.OutTotal
		}
		if total > 0 {
			s.label(id, x, y, 11, token.Ink3).pool(word, used, total).end(Start)
		}
		return
	}
	if !s.label(id, x, y, 11, token.Ink3).pool(wIn, t.InUsed, t.InTotal).str(", ").pool(wOut, t.OutUsed, t.OutTotal).within(right) {
		s.label(id, x, y, 11, token.Ink3).pool(wInOut, t.InUsed, t.InTotal).str(", ").used(t.OutUsed, t.OutTotal).cut(right + 4)
	}
}

// pool writes how many buffers of a pool are in use.
func (l label) pool(name word, used, total int) label {
	return l.str(name.in(l.s.plan.lang)).str(" ").used(used, total)
}

func (l label) used(used, total int) label {
	return l.plain(int64(used)).str("/").plain(int64(total))
}
