package core

import (
	"slices"

	"checkpointlab/core/event"
)

// comeback is a restart under way, or the first start: of a region, of some that failed together, or of all tasks. Each has its own
// back-off and waits for its own tasks (DefaultScheduler.restartTasksWithDelay); what fails once more meanwhile leaves it for a newer
// one (ExecutionVertexVersioner).
type comeback struct {
	gen      uint32
	culprit  event.Task       // whose failure it is for; -1 = of the job as a whole
	until    event.Time       // end of the back-off, or of what it waits for; 0 = over
	began    event.Time       // of the attempt: the end of its back-off
	restored event.Checkpoint // what its tasks go back to
	due      bool             // its back-off is over, and its tasks are gone
	reads    bool             // they have begun to read it
	cutting  event.Time       // what cutting and joining the restored parts takes at most
}

// comebacks are all that are under way, the oldest first.
type comebacks struct {
	all     []comeback
	of      []uint32     // by task: the last one that it was in
	reading []bool       // by task: it reads what it goes on from
	goneAt  []event.Time // by task: it is gone, and known to be then; Never = nobody will know
	slotsAt []event.Time // by task manager: its slots are there again
}

func newComebacks(tasks, managers int) comebacks {
	return comebacks{
		all: []comeback{{culprit: -1, due: true}}, of: make([]uint32, tasks), reading: make([]bool, tasks), goneAt: make([]event.Time, tasks), slotsAt: make([]event.Time, managers),
	}
}

func (c *comebacks) copyFrom(src *comebacks) {
	c.all = append(c.all[:0], src.all...)
	copy(c.of, src.of)
	copy(c.reading, src.reading)
	copy(c.goneAt, src.goneAt)
	copy(c.slotsAt, src.slotsAt)
}

// find is the restart of that number, nil if it is not under way.
func (c *comebacks) find(gen uint32) *comeback {
	for i := range c.all {
		if c.all[i].gen == gen {
			return &c.all[i]
		}
	}
	return nil
}

// isIn tells whether a task is in a restart under way.
func (c *comebacks) isIn(t event.Task) bool { return c.find(c.of[t]) != nil }

// over takes a restart off the list.
func (c *comebacks) over(gen uint32) {
	c.all = slices.DeleteFunc(c.all, func(b comeback) bool { return b.gen == gen })
}

// backsOff tells whether a restart is not due yet.
func (c *comebacks) backsOff() bool {
	return slices.ContainsFunc(c.all, func(b comeback) bool { return !b.due })
}

// backoffEnds is when the first back-off that runs ends; 0 = none does.
func (c *comebacks) backoffEnds() (until event.Time) {
	for i := range c.all {
		if u := c.all[i].until; u > 0 && (until == 0 || u < until) {
			until = u
		}
	}
	return until
}

// leave lets tasks begin another restart. Those that they were in go on with the others, if there are any.
func (l *Lab) leave(now event.Time, tasks []event.Task) {
	c := &l.back
	l.job.gen++
	for _, t := range tasks {
		c.of[t], c.reading[t] = l.job.gen, false
	}
	c.all = slices.DeleteFunc(c.all, func(b comeback) bool {
		return !slices.ContainsFunc(l.plan.active, func(t event.Task) bool { return c.of[t] == b.gen })
	})
	for i := range c.all {
		l.runOnceRead(now, &c.all[i]) // the last one that it waited for may have left
	}
	c.all = append(c.all, comeback{gen: l.job.gen, culprit: -1})
}

// comesBack tells whether a task is to start with a restart.
func (l *Lab) comesBack(t event.Task, gen uint32) bool {
	return l.back.of[t] == gen && l.world.Tasks[t].Down()
}

// with lists the tasks of a restart.
func (l *Lab) with(gen uint32) (tasks []event.Task) {
	for _, t := range l.plan.active {
		if l.comesBack(t, gen) {
			tasks = append(tasks, t)
		}
	}
	return tasks
}
