package plot

import (
	"sort"

	"gonum.org/v1/plot/plotter"

	"checkpointlab/core"
	"checkpointlab/core/event"
)

func seconds(t event.Time) float64 { return float64(t) / float64(event.Second) }

// ages is the age of the oldest invisible record from one instant to another as a saw-tooth: between samples it rises by
// one second a second, at a commit it drops.
func ages(h *core.History, from, to event.Time) plotter.XYs {
	var line plotter.XYs
	add := func(t, age event.Time) {
		if t < from || t > to {
			return
		}
		p := plotter.XY{X: seconds(t), Y: seconds(max(0, age))}
		if n := len(line); n > 0 && line[n-1] == p {
			return
		}
		if n := len(line); n > 1 && rises(line[n-2], line[n-1]) && rises(line[n-1], p) {
			line[n-1] = p
			return
		}
		line = append(line, p)
	}
	if from > 0 && from <= to { // a part of the run begins in the middle of a tooth
		line = append(line, plotter.XY{X: seconds(from), Y: seconds(ageAt(h, from))})
	}
	prev, age := event.Time(0), event.Time(0)
	commit := 0
	for i := range h.Samples {
		s := &h.Samples[i]
		if prev > to {
			break
		}
		for ; commit < len(h.Commits) && h.Commits[commit].At <= s.At; commit++ {
			at := h.Commits[commit].At
			if at <= prev {
				continue
			}
			peak := h.Commits[commit].Max
			if age > 0 {
				peak = age + at - prev
			}
			add(at, peak)
			prev, age = at, max(0, s.OldestAge-(s.At-at))
			add(at, age)
		}
		prev, age = s.At, s.OldestAge
		add(s.At, age)
	}
	if prev < to && len(line) > 0 { // up to now, beyond the last sample before it
		line = append(line, plotter.XY{X: seconds(to), Y: seconds(ageAt(h, to))})
	}
	return line
}

// known is how far a curve can be drawn: a run that is still being computed says nothing of what comes after its last sample.
func known(h *core.History, end event.Time) event.Time {
	if len(h.Samples) == 0 {
		return 0
	}
	return min(end, h.Samples[len(h.Samples)-1].At)
}

// rises reports whether an age went on growing by one second a second.
func rises(a, b plotter.XY) bool {
	d := (b.Y - a.Y) - (b.X - a.X)
	return b.X > a.X && d < 1e-6 && d > -1e-6
}

// ageAt is the age of the oldest invisible record at an instant.
func ageAt(h *core.History, t event.Time) event.Time {
	i := sort.Search(len(h.Samples), func(i int) bool { return h.Samples[i].At > t }) - 1
	if i < 0 {
		return 0
	}
	s := &h.Samples[i]
	for k := len(h.Commits) - 1; k >= 0 && h.Commits[k].At > s.At; k-- {
		if h.Commits[k].At <= t && i+1 < len(h.Samples) { // a commit since the sample: count back from the next one
			next := &h.Samples[i+1]
			return max(0, next.OldestAge-(next.At-t))
		}
	}
	if s.OldestAge == 0 {
		return 0
	}
	return s.OldestAge + t - s.At
}

// pipeline is the pipeline latency up to an instant, averaged over spans of at least so many seconds.
func pipeline(h *core.History, from, to event.Time, span float64) plotter.XYs {
	var line plotter.XYs
	sum, n := 0.0, 0
	start := 0.0
	for i := range h.Samples {
		s := &h.Samples[i]
		if s.At > to {
			break
		}
		if s.At < from {
			continue
		}
		if n == 0 {
			start = seconds(s.At)
		}
		sum, n = sum+seconds(s.Pipeline), n+1
		if seconds(s.At)-start >= span || i+1 == len(h.Samples) || h.Samples[i+1].At > to {
			line = append(line, plotter.XY{X: seconds(s.At), Y: sum / float64(n)})
			sum, n = 0, 0
		}
	}
	return line
}

// step is one or more neighbouring commits taken together.
type step struct {
	from, to       float64 // seconds
	mean, p99      float64
	min, max       float64
	records, count int64
	first, last    int // indexes into History.Commits
}

// steps are the commits up to an instant; those nearer than a span are joined: means weighted, p99 and max the worst.
func steps(h *core.History, to, begin event.Time, span float64) []step {
	var all []step
	from := 0.0
	for i := range h.Commits {
		c := &h.Commits[i]
		if c.At > to {
			break
		}
		at := seconds(c.At)
		s := step{from: from, to: at, mean: seconds(c.Mean), p99: seconds(c.P99), min: seconds(c.Min), max: seconds(c.Max),
			records: c.Records, count: 1, first: i, last: i}
		from = at
		if at <= seconds(begin) {
			continue
		}
		s.from = max(s.from, seconds(begin))
		if n := len(all); n > 0 && at-all[n-1].from < span {
			all[n-1].join(&s)
			continue
		}
		all = append(all, s)
	}
	return all
}

func (s *step) join(o *step) {
	if n := s.records + o.records; n > 0 {
		s.mean = (s.mean*float64(s.records) + o.mean*float64(o.records)) / float64(n)
	}
	s.to, s.last, s.records, s.count = o.to, o.last, s.records+o.records, s.count+o.count
	s.p99, s.min, s.max = max(s.p99, o.p99), min(s.min, o.min), max(s.max, o.max)
}

// highest is the largest age that a history knows, ghosts included: the axis must hold it from the beginning.
func highest(hs ...*core.History) event.Time {
	most := event.Time(0)
	for _, h := range hs {
		if h == nil {
			continue
		}
		for i := range h.Samples {
			most = max(most, h.Samples[i].OldestAge, h.Samples[i].Pipeline)
		}
		for i := range h.Commits {
			most = max(most, h.Commits[i].Max)
		}
	}
	return most
}

// longestCheckpoint is the longest duration in a history.
func longestCheckpoint(h *core.History) event.Time {
	most := event.Time(0)
	for i := range h.Checkpoints {
		if c := &h.Checkpoints[i]; c.Outcome != core.InProgress {
			most = max(most, c.Duration())
		}
	}
	return most
}
