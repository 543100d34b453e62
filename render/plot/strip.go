package plot

import (
	"math"

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
	width := b.columnWidth()
	if !b.low {
		y := base - float64(unit)*scale
		b.s.Line(scene.ID{}, b.area.Left, y, b.area.Right, y, token.Rule, 1).Dash = scene.Dash13
		text := string(format.Span(nil, unit))
		end := max(b.area.Left-14, font.Width(text, font.Regular, 11)) // a narrow margin does not cut it
		b.write(scene.ID{}, end, y+4, 11, token.Ink3, font.Regular, scene.End, text)
	}
	newest := b.newest()
	b.columns(width, func(c *core.CheckpointRecord, before, after float64) {
		b.column(c, column{base: base, width: width, scale: scale, before: before, after: after, old: c.Triggered < newest})
	})
}

// columns goes through the checkpoints up to now that get a column, of those that would share a place the one that weighs most, with
// the distances to the columns before and after, also to one that is still to come.
func (b *builder) columns(width float64, each func(c *core.CheckpointRecord, before, after float64)) {
	var worst *core.CheckpointRecord
	last := math.Inf(-1)
	tell := func(after float64) {
		if worst != nil {
			x := b.area.X(worst.Triggered)
			each(worst, x-last, after-x)
			last = x
		}
	}
	for i := range b.h.Checkpoints {
		c := &b.h.Checkpoints[i]
		if c.Triggered < b.o.Begin {
			continue
		}
		if worst != nil && b.area.X(c.Triggered)-b.area.X(worst.Triggered) < width+1 {
			if c.Triggered <= b.o.Now && b.weight(c) > b.weight(worst) {
				worst = c
			}
			continue
		}
		tell(b.area.X(c.Triggered))
		if worst = c; c.Triggered > b.o.Now || c.Triggered > b.o.End {
			return
		}
	}
	tell(math.Inf(1))
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

// columnWidth fits the columns to their distance.
func (b *builder) columnWidth() float64 {
	nearest := b.area.Right - b.area.Left
	for i := 1; i < len(b.h.Checkpoints); i++ {
		nearest = min(nearest, b.area.X(b.h.Checkpoints[i].Triggered)-b.area.X(b.h.Checkpoints[i-1].Triggered))
	}
	return min(12, max(2, nearest-2))
}

// column is where a checkpoint's column stands, and how far the next ones are, in px.
type column struct {
	base, width, scale float64
	before, after      float64
	old                bool // not among the newest
}

// Room around a column: of the frame around the one that is shown elsewhere, and of an id.
const (
	frameAir = 5.5
	idAir    = 4.0
)

// column draws one checkpoint as it stood at the moment that is shown.
func (b *builder) column(c *core.CheckpointRecord, at column) {
	first := len(b.s.Marks)
	id := scene.ID{What: scene.Checkpoint, A: int32(c.ID)}
	outcome, ended := c.Outcome, c.Triggered+c.Duration()
	if outcome == core.InProgress || c.Ended > b.o.Now {
		outcome, ended = core.InProgress, b.o.Now
	}
	base, width := at.base, at.width
	h := min(b.stripHigh()-6, max(3, float64(ended-c.Triggered)*at.scale))
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
	if !b.low && c.ID != 0 { // a request that was declined has no id
		b.chosen(c, id, x, h, at)
		b.columnID(c, id, x, outcome == core.InProgress, at)
	}
	if at.old {
		for i := first; i < len(b.s.Marks); i++ {
			b.s.Marks[i].Alpha = faint
		}
	}
}

// chosen frames the column of the checkpoint that is shown elsewhere; where columns stand close it points at it.
func (b *builder) chosen(c *core.CheckpointRecord, id scene.ID, x, h float64, at column) {
	if c.ID != b.framed() {
		return
	}
	if min(at.before, at.after) < at.width+frameAir+1 {
		b.s.Sprite(id, scene.Peak, x+at.width/2-3.5, at.base+5, 7, 6, token.Ink)
		return
	}
	b.s.Frame(id, x-frameAir, at.base-h-9, at.width+2*frameAir, h+13, token.None, token.Ink, 1.5).Radius = 3
}

// columnID writes a checkpoint's id where it has room up to the next column, framed or not: right of its own, and in its hue left of
// it while it is in progress.
func (b *builder) columnID(c *core.CheckpointRecord, id scene.ID, x float64, running bool, at column) {
	text := string(format.Count(nil, c.ID))
	if at.after < at.width+3*frameAir+idAir+font.Width(text, font.Bold, 11) {
		return
	}
	right := x + at.width + idAir
	switch {
	case running && at.before >= at.width+3*idAir+2*font.Width(text, font.Bold, 11):
		b.write(id, x-idAir, at.base-4, 11, token.Hue(c.ID), font.Bold, scene.End, text)
	case running:
		b.write(id, right, at.base-4, 11, token.Hue(c.ID), font.Bold, scene.Start, text)
	case c.ID == b.framed():
		b.write(id, right+frameAir, at.base-4, 11, token.Ink2, font.Regular, scene.Start, text)
	default:
		b.write(id, right, at.base-4, 11, token.Ink2, font.Regular, scene.Start, text)
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
