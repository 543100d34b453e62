package vector

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"checkpointlab/core/checkpoint"
	"checkpointlab/core/event"
)

func (r *lifecycleRun) event(verb string, args []json.RawMessage) (Status, string) {
	if r.refused {
		return Unknown(verb, errors.New("there is no coordinator"))
	}
	args, r.format = formatOf(verb, args)
	args, r.shared.next = sharedOf(verb, args)
	if short, fails := failing(args); fails && verb == "complete" && len(short) == 1 {
		if r.complete(strings.Trim(string(short[0]), `"`)) == nil {
			return Differ("complete", "done", "an error")
		}
		return Pass, ""
	}
	words := make([]string, len(args))
	for i, a := range args {
		words[i] = strings.Trim(string(a), `"`)
	}
	known, err := r.jobEvent(verb, words)
	if !known {
		known, err = r.taskEvent(verb, words)
		if r.advanced {
			r.runAll()
		}
	}
	if !known {
		return Unknown(fmt.Sprintf("%s with %d arguments", verb, len(args)), errUnknown)
	}
	return done(err)
}

// formats are what a request can be for, besides a plain one: a checkpoint's type as the REST interface has it, a savepoint's format.
var formats = map[string]checkpoint.Format{
	"CONFIGURED": checkpoint.Canonical, "INCREMENTAL": checkpoint.Canonical, "FULL": checkpoint.Full,
	"CANONICAL": checkpoint.Canonical, "NATIVE": checkpoint.Native,
}

// formatOf takes {type} or {format} off the end of a request.
func formatOf(verb string, args []json.RawMessage) ([]json.RawMessage, checkpoint.Format) {
	var asked struct{ Type, Format string }
	if n := len(args); n > 0 && bytes.HasPrefix(args[n-1], []byte("{")) && Decode(args[n-1], &asked) == nil {
		if f, ok := formats[asked.Type+asked.Format]; ok {
			return args[:n-1], f
		}
	}
	return args, checkpoint.Canonical
}

// jobEvent takes in what the job around the coordinator does.
func (r *lifecycleRun) jobEvent(verb string, words []string) (known bool, err error) {
	switch n := len(words); {
	case verb == "trigger" && n == 1:
		return true, r.trigger("manual", words[0])
	case verb == "savepoint" && n == 1, verb == "triggerSavepoint" && n == 1:
		return true, r.trigger("savepoint", words[0])
	case verb == "stopWithSavepoint" && n == 1:
		return true, r.trigger("stopWithSavepoint", words[0])
	case verb == "complete" && n == 1:
		return true, r.complete(words[0])
	case verb == "tick" && n == 0:
		if r.tickSeq == 0 {
			return true, errors.New("no periodic trigger is armed")
		}
		r.timed = true
		r.advance(max(r.now, r.tickAt))
	case verb == "changeLeader" && n == 0: // what is kept outside the JobManager goes on
		r.take(r.coord.Stop(r.now, event.CheckpointCoordinatorSuspend, r.out[:0]))
		r.coord.ChangeLeader()
		r.take(r.coord.Start(r.now, r.firstDelay, r.out[:0]))
	case verb == "request" && n == 2:
		return true, r.request(words[0], words[1])
	case verb == "runAll" && n == 0:
		r.runAll()
	case verb == "masterHookDone" && n == 0:
		r.hookOpen = false
	case verb == "masterHookFails" && n == 0:
		r.hookOpen, r.hookFails = false, true
	case verb == "shutdown" && n == 0:
		r.take(r.coord.Shutdown(r.now, r.out[:0]))
	case verb == "shutdown" && n == 1: // the job ends in that status, and with it the store
		ending, ok := endings[words[0]]
		if !ok {
			return true, fmt.Errorf("status %s", words[0])
		}
		r.take(r.coord.Shutdown(r.now, r.out[:0]))
		r.take(r.coord.ShutDownStore(ending, r.out[:0]))
	case verb == "stopScheduler" && n == 0:
		r.take(r.coord.Stop(r.now, event.CheckpointCoordinatorSuspend, r.out[:0]))
	case verb == "startScheduler" && n == 0: // not for the first time: the pause is kept (CheckpointCoordinator#startCheckpointScheduler)
		if r.started {
			r.firstDelay, r.delay = r.minPause, r.minPause
		}
		r.started = true
		r.take(r.coord.Start(r.now, r.firstDelay, r.out[:0]))
	case verb == "restore" && n == 0: // the job goes back to the newest checkpoint in the store, if there is one
		if id, ok := r.coord.LatestCompleted(); ok {
			r.restored = append(r.restored, id)
		}
		r.take(r.coord.Stop(r.now, event.CheckpointCoordinatorSuspend, r.out[:0]))
		r.take(r.coord.Start(r.now, r.firstDelay, r.out[:0]))
	case verb == "ackCoordinator" && n == 2:
		id, err := r.id(words[1])
		if err == nil {
			err = r.answers.answer(id, words[0])
		}
		if err == nil {
			r.runAll()
		}
		return true, err
	case verb == "advance" && n == 1:
		ms, err := strconv.ParseInt(words[0], 10, 64)
		if err != nil {
			return true, err
		}
		r.advance(r.now + ms*event.Millisecond)
	case verb == "abortPending" && n == 1:
		reason, ok := event.ParseReason(words[0])
		if !ok {
			return true, fmt.Errorf("reason %s", words[0])
		}
		r.take(r.coord.AbortPending(r.now, reason, r.out[:0]))
	case verb == "taskState" && n == 2:
		return true, r.enter(words[0], words[1])
	case verb == "backlog" && n == 1 && (words[0] == "true" || words[0] == "false"):
		r.take(r.coord.SetBacklog(r.now, words[0] == "true", r.out[:0]))
	case verb == "timeoutFires" && n == 1, verb == "expire" && n == 1:
		id, err := r.id(words[0])
		if err != nil {
			return true, err
		}
		r.take(r.coord.Expire(r.now, id, r.out[:0]))
	default:
		return false, nil
	}
	return true, nil
}

// taskEvent takes in what comes from a task.
func (r *lifecycleRun) taskEvent(verb string, words []string) (known bool, err error) {
	var id event.Checkpoint
	var task event.Task
	switch n := len(words); {
	case verb == "abort" && n == 2: // of a task's decline or of the timeout, as what happens is told by its reason
		reason, ok := event.ParseReason(words[1])
		if id, err = r.id(words[0]); err == nil && !ok {
			err = fmt.Errorf("reason %s", words[1])
		}
		switch {
		case err != nil:
		case reason == event.CheckpointExpired:
			r.take(r.coord.Expire(r.now, id, r.out[:0]))
		default:
			r.take(r.coord.Decline(r.now, id, 0, reason, r.out[:0]))
		}
	case verb == "ack" && n == 3 && words[2] == "null": // without state: there is none to discard later
		return r.taskEvent(verb, words[:2])
	case verb == "ack" && n == 2, verb == "ackDuplicate" && n == 2:
		if id, task, err = r.part(words[1], words[0]); err == nil {
			r.ack(id, task, "duplicateStateDiscarded")
		}
	case verb == "ackUnknownTask" && n == 1:
		if id, err = r.id(words[0]); err == nil {
			r.ack(id, -1, "unknownTaskStateDiscarded")
		}
	case verb == "declineUnknownTask" && n == 2: // Flink does not look whose decline it is
		reason, ok := event.ParseReason(words[1])
		if id, err = r.id(words[0]); err == nil && !ok {
			err = fmt.Errorf("reason %s", words[1])
		}
		if err == nil {
			r.take(r.coord.Decline(r.now, id, 0, reason, r.out[:0]))
		}
	case verb == "taskFails" && n == 1:
		if task = event.Task(slices.Index(r.tasks, words[0])); task < 0 {
			return true, fmt.Errorf("task %s", words[0])
		}
		r.take(r.coord.TaskFailed(r.now, task, r.out[:0]))
	case verb == "ackOtherJob" && n == 0: // does not reach this job's coordinator
		r.flags["otherJobStateDiscarded"] = false
	case verb == "decline" && n == 3:
		reason, ok := event.ParseReason(words[2])
		if id, task, err = r.part(words[1], words[0]); err == nil && !ok {
			err = fmt.Errorf("reason %s", words[2])
		}
		if err == nil {
			r.take(r.coord.Decline(r.now, id, task, reason, r.out[:0]))
		}
	default:
		return false, nil
	}
	return true, err
}

// ack acknowledges, and remembers under the flag whether that had state discarded.
func (r *lifecycleRun) ack(id event.Checkpoint, task event.Task, flag string) {
	if p := r.coord.Find(id); p != nil && task >= 0 && !p.Acked(task) {
		r.shared.register(id)
	}
	out := r.coord.Ack(r.now, id, task, r.out[:0])
	r.flags[flag] = slices.ContainsFunc(out, func(e checkpoint.Effect) bool {
		return e.Kind == checkpoint.Discard && e.ID == id && e.Task == task
	})
	r.take(out)
}

// complete is a checkpoint that all who are asked acknowledge.
func (r *lifecycleRun) complete(name string) error {
	if err := r.trigger("manual", name); err != nil {
		return err
	}
	for t := range r.acks {
		if id := r.ids[name]; r.coord.Find(id) != nil {
			r.take(r.coord.Ack(r.now, id, event.Task(t), r.out[:0]))
		}
	}
	return nil
}

// trigger starts the checkpoint with a symbolic name and runs its trigger phase.
func (r *lifecycleRun) trigger(kind, name string) error {
	if err := r.request(kind, name); err != nil {
		return err
	}
	r.runAll()
	id, ok := r.begun[r.requests[name]]
	if !ok {
		return fmt.Errorf("checkpoint %s did not start", name)
	}
	r.ids[name] = id
	return nil
}

// snapshots are what a user can ask for.
var snapshots = map[string]checkpoint.Snapshot{
	"manual": checkpoint.Checkpoint, "checkpoint": checkpoint.Checkpoint, "savepoint": checkpoint.Savepoint, "stopWithSavepoint": checkpoint.StopWithSavepoint,
}

// request submits a request under the case's number.
func (r *lifecycleRun) request(kind, number string) error {
	if _, twice := r.requests[number]; twice {
		return fmt.Errorf("request %s twice", number)
	}
	r.requests[number] = r.coord.Requests() + 1
	switch kind {
	case "periodic":
		r.now = max(r.now, r.tickAt)
		r.take(r.coord.RequestPeriodic(r.now, r.out[:0]))
	default:
		snapshot, ok := snapshots[kind]
		if !ok {
			return fmt.Errorf("request %q", kind)
		}
		r.take(r.coord.RequestAs(r.now, snapshot, r.format, r.out[:0]))
	}
	if r.coord.Requests() < r.requests[number] {
		return fmt.Errorf("no %s request is possible in this state", kind)
	}
	return nil
}

// id finds a checkpoint by its symbolic name or by the number of its request.
func (r *lifecycleRun) id(name string) (event.Checkpoint, error) {
	if id, ok := r.ids[name]; ok {
		return id, nil
	}
	if id, ok := r.begun[r.requests[name]]; ok {
		return id, nil
	}
	if n, err := strconv.ParseInt(name, 10, 64); err == nil { // one that the timer triggered
		return n, nil
	}
	return 0, fmt.Errorf("checkpoint %s", name)
}

// part finds a task's part of a checkpoint.
func (r *lifecycleRun) part(name, taskName string) (event.Checkpoint, event.Task, error) {
	id, err := r.id(name)
	t := slices.Index(r.tasks, taskName)
	if err == nil && t < 0 {
		err = fmt.Errorf("task %s", taskName)
	}
	return id, event.Task(t), err
}
