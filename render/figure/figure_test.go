package figure_test

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
	"testing"

	"checkpointlab/render/figure"
	"checkpointlab/render/internal/sample"
	"checkpointlab/render/scene"
)

// The parts stand below and beside each other, inside the picture.
func TestPartsDoNotOverlap(t *testing.T) {
	for _, width := range []float64{358, 928, 1392, 1552} {
		var f figure.Figure
		f.Build(sample.Alignment(), sample.History(), figure.Options{Width: width})
		if f.Plot.Y < f.Pipeline.Y+f.Pipeline.H || f.Plot.Y+f.Plot.H > f.Scene.Height {
			t.Errorf("%v px: plot %+v, pipeline %+v, height %v", width, f.Plot, f.Pipeline, f.Scene.Height)
		}
		if f.Gantt.W > 0 && f.Gantt.X < f.Plot.X+f.Plot.W {
			t.Errorf("%v px: Gantt %+v over plot %+v", width, f.Gantt, f.Plot)
		}
		for i := range f.Scene.Marks {
			m := &f.Scene.Marks[i]
			if x, y, w, h := m.Box(); x < -1 || y < -1 || x+w > width+1 || y+h > f.Scene.Height+1 {
				t.Errorf("%v px: %v %q at %v %v %v %v leaves the picture", width, m.ID, text(&f.Scene, m), x, y, w, h)
			}
		}
	}
}

func text(s *scene.Scene, m *scene.Mark) string {
	if m.Kind == scene.Text {
		return s.Text(m)
	}
	return ""
}

// Between two rebuilds of the plot a frame allocates nothing.
func TestSteadyFrameDoesNotAllocate(t *testing.T) {
	var f figure.Figure
	v, h := sample.Alignment(), sample.History()
	f.Build(v, h, figure.Options{Width: 1392})
	o := figure.Options{Width: 1392, KeepPlot: true}
	f.Build(v, h, o)
	if n := testing.AllocsPerRun(20, func() { f.Build(v, h, o) }); n != 0 {
		t.Errorf("%v allocations a frame, want none", n)
	}
}

// Hit works in the composed scene, also on the cells of a grid.
func TestHitInAGrid(t *testing.T) {
	var f figure.Figure
	f.Build(sample.Square(20), sample.History(), figure.Options{Width: 1392})
	for i := range f.Scene.Marks {
		if m := &f.Scene.Marks[i]; m.Kind == scene.Grid {
			x, y, w, h := m.Box()
			if id, ok := scene.Hit(&f.Scene, x+w/2, y+h/2); !ok || id.What != scene.Channel {
				t.Errorf("the middle of the grid hits %v", id)
			}
			return
		}
	}
	t.Fatal("no grid")
}

func BenchmarkFrame(b *testing.B) {
	var f figure.Figure
	v, h := sample.Alignment(), sample.History()
	f.Build(v, h, figure.Options{Width: 1392})
	for b.Loop() {
		f.Build(v, h, figure.Options{Width: 1392, KeepPlot: true})
		f.Scene.Fingerprint()
	}
}

func BenchmarkPlot(b *testing.B) {
	var f figure.Figure
	v, h := sample.Alignment(), sample.History()
	for b.Loop() {
		f.Build(v, h, figure.Options{Width: 1392})
	}
}

// The page draws before the first history exists.
func TestEmptyFigure(t *testing.T) {
	for _, width := range []float64{358, 928, 1392} {
		var f figure.Figure
		f.Build(&core.View{}, nil, figure.Options{Width: width})
		if f.Scene.Height <= 0 {
			t.Errorf("%v px: height %v", width, f.Scene.Height)
		}
	}
}

// Lanes in space and time stand one below the other on one axis, each with its name, and are hit as their own lane.
func TestSpacesOfLanesShareTheirAxis(t *testing.T) {
	var f figure.Figure
	v, h := sample.Alignment(), sample.History()
	lanes := []figure.Lane{{View: v, History: h, Name: "A"}, {View: v, History: h, Name: "B"}}
	box := figure.Box{X: 10, Y: 20, W: 900, H: 400}
	f.Compose(lanes, figure.Boxes{W: 920, H: 440, Plot: box, Pipelines: make([]figure.Box, 2)}, figure.Options{Spaces: []event.Checkpoint{7, 6}})
	if len(f.Parts) != 2 || f.Parts[1].Lane != 1 || f.Parts[1].Y != 220 {
		t.Fatalf("parts %+v", f.Parts)
	}
	named := false
	for i := range f.Parts[1].Scene.Marks {
		named = named || text(f.Parts[1].Scene, &f.Parts[1].Scene.Marks[i]) == "B"
	}
	own := scene.SpaceAxis(v, h, 6)
	if !named || f.Area.Begin != own[0] || f.Area.End <= own[1] || f.Area.ScrubY <= 200 {
		t.Errorf("named %v, area %+v, checkpoint 6 alone %v", named, f.Area, own)
	}
}

// Where there is little room each lane of a comparison has its strip below its pipeline, low and without words.
func TestLowStripsOfLanes(t *testing.T) {
	var f figure.Figure
	v, h := sample.Alignment(), sample.History()
	lanes := []figure.Lane{{View: v, History: h, Name: "A"}, {View: v, History: h, Name: "B"}, {View: v, History: h, Name: "C"}, {View: v, History: h, Name: "D"}}
	boxes := figure.Boxes{W: 1472, H: 700, Plot: figure.Box{X: 0, Y: 600, W: 1472, H: 176}}
	for i := range lanes {
		boxes.Pipelines = append(boxes.Pipelines, figure.Box{X: float64(i%2) * 752, Y: float64(i/2) * 320, W: 720, H: 300})
	}
	columns := func(s *scene.Scene) (n, words int) {
		seen := map[scene.ID]bool{}
		for i := range s.Marks {
			if m := &s.Marks[i]; m.ID.What == scene.Checkpoint {
				seen[m.ID] = true
				words += len(text(s, m))
			}
		}
		return len(seen), words
	}
	f.Compose(lanes, boxes, figure.Options{Layout: scene.Embed})
	bare := f.Parts[0].Scene.Height
	f.Compose(lanes, boxes, figure.Options{Layout: scene.Embed, Details: figure.Strips})
	for i := range lanes {
		n, words := columns(f.Parts[i].Scene)
		if n < 5 || words != 0 {
			t.Errorf("lane %d: %d checkpoints with %d letters", i, n, words)
		}
		if got := f.Parts[i].Scene.Height; got != bare+figure.DetailsHeight(figure.Strips, v, 720) {
			t.Errorf("lane %d is %v px high, without its strip %v", i, got, bare)
		}
	}
}
