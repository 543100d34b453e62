package player

import (
	"sort"

	"checkpointlab/core"
	"checkpointlab/core/event"
)

// The shortest times on the screen, in s, of what a reader could not see at all in a job that keeps up (picture grammar, 7 and
// 12). Positions follow from the state, so the playhead slows down instead.
const (
	leastCrossing     = 0.180 // a barrier on its way through a channel
	leastStep         = 0.300 // … of which reduced motion shows one picture: longer than the time between two
	leastPreCommitted = 0.400 // a transaction between pre-commit and commit
	leastBelow        = 3.0   // played faster nothing is held
	mostCrossings     = 2 * 256
)

// leastCrossing is how many s a barrier's way is on the screen at least.
func (p *Player) leastCrossing() float64 {
	if p.reduced {
		return leastStep
	}
	return leastCrossing
}

// crossing is the way of the barriers that are in a channel at t or come next, and how fast it may play meanwhile.
func (l *lane) crossing(t event.Time, least float64) stretch {
	all := l.film.History().Passages // in the order in which they were received
	at := sort.Search(len(all), func(i int) bool { return all[i].Received > t })
	now, next := stretch{from: event.Never, to: event.Never}, event.Never
	for i := at; i < min(at+mostCrossings, len(all)); i++ {
		p := &all[i]
		if p.Sent > t {
			next = min(next, p.Sent)
			continue
		}
		if fastest := seconds(p.Received-p.Sent) / least; now.from == event.Never || fastest < now.fastest {
			now = stretch{p.Sent, p.Received, fastest}
		}
	}
	if now.from == event.Never {
		now.from = next
	}
	now.to = min(now.to, max(next, t+1)) // another one may then be shorter
	return now
}

// preCommitted is the time between the first sink's pre-commit and the commit that is under way at t or comes next.
func (l *lane) preCommitted(t event.Time) stretch {
	h := l.film.History()
	at := sort.Search(len(h.Commits), func(i int) bool { return h.Commits[i].At > t })
	if at == len(h.Commits) {
		return stretch{from: event.Never, to: event.Never}
	}
	c := &h.Commits[at]
	from := l.firstPreCommit(c.Checkpoint)
	if from < 0 || from >= c.At {
		return stretch{from: event.Never, to: event.Never}
	}
	return stretch{from, c.At, seconds(c.At-from) / leastPreCommitted}
}

// firstPreCommit is when the first sink's part of a checkpoint was over; -1 if that is not known.
func (l *lane) firstPreCommit(id event.Checkpoint) event.Time {
	h := l.film.History()
	first := event.Time(-1)
	for i := len(h.Checkpoints) - 1; i >= 0; i-- {
		c := &h.Checkpoints[i]
		if c.ID != id {
			continue
		}
		task := 0
		for v := range l.film.Setup().Vertices {
			vertex := &l.film.Setup().Vertices[v]
			for k := range vertex.Parallelism {
				if t := task + k; vertex.Kind == core.Sink && t < len(c.Tasks) && c.Tasks[t].SyncEnded >= 0 && (first < 0 || c.Tasks[t].SyncEnded < first) {
					first = c.Tasks[t].SyncEnded
				}
			}
			task += vertex.Parallelism
		}
		return first
	}
	return -1
}
