package picture

import (
	"slices"
	"strings"
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/timeline"
	"checkpointlab/render/figure"
	"checkpointlab/render/plot"
	"checkpointlab/render/scene"
	"checkpointlab/render/token"
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

// one is a shot of one run.
func one(v *core.View, h *core.History, fresh bool) Shot {
	return Shot{Lanes: []figure.Lane{{View: v, History: h}}, Fresh: fresh}
}

func plotOf(p *Picture) uint64 { return p.figure.Parts[1].Scene.Fingerprint() }

// placed is a picture on a stage as the document lays it out.
func placed(t testing.TB, mode string, v *core.View, h *core.History) *Picture {
	t.Helper()
	widths := map[string]Widths{
		"wide": {Mode: "wide", Pipe: 1392, Plot: 962, Gantt: 416}, "medium": {Mode: "medium", Pipe: 912, Plot: 910, Gantt: 910},
		"phone": {Mode: "phone", Pipe: 358, Plot: 358, Gantt: 358}, "embed": {Mode: "embed", Pipe: 928, Plot: 928},
	}[mode]
	p := New()
	p.Lang("en")
	high := p.Measure(widths, []figure.Lane{{View: v, History: h}})
	at := Place{Mode: mode, Ratio: 1, W: widths.Pipe, Pipe: Box{X: 0, Y: 0, W: widths.Pipe, H: high.Pipe}}
	at.Plot = Box{X: 1, Y: high.Pipe + 9, W: widths.Plot, H: high.Plot}
	at.Gantt = Box{X: 977, Y: high.Pipe + 9, W: widths.Gantt, H: high.Gantt}
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
			p.Build(one(v, h, true))
			if len(p.figure.Parts) != 3 {
				t.Fatalf("%s: %d parts", mode, len(p.figure.Parts))
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
	p.Build(one(v, h, true))
	first := p.Scene().StaticFingerprint()
	last := p.Scene().Fingerprint()
	for at := event.Time(0); at <= 90*event.Second; at += 3 * event.Second {
		p.Build(one(run.At(at), h, true))
		if p.Scene().StaticFingerprint() != first {
			t.Fatalf("at %d the baked ground changed", at)
		}
		if at > 0 && p.Scene().Fingerprint() == last {
			t.Fatalf("at %d the picture is that of before", at)
		}
		last = p.Scene().Fingerprint()
	}
	p.Build(one(run.At(30*event.Second), h, true))
	same := p.Scene().Fingerprint()
	p.Build(one(run.At(30*event.Second), h, true))
	if p.Scene().Fingerprint() != same {
		t.Error("the same instant gives another picture")
	}
}

func TestTargetsReadAloudAndAreHitWhereTheyStand(t *testing.T) {
	run := filmed(t, "backpressure")
	v, h := run.At(71600*event.Millisecond), run.Lab().History()
	p := placed(t, "wide", v, h)
	p.Build(one(v, h, true))
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
	p.Build(one(v, h, true))
	if got := p.shown(0); got != 7 {
		t.Fatalf("the newest ended checkpoint is %d", got)
	}
	id := scene.ID{What: scene.Checkpoint, A: 5}
	p.Pin(id.String())
	p.Build(one(v, h, true))
	if text, _ := p.Reading(); p.shown(0) != 5 || !strings.Contains(text, "5") {
		t.Errorf("pinned shows %d and reads %q", p.shown(0), text)
	}
	p.Pin(id.String())
	if p.Build(one(v, h, true)); p.shown(0) != 7 {
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
	p.Build(one(v, h, true))
	before := plotOf(p)
	p.Build(one(run.At(41*event.Second), h, false))
	if plotOf(p) != before {
		t.Error("the plot was built though it need not be")
	}
	p.Build(one(run.At(41*event.Second), h, true))
	if plotOf(p) == before {
		t.Error("the plot was not built though it must be")
	}
}

func BenchmarkFrame(b *testing.B) {
	run := filmed(b, "backpressure")
	h := run.Lab().History()
	v := run.At(60 * event.Second)
	p := placed(b, "wide", v, h)
	for b.Loop() {
		p.Build(one(v, h, false))
		p.Scene().Fingerprint()
	}
}

func BenchmarkPlot(b *testing.B) {
	at := event.Time(0)
	run := filmed(b, "backpressure")
	h := run.Lab().History()
	v := run.At(60 * event.Second)
	p := placed(b, "wide", v, h)
	for b.Loop() {
		at++
		v = run.At(60*event.Second + at)
		p.Build(one(v, h, true))
	}
}

func BenchmarkTargets(b *testing.B) {
	run := filmed(b, "backpressure")
	h := run.Lab().History()
	v := run.At(60 * event.Second)
	p := placed(b, "wide", v, h)
	p.Build(one(v, h, true))
	for b.Loop() {
		p.Targets()
	}
}

func TestLanesStandInTheirBoxesAndAreReachedApart(t *testing.T) {
	run := filmed(t, "backpressure")
	v, h := run.At(71600*event.Millisecond), run.Lab().History()
	lanes := []figure.Lane{{View: v, History: h, Name: "A"}, {View: v, History: h, Name: "B"}}
	p := New()
	p.Lang("en")
	high := p.Measure(Widths{Mode: "wide", Plot: 1390, Lanes: []float64{964, 964}}, lanes)
	at := Place{Mode: "wide", Ratio: 1, W: 1392, H: 1000}
	at.Lanes = []Box{{W: 964, H: high.Lanes[0]}, {Y: high.Lanes[0] + 40, W: 964, H: high.Lanes[1]}}
	at.Plot = Box{Y: 2*high.Lanes[0] + 80, W: 1390, H: high.Plot}
	p.Put(at)
	p.Build(Shot{Lanes: lanes, Fresh: true, Shaded: 1})
	if len(p.figure.Parts) != 3 {
		t.Fatalf("%d parts, want two pipelines and a plot", len(p.figure.Parts))
	}
	seen, inB, inStrip := map[string]bool{}, 0, 0
	for _, target := range p.Targets() {
		if seen[target.ID] {
			t.Fatalf("%s is listed twice", target.ID)
		}
		seen[target.ID] = true
		if strings.HasPrefix(target.ID, "B:") {
			inB++
			inStrip += strings.Count(target.Group, "strip")
			if !strings.HasSuffix(target.Group, "B") || !strings.HasPrefix(target.Label, "B, ") || target.Box.Y < at.Lanes[1].Y-20 {
				t.Fatalf("%+v", target)
			}
		}
	}
	if inB == 0 || inStrip < 7 {
		t.Fatalf("%d marks can be reached in lane B, %d of them checkpoints", inB, inStrip)
	}
	p.Pin(mark{1, scene.ID{What: scene.Checkpoint, A: 5}}.String())
	if p.shown(0) != 5 || p.shown(1) != 5 {
		t.Errorf("a checkpoint chosen in one lane: the lanes show %d and %d", p.shown(0), p.shown(1))
	}
	p.Pin("B:card-2-0-0")
	p.Build(Shot{Lanes: lanes, Fresh: true})
	if text, box := p.Reading(); !strings.HasPrefix(text, "B, map 0") || box.Y < at.Lanes[1].Y {
		t.Errorf("reads %q at %v", text, box)
	}
	p.Build(Shot{Lanes: lanes[:1], Fresh: true})
	if text, _ := p.Reading(); text != "" {
		t.Errorf("without its lane the pin reads %q", text)
	}
}

// In a real run the queues slide after each buffer that a task takes, the same each time, and at rest nothing is between places.
func TestRunsMoveBetweenTheirEvents(t *testing.T) {
	run := filmed(t, "backpressure")
	h := run.Lab().History()
	const motion = 100 * event.Microsecond
	v := run.At(71600 * event.Millisecond)
	p := placed(t, "wide", v, h)
	draw := func(at, motion event.Time) uint64 {
		shot := one(run.At(at), h, false)
		if motion > 0 {
			shot.Motion = func(since event.Time) float64 { return float64(at-since) / float64(motion) }
		}
		p.Build(shot)
		return p.Scene().Fingerprint()
	}
	taken, moved := event.Time(0), event.Time(0)
	for i := range v.Exchanges {
		for k := range v.Exchanges[i].Channels {
			c := &v.Exchanges[i].Channels[k]
			taken, moved = max(taken, c.Taken), max(moved, c.Moved)
		}
	}
	if now := 71600 * event.Millisecond; taken > now || taken < now-event.Second || moved > now || moved < now-event.Second {
		t.Fatalf("a buffer was taken at %d and one left at %d, it is %d", taken, moved, now)
	}
	sliding := taken + 20*motion
	moving := draw(sliding, motion)
	if moving == draw(sliding, 0) {
		t.Error("20 ms after a buffer was taken nothing is on its way")
	}
	if moving != draw(sliding, motion) {
		t.Error("the same instant gives two pictures")
	}
}

// With more contrast nothing is dimmed, no stroke or text is faint, and all stands where it stood.
func TestMoreContrastLeavesNothingFaint(t *testing.T) {
	run := filmed(t, "backpressure")
	v, h := run.At(71500*event.Millisecond), run.Lab().History()
	p := placed(t, "wide", v, h)
	shot := one(v, h, true)
	p.Build(shot)
	marks := slices.Clone(p.Scene().Marks)
	shot.Focus, shot.Dim = 8, 1
	p.Contrast(true)
	p.Build(shot)
	if p.Colours() != token.Light|token.More || len(p.Scene().Marks) != len(marks) {
		t.Fatalf("theme %d, %d marks for %d", p.Colours(), len(p.Scene().Marks), len(marks))
	}
	stronger := 0
	for i, m := range p.Scene().Marks {
		if (m.Kind == scene.Line || m.Kind == scene.Text) && m.Alpha < leastStrength {
			t.Errorf("%v has the strength %d", m.ID, m.Alpha)
		}
		if m.Alpha != marks[i].Alpha {
			stronger++
			if m.Alpha < marks[i].Alpha {
				t.Errorf("%v is weaker than without", m.ID)
			}
		}
		if m.X != marks[i].X || m.Y != marks[i].Y {
			t.Errorf("%v stands elsewhere", m.ID)
		}
	}
	if stronger == 0 {
		t.Error("what is still to come is as faint as without")
	}
	p.Contrast(false)
	p.Build(shot)
	weak := func(m scene.Mark) bool { return m.Alpha < 100 }
	if p.Colours() != token.Light || !slices.ContainsFunc(p.Scene().Marks, weak) {
		t.Error("it does not go back")
	}
}

// A step of the script reads what it changes, in the words of the time axis.
func TestAStepOfTheScriptReadsWhatItChanges(t *testing.T) {
	run := filmed(t, "backpressure")
	v, h := run.At(40*event.Second), run.Lab().History()
	p := placed(t, "wide", v, h)
	shot := one(v, h, true)
	shot.Plot.Notes = []plot.Note{{At: 30 * event.Second, Text: "sink 50 → 200 µs"}}
	p.Build(shot)
	for _, target := range p.Targets() {
		if strings.HasSuffix(target.Label, "step 1 of the script: sink 50 → 200 µs") {
			return
		}
	}
	t.Error("it does not")
}
