package core

import (
	"checkpointlab/core/checkpoint"
	"checkpointlab/core/event"
)

// taskEnded is the coordinator hearing that a task has come to the end of its data. When all have, it asks for the final
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

// taskFinished is the coordinator hearing that a task has finished. With the last one the job has.
func (l *Lab) taskFinished(now event.Time, t event.Task, gen uint32) {
	if l.world.Tasks[t].Gen != gen {
		return
	}
	l.coord.Finish(t)
	if l.job.left--; l.job.left > 0 {
		return
	}
	l.job.running = false
	l.carry(now, l.coord.Shutdown(now, l.effects[:0]))
	if l.job.rescale > 0 && l.job.stopped {
		l.rescale(now, l.job.rescale-1, l.job.last)
		return
	}
	l.job.finished = true
	l.feed.Emit(event.Event{At: now, Kind: event.JobFinished})
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

// toTrigger is the tasks that the coordinator asks for a checkpoint: the sources, or, once tasks have finished, those that
// run and all of whose producers have finished (DefaultCheckpointPlanCalculator, spec 2.3).
func (l *Lab) toTrigger() []event.Task {
	if l.job.left == len(l.plan.active) {
		return l.plan.sources
	}
	l.asked = l.asked[:0]
	for t := event.Task(0); int(t) < l.plan.tasks; t++ {
		if !l.coord.Finished(t) && !l.hasRunningProducer(t) {
			l.asked = append(l.asked, t)
		}
	}
	return l.asked
}

func (l *Lab) hasRunningProducer(t event.Task) bool {
	for _, g := range l.plan.gates[t] {
		for _, c := range l.plan.net.GateInputs[g] {
			if !l.coord.Finished(l.plan.net.Wires[c].Producer) {
				return true
			}
		}
	}
	return false
}
