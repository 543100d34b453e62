package vector

import (
	"encoding/json"
	"errors"
	"fmt"

	"checkpointlab/core/checkpoint"
	"checkpointlab/core/event"
)

// failuresRun drives the count of failures: unit CheckpointFailureManager.
type failuresRun struct {
	manager     checkpoint.FailureManager
	snapshot    checkpoint.Snapshot
	jobFailures int
	each        []int    // job failures after each event
	counted     []string // reasons that moved the count
}

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
		return Unknown("given", errors.New("tolerable is needed"))
	}
	r := failuresRun{manager: checkpoint.NewFailureManager(*g.Tolerable)}
	if g.Savepoint {
		r.snapshot = checkpoint.Savepoint
	}
	return replayOn(&r, c)
}

func (r *failuresRun) event(verb string, args []json.RawMessage) (Status, string) {
	var id event.Checkpoint
	var word string
	var err error
	switch verb {
	case "fail", "failTask":
		if err = scan(args, &id, &word); err == nil {
			reason, ok := event.ParseReason(word)
			if !ok {
				return Unknown("arguments", fmt.Errorf("reason %q", word))
			}
			r.fail(id, reason, verb == "failTask")
		}
	case "success":
		if err = scan(args, &id); err == nil {
			r.manager.Succeed(id)
		}
	case "failEveryReasonOnce":
		if err = scan(args, &id); err == nil {
			for _, reason := range event.AllReasons() {
				r.fail(id, reason, false)
			}
		}
	default:
		return Unknown(verb, errUnknown)
	}
	r.each = append(r.each, r.jobFailures)
	return done(err)
}

// fail is a failure at the coordinator's side, "at job level", or one that a task reports.
func (r *failuresRun) fail(id event.Checkpoint, reason event.Reason, fromTask bool) {
	before := r.manager.Continuous()
	failJob := r.manager.Fail(id, reason, r.snapshot, fromTask)
	if failJob {
		r.jobFailures++
	}
	if failJob || r.manager.Continuous() != before {
		r.counted = append(r.counted, reason.String())
	}
}

func (r *failuresRun) value(key string, want json.RawMessage) (any, bool) {
	switch key {
	case "jobFailures":
		return r.jobFailures, true
	case "jobFailuresEach":
		return r.each, true
	case "counted":
		return inOrderOf(want, r.counted)
	case "continuousFailures":
		return r.manager.Continuous(), true
	}
	return nil, false
}

// inOrderOf is got in the order of the wanted list, for lists whose order means nothing; ok is false if want is no list
// of words.
func inOrderOf(want json.RawMessage, got []string) (any, bool) {
	var list []string
	if json.Unmarshal(want, &list) == nil && sameSet(got, list) {
		return list, true
	}
	return append([]string{}, got...), true
}
