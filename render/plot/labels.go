package plot

import (
	"gonum.org/v1/plot/plotter"

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
	ends := []float64{0, 0, 0} // of the rows
	for _, n := range b.o.Notes {
		if n.At > 0 && n.At <= b.o.Now && b.in(n.At) {
			b.note(b.area.X(n.At), n.Text, ends)
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

// note writes what changed at an instant, right of its line or, near the end, left of it, in the first row that has room behind the
// notes before.
func (b *builder) note(x float64, text string, ends []float64) {
	wide := font.Width(text, font.Regular, 11)
	left := x + 6
	if left+wide+4 > b.area.Right {
		left = x - 6 - wide
	}
	row := 0
	for row < len(ends)-1 && left < ends[row]+6 {
		row++
	}
	ends[row] = left + wide
	b.clearly(left, b.area.Top+10+14*float64(row), 11, token.Ink2, font.Regular, scene.Start, text)
}

// clearly writes what stands over curves, on a ground that leaves them weak.
func (b *builder) clearly(x, y, size float64, t token.Token, w font.Weight, a scene.Anchor, text string) {
	wide := font.Width(text, w, size)
	left := x
	if a == scene.End {
		left -= wide
	}
	b.ground(left, y, wide, size)
	b.write(scene.ID{}, x, y, size, t, w, a, text)
}

// ground lies behind a text on a baseline; plots stand on panels.
func (b *builder) ground(x, y, wide, size float64) {
	b.s.Rect(scene.ID{}, x-2, y-size+1, wide+4, size+2, token.Panel).Alpha = 210
}

// value marks the moment: cursor, dot, age and pipeline latency; left of the cursor when there is no room on the right.
func (b *builder) value() {
	if !b.in(b.o.Now) {
		return
	}
	x := b.area.X(b.o.Now)
	age := ageAt(b.h, b.o.Now)
	bottom := b.area.Bottom
	if !b.o.Bare {
		bottom = b.s.Height - scrubH + 20
	}
	b.s.Line(scene.ID{}, x, b.area.Top, x, bottom, token.Ink, 1)
	switch {
	case b.narrow():
		end := b.write(scene.ID{What: scene.Plot}, 0, 14, 13, token.Ink, font.Bold, scene.Start, words.title[b.lang])
		if len(b.o.Lanes) > 0 {
			b.laneDots(x)
			b.laneTitle(end + 8)
			return
		}
		b.dot(x, age, token.Ink)
		b.write(scene.ID{What: scene.Plot}, end+8, 14, 13, token.Ink, font.Bold, scene.Start, string(format.Seconds(nil, age, 1)))
	case len(b.o.Lanes) > 0:
		b.laneDots(x)
		b.laneValues()
	default:
		b.dot(x, age, token.Ink)
		b.ageAtCursor(x)
	}
}

// dot marks an age at the cursor.
func (b *builder) dot(x float64, age event.Time, colour token.Token) {
	b.s.Sprite(scene.ID{}, scene.Disc, x-3.5, b.y(seconds(age))-3.5, 7, 7, colour)
}

// ageAtCursor writes the age and the pipeline's latency.
func (b *builder) ageAtCursor(x float64) {
	number, y, _, right := b.nowLabel()
	if right {
		end := b.write(scene.ID{}, x+9, y, 13, token.Ink, font.Bold, scene.Start, number)
		b.write(scene.ID{}, end+6, y, 11, token.Ink2, font.Regular, scene.Start, words.now[b.lang])
	} else {
		b.clearly(x-9, y, 13, token.Ink, font.Bold, scene.End, number)
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
	parts := []plotter.XYs{future}
	_, y, wide, right := b.nowLabel()
	if b.narrow() || !right || !b.in(b.o.Now) {
		return parts
	}
	left := b.area.X(b.o.Now) + 6
	return b.clear(parts, area{left, y - 12, left + wide + 7, y + 4})
}

// area is a rectangle of the scene in px.
type area struct{ left, top, right, bottom float64 }

// clear cuts what lies in an area out of curves.
func (b *builder) clear(curves []plotter.XYs, a area) (left []plotter.XYs) {
	perSecond := (b.area.Right - b.area.Left) / seconds(b.span())
	perAge := (b.area.Bottom - b.area.Top) / seconds(b.top)
	from := seconds(b.o.Begin) - b.area.Left/perSecond
	for _, c := range curves {
		left = append(left, outside(c, [2]float64{from + a.left/perSecond, from + a.right/perSecond},
			[2]float64{(b.area.Bottom - a.bottom) / perAge, (b.area.Bottom - a.top) / perAge})...)
	}
	return left
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
		if y-ageY < 15 && ageY-y < 15 {
			if y = ageY - 15; y < b.area.Top+11 {
				y = ageY + 15
			}
		}
	}
	if anchor == scene.End {
		b.clearly(at, y, 11, token.Pipe, font.Regular, anchor, text)
		return
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
