package plot

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/render/font"
	"checkpointlab/render/format"
	"checkpointlab/render/scene"
	"checkpointlab/render/token"
)

// StripHeight is what BuildStrip draws on, in px.
const StripHeight = 4 + stripH + 26

// LowStripHeight is what BuildLowStrip draws on, in px.
const LowStripHeight = 24

// BuildLowStrip is BuildStrip where there is little room: the columns alone, without ids and times.
func BuildLowStrip(h *core.History, o Options, s *scene.Scene) {
	s.Reset(o.Width, LowStripHeight)
	b := strip(h, o, s)
	b.low = true
	b.strip(LowStripHeight - 3)
}

// strip is what draws a strip across the whole width.
func strip(h *core.History, o Options, s *scene.Scene) builder {
	if o.Zoom[1] > o.Zoom[0] {
		o.Begin, o.End = max(0, o.Zoom[0]), min(o.End, o.Zoom[1])
	}
	b := builder{h: h, o: o, s: s, lang: o.Lang}
	b.area = Area{Left: leftRoom, Right: o.Width - leftRoom/2, Begin: o.Begin, End: o.End}
	b.shown()
	return b
}

// BuildStrip draws the checkpoint strip of one run of a comparison into s, which it resets: the columns of Build on a time axis
// of their own.
func BuildStrip(h *core.History, o Options, s *scene.Scene) {
	s.Reset(o.Width, StripHeight)
	b := strip(h, o, s)
	b.strip(StripHeight - 22)
	b.timeAxis(StripHeight - 4)
}

// Longest is the longest time that a checkpoint of a run took, in ns.
func Longest(h *core.History) event.Time { return longestCheckpoint(h) }

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
