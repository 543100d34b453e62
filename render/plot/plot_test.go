package plot

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/plot/plotter"
	"pgregory.net/rapid"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/render/internal/sample"
	"checkpointlab/render/scene"
	"checkpointlab/render/token"
)

func at(s float64) event.Time { return event.Time(s * float64(event.Second)) }

// The saw-tooth rises by a second a second and drops at each commit, at its exact instant.
func TestAgesDropAtCommits(t *testing.T) {
	h := sample.History()
	line := ages(h, 0, 90*event.Second)
	drops := 0
	for i := 1; i < len(line); i++ {
		dx, dy := line[i].X-line[i-1].X, line[i].Y-line[i-1].Y
		if dx == 0 && dy < 0 {
			if c := h.Commits[drops]; math.Abs(line[i].X-seconds(c.At)) > 1e-9 || math.Abs(line[i-1].Y-seconds(c.Max)) > 0.01 {
				t.Errorf("drop %d at %v from %v, the commit is at %v with %v", drops, line[i].X, line[i-1].Y, c.At, c.Max)
			}
			drops++
			continue
		}
		if math.Abs(dy-dx) > 1e-6 {
			t.Fatalf("from %v to %v s the age rises by %v", line[i-1].X, line[i].X, dy)
		}
	}
	if drops != len(h.Commits) {
		t.Errorf("%d drops, %d commits", drops, len(h.Commits))
	}
}

func TestAgeBetweenSamples(t *testing.T) {
	h := sample.History()
	for _, c := range []struct{ at, want float64 }{{71.25, 71.25 - 62.03}, {10.39, 0.01}, {10.37, 10.37}} {
		got := seconds(ageAt(h, at(c.at)))
		base := 0.0
		if c.at > 62 {
			base = seconds(h.Commits[5].Min)
		} else if c.at > 10.38 {
			base = seconds(h.Commits[0].Min)
		}
		if math.Abs(got-c.want-base) > 1e-6 {
			t.Errorf("at %v s the age is %v, want %v", c.at, got, c.want+base)
		}
	}
}

// The axes do not change while a run plays.
func TestAxesAreFixed(t *testing.T) {
	h := sample.History()
	labels := func(now event.Time) (all string) {
		var s scene.Scene
		Build(h, Options{Width: 932, Now: now, End: 90 * event.Second}, &s)
		for i := range s.Marks {
			if m := &s.Marks[i]; m.Kind == scene.Text && m.Fill == token.Ink3 {
				all += s.Text(m) + "|"
			}
		}
		return all
	}
	if a, b := labels(12*event.Second), labels(89*event.Second); a != b {
		t.Errorf("axis labels at 12 s %s, at 89 s %s", a, b)
	}
}

// What lies beyond now is not told: no dot, no column, no numbers of a later commit.
func TestOnlyThePrefixIsShown(t *testing.T) {
	h := sample.History()
	var s scene.Scene
	Build(h, Options{Width: 932, Now: 31 * event.Second, End: 90 * event.Second}, &s)
	for i := range s.Marks {
		id := s.Marks[i].ID
		if id.What == scene.Commit && h.Commits[id.A].At > 31*event.Second {
			t.Errorf("commit %d is drawn before it happens", id.A)
		}
		if id.What == scene.Checkpoint && h.Checkpoints[id.A-1].Triggered > 31*event.Second {
			t.Errorf("checkpoint %d is drawn before it is triggered", id.A)
		}
	}
}

// Joined commits keep the weighted mean, and the worst of p99 and max.
func TestStepsJoin(t *testing.T) {
	h := &core.History{Commits: []core.CommitRecord{
		{At: at(1), Records: 100, Mean: at(1), P99: at(2), Max: at(3), Min: at(0.5)},
		{At: at(2), Records: 300, Mean: at(3), P99: at(4), Max: at(5), Min: at(1)},
		{At: at(9), Records: 10, Mean: at(1), P99: at(1), Max: at(1), Min: at(1)},
	}}
	got := steps(h, at(10), 0, 5)
	if len(got) != 2 || got[0].mean != 2.5 || got[0].p99 != 4 || got[0].max != 5 || got[0].min != 0.5 || got[0].to != 2 || got[1].from != 2 {
		t.Errorf("steps %+v", got)
	}
}

// A run with a commit each 100 ms stays within the budget of primitives.
func TestManyCommits(t *testing.T) {
	h := &core.History{}
	for i := 1; i <= 6000; i++ {
		h.Commits = append(h.Commits, core.CommitRecord{At: event.Time(i) * 100 * event.Millisecond, Checkpoint: event.Checkpoint(i), Records: 10, Mean: at(0.05), P99: at(0.1), Max: at(0.1)})
		h.Samples = append(h.Samples, core.Sample{At: event.Time(i) * 100 * event.Millisecond, OldestAge: 0, Pipeline: at(0.01)})
		h.Checkpoints = append(h.Checkpoints, core.CheckpointRecord{ID: event.Checkpoint(i), Triggered: event.Time(i)*100*event.Millisecond - at(0.05), Ended: event.Time(i) * 100 * event.Millisecond, Outcome: core.Completed})
		h.Moments = append(h.Moments, core.Moment{At: event.Time(i) * 100 * event.Millisecond, Kind: event.Committed, ID: event.Checkpoint(i)})
	}
	var s scene.Scene
	Build(h, Options{Width: 932, Now: 600 * event.Second, End: 600 * event.Second}, &s)
	if n := len(s.Marks); n > 1400 {
		t.Errorf("%d primitives", n)
	}
}

// thin leaves no dropped point farther than the tolerance from the kept line.
func TestThinKeepsTheLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 60).Draw(t, "n")
		points := make([]scene.Point, n)
		for i := range points {
			points[i] = scene.Point{X: float32(i), Y: float32(rapid.Float64Range(0, 3).Draw(t, "y"))}
		}
		all := append([]scene.Point(nil), points...)
		kept := thin(points, tolerance)
		k := 0
		for _, p := range all {
			for k+1 < len(kept) && kept[k+1].X < p.X {
				k++
			}
			if d := off(p, kept[k], kept[min(k+1, len(kept)-1)]); d > tolerance+1e-6 {
				t.Fatalf("%v lies %v off", p, d)
			}
		}
	})
}

// off is the distance of p from the segment a–b.
func off(p, a, b scene.Point) float64 {
	dx, dy := float64(b.X-a.X), float64(b.Y-a.Y)
	px, py := float64(p.X-a.X), float64(p.Y-a.Y)
	l := dx*dx + dy*dy
	if l == 0 {
		return math.Hypot(px, py)
	}
	t := min(1, max(0, (px*dx+py*dy)/l))
	return math.Hypot(px-t*dx, py-t*dy)
}

func TestTimeAt(t *testing.T) {
	a := Area{Left: 44, Right: 920, End: 90 * event.Second}
	if got := a.TimeAt(a.X(31 * event.Second)); got < 31*event.Second-event.Millisecond || got > 31*event.Second+event.Millisecond {
		t.Errorf("31 s comes back as %v", got)
	}
	if a.TimeAt(0) != 0 || a.TimeAt(2000) != a.End {
		t.Error("places outside the axis are not kept within the run")
	}
}

// A run that is still being computed has no curve behind its last sample.
func TestAgesEndWithTheSamples(t *testing.T) {
	h := *sample.History()
	h.Samples = h.Samples[:len(h.Samples)/2]
	last := h.Samples[len(h.Samples)-1].At
	line := ages(&h, 0, known(&h, 90*event.Second))
	if got := line[len(line)-1].X; got != seconds(last) {
		t.Errorf("the curve ends at %v s, the last sample is at %v s", got, seconds(last))
	}
	if got := known(&h, last/2); got != last/2 {
		t.Errorf("known is %v, the axis ends at %v", got, last/2)
	}
}

// The last 60 checkpoints stand out in the strip, older ones are faint.
func TestTheStripShowsTheLastSixty(t *testing.T) {
	h := &core.History{}
	for i := range 100 {
		h.Checkpoints = append(h.Checkpoints, core.CheckpointRecord{ID: event.Checkpoint(i + 1), Triggered: at(float64(i)), Ended: at(float64(i) + 0.2), Outcome: core.Completed})
	}
	for now, want := range map[float64]int{50: 51, 99.5: 60} {
		var s scene.Scene
		Build(h, Options{Width: 900, Now: at(now), End: at(100)}, &s)
		strong := map[int32]bool{}
		for i := range s.Marks {
			if m := &s.Marks[i]; m.ID.What == scene.Checkpoint && m.Alpha == scene.Opaque {
				strong[m.ID.A] = true
			}
		}
		if len(strong) != want || want == 60 && (strong[40] || !strong[41]) {
			t.Errorf("at %v s %d stand out, want %d", now, len(strong), want)
		}
	}
}

// A checkpoint whose neighbours leave room has its id, whatever stands close elsewhere; no two ids touch, nor does the frame around the
// one that is shown elsewhere touch a column. Where columns stand close something points at it.
func TestIdsOfTheStripStandWhereTheyHaveRoom(t *testing.T) {
	h := &core.History{}
	for i, trigger := range []float64{0.5, 10, 20, 30, 34, 35, 45, 46, 47, 48, 49, 60} {
		h.Checkpoints = append(h.Checkpoints, core.CheckpointRecord{ID: event.Checkpoint(i + 7), Triggered: at(trigger), Ended: at(trigger + 3), Outcome: core.Completed})
	}
	h.Checkpoints[0].ID, h.Checkpoints[0].Outcome = 0, core.FailedCheckpoint // declined
	for now := 1.0; now < 70; now++ {
		for framed := event.Checkpoint(8); framed < 19; framed++ {
			var s scene.Scene
			Build(h, Options{Width: 900, Now: at(now), End: at(90), Framed: framed}, &s)
			names, pointed, frames := map[int32]*scene.Mark{}, 0, 0
			var columns []*scene.Mark
			for i := range s.Marks {
				m := &s.Marks[i]
				switch {
				case m.ID.What != scene.Checkpoint:
				case m.Kind == scene.Text:
					names[m.ID.A] = m
				case m.Kind == scene.Sprite && m.Shape == scene.Peak:
					pointed++
				case m.Stroke == 1.5 && m.Edge == token.Ink:
					frames++
					columns = append(columns, m)
				default:
					columns = append(columns, m)
				}
			}
			for id, m := range names {
				for _, o := range columns {
					if o.ID.A != id && m.X < o.X+o.W && o.X < m.X+m.W {
						t.Fatalf("at %v s, %d framed: the id %d lies on the column of %d", now, framed, id, o.ID.A)
					}
				}
				for other, o := range names {
					if other != id && m.X < o.X+o.W+1 && o.X < m.X+m.W+1 {
						t.Fatalf("at %v s, %d framed: the ids %d and %d touch", now, framed, id, other)
					}
				}
			}
			for _, id := range []int32{8, 9, 18} {
				if _, ok := names[id]; !ok && at(now) >= h.Checkpoints[id-7].Triggered {
					t.Fatalf("at %v s, %d framed: %d has no id", now, framed, id)
				}
			}
			if seen := at(now) >= h.Checkpoints[framed-7].Triggered; seen != (pointed+frames == 1) {
				t.Fatalf("at %v s: %d frames and %d pointers say that %d is shown elsewhere", now, frames, pointed, framed)
			}
		}
	}
}

// What is written over curves is legible: a run with a checkpoint a second has its values on a ground.
func TestTextsOverCurvesHaveAGround(t *testing.T) {
	h := sample.History()
	for now, want := range map[float64]int{40: 1, 89.9: 3} {
		var s scene.Scene
		Build(h, Options{Width: 932, Now: at(now), End: at(90), Notes: []Note{{At: at(30), Text: "sink 50 → 200 µs"}}}, &s)
		grounds := 0
		for i := range s.Marks {
			if m := &s.Marks[i]; m.Kind == scene.Rect && m.Fill == token.Panel && m.Alpha < scene.Opaque && s.Marks[i+1].Kind == scene.Text {
				grounds++
			}
		}
		if grounds != want {
			t.Errorf("at %v s %d texts have a ground, want %d", now, grounds, want)
		}
	}
}

// Notes that stand close get rows of their own, and at the end of the run the two values at the cursor do not touch.
func TestNotesAndValuesDoNotTouch(t *testing.T) {
	h := *sample.History()
	notes := []Note{{At: at(30), Text: "events 2 500/s → 7 000/s"}, {At: at(33), Text: "events 7 000/s → 4 500/s"}, {At: at(88), Text: "sink killed"}, {At: at(89), Text: "savepoint"}}
	for _, now := range []float64{40, 80, 86, 88.5, 89.9, 90} {
		var s scene.Scene
		Build(&h, Options{Width: 932, Now: at(now), End: at(90), Notes: notes}, &s)
		for i := range s.Marks {
			for j := range i {
				a, b := &s.Marks[i], &s.Marks[j]
				if a.Kind != scene.Text || b.Kind != scene.Text {
					continue
				}
				ax, ay, aw, ah := a.Box()
				bx, by, bw, bh := b.Box()
				if ax < bx+bw && bx < ax+aw && ay < by+bh-0.5 && by < ay+ah-0.5 {
					t.Errorf("at %v s %q touches %q", now, s.Text(a), s.Text(b))
				}
			}
		}
	}
}

// A run that was left before it was computed to its end is drawn as far as it is known, on the axis that the labels name.
func TestTheGhostOfAnUnfinishedRunLeavesTheAxisAlone(t *testing.T) {
	h := sample.History()
	left := *h
	left.Samples = left.Samples[:len(left.Samples)/2]
	dots := func(ghost *core.History) (all []float32) {
		var s scene.Scene
		Build(h, Options{Width: 932, Now: 89 * event.Second, End: 90 * event.Second, Ghost: ghost}, &s)
		for i := range s.Marks {
			if s.Marks[i].ID.What == scene.Commit {
				all = append(all, s.Marks[i].Y)
			}
		}
		return all
	}
	if alone, beside := dots(nil), dots(&left); len(alone) == 0 || !slices.Equal(alone, beside) {
		t.Errorf("the commits lie at %v, beside a ghost at %v", alone, beside)
	}
}

// A value stands where the curve does not pass through it, inside its panel.
func TestValuesOfASweepAreClearOfItsCurve(t *testing.T) {
	nan := math.NaN()
	w := Sweep{Title: "interval", Values: []string{"1", "2", "3", "4", "5", "6"}, Current: 2, Panels: []Panel{
		{Title: "p99", Points: []float64{3, 2, 3, 9, nan, nan}, Texts: []string{"3 s", "2 s", "3.0 s", "9.0 s", "no checkpoint within the run", "no checkpoint within the run"}},
		{Title: "duration", Points: []float64{1, 8, 8.4, 8.6, 2, 1}, Texts: []string{"1 s", "8 s", "8.40 s", "8.60 s", "2 s", "1 s"}},
		{Title: "stored", Points: []float64{1, 2, 3, 4, 5, 6}, Texts: []string{"1 B", "2 B", "3 B", "4 B", "5 B", "6 B"}},
	}}
	var s scene.Scene
	BuildSweep(w, 900, 280, &s)
	for i := range s.Marks {
		m := &s.Marks[i]
		if m.Kind != scene.Text || m.ID.What != scene.SweepPoint {
			continue
		}
		if m.X < 0 || m.X+m.W > 900 {
			t.Errorf("%q is cut off", s.Text(m))
		}
		panel := &w.Panels[m.ID.A]
		if math.IsNaN(panel.Points[m.ID.B]) && m.ID.B != 4 {
			t.Errorf("the reason is told again at %d", m.ID.B)
		}
		for k := range s.Marks {
			c := &s.Marks[k]
			if c.Kind != scene.Path {
				continue
			}
			for p := s.Points(c); len(p) > 1; p = p[1:] {
				for f := float32(0); f <= 1; f += 1.0 / 64 {
					x, y := p[0].X+(p[1].X-p[0].X)*f, p[0].Y+(p[1].Y-p[0].Y)*f
					if x > m.X && x < m.X+m.W && y > m.Y-8 && y < m.Y {
						t.Fatalf("the curve passes through %q", s.Text(m))
					}
				}
			}
		}
	}
}

// What is cut out of a curve lies in the box, and all else is left.
func TestOutsideCutsTheBoxOut(t *testing.T) {
	curve := plotter.XYs{{X: 0, Y: 0}, {X: 10, Y: 10}, {X: 10, Y: 0}, {X: 20, Y: 10}}
	parts := outside(curve, [2]float64{2, 12}, [2]float64{4, 8})
	want := []plotter.XYs{
		{{X: 0, Y: 0}, {X: 4, Y: 4}}, {{X: 8, Y: 8}, {X: 10, Y: 10}, {X: 10, Y: 8}}, {{X: 10, Y: 4}, {X: 10, Y: 0}, {X: 20, Y: 10}},
	}
	if !reflect.DeepEqual(parts, want) {
		t.Errorf("%v", parts)
	}
	if parts := outside(curve, [2]float64{30, 40}, [2]float64{0, 10}); len(parts) != 1 || !reflect.DeepEqual(parts[0], curve) {
		t.Errorf("beside the box: %v", parts)
	}
}

// What is still to come of the lanes does not pass through their values beside the cursor.
func TestValuesOfLanesAreClearOfWhatComes(t *testing.T) {
	h := sample.History()
	for now := 5 * event.Second; now < 80*event.Second; now += 5 * event.Second {
		var s scene.Scene
		Build(h, Options{Width: 1300, Now: now, End: 90 * event.Second, Lanes: []Lane{{"A", h}, {"B", h}}}, &s)
		values := 0
		for i := range s.Marks {
			m := &s.Marks[i]
			if text := s.Text(m); m.Kind != scene.Text || m.ID.What != scene.Plot || text[:1] != "A" && text[:1] != "B" {
				continue
			}
			values++
			for k := range s.Marks {
				if c := &s.Marks[k]; c.Kind == scene.Path && c.Alpha < scene.Opaque && c.Hatch == scene.Solid && c.Stroke > 0 {
					crosses(t, s.Points(c), m)
				}
			}
		}
		if values != 2 {
			t.Errorf("at %v: %d values", now, values)
		}
	}
}

// crosses fails where a curve passes through a text.
func crosses(t *testing.T, points []scene.Point, text *scene.Mark) {
	t.Helper()
	for p := points; len(p) > 1; p = p[1:] {
		for f := float32(0); f <= 1; f += 1.0 / 256 {
			x, y := p[0].X+(p[1].X-p[0].X)*f, p[0].Y+(p[1].Y-p[0].Y)*f
			if x > text.X && x < text.X+text.W && y > text.Y-8 && y < text.Y {
				t.Fatalf("a curve passes through the value at %.0f, %.0f", x, y)
			}
		}
	}
}
