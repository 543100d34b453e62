package scene

import (
	"unsafe"

	"checkpointlab/render/font"
	"checkpointlab/render/token"
)

// Kind is the primitive that a mark is drawn as.
type Kind uint8

// The primitives.
const (
	Rect   Kind = iota // X, Y, W, H; Fill, Hatch, an Edge of Stroke px inside the box, rounded by Radius
	Line               // one stroke from (X, Y) to (X+W, Y+H), Stroke px wide, in Fill
	Text               // Scene.Text at size Size; X is the left end, Y the baseline, W the width
	Sprite             // Shape in the box, in Fill (and Edge for outlines)
	Path               // Scene.Points: a polygon in Fill or, when Fill is None, a polyline in Edge, Stroke px wide
	Grid               // Scene.Cells: Cols columns of equal cells in the box, each in its own colour
)

// Anchor says which point of a text stands where it was put.
type Anchor uint8

// The anchors.
const (
	Start Anchor = iota
	Middle
	End
)

// Opaque is the Alpha of a mark that hides what is below.
const Opaque = 255

// Mark is one primitive. Coordinates are CSS px from the scene's top left corner; colours are ids.
type Mark struct {
	X, Y, W, H float32
	Stroke     float32
	Size       float32 // text
	ID         ID      // what it stands for; the zero ID for decoration
	lo, hi     int32   // into the scene's text, points or cells
	Cols       int32   // Grid
	Kind       Kind
	Fill, Edge token.Token
	Alpha      uint8
	Hatch      Hatch // over Fill, which is the hatch's hue or ground
	Dash       Dash
	Shape      Shape
	Anchor     Anchor
	Radius     uint8
	Bold       bool
}

// Point is a corner of a path.
type Point struct{ X, Y float32 }

// Scene is a picture as a list of marks in drawing order. Its memory is reused by the next Build.
type Scene struct {
	Width, Height float64
	Marks         []Mark
	Static        int   // Marks[:Static] change only with layout and language
	Level         Level // the level of detail that was drawn

	text   []byte
	points []Point
	cells  []token.Token
	plan   plan
}

// Reset empties the scene and keeps its memory.
func (s *Scene) Reset(width, height float64) {
	s.Width, s.Height, s.Static = width, height, 0
	s.Marks, s.text, s.points, s.cells = s.Marks[:0], s.text[:0], s.points[:0], s.cells[:0]
}

// Text is what a text mark says. It is valid until the scene is built again.
func (s *Scene) Text(m *Mark) string {
	if m.lo == m.hi {
		return ""
	}
	return unsafe.String(&s.text[m.lo], int(m.hi-m.lo))
}

// Points are a path's corners. They are valid until the scene is built again.
func (s *Scene) Points(m *Mark) []Point { return s.points[m.lo:m.hi] }

// Cells are a grid's colours, row by row. They are valid until the scene is built again.
func (s *Scene) Cells(m *Mark) []token.Token { return s.cells[m.lo:m.hi] }

// add appends a mark; the pointer is valid until the next one is added.
func (s *Scene) add(m Mark) *Mark {
	m.Alpha = Opaque
	s.Marks = append(s.Marks, m)
	return &s.Marks[len(s.Marks)-1]
}

// Rect adds a filled box.
func (s *Scene) Rect(id ID, x, y, w, h float64, fill token.Token) *Mark {
	return s.add(Mark{Kind: Rect, ID: id, X: float32(x), Y: float32(y), W: float32(w), H: float32(h), Fill: fill})
}

// Frame adds a box with an edge inside it.
func (s *Scene) Frame(id ID, x, y, w, h float64, fill, edge token.Token, stroke float32) *Mark {
	m := s.Rect(id, x, y, w, h, fill)
	m.Edge, m.Stroke = edge, stroke
	return m
}

// Line adds a straight stroke.
func (s *Scene) Line(id ID, x1, y1, x2, y2 float64, colour token.Token, stroke float32) *Mark {
	return s.add(Mark{Kind: Line, ID: id, X: float32(x1), Y: float32(y1), W: float32(x2 - x1), H: float32(y2 - y1),
		Fill: colour, Stroke: stroke})
}

// Sprite adds a shape in a box.
func (s *Scene) Sprite(id ID, shape Shape, x, y, w, h float64, colour token.Token) *Mark {
	return s.add(Mark{Kind: Sprite, Shape: shape, ID: id, X: float32(x), Y: float32(y), W: float32(w), H: float32(h),
		Fill: colour})
}

// Polyline adds a stroke through points.
func (s *Scene) Polyline(id ID, points []Point, colour token.Token, stroke float32) *Mark {
	m := s.path(id, points)
	m.Edge, m.Stroke = colour, stroke
	return m
}

// Polygon adds a filled convex polygon.
func (s *Scene) Polygon(id ID, points []Point, fill token.Token) *Mark {
	m := s.path(id, points)
	m.Fill = fill
	return m
}

func (s *Scene) path(id ID, points []Point) *Mark {
	lo := int32(len(s.points))
	s.points = append(s.points, points...)
	m := Mark{Kind: Path, ID: id, lo: lo, hi: int32(len(s.points))}
	m.bound(points)
	return s.add(m)
}

// bound makes the box of a path.
func (m *Mark) bound(points []Point) {
	if len(points) == 0 {
		return
	}
	x0, y0, x1, y1 := points[0].X, points[0].Y, points[0].X, points[0].Y
	for _, p := range points[1:] {
		x0, y0, x1, y1 = min(x0, p.X), min(y0, p.Y), max(x1, p.X), max(y1, p.Y)
	}
	m.X, m.Y, m.W, m.H = x0, y0, x1-x0, y1-y0
}

// Write adds a text of one colour and weight at a baseline.
func (s *Scene) Write(id ID, x, y, size float64, colour token.Token, weight font.Weight, anchor Anchor, text string) *Mark {
	s.label(id, x, y, size, colour).weigh(weight).str(text).end(anchor)
	return &s.Marks[len(s.Marks)-1]
}

// Append copies another scene's marks behind this one's, moved by (dx, dy). Ids stay.
func (s *Scene) Append(o *Scene, dx, dy float64) { s.AppendRange(o, 0, len(o.Marks), dx, dy) }

// AppendRange copies the marks from one index to another.
func (s *Scene) AppendRange(o *Scene, from, to int, dx, dy float64) {
	if o.plan.v != nil {
		s.plan.v = o.plan.v // Hit finds the channels of a grid there
	}
	text, points, cells := int32(len(s.text)), int32(len(s.points)), int32(len(s.cells))
	s.text, s.cells = append(s.text, o.text...), append(s.cells, o.cells...)
	for _, p := range o.points {
		s.points = append(s.points, Point{p.X + float32(dx), p.Y + float32(dy)})
	}
	for _, m := range o.Marks[from:to] {
		m.X, m.Y = m.X+float32(dx), m.Y+float32(dy)
		base := [...]int32{Text: text, Path: points, Grid: cells}[m.Kind]
		m.lo, m.hi = m.lo+base, m.hi+base
		s.Marks = append(s.Marks, m)
	}
}

// Box is the area a mark covers, with the height of a text's letters.
func (m *Mark) Box() (x, y, w, h float64) {
	x, y, w, h = float64(m.X), float64(m.Y), float64(m.W), float64(m.H)
	switch m.Kind {
	case Text:
		return x, y - 0.78*float64(m.Size), w, float64(m.Size)
	case Line:
		x, w = min(x, x+w), max(w, -w)
		y, h = min(y, y+h), max(h, -h)
		half := float64(m.Stroke) / 2
		return x - half, y - half, w + 2*half, h + 2*half
	}
	return x, y, w, h
}

// Fingerprint is a hash of everything that is drawn: equal fingerprints need no new frame.
func (s *Scene) Fingerprint() uint64 { return s.hash(0, len(s.Marks)) }

// MarkFingerprint is the hash of everything that is drawn of one mark.
func (s *Scene) MarkFingerprint(m *Mark) uint64 { return s.hashMark(offset, m) }

// StaticFingerprint is the hash of the marks that only the layout changes.
func (s *Scene) StaticFingerprint() uint64 { return s.hash(0, s.Static) }

func (s *Scene) hash(from, to int) uint64 {
	h := mix(mix(offset, uint64(s.Width*16)), uint64(s.Height*16))
	for i := from; i < to; i++ {
		h = s.hashMark(h, &s.Marks[i])
	}
	return h
}

// hashMark adds all that is drawn of a mark to a hash.
func (s *Scene) hashMark(h uint64, m *Mark) uint64 {
	h = m.hash(h)
	switch m.Kind {
	case Text:
		for _, b := range s.text[m.lo:m.hi] {
			h = mix(h, uint64(b))
		}
	case Path:
		for _, p := range s.points[m.lo:m.hi] {
			h = mix(h, uint64(bits(p.X))<<32|uint64(bits(p.Y)))
		}
	case Grid:
		for _, c := range s.cells[m.lo:m.hi] {
			h = mix(h, uint64(c))
		}
	}
	return h
}

// FNV-1a over words instead of bytes: cheap, and good enough to see a change.
const (
	offset = 14695981039346656037
	prime  = 1099511628211
)

func mix(h, v uint64) uint64 { return (h^v)*prime ^ h>>29 }

func bits(f float32) uint32 { return *(*uint32)(unsafe.Pointer(&f)) }

func (m *Mark) hash(h uint64) uint64 {
	h = mix(h, uint64(bits(m.X))<<32|uint64(bits(m.Y)))
	h = mix(h, uint64(bits(m.W))<<32|uint64(bits(m.H)))
	h = mix(h, uint64(bits(m.Stroke))<<32|uint64(bits(m.Size)))
	h = mix(h, uint64(m.Kind)<<56|uint64(m.Fill)<<48|uint64(m.Edge)<<40|uint64(m.Alpha)<<32|
		uint64(m.Hatch)<<24|uint64(m.Dash)<<16|uint64(m.Shape)<<8|uint64(m.Radius))
	return mix(h, uint64(m.Cols)<<1|uint64(flag(m.Bold)))
}

func flag(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}
