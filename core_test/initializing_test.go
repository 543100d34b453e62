package core_test

import (
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
)

// heldSinks is two sources of 2,000 records/s to two sinks of 500, unaligned, whose job goes back to a checkpoint with some seconds of
// input in flight.
func heldSinks(t *testing.T, script []core.Action, options ...string) core.Setup {
	s := pipeline(t, 2, 2000, 2*event.Millisecond, append([]string{interval, "2 s", unaligned, "true"}, options...)...)
	s.Vertices = append(s.Vertices[:1:1], s.Vertices[2])
	s.Edges = []core.Edge{{From: 0, To: 1, Partition: core.Rebalance}}
	s.Duration, s.Script = 40*event.Second, script
	return s
}

// listened is all events of a run.
func listened(t *testing.T, s core.Setup) (events []event.Event, lab *core.Lab) {
	t.Helper()
	lab, err := core.New(s)
	if err != nil {
		t.Fatal(err)
	}
	lab.Listen(func(e event.Event) { events = append(events, e) })
	lab.Advance(s.Duration, 0)
	return events, lab
}

// A task that gets restored input is RUNNING when it has consumed all of it; until then its gate has not asked for its partitions, so
// that nothing comes by it, and no checkpoint is triggered: NOT_ALL_REQUIRED_TASKS_RUNNING (StreamTask.restoreInternal,
// SingleInputGate.requestPartitions, DefaultCheckpointPlanCalculator.checkTasksStarted).
func TestRestoredInputHoldsATask(t *testing.T) {
	s := heldSinks(t, []core.Action{{At: 11 * event.Second, Do: core.Kill, Vertex: 0, Subtask: 0}})
	events, lab := listened(t, s)
	failure := lab.History().Failures[0]
	var started, running [4]event.Time
	refused := 0
	for _, e := range events {
		sink := e.Task >= 2
		if e.At < failure.At || e.Kind == event.BufferReceived || e.Kind == event.CheckpointTriggered {
			if e.At > failure.At && e.Kind == event.BufferReceived { // every channel ends at a sink
				if to := 2 + e.Channel%2; running[to] == 0 {
					t.Fatalf("at %d ns channel %d brings a buffer to task %d, which is not RUNNING", e.At, e.Channel, to)
				}
			}
			if e.At > failure.At && e.Kind == event.CheckpointTriggered && (running[2] == 0 || running[3] == 0) {
				t.Fatalf("checkpoint %d is triggered at %d ns, sinks run since %v", e.Checkpoint, e.At, running[2:])
			}
			continue
		}
		switch {
		case e.Kind == event.TaskInitializing && sink:
			started[e.Task] = e.At
		case e.Kind == event.TaskInitializing:
			t.Errorf("source %d has no input and is INITIALIZING", e.Task)
		case e.Kind == event.TaskRunning:
			running[e.Task] = e.At
		case e.Kind == event.CheckpointFailed && event.Reason(e.A) == event.NotAllRequiredTasksRunning:
			refused++
		}
	}
	for i := 2; i < 4; i++ {
		if held := running[i] - started[i]; started[i] != failure.RunningAt || held < 2*event.Second || held > 10*event.Second {
			t.Errorf("sink %d starts at %d ns, the job at %d, and is INITIALIZING for %d ns", i, started[i], failure.RunningAt, held)
		}
	}
	if running[0] != failure.RunningAt || refused < 2 {
		t.Errorf("source 0 runs from %d ns on, %d triggers are refused", running[0], refused)
	}
}

// With recover-output-on-downstream the consumers get what was in their producers' outputs, too, so that they are INITIALIZING for longer
// and the producers start with nothing to send (TaskStateAssignment.distributeOutputBuffersToDownstream).
func TestOutputRecoversDownstream(t *testing.T) {
	held := func(options ...string) (span event.Time) {
		s := heldSinks(t, []core.Action{{At: 11 * event.Second, Do: core.Kill, Vertex: 0, Subtask: 0}}, options...)
		events, lab := listened(t, s)
		failure := lab.History().Failures[0]
		for _, e := range events {
			switch {
			case e.At < failure.RunningAt || e.Task != 2:
			case e.Kind == event.TaskInitializing:
				span -= e.At
			case e.Kind == event.TaskRunning:
				return span + e.At
			}
		}
		t.Fatal("sink 2 never runs")
		return
	}
	producers := held()
	consumers := held(downstream, "true")
	if consumers < producers+producers/2 {
		t.Errorf("sink 2 is INITIALIZING for %d ns, %d with its producers' output", producers, consumers)
	}
}

// With checkpoints during recovery a task is RUNNING at once. The next checkpoint has again what it has not consumed, and no trigger is
// refused (IndexedInputGate.getBufferFilteringCompleteFuture, LocalInputChannel.checkpointStarted): a second failure soon after the first
// goes back to a checkpoint that was taken during the recovery. That no record is lost or doubled is seen by the random runs.
func TestCheckpointsDuringRecovery(t *testing.T) {
	for _, place := range []string{"across task managers", "within one"} {
		t.Run(place, func(t *testing.T) {
			script := []core.Action{{At: 11 * event.Second, Do: core.Kill, Vertex: 0, Subtask: 0}, {At: 17 * event.Second, Do: core.Kill, Vertex: 0, Subtask: 0}}
			s := heldSinks(t, script, downstream, "true", during, "true")
			if place == "within one" {
				s.Cluster.Slots = 4
			}
			events, lab := listened(t, s)
			h := lab.History()
			for _, e := range events {
				switch {
				case e.Kind == event.TaskInitializing:
					t.Errorf("task %d is INITIALIZING at %d ns", e.Task, e.At)
				case e.Kind == event.CheckpointFailed && event.Reason(e.A) == event.NotAllRequiredTasksRunning && e.At > h.Failures[0].RunningAt+event.Second && e.At < h.Failures[1].At:
					t.Errorf("a trigger at %d ns is refused", e.At)
				}
			}
			if len(h.Failures) != 2 {
				t.Fatalf("%d failures", len(h.Failures))
			}
			latest := lastCompleted(events, h.Failures[1].At)
			if first := h.Failures[0].RunningAt; latest.At <= first || latest.At > first+6*event.Second || restoredTo(events, h.Failures[1].At) != latest.Checkpoint {
				t.Errorf("the second failure goes back to checkpoint %d; checkpoint %d was complete at %d ns, the job ran again at %d", restoredTo(events, h.Failures[1].At), latest.Checkpoint, latest.At, first)
			}
		})
	}
}

// lastCompleted is the last checkpoint that was complete before an instant.
func lastCompleted(events []event.Event, before event.Time) (last event.Event) {
	for _, e := range events {
		if e.At < before && e.Kind == event.CheckpointCompleted {
			last = e
		}
	}
	return last
}

// restoredTo is the checkpoint that the first task to restart after an instant goes back to.
func restoredTo(events []event.Event, after event.Time) event.Checkpoint {
	for _, e := range events {
		if e.At > after && e.Kind == event.TaskRestored {
			return e.Checkpoint
		}
	}
	return 0
}

// With pause-until-first-checkpoint a restored source reads nothing until its first snapshot, whatever waits in its log; one that starts
// anew does not wait (SourceOperator.initializeState, snapshotState). What is in flight is restored at the consumers here, so that all
// that is sent was read.
func TestRestoredSourcesPauseUntilTheFirstCheckpoint(t *testing.T) {
	sent := func(options ...string) (before, after, fresh int64) {
		s := heldSinks(t, []core.Action{{At: 11 * event.Second, Do: core.Kill, Vertex: 0, Subtask: 0}}, append([]string{downstream, "true"}, options...)...)
		events, lab := listened(t, s)
		failure, snapshot := lab.History().Failures[0], false
		for _, e := range events {
			switch {
			case e.Kind == event.TaskSnapshot && e.At > failure.RunningAt && e.Task < 2:
				snapshot = true
			case e.Kind != event.BufferSent:
			case e.At < event.Second:
				fresh += e.N
			case e.At < failure.RunningAt:
			case snapshot:
				after += e.N
			default:
				before += e.N
			}
		}
		return before, after, fresh
	}
	before, after, fresh := sent()
	if before == 0 || after == 0 || fresh == 0 {
		t.Fatalf("without the option %d records are sent ahead of the first snapshot, %d behind it, %d at the start", before, after, fresh)
	}
	if waits, on, first := sent(pauseSources, "true"); waits != 0 || on == 0 || first != fresh {
		t.Errorf("%d records are sent ahead of the first snapshot, %d behind it, %d at the start (%d without the option)", waits, on, first, fresh)
	}
}
