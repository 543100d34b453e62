package vector

import (
	"encoding/json"
	"fmt"
	"slices"

	"checkpointlab/core/checkpoint"
	"checkpointlab/core/event"
)

// requestKinds are the requests of coordinator.json, as its schema has them.
var requestKinds = map[string]checkpoint.Request{
	"regularCheckpoint":          {Periodic: true},
	"manualCheckpoint":           {},
	"regularSavepoint":           {Snapshot: checkpoint.Savepoint, Force: true},
	"periodicSavepoint":          {Snapshot: checkpoint.Savepoint, Force: true, Periodic: true},
	"nonForcedPeriodicSavepoint": {Snapshot: checkpoint.Savepoint, Periodic: true},
	"nonForcedSavepoint":         {Snapshot: checkpoint.Savepoint},
}

// deciderRun replays a case of the unit CheckpointRequestDecider.
type deciderRun struct {
	decider   checkpoint.Decider
	situation checkpoint.Situation
	names     []string // by request number - 1
	chosen    []*string
	failed    []deciderFailure
	failedAt  []int // how many had failed after each event that chooses
	rest      *int64
}

// deciderFailure is a request that left the queue without a start.
type deciderFailure struct {
	name   string
	reason event.Reason
}

func runDecider(c Case) (Status, string) {
	var g struct {
		Unit                                                          string
		MaxQueued, MaxPending, MinPauseMs, Pending, Cleaning, ClockMs *int64
	}
	if err := Decode(c.Given, &g); err != nil {
		return Unknown("given", err)
	}
	if g.MaxQueued == nil || g.MaxPending == nil || g.MinPauseMs == nil {
		return Unknown("given", fmt.Errorf("maxQueued, maxPending and minPauseMs are needed"))
	}
	r := deciderRun{decider: checkpoint.NewDecider(int(*g.MaxQueued), int(*g.MaxPending), *g.MinPauseMs*event.Millisecond)}
	r.situation.Now = orZero(g.ClockMs) * event.Millisecond
	r.situation.Pending, r.situation.Cleaning = int(orZero(g.Pending)), int(orZero(g.Cleaning))
	for _, raw := range c.Events {
		if err := r.event(raw); err != nil {
			return Unknown("event "+string(raw), err)
		}
	}
	return r.expect(c.Expect)
}

// event takes in one event of the case.
func (r *deciderRun) event(raw json.RawMessage) error {
	verb, args, err := Event(raw)
	if err != nil {
		return err
	}
	switch {
	case verb == "choose" && len(args) == 2:
		var name string
		if err := json.Unmarshal(args[0], &name); err != nil {
			return err
		}
		if err := r.look(args[1]); err != nil {
			return err
		}
		return r.submit(name)
	case verb == "chooseQueued" && len(args) == 1:
		if err := r.look(args[0]); err != nil {
			return err
		}
		r.choose()
		return nil
	case verb == "setPending" && len(args) == 1:
		return json.Unmarshal(args[0], &r.situation.Pending)
	case verb == "setCleaning" && len(args) == 1:
		return json.Unmarshal(args[0], &r.situation.Cleaning)
	case verb == "setClockMs" && len(args) == 1:
		err := json.Unmarshal(args[0], &r.situation.Now)
		r.situation.Now *= event.Millisecond
		return err
	}
	return fmt.Errorf("verb %q with %d arguments", verb, len(args))
}

// look reads the situation that an event gives.
func (r *deciderRun) look(raw json.RawMessage) error {
	var s struct {
		IsTriggering     *bool
		LastCompletionMs *int64
	}
	if err := Decode(raw, &s); err != nil {
		return err
	}
	if s.IsTriggering == nil || s.LastCompletionMs == nil {
		return fmt.Errorf("isTriggering and lastCompletionMs are needed")
	}
	r.situation.Triggering = *s.IsTriggering
	r.situation.LastCompletion = *s.LastCompletionMs * event.Millisecond
	return nil
}

func (r *deciderRun) submit(name string) error {
	q, ok := requestKinds[name]
	if !ok {
		return fmt.Errorf("request %q", name)
	}
	r.names = append(r.names, name)
	q.Number, q.At = int64(len(r.names)), r.situation.Now
	if dropped, full := r.decider.Submit(q); full {
		r.fail(dropped, event.TooManyCheckpointRequests)
	}
	r.choose()
	return nil
}

func (r *deciderRun) choose() {
	d := r.decider.Choose(r.situation)
	var name *string
	switch d.Verdict {
	case checkpoint.Start:
		name = &r.names[d.Request.Number-1]
	case checkpoint.Drop:
		r.fail(d.Request, event.MinimumTimeBetweenCheckpoints)
		rest := d.Rest / event.Millisecond
		r.rest = &rest
	}
	r.chosen = append(r.chosen, name)
	r.failedAt = append(r.failedAt, len(r.failed))
}

func (r *deciderRun) fail(q checkpoint.Request, reason event.Reason) {
	r.failed = append(r.failed, deciderFailure{r.names[q.Number-1], reason})
}

// expect compares with what the case expects.
func (r *deciderRun) expect(raw json.RawMessage) (Status, string) {
	var e struct {
		Chosen               *[]*string
		Failed               map[string]string
		NotFailed            []string
		FailedCountAfterEach *[]int
		FailReason           *string
		RescheduleInMs       *int64
	}
	if err := Decode(raw, &e); err != nil {
		return Unknown("expect", err)
	}
	if e.Chosen != nil && !equalNames(r.chosen, *e.Chosen) {
		return Differ("chosen", names(r.chosen), names(*e.Chosen))
	}
	if e.FailedCountAfterEach != nil && !slices.Equal(r.failedAt, *e.FailedCountAfterEach) {
		return Differ("failedCountAfterEach", r.failedAt, *e.FailedCountAfterEach)
	}
	for _, name := range sortedKeys(e.Failed) {
		if got := r.reasonOf(name); got != e.Failed[name] {
			return Differ("failed "+name, got, e.Failed[name])
		}
	}
	for _, name := range e.NotFailed {
		if got := r.reasonOf(name); got != "" {
			return Differ("failure of "+name, got, "none")
		}
	}
	if e.FailReason != nil {
		if len(r.failed) == 0 {
			return Differ("failReason", "none", *e.FailReason)
		}
		for _, f := range r.failed {
			if f.reason.String() != *e.FailReason {
				return Differ("failReason", f.reason, *e.FailReason)
			}
		}
	}
	if e.RescheduleInMs != nil && (r.rest == nil || *r.rest != *e.RescheduleInMs) {
		return Differ("rescheduleInMs", orZero(r.rest), *e.RescheduleInMs)
	}
	return Pass, ""
}

// reasonOf is why a request of that name failed, or "".
func (r *deciderRun) reasonOf(name string) string {
	for _, f := range r.failed {
		if f.name == name {
			return f.reason.String()
		}
	}
	return ""
}

// runFailures replays a case of the unit CheckpointFailureManager.
func runFailures(c Case) (Status, string) {
	var g struct {
		Unit      string
		Tolerable *int
		Savepoint bool
	}
	if err := Decode(c.Given, &g); err != nil {
		return Unknown("given", err)
	}
	if g.Tolerable == nil {
		return Unknown("given", fmt.Errorf("tolerable is needed"))
	}
	r := failuresRun{manager: checkpoint.NewFailureManager(*g.Tolerable)}
	if g.Savepoint {
		r.snapshot = checkpoint.Savepoint
	}
	for _, raw := range c.Events {
		if err := r.event(raw); err != nil {
			return Unknown("event "+string(raw), err)
		}
	}
	return r.expect(c.Expect)
}

// failuresRun counts what the failure manager does.
type failuresRun struct {
	manager     checkpoint.FailureManager
	snapshot    checkpoint.Snapshot
	jobFailures int
	counted     []string // reasons that moved the count
}

func (r *failuresRun) event(raw json.RawMessage) error {
	verb, args, err := Event(raw)
	if err != nil {
		return err
	}
	var id event.Checkpoint
	if len(args) > 0 {
		if err := json.Unmarshal(args[0], &id); err != nil {
			return err
		}
	}
	switch {
	case verb == "fail" && len(args) == 2:
		var s string
		if err := json.Unmarshal(args[1], &s); err != nil {
			return err
		}
		reason, ok := event.ParseReason(s)
		if !ok {
			return fmt.Errorf("reason %q", s)
		}
		r.fail(id, reason)
	case verb == "success" && len(args) == 1:
		r.manager.Succeed(id)
	case verb == "failEveryReasonOnce" && len(args) == 1:
		for _, reason := range event.AllReasons() {
			r.fail(id, reason)
		}
	default:
		return fmt.Errorf("verb %q with %d arguments", verb, len(args))
	}
	return nil
}

// fail is a failure at the coordinator's side.
func (r *failuresRun) fail(id event.Checkpoint, reason event.Reason) {
	before := r.manager.Continuous()
	failJob := r.manager.Fail(id, reason, r.snapshot, false)
	if failJob {
		r.jobFailures++
	}
	if failJob || r.manager.Continuous() != before {
		r.counted = append(r.counted, reason.String())
	}
}

func (r *failuresRun) expect(raw json.RawMessage) (Status, string) {
	var e struct {
		JobFailures *int
		Counted     *[]string
	}
	if err := Decode(raw, &e); err != nil {
		return Unknown("expect", err)
	}
	if e.JobFailures != nil && r.jobFailures != *e.JobFailures {
		return Differ("jobFailures", r.jobFailures, *e.JobFailures)
	}
	if e.Counted != nil && !sameSet(r.counted, *e.Counted) {
		return Differ("counted", r.counted, *e.Counted)
	}
	return Pass, ""
}
