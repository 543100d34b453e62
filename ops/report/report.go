// Package report condenses a run to the numbers that the command prints and tests compare: a pure function of the run's
// setup, history and last view. docs/command.md lists the JSON fields; they are kept stable.
package report

import (
	"fmt"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/metric"
	"checkpointlab/ops/finding"
)

// Report is what a run came to. Times are ms, sizes bytes, rates per second.
type Report struct {
	Scenario     string           `json:"scenario"`
	FlinkVersion string           `json:"flink_version"`
	Seed         uint64           `json:"seed"`
	Simulated    float64          `json:"simulated_s"`
	Hash         string           `json:"trace_hash"`
	Throughput   float64          `json:"throughput_per_s"` // records that sinks processed
	Shown        float64          `json:"visible_per_s"`
	Visibility   Latencies        `json:"visibility_ms"`
	Pipeline     Latencies        `json:"pipeline_ms"`
	Reprocessed  int64            `json:"reprocessed"`
	Duplicates   int64            `json:"duplicates"`
	Checkpoints  Checkpoints      `json:"checkpoints"`
	Failures     []Failure        `json:"failures"`
	Refusals     []Refusal        `json:"refusals"`
	Storage      *Storage         `json:"storage,omitempty"`
	JobMetrics   map[string]int64 `json:"job_metrics"`
	TaskMetrics  []SubtaskGauges  `json:"task_metrics"`
	Managers     []Values         `json:"task_manager_metrics,omitempty"`
	Findings     []string         `json:"findings"`
	Notes        []string         `json:"notes"`
}

// Latencies are the count, mean, extremes and quantiles of a set of times in ms; all 0 when the set is empty.
// A quantile q is the value at the 0-based rank floor(q·count), as in the recorded runs.
type Latencies struct {
	Count int64   `json:"count"`
	Mean  float64 `json:"mean"`
	Min   float64 `json:"min"`
	P50   float64 `json:"p50"`
	P90   float64 `json:"p90"`
	P95   float64 `json:"p95"`
	P99   float64 `json:"p99"`
	P999  float64 `json:"p99.9"`
	Max   float64 `json:"max"`
}

// Failure is one failure and what it cost.
type Failure struct {
	At         float64 `json:"at_s"`
	Downtime   float64 `json:"downtime_ms"` // until tasks ran again; -1 = not within the run
	Cause      string  `json:"cause"`       // a word of event.Cause; "" for a restart that was asked for
	RestoredTo int64   `json:"restored_to"` // checkpoint id; 0 = the start; -1 = the job did not run before the next failure
	Reread     int64   `json:"reread"`
	Duplicates int64   `json:"duplicates"`
}

// Refusal is a job that could not start from a snapshot.
type Refusal struct {
	At         float64 `json:"at_s"`
	Checkpoint int64   `json:"checkpoint"`
	Words      string  `json:"words"` // key, value and remedy
}

// Of is the report of a run up to v.At. The scenario's name and the notes are the caller's.
func Of(s *core.Setup, h *core.History, v *core.View, hash uint64) Report {
	seconds := float64(v.At) / float64(event.Second)
	r := Report{
		FlinkVersion: s.Options.Version,
		Seed:         s.Seed,
		Simulated:    seconds,
		Hash:         fmt.Sprintf("%016x", hash),
		Visibility:   latenciesOf(&h.Visible, metric.Everything()),
		Pipeline:     latenciesOf(&h.Pipeline, metric.Everything()),
		Checkpoints:  checkpointsOf(s, h),
		Failures:     []Failure{},
		Refusals:     []Refusal{},
		JobMetrics:   jobMetrics(s.Options.Version, h, v),
		TaskMetrics:  taskMetrics(v),
		Managers:     managerMetrics(s, v),
		Findings:     append([]string{}, finding.Of(s, h, v)...),
		Notes:        []string{},
	}
	r.Storage = storageOf(h, v)
	if seconds > 0 {
		r.Throughput = float64(r.Pipeline.Count) / seconds
		r.Shown = float64(r.Visibility.Count) / seconds
	}
	r.Duplicates = duplicates(v)
	for _, f := range h.Failures {
		r.Reprocessed += f.Reread
		r.Failures = append(r.Failures, failureOf(f))
	}
	for _, x := range h.Refusals {
		r.Refusals = append(r.Refusals, Refusal{float64(x.At) / float64(event.Second), x.Checkpoint, x.Words})
	}
	return r
}

// duplicates is how many records the sinks have made visible twice.
func duplicates(v *core.View) (n int64) {
	for i := range v.Vertices {
		for k := range v.Vertices[i].Tasks {
			n += v.Vertices[i].Tasks[k].Output.Duplicates
		}
	}
	return n
}

func failureOf(f core.FailureRecord) Failure {
	out := Failure{At: float64(f.At) / float64(event.Second), Downtime: -1, Cause: f.Cause.String(), RestoredTo: f.RestoredTo, Reread: f.Reread, Duplicates: f.Duplicates}
	if f.RunningAt < 0 {
		out.RestoredTo = -1
	}
	if f.RunningAt > f.At {
		out.Downtime = Millis(f.RunningAt - f.At)
	}
	return out
}

// latenciesOf selects the latencies of a window.
func latenciesOf(l *metric.Latencies, w metric.Window) Latencies {
	var sel metric.Selection
	sel.Select(l, w)
	return Latencies{
		Count: sel.Count(), Mean: Millis(sel.Mean()), Min: Millis(sel.Min()), Max: Millis(sel.Max()),
		P50: Millis(sel.Quantile(0.5)), P90: Millis(sel.Quantile(0.9)), P95: Millis(sel.Quantile(0.95)),
		P99: Millis(sel.Quantile(0.99)), P999: Millis(sel.Quantile(0.999)),
	}
}

// Millis turns ns into ms; -1 ns, which stands for unknown, is -1 ms as Flink's REST interface has it.
func Millis(t event.Time) float64 {
	if t == -1 {
		return -1
	}
	return float64(t) / float64(event.Millisecond)
}
