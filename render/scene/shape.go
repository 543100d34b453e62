package scene

import "math"

// Hatch is a texture; its colour is the mark's Fill (web/tokens.css lists the patterns).
type Hatch uint8

// The textures.
const (
	Solid         Hatch = iota
	Backpressured       // 45°, 1.5 px every 4 px in --hatch on Fill
	Dots                // 1.4 px dots every 4 px in --hatch on Fill
	Stored              // −45°, 2 px every 4 px in Fill on its 25 % tint
	Alignment           // 45°, 1.2 px every 4 px in Fill, no ground
	Replay              // vertical, 1.4 px every 4 px in Fill, no ground
	Dotted              // horizontal dashes 1.5 on, 2 off in Fill: a floating buffer's underline
	Hatches
)

// Tint is the ground of Stored, of 255.
const Tint = 64

// Dash is a line's or an edge's pattern.
type Dash uint8

// The patterns, on and off in px.
const (
	Unbroken Dash = iota
	Dash33        // a held wire
	Dash32        // an open transaction, a flag taken but not completed
	Dash53        // a p99 step
	Dash23        // a knob's change
	Dash13        // a faint grid line
	Dash11        // the slot of a debloated buffer
)

var dashes = [...][2]float32{{}, {3, 3}, {3, 2}, {5, 3}, {2, 3}, {1, 3}, {1, 1}}

// Pattern is the length of the dash and of the gap in px; 0, 0 for an unbroken line.
func (d Dash) Pattern() (on, off float32) { return dashes[d][0], dashes[d][1] }

// Shape is the outline of a sprite.
type Shape uint8

// The shapes.
const (
	Running    Shape = iota // triangle
	Paused                  // two bars
	Aligning                // two bars, the second hollow
	Syncing                 // square
	Uploading               // arrow up
	Restoring               // arrow down
	Waiting                 // hollow square
	Failed                  // cross
	Finished                // flat bar
	Chevron                 // a gate: >
	Overtake                // two chevrons behind an unaligned barrier: >>
	Flag                    // square flag of an aligned barrier
	HollowFlag              // taken, not completed
	ArrowFlag               // flag of an unaligned barrier
	Tick                    // acknowledged
	Diamond                 // a commit on the scrubber
	Peak                    // triangle: a knob's change on the scrubber
	Disc                    // a commit's dot
	Ring                    // a disc with an edge: the scrubber's knob
	Shapes
)

// Stroked reports whether a shape is a polyline instead of a filled polygon, and its stroke in px (of the sprite's own size).
func (s Shape) Stroked() (width float32, ok bool) {
	switch s {
	case Chevron:
		return 1.2, true
	case Overtake:
		return 1.6, true
	case Tick:
		return 1.6, true
	case Failed:
		return 2, true
	case Waiting:
		return 1.5, true
	}
	return 0, false
}

// outlines are the shapes in the unit square: parts, each a polygon or, for stroked shapes, a polyline.
var outlines = [Shapes][][]Point{
	Running:    {{{0, 0}, {0.875, 0.5}, {0, 1}}},
	Paused:     {{{0.05, 0}, {0.38, 0}, {0.38, 1}, {0.05, 1}}, {{0.62, 0}, {0.95, 0}, {0.95, 1}, {0.62, 1}}},
	Aligning:   {{{0, 0}, {0.375, 0}, {0.375, 1}, {0, 1}}, {{0.6, 0}, {1, 0}, {1, 0.12}, {0.6, 0.12}}, {{0.6, 0.88}, {1, 0.88}, {1, 1}, {0.6, 1}}, {{0.6, 0}, {0.72, 0}, {0.72, 1}, {0.6, 1}}, {{0.88, 0}, {1, 0}, {1, 1}, {0.88, 1}}},
	Syncing:    {{{0, 0}, {1, 0}, {1, 1}, {0, 1}}},
	Uploading:  {{{0.5, 0}, {1, 0.54}, {0, 0.54}}, {{0.34, 0.5}, {0.66, 0.5}, {0.66, 1}, {0.34, 1}}},
	Restoring:  {{{0.5, 1}, {0, 0.46}, {1, 0.46}}, {{0.34, 0}, {0.66, 0}, {0.66, 0.5}, {0.34, 0.5}}},
	Waiting:    {{{0.1, 0.1}, {0.9, 0.1}, {0.9, 0.9}, {0.1, 0.9}, {0.1, 0.1}}},
	Failed:     {{{0.05, 0.05}, {0.95, 0.95}}, {{0.95, 0.05}, {0.05, 0.95}}},
	Finished:   {{{0, 0.36}, {1, 0.36}, {1, 0.64}, {0, 0.64}}},
	Chevron:    {{{0, 0}, {1, 0.5}, {0, 1}}},
	Overtake:   {{{0, 0}, {0.5, 0.5}, {0, 1}}, {{0.5, 0}, {1, 0.5}, {0.5, 1}}},
	Flag:       {{{0, 0}, {1, 0}, {1, 1}, {0, 1}}},
	HollowFlag: {{{0, 0}, {1, 0}, {1, 1}, {0, 1}}},
	ArrowFlag:  {{{0, 0}, {0.6, 0}, {1, 0.5}, {0.6, 1}, {0, 1}}},
	Tick:       {{{0, 0.5}, {0.375, 1}, {1, 0}}},
	Diamond:    {{{0.5, 0}, {1, 0.5}, {0.5, 1}, {0, 0.5}}},
	Peak:       {{{0, 1}, {0.5, 0}, {1, 1}}},
	Disc:       {circle(16)},
	Ring:       {circle(24)},
}

// Outline is a shape's parts in the unit square. Shared memory: do not change it.
func (s Shape) Outline() [][]Point { return outlines[s] }

func circle(n int) []Point {
	ring := make([]Point, n)
	for i := range ring {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		ring[i] = Point{float32(0.5 + cos/2), float32(0.5 + sin/2)}
	}
	return ring
}
