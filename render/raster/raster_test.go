package raster_test

import (
	"math"
	"testing"

	"checkpointlab/render/raster"
	"checkpointlab/render/scene"
	"checkpointlab/render/token"
)

// A box on pixel borders fills exactly its pixels; its edge lies inside.
func TestBoxIsExact(t *testing.T) {
	var s scene.Scene
	s.Reset(20, 20)
	s.Frame(scene.ID{}, 4, 5, 8, 6, token.BufPre, token.Fail, 1)
	c := raster.New(20, 20, 1, token.Light)
	c.Scene(&s)
	for y := range 20 {
		for x := range 20 {
			want := token.None
			if x >= 4 && x < 12 && y >= 5 && y < 11 {
				want = token.Fail
				if x > 4 && x < 11 && y > 5 && y < 10 {
					want = token.BufPre
				}
			}
			if got := c.Image.RGBAAt(x, y); got != want.Color(token.Light) {
				t.Fatalf("pixel %d,%d is %v, want %v", x, y, got, want)
			}
		}
	}
}

// A hatch covers as much as its stroke's share of the period.
func TestHatchesCoverTheirShare(t *testing.T) {
	for h := scene.Backpressured; h < scene.Hatches; h++ {
		p := &raster.Patterns[h]
		want := p.To - p.From
		if p.Both {
			want *= want
		}
		sum := 0.0
		const n = 96
		for y := range n {
			for x := range n {
				sum += p.Share(float64(x), float64(y), p.Period)
			}
		}
		if got := sum / (n * n); math.Abs(got-want) > 0.03 {
			t.Errorf("hatch %d covers %.3f, want %.3f", h, got, want)
		}
	}
}

// A text is inked within the box that the scene assumes, in Latin and in Hangul, regular and bold.
func TestTextStaysInItsBox(t *testing.T) {
	for _, text := range []string{"backpressured 93 %", "정렬 1/2", "59\u202f746"} {
		for w := range 2 {
			var s scene.Scene
			s.Reset(200, 40)
			m := s.Write(scene.ID{}, 20, 25, 12, token.Ink, 0, scene.Start, text)
			m.Bold = w == 1
			c := raster.New(200, 40, 1, token.Light)
			c.Scene(&s)
			x0, y0, bw, bh := m.Box()
			inked := 0
			for y := range 40 {
				for x := range 200 {
					if c.Image.RGBAAt(x, y).A < 40 {
						continue
					}
					inked++
					if float64(x) < x0-1 || float64(x) > x0+bw+1 || float64(y) < y0-2 || float64(y) > y0+bh+2 {
						t.Fatalf("%q inks %d,%d outside %v %v %v %v", text, x, y, x0, y0, bw, bh)
					}
				}
			}
			if inked < 40 {
				t.Errorf("%q has only %d inked pixels", text, inked)
			}
		}
	}
}

// A stroke's ink is its length times its width, corners and dashes included.
func TestStrokesKeepTheirInk(t *testing.T) {
	for _, c := range []struct {
		dash scene.Dash
		want float64
	}{{scene.Unbroken, 2 * 100}, {scene.Dash33, 100}} {
		var s scene.Scene
		s.Reset(120, 120)
		m := s.Polyline(scene.ID{}, []scene.Point{{X: 10, Y: 10}, {X: 40, Y: 50}, {X: 70, Y: 10}}, token.Ink, 2)
		m.Dash = c.dash
		r := raster.New(120, 120, 1, token.Light)
		r.Scene(&s)
		sum := 0.0
		for i := 3; i < len(r.Image.Pix); i += 4 {
			sum += float64(r.Image.Pix[i]) / 255
		}
		if math.Abs(sum-c.want) > 8 {
			t.Errorf("dash %d: %.1f px of ink, want %.1f", c.dash, sum, c.want)
		}
	}
}

// What sticks out of the image on any side is cut off, and leaves the rest as it is.
func TestMarksBeyondTheEdgesAreCut(t *testing.T) {
	var s scene.Scene
	s.Reset(20, 20)
	s.Rect(scene.ID{}, -7.5, -9, 40, 35.25, token.Ink)
	c := raster.New(20, 20, 1, token.Light)
	c.Scene(&s)
	for i := 3; i < len(c.Image.Pix); i += 4 {
		if c.Image.Pix[i] != 255 {
			t.Fatalf("byte %d is %d", i, c.Image.Pix[i])
		}
	}
	s.Reset(20, 20)
	s.Rect(scene.ID{}, -7.5, -9, 17.5, 14, token.Ink)
	c = raster.New(20, 20, 1, token.Light)
	c.Scene(&s)
	for y := range 20 {
		for x := range 20 {
			if got, want := c.Image.RGBAAt(x, y).A == 255, x < 10 && y < 5; got != want {
				t.Fatalf("%d, %d: %v, want %v", x, y, got, want)
			}
		}
	}
}
