package player

import (
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
)

// A changed setting's run is in view as soon as it has passed the playhead, without a tick and without computing further.
func TestANewRunBeginsBeforeTheNextTick(t *testing.T) {
	p, _ := withFilm()
	p.Tick(0, looks(plenty))
	p.Seek(3 * event.Second)
	fresh := &fake{name: "fresh", duration: 60 * event.Second}
	p.make = func(core.Setup) (film, error) { return fresh, nil }
	if err := p.show(core.Setup{}); err != nil {
		t.Fatal(err)
	}
	if p.Begin(looks(1)) || p.film == film(fresh) {
		t.Error("it is in view before it has passed the playhead")
	}
	if !p.Begin(looks(plenty)) || p.film != film(fresh) {
		t.Fatal("it is not in view")
	}
	if fresh.computed >= 4*event.Second {
		t.Errorf("it is computed up to %d", fresh.computed)
	}
}

// What only computes does not wait for frames; what shows something does.
func TestComputingAsksForTheNextTickAtOnce(t *testing.T) {
	p, _ := withFilm()
	p.Touch()
	if o := p.Tick(16, looks(3)); !o.Draw || o.Soon {
		t.Errorf("with a picture to draw: %+v", o)
	}
	if o := p.Tick(20, looks(3)); o.Draw || !o.Soon {
		t.Errorf("without one: %+v", o)
	}
	p.Play()
	p.Tick(24, looks(3))
	if o := p.Tick(40, looks(0)); o.Soon {
		t.Errorf("while it plays: %+v", o)
	}
}

func TestABlankPlayerRestsAndOpensWhatItIsAsked(t *testing.T) {
	p := Blank("en")
	p.Lang("ko")
	p.Reduced(true)
	if o := p.Tick(0, looks(plenty)); o != (Outcome{}) {
		t.Errorf("a blank player asks for %+v", o)
	}
	if r := p.Open("#s=chapter"); !r.OK || p.scenario.Name != "chapter" {
		t.Errorf("opened %+v", r)
	}
	q := Blank("en")
	if r := q.Open(""); !r.OK || q.scenario.Name != first {
		t.Errorf("a first visit: %+v", r)
	}
}

// However long the page takes over the news of a run that is computed, computing has nineteen twentieths of the time.
func TestTellingTakesATwentiethOfTheTimeWhileARunIsComputed(t *testing.T) {
	p, _ := withFilm()
	p.Told(200)
	told := 0
	for now := 10_000.0; now < 20_000; now += 10 {
		p.clock.news = true
		if p.Tick(now, looks(0)).Notify {
			told++
		}
	}
	if told < 2 || told > 3 {
		t.Errorf("told %d times in 10 s at 200 ms each, want 2 or 3", told)
	}
}
