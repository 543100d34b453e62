package core

import (
	"testing"

	"checkpointlab/core/event"
	"checkpointlab/core/network"
	"checkpointlab/core/option"
)

// busyHour is a job at 6,000 records a second whose state is its offsets; control is the measured one.
func busyHour(t *testing.T, timeout string) Setup {
	t.Helper()
	o, _, err := option.Resolve("2.3", []option.Pair{
		{Key: "execution.checkpointing.interval", Value: "10 s"}, {Key: "heartbeat.interval", Value: "1 s"}, {Key: "heartbeat.timeout", Value: timeout},
		{Key: "heartbeat.rpc-failure-threshold", Value: "-1"}, // there was none in that version
		{Key: "restart-strategy.type", Value: "fixed-delay"}, {Key: "restart-strategy.fixed-delay.delay", Value: "1 s"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return Setup{
		Vertices: []Vertex{
			{Name: "source", Kind: Source, Parallelism: 5, Cost: -1, RateNum: 1200, RatePer: event.Second, Payload: 100},
			{Name: "sink", Kind: Sink, Parallelism: 5, Cost: 100 * event.Microsecond, Guarantee: AtLeastOnce},
		},
		Edges:   []Edge{{From: 0, To: 1, Partition: Hash}},
		Options: o, Duration: 180 * event.Second, Seed: 1, Control: MeasuredControl(), Cluster: Cluster{Slots: 1, Sharing: true},
		Script: []Action{{At: 100*event.Second + 500*event.Millisecond, Do: Lose, Vertex: 0, Subtask: 2}},
	}
}

// detectedAfter runs until the loss is noticed.
func detectedAfter(t *testing.T, s Setup) event.Time {
	t.Helper()
	_, seen := ends(t, s, event.TaskFailed)
	if len(seen) != 1 {
		t.Fatalf("failures are %v", seen)
	}
	return seen[0].At - s.Script[0].At
}

// Spec 9.3: a process that ends is noticed by its peers at once, without peers by failed heartbeats; a silent one by the
// timeout after its last heartbeat.
func TestHowALossIsNoticed(t *testing.T) {
	s := busyHour(t, "50 s")
	s.Script[0].Silent, s.Options.HeartbeatFailures = true, 2
	if d := detectedAfter(t, s); d != 49*event.Second+500*event.Millisecond {
		t.Errorf("a silent one after %d ns", d)
	}
	s.Script[0].Silent = false
	if d := detectedAfter(t, s); d != s.Control.Net {
		t.Errorf("one with peers after %d ns", d)
	}
	s.Edges[0].Partition = Forward // both ends in one task manager: nobody else hears of it
	if d := detectedAfter(t, s); d != 1*event.Second+500*event.Millisecond {
		t.Errorf("one without peers after %d ns", d)
	}
	s.Options.HeartbeatFailures = 1
	if d := detectedAfter(t, s); d != 500*event.Millisecond {
		t.Errorf("one without peers by its first failed heartbeat after %d ns", d)
	}
}

// What a finished source has sent and its reader has not received is gone with its task manager. The reader fails as its connection
// breaks, and its region starts anew. If that only falls silent, TCP finds out: what the reader sends is not acknowledged; if it sends
// nothing, because all that it will ever get is on its way, by probes of the idle connection.
func TestAFinishedTaskIsLost(t *testing.T) {
	for name, c := range map[string]struct {
		silent   bool
		net      event.Time // a buffer's way
		from, to event.Time // from the loss to the failure
	}{
		"breaks":  {false, 100 * event.Microsecond, 100 * event.Microsecond, 100 * event.Microsecond},
		"credit":  {true, 100 * event.Microsecond, network.Unanswered, network.Unanswered + 100*event.Millisecond},
		"nothing": {true, 3 * event.Second, 90 * event.Second, 90 * event.Second},
	} {
		s := busyHour(t, "8 s")
		s.Cluster.Sharing, s.Duration, s.Options.Interval, s.Control.Net = false, 1200*event.Second, 0, c.net
		s.Options.RestartAttempts, s.Options.SegmentSize, s.Options.StartingSegmentSize = 1, 1<<10, 1<<10
		s.Options.KeepIdle, s.Options.KeepInterval, s.Options.KeepCount = 60, 10, 3
		for i := range s.Vertices {
			s.Vertices[i].Parallelism = 1
		}
		s.Vertices[0].EndsAfter, s.Vertices[1].Cost = 200, 10*event.Millisecond
		if c.net > event.Second { // all of it leaves without credit from the reader
			s.Vertices[0].EndsAfter = 15
		}
		s.Script = []Action{{At: 900 * event.Millisecond, Do: Lose, Silent: c.silent}}
		l, failed := ends(t, s, event.TaskFailed)
		var v View
		l.View(&v)
		out := v.Vertices[1].Tasks[0].Output
		if len(failed) != 1 || out.Visible-out.Duplicates != s.Vertices[0].EndsAfter || !v.Coord.JobFinished {
			t.Errorf("%s: failures %v, %d shown, %d of them again, finished %v", name, failed, out.Visible, out.Duplicates, v.Coord.JobFinished)
		} else if after := failed[0].At - s.Script[0].At; after < c.from || after > c.to {
			t.Errorf("%s: fails %d ns behind the loss", name, after)
		}
	}
}

// Of a task manager that stands still for longer than heartbeat.timeout, what its finished task has sent is read when it goes on; if another
// one takes its place, which ends it, that is gone, and the reader fails with its connection.
func TestAFinishedTaskStandsStill(t *testing.T) {
	for _, replaced := range []bool{false, true} {
		s := busyHour(t, "8 s")
		s.Cluster.Sharing, s.Duration, s.Options.Interval = false, 60*event.Second, 0
		s.Options.RestartAttempts, s.Options.SegmentSize, s.Options.StartingSegmentSize = 1, 1<<10, 1<<10
		for i := range s.Vertices {
			s.Vertices[i].Parallelism = 1
		}
		s.Vertices[0].EndsAfter, s.Vertices[1].Cost = 200, 10*event.Millisecond
		s.Script = []Action{{At: 900 * event.Millisecond, Do: Pause, For: 30 * event.Second}}
		noticed := 8 * event.Second
		if replaced {
			s.Script[0].Back = 10 * event.Second
		}
		l, seen := ends(t, s, event.TaskFailed, event.ProcessResumed, event.JobFinished)
		var v View
		l.View(&v)
		shown, again := v.Vertices[1].Tasks[0].Output.Visible, v.Vertices[1].Tasks[0].Output.Duplicates
		goesOn := s.Script[0].At + s.Script[0].For
		switch {
		case shown-again != 200 || len(seen) != 2 || seen[1].Kind != event.JobFinished:
			t.Errorf("replaced %v: %d shown, %d of them again, %v", replaced, shown, again, seen)
		case replaced && (seen[0].Kind != event.TaskFailed || seen[0].At != noticed+s.Control.Net):
			t.Errorf("replaced: %v", seen)
		case !replaced && (seen[0].Kind != event.ProcessResumed || seen[0].At != goesOn || seen[1].At < goesOn || again != 0):
			t.Errorf("goes on: %v, %d shown again", seen, again)
		}
	}
}

// A restart waits for slots; one that gets none for 5 min fails, and the restart strategy decides (slot.request.timeout).
func TestRestartWaitsForSlots(t *testing.T) {
	s := busyHour(t, "8 s")
	s.Options.RestartAttempts = 2
	s.Script[0].Back = 40 * event.Second
	_, seen := ends(t, s, event.TaskFailed, event.TaskRestored)
	if back := seen[1].At - s.Script[0].At; seen[1].Kind != event.TaskRestored || back != s.Script[0].Back {
		t.Errorf("restored %d ns after the loss", back)
	}
	s.Script[0].Back, s.Duration = 20*60*event.Second, 1200*event.Second
	l, seen := ends(t, s, event.TaskFailed, event.JobFailed)
	if !l.job.failed || len(seen) != 4 || seen[1].At-seen[0].At < slotRequest || seen[2].At-seen[1].At < slotRequest {
		t.Errorf("failed is %v, after %v", l.job.failed, seen)
	}
}

// While a source works off what was there at the start, or says so, the other interval holds (spec 2.1).
func TestIntervalDuringBacklog(t *testing.T) {
	s := bounded(t, 0, option.Pair{Key: "execution.checkpointing.interval-during-backlog", Value: "4 s"})
	s.Vertices[0].History, s.Vertices[0].EndsAfter, s.Vertices[1].Cost = 20_000, 0, 200*event.Microsecond
	over := 25 * event.Second
	s.Duration = 40 * event.Second
	s.Script = []Action{{At: 12 * event.Second, Do: Backlog, Vertex: 0, Subtask: -1}, {At: over, Do: Backlog, Vertex: 0, Subtask: -1, Over: true}}
	_, seen := ends(t, s, event.CheckpointTriggered)
	gaps, behind := map[event.Time]int{}, 0
	for i := 1; i < len(seen); i++ {
		gaps[(seen[i].At-seen[i-1].At)/event.Second]++
		if seen[i-1].At > over && seen[i].At-seen[i-1].At < 2*event.Second {
			behind++
		}
	}
	if behind < 3 {
		t.Errorf("%d gaps of the interval once the backlog was said to be over", behind)
	}
	if first := seen[1].At - seen[0].At; first < 1500*event.Millisecond || gaps[4] < 1 || gaps[1] < 3 {
		t.Errorf("gaps between checkpoints in s: %v", gaps)
	}
}

// TestARestartWaitsForWhatCannotBeCancelled: a cancelled task whose thread no interrupt ends holds the restart up, as long as it
// hangs, or until task.cancellation.timeout has ended its process and the failed heartbeats tell of it.
func TestARestartWaitsForWhatCannotBeCancelled(t *testing.T) {
	const hung, failed = 50 * event.Second, 100 * event.Second
	for _, c := range []struct {
		span, timeout, from, to event.Time
		deaf                    bool
	}{
		{0, 20 * event.Second, failed + 1*event.Second, failed + 3*event.Second, false}, // the back-off alone
		{60 * event.Second, 20 * event.Second, hung + 60*event.Second, hung + 62*event.Second, true},
		{0, 20 * event.Second, failed + 21*event.Second, failed + 24*event.Second, true}, // two heartbeats of 1 s
		{0, 0, event.Never, event.Never, true},                                           // nobody ends it
	} {
		s := busyHour(t, "5 s")
		s.Options.HeartbeatFailures, s.Options.CancelTimeout = 2, c.timeout
		s.Script = []Action{{At: hung, Do: Hang, Vertex: 1, Subtask: 1, For: c.span, Deaf: c.deaf}, {At: failed, Do: Kill, Vertex: 0, Subtask: 0}}
		_, seen := ends(t, s, event.TaskRunning)
		again := event.Never
		for _, e := range seen {
			if e.At > failed {
				again = min(again, e.At)
			}
		}
		if again < c.from || again > c.to {
			t.Errorf("hanging for %d with a timeout of %d: tasks run again at %d, expected %d to %d", c.span, c.timeout, again, c.from, c.to)
		}
	}
}
