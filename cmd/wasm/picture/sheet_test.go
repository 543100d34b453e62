package picture

import (
	"strings"
	"testing"

	"checkpointlab/core/event"
	"checkpointlab/render/figure"
	"checkpointlab/render/font"
	"checkpointlab/render/scene"
	"checkpointlab/render/token"
)

// A file holds all of the picture and its words within its edges, and nothing of the document's empty places.
func TestASheetHoldsThePictureAndItsWords(t *testing.T) {
	run := filmed(t, "backpressure")
	v, h := run.At(71200*event.Millisecond), run.Lab().History()
	about := Sheet{Caption: "map 1 holds a channel.", Source: "A slow sink. Seed 42, at 71.200 s. https://example.org/" + strings.Repeat("x", 400)}
	for _, mode := range []string{"wide", "medium", "phone"} {
		p := placed(t, mode, v, h)
		p.place.Gantt.Y += 300 // controls of the document
		p.place.H += 500
		p.Build(one(v, h, true))
		before := len(p.figure.Parts)
		var still, s scene.Scene
		p.Still(&still)
		p.Sheet(about, &s)
		texts := map[string]bool{}
		for i := range s.Marks {
			m := &s.Marks[i]
			x, y, w, hh := m.Box()
			if x < 8 || y < 8 || x+w > s.Width-8 || y+hh > s.Height-4 {
				t.Errorf("%s: %v at %.0f %.0f %.0f %.0f outside of %.0f × %.0f", mode, m.ID, x, y, w, hh, s.Width, s.Height)
			}
			if m.Kind == scene.Text {
				texts[s.Text(m)] = true
			}
		}
		for i := range still.Marks {
			if m := &still.Marks[i]; m.Kind == scene.Text && !texts[still.Text(m)] {
				t.Errorf("%s: %q is missing", mode, still.Text(m))
			}
		}
		if !texts[about.Caption] {
			t.Errorf("%s: no caption", mode)
		}
		if mode == "phone" && s.Height > 1200 {
			t.Errorf("the sheet is %.0f px high: the document's controls left their place", s.Height)
		}
		if len(p.figure.Parts) != before {
			t.Errorf("%s: the picture has other parts than before", mode)
		}
	}
}

func TestASheetNamesTheLanes(t *testing.T) {
	run := filmed(t, "backpressure")
	v, h := run.At(50*event.Second), run.Lab().History()
	lanes := []figure.Lane{{View: v, History: h, Name: "A"}, {View: v, History: h, Name: "B"}}
	p := New()
	p.Put(Place{Mode: "wide", Ratio: 1, W: 1392, H: 1000, Plot: Box{W: 1390, H: 250}, Lanes: []Box{{Y: 300, W: 964, H: 300}, {Y: 680, W: 964, H: 300}}})
	p.Build(Shot{Lanes: lanes, Fresh: true, Shaded: 1})
	var s scene.Scene
	p.Sheet(Sheet{Lanes: []string{"A  aligned", "B  unaligned"}}, &s)
	found := map[string]int{}
	for i := range s.Marks {
		if m := &s.Marks[i]; m.Kind == scene.Text {
			found[s.Text(m)]++
		}
	}
	if found["A  aligned"] != 1 || found["B  unaligned"] != 1 {
		t.Errorf("%d and %d names", found["A  aligned"], found["B  unaligned"])
	}
}

func TestWrapKeepsEveryLetterAndTheWidth(t *testing.T) {
	const text = "one two three https://example.org/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa 배리어 8은 아직 뒤에 있다"
	for _, width := range []float64{60, 100, 400, 5000} {
		lines := wrap(text, width, token.T12)
		squeeze := func(s string) string { return strings.ReplaceAll(s, " ", "") }
		if got := squeeze(strings.Join(lines, "")); got != squeeze(text) {
			t.Errorf("%v: %q", width, got)
		}
		for _, line := range lines {
			if font.Width(line, font.Regular, token.T12) > width {
				t.Errorf("%q is wider than %v", line, width)
			}
		}
	}
}
