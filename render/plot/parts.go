package plot

import (
	"gonum.org/v1/plot/plotter"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/render/font"
	"checkpointlab/render/format"
	"checkpointlab/render/scene"
	"checkpointlab/render/token"
)

// words of the plot, English and Korean.
var words = struct{ title, subtitle, lanes, now, mean, pipeline, at, visible [2]string }{
	title:    [2]string{"Visibility latency", "가시성 지연"},
	subtitle: [2]string{"age of the oldest record no reader can see yet", "아직 아무도 못 보는 가장 오래된 레코드의 나이"},
	lanes:    [2]string{"age of the oldest record no reader can see yet; shaded where the lanes differ", "아직 아무도 못 보는 가장 오래된 레코드의 나이. 레인이 다른 곳은 칠했다"},
	now:      [2]string{"now", "지금"},
	mean:     [2]string{"mean", "평균"},
	pipeline: [2]string{"pipeline ", "파이프라인 "},
	at:       [2]string{"at ", ""},
	visible:  [2]string{" records became visible, mean ", "건이 보이게 됨, 평균 "},
}

func (b *builder) write(id scene.ID, x, y, size float64, t token.Token, w font.Weight, a scene.Anchor, text string) float64 {
	m := b.s.Write(id, x, y, size, t, w, a, text)
	return float64(m.X + m.W)
}

func (b *builder) y(age float64) float64 {
	return b.area.Bottom - (b.area.Bottom-b.area.Top)*age/seconds(b.top)
}

// labels writes the axis, the names of the curves and the value now.
func (b *builder) labels() {
	for t := event.Time(0); t <= b.top; t += b.unit {
		b.write(scene.ID{}, b.area.Left-8, b.y(seconds(t))+4, 11, token.Ink3, font.Regular, scene.End, b.tick(t, b.top))
	}
	if b.narrow() {
		b.value()
		return
	}
	if len(b.o.Lanes) == 0 {
		b.stepNames()
	}
	for _, n := range b.o.Notes {
		if n.At > 0 && n.At <= b.o.Now && b.in(n.At) {
			b.note(b.area.X(n.At), n.Text)
		}
	}
	b.value()
}

// stepNames writes what the steps are, on the first one that is long enough.
func (b *builder) stepNames() {
	for i := range b.steps {
		s := &b.steps[i]
		x := b.area.X(event.Time(s.from * float64(event.Second)))
		if b.area.X(event.Time(s.to*float64(event.Second)))-x < 40 {
			continue
		}
		b.write(scene.ID{}, x+6, b.y(s.p99)-5, 11, token.Ink2, font.Regular, scene.Start, "p99")
		if b.y(s.mean)-b.y(s.p99) > 14 {
			b.write(scene.ID{}, x+6, b.y(s.mean)-5, 11, token.Ink2, font.Regular, scene.Start, words.mean[b.lang])
		}
		return
	}
}

// narrow plots (phones) say the value in their title instead of at the cursor.
func (b *builder) narrow() bool { return b.o.Bare && b.o.Width < 500 }

// note writes what changed at an instant, right of its line or, near the end, left of it.
func (b *builder) note(x float64, text string) {
	anchor, at := scene.Start, x+6
	if x+10+font.Width(text, font.Regular, 11) > b.area.Right {
		anchor, at = scene.End, x-6
	}
	b.write(scene.ID{}, at, b.area.Top+10, 11, token.Ink2, font.Regular, anchor, text)
}

// value marks the moment: cursor, dot, age and pipeline latency; left of the cursor when there is no room on the right.
func (b *builder) value() {
	if !b.in(b.o.Now) {
		return
	}
	x := b.area.X(b.o.Now)
	age := ageAt(b.h, b.o.Now)
	y := b.y(seconds(age))
	bottom := b.area.Bottom
	if !b.o.Bare {
		bottom = b.s.Height - scrubH + 20
	}
	b.s.Line(scene.ID{}, x, b.area.Top, x, bottom, token.Ink, 1)
	if len(b.o.Lanes) > 0 && !b.narrow() {
		b.laneValues(x)
		return
	}
	b.s.Sprite(scene.ID{}, scene.Disc, x-3.5, y-3.5, 7, 7, token.Ink)
	if b.narrow() {
		end := b.write(scene.ID{What: scene.Plot}, 0, 14, 13, token.Ink, font.Bold, scene.Start, words.title[b.lang])
		b.write(scene.ID{What: scene.Plot}, end+8, 14, 13, token.Ink, font.Bold, scene.Start, string(format.Seconds(nil, age, 1)))
		return
	}
	number, y, _, right := b.nowLabel()
	if right {
		end := b.write(scene.ID{}, x+9, y, 13, token.Ink, font.Bold, scene.Start, number)
		b.write(scene.ID{}, end+6, y, 11, token.Ink2, font.Regular, scene.Start, words.now[b.lang])
	} else {
		b.write(scene.ID{}, x-9, y, 13, token.Ink, font.Bold, scene.End, number)
	}
	b.pipelineLabel(x, y)
}

// nowLabel is the age at the cursor: its number, the baseline, the width with what follows it, and whether there is room for it
// right of the cursor.
func (b *builder) nowLabel() (number string, y, wide float64, right bool) {
	age := ageAt(b.h, b.o.Now)
	number = string(format.Seconds(nil, age, 1))
	wide = font.Width(number, font.Bold, 13) + font.Width(words.now[b.lang], font.Regular, 11) + 6
	y = min(max(b.y(seconds(age))+4, b.area.Top+12), b.area.Bottom-4)
	return number, y, wide, b.area.X(b.o.Now)+9+wide < b.area.Right+rightRoom
}

// besideNow is what is still to come without what would pass through the age at the cursor.
func (b *builder) besideNow(future plotter.XYs) []plotter.XYs {
	_, y, wide, right := b.nowLabel()
	if b.narrow() || !right || !b.in(b.o.Now) {
		return []plotter.XYs{future}
	}
	perSecond := (b.area.Right - b.area.Left) / seconds(max(1, b.span()))
	perAge := (b.area.Bottom - b.area.Top) / seconds(b.top)
	left := seconds(b.o.Now) + 6/perSecond
	return outside(future, [2]float64{left, left + (wide+7)/perSecond}, [2]float64{(b.area.Bottom - y - 4) / perAge, (b.area.Bottom - y + 12) / perAge})
}

// outside cuts what lies in a box out of a curve.
func outside(curve plotter.XYs, x, y [2]float64) (parts []plotter.XYs) {
	var part plotter.XYs
	for i := 0; i+1 < len(curve); i++ {
		a, d := curve[i], plotter.XY{X: curve[i+1].X - curve[i].X, Y: curve[i+1].Y - curve[i].Y}
		from, to := 0.0, 1.0 // of the segment in the box
		for _, s := range [...][3]float64{{d.X, a.X, x[0]}, {-d.X, -a.X, -x[1]}, {d.Y, a.Y, y[0]}, {-d.Y, -a.Y, -y[1]}} {
			switch at := (s[2] - s[1]) / s[0]; {
			case s[0] > 0:
				from = max(from, at)
			case s[0] < 0:
				to = min(to, at)
			case s[1] < s[2]: // beside the box all along
				from = 2
			}
		}
		part = append(part, a)
		if from < to {
			parts = append(parts, append(part, plotter.XY{X: a.X + d.X*from, Y: a.Y + d.Y*from}))
			part = plotter.XYs{{X: a.X + d.X*to, Y: a.Y + d.Y*to}}
		}
		if i+2 == len(curve) {
			part = append(part, curve[i+1])
		}
	}
	return append(parts, part)
}

// pipelineLabel writes the pipeline's latency at the end of its curve, clear of the age at ageY.
func (b *builder) pipelineLabel(x, ageY float64) {
	latency := event.Time(-1)
	for i := range b.h.Samples {
		if b.h.Samples[i].At > b.o.Now {
			break
		}
		latency = b.h.Samples[i].Pipeline
	}
	if latency < 0 {
		return
	}
	text := words.pipeline[b.lang] + string(format.Span(nil, latency))
	anchor, at, y := scene.Start, x+9, b.y(seconds(latency))+4
	if y-ageY < 15 && ageY-y < 15 { // latency never exceeds the age by much: below, or above when there is no room
		y = ageY + 15
		if y > b.area.Bottom {
			y = ageY - 15
		}
	}
	if at+font.Width(text, font.Regular, 11) > b.area.Right+rightRoom {
		anchor, at, y = scene.End, x-9, b.y(seconds(latency))-6 // on the curve's side: above it
	}
	b.write(scene.ID{}, at, y, 11, token.Pipe, font.Regular, anchor, text)
}

// title names the plot and says the numbers of the pinned or newest commit.
func (b *builder) title() {
	end := b.write(scene.ID{What: scene.Plot}, 0, 14, 13, token.Ink, font.Bold, scene.Start, words.title[b.lang])
	sub := words.subtitle[b.lang]
	if len(b.o.Lanes) > 0 {
		sub = words.lanes[b.lang]
	}
	left := b.o.Width
	if i := b.pinned(); i >= 0 && len(b.o.Lanes) == 0 {
		left = b.commitText(i)
	}
	if end+14+font.Width(sub, font.Regular, 12) < left-12 {
		b.write(scene.ID{What: scene.Plot}, end+14, 14, 12, token.Ink2, font.Regular, scene.Start, sub)
	}
}

func (b *builder) commitText(i int) float64 {
	c := &b.h.Commits[i]
	id := scene.ID{What: scene.Commit, A: int32(i)}
	t := append([]byte(words.at[b.lang]), format.Seconds(nil, c.At, 1)...)
	t = append(t, ": "...)
	t = append(format.Count(t, c.Records), words.visible[b.lang]...)
	t = format.Fixed(t, c.Mean, event.Second, 1)
	t = format.Fixed(append(t, ", p99 "...), c.P99, event.Second, 1)
	t = format.Seconds(append(t, ", max "...), c.Max, 1)
	x := b.o.Width - rightRoom - font.Width(string(t), font.Regular, 12)
	b.write(id, x, 14, 12, token.Ink, font.Regular, scene.Start, string(t))
	return b.s.Flag(id, x-22, 3, c.Checkpoint) - 22
}

// strip draws one column per checkpoint at its trigger time, its height the duration.
func (b *builder) strip(base float64) {
	high := b.stripHigh()
	b.area.StripTop, b.area.Strip = base-high+6, base
	longest := b.o.MaxCheckpoint
	if longest == 0 {
		longest = max(event.Millisecond, longestCheckpoint(b.h))
	}
	unit := scene.RoundStep(longest, 1)
	scale := (high - 12) / float64(max(longest, unit))
	b.s.Line(scene.ID{}, b.area.Left, base+0.5, b.area.Right, base+0.5, token.Rule, 1)
	width, named := b.columnWidth()
	if b.low {
		named = false
	} else {
		y := base - float64(unit)*scale
		b.s.Line(scene.ID{}, b.area.Left, y, b.area.Right, y, token.Rule, 1).Dash = scene.Dash13
		text := string(format.Span(nil, unit))
		end := max(b.area.Left-14, font.Width(text, font.Regular, 11)) // a narrow margin does not cut it
		b.write(scene.ID{}, end, y+4, 11, token.Ink3, font.Regular, scene.End, text)
	}
	newest := b.newest()
	var worst *core.CheckpointRecord // of those that would stand in one column's place
	for i := range b.h.Checkpoints {
		c := &b.h.Checkpoints[i]
		if c.Triggered > b.o.Now || c.Triggered > b.o.End {
			break
		}
		if c.Triggered < b.o.Begin {
			continue
		}
		if worst != nil && b.area.X(c.Triggered)-b.area.X(worst.Triggered) < width+1 {
			if b.weight(c) > b.weight(worst) {
				worst = c
			}
			continue
		}
		if worst != nil {
			b.column(worst, base, width, scale, named, worst.Triggered < newest)
		}
		worst = c
	}
	if worst != nil {
		b.column(worst, base, width, scale, named, worst.Triggered < newest)
	}
}

// stripHigh is the height of the strip above its base and a little below.
func (b *builder) stripHigh() float64 {
	if b.low {
		return LowStripHeight + 4
	}
	return stripH
}

// newestShown is how many checkpoints stand out in the strip; what came before them is faint.
const newestShown = 60

// newest is when the first of the newest checkpoints on the axis was triggered.
func (b *builder) newest() event.Time {
	left := newestShown
	for i := len(b.h.Checkpoints) - 1; i >= 0; i-- {
		c := &b.h.Checkpoints[i]
		if c.Triggered > b.o.Now || c.Triggered > b.o.End {
			continue
		}
		if left--; left == 0 {
			return c.Triggered
		}
	}
	return 0
}

// weight ranks checkpoints that share a place: failures before durations.
func (b *builder) weight(c *core.CheckpointRecord) event.Time {
	if c.Outcome == core.FailedCheckpoint && c.Ended <= b.o.Now {
		return event.Never
	}
	return min(c.Ended, b.o.Now) - c.Triggered
}

// columnWidth fits the columns to their distance; ids are written where there is room.
func (b *builder) columnWidth() (width float64, named bool) {
	nearest := b.area.Right - b.area.Left
	for i := 1; i < len(b.h.Checkpoints); i++ {
		nearest = min(nearest, b.area.X(b.h.Checkpoints[i].Triggered)-b.area.X(b.h.Checkpoints[i-1].Triggered))
	}
	return min(12, max(2, nearest-2)), nearest >= 30
}

// column draws one checkpoint as it stood at the moment that is shown.
func (b *builder) column(c *core.CheckpointRecord, base, width, scale float64, named, old bool) {
	if old {
		first := len(b.s.Marks)
		defer func() {
			for i := first; i < len(b.s.Marks); i++ {
				b.s.Marks[i].Alpha = faint
			}
		}()
	}
	id := scene.ID{What: scene.Checkpoint, A: int32(c.ID)}
	outcome, ended := c.Outcome, c.Triggered+c.Duration()
	if outcome == core.InProgress || c.Ended > b.o.Now {
		outcome, ended = core.InProgress, b.o.Now
	}
	h := min(b.stripHigh()-6, max(3, float64(ended-c.Triggered)*scale))
	x := b.area.X(c.Triggered) - width/2
	hue := token.Hue(c.ID)
	switch outcome {
	case core.Completed:
		b.s.Rect(id, x, base-h, width, h, token.BufPre)
	case core.FailedCheckpoint:
		b.failed(id, c, x, base-max(h, 12), width, max(h, 12))
	default:
		b.s.Frame(id, x, base-h, width, h, hue, hue, 1).Hatch = scene.Stored
	}
	if c.Savepoint {
		b.s.Rect(id, x-2, base+2, width+4, 2, token.Ink)
	}
	framed := false
	if named && c.ID != 0 && c.ID == b.framed() {
		b.s.Frame(id, x-5.5, base-h-9, width+11, h+13, token.None, token.Ink, 1.5).Radius = 3
		framed = true
	}
	named = named && c.ID != 0 // a request that was declined has no id
	switch {
	case named && outcome == core.InProgress:
		b.write(id, x-4, base-4, 11, hue, font.Bold, scene.End, string(format.Count(nil, c.ID)))
	case named && framed:
		b.write(id, x+width+9, base-4, 11, token.Ink2, font.Regular, scene.Start, string(format.Count(nil, c.ID)))
	case named:
		b.write(id, x+width+4, base-4, 11, token.Ink2, font.Regular, scene.Start, string(format.Count(nil, c.ID)))
	}
}

// framed is the checkpoint that stands out in the strip; 0 = none.
func (b *builder) framed() event.Checkpoint {
	if b.o.Framed != 0 {
		return b.o.Framed
	}
	if i := b.pinned(); i >= 0 {
		return b.h.Commits[i].Checkpoint
	}
	return 0
}

// failed is a frame with a cross; an expired checkpoint's frame is dashed.
func (b *builder) failed(id scene.ID, c *core.CheckpointRecord, x, y, w, h float64) {
	m := b.s.Frame(id, x, y, w, h, token.None, token.Fail, 1.5)
	if c.Reason == event.CheckpointExpired {
		m.Dash = scene.Dash32
	}
	size := min(7, w-2)
	b.s.Sprite(id, scene.Failed, x+(w-size)/2, y+(h-size)/2, size, size, token.Fail)
}

// scrub draws the scrubber: time up to now, commits, changes and failures above it.
func (b *builder) scrub() {
	y := b.s.Height - scrubH + 22
	b.area.ScrubY = y
	id := scene.ID{What: scene.Scrub}
	left, width := b.area.Left, b.area.Right-b.area.Left
	b.s.Rect(id, left, y-2, width, 4, token.Rule).Radius = token.R1
	if c := b.o.Computed; c > b.o.Begin && c < b.o.End {
		b.s.Rect(id, left, y-2, b.area.X(c)-left, 4, token.BufPostFill).Radius = token.R1
	}
	now := b.area.X(min(max(b.o.Now, b.o.Begin), b.o.End))
	b.s.Rect(id, left, y-2, now-left, 4, token.Ink).Radius = token.R1
	b.loop(y)
	b.moments(y)
	if b.in(b.o.Now) {
		m := b.s.Sprite(id, scene.Ring, now-7, y-7, 14, 14, token.Panel)
		m.Edge, m.Stroke = token.Ink, 2
	}
	b.timeAxis(b.s.Height - 6)
}

// faint is the strength of marks that are still to come.
const faint = 80

// mostMoments on the scrubber; of more, those that would touch are left out.
const mostMoments = 80

func (b *builder) moments(y float64) {
	last := [3]float64{-1e9, -1e9, -1e9}
	apart := max(8, (b.area.Right-b.area.Left)/mostMoments)
	for i := range b.h.Moments {
		m := &b.h.Moments[i]
		if !b.in(m.At) {
			continue
		}
		x := b.area.X(m.At)
		shape, colour, row := scene.Diamond, token.Hue(m.ID), 0
		switch m.Kind {
		case event.Committed:
		case event.ScriptDone:
			shape, colour, row = scene.Peak, token.Ink2, 1
		case event.TaskFailed:
			shape, colour, row = scene.Failed, token.Fail, 2
		default:
			continue
		}
		if x-last[row] < apart {
			continue
		}
		last[row] = x
		mark := b.s.Sprite(scene.ID{What: scene.Moment, A: int32(i)}, shape, x-3.5, y-10, 7, 7, colour)
		if m.At > b.o.Now {
			mark.Alpha = faint
		}
	}
}

// timeAxis writes the times below.
func (b *builder) timeAxis(y float64) {
	most := int64(10)
	if b.o.Width < 500 {
		most = 4
	}
	unit := scene.RoundStep(b.span(), most)
	first := (b.o.Begin + unit - 1) / unit * unit
	for t := first; t <= b.o.End; t += unit {
		text, anchor := b.tick(t, b.o.End/unit*unit), scene.Middle
		x := b.area.X(t)
		if x > b.area.Right-10 {
			x, anchor = b.area.Right, scene.End
		}
		b.write(scene.ID{}, x, y, 11, token.Ink3, font.Regular, anchor, text)
	}
}

// loop marks the span that plays again and again.
func (b *builder) loop(y float64) {
	if from, to := max(b.o.Loop[0], b.o.Begin), min(b.o.Loop[1], b.o.End); to > from {
		x, right := b.area.X(from), b.area.X(to)
		b.s.Rect(scene.ID{What: scene.Scrub}, x, y+4, right-x, 3, token.Focus)
	}
}
