package vector

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"checkpointlab/core/event"
)

func (r *lifecycleRun) value(key string, want json.RawMessage) (any, bool) {
	switch key {
	case "pending":
		return r.coord.NumPending(), true
	case "retained":
		return len(r.coord.Retained()), true
	case "queued":
		return r.coord.Queued(), true
	case "isTriggering":
		return r.coord.Triggering(), true
	case "taskTriggers":
		return r.triggers, true
	case "triggersSentTo":
		return inOrderOf(want, r.sentTo)
	case "completed":
		return r.symbols(r.coord.Retained()), true
	case "aborted":
		return r.symbols(r.aborted), true
	case "notifiedComplete":
		return r.notices(want, r.notified)
	case "notifiedAborted":
		return r.notices(want, r.aborted)
	case "triggeredAtMs":
		return append([]int64{}, r.begunAt...), true
	case "jobFailures":
		return r.jobFails, true
	case "latestCompletedToldAtAbort":
		return r.symbol(r.toldLast), true
	case "counts":
		return r.counts(want)
	case "pendingIds":
		return r.symbols(r.pendingIDs()), true
	case "stateDiscarded":
		return r.parts(want, true)
	case "stateKept":
		return r.parts(want, false)
	case "failed":
		return r.failures(want)
	case "notFailed":
		return r.unfailed(want)
	}
	flag, ok := r.flags[key]
	return flag, ok
}

// counts are those of the REST interface that are asked for.
func (r *lifecycleRun) counts(want json.RawMessage) (any, bool) {
	var asked map[string]json.RawMessage
	if json.Unmarshal(want, &asked) != nil {
		return nil, false
	}
	c := r.coord.Counts()
	all := map[string]int64{"total": c.Total, "inProgress": c.InProgress, "completed": c.Completed, "failed": c.Failed}
	got := map[string]int64{}
	for name := range asked {
		n, known := all[name]
		if !known {
			return nil, false
		}
		got[name] = n
	}
	return got, true
}

// pendingIDs are the checkpoints in progress, oldest first.
func (r *lifecycleRun) pendingIDs() (ids []event.Checkpoint) {
	for i := range r.coord.NumPending() {
		ids = append(ids, r.coord.Pending(i).ID)
	}
	return ids
}

// notices are the checkpoints of which each asked task was told: all tasks are told the same.
func (r *lifecycleRun) notices(want json.RawMessage, told []event.Checkpoint) (any, bool) {
	var asked map[string][]string
	if json.Unmarshal(want, &asked) != nil {
		return nil, false
	}
	got := map[string][]string{}
	for task := range asked {
		if !slices.Contains(r.tasks, task) {
			return nil, false
		}
		got[task] = r.symbols(told)
	}
	return got, true
}

// parts are those of the asked "<checkpoint>/<task>" parts that are discarded, or kept.
func (r *lifecycleRun) parts(want json.RawMessage, discarded bool) (any, bool) {
	var asked []string
	if json.Unmarshal(want, &asked) != nil {
		return nil, false
	}
	got := []string{}
	for _, part := range asked {
		name, taskName, _ := strings.Cut(part, "/")
		id, task, err := r.part(name, taskName)
		if err != nil {
			return nil, false
		}
		if r.discarded[fmt.Sprint(id, "/", task)] == discarded {
			got = append(got, part)
		}
	}
	return got, true
}

// failures are the numbers of all requests that failed, or the reasons of those that are asked for.
func (r *lifecycleRun) failures(want json.RawMessage) (any, bool) {
	var asked map[string]string
	if json.Unmarshal(want, &asked) == nil {
		got := map[string]string{}
		for number := range asked {
			if reason, failed := r.failed[r.requests[number]]; failed {
				got[number] = reason.String()
			}
		}
		return got, true
	}
	got := []json.Number{}
	for _, number := range sortedKeys(r.requests) {
		if _, failed := r.failed[r.requests[number]]; failed {
			got = append(got, json.Number(number))
		}
	}
	slices.SortStableFunc(got, func(a, b json.Number) int { return len(a) - len(b) }) // 2 before 10
	return got, json.Unmarshal(want, &[]json.Number{}) == nil
}

// unfailed are those of the asked requests that did not fail.
func (r *lifecycleRun) unfailed(want json.RawMessage) (any, bool) {
	var asked []json.Number
	if json.Unmarshal(want, &asked) != nil {
		return nil, false
	}
	got := []json.Number{}
	for _, number := range asked {
		request, known := r.requests[number.String()]
		if _, failed := r.failed[request]; known && !failed {
			got = append(got, number)
		}
	}
	return got, true
}

// symbols are the case's names of ids, in their order; an id without one is shown as its number.
func (r *lifecycleRun) symbols(ids []event.Checkpoint) []string {
	list := make([]string, 0, len(ids))
	for _, id := range ids {
		list = append(list, r.symbol(id))
	}
	return list
}

func (r *lifecycleRun) symbol(id event.Checkpoint) string {
	for _, name := range sortedKeys(r.ids) {
		if r.ids[name] == id {
			return name
		}
	}
	for _, number := range sortedKeys(r.requests) {
		if r.begun[r.requests[number]] == id {
			return number
		}
	}
	return strconv.FormatInt(id, 10)
}
