package core

import (
	"iter"

	"checkpointlab/core/checkpoint"
	"checkpointlab/core/event"
	"checkpointlab/core/state/keyed"
)

// taskEnded handles the report that a task has reached the end of its data. When all have, the coordinator triggers the final
// checkpoint at once (SchedulerBase.notifyEndOfData, since 1.17).
func (l *Lab) taskEnded(now event.Time, t event.Task, gen uint32) {
	if l.world.Tasks[t].Gen != gen {
		return
	}
	l.ended[t] = true
	if l.behind[t] {
		l.behind[t] = false
		l.tellBacklog(now)
	}
	o := &l.plan.setup.Options
	if !o.AfterTasksFinish || o.Interval == 0 {
		return
	}
	for _, ended := range l.ended {
		if !ended {
			return
		}
	}
	l.carry(now, l.coord.Request(now, checkpoint.Checkpoint, l.effects[:0]))
}

// taskFinished handles the report that a task has finished. When the last one has, so has the job.
func (l *Lab) taskFinished(now event.Time, t event.Task, gen uint32) {
	if l.world.Tasks[t].Gen != gen {
		return
	}
	l.coord.Finish(t)
	if l.job.left--; l.job.left > 0 {
		if l.job.stopped && l.job.left == l.job.apart { // the savepoint is complete, but some tasks did not finish (StopWithSavepointTerminationHandlerImpl)
			l.fail(now, l.everyTask(), -1, event.SavepointFailed)
		}
		return
	}
	l.job.running = false
	l.terminate(now, checkpoint.JobFinished)
	if l.job.rescale > 0 && l.job.stopped {
		l.rescale(now, l.job.rescale-1, l.job.last)
		return
	}
	l.job.finished = true
	l.noteStatus(now)
	l.feed.Emit(event.Event{At: now, Kind: event.JobFinished})
}

// terminate is the job being over: the coordinator is shut down, and with it the store (SchedulerBase.shutDownCheckpointServices). What
// stays there of a failed job is its user's.
func (l *Lab) terminate(now event.Time, e checkpoint.Ending) {
	l.carry(now, l.coord.Shutdown(now, l.effects[:0]))
	l.carry(now, l.coord.ShutDownStore(e, l.effects[:0]))
	for _, id := range l.coord.Retained() {
		l.keepFiles(id)
	}
	l.shutDownStore(now)
}

// revive forgets the ends of tasks that start anew.
func (l *Lab) revive(tasks []event.Task) {
	for _, t := range tasks {
		l.ended[t] = false
		if l.coord.Finished(t) {
			l.coord.Revive(t)
			l.job.left++
		}
	}
}

// toTrigger lists the tasks that a checkpoint triggers: the sources or, once tasks have finished, the running tasks without a
// running producer (checkpoint.Asked).
func (l *Lab) toTrigger() []event.Task {
	if l.job.left == len(l.plan.active) {
		return l.plan.sources
	}
	l.asked = checkpoint.Asked(l.plan.tasks, l.coord.Finished, l.producersOf, l.asked[:0])
	return l.asked
}

// endedInPart reports whether a checkpoint cannot be completed because of subtasks with union state (checkpoint.EndedInPart).
func (l *Lab) endedInPart(id event.Checkpoint) bool {
	for v := range l.plan.setup.Vertices {
		vert := &l.plan.setup.Vertices[v]
		if !vert.has(keyed.Union) {
			continue
		}
		ended := 0
		for i := range vert.Parallelism {
			if l.world.Tasks[l.plan.first[v]+event.Task(i)].End.Before(id) {
				ended++
			}
		}
		if checkpoint.EndedInPart(ended, vert.Parallelism) {
			return true
		}
	}
	return false
}

// producersOf lists the tasks that a task reads from, one for each channel.
func (l *Lab) producersOf(t event.Task) iter.Seq[event.Task] {
	return func(yield func(event.Task) bool) {
		for _, g := range l.plan.gates[t] {
			for _, c := range l.plan.net.GateInputs[g] {
				if !yield(l.plan.net.Wires[c].Producer) {
					return
				}
			}
		}
	}
}
