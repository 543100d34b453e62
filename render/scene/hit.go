package scene

import (
	"math"

	"checkpointlab/core"
)

// reach is how far from a small mark a point still hits it, in px.
const reach = 4

// Hit is what lies under a point: the topmost mark that stands for something, or else the nearest one within 4 px.
func Hit(s *Scene, x, y float64) (ID, bool) {
	for i := len(s.Marks) - 1; i >= 0; i-- {
		m := &s.Marks[i]
		if m.ID.What != Nothing && m.contains(x, y, 0) {
			return s.resolve(m, x, y), true
		}
	}
	best, found := math.MaxFloat64, -1
	for i := len(s.Marks) - 1; i >= 0; i-- {
		m := &s.Marks[i]
		if m.ID.What == Nothing || !m.contains(x, y, reach) {
			continue
		}
		if d := m.distance(x, y); d < best {
			best, found = d, i
		}
	}
	if found < 0 {
		return ID{}, false
	}
	return s.resolve(&s.Marks[found], x, y), true
}

// resolve finds the channel of a cell in a grid.
func (s *Scene) resolve(m *Mark, x, y float64) ID {
	if m.Kind != Grid {
		return m.ID
	}
	cols := int(m.Cols)
	rows := int(m.hi-m.lo) / cols
	col := min(cols-1, max(0, int((x-float64(m.X))/float64(m.W)*float64(cols))))
	row := min(rows-1, max(0, int((y-float64(m.Y))/float64(m.H)*float64(rows))))
	e := &s.plan.v.Exchanges[m.ID.A]
	if i := row*cols + col; i < len(e.Channels) {
		return channelID(Channel, e.Channels[i].Channel)
	}
	return m.ID
}

// contains reports whether a point lies on the mark or within pad px of it; a slanted line only near its stroke.
func (m *Mark) contains(x, y, pad float64) bool {
	if m.Kind == Line && m.W != 0 && m.H != 0 {
		return m.distance(x, y) <= float64(m.Stroke)/2+pad
	}
	bx, by, bw, bh := m.Box()
	return x >= bx-pad && x <= bx+bw+pad && y >= by-pad && y <= by+bh+pad
}

// distance of a point to the mark in px.
func (m *Mark) distance(x, y float64) float64 {
	if m.Kind == Line {
		dx, dy := float64(m.W), float64(m.H)
		px, py := x-float64(m.X), y-float64(m.Y)
		t := 0.0
		if l := dx*dx + dy*dy; l > 0 {
			t = min(1, max(0, (px*dx+py*dy)/l))
		}
		return math.Hypot(px-t*dx, py-t*dy)
	}
	bx, by, bw, bh := m.Box()
	return math.Hypot(max(0, bx-x, x-bx-bw), max(0, by-y, y-by-bh))
}

// Group is one roving tab stop.
type Group uint8

// The groups.
const (
	Pipeline Group = iota
	PlotGroup
	StripGroup
)

// Target is something focusable: the DOM lays an element over it.
type Target struct {
	ID         ID
	X, Y, W, H float64 // CSS px in the scene
	Label      string  // the readout
	Group      Group
}

// Targets appends what can be focused in reading order: columns from left to right, each from top to bottom; a channel's
// parts follow the flow.
func Targets(s *Scene, v *core.View, h *core.History, lang Lang, dst []Target) []Target {
	from := len(dst)
	at := map[ID]int{}
	for i := range s.Marks {
		m := &s.Marks[i]
		if !focusable(m.ID.What) {
			continue
		}
		x, y, w, hh := m.Box()
		j, seen := at[m.ID]
		if !seen {
			at[m.ID] = len(dst)
			dst = append(dst, Target{ID: m.ID, X: x, Y: y, W: w, H: hh, Group: groupOf(m.ID.What)})
			continue
		}
		dst[j].join(x, y, w, hh)
	}
	sortTargets(dst[from:])
	for i := from; i < len(dst); i++ {
		dst[i].Label = Readout(v, h, dst[i].ID, lang)
	}
	return dst
}

// focusable leaves out what another mark already speaks for.
func focusable(w What) bool {
	switch w {
	case Nothing, Wire, Credits, Plot, Scrub, Exchange, Passage:
		return false
	}
	return true
}

func groupOf(w What) Group {
	switch w {
	case Commit, Moment, SweepPoint:
		return PlotGroup
	case Checkpoint, Phases:
		return StripGroup
	}
	return Pipeline
}

func (t *Target) join(x, y, w, h float64) {
	x2, y2 := max(t.X+t.W, x+w), max(t.Y+t.H, y+h)
	t.X, t.Y = min(t.X, x), min(t.Y, y)
	t.W, t.H = x2-t.X, y2-t.Y
}
