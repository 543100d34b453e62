package scene_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"checkpointlab/core"
	"checkpointlab/render/internal/sample"
	"checkpointlab/render/scene"
	"checkpointlab/render/token"
)

func build(v *core.View, o scene.Options) *scene.Scene {
	s := &scene.Scene{}
	scene.Build(v, nil, o, s)
	return s
}

// ids are the distinct things that marks of a kind stand for.
func ids(s *scene.Scene, what scene.What) map[scene.ID]bool {
	all := map[scene.ID]bool{}
	for i := range s.Marks {
		if s.Marks[i].ID.What == what {
			all[s.Marks[i].ID] = true
		}
	}
	return all
}

// queues draws a random queue text, head first, with at most one barrier.
func queue(t *rapid.T, name string, unaligned bool) string {
	text := rapid.StringOfN(rapid.RuneFrom([]rune("F5o")), 0, 9, -1).Draw(t, name)
	if rapid.IntRange(0, 3).Draw(t, name+" barrier") > 0 {
		return text
	}
	at := rapid.IntRange(0, len(text)).Draw(t, name+" at")
	if unaligned {
		return text[:at] + ">" + text[at:]
	}
	return text[:at] + "|" + text[at:]
}

func randomView(t *rapid.T) *core.View {
	p := []int{rapid.IntRange(1, 4).Draw(t, "sources"), rapid.IntRange(1, 4).Draw(t, "maps"), rapid.IntRange(1, 4).Draw(t, "sinks")}
	unaligned := rapid.Bool().Draw(t, "unaligned")
	j := sample.Job{Names: []string{"source", "map", "sink"}, Kinds: []core.VertexKind{core.Source, core.Map, core.Sink},
		Edges: [][2]int{{0, 1}, {1, 2}}, P: p, ID: 7, Completed: 6, At: 71e9}
	for i := range 2 {
		var cs []sample.Channel
		for range p[i] * p[i+1] {
			c := sample.Channel{Credit: rapid.IntRange(0, 5).Draw(t, "credit")}
			switch rapid.IntRange(0, 2).Draw(t, "where") {
			case 0:
				c.Recv, c.Send = queue(t, "receiver", unaligned), strings.ReplaceAll(queue(t, "sender", false), "|", "")
			case 1:
				c.Recv, c.Send = strings.ReplaceAll(queue(t, "receiver", false), "|", ""), queue(t, "sender", unaligned)
			default:
				c.Wire, c.Hand = "F", "5"
			}
			cs = append(cs, c)
		}
		j.Channels = append(j.Channels, cs)
	}
	return j.View()
}

// Every buffer is a cell at level Cells, whatever the layout and however full the queues: nothing is left out.
func TestEveryCellIsDrawn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := randomView(t)
		o := scene.Options{Width: rapid.SampledFrom([]float64{358, 928, 1392, 1600}).Draw(t, "width")}
		s := build(v, o)
		buffers, barriers := 0, 0
		for i := range v.Exchanges {
			for _, c := range v.Exchanges[i].Channels {
				if c.Holding {
					buffers++
				}
				for _, q := range [][]core.Cell{c.Sender, c.Wire, c.Receiver} {
					for k := range q {
						if q[k].Kind == core.Barrier {
							barriers++
						} else {
							buffers++
						}
					}
				}
			}
		}
		if got := len(ids(s, scene.Buffer)); got != buffers {
			t.Fatalf("%d buffers drawn, the view has %d", got, buffers)
		}
		if got := len(ids(s, scene.Barrier)); got != barriers {
			t.Fatalf("%d barriers drawn, the view has %d", got, barriers)
		}
	})
}

// Dark is ahead of the barrier, light is behind it (design 1): checked cell by cell against the dumb definition.
func TestDarkIsAheadLightIsBehind(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := randomView(t)
		s := build(v, scene.Options{Width: 1392})
		light := map[scene.ID]bool{}
		for i := range s.Marks {
			m := &s.Marks[i]
			if m.ID.What == scene.Buffer && (m.Fill == token.BufPostFill || m.Fill == token.BufPost) {
				light[m.ID] = true
			}
		}
		for i := range v.Exchanges {
			for k := range v.Exchanges[i].Channels {
				checkCut(t, &v.Exchanges[i].Channels[k], light)
			}
		}
	})
}

// checkCut walks one channel that has the barrier in it: light from there on against the flow, dark before.
func checkCut(t *rapid.T, c *core.ChannelView, light map[scene.ID]bool) {
	type place struct {
		p scene.Place
		q []core.Cell
	}
	places := []place{{scene.Receiver, c.Receiver}, {scene.Transit, c.Wire}, {scene.Sender, c.Sender}}
	found := false
	for _, x := range places {
		for i := range x.q {
			found = found || x.q[i].Kind == core.Barrier
		}
	}
	if !found {
		return
	}
	behind := false
	for _, x := range places {
		for i := range x.q {
			if x.q[i].Kind == core.Barrier {
				behind = true
				continue
			}
			id := scene.ID{What: scene.Buffer, Place: x.p, A: c.Channel, B: int32(i)}
			if light[id] != behind {
				t.Fatalf("channel %d place %d cell %d: light %v, behind the barrier %v", c.Channel, x.p, i, light[id], behind)
			}
		}
	}
}

// A queue keeps its order on the screen: the head stands rightmost.
func TestQueuesKeepTheirOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := build(randomView(t), scene.Options{Width: 1392})
		left := map[scene.ID]float32{}
		for i := range s.Marks {
			m := &s.Marks[i]
			if m.ID.What == scene.Buffer && m.ID.Place != scene.Transit {
				left[m.ID] = m.X + m.W
			}
		}
		for id, x := range left {
			next := id
			next.B++
			if after, ok := left[next]; ok && after >= x {
				t.Fatalf("%v ends at %v, the one behind it at %v", id, x, after)
			}
		}
	})
}

// Without a pending checkpoint everything is ahead of the next barrier.
func TestAllDarkWithoutCheckpoint(t *testing.T) {
	s := build(sample.Backpressure(), scene.Options{Width: 1392})
	for i := range s.Marks {
		if m := &s.Marks[i]; m.ID.What == scene.Buffer && m.Fill == token.BufPostFill {
			t.Fatalf("%v is light though no checkpoint is pending", m.ID)
		}
	}
}

// No two texts of the wide and medium layouts may touch, in either language.
func TestTextsDoNotOverlap(t *testing.T) {
	names, views := sample.Moments()
	for i, v := range views {
		for lang := scene.English; lang <= scene.Korean; lang++ {
			for _, width := range []float64{720, 800, 928, 1100, 1200, 1392, 1552} {
				overlap(t, names[i], build(v, scene.Options{Width: width, Lang: lang}))
			}
		}
	}
}

func overlap(t *testing.T, name string, s *scene.Scene) {
	t.Helper()
	for i := range s.Marks {
		a := &s.Marks[i]
		if a.Kind != scene.Text {
			continue
		}
		ax, ay, aw, ah := a.Box()
		if ax < -0.5 || ax+aw > s.Width+0.5 {
			t.Errorf("%s at %v: %q leaves the picture", name, s.Width, s.Text(a))
		}
		for j := range s.Marks {
			b := &s.Marks[j]
			if j == i || b.Kind == scene.Text && j > i || b.Kind != scene.Text && b.ID.What != scene.Ack {
				continue // each pair of texts once, and every text against the band's boxes
			}
			bx, by, bw, bh := b.Box()
			if ax < bx+bw-0.5 && bx < ax+aw-0.5 && ay < by+bh-0.5 && by < ay+ah-0.5 {
				t.Errorf("%s at %v: %q and %q overlap", name, s.Width, s.Text(b), s.Text(a))
			}
		}
	}
}

func TestLevels(t *testing.T) {
	for p, want := range map[int]scene.Level{1: scene.Cells, 4: scene.Cells, 5: scene.Matrix, 16: scene.Matrix, 17: scene.Compact, 64: scene.Compact, 65: scene.Summed} {
		if got := scene.LevelFor(sample.Square(p)); got != want {
			t.Errorf("%d subtasks: level %d, want %d", p, got, want)
		}
	}
}

// A frame has at most 1 500 primitives, whatever the parallelism (design 11).
func TestBudget(t *testing.T) {
	for _, p := range []int{1, 2, 3, 4, 5, 8, 16, 17, 40, 64, 65, 200} {
		v := sample.Square(p)
		for _, width := range []float64{358, 928, 1392} {
			if n := len(build(v, scene.Options{Width: width}).Marks); n > 1500 {
				t.Errorf("%d subtasks at %v px: %d primitives", p, width, n)
			}
		}
	}
}

// Over budget ticks, underlines and pool squares go; barriers stay.
func TestOverBudgetKeepsBarriers(t *testing.T) {
	v := sample.Square(4)
	for i := range v.Vertices {
		for k := range v.Vertices[i].Tasks {
			v.Vertices[i].Tasks[k].InTotal, v.Vertices[i].Tasks[k].OutTotal = 48, 48
		}
	}
	full, spare := build(sample.Square(4), scene.Options{Width: 1392}), build(v, scene.Options{Width: 1392})
	if len(ids(full, scene.Credits)) == 0 || len(ids(spare, scene.Credits)) != 0 || len(ids(spare, scene.Pool)) != 0 {
		t.Errorf("credits drawn: %d within budget, %d over it; pools over it: %d", len(ids(full, scene.Credits)), len(ids(spare, scene.Credits)), len(ids(spare, scene.Pool)))
	}
	if got, want := len(ids(spare, scene.Barrier)), len(ids(full, scene.Barrier)); got != want || want == 0 {
		t.Errorf("%d barriers over budget, %d within", got, want)
	}
}

func TestSteadyBuildDoesNotAllocate(t *testing.T) {
	h := sample.History()
	for name, c := range map[string]struct {
		v *core.View
		o scene.Options
	}{
		"wide":    {sample.Alignment(), scene.Options{Width: 1392}},
		"phone":   {sample.Unaligned(), scene.Options{Width: 358, Lang: scene.Korean}},
		"matrix":  {sample.Square(8), scene.Options{Width: 1392}},
		"compact": {sample.Square(20), scene.Options{Width: 1392}},
		"summed":  {sample.Square(70), scene.Options{Width: 1392}},
	} {
		var s scene.Scene
		scene.Build(c.v, h, c.o, &s)
		if n := testing.AllocsPerRun(20, func() { scene.Build(c.v, h, c.o, &s) }); n != 0 {
			t.Errorf("%s: %v allocations a frame, want none", name, n)
		}
	}
}

func TestFingerprint(t *testing.T) {
	v := sample.Alignment()
	a, b := build(v, scene.Options{Width: 1392}), build(sample.Alignment(), scene.Options{Width: 1392})
	if a.Fingerprint() != b.Fingerprint() {
		t.Error("the same view has two fingerprints")
	}
	v.Exchanges[0].Channels[3].Receiver[0].Bytes -= 4000
	c := build(v, scene.Options{Width: 1392})
	if a.Fingerprint() == c.Fingerprint() {
		t.Error("a buffer that drained did not change the fingerprint")
	}
	if a.StaticFingerprint() != build(sample.Failure(), scene.Options{Width: 1392}).StaticFingerprint() {
		t.Error("the static marks of one layout differ between two states")
	}
}

// The centre of every cell, gate and card's name gives its own read-out.
func TestHitFindsTheMark(t *testing.T) {
	s := build(sample.Alignment(), scene.Options{Width: 1392})
	for i := range s.Marks {
		m := &s.Marks[i]
		if m.ID.What != scene.Buffer || m.Fill == token.None {
			continue
		}
		x, y, w, h := m.Box()
		if got, ok := scene.Hit(s, x+w/2, y+h/2); !ok || got != m.ID {
			t.Errorf("the centre of %v hits %v", m.ID, got)
		}
	}
	if _, ok := scene.Hit(s, 700, s.Height-1); ok {
		t.Error("the gap between the legend's halves hits something")
	}
}

func TestHitFindsTheChannelOfAGrid(t *testing.T) {
	s := build(sample.Square(20), scene.Options{Width: 1392})
	for i := range s.Marks {
		if m := &s.Marks[i]; m.Kind == scene.Grid && m.ID.A == 1 {
			x, y := float64(m.X)+float64(m.W)*(3.5/20), float64(m.Y)+float64(m.H)*(7.5/20)
			want := scene.ID{What: scene.Channel, A: 400 + 7*20 + 3}
			if got, _ := scene.Hit(s, x, y); got != want {
				t.Errorf("row 7, column 3 of the second exchange hits %v, want %v", got, want)
			}
			return
		}
	}
	t.Fatal("no grid")
}

// A view that has not been filled yet is an empty picture, not a crash.
func TestEmptyView(t *testing.T) {
	for _, width := range []float64{358, 928, 1392} {
		for l := scene.ByParallelism; l <= scene.Summed; l++ {
			s := build(&core.View{}, scene.Options{Width: width, Level: l})
			if s.Height < 0 || len(ids(s, scene.Card)) != 0 {
				t.Errorf("level %d at %v px: height %v", l, width, s.Height)
			}
		}
	}
}
