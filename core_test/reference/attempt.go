package reference

import "checkpointlab/core/event"

// attempt is some tasks that start together: all of them at first, then those of the regions that have failed. One that fails again is
// in a later attempt, and what was scheduled for it in an earlier one is void.
type attempt struct {
	number   int64
	began    event.Time // the end of its back-off
	restored event.Checkpoint
	due      bool       // its back-off is over
	reads    bool       // its tasks read what they go on from
	cutting  event.Time // what that takes beside the storage, at most
}

// again lets tasks begin another attempt.
func (r *Run) again(tasks []*task) *attempt {
	r.attempts++
	a := &attempt{number: r.attempts}
	var left []*attempt
	for _, t := range tasks {
		if t.attempt != nil {
			left = append(left, t.attempt)
		}
		t.attempt, t.reading = a, false
	}
	for i, old := range left {
		if i == 0 || left[i-1] != old {
			r.whenRead(old)
		}
	}
	return a
}

// with lists the tasks of an attempt that is not over.
func (r *Run) with(a *attempt) (tasks []*task) {
	for _, t := range r.tasks {
		if t.attempt == a {
			tasks = append(tasks, t)
		}
	}
	return tasks
}

// whenRead lets the tasks of an attempt start when none of them reads any more.
func (r *Run) whenRead(a *attempt) {
	tasks := r.with(a)
	for _, t := range tasks {
		if t.reading {
			return
		}
	}
	if a.reads && len(tasks) > 0 {
		a.reads = false
		r.agenda.afterIn(r.master(), r.now+a.cutting+r.setup.Control.Restore, func() { r.startTasks(a) })
	}
}

// allDue tells whether no back-off runs any more.
func (r *Run) allDue() bool {
	for _, t := range r.tasks {
		if t.attempt != nil && !t.attempt.due {
			return false
		}
	}
	return true
}
