package scene_test

import (
	"flag"
	"fmt"
	"os"
	"sort"
	"strings"
	"testing"

	"checkpointlab/core"
	"checkpointlab/render/internal/sample"
	"checkpointlab/render/scene"
	"checkpointlab/render/token"
)

var rewrite = flag.Bool("rewrite", false, "write the golden files anew")

// The story of each moment is read off the marks alone, so that a change of the picture's meaning shows as a change of
// text: D d dark full and part-filled, L l light, S stored, |7 a barrier, >7 one that overtakes; heads stand at the right.
func TestStories(t *testing.T) {
	names, views := sample.Moments()
	names, views = append(names, "join"), append(views, sample.Join())
	var b strings.Builder
	for i, v := range views {
		fmt.Fprintf(&b, "%s\n", names[i])
		story(&b, v, build(v, scene.Options{Width: 1392}))
	}
	const golden = "testdata/stories.txt"
	if *rewrite {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("the stories differ from %s (go test -rewrite writes them):\n%s", golden, b.String())
	}
}

func story(b *strings.Builder, v *core.View, s *scene.Scene) {
	for i := range v.Exchanges {
		e := &v.Exchanges[i]
		for k := range e.Channels {
			c := &e.Channels[k]
			fmt.Fprintf(b, "  %s %d → %s %d: [%s] %s [%s]\n", v.Vertices[e.From].Name, c.From, v.Vertices[e.To].Name, c.To,
				queueStory(s, c.Channel, scene.Sender), gateStory(s, c.Channel), queueStory(s, c.Channel, scene.Receiver))
		}
	}
	for i := range s.Marks {
		m := &s.Marks[i]
		if m.Kind == scene.Text && m.ID.What != scene.Nothing && m.ID.What != scene.Gate && m.ID.What != scene.Barrier {
			fmt.Fprintf(b, "  %s: %s\n", m.ID, strings.TrimSpace(s.Text(m)))
		}
	}
}

// queueStory writes the cells of a place from left to right, ticks of free buffers as dots.
func queueStory(s *scene.Scene, channel int32, place scene.Place) string {
	type cell struct {
		x    float32
		text string
	}
	cells := map[scene.ID]cell{}
	var ticks []cell
	for i := range s.Marks {
		m := &s.Marks[i]
		here := m.ID.Place == place || place == scene.Receiver && m.ID.Place == scene.Hand
		if m.ID.A != channel {
			continue
		}
		switch {
		case m.ID.What == scene.Buffer && here && m.Fill != token.None:
			cells[m.ID] = cell{m.X, inkStory(m)}
		case m.ID.What == scene.Barrier && here && m.Kind == scene.Rect && m.W == token.BarrierW:
			cells[m.ID] = cell{m.X, "|"}
		case m.ID.What == scene.Barrier && here && m.Kind == scene.Sprite && m.Shape == scene.ArrowFlag:
			cells[m.ID] = cell{m.X, ">"}
		case m.ID.What == scene.Barrier && here && m.Kind == scene.Text:
			c := cells[m.ID]
			cells[m.ID] = cell{c.x, c.text + s.Text(m)}
		case m.ID.What == scene.Credits && place == scene.Receiver && m.Fill == token.Line:
			ticks = append(ticks, cell{m.X, "."})
		}
	}
	for _, c := range cells {
		ticks = append(ticks, c)
	}
	sort.Slice(ticks, func(i, j int) bool { return ticks[i].x < ticks[j].x })
	var text strings.Builder
	for _, c := range ticks {
		text.WriteString(c.text)
	}
	return text.String()
}

func inkStory(m *scene.Mark) string {
	letter := "d"
	switch {
	case m.Hatch == scene.Stored:
		letter = "s"
	case m.Fill == token.BufPost || m.Fill == token.BufPostFill:
		letter = "l"
	}
	if m.H >= token.CellH {
		letter = strings.ToUpper(letter)
	}
	return letter
}

func gateStory(s *scene.Scene, channel int32) string {
	text, held := "", ""
	for i := range s.Marks {
		m := &s.Marks[i]
		if m.ID.What == scene.Wire && m.ID.A == channel && m.Dash == scene.Dash33 {
			held = " held"
		}
		if m.ID.What != scene.Gate || m.ID.A != channel {
			continue
		}
		switch {
		case m.Kind == scene.Sprite:
			text += "> "
		case m.Kind == scene.Rect && m.Fill.IsHue():
			text += "shut by the barrier"
		case m.Kind == scene.Rect:
			text += "shut "
		case m.Kind == scene.Text:
			text += s.Text(m)
		}
	}
	return text + held
}
