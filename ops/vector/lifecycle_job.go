package vector

import (
	"fmt"
	"slices"

	"checkpointlab/core/checkpoint"
	"checkpointlab/core/event"
)

// enter puts a task into a state of Flink's executions. One that is finished is not waited for if checkpoints go on without it.
func (r *lifecycleRun) enter(task, state string) error {
	i := slices.Index(r.tasks, task)
	if i < 0 || !slices.Contains(taskStates, state) {
		return fmt.Errorf("task %s in state %s", task, state)
	}
	if r.notRunning == nil {
		r.notRunning = map[string]bool{}
	}
	delete(r.notRunning, task)
	r.coord.Revive(event.Task(i))
	switch {
	case state == "FINISHED" && r.afterFinish:
		r.coord.Finish(event.Task(i))
	case state != "RUNNING":
		r.notRunning[task] = true
	}
	return nil
}

// plans reports whether a plan can be made: all tasks that it needs run, and there is one that does.
func (r *lifecycleRun) plans() bool {
	some := false
	for i, task := range r.tasks {
		if r.notRunning[task] {
			return false
		}
		some = some || !r.coord.Finished(event.Task(i))
	}
	return some
}

// runAll answers what the coordinator waits for.
func (r *lifecycleRun) runAll() {
	for len(r.todo) > 0 {
		e := r.todo[0]
		switch {
		case e.Kind == checkpoint.Begin && r.storeFails:
			r.todo = r.todo[1:]
			r.take(r.coord.Triggered(r.now, e.ID, false, event.IOException, r.out[:0]))
		case e.Kind == checkpoint.Begin && (r.hookOpen || r.answers.left(e.ID) > 0) && r.coord.Find(e.ID) != nil: // an abort ends the phase (PendingCheckpoint#abort)
			return
		case e.Kind == checkpoint.Begin:
			r.todo = r.todo[1:]
			r.take(r.coord.Triggered(r.now, e.ID, !r.hookFails, event.NoReason, r.out[:0]))
		case !r.plans():
			r.todo = r.todo[1:]
			r.take(r.coord.Planned(r.now, false, event.NotAllRequiredTasksRunning, r.out[:0]))
		case r.counterFail:
			r.counterFail = false
			r.todo = r.todo[1:]
			r.take(r.coord.Planned(r.now, false, event.TriggerCheckpointFailure, r.out[:0]))
		default:
			r.todo = r.todo[1:]
			r.take(r.coord.Planned(r.now, true, event.NoReason, r.out[:0]))
		}
	}
}

// advance lets the clock go on to then: what falls due by it does, and the job answers at once.
func (r *lifecycleRun) advance(then event.Time) {
	r.advanced = true
	for {
		r.runAll()
		first := -1
		for i := range r.expiries {
			if r.expiries[i].At <= then && (first < 0 || r.expiries[i].At < r.expiries[first].At) {
				first = i
			}
		}
		tick := r.timed && r.tickSeq != 0 && r.tickAt <= then && (first < 0 || r.tickAt < r.expiries[first].At)
		switch {
		case tick:
			r.now = max(r.now, r.tickAt)
			seq := r.tickSeq
			r.tickSeq = 0
			r.take(r.coord.Tick(r.now, seq, r.out[:0]))
		case first >= 0:
			e := r.expiries[first]
			r.expiries = slices.Delete(r.expiries, first, first+1)
			r.now = max(r.now, e.At)
			r.take(r.coord.Expire(r.now, e.ID, r.out[:0]))
		default:
			r.now = max(r.now, then)
			return
		}
	}
}

// snapshotType is the SnapshotType that tasks are asked for, in Flink's words.
func snapshotType(e *checkpoint.Effect) string {
	switch e.Snapshot {
	case checkpoint.Savepoint:
		return "SAVEPOINT"
	case checkpoint.StopWithSavepoint:
		return "SAVEPOINT_SUSPEND"
	case checkpoint.StopWithDrain:
		return "SAVEPOINT_TERMINATE"
	}
	if e.Format == checkpoint.Full {
		return "FULL_CHECKPOINT"
	}
	return "CHECKPOINT"
}

// take remembers the effects.
func (r *lifecycleRun) take(out []checkpoint.Effect) {
	for i := 0; i < len(out); i++ {
		switch e := out[i]; e.Kind {
		case checkpoint.ArmTick:
			r.tickAt, r.tickSeq = e.At, e.Seq
		case checkpoint.Plan:
			r.todo = append(r.todo, e)
		case checkpoint.Begin:
			r.todo = append(r.todo, e)
			r.begun[e.Request] = e.ID
		case checkpoint.Trigger:
			r.sentTo = r.triggered
			r.triggers += len(r.triggered)
			r.kinds = append(r.kinds, snapshotType(&e))
			r.begunAt = append(r.begunAt, int64(r.now/event.Millisecond))
			r.asked = append(r.asked, e.ID)
		case checkpoint.Finalize:
			out = r.coord.Finalized(r.now, e.ID, checkpoint.Written(!r.addFails), out)
		case checkpoint.ArmExpiry:
			r.expiries = append(r.expiries, e)
		case checkpoint.FailJob:
			r.jobFails++
		case checkpoint.Completed:
			r.completed = append(r.completed, e.ID)
			if e.Snapshot.IsSavepoint() {
				r.savepoints = append(r.savepoints, e.ID)
			} else {
				r.shared.unregister(r.coord.Retained())
			}
		case checkpoint.Subsumed:
			r.subsumed = append(r.subsumed, e.ID)
			r.discard(e.ID)
		case checkpoint.Deleted:
			r.discard(e.ID)
		case checkpoint.NotifyComplete:
			r.notified = append(r.notified, e.ID)
		case checkpoint.NotifyAborted:
			if e.Reason == event.CheckpointExpired {
				r.expired = append(r.expired, e.ID)
			}
			r.aborted, r.toldLast = append(r.aborted, e.ID), e.Other
		case checkpoint.Failed, checkpoint.Dropped:
			r.failed[e.Request] = e.Reason
		case checkpoint.Discard:
			r.discarded[fmt.Sprint(e.ID, "/", e.Task)] = true
		}
	}
	r.out = out
}

// discard notes that a complete checkpoint is deleted, with what all tasks have in it.
func (r *lifecycleRun) discard(id event.Checkpoint) {
	if id == r.foreign {
		return // its user's
	}
	for t := range r.acks {
		r.discarded[fmt.Sprint(id, "/", t)] = true
	}
}
