package damage_test

import (
	"bytes"
	"image"
	"image/draw"
	"math"
	"testing"

	"checkpointlab/core/event"
	"checkpointlab/core/timeline"
	"checkpointlab/render/damage"
	"checkpointlab/render/figure"
	"checkpointlab/render/raster"
	"checkpointlab/render/scene"
	"checkpointlab/render/token"
	"checkpointlab/scenarios"
)

// A screen on which only the changed parts are painted, each with its own marks alone, is the picture painted anew.
func TestChangedPartsMakeTheWholePicture(t *testing.T) {
	for _, c := range []struct {
		scenario string
		width    float64
		scale    float64
	}{{"backpressure", 928, 1}, {"backpressure", 358, 1.5}, {"in-flight", 1392, 0.7}} {
		run := played(t, c.scenario)
		var f figure.Figure
		var seen damage.Screen
		var kept *image.RGBA
		painted, all := 0, 0
		for _, at := range []event.Time{20e9, 20.016e9, 20.033e9, 20.05e9, 20.5e9, 21e9, 60e9, 60.016e9, 12e9, 12e9} {
			f.Build(run.At(at), run.Lab().History(), figure.Options{Width: c.width, KeepPlot: at == 20.016e9, Lang: scene.English})
			whole := paint(&f.Scene, c.scale, nil)
			if kept == nil {
				kept = image.NewRGBA(whole.Rect)
			}
			parts := seen.Changed(&f.Scene, token.Light, c.scale, whole.Rect.Dx(), whole.Rect.Dy(), damage.Rows{To: whole.Rect.Dy()})
			for i, part := range parts {
				for _, other := range parts[:i] {
					if part.Overlaps(other) {
						t.Fatalf("%s at %d: %v and %v overlap", c.scenario, at, part, other)
					}
				}
				draw.Draw(kept, part, paint(&f.Scene, c.scale, seen.In(part)), part.Min, draw.Src)
				painted += part.Dx() * part.Dy()
			}
			all += len(whole.Pix) / 4
			if !bytes.Equal(kept.Pix, whole.Pix) {
				t.Fatalf("%s %v px wide at %d: painting %d parts leaves another picture than painting all", c.scenario, c.width, at, len(parts))
			}
		}
		if painted > all*2/3 {
			t.Errorf("%s: %d of %d pixels were painted", c.scenario, painted, all)
		}
	}
}

// What is known of the screen ends with its size, theme and ratio, and when it is forgotten.
func TestWhatIsKnown(t *testing.T) {
	var s scene.Scene
	s.Reset(100, 100)
	s.Rect(scene.ID{}, 10, 10, 20, 20, token.Ink)
	var d damage.Screen
	changed := func(theme token.Theme, scale float64, w int) int {
		return len(d.Changed(&s, theme, scale, w, 100, damage.Rows{To: 100}))
	}
	for i, c := range []struct {
		theme token.Theme
		scale float64
		w     int
		want  int
	}{{token.Light, 1, 100, 1}, {token.Light, 1, 100, 0}, {token.Dark, 1, 100, 1}, {token.Dark, 2, 100, 1}, {token.Dark, 2, 90, 1}, {token.Dark, 2, 90, 0}} {
		if got := changed(c.theme, c.scale, c.w); got != c.want {
			t.Errorf("step %d: %d parts have changed, want %d", i, got, c.want)
		}
	}
	if d.Forget(); changed(token.Dark, 2, 90) != 1 {
		t.Error("a screen that is forgotten is not painted")
	}
}

// What is not seen changes when it is seen.
func TestRowsThatAreNotSeen(t *testing.T) {
	var d damage.Screen
	var s scene.Scene
	changed := func(x float64, seen damage.Rows) []image.Rectangle {
		s.Reset(100, 600)
		s.Rect(scene.ID{}, x, 20, 20, 20, token.Ink)
		s.Rect(scene.ID{}, x, 500, 20, 20, token.Ink)
		return d.Changed(&s, token.Light, 1, 100, 600, seen)
	}
	if got := changed(10, damage.Rows{To: 200}); len(got) != 1 || got[0].Dy() != 600 {
		t.Errorf("first %v", got)
	}
	if got := changed(50, damage.Rows{To: 200}); len(got) != 1 || got[0].Max.Y > 200 {
		t.Errorf("above are seen %v", got)
	}
	if got := changed(50, damage.Rows{To: 600}); len(got) != 1 || got[0].Min.Y < 200 {
		t.Errorf("then all are seen, %v", got)
	}
	if got := changed(50, damage.Rows{To: 600}); len(got) != 0 {
		t.Errorf("then nothing changes, %v", got)
	}
}

// paint draws marks, all of them for nil.
func paint(s *scene.Scene, scale float64, marks []int) *image.RGBA {
	c := raster.New(int(math.Ceil(s.Width*scale)), int(math.Ceil(s.Height*scale)), scale, token.Light)
	if marks == nil {
		c.Scene(s)
	}
	for _, i := range marks {
		c.Mark(s, &s.Marks[i])
	}
	return c.Image
}

func played(t *testing.T, name string) *timeline.Timeline {
	s, err := scenarios.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	run, err := timeline.New(s.Setup)
	if err != nil {
		t.Fatal(err)
	}
	for !run.Extend(1 << 20) {
	}
	return run
}
