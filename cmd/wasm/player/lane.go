package player

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/scenarios"
)

// lane is one run that is shown: a scenario with its changes and the film made of it. Lanes share the clock.
type lane struct {
	scenario  *scenarios.Scenario // with all changes; never changed itself
	described described
	chosen    int    // the reader's answer to its question, -1 = none
	done      []bool // its tasks, as far as the reader got
	learned   learned

	film     film          // in view
	next     film          // made for a changed setting; nil when the film in view is the newest
	ghost    *core.History // of the film that was in view before, what a curve needs of it; nil if none was
	complete bool          // the newest film is computed to its end
	slowly   slowly
}

// mostLanes is as many as a page has room for and a reader can follow.
const mostLanes = 4

// laneNames are what the lanes are called in the page and, in small letters, in links.
const laneNames = "ABCD"

// view is the lane at an instant; a run that is shorter stands at its end.
func (l *lane) view(t event.Time) *core.View { return l.film.At(min(t, l.film.Computed())) }

// newest is the film that the lane's settings make.
func (l *lane) newest() film {
	if l.next != nil {
		return l.next
	}
	return l.film
}

// swap brings the newest film into view and releases the former one, which with its snapshots is as large as the new one.
func (l *lane) swap() {
	before := l.film.History()
	l.ghost = &core.History{Samples: before.Samples, Commits: before.Commits}
	l.film, l.next, l.complete, l.learned = l.next, nil, false, learned{}
}

// catchUp computes the newest film as long as it has not passed the playhead; it reports whether the lane was waiting.
func (l *lane) catchUp(at event.Time, spend func() bool) (waits bool) {
	for l.next != nil {
		if l.next.Reach(at, slice) {
			l.swap()
			return true
		}
		if !spend() {
			return true
		}
	}
	return false
}

// AddLane shows one more run beside the others, as a copy of the selected one, and selects it. It reports whether there
// was room.
func (p *Player) AddLane() bool {
	if len(p.lanes) >= mostLanes {
		return false
	}
	s := p.scenario.Clone()
	f, err := p.make(s.Setup)
	if err != nil {
		panic(err) // the selected lane runs with the same setup
	}
	p.put(&lane{scenario: s, film: f, chosen: -1})
	return true
}

// put appends a lane and selects it.
func (p *Player) put(l *lane) {
	p.lanes = append(p.lanes, l)
	p.lane, p.parked = l, nil
	p.intro = 0
	p.follow()
}

// RemoveLane takes a lane away; the last one stays.
func (p *Player) RemoveLane(i int) {
	if i < 0 || i >= len(p.lanes) || len(p.lanes) == 1 {
		return
	}
	gone := p.lanes[i]
	p.lanes = append(p.lanes[:i:i], p.lanes[i+1:]...)
	if gone == p.lane {
		p.lane = p.lanes[min(i, len(p.lanes)-1)]
	}
	p.follow()
}

// SelectLane chooses the lane whose settings the controls show and change.
func (p *Player) SelectLane(i int) {
	if i >= 0 && i < len(p.lanes) {
		p.lane = p.lanes[i]
		p.touch()
	}
}

// TurnLanes rotates the lanes: the second one becomes the first, against which the others are compared.
func (p *Player) TurnLanes() {
	p.lanes = append(p.lanes[1:len(p.lanes):len(p.lanes)], p.lanes[0])
	p.touch()
}

// Compare shows the lanes that were shown last, or a copy of the run; if several are shown it goes back to the selected one.
func (p *Player) Compare() {
	switch {
	case len(p.lanes) > 1:
		parked := p.lanes
		p.lanes = []*lane{p.lane}
		p.parked = parked
		p.follow()
	case len(p.parked) > 0:
		p.unpark()
	default:
		p.AddLane()
	}
}

// unpark brings the lanes back, the one that stayed at its place.
func (p *Player) unpark() {
	p.lanes, p.parked = p.parked, nil
	p.follow()
}

// Lanes is how many runs are shown.
func (p *Player) Lanes() int { return len(p.lanes) }

// Lane is the state of run i at the playhead and what it recorded. The view is valid until the next call of any method.
func (p *Player) Lane(i int) (*core.View, *core.History) {
	l := p.lanes[i]
	return l.view(p.at), l.film.History()
}

// LaneName is what lane i is called.
func LaneName(i int) string { return laneNames[i : i+1] }

// ExpectedAge is the age that the oldest invisible record will at least reach, as far as the settings tell: what a
// transactional sink writes waits for the next checkpoint. An axis that covers it from the start need not grow while a run is
// computed.
func (p *Player) ExpectedAge() (most event.Time) {
	for _, l := range p.lanes {
		s := l.newest().Setup()
		for i := range s.Vertices {
			if v := &s.Vertices[i]; v.Kind == core.Sink && v.Guarantee == core.ExactlyOnce && s.Options.Interval > 0 {
				most = max(most, min(s.Options.Interval, s.Duration))
			}
		}
	}
	return most
}

// Selected is the place of the lane whose settings the controls show.
func (p *Player) Selected() int {
	for i, l := range p.lanes {
		if l == p.lane {
			return i
		}
	}
	return 0
}

// duration is the length of the longest run.
func (p *Player) duration() (most event.Time) {
	for _, l := range p.lanes {
		most = max(most, l.film.Duration())
	}
	return most
}

// computed is the instant up to which all runs can be seen.
func (p *Player) computed() event.Time {
	least := p.duration()
	for _, l := range p.lanes {
		if now := l.film.Computed(); now < l.film.Duration() {
			least = min(least, now)
		}
	}
	return least
}

// extend computes a slice of the film in view.
func (l *lane) extend() { l.complete = l.film.Extend(slice) }

// reach is extend up to an instant.
func (l *lane) reach(at event.Time) {
	l.complete = l.film.Reach(at, slice) && l.film.Computed() >= l.film.Duration()
}

// behind is the lane that is to be computed on: of those that are not complete the one that has come least far.
func (p *Player) behind() *lane {
	var least *lane
	for _, l := range p.lanes {
		if !l.complete && (least == nil || l.film.Computed() < least.film.Computed()) {
			least = l
		}
	}
	return least
}

// allComplete reports whether the newest film of every lane is computed to its end.
func (p *Player) allComplete() bool {
	for _, l := range p.lanes {
		if !l.complete || l.next != nil {
			return false
		}
	}
	return true
}

// follow keeps the playhead within what the lanes have computed; where the reader wanted it is remembered until it can be
// reached.
func (p *Player) follow() {
	p.wanted = min(max(p.at, p.wanted), p.duration())
	p.at = min(p.at, p.computed())
	p.touch()
}
