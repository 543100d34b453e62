package player

import (
	"slices"

	"checkpointlab/core/event"
)

// expected is a run that the reader will probably open next, opened and computed up to its instant by a hidden player.
type expected struct {
	fragment string
	lang     string // in which it was opened, for what is wrong with it is told in words
	player   *Player
	result   Result
	large    bool // it would take too much memory to be computed before it is wanted
}

// mostExpected bounds how many runs are held ready, and mostReady what one of them may take of a page's memory, in bytes.
const (
	mostExpected       = 3
	mostReady    int64 = 32 << 20
)

// lookahead is for how long on the screen the run in view is computed ahead before others are held ready.
const lookahead = 2 * event.Second

// Expect sets the links that the reader will probably open next, the most likely one first. While there is time they are read
// and computed up to their instants, so that Open shows them at once. Links expected before and not any more are dropped.
func (p *Player) Expect(fragments []string) {
	before := p.ahead
	p.ahead = nil
	for _, f := range fragments[:min(len(fragments), mostExpected)] {
		if i := slices.IndexFunc(before, func(e *expected) bool { return e.fragment == f }); i >= 0 {
			p.ahead = append(p.ahead, before[i])
			continue
		}
		p.ahead = append(p.ahead, &expected{fragment: f})
	}
	p.clock.news = true // the clock may be at rest
}

// prepare works a little on the expected runs, and reports whether there was anything to do.
func (p *Player) prepare() bool {
	for _, e := range p.ahead {
		switch {
		case e.player == nil:
			e.open(p)
		case e.ready():
			continue
		default:
			e.player.behind().reach(e.player.wanted)
		}
		p.clock.news = p.clock.news || e.ready() // Ahead of State has changed
		return true
	}
	return false
}

// held are the links that are expected and ready.
func (p *Player) held() []string {
	links := []string{}
	for _, e := range p.ahead {
		if e.player != nil && e.ready() {
			links = append(links, e.fragment)
		}
	}
	return links
}

// preparing reports whether there is something to prepare.
func (p *Player) preparing() bool {
	return slices.ContainsFunc(p.ahead, func(e *expected) bool { return e.player == nil || !e.ready() })
}

// open reads the link.
func (e *expected) open(p *Player) {
	e.lang = p.words.Lang()
	e.player = &Player{words: p.words, titles: p.titles, make: p.make, reduced: p.reduced, even: p.even}
	e.player.lane = &lane{}
	e.player.lanes = []*lane{e.player.lane}
	e.result = e.player.Open(e.fragment)
	e.player.Settings()
	var total int64
	for _, l := range e.player.lanes {
		total += l.film.Setup().Memory()
	}
	e.large = total > mostReady
}

// ready reports whether there is nothing more to do before the link is opened.
func (e *expected) ready() bool {
	return e.large || e.player.wanted <= e.player.computed() || e.player.allComplete()
}

// adopt shows a run that was expected; false: it was not.
func (p *Player) adopt(fragment string) (Result, bool) {
	i := slices.IndexFunc(p.ahead, func(e *expected) bool {
		return e.fragment == fragment && e.player != nil && e.lang == p.words.Lang()
	})
	if i < 0 {
		return Result{}, false
	}
	e := p.ahead[i]
	p.ahead = slices.Delete(p.ahead, i, i+1)
	q := e.player
	p.lane, p.lanes, p.parked = q.lane, q.lanes, nil
	for _, l := range p.lanes {
		if l.described.id != 0 {
			p.descriptions++
			l.described.id = p.descriptions
		}
	}
	p.speed, p.face = q.speed, q.face
	p.loop, p.looping, p.zoom = q.loop, false, q.zoom
	p.stop()
	p.at, p.wanted = min(q.wanted, p.computed()), q.wanted
	return e.result, true
}

// comesFirst reports whether the run in view has to be computed further before others are prepared: it cannot play yet, or the
// reader has changed it and waits for all of it.
func (p *Player) comesFirst() bool {
	for _, l := range p.lanes {
		if l.ghost != nil {
			return true
		}
	}
	until := p.wanted
	if p.playing {
		until = p.at + event.Time(p.speed*float64(lookahead))
	}
	return p.computed() < min(until, p.duration())
}
