package player

import (
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
)

// What is expected is computed up to its instant while the run in view waits for nothing, and stands there once it is opened.
func TestWhatIsExpectedIsShownAtOnce(t *testing.T) {
	p, shown := withFilm()
	made := 0
	p.make = func(core.Setup) (film, error) { made++; return &fake{duration: 60 * event.Second}, nil }
	const next, later = "#s=chapter&t=30", "#s=barrier&t=5&x=2"
	p.Expect([]string{next, later})
	for now := 16.0; p.preparing(); now += 16 {
		if now > 10_000 {
			t.Fatal("the clock never rests")
		}
		if o := p.Tick(now, looks(2)); !o.More {
			t.Fatal("it asks for no time while it has something to prepare")
		}
	}
	if ready := p.State().Ahead; len(ready) != 2 || ready[0] != next || ready[1] != later {
		t.Errorf("ready: %v", ready)
	}
	if made != 2 || p.film != film(shown) {
		t.Fatalf("%d films made, another one in view: %v", made, p.film != film(shown))
	}
	p.Expect([]string{later, next}) // another order: the same runs
	before := p.describe().id
	if r := p.Open(next); !r.OK || made != 2 {
		t.Fatalf("%+v, %d films made", r, made)
	}
	if f := p.film.(*fake); p.scenario.Name != "chapter" || p.at != 30*event.Second || f.computed < p.at || f.computed == f.duration {
		t.Errorf("%s stands at %d, computed up to %d", p.scenario.Name, p.at, f.computed)
	}
	if p.Playing() || p.describe().id == before || len(p.lanes) != 1 || p.lane != p.lanes[0] {
		t.Error("it is not as if it had been opened")
	}
	if r := p.Open(next); !r.OK || made == 2 {
		t.Error("the run that was expected is opened twice")
	}
	if r := p.Open(later); !r.OK || p.scenario.Name != "barrier" || p.speed != 2 {
		t.Errorf("%s at %v: %+v", p.scenario.Name, p.speed, r)
	}
}

// The run in view comes first as long as it has to be computed to be played, and after a change.
func TestTheRunInViewComesFirst(t *testing.T) {
	p, f := withFilm()
	p.Seek(20 * event.Second)
	p.Expect([]string{"#s=chapter&t=30"})
	p.Tick(16, looks(10))
	if p.ahead[0].player != nil || f.computed != 10*slice*event.Millisecond {
		t.Errorf("%d ns computed before the other was opened", f.computed)
	}
	p.Tick(32, looks(31))
	if p.ahead[0].player == nil || f.computed < 20*event.Second || f.computed == f.duration {
		t.Errorf("%d ns computed, other %v", f.computed, p.ahead[0].player)
	}
	p.Set(keyInterval, "2 s")
	p.ahead[0].player = nil
	p.Tick(48, looks(60))
	if p.ahead[0].player != nil || p.film == film(f) {
		t.Error("a changed run waits for one that is expected")
	}
}

// A link that cannot be read, one in another language and one that is no longer expected are opened as ever.
func TestWhatIsExpectedIsNotTakenForAnythingElse(t *testing.T) {
	p, _ := withFilm()
	p.Expect([]string{"#s=nothing"})
	p.Tick(16, looks(plenty))
	if r := p.Open("#s=nothing"); r.OK || r.Error == "" {
		t.Errorf("a scenario that does not exist: %+v", r)
	}
	p.Expect([]string{"#s=chapter&t=30"})
	p.Tick(32, looks(plenty))
	p.Lang("ko")
	prepared := p.ahead[0].player.film
	if p.Open("#s=chapter&t=30"); p.film == prepared {
		t.Error("a run that was opened in another language")
	}
	p.Expect(nil)
	if p.preparing() || len(p.ahead) != 0 {
		t.Error("it still prepares")
	}
}
