package task

import (
	"checkpointlab/core/event"
	"checkpointlab/core/sim"
)

// A task with restored input stays INITIALIZING until it has consumed it: it processes records as always, but each gate
// requests its partitions only when its restored input is consumed, and the task is RUNNING when that holds for all its gates
// (StreamTask.restoreInternal, Task.restoreAndInvoke). A checkpoint triggered before is refused
// (DefaultCheckpointPlanCalculator.checkTasksStarted).
//
// Two options of 2.3 change that (FLIP-547). With Options.RecoverDownstream the consumers get the output state of their producers, too,
// behind their own input state (TaskStateAssignment.distributeOutputBuffersToDownstream, SequentialChannelStateReaderImpl.readInputData).
// With Options.DuringRecovery, which needs it, the gates request their partitions as soon as their input state is read, and the task is
// RUNNING then (IndexedInputGate.getBufferFilteringCompleteFuture in StreamTask.restoreStateAndGates): what it has not consumed stands at
// the head of its channels, where an unaligned barrier overtakes and stores it like anything else.

// Hold makes the tasks that are back INITIALIZING if a checkpoint has input for them that holds them; it comes ahead of their Start.
func (w *World) Hold(s *Save, back []bool) {
	o := w.Rules.Options
	if o.DuringRecovery {
		return
	}
	for i := range s.Flow {
		f := &s.Flow[i]
		if t := w.Net.Wires[f.Channel].Consumer; (!f.Output || o.RecoverDownstream) && back[t] && f.Runs.First() >= 0 {
			w.Tasks[t].initializing = true
		}
	}
}

// Refill puts the channel state of a checkpoint back: input in front of the consumers, output behind the producers, or behind the
// consumers' input. Only tasks that are back get theirs; the other regions go on with what they have.
func (w *World) Refill(now event.Time, s *Save, back []bool) {
	o := w.Rules.Options
	for _, output := range []bool{false, true} {
		for i := range s.Flow {
			f := &s.Flow[i]
			switch {
			case f.Output != output || !back[w.Net.Wires[f.Channel].Consumer]:
			case output && !o.RecoverDownstream:
				w.Net.Refill(now, f.Channel, &w.Slab, f.Runs)
			default:
				w.Net.Preload(f.Channel, &w.Slab, f.Runs, !o.DuringRecovery)
			}
		}
	}
}

// Initializing reports whether a task that has started is not RUNNING yet.
func (t *Task) Initializing() bool { return t.initializing }

// starts is a task that has its state: without restored input it is RUNNING.
func (w *World) starts(now event.Time, t *Task) {
	if t.initializing {
		w.Feed.Emit(event.Event{At: now, Kind: event.TaskInitializing, Task: t.ID})
		return
	}
	w.runs(now, t)
}

// consumed is the i-th gate having consumed its restored input. The coordinator hears of a task that runs by RPC.
func (w *World) consumed(now event.Time, t *Task, i int) {
	w.Net.Ask(now, t.Gates[i])
	for _, g := range t.Gates {
		if w.Net.Restored(g) > 0 {
			return
		}
	}
	t.initializing = false
	w.runs(now, t)
	w.Queue.PushInLane(event.LaneControl, sim.Item{At: now + w.Rules.RPC, Kind: event.DueInitialized, A: t.ID, Gen: t.Gen})
}

// Begins notes that a task begins to read what it starts from (TaskIOMetricGroup.markTaskInitializationStarted in
// StreamTask.restoreInternal).
func (t *Task) Begins(now event.Time) { t.beganAt = now }

// Initialization is initializationTime: how long it took until the task was RUNNING, or has taken so far; running tells since when
// it is, -1 = it is not (TaskIOMetricGroup.getTaskInitializationDuration, markTaskStart).
func (t *Task) Initialization(now event.Time) (span, running event.Time) {
	switch {
	case !t.Alive:
		return 0, -1
	case t.initializing:
		return now - t.beganAt, -1
	}
	return t.ranAt - t.beganAt, t.ranAt
}

// runs is a task that is RUNNING: the debloater's periods begin (StreamTask.invoke).
func (w *World) runs(now event.Time, t *Task) {
	t.ranAt = now
	if t.debloats {
		w.debloatLater(now, t)
	}
	w.Feed.Emit(event.Event{At: now, Kind: event.TaskRunning, Task: t.ID})
}
