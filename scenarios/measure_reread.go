package scenarios

import (
	"math"

	"checkpointlab/core"
	"checkpointlab/core/event"
)

// expectedReread is how many records a failure would have had read again, on average over all instants of the window: what
// the sources have read less where the last completed checkpoint stands. Reading is taken to be even between two samples; a
// checkpoint counts from the instant at which it completes.
func (r *reading) expectedReread() float64 {
	points := restorePoints(r.setup, r.history)
	area, span := 0.0, event.Time(0)
	samples := r.history.Samples
	for i := 1; i < len(samples); i++ {
		a, b := &samples[i-1], &samples[i]
		if a.At < r.from || b.At > r.to {
			continue
		}
		dt := b.At - a.At
		area += float64(position(r.history, a)+position(r.history, b)) / 2 * float64(dt)
		area -= restored(points, a.At, b.At)
		span += dt
	}
	if span == 0 {
		return math.NaN()
	}
	return area / float64(span)
}

// position is how far the sources are in their logs: without what they have read a second time.
func position(h *core.History, s *core.Sample) int64 {
	at := s.Read
	for i := range h.Failures {
		if f := &h.Failures[i]; f.At <= s.At {
			at -= f.Reread
		}
	}
	return at
}

// restorePoint is where a failure goes back to from an instant on.
type restorePoint struct {
	from event.Time
	at   int64 // records
}

// restorePoints are those of the completed checkpoints, in order. A savepoint is the user's and none of them.
func restorePoints(s *core.Setup, h *core.History) []restorePoint {
	points := []restorePoint{{}}
	for i := range h.Checkpoints {
		c := &h.Checkpoints[i]
		if c.Outcome != core.Completed || c.Savepoint {
			continue
		}
		at := offsets(s, c)
		for points[len(points)-1].from > c.Ended { // it subsumes those that were triggered before and had not completed
			points = points[:len(points)-1]
		}
		points = append(points, restorePoint{c.Ended, at})
	}
	return points
}

// offsets is how far all sources were in their logs at the checkpoint's barriers.
func offsets(s *core.Setup, c *core.CheckpointRecord) (sum int64) {
	task := 0
	for i := range s.Vertices {
		v := &s.Vertices[i]
		for range v.Parallelism {
			if v.Kind == core.Source && task < len(c.Tasks) {
				sum += c.Tasks[task].Offset
			}
			task++
		}
	}
	return sum
}

// restored is the restore point's place summed over a span, in records times ns.
func restored(points []restorePoint, from, to event.Time) (area float64) {
	for i := len(points) - 1; i >= 0; i-- {
		begin := max(from, points[i].from)
		if begin >= to {
			continue
		}
		area += float64(points[i].at) * float64(to-begin)
		if to = begin; to == from {
			break
		}
	}
	return area
}
