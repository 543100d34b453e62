package player

import (
	"math"
	"strings"
	"testing"

	"checkpointlab/scenarios"
)

func TestASweepIsWhatTheRunsOfItsValuesComeTo(t *testing.T) {
	p := New("en")
	p.Load("chapter")
	finish(t, p)
	before := p.State().Hash
	p.Turn(FaceSweep)
	if r := p.Sweep(keyInterval, "10 s, 60 s, 600 s"); !r.OK {
		t.Fatal(r.Error)
	}
	if s := p.State().Sweep; !s.Running || s.All != 3 || s.Done != 0 {
		t.Errorf("%+v", s)
	}
	finish(t, p)
	w := p.SweepPlot()
	for i, v := range []string{"10 s", "60 s", "600 s"} {
		q := New("en")
		q.Load("chapter")
		q.Set(keyInterval, v)
		finish(t, q)
		if want := q.measured("visibility.p99", q.Duration()); w.Panels[0].Points[i] != want {
			t.Errorf("at %s the sweep has %v, the run %v", v, w.Panels[0].Points[i], want)
		}
	}
	if w.Panels[0].Points[0] >= w.Panels[0].Points[1] {
		t.Errorf("a longer interval shows sooner: %v", w.Panels[0].Points)
	}
	s := p.State()
	if s.Hash != before {
		t.Error("the sweep changed the run in view")
	}
	if lines := p.sweepLines(); len(lines) != 3 || !strings.Contains(s.Twin[len(s.Twin)-1], "600 s") {
		t.Errorf("in words: %q", lines)
	}
}

// The first checkpoint of the run, right at its start, is no measure of an interval that the run is too short for.
func TestASweepSaysWhereARunIsTooShort(t *testing.T) {
	p := New("en")
	finish(t, p)
	p.Turn(FaceSweep)
	p.Sweep(keyInterval, "10 s, 10 min")
	finish(t, p)
	for _, panel := range p.SweepPlot().Panels[:3] {
		if math.IsNaN(panel.Points[0]) || !math.IsNaN(panel.Points[1]) || panel.Texts[1] != p.words.Raw("sweep.late") {
			t.Errorf("%s: %v %q", panel.Title, panel.Points, panel.Texts)
		}
	}
	if throughput := p.SweepPlot().Panels[3]; math.IsNaN(throughput.Points[1]) {
		t.Error("the throughput is told, too")
	}
}

func TestASweepIsCancelledAndRefusesWhatCannotRun(t *testing.T) {
	p := New("en")
	finish(t, p)
	p.Sweep(keyInterval, "")
	p.Tick(1e6, looks(3))
	p.CancelSweep()
	if p.sweeping() || p.Tick(2e6, looks(3)).More && p.Tick(3e6, looks(3)).More && p.Tick(4e6, looks(3)).More {
		t.Error("it is computed on")
	}
	if r := p.Sweep(keyInterval, "1 s, soon"); r.OK || !strings.Contains(r.Error, "soon") {
		t.Errorf("%+v", r)
	}
	if r := p.Sweep(keyInterval, strings.Repeat("1 s,", 41)); r.OK {
		t.Error("41 runs are taken")
	}
}

func TestEverySettingHasValuesToSweepOver(t *testing.T) {
	for _, name := range scenarios.Names() {
		p := New("en")
		p.Load(name)
		for _, key := range p.scenario.Knobs {
			// one value alone is left where others go only with another change: FORWARD neighbours have one parallelism, and
			// an action stays between those around it
			if r := p.Sweep(key, ""); !r.OK || len(p.sweep.values) < 1 {
				t.Errorf("%s, %s: %v %s", name, key, p.sweep.values, r.Error)
			}
		}
	}
}
