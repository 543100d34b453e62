package plot

import (
	"checkpointlab/core/event"
	"checkpointlab/render/font"
	"checkpointlab/render/scene"
	"checkpointlab/render/token"
)

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
