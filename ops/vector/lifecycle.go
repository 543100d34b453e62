package vector

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"checkpointlab/core/checkpoint"
	"checkpointlab/core/event"
)

// lifecycleRun replays a case of the coordinator's life cycle. It stands for the job around the coordinator: it answers
// plans and trigger phases when the case says runAll, and remembers what the coordinator asked for.
type lifecycleRun struct {
	coord     checkpoint.Coordinator
	tasks     []string // those that acknowledge first; index = task id
	acks      int      // how many those are
	triggered []string
	now       event.Time
	tickAt    event.Time
	tickSeq   int64

	hookOpen    bool            // the master hook, or an operator's coordinator, has not answered
	hookFails   bool            // and it answers with a failure
	storeFails  bool            // no place for a checkpoint can be made
	notRunning  map[string]bool // tasks in another state
	started     bool            // the scheduler was, once
	firstDelay  event.Time
	minPause    event.Time
	afterFinish bool // checkpoints go on when tasks have finished
	counterFail bool // the next id cannot be taken
	todo        []checkpoint.Effect
	out         []checkpoint.Effect

	ids       map[string]event.Checkpoint // by symbolic name
	requests  map[string]int64            // by the case's number: ours
	begun     map[int64]event.Checkpoint  // by our request number
	failed    map[int64]event.Reason      // by our request number
	sentTo    []string                    // tasks asked by the latest trigger
	triggers  int                         // trigger messages to tasks
	completed []event.Checkpoint
	aborted   []event.Checkpoint
	notified  []event.Checkpoint
	expiries  []checkpoint.Effect // timeouts that were armed
	begunAt   []int64             // ms of each trigger message to the tasks
	expired   int                 // checkpoints that ended by their timeout
	jobFails  int
	toldLast  event.Checkpoint // the latest completed checkpoint, as the last abort told it
	discarded map[string]bool  // "<checkpoint>/<task>", task id
	flags     map[string]bool  // whether state was discarded, by the keys of checks
}

func runLifecycle(c Case) (Status, string) {
	r := lifecycleRun{
		ids: map[string]event.Checkpoint{}, requests: map[string]int64{}, begun: map[int64]event.Checkpoint{},
		failed: map[int64]event.Reason{}, discarded: map[string]bool{}, flags: map[string]bool{},
	}
	if err := r.given(c.Given); err != nil {
		return Unknown("given", err)
	}
	return replayOn(&r, c)
}

// given makes the coordinator. Timers are long: a case says itself when one fires.
func (r *lifecycleRun) given(raw json.RawMessage) error {
	g := struct {
		Tasks, Triggered, AckNeeded      []string
		MaxConcurrent, NumRetained       int
		IdCounter, Scheduler, MasterHook string
		OperatorCoordinator, Storage     string
		TaskStates                       map[string]string
		CheckpointsAfterFinish           bool
		Unit                             string
		IntervalMs, MinPauseMs           event.Time
		TimeoutMs                        *event.Time
		IntervalDuringBacklogMs          *event.Time
		TolerableFailures                *int
		Unaligned                        bool
	}{Tasks: []string{"t1"}, MaxConcurrent: math.MaxInt32, NumRetained: 1, IntervalMs: 1000}
	if err := Decode(raw, &g); err != nil {
		return err
	}
	acks := g.AckNeeded
	if acks == nil {
		acks = g.Tasks
	}
	r.tasks, r.acks = slices.Clone(acks), len(acks)
	for _, t := range g.Tasks {
		if !slices.Contains(r.tasks, t) {
			r.tasks = append(r.tasks, t)
		}
	}
	r.triggered = g.Triggered
	if r.triggered == nil {
		r.triggered = g.Tasks
	}
	if err := known("idCounter", g.IdCounter, "", "fails for the first id"); err != nil {
		return err
	}
	if err := known("masterHook", g.MasterHook, "", "unfinished", "fails"); err != nil {
		return err
	}
	if err := known("scheduler", g.Scheduler, "", "started", "stopped", "not started"); err != nil {
		return err
	}
	if err := known("operatorCoordinator", g.OperatorCoordinator, "", "unfinished", "fails"); err != nil {
		return err
	}
	if err := known("storage", g.Storage, "", "fails"); err != nil {
		return err
	}
	r.counterFail, r.storeFails, r.afterFinish = g.IdCounter != "", g.Storage != "", g.CheckpointsAfterFinish
	r.hookOpen = g.MasterHook == "unfinished" || g.OperatorCoordinator == "unfinished"
	r.hookFails = g.MasterHook == "fails" || g.OperatorCoordinator == "fails"
	const ms = event.Millisecond
	config := checkpoint.Config{
		Interval: g.IntervalMs * ms, IntervalDuringBacklog: -1, MinPause: g.MinPauseMs * ms, Timeout: 1000 * 3600 * event.Second,
		MaxConcurrent: g.MaxConcurrent, Retained: g.NumRetained, Tolerable: checkpoint.UnlimitedFailures, Tasks: len(acks),
		Unaligned: g.Unaligned,
	}
	if g.TimeoutMs != nil {
		config.Timeout = *g.TimeoutMs * ms
	}
	if g.IntervalDuringBacklogMs != nil {
		config.IntervalDuringBacklog = *g.IntervalDuringBacklogMs * ms
	}
	if g.TolerableFailures != nil {
		config.Tolerable = *g.TolerableFailures
	}
	r.minPause = config.MinPause
	r.coord = checkpoint.New(config)
	for _, task := range sortedKeys(g.TaskStates) {
		if err := r.enter(task, g.TaskStates[task]); err != nil {
			return err
		}
	}
	if g.Scheduler == "" || g.Scheduler == "started" {
		r.started = true
		r.take(r.coord.Start(0, 0, r.out[:0]))
	}
	return nil
}

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

// known reports a value that the runner does not know.
func known(key, value string, values ...string) error {
	if slices.Contains(values, value) {
		return nil
	}
	return fmt.Errorf("%s %q", key, value)
}

func (r *lifecycleRun) event(verb string, args []json.RawMessage) (Status, string) {
	words := make([]string, len(args))
	for i, a := range args {
		words[i] = strings.Trim(string(a), `"`)
	}
	known, err := r.jobEvent(verb, words)
	if !known {
		known, err = r.taskEvent(verb, words)
	}
	if !known {
		return Unknown(fmt.Sprintf("%s with %d arguments", verb, len(args)), errUnknown)
	}
	return done(err)
}

// jobEvent takes in what the job around the coordinator does.
func (r *lifecycleRun) jobEvent(verb string, words []string) (known bool, err error) {
	switch n := len(words); {
	case verb == "trigger" && n == 1:
		return true, r.trigger("manual", words[0])
	case verb == "savepoint" && n == 1, verb == "triggerSavepoint" && n == 1:
		return true, r.trigger("savepoint", words[0])
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
	case verb == "stopScheduler" && n == 0:
		r.take(r.coord.Stop(r.now, event.CheckpointCoordinatorSuspend, r.out[:0]))
	case verb == "startScheduler" && n == 0: // not for the first time: the pause is kept (CheckpointCoordinator#startCheckpointScheduler)
		if r.started {
			r.firstDelay = r.minPause
		}
		r.started = true
		r.take(r.coord.Start(r.now, r.firstDelay, r.out[:0]))
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
	out := r.coord.Ack(r.now, id, task, r.out[:0])
	r.flags[flag] = slices.ContainsFunc(out, func(e checkpoint.Effect) bool {
		return e.Kind == checkpoint.Discard && e.ID == id && e.Task == task
	})
	r.take(out)
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
	case "manual":
		r.take(r.coord.Request(r.now, checkpoint.Checkpoint, r.out[:0]))
	case "savepoint":
		r.take(r.coord.Request(r.now, checkpoint.Savepoint, r.out[:0]))
	default:
		return fmt.Errorf("request %q", kind)
	}
	if r.coord.Requests() < r.requests[number] {
		return fmt.Errorf("no %s request is possible in this state", kind)
	}
	return nil
}

// runAll answers what the coordinator waits for.
func (r *lifecycleRun) runAll() {
	for len(r.todo) > 0 {
		e := r.todo[0]
		switch {
		case e.Kind == checkpoint.Begin && r.storeFails:
			r.todo = r.todo[1:]
			r.take(r.coord.Triggered(r.now, e.ID, false, event.IOException, r.out[:0]))
		case e.Kind == checkpoint.Begin && r.hookOpen && r.coord.Find(e.ID) != nil: // an abort ends the phase (PendingCheckpoint#abort)
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
	for {
		r.runAll()
		first := -1
		for i := range r.expiries {
			if r.expiries[i].At <= then && (first < 0 || r.expiries[i].At < r.expiries[first].At) {
				first = i
			}
		}
		tick := r.tickSeq != 0 && r.tickAt <= then && (first < 0 || r.tickAt < r.expiries[first].At)
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

// take remembers the effects.
func (r *lifecycleRun) take(out []checkpoint.Effect) {
	r.out = out
	for _, e := range out {
		switch e.Kind {
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
			r.begunAt = append(r.begunAt, int64(r.now/event.Millisecond))
		case checkpoint.ArmExpiry:
			r.expiries = append(r.expiries, e)
		case checkpoint.FailJob:
			r.jobFails++
		case checkpoint.Completed:
			r.completed = append(r.completed, e.ID)
		case checkpoint.NotifyComplete:
			r.notified = append(r.notified, e.ID)
		case checkpoint.NotifyAborted:
			if e.Reason == event.CheckpointExpired {
				r.expired++
			}
			r.aborted, r.toldLast = append(r.aborted, e.ID), e.Other
		case checkpoint.Failed, checkpoint.Dropped:
			r.failed[e.Request] = e.Reason
		case checkpoint.Discard:
			r.discarded[fmt.Sprint(e.ID, "/", e.Task)] = true
		}
	}
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
