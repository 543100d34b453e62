package checkpoint

import (
	"iter"

	"checkpointlab/core/event"
)

// Asked appends the tasks that a checkpoint asks by RPC: those that run and have no producer that does. With nothing finished these
// are the sources (DefaultCheckpointPlanCalculator, spec 2.3).
func Asked(tasks int, finished func(event.Task) bool, producers func(event.Task) iter.Seq[event.Task], out []event.Task) []event.Task {
	for t := range event.Task(tasks) {
		if !finished(t) && !anyRuns(producers(t), finished) {
			out = append(out, t)
		}
	}
	return out
}

func anyRuns(tasks iter.Seq[event.Task], finished func(event.Task) bool) bool {
	for t := range tasks {
		if !finished(t) {
			return true
		}
	}
	return false
}

// EndedInPart reports whether a checkpoint cannot be completed for an operator with union state: some of its subtasks had ended when it
// came by, and others had not. What the ended ones knew would be missing for all (DefaultCheckpointPlan.fulfillFinishedTaskStatus,
// PartialFinishingNotSupportedByStateException).
func EndedInPart(ended, parallelism int) bool { return ended > 0 && ended < parallelism }
