package checkpoint

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"checkpointlab/core/event"
)

var rewrite = flag.Bool("rewrite", false, "write what happens into the scripts")

// TestScripts plays the scripts of testdata: prose and a situation, then what happens, a line each.
//
//	given KEY=VALUE …    interval, first, takes, min-pause, timeout, max-concurrent, tolerable, retained, backlog, unaligned, finalize
//	at TIME WHAT         checkpoint, savepoint, stop-with-savepoint, takes TIME, finalize TIME, restart TIME,
//	                     unready, task-failed TASK, decline TASK REASON (the newest), backlog on|off
//	until TIME
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			script, want, _ := strings.Cut(string(data), "----\n")
			got := play(t, script)
			if *rewrite {
				if err := os.WriteFile(file, []byte(script+"----\n"+got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != want {
				t.Errorf("happened:\n%s\nexpected:\n%s", got, want)
			}
		})
	}
}

// job is the smallest job around a coordinator: two tasks that acknowledge what they are asked for after a while.
type job struct {
	c                 Coordinator
	now, takes, write event.Time
	unready, down     bool
	tick              event.Time // armed for; 0 = none
	restart           event.Time // time to restart after a failed job
	queue             []happening
	log               strings.Builder
}

// happening is something to come, in order of time and of planning.
type happening struct {
	at event.Time
	do func(j *job)
}

func (j *job) plan(at event.Time, do func(j *job)) {
	i := len(j.queue)
	for i > 0 && j.queue[i-1].at > at {
		i--
	}
	j.queue = append(j.queue[:i], append([]happening{{at, do}}, j.queue[i:]...)...)
}

// play runs a script and returns its log.
func play(t *testing.T, script string) string {
	j := &job{restart: event.Second}
	var until event.Time
	for _, line := range strings.Split(script, "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		switch words[0] {
		case "given":
			j.given(t, words[1:])
		case "at":
			what := words[2:]
			j.plan(span(t, words[1]), func(j *job) { j.act(t, what) })
		case "until":
			until = span(t, words[1])
		default:
			t.Fatalf("unknown line %q", line)
		}
	}
	for len(j.queue) > 0 && j.queue[0].at <= until {
		next := j.queue[0]
		j.queue = j.queue[1:]
		j.now = next.at
		next.do(j)
	}
	n := j.c.Counts()
	fmt.Fprintf(&j.log, "%s: total %d, in progress %d, completed %d, failed %d, queued %d, retained %v\n",
		seconds(until), n.Total, n.InProgress, n.Completed, n.Failed, j.c.Queued(), j.c.Retained())
	return j.log.String()
}

// given makes the coordinator and starts it at 0.
func (j *job) given(t *testing.T, pairs []string) {
	cfg := Config{IntervalDuringBacklog: -1, Timeout: 600 * event.Second, MaxConcurrent: 1, Retained: 1, Tasks: 2}
	var first event.Time
	for _, pair := range pairs {
		key, value, _ := strings.Cut(pair, "=")
		switch key {
		case "interval":
			cfg.Interval = span(t, value)
		case "backlog":
			cfg.IntervalDuringBacklog = span(t, value)
		case "first":
			first = span(t, value)
		case "takes":
			j.takes = span(t, value)
		case "min-pause":
			cfg.MinPause = span(t, value)
		case "timeout":
			cfg.Timeout = span(t, value)
		case "max-concurrent":
			cfg.MaxConcurrent = number(t, value)
		case "tolerable":
			cfg.Tolerable = number(t, value)
		case "retained":
			cfg.Retained = number(t, value)
		case "unaligned":
			cfg.Unaligned = true
		case "finalize":
			cfg.SlowFinalize, j.write = true, span(t, value)
		default:
			t.Fatalf("unknown key %q", key)
		}
	}
	j.c = New(cfg)
	j.plan(0, func(j *job) { j.handle(j.c.Start(j.now, first, nil)) })
}

// act does what a script says.
func (j *job) act(t *testing.T, words []string) {
	switch words[0] {
	case "checkpoint":
		j.handle(j.c.Request(j.now, Checkpoint, nil))
	case "savepoint":
		j.handle(j.c.Request(j.now, Savepoint, nil))
	case "stop-with-savepoint":
		j.handle(j.c.Request(j.now, StopWithSavepoint, nil))
	case "takes":
		j.takes = span(t, words[1])
	case "finalize":
		j.write = span(t, words[1])
	case "restart":
		j.restart = span(t, words[1])
		j.fail()
	case "unready":
		j.unready = true
	case "task-failed":
		j.handle(j.c.TaskFailed(j.now, event.Task(number(t, words[1])), nil))
	case "decline":
		reason, ok := event.ParseReason(words[2])
		if !ok || j.c.NumPending() == 0 {
			t.Fatalf("cannot decline with %q", words[2])
		}
		newest := j.c.Pending(j.c.NumPending() - 1).ID
		j.handle(j.c.Decline(j.now, newest, event.Task(number(t, words[1])), reason, nil))
	case "backlog":
		j.handle(j.c.SetBacklog(j.now, words[1] == "on", nil))
	default:
		t.Fatalf("unknown action %q", words)
	}
}

// fail stops the job; it runs again later.
func (j *job) fail() {
	j.down, j.tick = true, 0
	j.handle(j.c.Stop(j.now, event.CheckpointCoordinatorSuspend, nil))
	j.plan(j.now+j.restart, func(j *job) {
		j.down = false
		j.say("all tasks run again")
		j.handle(j.c.Start(j.now, 0, nil))
	})
}

func (j *job) say(format string, args ...any) {
	fmt.Fprintf(&j.log, "%s %s\n", seconds(j.now), fmt.Sprintf(format, args...))
}

// handle does what the coordinator asks for, in order.
func (j *job) handle(effects []Effect) {
	for _, e := range effects {
		j.one(e)
	}
}

func (j *job) one(e Effect) {
	switch e.Kind {
	case ArmTick:
		if j.tick > j.now && j.tick != e.At {
			j.say("next trigger moves from %s to %s", seconds(j.tick), seconds(e.At))
		}
		j.tick = e.At
		j.plan(e.At, func(j *job) { j.handle(j.c.Tick(j.now, e.Seq, nil)) })
	case ArmExpiry:
		j.plan(e.At, func(j *job) { j.handle(j.c.Expire(j.now, e.ID, nil)) })
	case Plan:
		ready := !j.down && !j.unready
		j.unready = false
		j.handle(j.c.Planned(j.now, ready, event.NotAllRequiredTasksRunning, nil))
	case Begin:
		j.say("%s %d begins", kind(e.Snapshot), e.ID)
		j.handle(j.c.Triggered(j.now, e.ID, true, event.NoReason, nil))
	case Trigger:
		for task := range event.Task(2) {
			j.plan(j.now+j.takes, func(j *job) { j.handle(j.c.Ack(j.now, e.ID, task, nil)) })
		}
	case Finalize:
		j.say("%d acknowledged by all, metadata is being written", e.ID)
		j.plan(j.now+j.write, func(j *job) { j.handle(j.c.Finalized(j.now, e.ID, event.NoReason, nil)) })
	case Completed:
		j.say("%s %d completed after %s", kind(e.Snapshot), e.ID, seconds(e.Duration))
	case Subsumed:
		j.say("%d leaves the store", e.ID)
	case NotifyComplete:
		j.say("tasks are told that %d is complete", e.ID)
	case Failed:
		if e.ID == 0 {
			j.say("%s fails without an id: %s", kind(e.Snapshot), e.Reason)
		} else {
			j.say("%s %d fails: %s", kind(e.Snapshot), e.ID, e.Reason)
		}
	case Dropped:
		j.say("request dropped: %s", e.Reason)
	case FailJob:
		j.say("job fails")
		j.fail()
	}
}

func kind(s Snapshot) string {
	return [...]string{"checkpoint", "savepoint", "stop with savepoint"}[s]
}

// span reads a number of seconds like 2.5s.
func span(t *testing.T, s string) event.Time {
	f, err := strconv.ParseFloat(strings.TrimSuffix(s, "s"), 64)
	if err != nil || !strings.HasSuffix(s, "s") {
		t.Fatalf("%q is no time", s)
	}
	return event.Time(f*1000+0.5) * event.Millisecond
}

func number(t *testing.T, s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func seconds(d event.Time) string {
	return strconv.FormatFloat(float64(d)/float64(event.Second), 'f', -1, 64) + "s"
}
