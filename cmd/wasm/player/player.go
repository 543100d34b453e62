package player

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/scenarios"
	"checkpointlab/web/texts"
)

// Player shows one run under a playhead. It is not safe for concurrent use.
type Player struct {
	words     *texts.Table
	titles    map[string]string // of the scenarios, by language and name
	make      func(core.Setup) (film, error)
	scenario  *scenarios.Scenario // with all changes; never changed itself
	described described
	chosen    int // the reader's answer to its question, -1 = none

	film  film          // in view
	next  film          // made for a changed setting; nil when the film in view is the newest
	ghost *core.History // of the film that was in view before; nil if none was

	at      event.Time // the playhead, at most what is computed
	wanted  event.Time // where the reader wants the playhead; beyond at while the run is still computed
	playing bool
	speed   float64 // simulated time per time
	reduced bool    // reduced motion: no more than four pictures a second
	intro   float64 // ms of the first visit's loop that are left

	clock clock
}

// clock is what Tick remembers from call to call. Times are ms of the caller's clock.
type clock struct {
	last     float64 // Tick before this one
	drawn    float64 // last picture asked for
	notified float64 // last news told
	stale    bool    // the picture is not the state's
	news     bool    // the state has changed since it was told
	complete bool    // the film in view is computed to its end
	fraction float64 // ns of playing that did not fill a whole one
}

// Outcome is what a Tick asks for.
type Outcome struct {
	Draw   bool // a new picture
	Notify bool // tell the page that the state has changed
	More   bool // another Tick
}

const (
	slice       = 2000 // events between two looks at the clock
	notifyEvery = 100  // ms
	calmEvery   = 250  // ms between pictures under reduced motion, and while only the computed part grows
	longest     = 500  // ms that one Tick may move the playhead by: after a pause of the page it goes on where it was
	introLength = 10_000
	introLead   = 2 * event.Second
)

// Tick moves the playhead by the time since the last one and computes ahead while spend allows. now is in ms and never
// goes back. A player that asks for no more ticks is at rest until a method changes it.
func (p *Player) Tick(now float64, spend func() bool) Outcome {
	since := min(now-p.clock.last, longest)
	p.clock.last = now
	if p.film == nil {
		return Outcome{}
	}
	p.compute(spend)
	p.advance(since)
	return p.outcome(now)
}

// compute works on the newest film and brings it into view once it has passed the playhead.
func (p *Player) compute(spend func() bool) {
	for p.next != nil {
		end := p.next.Extend(slice)
		if end || p.next.Computed() >= p.at {
			p.swap()
			break
		}
		if !spend() {
			return
		}
	}
	for !p.clock.complete && spend() {
		p.clock.complete = p.film.Extend(slice)
		p.clock.news = true
		if p.clock.complete {
			p.clock.stale = true
		}
	}
}

func (p *Player) swap() {
	p.ghost = p.film.History()
	p.film, p.next = p.next, nil
	p.clock.complete = false
	p.at, p.wanted = min(p.at, p.film.Computed()), min(p.wanted, p.film.Duration())
	p.touch()
}

// advance moves the playhead: by playing, or on to where the reader wanted it.
func (p *Player) advance(since float64) {
	limit := p.film.Computed()
	switch {
	case p.wanted > p.at:
		p.move(min(p.wanted, limit))
	case p.playing:
		p.play(since, limit)
	}
}

func (p *Player) play(since float64, limit event.Time) {
	if p.intro > 0 {
		if p.intro -= since; p.intro <= 0 {
			p.stop()
			return
		}
	}
	exact := since*p.speed*float64(event.Millisecond) + p.clock.fraction
	whole := event.Time(exact)
	p.clock.fraction = exact - float64(whole)
	p.move(min(p.at+whole, limit))
	p.wanted = p.at
	if p.at >= p.film.Duration() {
		p.stop()
	}
}

func (p *Player) move(t event.Time) {
	if t != p.at {
		p.at = t
		p.touch()
	}
}

// stop ends playing, whoever began it.
func (p *Player) stop() {
	p.playing, p.intro, p.clock.fraction = false, 0, 0
	p.touch()
}

// touch notes that picture and state have changed.
func (p *Player) touch() { p.clock.stale, p.clock.news = true, true }

func (p *Player) outcome(now float64) Outcome {
	c := &p.clock
	var o Outcome
	calm := p.playing && p.reduced
	if c.stale && (!calm || now-c.drawn >= calmEvery) {
		o.Draw, c.stale, c.drawn = true, false, now
	}
	if c.news && now-c.notified >= notifyEvery {
		o.Notify, c.news, c.notified = true, false, now
	}
	o.More = p.playing || !c.complete || p.next != nil || c.news || c.stale || p.wanted > p.at
	return o
}

// Play starts from the playhead, at the end from the start.
func (p *Player) Play() {
	if p.at >= p.film.Duration() {
		p.Seek(0)
	}
	p.playing, p.intro = true, 0
	p.touch()
}

// Pause keeps the playhead where it is.
func (p *Player) Pause() { p.stop() }

// Intro plays ten seconds of the first visit and stops, from shortly before something happens in the world; any control
// ends it. Under reduced motion nothing plays by itself.
func (p *Player) Intro() {
	if len(p.scenario.Setup.Script) > 0 {
		p.Seek(p.scenario.Setup.Script[0].At - introLead)
	}
	if !p.reduced {
		p.Play()
		p.intro = introLength
	}
}

// SetSpeed chooses the listed speed nearest to factor.
func (p *Player) SetSpeed(factor float64) {
	p.speed, p.intro = nearestSpeed(factor), 0
	p.clock.news = true
}

// Reduced says whether the reader asked for reduced motion.
func (p *Player) Reduced(on bool) { p.reduced = on }

// Seek moves the playhead to an instant, at once as far as the run is computed.
func (p *Player) Seek(t event.Time) {
	p.intro = 0
	p.wanted = min(max(t, 0), p.film.Duration())
	p.move(min(p.wanted, p.film.Computed()))
	p.clock.news = true
}

// Step pauses and moves to the next thing to be seen, back for a negative by.
func (p *Player) Step(by int) {
	p.stop()
	if by < 0 {
		p.Seek(p.film.Previous(p.at))
		return
	}
	next := p.film.Next(p.at)
	for next <= p.at && !p.clock.complete {
		p.clock.complete = p.film.Extend(slice)
		next = p.film.Next(p.at)
	}
	p.Seek(max(next, p.at))
}

// Checkpoint pauses and moves to the next start of a checkpoint, back for a negative by; at the last one it goes to the
// end of what is computed.
func (p *Player) Checkpoint(by int) {
	p.stop()
	all := p.film.History().Checkpoints
	if by > 0 {
		for i := range all {
			if all[i].Triggered > p.at {
				p.Seek(all[i].Triggered)
				return
			}
		}
		p.End()
		return
	}
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].Triggered < p.at {
			p.Seek(all[i].Triggered)
			return
		}
	}
	p.Home()
}

// Home moves to the start, End to the latest computed instant; both pause.
func (p *Player) Home() { p.stop(); p.Seek(0) }

// End moves to the latest computed instant.
func (p *Player) End() { p.stop(); p.Seek(p.film.Computed()) }

// View is the state at the playhead. It is valid until the next call of any method.
func (p *Player) View() *core.View { return p.film.At(p.at) }

// History is what the run in view recorded, also after the playhead; Ghost is that of the run before it, or nil.
func (p *Player) History() *core.History { return p.film.History() }

// Ghost is the history of the run that was in view before the last change; nil if there was none.
func (p *Player) Ghost() *core.History { return p.ghost }

// show makes the film of a changed setup; it comes into view when it has passed the playhead.
func (p *Player) show(s core.Setup) error {
	f, err := p.make(s)
	if err != nil {
		return err
	}
	p.next, p.clock.complete = f, false
	p.touch()
	return nil
}

// Touch asks for a new picture although the state is the same: the page's layout, theme or language changed.
func (p *Player) Touch() { p.touch() }

// Playing reports whether the playhead moves by itself.
func (p *Player) Playing() bool { return p.playing }
