package storage

import (
	"checkpointlab/core/event"
	"checkpointlab/core/sim"
)

// Latency is how long a request takes before its first byte: between half the median and the median for one half of them,
// up to P99 for the next 49 %, and up to Max for the slowest of a hundred, evenly within each part.
type Latency struct{ P50, P99, Max event.Time }

// draw is the latency of one request. A constant one draws nothing.
func (l Latency) draw(random *sim.Stream) event.Time {
	if l.P50 == l.P99 && l.P99 == l.Max {
		return l.P50
	}
	u := random.Int64n(1_000_000)
	switch {
	case u < 500_000:
		return l.P50/2 + (l.P50-l.P50/2)*u/500_000
	case u < 990_000:
		return l.P50 + (l.P99-l.P50)/490*(u-500_000)/1000
	default:
		return l.P99 + (l.Max-l.P99)/10*(u-990_000)/1000
	}
}

// Mean is the expected latency.
func (l Latency) Mean() event.Time {
	if l.P50 == l.P99 && l.P99 == l.Max {
		return l.P50
	}
	return l.P50/4*3/2 + (l.P50+l.P99)/2*49/100 + (l.P99+l.Max)/2/100
}
