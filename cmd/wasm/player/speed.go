package player

import (
	"strconv"

	"checkpointlab/core/event"
)

// Speed is simulated time per time of the clock on the wall.
type Speed struct {
	Value float64 `json:"value"`
	Label string  `json:"label"`
}

// speeds reach down to where a barrier that takes 3 ms is seen travelling for 3 seconds, and up to where twelve hours last 36 seconds.
var speeds = func() []Speed {
	values := []float64{0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 0.5, 1, 2, 3, 5, 10, 20, 30, 60, 120, 300, 600, 1200}
	out := make([]Speed, len(values))
	for i, v := range values {
		out[i] = Speed{v, strconv.FormatFloat(v, 'g', -1, 64) + "×"}
	}
	return out
}()

// nearestSpeed is the listed speed that is closest to v on a ratio scale.
func nearestSpeed(v float64) float64 {
	best := speeds[0].Value
	for _, s := range speeds {
		if ratio(s.Value, v) < ratio(best, v) {
			best = s.Value
		}
	}
	return best
}

// speedFor is the slowest listed speed at which a run of length lasts no longer than longest, or the fastest.
func speedFor(length, longest event.Time) float64 {
	for _, s := range speeds {
		if s.Value*float64(longest) >= float64(length) {
			return s.Value
		}
	}
	return speeds[len(speeds)-1].Value
}

func ratio(a, b float64) float64 {
	if b <= 0 {
		return a // the slowest is nearest to a standstill
	}
	return max(a/b, b/a)
}
