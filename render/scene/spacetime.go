package scene

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/render/font"
	"checkpointlab/render/token"
)

// SpaceArea says where the time axis of a space-time picture stands in the scene.
type SpaceArea struct {
	Left, Right float64 // x of Begin and of End
	Axis        float64 // y of its line
	Begin, End  event.Time
}

// x is the place of an instant.
func (a *SpaceArea) x(t event.Time) float64 {
	return a.Left + (a.Right-a.Left)*float64(t-a.Begin)/float64(max(1, a.End-a.Begin))
}

// Heights of the space-time picture's parts in px.
const (
	spaceTop  = 48.0
	spaceFoot = 34.0
	thinnest  = 5.0 // a row
	spaceRow  = 44.0
)

// spaceRows are the subtasks of a space-time picture and where their rows stand.
type spaceRows struct {
	rows  []ganttRow
	y     []float64 // by task id; 0 = not shown
	pitch float64
}

// Space is what a space-time picture shows.
type Space struct {
	Checkpoint event.Checkpoint
	Name       string        // of the lane, where there are several
	Axis       [2]event.Time // what the time axis shows; 0, 0 = the checkpoint
}

// SpaceAxis is what the time axis of a checkpoint's picture shows; 0, 0 if there is none.
func SpaceAxis(v *core.View, h *core.History, id event.Checkpoint) [2]event.Time {
	r := reader{v: v, h: h}
	c := r.record(id)
	if c == nil || id == 0 {
		return [2]event.Time{}
	}
	a := spaceAxis(v, c, 0, 0, 0)
	return [2]event.Time{a.Begin, a.End}
}

// SpaceTime draws one checkpoint in space and time into a box: a row per subtask, a slanted line per barrier from the row
// that sent it to the row that received it, hatched spans for alignment, solid and grey ones for the snapshot. Other
// checkpoints in the same stretch of time are drawn in their hues. With more subtasks than fit, the slowest of each operator
// are shown. It appends to s, which the caller has reset.
func SpaceTime(v *core.View, h *core.History, o Space, width, height float64, lang Lang, s *Scene) SpaceArea {
	r := reader{v: v, h: h, lang: lang}
	s.plan.lang = lang
	x := 0.0
	if o.Name != "" {
		x = 12 + s.label(ID{What: Plot}, 0, 14, 13, token.Ink).bold().str(o.Name).end(Start)
	}
	end := s.label(ID{What: Plot}, x, 14, 13, token.Ink).bold().str(wSpaceTime.in(lang)).end(Start)
	c := r.record(o.Checkpoint)
	if c == nil || o.Checkpoint == 0 {
		s.label(ID{}, 0, 40, 13, token.Ink2).str(wNoCheckpoint.in(lang)).end(Start)
		return SpaceArea{}
	}
	w := flagWidth(token.Flag, c.ID)
	s.flag(ID{What: Checkpoint, A: int32(c.ID)}, Flag, end+8, 3, w, token.Flag, c.ID)
	how := wSpaceTimeHow.in(lang)
	if len(h.Passages) == 0 && channelsOf(v) > core.MostPassing {
		how = wSpaceTimeWide.in(lang)
	}
	if end+w+22+font.Width(how, font.Regular, 12) < width {
		s.label(ID{}, end+w+20, 14, 12, token.Ink2).str(how).end(Start)
	}
	rows := layRows(v, c, height)
	a := spaceAxis(v, c, rows.left(v, width), width, height-spaceFoot)
	if o.Axis[1] > o.Axis[0] {
		a.Begin, a.End = o.Axis[0], o.Axis[1]
	}
	s.spaceGrid(&a)
	for i := range h.Checkpoints {
		if o := &h.Checkpoints[i]; o.ID != 0 && o.Triggered < a.End && (o.Ended == 0 || o.Ended > a.Begin) && o.Triggered <= v.At {
			s.spaceOf(v, h, o, &rows, &a)
		}
	}
	for i := range rows.rows {
		s.spaceName(v, &rows, i)
	}
	if len(rows.rows) < len(c.Tasks) {
		s.label(ID{}, width, 30, 11, token.Ink3).int(int64(len(rows.rows))).str(wOnlySlowest.in(lang)).int(int64(len(c.Tasks))).end(End)
	}
	now := a.x(min(max(v.At, a.Begin), a.End))
	s.Line(ID{}, now, spaceTop-14, now, a.Axis, token.Ink, 1)
	return a
}

// channelsOf counts the channels of a job.
func channelsOf(v *core.View) (n int) {
	for i := range v.Exchanges {
		n += len(v.Exchanges[i].Channels)
	}
	return n
}

// choose marks so many subtasks by task id, the slowest of each operator: a barrier's way leads through all of them.
func choose(v *core.View, rows []ganttRow, tasks, fit int) []bool {
	chosen, taken := make([]bool, tasks), make([]int, len(v.Vertices))
	for share, left := 1, min(fit, len(rows)); left > 0; share++ {
		clear(taken)
		for _, row := range rows {
			if taken[row.vertex]++; taken[row.vertex] > share || chosen[row.task] {
				continue
			}
			if chosen[row.task] = true; left == 1 {
				return chosen
			}
			left--
		}
	}
	return chosen
}

// layRows places a row for each subtask in the order of the flow; if there are too many, for the slowest.
func layRows(v *core.View, c *core.CheckpointRecord, height float64) spaceRows {
	all := ganttRows(v, c)
	room := height - spaceTop - spaceFoot - 8
	fit := max(1, min(len(all), int(room/thinnest)))
	chosen := choose(v, all, len(c.Tasks), fit)
	out := spaceRows{y: make([]float64, len(c.Tasks)), pitch: min(spaceRow, room/float64(fit))}
	y := spaceTop + out.pitch/2
	for i := range v.Vertices {
		for j := range v.Vertices[i].Tasks {
			if t := v.Vertices[i].Tasks[j].Task; int(t) < len(chosen) && chosen[t] {
				out.rows = append(out.rows, ganttRow{vertex: i, place: j, task: t})
				out.y[t] = y
				y += out.pitch
			}
		}
	}
	return out
}

// left is the room that the names take.
func (r *spaceRows) left(v *core.View, width float64) float64 {
	left := 64.0
	for i := range v.Vertices {
		w := &v.Vertices[i]
		left = min(max(left, font.Width(w.Name, font.Regular, 12)+16+indexWidth(len(w.Tasks)-1)), width/4)
	}
	return left
}

// spaceAxis holds the checkpoint from its trigger to its end, as far as it is seen, with a little air.
func spaceAxis(v *core.View, c *core.CheckpointRecord, left, width, axis float64) SpaceArea {
	end := c.Ended
	if c.Outcome == core.InProgress || end > v.At {
		end = max(v.At, c.Triggered+event.Millisecond)
	}
	air := max(event.Microsecond, (end-c.Triggered)/16)
	return SpaceArea{Left: left, Right: width - 12, Axis: axis, Begin: max(0, c.Triggered-air), End: end + air}
}

func (s *Scene) spaceGrid(a *SpaceArea) {
	unit := RoundStep(a.End-a.Begin, 8)
	for t := (a.Begin + unit - 1) / unit * unit; t <= a.End; t += unit {
		x := float64(int(a.x(t))) + 0.5
		s.Line(ID{}, x, spaceTop-8, x, a.Axis, token.Rule, 1)
		l := s.label(ID{}, x, a.Axis+15, 11, token.Ink3)
		decimals := 0
		for d := event.Second; d > unit && decimals < 6; d /= 10 {
			decimals++
		}
		l.seconds(t, decimals).end(Middle)
	}
}

// spaceName names a row; of thin rows, the first of each operator.
func (s *Scene) spaceName(v *core.View, rows *spaceRows, i int) {
	row := &rows.rows[i]
	w := &v.Vertices[row.vertex]
	y := rows.y[row.task] + 4
	id := taskID(Card, row.task)
	switch {
	case rows.pitch >= 12:
		end := s.label(id, 0, y, 12, token.Ink).str(w.Name).end(Start)
		s.label(id, end+4, y, 12, token.Ink3).plain(int64(w.Tasks[row.place].Index)).end(Start)
	case i == 0 || rows.rows[i-1].vertex != row.vertex:
		s.label(id, 0, y, 12, token.Ink).str(w.Name).end(Start)
	}
}

// spaceOf draws what one checkpoint did in the stretch of time that is shown, as far as it is seen.
func (s *Scene) spaceOf(v *core.View, h *core.History, c *core.CheckpointRecord, rows *spaceRows, a *SpaceArea) {
	hue := token.Hue(c.ID)
	for _, row := range rows.rows {
		if int(row.task) < len(c.Tasks) {
			s.spacePhases(v, h, c, row.task, rows, a)
		}
	}
	for i := range h.Passages {
		p := &h.Passages[i]
		if p.Checkpoint != c.ID || rows.y[p.From] == 0 || rows.y[p.To] == 0 {
			continue
		}
		from, to := p.Sent, min(p.Received, v.At)
		if from > v.At || to < a.Begin || from > a.End || to < from {
			continue
		}
		y1, y2 := rows.y[p.From], rows.y[p.To]
		if p.Received > v.At && p.Received > p.Sent { // still on its way: as far as the time has come
			y2 = y1 + (y2-y1)*float64(to-from)/float64(p.Received-p.Sent)
		}
		s.Line(ID{What: Passage, A: int32(i)}, a.x(max(from, a.Begin)), y1, a.x(min(to, a.End)), y2, hue, 1.5)
	}
}

// spacePhases draws alignment, sync and async of one subtask.
func (s *Scene) spacePhases(v *core.View, h *core.History, c *core.CheckpointRecord, t event.Task, rows *spaceRows, a *SpaceArea) {
	p, _ := soFar(v, h, c, t)
	y := rows.y[t]
	id := ID{What: Phases, A: t, B: int32(c.ID)}
	height := min(10, rows.pitch-1)
	bar := func(from, to event.Time) (x, w float64, ok bool) {
		from, to = max(from, a.Begin), min(to, a.End, v.At)
		return a.x(from), max(1.5, a.x(to)-a.x(from)), to >= from
	}
	s.Line(id, a.Left, y, a.Right, y, token.Rule, 1)
	if p.StartDelay >= 0 && p.Alignment > 0 {
		if x, w, ok := bar(c.Triggered+p.StartDelay, c.Triggered+p.StartDelay+p.Alignment); ok && w > 2 {
			s.Rect(id, x, y-height/2, w, height, token.Panel)
			s.Frame(id, x, y-height/2, w, height, token.Hue(c.ID), token.Hue(c.ID), 1).Hatch = Alignment
		}
	}
	if p.SyncEnded >= 0 && p.Sync >= 0 {
		if x, w, ok := bar(p.SyncEnded-p.Sync, p.SyncEnded); ok {
			s.Rect(id, x, y-height/2-1, w, height+2, token.Ink)
		}
		if p.Async > 0 {
			if x, w, ok := bar(p.SyncEnded, p.SyncEnded+p.Async); ok {
				s.Rect(id, x, y-height/2, w, height, token.BufPost)
			}
		}
	}
}
