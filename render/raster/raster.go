// Package raster draws marks into an image in software: the PNG still is one such image, and the canvas bakes its
// sprites, hatches and letters with the same code.
package raster

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"golang.org/x/image/vector"

	"checkpointlab/render/scene"
	"checkpointlab/render/token"
)

// Canvas is an image of a scene at Scale device pixels per CSS px. It is not safe for concurrent use.
type Canvas struct {
	Image *image.RGBA
	Theme token.Theme
	Scale float64

	x, y  float64 // CSS px of the image's left top corner
	rast  vector.Rasterizer
	faces faces
}

// New makes a transparent canvas of so many device pixels.
func New(width, height int, scale float64, theme token.Theme) *Canvas {
	return &Canvas{Image: image.NewRGBA(image.Rect(0, 0, width, height)), Scale: scale, Theme: theme}
}

// At moves the canvas: (x, y) in CSS px comes to lie in its left top corner.
func (c *Canvas) At(x, y float64) *Canvas { c.x, c.y = x, y; return c }

// Fill paints everything in one colour.
func (c *Canvas) Fill(t token.Token) {
	draw.Draw(c.Image, c.Image.Bounds(), image.NewUniform(t.Color(c.Theme)), image.Point{}, draw.Src)
}

// Scene draws all marks in order.
func (c *Canvas) Scene(s *scene.Scene) {
	for i := range s.Marks {
		c.Mark(s, &s.Marks[i])
	}
}

// Mark draws one mark of a scene.
func (c *Canvas) Mark(s *scene.Scene, m *scene.Mark) {
	switch m.Kind {
	case scene.Rect:
		c.rect(m)
	case scene.Line:
		c.begin()
		c.dashed([]scene.Point{{X: m.X, Y: m.Y}, {X: m.X + m.W, Y: m.Y + m.H}}, m.Stroke, m.Dash)
		c.end(c.ink(m.Fill, m.Alpha))
	case scene.Text:
		c.text(s, m)
	case scene.Sprite:
		c.sprite(m)
	case scene.Path:
		c.path(s.Points(m), m)
	case scene.Grid:
		c.grid(s, m)
	}
}

// ink is a token's colour with an opacity, as a source to draw from.
func (c *Canvas) ink(t token.Token, alpha uint8) image.Image {
	return image.NewUniform(c.colour(t, alpha))
}

func (c *Canvas) colour(t token.Token, alpha uint8) color.Color {
	v := t.Color(c.Theme)
	return color.NRGBA{R: v.R, G: v.G, B: v.B, A: alpha}
}

// outline collects the contours of one mark in device pixels, and their bounds.
type outline struct {
	points []scene.Point
	starts []int
	box    [4]float64
}

func (c *Canvas) begin() {
	o := &c.faces.outline
	o.points, o.starts = o.points[:0], o.starts[:0]
	o.box = [4]float64{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
}

// contour adds a closed contour in CSS px.
func (c *Canvas) contour(points ...scene.Point) {
	o := &c.faces.outline
	o.starts = append(o.starts, len(o.points))
	for _, p := range points {
		x, y := (float64(p.X)-c.x)*c.Scale, (float64(p.Y)-c.y)*c.Scale
		o.box = [4]float64{min(o.box[0], x), min(o.box[1], y), max(o.box[2], x), max(o.box[3], y)}
		o.points = append(o.points, scene.Point{X: float32(x), Y: float32(y)})
	}
}

// end fills the contours from a source.
func (c *Canvas) end(src image.Image) {
	o := &c.faces.outline
	area := image.Rect(int(math.Floor(o.box[0])), int(math.Floor(o.box[1])), int(math.Ceil(o.box[2])), int(math.Ceil(o.box[3])))
	area = area.Intersect(c.Image.Bounds()) // the rasterizer cuts off what lies outside, but does not look where the image ends
	if len(o.points) == 0 || area.Empty() {
		return
	}
	c.rast.Reset(area.Dx(), area.Dy())
	dx, dy := float32(area.Min.X), float32(area.Min.Y)
	for i, from := range o.starts {
		to := len(o.points)
		if i+1 < len(o.starts) {
			to = o.starts[i+1]
		}
		c.rast.MoveTo(o.points[from].X-dx, o.points[from].Y-dy)
		for _, p := range o.points[from+1 : to] {
			c.rast.LineTo(p.X-dx, p.Y-dy)
		}
		c.rast.ClosePath()
	}
	c.rast.Draw(c.Image, area, src, area.Min)
}

// rect fills, then draws the edge inside the box.
func (c *Canvas) rect(m *scene.Mark) {
	x, y, w, h := m.X, m.Y, m.W, m.H
	if m.Fill != token.None {
		c.begin()
		c.box(x, y, w, h, float32(m.Radius), false)
		c.end(c.source(m.Fill, m.Hatch, m.Alpha))
	}
	if m.Edge == token.None || m.Stroke <= 0 {
		return
	}
	s := m.Stroke
	c.begin()
	if m.Dash != scene.Unbroken {
		half := s / 2
		c.dashed([]scene.Point{{X: x + half, Y: y + half}, {X: x + w - half, Y: y + half}, {X: x + w - half, Y: y + h - half},
			{X: x + half, Y: y + h - half}, {X: x + half, Y: y + half}}, s, m.Dash)
	} else {
		c.box(x, y, w, h, float32(m.Radius), false)
		if w > 2*s && h > 2*s {
			c.box(x+s, y+s, w-2*s, h-2*s, max(0, float32(m.Radius)-s), true)
		}
	}
	c.end(c.ink(m.Edge, m.Alpha))
}

// box adds a rounded rectangle; a hole runs the other way round.
func (c *Canvas) box(x, y, w, h, r float32, hole bool) {
	points := c.faces.corners[:0]
	if r <= 0 || w < 2*r || h < 2*r {
		points = append(points, scene.Point{X: x, Y: y}, scene.Point{X: x + w, Y: y}, scene.Point{X: x + w, Y: y + h}, scene.Point{X: x, Y: y + h})
	} else {
		for corner, at := range [4]scene.Point{{X: x + w - r, Y: y + r}, {X: x + w - r, Y: y + h - r}, {X: x + r, Y: y + h - r}, {X: x + r, Y: y + r}} {
			for k := 0; k <= 4; k++ {
				sin, cos := math.Sincos(float64(corner-1)*math.Pi/2 + float64(k)*math.Pi/8)
				points = append(points, scene.Point{X: at.X + r*float32(cos), Y: at.Y + r*float32(sin)})
			}
		}
	}
	if hole {
		for i, j := 0, len(points)-1; i < j; i, j = i+1, j-1 {
			points[i], points[j] = points[j], points[i]
		}
	}
	c.faces.corners = points
	c.contour(points...)
}

// sprite draws a shape's outline in its box.
func (c *Canvas) sprite(m *scene.Mark) {
	if m.Fill != token.None {
		c.shape(m)
	}
	if m.Edge == token.None {
		return
	}
	c.begin()
	for _, part := range m.Shape.Outline() {
		at := c.placed(part, m)
		c.dashed(append(at, at[0]), m.Stroke, scene.Unbroken)
	}
	c.end(c.ink(m.Edge, m.Alpha))
}

// shape fills a sprite, or strokes it when it is made of strokes.
func (c *Canvas) shape(m *scene.Mark) {
	width, stroked := m.Shape.Stroked()
	c.begin()
	for _, part := range m.Shape.Outline() {
		if stroked {
			c.dashed(c.placed(part, m), width, scene.Unbroken)
		} else {
			c.contour(c.placed(part, m)...)
		}
	}
	c.end(c.ink(m.Fill, m.Alpha))
}

// placed is an outline of the unit square in a mark's box.
func (c *Canvas) placed(part []scene.Point, m *scene.Mark) []scene.Point {
	at := c.faces.placed[:0]
	for _, p := range part {
		at = append(at, scene.Point{X: m.X + p.X*m.W, Y: m.Y + p.Y*m.H})
	}
	c.faces.placed = at
	return at
}

func (c *Canvas) path(points []scene.Point, m *scene.Mark) {
	c.begin()
	if m.Fill != token.None {
		c.contour(points...)
		c.end(c.source(m.Fill, m.Hatch, m.Alpha))
		return
	}
	c.dashed(points, m.Stroke, m.Dash)
	c.end(c.ink(m.Edge, m.Alpha))
}

// grid draws equal cells.
func (c *Canvas) grid(s *scene.Scene, m *scene.Mark) {
	cells, cols := s.Cells(m), int(m.Cols)
	w, h := m.W/float32(cols), m.H/float32(len(cells)/cols)
	for t := token.Token(1); t < token.Count; t++ {
		c.begin()
		for i, cell := range cells {
			if cell == t {
				c.box(m.X+float32(i%cols)*w, m.Y+float32(i/cols)*h, w, h, 0, false)
			}
		}
		c.end(c.ink(t, m.Alpha))
	}
}
