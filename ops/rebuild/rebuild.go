// Package rebuild makes a scenario of what a running Flink wrote of one job (ops/observed reads it), so that somebody can see and
// change their own job. What goes in are the job's structure, its options, its load, what its work and its state cost; how long
// checkpoints take, where barriers wait and which vertices are back-pressured does not go in: it has to come out of the run, and
// Compare lays it beside what was observed.
//
// Nothing is filled in silently: each value of the file says in a comment where it is from, and Notes say what was assumed because
// no text tells it.
//
// Reading order: Of (graph.go: vertices and exchanges; load.go: rates, costs, sizes; state.go: what checkpoints store; options.go:
// Flink's options and task managers), then YAML (file.go), then Compare (compare.go).
package rebuild

import (
	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/ops/observed"
)

// Rebuilt is a scenario of a job.
type Rebuilt struct {
	Notes []option.Note // what was assumed, and what of the job the scenario cannot have

	job      *observed.Job
	vertices []vertex // in the job's order
	edges    []edge
	options  []setting
	versionFrom,
	clusterLine line
	keys, hotShare line
	script         []line
	duration       event.Time
	interval       event.Time // between two checkpoints; 0 = there are none
	compared       []compared
}

// Of makes a scenario of what texts say of one job together: the answer of /jobs/:id at least, and what there is of
// /jobs/:id/vertices/:vid, …/checkpoints, …/checkpoints/config, …/checkpoints/details/:cid, its …/subtasks/:vid and configurations.
// version is Flink's, "" = as a text says, else the newest. An error is a *option.Mistake.
func Of(texts []string, version string) (*Rebuilt, error) {
	job, err := observed.Gather(texts...)
	if err != nil {
		return nil, err
	}
	r := &Rebuilt{job: job, Notes: job.Notes}
	if err := r.graph(); err != nil {
		return nil, err
	}
	if err := r.flink(version); err != nil {
		return nil, err
	}
	r.load()
	r.state()
	r.managers()
	r.length()
	r.compare()
	return r, nil
}

// leastRun is how long a run is at least, and runIntervals how many checkpoints it has; the first quarter is left for queues to fill.
const (
	leastRun     = 60 * event.Second
	mostRun      = 24 * 3600 * event.Second
	runIntervals = 12
)

// length is how long the run has to be to be compared.
func (r *Rebuilt) length() {
	r.duration = leastRun
	if r.interval > 0 {
		r.duration = event.Time(min(float64(mostRun), max(float64(leastRun), runIntervals*r.every())))
		r.duration -= r.duration % event.Second
	}
}

// from is when the comparison begins.
func (r *Rebuilt) from() event.Time { return r.duration / 4 / event.Second * event.Second }
