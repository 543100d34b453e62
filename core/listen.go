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
