package scenarios

import (
	"maps"
	"math"
	"slices"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/metric"
)

// Unit says how a measure's value is written.
type Unit uint8

// The units.
const (
	Nanoseconds Unit = iota // "1.0 s" in a file
	PerSecond               // "5000/s"
	Bytes                   // "3 mb"
	Records                 // "1000"
	Share                   // "0.935"
)

// measure is one thing that can be read off a run.
type measure struct {
	unit   Unit
	vertex bool // of one vertex
	of     func(*reading) float64
	end    bool // how the run stands at its end: an expectation alone can ask for it
}

// reading is a run seen through an expectation's window.
type reading struct {
	setup    *core.Setup
	history  *core.History
	from, to event.Time
	seen     event.Time       // what a checkpoint came to after that is not known yet; 0 = all is
	only     event.Checkpoint // 0 = every one in the window
	tasks    [2]int           // ids of the first task and behind the last of the vertex
	vertex   int              // its index
	view     *core.View       // the end of the run, of measures that are of it
}

// in reports whether a checkpoint is meant: triggered in the window, or the one by its id.
func (r *reading) in(c *core.CheckpointRecord) bool {
	return r.from <= c.Triggered && c.Triggered <= r.to && (r.only == 0 || r.only == c.ID) && (r.seen == 0 || c.Ended <= r.seen)
}

// measures by name. README.md lists them.
var measures = func() map[string]measure {
	m := map[string]measure{
		"throughput":                {PerSecond, false, func(r *reading) float64 { return r.perSecond(&r.history.Pipeline) }, false},
		"shown":                     {PerSecond, false, func(r *reading) float64 { return r.perSecond(&r.history.Visible) }, false},
		"checkpoints.completed":     {Records, false, func(r *reading) float64 { return r.count(core.Completed) }, false},
		"checkpoints.failed":        {Records, false, func(r *reading) float64 { return r.count(core.FailedCheckpoint) }, false},
		"checkpoints.expired":       {Records, false, func(r *reading) float64 { return r.failedBy(event.CheckpointExpired) }, false},
		"checkpoints.success":       {Share, false, (*reading).success, false},
		"checkpoint.size.mean":      {Bytes, false, func(r *reading) float64 { return mean(r.completed(size)) }, false},
		"checkpoint.size.max":       {Bytes, false, func(r *reading) float64 { return most(r.completed(size)) }, false},
		"savepoint.size.mean":       {Bytes, false, func(r *reading) float64 { return mean(r.savepoints(size)) }, false},
		"savepoint.duration.mean":   {Nanoseconds, false, func(r *reading) float64 { return mean(r.savepoints(duration)) }, false},
		"savepoint.duration.max":    {Nanoseconds, false, func(r *reading) float64 { return most(r.savepoints(duration)) }, false},
		"sync.max":                  {Nanoseconds, true, func(r *reading) float64 { return most(r.completed(r.slowest(syncPart))) }, false},
		"async.max":                 {Nanoseconds, true, func(r *reading) float64 { return most(r.completed(r.slowest(asyncPart))) }, false},
		"async.mean":                {Nanoseconds, true, func(r *reading) float64 { return mean(r.completed(r.slowest(asyncPart))) }, false},
		"failures":                  {Records, false, func(r *reading) float64 { return r.failures(func(*core.FailureRecord) int64 { return 1 }) }, false},
		"downtime":                  {Nanoseconds, false, (*reading).downtime, false},
		"inFlight.max":              {Bytes, false, func(r *reading) float64 { return r.inFlight() }, false},
		"checkpoint.duration.mean":  {Nanoseconds, false, func(r *reading) float64 { return mean(r.completed(duration)) }, false},
		"checkpoint.duration.max":   {Nanoseconds, false, func(r *reading) float64 { return most(r.completed(duration)) }, false},
		"checkpoint.persisted.mean": {Bytes, false, func(r *reading) float64 { return mean(r.completed(persisted)) }, false},
		"checkpoint.persisted.max":  {Bytes, false, func(r *reading) float64 { return most(r.completed(persisted)) }, false},
		"checkpoint.stored.mean":    {Bytes, false, func(r *reading) float64 { return mean(r.completed(stored)) }, false},
		"alignment.mean":            {Nanoseconds, true, func(r *reading) float64 { return mean(r.completed(r.slowest(alignment))) }, false},
		"alignment.max":             {Nanoseconds, true, func(r *reading) float64 { return most(r.completed(r.slowest(alignment))) }, false},
		"startDelay.mean":           {Nanoseconds, true, func(r *reading) float64 { return mean(r.completed(r.slowest(startDelay))) }, false},
		"startDelay.max":            {Nanoseconds, true, func(r *reading) float64 { return most(r.completed(r.slowest(startDelay))) }, false},
		"lag.end":                   {Records, false, func(r *reading) float64 { return r.lag()[1] }, false},
		"lag.max":                   {Records, false, func(r *reading) float64 { return r.lag()[0] }, false},
		"watermark.lag.mean":        {Nanoseconds, false, func(r *reading) float64 { return mean(r.markLags()) }, false},
		"watermark.lag.max":         {Nanoseconds, false, func(r *reading) float64 { return most(r.markLags()) }, false},
		"watermark.lag.end":         {Nanoseconds, false, func(r *reading) float64 { return last(r.markLags()) }, false},
		"reread":                    {Records, false, func(r *reading) float64 { return r.failures(func(f *core.FailureRecord) int64 { return f.Reread }) }, false},
		"duplicates":                {Records, false, func(r *reading) float64 { return r.failures(func(f *core.FailureRecord) int64 { return f.Duplicates }) }, false},
		"refusals":                  {Records, false, func(r *reading) float64 { return float64(len(r.history.Refusals)) }, false},
	}
	maps.Copy(m, endMeasures)
	maps.Copy(m, spanMeasures)
	for _, kind := range []struct {
		name string
		of   func(*core.History) *metric.Latencies
	}{
		{"visibility", func(h *core.History) *metric.Latencies { return &h.Visible }},
		{"pipeline", func(h *core.History) *metric.Latencies { return &h.Pipeline }},
	} {
		for _, s := range latencyStatistics {
			m[kind.name+"."+s.name] = measure{Nanoseconds, false, func(r *reading) float64 {
				var sel metric.Selection
				sel.Select(kind.of(r.history), metric.Window{SeenFrom: r.from, SeenTo: r.to, ArrivedFrom: r.arrivedFrom()})
				if sel.Count() == 0 {
					return math.NaN()
				}
				return float64(s.of(&sel))
			}, false}
		}
	}
	return m
}()

var latencyStatistics = []struct {
	name string
	of   func(*metric.Selection) event.Time
}{
	{"mean", (*metric.Selection).Mean}, {"min", (*metric.Selection).Min}, {"max", (*metric.Selection).Max},
	{"p50", quantile(0.5)}, {"p90", quantile(0.9)}, {"p95", quantile(0.95)}, {"p99", quantile(0.99)}, {"p99.9", quantile(0.999)},
}

func quantile(q float64) func(*metric.Selection) event.Time {
	return func(s *metric.Selection) event.Time { return s.Quantile(q) }
}

// Measures lists the names that an expectation can use.
func Measures() (all []string) {
	for name := range measures {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

// Measure reads one of Measures that is not of a vertex off what is recorded of a run from its start to an instant: ns, per
// second, bytes or a count, NaN if there was nothing to measure. A run that is computed further reads as one that is not: a checkpoint
// counts once it has ended. An unknown name panics.
func Measure(name string, s *core.Setup, h *core.History, to event.Time) float64 {
	m, ok := measures[name]
	if !ok || m.vertex || m.end {
		panic("scenarios: no measure " + name + " of a whole run")
	}
	return m.of(&reading{setup: s, history: h, to: max(1, to), seen: max(1, to)})
}

// UnitOf is the unit of a measure's value.
func UnitOf(name string) Unit { return measures[name].unit }

// arrivedFrom leaves records that arrived before the window out, as the recorded runs do; a window from the start takes all.
func (r *reading) arrivedFrom() event.Time {
	if r.from == 0 {
		return math.MinInt64
	}
	return r.from
}

func (r *reading) perSecond(l *metric.Latencies) float64 {
	return float64(l.Count(r.from, r.to)) * float64(event.Second) / float64(r.to-r.from)
}

// count is the checkpoints triggered in the window that ended so.
func (r *reading) count(o core.Outcome) (n float64) {
	for i := range r.history.Checkpoints {
		if c := &r.history.Checkpoints[i]; c.Outcome == o && r.in(c) {
			n++
		}
	}
	return n
}

// completed is a value of each checkpoint that was triggered in the window and completed.
func (r *reading) completed(of func(*core.CheckpointRecord) int64) (values []float64) {
	for i := range r.history.Checkpoints {
		if c := &r.history.Checkpoints[i]; c.Outcome == core.Completed && r.in(c) {
			values = append(values, float64(of(c)))
		}
	}
	return values
}

// savepoints is a value of each completed savepoint.
func (r *reading) savepoints(of func(*core.CheckpointRecord) int64) (values []float64) {
	for i := range r.history.Checkpoints {
		if c := &r.history.Checkpoints[i]; c.Savepoint && c.Outcome == core.Completed && r.in(c) {
			values = append(values, float64(of(c)))
		}
	}
	return values
}

// failedBy is the checkpoints that failed for a reason.
func (r *reading) failedBy(why event.Reason) (n float64) {
	for i := range r.history.Checkpoints {
		if c := &r.history.Checkpoints[i]; c.Outcome == core.FailedCheckpoint && c.Reason == why && r.in(c) {
			n++
		}
	}
	return n
}

// success is the share of the ended checkpoints that completed.
func (r *reading) success() float64 {
	done := r.count(core.Completed)
	return done / (done + r.count(core.FailedCheckpoint))
}

func duration(c *core.CheckpointRecord) int64 { return c.Ended - c.Triggered }

func size(c *core.CheckpointRecord) (sum int64) {
	for i := range c.Tasks {
		sum += c.Tasks[i].Size
	}
	return sum
}

// down is how long the i-th failure kept the job from running: until it ran, or until an attempt to start failed, whose own time
// follows; 0 as long as it lasts.
func down(all []core.FailureRecord, i int) int64 {
	if all[i].RunningAt < 0 && i+1 < len(all) {
		return all[i+1].At - all[i].At
	}
	return max(0, all[i].RunningAt-all[i].At)
}

func persisted(c *core.CheckpointRecord) (sum int64) {
	for i := range c.Tasks {
		sum += c.Tasks[i].Persisted
	}
	return sum
}

// stored is what a checkpoint added: the checkpointed size of Flink's history, in-flight data included.
func stored(c *core.CheckpointRecord) (sum int64) {
	for i := range c.Tasks {
		sum += c.Tasks[i].Stored
	}
	return sum
}

// mostStored is the most that a completed checkpoint, no savepoint, added.
func (r *reading) mostStored() float64 {
	most := math.NaN()
	for i := range r.history.Checkpoints {
		if c := &r.history.Checkpoints[i]; c.Outcome == core.Completed && !c.Savepoint && r.in(c) {
			if n := float64(stored(c)); !(n <= most) {
				most = n
			}
		}
	}
	return most
}

// requests is how many a checkpoint made of the storage, its metadata included.
func requests(c *core.CheckpointRecord) int64 { return c.Requests }

func alignment(t *core.TaskPhases) event.Time { return t.Alignment }

func startDelay(t *core.TaskPhases) event.Time { return t.StartDelay }

func syncPart(t *core.TaskPhases) event.Time { return t.Sync }

func asyncPart(t *core.TaskPhases) event.Time { return t.Async }

// slowest is the longest phase over the vertex's subtasks.
func (r *reading) slowest(phase func(*core.TaskPhases) event.Time) func(*core.CheckpointRecord) int64 {
	return func(c *core.CheckpointRecord) (longest int64) {
		for i := r.tasks[0]; i < min(r.tasks[1], len(c.Tasks)); i++ {
			longest = max(longest, phase(&c.Tasks[i]))
		}
		return longest
	}
}

// lag is the greatest and the last number of unread records in the window.
func (r *reading) lag() (v [2]float64) {
	for i := range r.history.Samples {
		if s := &r.history.Samples[i]; r.from <= s.At && s.At <= r.to {
			v[0], v[1] = max(v[0], float64(s.Lag)), float64(s.Lag)
		}
	}
	return v
}

// inFlight is the most bytes that were in all queues at once.
func (r *reading) inFlight() (n float64) {
	for i := range r.history.Samples {
		if s := &r.history.Samples[i]; r.from <= s.At && s.At <= r.to {
			n = max(n, float64(s.InFlight))
		}
	}
	return n
}

// markLags is how far the watermark at the sinks lay behind at each sample in the window, once there was one.
func (r *reading) markLags() (lags []float64) {
	for i := range r.history.Samples {
		if s := &r.history.Samples[i]; r.from <= s.At && s.At <= r.to && s.MarkLag >= 0 {
			lags = append(lags, float64(s.MarkLag))
		}
	}
	return lags
}

func last(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	return values[len(values)-1]
}

func (r *reading) failures(of func(*core.FailureRecord) int64) (sum float64) {
	for i := range r.history.Failures {
		if f := &r.history.Failures[i]; r.from <= f.At && f.At <= r.to {
			sum += float64(of(f))
		}
	}
	return sum
}

// downtime is how long failures in the window kept the job from running.
func (r *reading) downtime() (sum float64) {
	for i := range r.history.Failures {
		if f := &r.history.Failures[i]; r.from <= f.At && f.At <= r.to {
			sum += float64(down(r.history.Failures, i))
		}
	}
	return sum
}

// mean and most are NaN where nothing was measured, so that no expectation holds by accident.
func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

func most(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	return slices.Max(values)
}
