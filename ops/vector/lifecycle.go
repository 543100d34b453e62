package vector

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"checkpointlab/core/checkpoint"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/core/sim"
	"checkpointlab/core/state"
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
	addFails    bool            // a complete checkpoint cannot be put into the store
	coordinates bool            // there is an operator's coordinator, which hears what tasks hear
	notRunning  map[string]bool // tasks in another state
	started     bool            // the scheduler was, once
	timed       bool            // periodic triggers come by the clock
	advanced    bool            // the case lets the clock go on: the job answers at once
	firstDelay  event.Time
	minPause    event.Time
	afterFinish bool              // checkpoints go on when tasks have finished
	counterFail bool              // the next id cannot be taken
	refused     bool              // nobody can be given such a store
	format      checkpoint.Format // of what the event asks for
	todo        []checkpoint.Effect
	out         []checkpoint.Effect

	ids        map[string]event.Checkpoint // by symbolic name
	requests   map[string]int64            // by the case's number: ours
	begun      map[int64]event.Checkpoint  // by our request number
	failed     map[int64]event.Reason      // by our request number
	sentTo     []string                    // tasks asked by the latest trigger
	triggers   int                         // trigger messages to tasks
	completed  []event.Checkpoint
	savepoints []event.Checkpoint // of these, those
	subsumed   []event.Checkpoint // left the store
	kinds      []string           // of what tasks were asked for, by trigger
	aborted    []event.Checkpoint
	notified   []event.Checkpoint
	expiries   []checkpoint.Effect // timeouts that were armed
	begunAt    []int64             // ms of each trigger message to the tasks
	asked      []event.Checkpoint  // of each
	expired    []event.Checkpoint  // that ended by their timeout
	jobFails   int
	toldLast   event.Checkpoint // the latest completed checkpoint, as the last abort told it
	foreign    event.Checkpoint // what the job was started from and does not own
	discarded  map[string]bool  // "<checkpoint>/<task>", task id
	flags      map[string]bool  // whether state was discarded, by the keys of checks
	shared     sharedState
	answers    coordinatorAnswers
	restored   []event.Checkpoint // what the job went back to, in order
	delay      event.Time         // from the latest start of the scheduler to its first trigger, as the configuration draws it
	random     sim.Stream
}

func runLifecycle(c Case) (Status, string) {
	r := lifecycleRun{
		shared: sharedState{registry: state.NewRegistry()},
		ids:    map[string]event.Checkpoint{}, requests: map[string]int64{}, begun: map[int64]event.Checkpoint{},
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
		CompletedStore                   string
		Restored                         *restoredFrom
		TaskStates                       map[string]string
		CheckpointsAfterFinish           bool
		Unit                             string
		IntervalMs                       *event.Time // without one no trigger comes by the clock alone
		MinPauseMs                       event.Time
		TimeoutMs                        *event.Time
		IntervalDuringBacklogMs          *event.Time
		TolerableFailures                *int
		Unaligned                        bool
		PauseSources                     bool
		Retention, Version               string
		Recovered                        []int64  // ids of complete checkpoints that the store has at the start
		Coordinators                     []string // that answer ahead of the tasks' triggers
	}{Tasks: []string{"t1"}, MaxConcurrent: math.MaxInt32, NumRetained: 1}
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
	if err := known("operatorCoordinator", g.OperatorCoordinator, "", "unfinished", "fails", "acknowledges"); err != nil {
		return err
	}
	if err := known("storage", g.Storage, "", "fails"); err != nil {
		return err
	}
	if err := known("completedStore", g.CompletedStore, "", "fails"); err != nil {
		return err
	}
	if err := known("version", g.Version, "", "1.18", "1.20", "2.3"); err != nil {
		return err
	}
	retention, ok := retentions[g.Retention]
	if !ok {
		return fmt.Errorf("retention %q", g.Retention)
	}
	if r.refused = g.NumRetained < 1; r.refused { // DefaultCompletedCheckpointStore, StandaloneCompletedCheckpointStore
		return nil
	}
	r.addFails, r.coordinates = g.CompletedStore != "", g.OperatorCoordinator != ""
	r.counterFail, r.storeFails, r.afterFinish = g.IdCounter != "", g.Storage != "", g.CheckpointsAfterFinish
	r.hookOpen = g.MasterHook == "unfinished" || g.OperatorCoordinator == "unfinished"
	r.hookFails = g.MasterHook == "fails" || g.OperatorCoordinator == "fails"
	const ms = event.Millisecond
	r.answers.names, r.timed = g.Coordinators, g.IntervalMs != nil
	interval := event.Time(1000)
	if r.timed {
		interval = *g.IntervalMs
	}
	config := checkpoint.Config{
		Interval: interval * ms, IntervalDuringBacklog: -1, MinPause: g.MinPauseMs * ms, Timeout: 1000 * 3600 * event.Second,
		MaxConcurrent: g.MaxConcurrent, Retained: g.NumRetained, Tolerable: checkpoint.UnlimitedFailures, Tasks: len(acks),
		Unaligned: g.Unaligned, SlowFinalize: r.addFails, Retention: retention,
		StartAborts: g.Version == "1.18", PauseSources: g.PauseSources,
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
	r.minPause, r.random = config.MinPause, sim.NewStream(1, "first delay")
	r.delay = config.FirstDelay(&r.random)
	r.coord = checkpoint.New(config)
	if err := r.restore(g.Restored); err != nil {
		return err
	}
	for _, task := range sortedKeys(g.TaskStates) {
		if err := r.enter(task, g.TaskStates[task]); err != nil {
			return err
		}
	}
	if g.Scheduler == "" || g.Scheduler == "started" {
		r.started = true
		r.take(r.coord.Start(0, 0, r.out[:0]))
	}
	return r.recover(g.Recovered)
}

// recover fills the store with complete checkpoints, oldest first, however they are listed (DefaultCompletedCheckpointStoreUtils).
func (r *lifecycleRun) recover(ids []int64) error {
	fails := r.addFails
	r.addFails = false
	for _, id := range slices.Sorted(slices.Values(ids)) {
		if err := r.complete(fmt.Sprint(id)); err != nil {
			return err
		}
	}
	r.addFails = fails
	return nil
}

// retentions are execution.checkpointing.externalized-checkpoint-retention, and as the coordinator has it (CheckpointRetentionPolicy).
var retentions = map[string]option.Retention{
	"": option.NotExternalized, "NO_EXTERNALIZED_CHECKPOINTS": option.NotExternalized, "NEVER_RETAIN_AFTER_TERMINATION": option.NotExternalized,
	"DELETE_ON_CANCELLATION": option.DeleteOnCancel, "RETAIN_ON_FAILURE": option.DeleteOnCancel,
	"RETAIN_ON_CANCELLATION": option.RetainOnCancel,
}

// endings are the statuses in which a job ends (JobStatus).
var endings = map[string]checkpoint.Ending{
	"FINISHED": checkpoint.JobFinished, "FAILED": checkpoint.JobFailed, "CANCELED": checkpoint.JobCanceled, "SUSPENDED": checkpoint.JobSuspended,
}

// restoredFrom is the snapshot that a job starts from.
type restoredFrom struct {
	ID   event.Checkpoint
	Kind string
	Mode string // execution.state-recovery.claim-mode
}

// restore starts the job from a snapshot: ids go on behind it, and one that is not claimed has the first checkpoint store all.
func (r *lifecycleRun) restore(from *restoredFrom) error {
	if from == nil {
		return nil
	}
	err := errors.Join(known("restored.kind", from.Kind, "", "retained checkpoint", "savepoint", "native savepoint", "canonical savepoint"),
		known("restored.mode", from.Mode, "", "CLAIM", "NO_CLAIM", "LEGACY"))
	if err == nil && from.ID < 1 {
		err = fmt.Errorf("restored.id %d, it must be at least 1", from.ID)
	}
	r.restored = append(r.restored, from.ID)
	r.coord.Restore(from.ID)
	r.coord.ForceFull(from.Mode == "" || from.Mode == "NO_CLAIM")
	if from.Mode != "CLAIM" {
		r.coord.Disown(from.ID)
		r.foreign = from.ID
	}
	return err
}

// known reports a value that the runner does not know.
func known(key, value string, values ...string) error {
	if slices.Contains(values, value) {
		return nil
	}
	return fmt.Errorf("%s %q", key, value)
}
