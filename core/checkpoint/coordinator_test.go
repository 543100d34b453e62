package checkpoint

import (
	"slices"
	"testing"

	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/core/sim"
)

// base is a coordinator for two tasks whose timers are long.
func base(change func(*Config)) Coordinator {
	cfg := Config{Interval: 10, IntervalDuringBacklog: -1, Timeout: 1000, MaxConcurrent: 1, Retained: 1, Tasks: 2}
	if change != nil {
		change(&cfg)
	}
	return New(cfg)
}

// begin runs a user's request through its trigger phase.
func begin(t *testing.T, c *Coordinator, now event.Time, s Snapshot) event.Checkpoint {
	t.Helper()
	out := c.Request(now, s, nil)
	if !c.Triggering() {
		t.Fatalf("no trigger phase: %+v", out)
	}
	id := c.NextID()
	c.Planned(now, true, event.NoReason, nil)
	c.Triggered(now, id, true, event.NoReason, nil)
	return id
}

// ack acknowledges for both tasks.
func ack(c *Coordinator, now event.Time, id event.Checkpoint) (out []Effect) {
	out = c.Ack(now, id, 0, out)
	return c.Ack(now, id, 1, out)
}

func kinds(out []Effect) (list []EffectKind) {
	for _, e := range out {
		list = append(list, e.Kind)
	}
	return list
}

// TestAtMost1000RequestsWait: at most 1000 requests wait (spec 2.2); the surplus is dropped and counts nowhere.
func TestAtMost1000RequestsWait(t *testing.T) {
	c := base(nil)
	tick := c.Start(0, 0, nil)[0]
	dropped := 0
	for range 1 + MaxQueued + 5 {
		out := c.Tick(tick.At, tick.Seq, nil)
		tick = out[0]
		if c.Triggering() {
			c.Planned(0, true, event.NoReason, nil)
			c.Triggered(0, 1, true, event.NoReason, nil)
		}
		for _, e := range out {
			if e.Kind == Dropped && e.Reason == event.TooManyCheckpointRequests {
				dropped++
			}
		}
	}
	if c.Queued() != MaxQueued || dropped != 5 || c.Counts() != (Counts{Total: 1, InProgress: 1}) {
		t.Errorf("%d queued, %d dropped, %+v", c.Queued(), dropped, c.Counts())
	}
}

// TestStaleTickIsIgnored: only the firing that was armed last counts (spec 2.1, the trigger is deduplicated).
func TestStaleTickIsIgnored(t *testing.T) {
	c := base(nil)
	first := c.Start(0, 5, nil)[0]
	second := c.Tick(5, first.Seq, nil)[0]
	if out := c.Tick(5, first.Seq, nil); len(out) != 0 {
		t.Errorf("a firing counts twice: %+v", out)
	}
	c.Stop(6, event.CheckpointCoordinatorSuspend, nil)
	if out := c.Tick(second.At, second.Seq, nil); len(out) != 0 || c.NextTrigger() != event.Never {
		t.Errorf("a firing after the stop: %+v, next at %d", out, c.NextTrigger())
	}
}

// TestLateFiringKeepsThePhase: the next one is planned from the planned time, not from now (spec 2.1).
func TestLateFiringKeepsThePhase(t *testing.T) {
	c := base(nil) // each 10
	tick := c.Start(0, 0, nil)[0]
	tick = c.Tick(3, tick.Seq, nil)[0]
	if tick.At != 10 {
		t.Errorf("after a firing at 3 instead of 0 the next is at %d", tick.At)
	}
	tick = c.Tick(25, tick.Seq, nil)[0]
	if tick.At != 25 || c.NextTrigger() != 20 {
		t.Errorf("after a firing at 25 instead of 10 the next is at %d, planned for %d", tick.At, c.NextTrigger())
	}
}

// TestBacklogOfTheSameInterval: only a firing that would come earlier moves the trigger (spec 2.1).
func TestBacklogOfTheSameInterval(t *testing.T) {
	c := base(nil)
	c.Start(0, 10, nil)
	if out := c.SetBacklog(0, true, nil); len(out) != 0 {
		t.Errorf("%+v", out)
	}
}

// TestTimestampAndTimeout: the timestamp is taken before the plan, the timeout begins when the checkpoint is pending
// (spec 2.3 a, d); what tasks acknowledge before the phase is over completes at its end.
func TestTimestampAndTimeout(t *testing.T) {
	c := base(nil)
	c.Request(5, Checkpoint, nil)
	out := c.Planned(8, true, event.NoReason, nil)
	if out[0].At != 5 || out[1].At != 8+1000 {
		t.Errorf("%+v", out)
	}
	if out := ack(&c, 9, 1); len(out) != 0 {
		t.Errorf("complete before the trigger phase is over: %+v", out)
	}
	c.Triggered(10, 1, false, event.NoReason, nil)
	c.Request(20, Checkpoint, nil)
	c.Planned(20, true, event.NoReason, nil)
	if out := c.Triggered(23, 2, true, event.NoReason, nil); out[0].Kind != Trigger || out[0].At != 20 {
		t.Errorf("%+v", out)
	}
}

// TestSavepointIsNotSubsumed: a newer checkpoint does not stand for it (spec 2.4).
func TestSavepointIsNotSubsumed(t *testing.T) {
	c := base(func(cfg *Config) { cfg.MaxConcurrent = 2 })
	begin(t, &c, 0, Savepoint)
	ack(&c, 1, begin(t, &c, 0, Checkpoint))
	if c.NumPending() != 1 || c.Find(1) == nil || c.Find(2) != nil {
		t.Errorf("%d pending", c.NumPending())
	}
}

// TestStopWhileTriggering: a request whose plan was being made at the stop takes an id and fails with
// PERIODIC_SCHEDULER_SHUTDOWN; one that was pending fails at the stop and counts once more when its phase ends (spec 2.3).
func TestStopWhileTriggering(t *testing.T) {
	c := base(nil)
	tick := c.Start(0, 0, nil)[0]
	c.Tick(0, tick.Seq, nil)
	c.Stop(1, event.CheckpointCoordinatorSuspend, nil)
	out := c.Planned(1, true, event.NoReason, nil)
	if len(out) != 1 || out[0].Kind != Failed || out[0].ID != 0 || out[0].Reason != event.PeriodicSchedulerShutdown || c.NextID() != 2 {
		t.Errorf("%+v, next id %d", out, c.NextID())
	}
	c.Request(2, Checkpoint, nil)
	c.Planned(2, true, event.NoReason, nil)
	c.Stop(3, event.CheckpointCoordinatorSuspend, nil)
	if out := c.Triggered(3, 2, true, event.NoReason, nil); len(out) != 0 {
		t.Errorf("tasks are asked for what has ended: %+v", out)
	}
	if want := (Counts{Total: 3, Failed: 3}); c.Counts() != want {
		t.Errorf("%+v, want %+v", c.Counts(), want)
	}
}

// TestTriggerFailsWithAnID: the id is consumed (spec 2.3), the failure does not count against the tolerable ones.
func TestTriggerFailsWithAnID(t *testing.T) {
	c := base(nil)
	c.Request(0, Checkpoint, nil)
	c.Planned(0, true, event.NoReason, nil)
	out := c.Triggered(0, 1, false, event.NoReason, nil)
	if want := []EffectKind{Failed, NotifyAborted}; !slices.Equal(kinds(out), want) || out[0].Reason != event.TriggerCheckpointFailure {
		t.Errorf("%+v", out)
	}
	if id := begin(t, &c, 1, Checkpoint); id != 2 {
		t.Errorf("the next one is %d", id)
	}
}

// TestNothingStartsAfterAShutdown: nothing starts any more (spec 2.3 a).
func TestNothingStartsAfterAShutdown(t *testing.T) {
	c := base(nil)
	id := begin(t, &c, 0, Checkpoint)
	if out := c.Shutdown(1, nil); out[0].ID != id || out[0].Reason != event.CheckpointCoordinatorShutdown {
		t.Errorf("%+v", out)
	}
	out := c.Request(2, Savepoint, nil)
	if want := []EffectKind{Failed}; !slices.Equal(kinds(out), want) || out[0].Reason != event.CheckpointCoordinatorShutdown {
		t.Errorf("%+v", out)
	}
	if out := ack(&c, 3, id); len(out) != 0 {
		t.Errorf("an acknowledgement after the shutdown: %+v", out)
	}
}

// TestFinalizationHoldsUpTheRest: while metadata is written, other checkpoints neither complete nor expire; both follow
// at its end, in order (FLINK-31249).
func TestFinalizationHoldsUpTheRest(t *testing.T) {
	c := base(func(cfg *Config) { cfg.SlowFinalize, cfg.MaxConcurrent, cfg.Tolerable = true, 3, 5 })
	for range 3 {
		begin(t, &c, 0, Checkpoint)
	}
	ack(&c, 1, 2)
	ack(&c, 2, 3)
	c.Expire(1000, 1, nil)
	c.Expire(1000, 2, nil)
	if c.NumPending() != 3 {
		t.Fatalf("%d pending", c.NumPending())
	}
	out := c.Finalized(1100, 2, event.NoReason, nil)
	var told []event.Checkpoint
	for _, e := range out {
		if e.Kind == Completed || e.Kind == Failed || e.Kind == Finalize {
			told = append(told, e.ID)
		}
	}
	if want := []event.Checkpoint{2, 1, 3}; !slices.Equal(told, want) { // 2 completes, 1 is subsumed, 3 is written
		t.Errorf("%v, want %v: %+v", told, want, out)
	}
	out = c.Finalized(1200, 3, event.FinalizeCheckpointFailure, nil)
	if i := slices.Index(kinds(out), Failed); i < 0 || out[i].Reason != event.FinalizeCheckpointFailure {
		t.Errorf("%+v", out)
	}
	if latest, _ := c.LatestCompleted(); latest != 2 {
		t.Errorf("latest is %d", latest)
	}
}

// TestExpiryAfterFinalization: a timeout that fired meanwhile acts at the end of the writing.
func TestExpiryAfterFinalization(t *testing.T) {
	c := base(func(cfg *Config) { cfg.SlowFinalize, cfg.MaxConcurrent, cfg.Tolerable = true, 2, 5 })
	begin(t, &c, 0, Checkpoint)
	begin(t, &c, 0, Checkpoint)
	ack(&c, 1, 1)
	c.Expire(1000, 2, nil)
	out := c.Finalized(1100, 1, event.NoReason, nil)
	i := slices.Index(kinds(out), Failed)
	if i < 0 || out[i].ID != 2 || out[i].Reason != event.CheckpointExpired || c.NumPending() != 0 {
		t.Errorf("%+v", out)
	}
}

// TestCleaningHoldsUpTheQueue: no checkpoint starts while more than MaxConcurrent are being deleted (spec 2.2).
func TestCleaningHoldsUpTheQueue(t *testing.T) {
	c := base(func(cfg *Config) { cfg.SlowCleaning, cfg.Tolerable = true, 5 })
	for now := range event.Time(3) {
		ack(&c, now, begin(t, &c, now, Checkpoint)) // 1 and 2 leave the store
	}
	if c.Request(5, Checkpoint, nil); c.Triggering() || c.Queued() != 1 {
		t.Fatalf("it starts although two are being deleted")
	}
	if out := c.Cleaned(6, 1, nil); !slices.Equal(kinds(out), []EffectKind{Plan}) {
		t.Errorf("%+v", out)
	}
}

// TestLateAndForeignAcks: spec 2.4, vector lifecycle.decline-then-late-ack.
func TestLateAndForeignAcks(t *testing.T) {
	c := base(nil)
	id := begin(t, &c, 0, Checkpoint)
	for task, want := range map[event.Task]int{-1: 1, 2: 1, 0: 0} {
		if out := c.Ack(1, id, task, nil); len(out) != want {
			t.Errorf("task %d: %+v", task, out)
		}
	}
	if out := c.Ack(2, id, 0, nil); len(out) != 0 || c.Pending(0).Left != 1 {
		t.Errorf("a duplicate does %+v", out)
	}
}

// TestTaskSideFailures: spec 2.6, CheckpointFailureManager.
func TestTaskSideFailures(t *testing.T) {
	for _, c := range []struct {
		why      string
		reason   event.Reason
		snapshot Snapshot
		fromTask bool
		want     bool
	}{
		{"a checkpoint's failure counts on both sides", event.CheckpointDeclined, Checkpoint, true, true},
		{"", event.CheckpointExpired, Checkpoint, false, true},
		{"a savepoint's counts when a task reports it", event.CheckpointDeclined, Savepoint, true, true},
		{"but not on the coordinator's side", event.CheckpointExpired, Savepoint, false, false},
		{"a synchronous one fails the job whatever the reason", event.TaskCheckpointFailure, StopWithSavepoint, true, true},
		{"but not on the coordinator's side", event.CheckpointExpired, StopWithSavepoint, false, false},
		{"a reason from before the tasks is the coordinator's", event.IOException, StopWithSavepoint, true, false},
		{"failures by failover do not count", event.JobFailoverRegion, Checkpoint, false, false},
	} {
		m := NewFailureManager(0)
		if got := m.Fail(1, c.reason, c.snapshot, c.fromTask); got != c.want {
			t.Errorf("%s: %v of kind %d: fails the job: %v", c.why, c.reason, c.snapshot, got)
		}
	}
	late := NewFailureManager(0)
	late.Succeed(3)
	if late.Fail(3, event.CheckpointExpired, Checkpoint, false) || !late.Fail(4, event.CheckpointExpired, Checkpoint, false) {
		t.Error("failures count from the latest success on")
	}
	m := NewFailureManager(UnlimitedFailures)
	if m.Fail(1, event.CheckpointExpired, Checkpoint, false) || m.Continuous() != 0 {
		t.Error("failures count although none does")
	}
}

// TestIdsGoOnBehindTheRestoredSnapshot: ids go on behind the snapshot that the job starts from (spec 2.3), which is the first of the store.
func TestIdsGoOnBehindTheRestoredSnapshot(t *testing.T) {
	c := base(nil)
	c.Restore(41)
	if id, ok := c.LatestCompleted(); id != 41 || !ok {
		t.Errorf("latest is %d", id)
	}
	id := begin(t, &c, 0, Checkpoint)
	out := ack(&c, 1, id)
	if want := []EffectKind{Completed, Subsumed, NotifyComplete}; id != 42 || !slices.Equal(kinds(out), want) || out[2].Other != 41 {
		t.Errorf("%d: %+v", id, out)
	}
}

// TestOptionsBecomeAConfiguration: spec 2.1 and the options.
func TestOptionsBecomeAConfiguration(t *testing.T) {
	o := option.Config{Interval: 5, IntervalDuringBacklog: -1, MinPause: 7, Timeout: 11, MaxConcurrent: 2, Tolerable: 3, Retained: 0, Unaligned: true}
	got := FromOptions(&o, 4).normalized()
	want := Config{Interval: 7, IntervalDuringBacklog: 7, MinPause: 7, Timeout: 11, MaxConcurrent: 2, Tolerable: 3, Retained: 1, Unaligned: true, Tasks: 4}
	if got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if off := (Config{MinPause: 2 * maxMinPause, IntervalDuringBacklog: -1}).normalized(); off.Interval != 0 || off.MinPause != maxMinPause {
		t.Errorf("%+v", off)
	}
	c := base(func(cfg *Config) { cfg.Interval = 0 })
	if out := c.Start(0, 0, nil); len(out) != 0 || c.NextTrigger() != event.Never {
		t.Errorf("a periodic trigger although it is off: %+v", out)
	}
}

// TestProgrammersMistakesPanic: preconditions are stated and held.
func TestProgrammersMistakesPanic(t *testing.T) {
	for name, do := range map[string]func(){
		"no tasks":                func() { base(func(cfg *Config) { cfg.Tasks = 0 }) },
		"no concurrency":          func() { base(func(cfg *Config) { cfg.MaxConcurrent = 0 }) },
		"negative tolerance":      func() { base(func(cfg *Config) { cfg.Tolerable = -1 }) },
		"an answer without plan":  func() { c := base(nil); c.Planned(0, true, event.NoReason, nil) },
		"an answer without begin": func() { c := base(nil); c.Request(0, Checkpoint, nil); c.Triggered(0, 1, true, event.NoReason, nil) },
		"cleaned from nothing":    func() { c := base(nil); c.Cleaned(0, 1, nil) },
		"start after shutdown":    func() { c := base(nil); c.Shutdown(0, nil); c.Start(0, 0, nil) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			do()
		}()
	}
}

// TestFailJobIsLast: what would start next fails with the job, and nothing starts until the job was stopped.
func TestFailJobIsLast(t *testing.T) {
	c := base(nil)
	tick := c.Start(0, 0, nil)[0]
	begin(t, &c, 0, Checkpoint)
	c.Tick(0, tick.Seq, nil)
	c.Request(1, Checkpoint, nil)
	out := c.Expire(1000, 1, nil)
	if want := []EffectKind{Failed, NotifyAborted, Failed, FailJob}; !slices.Equal(kinds(out), want) || out[2].ID != 0 ||
		out[2].Reason != event.NotAllRequiredTasksRunning || out[3].Reason != event.CheckpointExpired {
		t.Fatalf("%+v", out)
	}
	if out := c.Request(1001, Savepoint, nil); len(out) != 0 || c.Queued() != 2 {
		t.Errorf("%+v, %d queued", out, c.Queued())
	}
	if out := c.Stop(1002, event.CheckpointCoordinatorSuspend, nil); !slices.Equal(kinds(out), []EffectKind{Dropped, Dropped}) {
		t.Errorf("%+v", out)
	}
	begin(t, &c, 1003, Checkpoint)
}

// The first trigger comes by chance between min-pause and the interval; for sources that wait for it, by twice the pause
// (CheckpointCoordinatorTest#testTriggeringDelay).
func TestFirstDelay(t *testing.T) {
	random := sim.NewStream(7, "first delay")
	const ms = event.Millisecond
	for _, c := range []struct {
		config    Config
		from, to  event.Time
		spreadsBy event.Time // at least
	}{
		{Config{Interval: 10_000 * ms, MinPause: 100 * ms}, 100 * ms, 10_000 * ms, 5_000 * ms},
		{Config{Interval: 10_000 * ms, MinPause: 100 * ms, PauseSources: true}, 100 * ms, 201 * ms, 50 * ms},
		{Config{Interval: 50 * ms, MinPause: 100 * ms}, 100 * ms, 100 * ms, 0},
		{Config{Interval: 50 * ms, PauseSources: true}, 0, ms, 0},
	} {
		least, most := c.to+1, event.Time(-1)
		for range 200 {
			d := c.config.FirstDelay(&random)
			least, most = min(least, d), max(most, d)
		}
		if least < c.from || most > c.to || most-least < c.spreadsBy {
			t.Errorf("%+v: from %d to %d ns", c.config, least, most)
		}
	}
}
