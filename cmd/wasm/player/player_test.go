package player

import (
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
)

// withFilm is a player of a fake film of a minute.
func withFilm() (*Player, *fake) {
	p := New("en")
	f := &fake{duration: 60 * event.Second}
	p.film, p.next, p.ghost, p.complete, p.clock = f, nil, nil, false, clock{}
	p.make = func(core.Setup) (film, error) { return &fake{duration: 60 * event.Second}, nil }
	return p, f
}

// looks is a budget of so many looks at the clock.
func looks(n int) func() bool { return func() bool { n--; return n >= 0 } }

const plenty = 1000

func TestComputingIsCutIntoSlicesAndRests(t *testing.T) {
	p, f := withFilm()
	o := p.Tick(16, looks(3))
	if f.extends != 3 || f.computed != 3*slice*event.Millisecond || !o.More {
		t.Errorf("after three slices: %d, %d ns computed, more %v", f.extends, f.computed, o.More)
	}
	for now := 32.0; o.More; now += 16 {
		if now > 10_000 {
			t.Fatal("the clock never rests")
		}
		o = p.Tick(now, looks(3))
	}
	if f.computed != f.duration {
		t.Errorf("rests at %d of %d", f.computed, f.duration)
	}
	extends := f.extends
	if o = p.Tick(20_000, looks(plenty)); o.Draw || o.Notify || o.More || f.extends != extends {
		t.Errorf("at rest a tick asks for %+v", o)
	}
}

func TestPlayingKeepsTheSpeedAndNeverPassesWhatIsComputed(t *testing.T) {
	p, f := withFilm()
	p.SetSpeed(0.001)
	p.Tick(0, looks(plenty))
	p.Play()
	for i := 1; i <= 1000; i++ {
		p.Tick(float64(i), looks(0))
	}
	if p.at != event.Millisecond {
		t.Errorf("a second at 0.001×: %d ns, want 1 ms", p.at)
	}
	p.Home()
	f.computed, p.complete = 500*event.Millisecond, false
	p.SetSpeed(60)
	p.Play()
	p.Tick(1100, looks(0))
	if p.at != f.computed || !p.playing {
		t.Errorf("at %d, playing %v: want to wait at what is computed", p.at, p.playing)
	}
}

func TestPlayingStopsAtTheEndAndBeginsAgain(t *testing.T) {
	p, f := withFilm()
	p.Tick(0, looks(plenty))
	p.Seek(f.duration - event.Millisecond)
	p.Play()
	p.Tick(50, looks(0))
	if p.at != f.duration || p.playing {
		t.Errorf("at %d, playing %v: want the end, stopped", p.at, p.playing)
	}
	if p.Play(); p.at != 0 {
		t.Errorf("Play at the end begins at %d", p.at)
	}
}

func TestChangeKeepsThePlayheadAndLeavesAGhost(t *testing.T) {
	p, old := withFilm()
	old.history.Samples = make([]core.Sample, 5)
	p.Tick(0, looks(plenty))
	p.Seek(30 * event.Second)
	if r := p.Set("execution.checkpointing.interval", "5 s"); !r.OK {
		t.Fatal(r.Error)
	}
	p.Tick(16, looks(3)) // the new run is computed up to about 8 s
	if p.film != film(old) || p.at != 30*event.Second {
		t.Error("the former run must stay in view until the new one has passed the playhead")
	}
	p.Tick(32, looks(plenty))
	if p.film == film(old) || p.at != 30*event.Second {
		t.Errorf("in view: former %v, at %d", p.film == film(old), p.at)
	}
	if g := p.Ghost(); g == nil || len(g.Samples) != 5 {
		t.Error("the former run leaves no ghost")
	} else if g == old.History() || p.learned.film == film(old) {
		t.Error("all of the former run is kept in memory")
	}
}

func TestSeekBeyondWhatIsComputedArrivesLater(t *testing.T) {
	p, f := withFilm()
	p.Seek(10 * event.Second)
	if p.at != 0 {
		t.Errorf("at %d before anything is computed", p.at)
	}
	p.Tick(16, looks(1))
	if p.at != f.computed {
		t.Errorf("on its way at %d, computed %d", p.at, f.computed)
	}
	p.Tick(32, looks(plenty))
	if p.at != 10*event.Second {
		t.Errorf("arrived at %d", p.at)
	}
}

func TestAStepLeadsToTheNextEvent(t *testing.T) {
	p, f := withFilm()
	p.Step(1) // computes what it needs
	if p.at != step || f.computed == 0 {
		t.Errorf("one event on: %d", p.at)
	}
	p.Step(1)
	p.Step(-1)
	if p.at != step || p.playing {
		t.Errorf("on and back: %d", p.at)
	}
	p.Home()
	if p.Step(-1); p.at != 0 {
		t.Errorf("back from the start: %d", p.at)
	}
	f.history.Checkpoints = []core.CheckpointRecord{{Triggered: event.Second}, {Triggered: 2 * event.Second}}
	f.computed = f.duration
	for _, c := range []struct {
		by   int
		want event.Time
	}{{1, event.Second}, {1, 2 * event.Second}, {1, f.duration}, {-1, 2 * event.Second}, {-1, event.Second}, {-1, 0}} {
		if p.Checkpoint(c.by); p.at != c.want {
			t.Errorf("checkpoint %+d: at %d, want %d", c.by, p.at, c.want)
		}
	}
}

func TestReducedMotionShowsFourPicturesASecond(t *testing.T) {
	p, _ := withFilm()
	for now := 0.0; p.Tick(now, looks(plenty)).More; now += 200 {
	}
	p.Reduced(true)
	p.Play()
	drawn := 0
	for now := 10_000.0; now < 12_000; now += 10 {
		if p.Tick(now, looks(plenty)).Draw {
			drawn++
		}
	}
	if drawn < 7 || drawn > 9 {
		t.Errorf("%d pictures in two seconds, want about 8", drawn)
	}
}

func TestNewsAreToldTenTimesASecondAndTheLastIsNotLost(t *testing.T) {
	p, _ := withFilm()
	for now := 0.0; p.Tick(now, looks(plenty)).More; now += 200 {
	}
	p.Play()
	told := 0
	now := 10_000.0
	for ; now < 11_000; now += 10 {
		if p.Tick(now, looks(plenty)).Notify {
			told++
		}
	}
	if told < 9 || told > 11 {
		t.Errorf("told %d times in a second", told)
	}
	p.Pause()
	last := false
	for o := p.Tick(now, looks(plenty)); ; o = p.Tick(now, looks(plenty)) {
		last = last || o.Notify
		if !o.More {
			break
		}
		now += 10
	}
	if !last {
		t.Error("the pause was never told")
	}
}

func TestTheFirstVisitPlaysTenSecondsAndStops(t *testing.T) {
	p, _ := withFilm()
	p.Tick(0, looks(plenty))
	if r := p.Open(""); !r.OK || !p.playing {
		t.Fatal("the first visit does not play")
	}
	for now := 10.0; now < 9_900; now += 10 {
		p.Tick(now, looks(plenty))
	}
	if !p.playing {
		t.Error("stopped before ten seconds")
	}
	for now := 9_900.0; now < 10_200; now += 10 {
		p.Tick(now, looks(plenty))
	}
	if p.playing {
		t.Error("plays on")
	}
}

// A link's instant is there at once if it can be computed in the time that there is, else as far as the time goes.
func TestReachComputesToWhereTheReaderWants(t *testing.T) {
	p, f := withFilm()
	p.Seek(20 * event.Second)
	p.Reach(looks(3))
	if p.at != 3*slice*event.Millisecond {
		t.Errorf("after three slices at %d", p.at)
	}
	p.Reach(looks(plenty))
	if p.at != 20*event.Second || f.computed != 20*event.Second {
		t.Errorf("at %d, %d computed", p.at, f.computed)
	}
}
