package vector

import (
	"encoding/json"
	"errors"
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

// deciderRun drives the queue of requests: unit CheckpointRequestDecider.
type deciderRun struct {
	decider   checkpoint.Decider
	situation checkpoint.Situation
	names     []string  // by request number - 1
	chosen    []*string // one an event that chooses; nil = none
	failedAt  []int     // how many had failed after each
	failed    []deciderFailure
	rest      *int64 // ms until the periodic trigger fires again
}

// deciderFailure is a request that left the queue without a start.
type deciderFailure struct{ name, reason string }

func runDecider(c Case) (Status, string) {
	var g struct {
		Unit                                                          string
		MaxQueued, MaxPending, MinPauseMs, Pending, Cleaning, ClockMs *int64
	}
	if err := Decode(c.Given, &g); err != nil {
		return Unknown("given", err)
	}
	if g.MaxPending == nil {
		return Unknown("given", errors.New("maxPending is needed"))
	}
	queued := int64(checkpoint.MaxQueued)
	if g.MaxQueued != nil {
		queued = *g.MaxQueued
	}
	r := deciderRun{decider: checkpoint.NewDecider(int(queued), int(*g.MaxPending), orZero(g.MinPauseMs)*event.Millisecond)}
	r.situation.Now = orZero(g.ClockMs) * event.Millisecond
	r.situation.Pending, r.situation.Cleaning = int(orZero(g.Pending)), int(orZero(g.Cleaning))
	return replayOn(&r, c)
}

func (r *deciderRun) event(verb string, args []json.RawMessage) (Status, string) {
	var name, s json.RawMessage
	switch verb {
	case "choose":
		err := scan(args[:min(1, len(args))], &name)
		if err == nil && len(args) == 2 {
			err = scan(args[1:], &s)
		}
		if err == nil && len(args) <= 2 {
			err = r.look(s)
		}
		if err == nil {
			err = r.submit(name)
		}
		return done(err)
	case "chooseQueued":
		if len(args) > 0 { // else the situation is as before
			if err := scan(args, &s); err != nil {
				return done(err)
			}
		}
		err := r.look(s)
		if err == nil {
			r.choose()
		}
		return done(err)
	case "advance":
		var ms event.Time
		err := scan(args, &ms)
		r.situation.Now += ms * event.Millisecond
		return done(err)
	case "setPending":
		return done(scan(args, &r.situation.Pending))
	case "setCleaning":
		return done(scan(args, &r.situation.Cleaning))
	case "setClockMs":
		err := scan(args, &r.situation.Now)
		r.situation.Now *= event.Millisecond
		return done(err)
	}
	return Unknown(verb, errUnknown)
}

// look reads the situation that an event gives; what it leaves out is as before.
func (r *deciderRun) look(raw json.RawMessage) error {
	var s struct {
		IsTriggering     *bool
		LastCompletionMs *int64
	}
	if err := Decode(raw, &s); err != nil {
		return err
	}
	if s.IsTriggering != nil {
		r.situation.Triggering = *s.IsTriggering
	}
	if s.LastCompletionMs != nil {
		r.situation.LastCompletion = *s.LastCompletionMs * event.Millisecond
	}
	return nil
}

// requestOf is a request by its name in the schema, or by what it is.
func requestOf(raw json.RawMessage) (name string, q checkpoint.Request, err error) {
	if json.Unmarshal(raw, &name) == nil {
		q, known := requestKinds[name]
		if !known {
			return "", q, fmt.Errorf("request %q", name)
		}
		return name, q, nil
	}
	var is struct {
		Savepoint, Force, Periodic bool
		Name                       string
	}
	if err := Decode(raw, &is); err != nil {
		return "", q, err
	}
	q = checkpoint.Request{Force: is.Force, Periodic: is.Periodic}
	if is.Savepoint {
		q.Snapshot = checkpoint.Savepoint
	}
	for _, kind := range sortedKeys(requestKinds) {
		if is.Name == "" && requestKinds[kind] == q {
			is.Name = kind
		}
	}
	return is.Name, q, nil
}

func (r *deciderRun) submit(raw json.RawMessage) error {
	name, q, err := requestOf(raw)
	if err != nil {
		return err
	}
	r.names = append(r.names, name)
	q.Number, q.At = int64(len(r.names)), r.situation.Now
	dropped, full, look := r.decider.Submit(q)
	if full {
		r.fail(dropped, event.TooManyCheckpointRequests)
	}
	if !look {
		r.note(nil)
		return nil
	}
	r.choose()
	return nil
}

func (r *deciderRun) choose() {
	var name *string
	switch d := r.decider.Choose(r.situation); d.Verdict {
	case checkpoint.Start:
		name = &r.names[d.Request.Number-1]
	case checkpoint.Drop:
		r.fail(d.Request, event.MinimumTimeBetweenCheckpoints)
		rest := d.Rest / event.Millisecond
		r.rest = &rest
	}
	r.note(name)
}

// note is behind an event that chooses, nil if nothing was chosen.
func (r *deciderRun) note(name *string) {
	r.chosen = append(r.chosen, name)
	r.failedAt = append(r.failedAt, len(r.failed))
}

func (r *deciderRun) fail(q checkpoint.Request, reason event.Reason) {
	r.failed = append(r.failed, deciderFailure{r.names[q.Number-1], reason.String()})
}

func (r *deciderRun) value(key string, want json.RawMessage) (any, bool) {
	switch key {
	case "chosen":
		return r.chosen, true
	case "queued":
		return r.decider.Len(), true
	case "failed":
		return r.reasons(want)
	case "notFailed":
		return r.unfailed(want)
	case "failedCountAfterEach":
		return r.failedAt, true
	case "failReason":
		return r.failReason(), true
	case "rescheduleInMs":
		return r.rest, true
	}
	return nil, false
}

// reasons are the reasons of the requests that are asked for, by name; one that did not fail is left out. Asked for as a list, the
// names of all that failed.
func (r *deciderRun) reasons(want json.RawMessage) (any, bool) {
	if isList(want) {
		names := []string{}
		for _, f := range r.failed {
			names = append(names, f.name)
		}
		return names, true
	}
	var asked map[string]string
	if json.Unmarshal(want, &asked) != nil {
		return nil, false
	}
	got := map[string]string{}
	for _, f := range r.failed {
		if _, ok := asked[f.name]; ok {
			got[f.name] = f.reason
		}
	}
	return got, true
}

// unfailed are those of the asked names that were submitted and of which no request failed.
func (r *deciderRun) unfailed(want json.RawMessage) (any, bool) {
	var asked []string
	if json.Unmarshal(want, &asked) != nil {
		return nil, false
	}
	got := []string{}
	for _, name := range asked {
		failed := slices.ContainsFunc(r.failed, func(f deciderFailure) bool { return f.name == name })
		if !failed && slices.Contains(r.names, name) {
			got = append(got, name)
		}
	}
	return got, true
}

// failReason is the reason of all failures; nil if there is none, or more than one.
func (r *deciderRun) failReason() *string {
	for _, f := range r.failed {
		if f.reason != r.failed[0].reason {
			return nil
		}
	}
	if len(r.failed) == 0 {
		return nil
	}
	return &r.failed[0].reason
}
