package raster

import (
	"math"

	"checkpointlab/render/scene"
)

// dashed adds a stroke along a polyline, broken by a pattern.
func (c *Canvas) dashed(points []scene.Point, width float32, dash scene.Dash) {
	on, off := dash.Pattern()
	if on <= 0 {
		c.stroke(points, width)
		return
	}
	left, drawing := float64(on), true
	for i := 1; i < len(points); i++ {
		a, b := points[i-1], points[i]
		length := math.Hypot(float64(b.X-a.X), float64(b.Y-a.Y))
		for at := 0.0; at < length; {
			step := min(left, length-at)
			if drawing {
				c.segment(along(a, b, at/length), along(a, b, (at+step)/length), width)
			}
			at, left = at+step, left-step
			if left <= 1e-9 {
				drawing = !drawing
				left = float64(on)
				if !drawing {
					left = float64(off)
				}
			}
		}
	}
}

func along(a, b scene.Point, t float64) scene.Point {
	return scene.Point{X: a.X + (b.X-a.X)*float32(t), Y: a.Y + (b.Y-a.Y)*float32(t)}
}

// stroke adds the segments and, where they turn, a bevel between them.
func (c *Canvas) stroke(points []scene.Point, width float32) {
	for i := 1; i < len(points); i++ {
		c.segment(points[i-1], points[i], width)
		if i+1 < len(points) {
			c.join(points[i-1], points[i], points[i+1], width)
		}
	}
}

// segment adds a straight stroke as a rectangle, always in the same direction of turning, so that overlaps stay filled.
func (c *Canvas) segment(a, b scene.Point, width float32) {
	nx, ny := normal(a, b, width)
	c.contour(scene.Point{X: a.X + nx, Y: a.Y + ny}, scene.Point{X: b.X + nx, Y: b.Y + ny},
		scene.Point{X: b.X - nx, Y: b.Y - ny}, scene.Point{X: a.X - nx, Y: a.Y - ny})
}

// normal is half the stroke's width across a segment.
func normal(a, b scene.Point, width float32) (x, y float32) {
	dx, dy := b.X-a.X, b.Y-a.Y
	l := float32(math.Hypot(float64(dx), float64(dy)))
	if l == 0 {
		return 0, 0
	}
	return dy / l * width / 2, -dx / l * width / 2
}

// join fills the wedge on the outer side of a corner.
func (c *Canvas) join(a, b, d scene.Point, width float32) {
	nx, ny := normal(a, b, width)
	mx, my := normal(b, d, width)
	cross := (b.X-a.X)*(d.Y-b.Y) - (b.Y-a.Y)*(d.X-b.X)
	if cross == 0 {
		return
	}
	if cross > 0 { // turns right on the screen: the wedge is on the left
		c.contour(b, scene.Point{X: b.X + nx, Y: b.Y + ny}, scene.Point{X: b.X + mx, Y: b.Y + my})
		return
	}
	c.contour(b, scene.Point{X: b.X - mx, Y: b.Y - my}, scene.Point{X: b.X - nx, Y: b.Y - ny})
}
