// Package damage finds which parts of a picture differ from the one that stands on the screen, so that a canvas that keeps
// its pixels draws those alone. Where pixels are shaded in software a frame costs what it paints.
//
//	var seen damage.Screen                             // keep it: it knows what stands there
//	for _, part := range seen.Changed(&figure.Scene, theme, ratio, w, h, rows) {
//		// clear part, then draw the marks seen.In(part), cut to it
//	}
//
// The screen is divided into square tiles. A tile's hash is that of all marks that reach into it, in drawing order: a mark that
// moves, changes, comes, goes or is covered by another changes the hashes of the tiles that it leaves and enters.
package damage

import (
	"image"
	"math"

	"checkpointlab/render/scene"
	"checkpointlab/render/token"
)

const (
	tile = 12 // CSS px
	air  = 3  // device px around a mark that rounding, smooth edges and the air of sprites may need
	join = 1  // as many unchanged tiles between two changed ones are drawn again rather than cut out

	// As many unchanged CSS px² are drawn again where that makes one part of two: shading them takes as long as the calls for a
	// part do.
	spare = 2500
)

// Screen is what is known of the pixels that stand there. The zero value knows nothing: all of the first picture has changed.
type Screen struct {
	size  image.Point
	theme token.Theme
	scale float64

	side, cols, rows int
	known            bool
	last, now        []uint64          // hashes of the tiles, row by row
	areas            []image.Rectangle // of the marks, in device px
	parts            []image.Rectangle
	open             []int // parts that end in the row above
	in               []int // marks of a part
}

// Forget says that nothing is known of the screen any more, such as after its size was set: all of the next picture has changed.
func (d *Screen) Forget() { d.known = false }

// Rows are the device px from one height of the screen to another.
type Rows struct{ From, To int }

// Changed lists the parts of a screen of w × h device px in which the picture differs from what stands there; they do not overlap.
// It takes for granted that they are drawn. What lies outside of the rows that are seen is left as it stands, and listed once it
// is seen. The parts are valid until the next call.
func (d *Screen) Changed(s *scene.Scene, theme token.Theme, scale float64, w, h int, seen Rows) []image.Rectangle {
	if size := image.Pt(w, h); size != d.size || theme != d.theme || scale != d.scale {
		d.size, d.theme, d.scale, d.known = size, theme, scale, false
		d.divide()
	}
	d.measure(s)
	if !d.known {
		d.known = true
		d.parts = append(d.parts[:0], image.Rectangle{Max: d.size})
	} else {
		d.compare(seen)
	}
	d.last, d.now = d.now, d.last
	return d.parts
}

// In lists the marks of the picture that Changed was asked for which reach into a part, in drawing order. It is valid until the
// next call.
func (d *Screen) In(part image.Rectangle) []int {
	d.in = d.in[:0]
	for i := range d.areas {
		if overlap(&d.areas[i], &part) {
			d.in = append(d.in, i)
		}
	}
	return d.in
}

func (d *Screen) divide() {
	d.side = max(1, int(math.Ceil(tile*d.scale)))
	d.cols, d.rows = (d.size.X+d.side-1)/d.side, (d.size.Y+d.side-1)/d.side
	d.last, d.now = make([]uint64, d.cols*d.rows), make([]uint64, d.cols*d.rows)
}

// measure finds the area of each mark, and the hash of each tile.
func (d *Screen) measure(s *scene.Scene) {
	clear(d.now)
	d.areas = d.areas[:0]
	for i := range s.Marks {
		m := &s.Marks[i]
		a := d.area(m)
		d.areas = append(d.areas, a)
		if a.Min.X >= a.Max.X || a.Min.Y >= a.Max.Y {
			continue
		}
		h := s.MarkFingerprint(m)
		x1, y1 := (a.Max.X-1)/d.side, (a.Max.Y-1)/d.side
		for y := a.Min.Y / d.side; y <= y1; y++ {
			row := d.now[y*d.cols : (y+1)*d.cols]
			for x := a.Min.X / d.side; x <= x1; x++ {
				v := (row[x] ^ h) * 1099511628211 // FNV's prime, over words
				row[x] = v ^ v>>29
			}
		}
	}
}

// area is where a mark may leave pixels: its box, its stroke, and the air around it. Letters may reach out of their line.
func (d *Screen) area(m *scene.Mark) image.Rectangle {
	x, y, w, h := m.Box()
	more := float64(m.Stroke)*d.scale + air
	if m.Kind == scene.Text {
		more += float64(m.Size) / 2 * d.scale
	}
	x0, y0 := math.Floor(x*d.scale-more), math.Floor(y*d.scale-more)
	x1, y1 := math.Ceil((x+w)*d.scale+more), math.Ceil((y+h)*d.scale+more)
	return image.Rectangle{
		image.Pt(int(max(0, x0)), int(max(0, y0))),
		image.Pt(int(min(float64(d.size.X), x1)), int(min(float64(d.size.Y), y1))),
	}
}

// compare joins the tiles that differ into parts: along a row, then those of the same width below each other.
func (d *Screen) compare(seen Rows) {
	d.parts, d.open = d.parts[:0], d.open[:0]
	for y := range d.rows {
		if y*d.side >= seen.To || (y+1)*d.side <= seen.From {
			copy(d.now[y*d.cols:(y+1)*d.cols], d.last[y*d.cols:(y+1)*d.cols])
			d.open = d.open[:0]
			continue
		}
		above := len(d.open)
		for x := 0; x < d.cols; x++ {
			if d.same(x, y) {
				continue
			}
			end := x + 1
			for next := end; next < d.cols && next <= end+join; next++ {
				if !d.same(next, y) {
					end = next + 1
				}
			}
			d.put(x, end, y, above)
			x = end
		}
		d.open = append(d.open[:0], d.open[above:]...)
	}
	d.unite()
}

func (d *Screen) same(x, y int) bool { return d.now[y*d.cols+x] == d.last[y*d.cols+x] }

// put adds the tiles from one column up to another in a row; above are the parts that end in the row above.
func (d *Screen) put(from, to, y, above int) {
	box := image.Rectangle{image.Pt(from*d.side, y*d.side), image.Pt(min(to*d.side, d.size.X), min((y+1)*d.side, d.size.Y))}
	for _, i := range d.open[:above] {
		if p := &d.parts[i]; p.Min.X == box.Min.X && p.Max.X == box.Max.X {
			p.Max.Y = box.Max.Y
			d.open = append(d.open, i)
			return
		}
	}
	d.open = append(d.open, len(d.parts))
	d.parts = append(d.parts, box)
}

// unite makes one part of two that are near each other, or over each other since one has grown, until none are.
func (d *Screen) unite() {
	most := int(spare * d.scale * d.scale)
	for i := 0; i < len(d.parts); i++ {
		for k := 0; k < len(d.parts); k++ {
			if k == i || !near(&d.parts[i], &d.parts[k], most) {
				continue
			}
			d.parts[i] = d.parts[i].Union(d.parts[k])
			last := len(d.parts) - 1
			d.parts[k] = d.parts[last]
			if d.parts = d.parts[:last]; i == last {
				i = k
			}
			k = -1
		}
	}
}

// near reports whether two parts overlap, or a box around both has at most so many px more than they have.
func near(a, b *image.Rectangle, most int) bool {
	x0, y0, x1, y1 := min(a.Min.X, b.Min.X), min(a.Min.Y, b.Min.Y), max(a.Max.X, b.Max.X), max(a.Max.Y, b.Max.Y)
	own := (a.Max.X-a.Min.X)*(a.Max.Y-a.Min.Y) + (b.Max.X-b.Min.X)*(b.Max.Y-b.Min.Y)
	return (x1-x0)*(y1-y0) <= own+most || overlap(a, b)
}

// overlap is image.Rectangle.Overlaps without its copies: it is asked for each mark and part of a frame.
func overlap(a, b *image.Rectangle) bool {
	return a.Min.X < b.Max.X && b.Min.X < a.Max.X && a.Min.Y < b.Max.Y && b.Min.Y < a.Max.Y
}
