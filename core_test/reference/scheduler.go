package reference

import (
	"checkpointlab/core"
	"checkpointlab/core/checkpoint"
	"checkpointlab/core/event"
)

// firstFails is how many of a hundred first triggers after a start find a task that is not RUNNING.
const firstFails = 93

// following is how the periodic scheduler follows the job.
type following int

const (
	ideal   following = iota // when tasks run, until the job fails
	byTasks                  // 2.3: with the first task; once more with the last one, and until the job fails, in a graph without a failure
	byJob                    // before: with the end of the back-off, until the job fails
)

func (r *Run) follows() following {
	switch {
	case r.setup.FirstTrigger != core.AtRunning:
		return ideal
	case r.setup.Options.Version == "2.3":
		return byTasks
	default:
		return byJob
	}
}

// tasksRun is the instant at which tasks have started.
func (r *Run) tasksRun() {
	if r.follows() != ideal && r.coordinator.Started() {
		return
	}
	if len(r.starting) == 0 {
		r.heard = r.intact
	}
	r.carryOut(r.coordinator.Start(r.now, r.firstDelay(), nil))
}

// allRun is the last task that is known to run.
func (r *Run) allRun(effects []checkpoint.Effect) []checkpoint.Effect {
	if r.follows() == byTasks && r.intact {
		r.heard = true
		return r.coordinator.Start(r.now, r.firstDelay(), effects)
	}
	return effects
}

// listens tells whether checkpoints end with the job.
func (r *Run) listens() bool {
	switch f := r.follows(); {
	case r.setup.Options.Interval == 0 || f == byTasks && !r.heard:
		return false
	default:
		return f != byJob || r.allDue() // else the job is RESTARTING already
	}
}

// ready tells whether all tasks can be triggered; right after a start one is late (spec 2.1).
func (r *Run) ready() (ok, late bool) {
	if !r.running || len(r.starting) > 0 || r.someFinished() && !r.setup.Options.AfterTasksFinish {
		return false, false
	}
	if r.setup.Control.FirstFails && r.now <= r.fresh {
		r.fresh = -1
		late = r.random.Int64n(100) < firstFails
	}
	return !late, late
}

// firstDelay is from the start of the scheduler to the first trigger.
func (r *Run) firstDelay() event.Time {
	o := &r.setup.Options
	switch {
	case r.setup.FirstTrigger == core.AtInterval:
		return o.Interval
	case r.follows() != byTasks && o.PauseSources: // at most as long again, and a millisecond
		return o.MinPause + r.random.Int64n(o.MinPause+event.Millisecond)
	case r.follows() != byTasks && o.Interval > o.MinPause:
		return o.MinPause + r.random.Int64n(o.Interval-o.MinPause)
	}
	return o.MinPause
}
