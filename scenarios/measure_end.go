package scenarios

import (
	"fmt"
	"math"

	"checkpointlab/core"
	"checkpointlab/core/event"
)

// endMeasures are read off the end of a run, which only an expectation waits for.
var endMeasures = map[string]measure{
	"busy.end":               {Share, true, busyTime, true},
	"idle.end":               {Share, true, gauge(func(m *core.TaskMetrics) int64 { return m.IdleTimeMsPerSecond }), true},
	"backPressured.end":      {Share, true, gauge(func(m *core.TaskMetrics) int64 { return m.BackPressuredTimeMsPerSecond }), true},
	"uncommitted.end":        {Records, true, outputs(func(o *core.OutputView) int64 { return o.Written - o.Visible - o.Lost }), true},
	"lost.end":               {Records, true, outputs(func(o *core.OutputView) int64 { return o.Lost }), true},
	"cacheHit.end":           {Share, true, states(func(s *core.StateView) float64 { return float64(s.CacheHit()) / 1000 }), true},
	"writeAmplification.end": {Records, true, states(func(s *core.StateView) float64 { return float64(s.WriteAmplification()) / 100 }), true},
	"sstFiles.end": {Records, true, states(func(s *core.StateView) (n float64) {
		for _, files := range s.NumFilesAtLevel {
			n += float64(files)
		}
		return n
	}), true},
	"storage.refused": {Records, false, func(r *reading) float64 { return float64(r.view.Account.Refused) }, true},
	"storage.requests": {Records, false, func(r *reading) float64 {
		return float64(r.view.Account.Writes + r.view.Account.Reads + r.view.Account.Deletes)
	}, true},
	"storage.bytes":   {Bytes, false, func(r *reading) float64 { return float64(r.view.Account.Bytes) }, true},
	"storage.read":    {Bytes, false, func(r *reading) float64 { return float64(r.view.Account.Read) }, true},
	"recovery.end":    {Nanoseconds, false, func(r *reading) float64 { return float64(r.view.Account.Recovery.Total) }, true},
	"recovery.reread": {Records, false, func(r *reading) float64 { return float64(r.view.Account.Recovery.Reread) }, true},
}

// gauge is a time gauge of Flink's, as a share, the mean over the vertex's subtasks.
func gauge(of func(*core.TaskMetrics) int64) func(*reading) float64 {
	return func(r *reading) float64 {
		sum, tasks := int64(0), r.view.Vertices[r.vertex].Tasks
		for i := range tasks {
			sum += of(&tasks[i].Metrics)
		}
		return float64(sum) / 1000 / float64(len(tasks))
	}
}

// busyTime is the mean of the vertex's subtasks, not a number if they measure none: those of a SourceFunction.
func busyTime(r *reading) float64 {
	if r.view.Vertices[r.vertex].Tasks[0].Metrics.BusyTimeMsPerSecond < 0 {
		return math.NaN()
	}
	return gauge(func(m *core.TaskMetrics) int64 { return m.BusyTimeMsPerSecond })(r)
}

// states is the mean over the vertex's subtasks of what their state tells.
func states(of func(*core.StateView) float64) func(*reading) float64 {
	return func(r *reading) float64 {
		sum, tasks := 0.0, r.view.Vertices[r.vertex].Tasks
		for i := range tasks {
			sum += of(&tasks[i].Keyed)
		}
		return sum / float64(len(tasks))
	}
}

// AtEnd reads a measure off a run of the scenario that has reached its end: of a vertex, or of the whole run if it is "".
func (s *Scenario) AtEnd(measure, vertex string, lab *core.Lab) (Unit, float64, error) {
	m, ok := measures[measure]
	if !ok || m.vertex != (vertex != "") {
		return 0, 0, fmt.Errorf("%s of the vertex %q is not a measure", measure, vertex)
	}
	n := Number{Measure: measure, Vertex: vertex, Unit: m.unit}
	return m.unit, n.In(lab), nil
}

// outputs is a sum over the subtasks of a sink.
func outputs(of func(*core.OutputView) int64) func(*reading) float64 {
	return func(r *reading) float64 {
		sum, tasks := int64(0), r.view.Vertices[r.vertex].Tasks
		for i := range tasks {
			sum += of(&tasks[i].Output)
		}
		return float64(sum)
	}
}

// In reads the number off a run that has reached its end.
func (n *Number) In(lab *core.Lab) float64 {
	r := n.reading(lab.Setup(), lab.History())
	if measures[n.Measure].end {
		r.view = new(core.View)
		lab.View(r.view)
	}
	return measures[n.Measure].of(&r)
}

// spanMeasures are of the times between checkpoints, of when things happen, and of a vertex's channel state.
var spanMeasures = map[string]measure{
	"checkpoint.period.mean":   {Nanoseconds, false, func(r *reading) float64 { return mean(r.periods()) }, false},
	"pause.completed.mean":     {Nanoseconds, false, func(r *reading) float64 { return mean(r.pauses(core.Completed)) }, false},
	"pause.completed.min":      {Nanoseconds, false, func(r *reading) float64 { return -most(negative(r.pauses(core.Completed))) }, false},
	"pause.failed.mean":        {Nanoseconds, false, func(r *reading) float64 { return mean(r.pauses(core.FailedCheckpoint)) }, false},
	"pause.failed.max":         {Nanoseconds, false, func(r *reading) float64 { return most(r.pauses(core.FailedCheckpoint)) }, false},
	"checkpoint.open.max":      {Nanoseconds, false, (*reading).longestOpen, false},
	"failures.first":           {Nanoseconds, false, (*reading).firstFailure, false},
	"read":                     {PerSecond, false, (*reading).readRate, false},
	"reread.expected":          {Records, false, (*reading).expectedReread, false},
	"checkpoint.stored.max":    {Bytes, false, (*reading).mostStored, false},
	"checkpoint.requests.mean": {Records, false, func(r *reading) float64 { return mean(r.completed(requests)) }, false},
	"persisted.max":            {Bytes, true, func(r *reading) float64 { return most(r.completed(r.persistedOf)) }, false},
	"size.max":                 {Bytes, true, func(r *reading) float64 { return most(r.completed(r.largestOf)) }, false},
}

// periods are the times between the triggers of two checkpoints in a row that completed.
func (r *reading) periods() (spans []float64) {
	last := event.Time(-1)
	for i := range r.history.Checkpoints {
		c := &r.history.Checkpoints[i]
		if c.Savepoint || c.Outcome != core.Completed || !r.in(c) {
			continue
		}
		if last >= 0 {
			spans = append(spans, float64(c.Triggered-last))
		}
		last = c.Triggered
	}
	return spans
}

// pauses are the times from the end of a checkpoint that ended so to the next trigger.
func (r *reading) pauses(o core.Outcome) (spans []float64) {
	all := r.history.Checkpoints
	for i := range all {
		if all[i].Outcome != o || !r.in(&all[i]) {
			continue
		}
		next := event.Time(-1)
		for k := i + 1; k < len(all) && next < 0; k++ {
			if all[k].Triggered >= all[i].Ended {
				next = all[k].Triggered
			}
		}
		if next >= 0 {
			spans = append(spans, float64(next-all[i].Ended))
		}
	}
	return spans
}

func negative(values []float64) []float64 {
	for i := range values {
		values[i] = -values[i]
	}
	return values
}

// longestOpen is the longest that a checkpoint was in progress, however it ended.
func (r *reading) longestOpen() float64 {
	longest := math.NaN()
	for i := range r.history.Checkpoints {
		c := &r.history.Checkpoints[i]
		if !r.in(c) {
			continue
		}
		end := c.Ended
		if c.Outcome == core.InProgress {
			end = r.to
		}
		if open := float64(end - c.Triggered); math.IsNaN(longest) || open > longest {
			longest = open
		}
	}
	return longest
}

// firstFailure is how long after the window's start the job failed for the first time.
func (r *reading) firstFailure() float64 {
	for i := range r.history.Failures {
		if f := &r.history.Failures[i]; r.from <= f.At && f.At <= r.to && !f.Rescaled {
			return float64(f.At - r.from)
		}
	}
	return math.NaN()
}

// readRate is what all sources have read in the window, a second.
func (r *reading) readRate() float64 {
	var first, last *core.Sample
	for i := range r.history.Samples {
		s := &r.history.Samples[i]
		if s.At < r.from || s.At > r.to {
			continue
		}
		if first == nil {
			first = s
		}
		last = s
	}
	if first == nil || last == first {
		return math.NaN()
	}
	return float64(last.Read-first.Read) * float64(event.Second) / float64(last.At-first.At)
}

// persistedOf is a vertex's channel state in a checkpoint, largestOf the state of its largest subtask.
func (r *reading) persistedOf(c *core.CheckpointRecord) (sum int64) {
	for i := r.tasks[0]; i < min(r.tasks[1], len(c.Tasks)); i++ {
		sum += c.Tasks[i].Persisted
	}
	return sum
}

func (r *reading) largestOf(c *core.CheckpointRecord) (largest int64) {
	for i := r.tasks[0]; i < min(r.tasks[1], len(c.Tasks)); i++ {
		largest = max(largest, c.Tasks[i].Size)
	}
	return largest
}
