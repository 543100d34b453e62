package core

import (
	"checkpointlab/core/event"
	"checkpointlab/core/task"
)

// Listen passes every further event of the feed to f as well. f must not change the run.
func (l *Lab) Listen(f func(event.Event)) {
	l.alight()
	before := l.feed.Listen
	l.feed.Deaf = 0
	l.feed.Listen = func(e event.Event) {
		if before != nil {
			before(e)
		}
		f(e)
	}
}

// TimeOf is how long a task was idle, busy (with the synchronous parts of snapshots), soft and hard back-pressured up to
// Now, in ns.
func (l *Lab) TimeOf(id event.Task) (idle, busy, soft, hard event.Time) {
	l.alight()
	spent := l.world.Spent(&l.world.Tasks[id], l.now)
	return spent[task.Idle], spent[task.Busy] + spent[task.Sync], spent[task.Soft], spent[task.Hard]
}

// RecordsOf is how many records the running attempt of a task has taken in and put out up to Now, as Flink counts them (numRecordsIn,
// numRecordsOut).
func (l *Lab) RecordsOf(id event.Task) (in, out int64) {
	l.alight()
	in, out = l.world.Counted(&l.world.Tasks[id], l.now)
	began := &l.gauges[id].began
	return in - began[recordsIn], out - began[recordsOut]
}

// Booked is how many records a sink has worked on in all of its attempts, without those of its step in work: their pipeline latency is
// in the history.
func (l *Lab) Booked(id event.Task) int64 {
	l.alight()
	return l.world.Tasks[id].In
}
