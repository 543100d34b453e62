package scene_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"checkpointlab/core"
	"checkpointlab/render/internal/sample"
	"checkpointlab/render/scene"
)

// chain is a job of so many operators in a row with four subtasks each, every channel full and a checkpoint pending.
func chain(operators int) *core.View {
	j := sample.Job{ID: 17, Completed: 16, At: 171e9}
	for i := range operators {
		kind := core.Map
		switch i {
		case 0:
			kind = core.Source
		case operators - 1:
			kind = core.Sink
		}
		j.Names, j.Kinds, j.P = append(j.Names, string(rune('a'+i))), append(j.Kinds, kind), append(j.P, 4)
		if i == 0 {
			continue
		}
		j.Edges = append(j.Edges, [2]int{i - 1, i})
		var cs []sample.Channel
		for range 16 {
			cs = append(cs, sample.Channel{Send: "FFFFFFFFFo", Recv: "FFF|FFFFFF", Hand: "5"})
		}
		j.Channels = append(j.Channels, cs)
	}
	return j.View()
}

// longChain is a job of so many operators in a row with so many subtasks each, longer names, a checkpoint pending and a record that has
// spent time everywhere.
func longChain(operators, subtasks int) *core.View {
	j := sample.Job{ID: 17, Completed: 16, At: 171e9}
	b := core.Budget{Age: 123e9, Log: 12e9, Output: 12e9, Behind: 16}
	for i := range operators {
		name, kind := "enrich", core.Map
		switch i {
		case 0:
			name, kind = "source", core.Source
		case operators - 1:
			name, kind = "sink", core.Sink
		}
		j.Names, j.Kinds, j.P = append(j.Names, name), append(j.Kinds, kind), append(j.P, subtasks)
		if i > 0 {
			j.Edges, b.Exchanges = append(j.Edges, [2]int{i - 1, i}), append(b.Exchanges, 12e9)
		}
	}
	v := j.View()
	v.Budget = b
	for i := range v.Exchanges {
		v.Exchanges[i].Partition = core.Rebalance
	}
	for i := range v.Vertices[1].Tasks[:subtasks/2] {
		v.Vertices[1].Tasks[i].State = core.Failed
	}
	return v
}

// Of merged operators in a row, whatever their number and their parallelism, no words touch, none lie on another operator and nothing of a
// channel does.
func TestLongWideChainsAreLegible(t *testing.T) {
	for _, operators := range []int{2, 3, 5, 7, 8, 10, 12} {
		for _, subtasks := range []int{6, 20, 70} {
			v := longChain(operators, subtasks)
			for _, width := range []float64{672, 792, 912, 1152, 1392} {
				layout := scene.Medium // the page's from 720 px on, whose margins are not the picture's
				if width >= 1200 {
					layout = scene.Wide
				}
				for lang := scene.English; lang <= scene.Korean; lang++ {
					s := build(v, scene.Options{Width: width, Lang: lang, Layout: layout})
					overlap(t, fmt.Sprintf("%d operators of %d", operators, subtasks), s)
					clearOfOperators(t, s)
				}
			}
		}
	}
}

// clearOfOperators holds what is written of, and drawn in, exchanges to the room between the areas of operators.
func clearOfOperators(t *testing.T, s *scene.Scene) {
	t.Helper()
	for i := range s.Marks {
		o := &s.Marks[i]
		if o.Kind == scene.Text || o.ID.What != scene.Operator && o.ID.What != scene.Card {
			continue
		}
		for j := range s.Marks {
			m := &s.Marks[j]
			if (m.ID.What == scene.Exchange || m.ID.What == scene.Channel || m.ID.What == scene.Operator && m.Kind == scene.Text) && m.ID != o.ID && touch(o, m) {
				t.Fatalf("at %v: %v (%q) lies on %v", s.Width, m.ID, s.Text(m), o.ID)
			}
		}
	}
}

// However many operators stand in a row, no words touch and nothing of a channel lies on a card.
func TestLongChainsAreLegible(t *testing.T) {
	for operators := 2; operators <= 7; operators++ {
		v := chain(operators)
		for _, width := range []float64{858, 912, 1024, 1152, 1192, 1392, 1552} {
			for lang := scene.English; lang <= scene.Korean; lang++ {
				s := build(v, scene.Options{Width: width, Lang: lang})
				overlap(t, v.Vertices[operators-1].Name, s)
				clearOfCards(t, operators, s)
			}
		}
	}
	if s := build(chain(3), scene.Options{Width: 1392}); s.Level != scene.Cells {
		t.Error("three operators are merged")
	}
	if s := build(chain(6), scene.Options{Width: 1392}); s.Level != scene.Matrix {
		t.Error("six operators are not merged")
	}
}

// clearOfCards holds buffers, grids and barriers to the room between cards.
func clearOfCards(t *testing.T, operators int, s *scene.Scene) {
	t.Helper()
	var cards, channels []*scene.Mark
	for i := range s.Marks {
		switch m := &s.Marks[i]; {
		case m.ID.What == scene.Card && m.Kind == scene.Rect && m.Radius > 0:
			cards = append(cards, m)
		case m.ID.What == scene.Buffer || m.ID.What == scene.Channel || m.Kind == scene.Grid:
			channels = append(channels, m)
		}
	}
	if len(cards) == 0 || len(channels) == 0 {
		t.Fatalf("%d operators at %v: %d cards, %d marks of channels", operators, s.Width, len(cards), len(channels))
	}
	for _, c := range cards {
		for _, m := range channels {
			if m.X < c.X+c.W-0.5 && c.X < m.X+m.W-0.5 && m.Y < c.Y+c.H && c.Y < m.Y+m.H {
				t.Fatalf("%d operators at %v: %v lies on %v", operators, s.Width, m.ID, c.ID)
			}
		}
	}
}

// On a phone a barrier keeps to its lane: its flag touches nothing of the one above, also in a low window; and what is written below
// outputs that stand side by side does not touch.
func TestBarriersOnAPhoneKeepToTheirLanes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := randomView(t)
		for i := range v.Vertices {
			for k := range v.Vertices[i].Tasks {
				if task := &v.Vertices[i].Tasks[k]; v.Vertices[i].Kind == core.Sink {
					task.Output.Guarantee = core.ExactlyOnce
					task.Output.Transactions = []core.TransactionView{{Checkpoint: 7, Records: 12_345}}
				}
			}
		}
		s := build(v, scene.Options{Width: 358, Height: rapid.SampledFrom([]float64{0, 352}).Draw(t, "height")})
		for i := range s.Marks {
			m := &s.Marks[i]
			if m.ID.What != scene.Barrier && m.ID.What != scene.Output {
				continue
			}
			x, y, w, h := m.Box()
			for j := range s.Marks {
				o := &s.Marks[j]
				if o.ID.A == m.ID.A || m.ID.What == scene.Barrier && o.ID.What != scene.Barrier && o.ID.What != scene.Buffer ||
					m.ID.What == scene.Output && (m.Kind != scene.Text || o.Kind != scene.Text || o.ID.What != scene.Output) {
					continue
				}
				ox, oy, ow, oh := o.Box()
				if x < ox+ow-0.5 && ox < x+w-0.5 && y < oy+oh-0.5 && oy < y+h-0.5 {
					t.Fatalf("%v at %.1f to %.1f touches %v at %.1f to %.1f", m.ID, y, y+h, o.ID, oy, oy+oh)
				}
			}
		}
	})
}
