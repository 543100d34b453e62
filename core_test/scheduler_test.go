package core_test

import (
	"slices"
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// triggered is when the checkpoints of a run were triggered, and when triggers were refused because a task did not run.
func triggered(events []event.Event) (at, refused []event.Time) {
	for _, e := range events {
		switch {
		case e.Kind == event.CheckpointTriggered:
			at = append(at, e.At)
		case e.Kind == event.CheckpointFailed && event.Reason(e.A) == event.NotAllRequiredTasksRunning:
			refused = append(refused, e.At)
		}
	}
	return at, refused
}

// quick is a job whose checkpoints take some milliseconds, with an interval of 2 s and a fixed delay of 1 s.
func quick(t *testing.T, version string, script ...core.Action) core.Setup {
	s := pipeline(t, 1, 100, event.Microsecond)
	config, _, err := option.Resolve(version, []option.Pair{
		{Key: interval, Value: "2 s"}, {Key: "restart-strategy.type", Value: "fixed-delay"},
		{Key: "restart-strategy.fixed-delay.delay", Value: "1 s"}, {Key: "restart-strategy.fixed-delay.attempts", Value: "99"},
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Options, s.Duration, s.Script = config, 30*event.Second, script
	return s
}

func kill(at event.Time) core.Action { return core.Action{At: at, Do: core.Kill, Vertex: 1} }

// The scheduler of 2.3 starts with the first task that runs, and finds another one that does not run yet; as nothing has failed it
// starts anew with the last one, so that the first checkpoint is triggered then, whether that trigger was refused or not (recorded runs
// vis-1s and vis-1s-again: checkpoint 10 is the one of the ninth second in both, and one trigger more has failed in the first).
func TestFirstTriggerOfAGraph(t *testing.T) {
	lost := 0
	for seed := range uint64(20) {
		s := quick(t, "2.3")
		s.Seed = seed
		events, _ := listened(t, s)
		at, refused := triggered(events)
		if start := s.Control.LogLead; at[0] != start || at[1] != start+2*event.Second || len(refused) > 1 {
			t.Errorf("seed %d: triggers at %v, refused at %v; all tasks run from %d on", seed, at[:2], refused, start)
		}
		lost += len(refused)
	}
	if lost < 15 {
		t.Errorf("%d of 20 first triggers were refused; recorded runs: 57 of 61", lost)
	}
}

// Behind a failure it starts once, so that a refused trigger costs an interval (recorded runs with a failure: 7 of 7); and nothing stops
// it any more: behind the next failure its triggers go on at their rate, are refused while tasks are down, and what was pending then is
// aborted only with the end of the back-off (ExecutionTrackingCheckpointCoordinatorDeActivator.onStateUpdate,
// DefaultExecutionGraph.updateStateInternal, SchedulerBase.restoreState).
func TestTriggersBehindFailures(t *testing.T) {
	const first, second = 5500 * event.Millisecond, 13_100 * event.Millisecond
	s := quick(t, "2.3", kill(first), kill(second))
	s.Vertices[2].Snapshot.Async = 1500 * event.Millisecond // one is pending at each failure
	events, lab := listened(t, s)
	ran := lab.History().Failures[0].RunningAt
	at, refused := triggered(events)
	for _, all := range [][]event.Time{at, refused} {
		for _, a := range all {
			if phase := (a - ran) % (2 * event.Second); a > first && phase != 0 {
				t.Errorf("a trigger at %d ns, %d ns from the rate of those behind the first restart at %d", a, phase, ran)
			}
		}
	}
	var aborted []event.Reason
	for _, e := range events {
		if e.Kind == event.CheckpointFailed && event.Reason(e.A) != event.NotAllRequiredTasksRunning {
			aborted = append(aborted, event.Reason(e.A))
			if want := second + event.Second; e.At > second && e.At != want {
				t.Errorf("what was pending is aborted at %d ns, the back-off ends at %d", e.At, want)
			}
		}
	}
	if !slices.Equal(aborted, []event.Reason{event.CheckpointCoordinatorSuspend, event.JobFailoverRegion}) {
		t.Errorf("aborted with %v", aborted)
	}
}

// In 1.18 and 1.20 the scheduler starts when the job turns RUNNING, at the end of the back-off, with a delay drawn from
// [min-pause, interval], and each failure stops it (CheckpointCoordinatorDeActivator, CheckpointCoordinator.getRandomInitDelay).
func TestTriggersBehindFailuresBefore2(t *testing.T) {
	const first, second = 5500 * event.Millisecond, 14_100 * event.Millisecond
	phases := map[event.Time]bool{}
	for seed := range uint64(10) {
		s := quick(t, "1.20", kill(first), kill(second))
		s.Seed = seed
		events, _ := listened(t, s)
		at, _ := triggered(events)
		for _, failed := range []event.Time{first, second} {
			for _, a := range at {
				if back := failed + event.Second; a > failed {
					if a < back || a > back+2*event.Second {
						t.Errorf("seed %d: the first trigger behind the failure at %d ns comes at %d", seed, failed, a)
					}
					phases[a%(2*event.Second)] = true
					break
				}
			}
		}
	}
	if len(phases) < 10 {
		t.Errorf("%d different phases of 20 starts", len(phases))
	}
}

// A savepoint with which the job was to stop fails with a task: the scheduler starts again though the job restarts, so that its triggers are
// refused during the back-off (StopWithSavepointTerminationHandlerImpl.terminateExceptionally). In 2.3 the tasks that run later find it
// started; in 1.20 it starts once more with the job, which stops it before (CheckpointCoordinator.startCheckpointScheduler).
func TestTriggersBehindAFailedStop(t *testing.T) {
	const asked, failed, back = 5 * event.Second, 5500 * event.Millisecond, 10_500 * event.Millisecond
	for _, version := range []string{"2.3", "1.20"} {
		s := quick(t, version, core.Action{At: asked, Do: core.Stop}, kill(failed))
		s.Options.RestartDelay = back - failed
		s.Vertices[2].Snapshot.Async = 1500 * event.Millisecond // the savepoint is pending when the task fails
		events, _ := listened(t, s)
		at, all := triggered(events)
		at = slices.DeleteFunc(at, func(a event.Time) bool { return a <= failed })
		refused := slices.DeleteFunc(all, func(a event.Time) bool { return a < failed || a >= back })
		first := refused[0]
		if n := len(refused); n < 2 || first > failed+2*event.Second || refused[n-1] != first+event.Time(n-1)*2*event.Second {
			t.Errorf("%s: refused at %v, behind a failure at %d", version, refused, failed)
		}
		switch phase := (at[0] - first) % (2 * event.Second); {
		case version == "2.3" && (first != failed || phase != 0):
			t.Errorf("2.3: refused at %v, then triggered at %d", refused, at[0])
		case version == "1.20" && (phase == 0 || at[0] > back+2*event.Second):
			t.Errorf("1.20: refused at %v, then triggered at %d", refused, at[0])
		}
	}
}

// A job that begins anew from an unaligned checkpoint is another graph: the scheduler starts once more when the last task has consumed
// its restored input and runs.
func TestFirstTriggerBehindRestoredInput(t *testing.T) {
	s := heldSinks(t, []core.Action{{At: 11 * event.Second, Do: core.RescaleJob, Vertex: 1, Parallelism: 3}})
	events, lab := listened(t, s)
	ran := event.Time(0)
	for _, e := range events {
		if e.Kind == event.TaskRunning && e.Task >= 2 {
			ran = max(ran, e.At)
		}
	}
	started := lab.History().Failures[0].RunningAt
	at, refused := triggered(events)
	for _, a := range at {
		if a > started {
			if want := ran + s.Control.RPC; a != want || ran-started < 2*event.Second {
				t.Errorf("the first trigger comes at %d ns, the last sink runs from %d on, the first task from %d on; refused %v", a, ran, started, refused)
			}
			break
		}
	}
}
