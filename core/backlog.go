package core

import "checkpointlab/core/event"

// A source that works off a backlog says so to the coordinator (SplitEnumeratorContext.setIsProcessingBacklog); while any
// does, the interval is that of execution.checkpointing.interval-during-backlog (spec 2.1).

// caughtUp is the coordinator hearing that a source subtask has read what was there at the start.
func (l *Lab) caughtUp(now event.Time, t event.Task, gen uint32) {
	if l.world.Tasks[t].Gen == gen {
		l.behind[t] = false
		l.tellBacklog(now)
	}
}

// sayBacklog is an action of the script.
func (l *Lab) sayBacklog(now event.Time, a *Action) {
	for k := 0; k < l.plan.setup.Vertices[a.Vertex].Parallelism; k++ {
		if a.Subtask < 0 || a.Subtask == k {
			l.behind[l.plan.first[a.Vertex]+event.Task(k)] = !a.Over
		}
	}
	l.tellBacklog(now)
}

// backlogOf notes what a source that starts has before it.
func (l *Lab) backlogOf(t event.Task) {
	if log := l.world.Tasks[t].Log; l.plan.setup.Vertices[l.world.Tasks[t].Vertex].Kind == Source {
		l.behind[t] = l.world.Logs[log].Behindhand()
	}
}

// tellBacklog gives the coordinator what holds for all sources.
func (l *Lab) tellBacklog(now event.Time) {
	any := l.backlog()
	if any != l.job.backlog {
		l.job.backlog = any
		l.carry(now, l.coord.SetBacklog(now, any, l.effects[:0]))
	}
}

func (l *Lab) backlog() bool {
	for _, behind := range l.behind {
		if behind {
			return true
		}
	}
	return false
}
