package player

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
)

// stretch is a part of a run that is worth seeing slowly, and the fastest that it may play.
type stretch struct {
	from, to event.Time
	fastest  float64
}

const (
	slowFor       = 4.0  // s that a stretch takes on the screen,
	slowTotal     = 16.0 // and all of a lane together
	mostStretches = 40
	around        = 250 * event.Millisecond // before and after a moment that has no length of its own

	leastAlignment = 100 * event.Millisecond // a shorter one shows no queue growing
)

// slowly is the stretches of a lane, made anew when more of the run is computed.
type slowly struct {
	film      film
	computed  event.Time
	stretches []stretch
}

// worthSeeing lists what should not rush by: what the scenario names, the first alignment that holds a channel for long, the first barrier that overtakes,
// the first checkpoint that fails, and failures until all tasks run again.
func (l *lane) worthSeeing() []stretch {
	if now := l.film.Computed(); l.slowly.film != l.film || l.slowly.computed != now {
		l.slowly = slowly{film: l.film, computed: now, stretches: l.stretches(l.slowly.stretches[:0])}
	}
	return l.slowly.stretches
}

func (l *lane) stretches(all []stretch) []stretch {
	h := l.film.History()
	add := func(from, to event.Time) {
		if from = max(0, from); to > from && len(all) < mostStretches {
			all = append(all, stretch{from, to, max(speeds[0].Value, seconds(to-from)/slowFor)})
		}
	}
	if len(l.scenario.Changes()) == 0 { // the moments tell of the run as it was written
		for i := range l.scenario.Moments {
			if at, ok := l.scenario.Moments[i].In(h); ok {
				add(spanOf(h, at))
			}
		}
	}
	if c := find(h, func(c *core.CheckpointRecord) bool {
		return c.Outcome == core.Completed && longestAlignment(c) >= leastAlignment
	}); c != nil {
		add(c.Triggered, c.Ended)
	}
	if c := find(h, func(c *core.CheckpointRecord) bool { return c.Outcome == core.Completed && persisted(c) > 0 }); c != nil {
		add(c.Triggered, c.Ended)
	}
	if c := find(h, func(c *core.CheckpointRecord) bool { return c.Outcome == core.FailedCheckpoint }); c != nil {
		add(c.Triggered, c.Ended)
	}
	for i := range h.Failures {
		if f := &h.Failures[i]; f.RunningAt > f.At {
			add(f.At-around, f.RunningAt+around)
		}
	}
	if total := slowFor * float64(len(all)); total > slowTotal {
		for i := range all {
			all[i].fastest *= total / slowTotal
		}
	}
	return all
}

// spanOf is the checkpoint in progress at an instant, or a little time around it.
func spanOf(h *core.History, at event.Time) (from, to event.Time) {
	c := find(h, func(c *core.CheckpointRecord) bool {
		return c.Outcome == core.Completed && c.Triggered <= at && at <= c.Ended && c.Ended-c.Triggered >= leastAlignment
	})
	if c != nil {
		return c.Triggered, c.Ended
	}
	return at - around, at + around
}

// longestAlignment is that of the slowest subtask.
func longestAlignment(c *core.CheckpointRecord) (most event.Time) {
	for i := range c.Tasks {
		most = max(most, c.Tasks[i].Alignment)
	}
	return most
}

// find is the first checkpoint for which ok holds; nil if there is none.
func find(h *core.History, ok func(*core.CheckpointRecord) bool) *core.CheckpointRecord {
	for i := range h.Checkpoints {
		if c := &h.Checkpoints[i]; ok(c) {
			return c
		}
	}
	return nil
}

// slowed is how fast it plays from an instant on, slow motion at what is worth seeing included, and until when.
func (p *Player) slowed(t event.Time) (speed float64, until event.Time) {
	speed, until = p.speed, event.Never
	if p.even {
		return speed, until
	}
	for _, l := range p.lanes {
		for _, s := range l.worthSeeing() {
			switch {
			case t >= s.to:
			case t < s.from:
				until = min(until, s.from)
			default:
				speed, until = min(speed, s.fastest), min(until, s.to)
			}
		}
	}
	return speed, until
}

// pace is slowed, with the least times on screen of what would be over at once.
func (p *Player) pace(t event.Time) (speed float64, until event.Time) {
	speed, until = p.slowed(t)
	if p.even || p.speed > leastBelow {
		return speed, until
	}
	for _, l := range p.lanes {
		for _, least := range [...]stretch{l.crossing(t, p.leastCrossing()), l.preCommitted(t)} {
			if t < least.from {
				until = min(until, least.from)
			} else if t < least.to {
				speed, until = min(speed, least.fastest), min(until, least.to)
			}
		}
	}
	return speed, until
}

// Even sets whether the run plays at one speed throughout, without slow motion at moments worth seeing.
func (p *Player) Even(on bool) {
	p.even = on
	p.clock.news = true
}
