package plot

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/render/scene"
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
