// Package export writes what was recorded of a run for other programs: series as CSV or JSON, and a trace that
// chrome://tracing, Perfetto and speedscope open. Times are seconds of the simulation unless a name says otherwise;
// latencies and durations are milliseconds.
package export

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"

	"checkpointlab/core"
	"checkpointlab/core/event"
)

// Series is a table of numbers along a run.
type Series struct {
	Name    string   `json:"name"`
	Columns []string `json:"columns"`
	Rows    [][]any  `json:"rows"` // numbers and words, in the order of Columns
}

// The names of the series.
const (
	Samples     = "samples"     // every 100 ms: age, pipeline latency, lag, bytes in flight, records read and shown
	Commits     = "commits"     // records that became visible with a checkpoint
	Checkpoints = "checkpoints" // one line a checkpoint
	Subtasks    = "subtasks"    // one line a subtask of a checkpoint, in Flink's phases
)

// Names lists the series.
func Names() []string { return []string{Samples, Commits, Checkpoints, Subtasks} }

// Of is a series of a run; an unknown name panics. tasks are the subtasks' names by id.
func Of(name string, h *core.History, tasks []string) Series {
	switch name {
	case Samples:
		return samples(h)
	case Commits:
		return commits(h)
	case Checkpoints:
		return checkpoints(h)
	case Subtasks:
		return subtasks(h, tasks)
	}
	panic("export: no series " + name)
}

func seconds(t event.Time) float64 { return float64(t) / float64(event.Second) }

func millis(t event.Time) float64 { return float64(t) / float64(event.Millisecond) }

func samples(h *core.History) Series {
	s := Series{Name: Samples, Columns: []string{"time_s", "oldest_invisible_ms", "pipeline_latency_ms", "lag_records", "in_flight_bytes", "records_read", "records_visible"}}
	for i := range h.Samples {
		p := &h.Samples[i]
		s.Rows = append(s.Rows, []any{seconds(p.At), millis(p.OldestAge), millis(p.Pipeline), p.Lag, p.InFlight, p.Read, p.Shown})
	}
	return s
}

func commits(h *core.History) Series {
	s := Series{Name: Commits, Columns: []string{"time_s", "checkpoint", "records", "min_ms", "mean_ms", "p99_ms", "max_ms"}}
	for i := range h.Commits {
		c := &h.Commits[i]
		s.Rows = append(s.Rows, []any{seconds(c.At), c.Checkpoint, c.Records, millis(c.Min), millis(c.Mean), millis(c.P99), millis(c.Max)})
	}
	return s
}

var outcomes = [...]string{core.InProgress: "IN_PROGRESS", core.Completed: "COMPLETED", core.FailedCheckpoint: "FAILED"}

func checkpoints(h *core.History) Series {
	s := Series{Name: Checkpoints, Columns: []string{"checkpoint", "savepoint", "triggered_s", "status", "failure", "end_to_end_ms", "state_bytes", "persisted_bytes", "processed_bytes"}}
	for i := range h.Checkpoints {
		c := &h.Checkpoints[i]
		var size, persisted, processed int64
		for k := range c.Tasks {
			size, persisted, processed = size+c.Tasks[k].Size, persisted+c.Tasks[k].Persisted, processed+c.Tasks[k].Processed
		}
		took, failure := any(""), ""
		if c.Outcome != core.InProgress {
			took = millis(c.Duration())
		}
		if c.Outcome == core.FailedCheckpoint {
			failure = c.Reason.String()
		}
		s.Rows = append(s.Rows, []any{c.ID, c.Savepoint, seconds(c.Triggered), outcomes[c.Outcome], failure, took, size, persisted, processed})
	}
	return s
}

func subtasks(h *core.History, tasks []string) Series {
	s := Series{Name: Subtasks, Columns: []string{"checkpoint", "subtask", "ack_ms", "start_delay_ms", "alignment_ms", "sync_ms", "async_ms", "state_bytes", "persisted_bytes", "processed_bytes", "unaligned"}}
	for i := range h.Checkpoints {
		c := &h.Checkpoints[i]
		for k := range c.Tasks {
			p := &c.Tasks[k]
			acked := any("")
			if p.Acked >= 0 {
				acked = millis(p.Acked - c.Triggered)
			}
			s.Rows = append(s.Rows, []any{c.ID, named(tasks, k), acked, known(p.StartDelay), known(p.Alignment), known(p.Sync), known(p.Async), p.Size, p.Persisted, p.Processed, p.Unaligned})
		}
	}
	return s
}

// known is a span in ms, nothing if it is not known.
func known(t event.Time) any {
	if t < 0 {
		return ""
	}
	return millis(t)
}

func named(tasks []string, i int) string {
	if i < len(tasks) {
		return tasks[i]
	}
	return strconv.Itoa(i)
}

// CSV writes the series with its columns as the first line.
func (s Series) CSV(w io.Writer) error {
	out := csv.NewWriter(w)
	if err := out.Write(s.Columns); err != nil {
		return err
	}
	line := make([]string, len(s.Columns))
	for _, row := range s.Rows {
		for i, v := range row {
			line[i] = word(v)
		}
		if err := out.Write(line); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// word is a value without needless digits.
func word(v any) string {
	switch v := v.(type) {
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case int64:
		return strconv.FormatInt(v, 10)
	case bool:
		return strconv.FormatBool(v)
	case string:
		return v
	}
	panic("export: a value of no known kind")
}

// JSON writes the series as one object.
func (s Series) JSON(w io.Writer) error { return json.NewEncoder(w).Encode(s) }
