package player

import (
	"slices"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/web/texts"
)

// Player shows one run, or a few side by side, under one playhead. It is not safe for concurrent use.
type Player struct {
	words  *texts.Table
	titles map[string]string // of the scenarios, by language and name
	make   func(core.Setup) (film, error)

	*lane              // the selected one: its settings are those of the controls
	lanes  []*lane     // in the order in which they are shown; at least one
	parked []*lane     // what was compared before the reader went back to one run
	ahead  []*expected // runs that are held ready

	descriptions int // made so far

	told    told    // how the lanes are called
	verdict verdict // how they differ

	at      event.Time // the playhead, at most what is computed
	wanted  event.Time // where the reader wants the playhead; beyond at while the run is still computed
	playing bool
	speed   float64 // simulated time per time
	reduced bool    // reduced motion: no more than four pictures a second
	intro   float64 // ms of the first visit's loop that are left
	even    bool    // no slow motion at moments worth seeing

	loop    [2]event.Time // a span that plays again and again; its end is 0 as long as there is none
	sweep   sweep
	face    string           // of the plot's panel
	focus   event.Checkpoint // that travels in slow motion
	dim     float64          // how weak the rest is
	played  screened         // what motions follow from
	looping bool             // the reader has marked the beginning of one
	zoom    [2]event.Time    // the part of the time axis that is shown; 0, 0 = all

	clock clock
}

// clock is what Tick remembers from call to call. Times are ms of the caller's clock.
type clock struct {
	last     float64 // Tick before this one
	drawn    float64 // last picture asked for
	notified float64 // last news told
	telling  float64 // how long that took
	stale    bool    // the picture is not the state's
	touched  int     // how often it has become so
	news     bool    // the state has changed since it was told
	fraction float64 // ns of playing that did not fill a whole one
}

// Outcome is what a Tick asks for.
type Outcome struct {
	Draw   bool // a new picture
	Notify bool // tell the page that the state has changed
	More   bool // another Tick
	Soon   bool // at once: there is nothing to see before it, only something to compute
}

const (
	slice       = 500 // events between two looks at the clock: a millisecond or two of computing
	notifyEvery = 100 // ms
	calmEvery   = 250 // ms between pictures under reduced motion, and while only the computed part grows
	longest     = 500 // ms that one Tick may move the playhead by: after a pause of the page it goes on where it was
	introLength = 10_000
	introLead   = 2 * event.Second
)

// Tick moves the playhead by the time since the last one and computes ahead while spend allows. now is in ms. A player that asks for no more ticks is at rest until a method changes it.
func (p *Player) Tick(now float64, spend func() bool) Outcome {
	since := min(max(0, now-p.clock.last), longest)
	p.clock.last = max(now, p.clock.last)
	if p.film == nil {
		return Outcome{}
	}
	p.compute(spend)
	p.sweepOn(spend)
	p.learn()
	p.advance(since)
	p.cue(since)
	return p.outcome(now)
}

// compute works on the newest films first and brings each into view once it has passed the playhead, which is drawn before
// anything else is computed; then on whatever lane has come least far; once that is ahead of the playhead, on what is expected.
func (p *Player) compute(spend func() bool) {
	if waits := p.waits(); !p.Begin(spend) || waits {
		return
	}
	for spend() {
		l := p.behind()
		if (l == nil || !p.comesFirst()) && p.prepare() {
			continue
		}
		if l == nil {
			return
		}
		l.extend()
		p.clock.news = true
		if l.complete {
			p.touch()
		}
	}
}

// Begin computes the newest films until they have passed the playhead and come into view, as far as spend allows; it reports
// whether all have.
func (p *Player) Begin(spend func() bool) bool {
	for _, l := range p.lanes {
		if l.catchUp(p.at, spend) {
			if l.next != nil {
				return false
			}
			p.follow()
		}
	}
	return true
}

// waits reports whether a changed setting's film is not in view yet.
func (p *Player) waits() bool {
	return slices.ContainsFunc(p.lanes, func(l *lane) bool { return l.next != nil })
}

// Told notes how many ms it took to tell the page that the state has changed.
func (p *Player) Told(took float64) { p.clock.telling = took }

// Shown notes that the picture on the screen shows the present state.
func (p *Player) Shown() { p.clock.stale = false }

// Reach computes on until the playhead is where the reader wanted it, or spend says that it is enough.
func (p *Player) Reach(spend func() bool) {
	for p.wanted > p.computed() && !p.allComplete() && spend() {
		p.behind().reach(p.wanted)
	}
	p.move(min(p.wanted, p.computed()))
}

// advance moves the playhead: by playing, or on to where the reader wanted it.
func (p *Player) advance(since float64) {
	limit := p.computed()
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
	at := p.at
	if n := len(p.played); n == 0 || p.played[n-1].at != at {
		p.played.begin(at)
	}
	for left := since; left > 0 && at < limit; {
		speed, until := p.pace(at)
		exact := left*speed*float64(event.Millisecond) + p.clock.fraction
		whole := event.Time(exact)
		if room := min(until, limit) - at; whole < room {
			at += whole
			p.clock.fraction = exact - float64(whole)
			p.played.on(at, left)
			break
		} else {
			took := float64(room) / (speed * float64(event.Millisecond))
			at += room
			p.clock.fraction = 0
			p.played.on(at, took)
			left -= took
		}
	}
	if end := p.loop[1]; end > 0 && at >= end && p.at < end {
		at = min(p.loop[0], limit)
		p.played.begin(at)
	}
	p.move(at)
	p.wanted = p.at
	if p.at >= p.duration() {
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
	p.played = p.played[:0]
	p.touch()
}

// touch notes that picture and state have changed.
func (p *Player) touch() {
	p.clock.stale, p.clock.news = true, true
	p.clock.touched++
}

// Touched counts how often the picture has become another one: one that was made since is the state's.
func (p *Player) Touched() int { return p.clock.touched }

func (p *Player) outcome(now float64) Outcome {
	c := &p.clock
	var o Outcome
	calm := p.playing && p.reduced
	if c.stale && (!calm || now-c.drawn >= calmEvery) {
		o.Draw, c.stale, c.drawn = true, false, now
	}
	every := float64(notifyEvery)
	if !p.playing && !p.allComplete() { // only the computed part grows: telling that takes a twentieth of the time at most
		every = max(calmEvery, 19*c.telling)
	}
	if c.news && now-c.notified >= every {
		o.Notify, c.news, c.notified = true, false, now
	}
	o.More = p.playing || p.sweeping() || p.dim > 0 || !p.allComplete() || p.preparing() || c.news || c.stale || p.wanted > p.at
	o.Soon = !o.Draw && !p.playing && p.dim == 0 && (!p.allComplete() || p.sweeping() || p.preparing())
	return o
}

// Play starts from the playhead, at the end from the start.
func (p *Player) Play() {
	if p.at >= p.duration() {
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
	p.Loop()
}

// Loop plays ten seconds from the playhead and stops there.
func (p *Player) Loop() {
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

// Reduced sets whether the reader asked for reduced motion.
func (p *Player) Reduced(on bool) { p.reduced = on }

// Seek moves the playhead to an instant, at once as far as the run is computed.
func (p *Player) Seek(t event.Time) {
	p.intro = 0
	p.wanted = min(max(t, 0), p.duration())
	p.played = p.played[:0]
	p.move(min(p.wanted, p.computed()))
	p.clock.news = true
}

// Step pauses and moves to the next thing to be seen in any lane, back for a negative by.
func (p *Player) Step(by int) {
	p.stop()
	if by < 0 {
		last := event.Time(0)
		for _, l := range p.lanes {
			last = max(last, l.film.Previous(min(p.at, l.film.Computed())))
		}
		p.Seek(last)
		return
	}
	next := event.Never
	for _, l := range p.lanes {
		if t := l.following(p.at); t > p.at {
			next = min(next, t)
		}
	}
	if next < event.Never {
		p.Seek(next)
	}
}

// following is the instant of the first thing to be seen in the lane after t, computed if need be; t or less at its end.
func (l *lane) following(t event.Time) event.Time {
	next := l.film.Next(min(t, l.film.Computed()))
	for next <= t && !l.complete {
		l.complete = l.film.Extend(slice)
		next = l.film.Next(min(t, l.film.Computed()))
	}
	return next
}

// Checkpoint pauses and moves to the next start of a checkpoint in any lane, back for a negative by; at the last one it
// goes to the end of what is computed.
func (p *Player) Checkpoint(by int) {
	p.stop()
	next, last := event.Never, event.Time(-1)
	for _, l := range p.lanes {
		all := l.film.History().Checkpoints
		for i := range all {
			if t := all[i].Triggered; t > p.at {
				next = min(next, t)
			} else if t < p.at {
				last = max(last, t)
			}
		}
	}
	switch {
	case by > 0 && next < event.Never:
		p.Seek(next)
	case by > 0:
		p.End()
	case last >= 0:
		p.Seek(last)
	default:
		p.Home()
	}
}

// Home moves to the start, End to the latest computed instant; both pause.
func (p *Player) Home() { p.stop(); p.Seek(0) }

// End moves to the latest computed instant.
func (p *Player) End() { p.stop(); p.Seek(p.computed()) }

// View is the state of the selected lane at the playhead. It is valid until the next call of any method.
func (p *Player) View() *core.View { return p.view(p.at) }

// History is what the selected lane recorded, also after the playhead.
func (p *Player) History() *core.History { return p.film.History() }

// Ghost is what the run that was in view before the last change has left, for its curve: samples and commits; nil if there was none.
func (p *Player) Ghost() *core.History { return p.ghost }

// show makes the film of a changed setup; it comes into view when it has passed the playhead.
func (p *Player) show(s core.Setup) error {
	f, err := p.make(s)
	if err != nil {
		return err
	}
	p.next, p.complete = f, false
	p.touch()
	return nil
}

// Touch asks for a new picture although the state is the same: the page's layout, theme or language changed.
func (p *Player) Touch() { p.touch() }

// Playing reports whether the playhead moves by itself.
func (p *Player) Playing() bool { return p.playing }
