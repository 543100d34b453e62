package reference

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
)

// throttling is a task manager whose records take so many times as long, per mille, for a while.
type throttling struct {
	until event.Time
	times int64
}

func (r *Run) throttle(a *core.Action) {
	for _, t := range r.all {
		if t.vertexIndex != a.Vertex || t.index != max(0, a.Subtask) {
			continue
		}
		which := r.manager(t)
		if len(r.process(which).tasks()) == 0 {
			return
		}
		until := r.now + a.For
		r.throttles[which] = throttling{until, a.Times}
		r.slowDown(which)
		r.agenda.after(until, func() {
			if r.throttles[which].until == until {
				r.unthrottle(which)
			}
		})
	}
}

// unthrottle ends it, as the end of the process does.
func (r *Run) unthrottle(which int) {
	if r.throttles[which].until > 0 {
		delete(r.throttles, which)
		r.slowDown(which)
	}
}

func (r *Run) slowDown(which int) {
	for _, t := range r.process(which).tasks() {
		t.nextSlow = r.throttles[which].times
		t.heeds()
	}
}

// slowed is what usually takes that long.
func (t *task) slowed(cost event.Time) event.Time {
	if t.slow == 0 {
		return cost
	}
	return cost * t.slow / 1000
}
