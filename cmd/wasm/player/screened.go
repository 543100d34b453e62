package player

import (
	"math"

	"checkpointlab/core/event"
)

// screened is what has been on the screen since the run began to play: where the playhead was, and when, at each change of
// speed.
type screened []shown

type shown struct {
	at event.Time // of the run
	ms float64    // on the screen since the first of them
}

// mostPlayed are kept: no motion lasts longer than the changes of speed before them.
const mostPlayed = 64

// begin forgets what was played before: the playhead stands at an instant whose picture is at rest.
func (p *screened) begin(at event.Time) { *p = append((*p)[:0], shown{at, 0}) }

// on is that the playhead has moved on at one speed within so many ms.
func (p *screened) on(at event.Time, ms float64) {
	all := *p
	if n := len(all); n == mostPlayed {
		all = all[:copy(all, all[n/2:])]
	}
	*p = append(all, shown{at, all[len(all)-1].ms + ms})
}

// since is for how many ms an instant has been on the screen; forever if it was not seen to come.
func (p screened) since(at event.Time) float64 {
	for i := len(p) - 1; i > 0; i-- {
		from, to := p[i-1], p[i]
		if at < from.at {
			continue
		}
		part := float64(to.at-min(at, to.at)) / float64(max(1, to.at-from.at))
		return p[len(p)-1].ms - to.ms + part*(to.ms-from.ms)
	}
	return math.Inf(1)
}

// sinceShown is since, of the playhead's way.
func (p *Player) sinceShown(at event.Time) float64 { return p.played.since(at) }
