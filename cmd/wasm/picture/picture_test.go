package picture

import (
	"strings"
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/timeline"
	"checkpointlab/render/scene"
	"checkpointlab/scenarios"
)

// filmed is a computed run of a scenario.
func filmed(t testing.TB, name string) *timeline.Timeline {
	t.Helper()
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

// placed is a picture on a stage as the document lays it out.
func placed(t testing.TB, mode string, v *core.View, h *core.History) *Picture {
	t.Helper()
	widths := map[string]Widths{
		"wide": {"wide", 1392, 962, 416, 0}, "medium": {"medium", 912, 910, 910, 0}, "phone": {"phone", 358, 358, 358, 0},
		"embed": {"embed", 928, 928, 0, 0},
	}[mode]
	p := New()
	p.Lang("en")
	high := p.Measure(widths, v, h)
	at := Place{Mode: mode, Ratio: 1, W: widths.Pipe, Pipe: Box{0, 0, widths.Pipe, high.Pipe}}
	at.Plot = Box{1, high.Pipe + 9, widths.Plot, high.Plot}
	at.Gantt = Box{977, high.Pipe + 9, widths.Gantt, high.Gantt}
	if mode != "wide" {
		at.Gantt.X, at.Gantt.Y = 1, at.Plot.Y+at.Plot.H+8
	}
	at.H = max(at.Plot.Y+at.Plot.H, at.Gantt.Y+at.Gantt.H)
	p.Put(at)
	return p
}

func TestEveryPartStandsInsideItsBox(t *testing.T) {
	run := filmed(t, "backpressure")
	for _, mode := range []string{"wide", "medium", "phone"} {
		for _, at := range []event.Time{0, 20 * event.Second, 71600 * event.Millisecond, 90 * event.Second} {
			v, h := run.At(at), run.Lab().History()
			p := placed(t, mode, v, h)
			p.Build(v, h, nil, true)
			if len(p.parts) != 3 {
				t.Fatalf("%s: %d parts", mode, len(p.parts))
			}
			s := p.Scene()
			for i := range s.Marks {
				m := &s.Marks[i]
				x, y, w, hh := m.Box()
				if x < -12 || y < -12 || x+w > p.place.W+12 || y+hh > p.place.H+12 {
					t.Errorf("%s at %d: %v stands at %.0f %.0f %.0f %.0f outside of %.0f × %.0f", mode, at, m.ID, x, y, w, hh, p.place.W, p.place.H)
				}
			}
			if s.Static <= 0 || s.Static >= len(s.Marks) {
				t.Errorf("%s: %d of %d marks are static", mode, s.Static, len(s.Marks))
			}
		}
	}
}

func TestStaticMarksStayWhileARunPlays(t *testing.T) {
	run := filmed(t, "backpressure")
	v, h := run.At(0), run.Lab().History()
	p := placed(t, "wide", v, h)
	p.Build(v, h, nil, true)
	first := p.Scene().StaticFingerprint()
	last := p.Scene().Fingerprint()
	for at := event.Time(0); at <= 90*event.Second; at += 3 * event.Second {
		p.Build(run.At(at), h, nil, true)
		if p.Scene().StaticFingerprint() != first {
			t.Fatalf("at %d the baked ground changed", at)
		}
		if at > 0 && p.Scene().Fingerprint() == last {
			t.Fatalf("at %d the picture is that of before", at)
		}
		last = p.Scene().Fingerprint()
	}
	p.Build(run.At(30*event.Second), h, nil, true)
	same := p.Scene().Fingerprint()
	p.Build(run.At(30*event.Second), h, nil, true)
	if p.Scene().Fingerprint() != same {
		t.Error("the same instant gives another picture")
	}
}

func TestTargetsReadAloudAndAreHitWhereTheyStand(t *testing.T) {
	run := filmed(t, "backpressure")
	v, h := run.At(71600*event.Millisecond), run.Lab().History()
	p := placed(t, "wide", v, h)
	p.Build(v, h, nil, true)
	count := map[string]int{}
	ids := map[string]bool{}
	for _, target := range p.Targets() {
		count[target.Group]++
		if ids[target.ID] {
			t.Errorf("%s is listed twice", target.ID)
		}
		ids[target.ID] = true
		if target.Label == "" {
			t.Errorf("%s says nothing", target.ID)
		}
		if strings.HasPrefix(target.ID, "card-") {
			p.Hover(target.Box.X+3, target.Box.Y+target.Box.H-3)
			if text, at := p.Reading(); text != target.Label || at == (Box{}) {
				t.Errorf("hovering %s reads %q at %v", target.ID, text, at)
			}
		}
	}
	for _, group := range groups {
		if count[group] == 0 {
			t.Errorf("nothing to focus in the %s", group)
		}
	}
}

func TestPinnedStaysAndChoosesTheCheckpoint(t *testing.T) {
	run := filmed(t, "backpressure")
	v, h := run.At(71600*event.Millisecond), run.Lab().History()
	p := placed(t, "wide", v, h)
	p.Build(v, h, nil, true)
	if got := p.shown(); got != 7 {
		t.Fatalf("the newest ended checkpoint is %d", got)
	}
	id := scene.ID{What: scene.Checkpoint, A: 5}
	p.Pin(id.String())
	p.Build(v, h, nil, true)
	if text, _ := p.Reading(); p.shown() != 5 || !strings.Contains(text, "5") {
		t.Errorf("pinned shows %d and reads %q", p.shown(), text)
	}
	p.Pin(id.String())
	if p.Build(v, h, nil, true); p.shown() != 7 {
		t.Error("the same pin again does not unpin")
	}
	p.Pin("no such mark")
	if text, _ := p.Reading(); text != "" {
		t.Errorf("an unknown name reads %q", text)
	}
}

func TestThePlotMayBeOfShortlyBefore(t *testing.T) {
	run := filmed(t, "backpressure")
	v, h := run.At(40*event.Second), run.Lab().History()
	p := placed(t, "wide", v, h)
	p.Build(v, h, nil, true)
	before := p.plot.scene.Fingerprint()
	p.Build(run.At(41*event.Second), h, nil, false)
	if p.plot.scene.Fingerprint() != before {
		t.Error("the plot was built though it need not be")
	}
	p.Build(run.At(41*event.Second), h, nil, true)
	if p.plot.scene.Fingerprint() == before {
		t.Error("the plot was not built though it must be")
	}
}

func BenchmarkFrame(b *testing.B) {
	run := filmed(b, "backpressure")
	h := run.Lab().History()
	v := run.At(60 * event.Second)
	p := placed(b, "wide", v, h)
	for b.Loop() {
		p.Build(v, h, nil, false)
		p.Scene().Fingerprint()
	}
}

func BenchmarkPlot(b *testing.B) {
	run := filmed(b, "backpressure")
	h := run.Lab().History()
	v := run.At(60 * event.Second)
	p := placed(b, "wide", v, h)
	for b.Loop() {
		p.plot.made = made{}
		p.Build(v, h, nil, true)
	}
}

func BenchmarkTargets(b *testing.B) {
	run := filmed(b, "backpressure")
	h := run.Lab().History()
	v := run.At(60 * event.Second)
	p := placed(b, "wide", v, h)
	p.Build(v, h, nil, true)
	for b.Loop() {
		p.Targets()
	}
}
