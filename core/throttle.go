package core

import (
	"checkpointlab/core/event"
	"checkpointlab/core/sim"
)

// mostTimes is how many times as long records may take at most on a task manager that is throttled, per mille.
const mostTimes = 100_000

// throttled is a task manager that has too little processor time for a while: its records take longer. It belongs to the process, so
// that a new one in its place has none of it.
type throttled struct {
	until event.Time // 0 = it is not
	times int64      // … so many times as long, per mille
}

// throttle lets everything that the threads of a task manager do with records take longer for a while, as in a container whose quota of
// processor time is used up in each of its periods (cgroups' cpu.max, Kubernetes' CPU limit). One that is throttled already is from
// then on as this action says.
func (l *Lab) throttle(now event.Time, a *Action) {
	m := l.managerOf(a.Vertex, max(0, a.Subtask))
	if len(l.onManager(m)) == 0 { // this phase of the job does without it
		return
	}
	l.throttles[m] = throttled{now + a.For, a.Times}
	l.queue.Push(sim.Item{At: now + a.For, Kind: event.DueFaster, A: int32(m)})
	l.slowDown(now, m)
}

// faster is the end of a throttling, unless it was prolonged.
func (l *Lab) faster(now event.Time, m int) {
	if l.throttles[m].until == now {
		l.unthrottle(now, m)
	}
}

// unthrottle ends the throttling of a task manager: its time is over, or its process.
func (l *Lab) unthrottle(now event.Time, m int) {
	if l.throttles[m].until > 0 {
		l.throttles[m] = throttled{}
		l.slowDown(now, m)
	}
}

// slowDown tells the tasks of a task manager how much longer than usual their records take.
func (l *Lab) slowDown(now event.Time, m int) {
	for t := range l.world.Tasks {
		if l.world.Tasks[t].Manager == int32(m) {
			l.world.Slow(now, event.Task(t), l.throttles[m].times)
		}
	}
}
