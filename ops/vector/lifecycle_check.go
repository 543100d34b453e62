package vector

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"checkpointlab/core/checkpoint"
	"checkpointlab/core/event"
)

func (r *lifecycleRun) value(key string, want json.RawMessage) (any, bool) {
	if listed := isList(want); listed && key == "pending" {
		key = "pendingIds"
	} else if listed && key == "retained" {
		key = "completed"
	}
	switch {
	case key == "error":
		return r.refused, true
	case r.refused:
		return nil, false
	}
	switch key {
	case "pending":
		return r.coord.NumPending(), true
	case "retained":
		return len(r.coord.Retained()), true
	case "acknowledged", "notAcknowledged", "fullyAcknowledged":
		return r.answered(key, want)
	case "disposed": // of those asked for
		return r.disposed(want)
	case "recentExpired":
		return len(r.expired), true
	case "inProgress":
		return r.coord.Counts().InProgress, true
	case "expired":
		return numbered(r.symbols(r.expired), want), true
	case "triggeredIds":
		return numbered(r.symbols(r.asked), want), true
	case "triggeredCount":
		return len(r.asked), true
	case "triggerDelayMs":
		return int64(r.delay / event.Millisecond), true
	case "schedulerStarted":
		return r.coord.Started(), true
	case "continuousFailures":
		return r.coord.ContinuousFailures(), true
	case "completionFutureDone":
		return r.settled(want)
	case "unacknowledgedCoordinators":
		return r.unanswered(want)
	case "sharedStateDiscarded":
		return inOrderOf(want, r.shared.discarded)
	case "sharedStateKept":
		return inOrderOf(want, r.shared.kept())
	case "latestRestored":
		return r.newest(r.restored[max(len(r.restored)-1, 0):], want), true
	case "latestSavepoint":
		return r.newest(r.savepoints, want), true
	case "latestFailed":
		return r.newest(r.aborted, want), true
	case "timers": // timeouts that are armed
		return len(r.armed()), true
	case "queued":
		return r.coord.Queued(), true
	case "isTriggering":
		return r.coord.Triggering(), true
	case "taskTriggers":
		return r.triggers, true
	case "triggersSentTo":
		return inOrderOf(want, r.sentTo)
	case "completed":
		return numbered(r.completions(want), want), true
	case "subsumed":
		return numbered(r.symbols(r.subsumed), want), true
	case "latest": // that a failover goes back to
		id, ok := r.coord.LatestCompleted()
		if !ok {
			return nil, true
		}
		return one(r.symbol(id), want), true
	case "nextId":
		return r.coord.NextID(), true
	case "savepoints":
		return numbered(r.symbols(r.savepoints), want), true
	case "snapshotType": // of the latest trigger
		return last(r.kinds), true
	case "snapshotTypes":
		return append([]string{}, r.kinds...), true
	case "aborted":
		return numbered(r.symbols(r.aborted), want), true
	case "notifiedComplete":
		return r.notices(want, r.notified)
	case "notifiedAborted":
		return r.notices(want, r.aborted)
	case "triggeredAtMs":
		return append([]int64{}, r.begunAt...), true
	case "jobFailures":
		return countOrAny(r.jobFails, want), true
	case "latestCompletedToldAtAbort":
		return one(r.symbol(r.toldLast), want), true
	case "counts":
		return r.counts(want)
	case "pendingIds":
		return numbered(r.symbols(r.pendingIDs()), want), true
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

// completions are the checkpoints in the store, or all that were completed if that is what is told: savepoints go into none.
func (r *lifecycleRun) completions(want json.RawMessage) []string {
	all := r.symbols(r.completed)
	if meansSame(numbered(all, want), want) {
		return all
	}
	return r.symbols(r.coord.Retained())
}

// last is the last word, null if there is none.
func last(words []string) any {
	if len(words) == 0 {
		return nil
	}
	return words[len(words)-1]
}

// numbered is a list of ids as numbers if that is how the case writes them.
func numbered(ids []string, want json.RawMessage) any {
	var numbers []json.Number
	if bytes.ContainsRune(want, '"') || json.Unmarshal(want, &numbers) != nil || len(numbers) == 0 {
		return ids
	}
	got := []json.Number{}
	for _, id := range ids {
		if _, err := strconv.ParseInt(id, 10, 64); err != nil {
			return ids
		}
		got = append(got, json.Number(id))
	}
	return got
}

// one is an id, as a number if that is how the case writes it.
func one(id string, want json.RawMessage) any {
	if n, err := strconv.ParseInt(id, 10, 64); err == nil && !bytes.ContainsRune(want, '"') {
		return n
	}
	return id
}

// countOrAny is how often something was, or whether at all if that is asked.
func countOrAny(n int, want json.RawMessage) any {
	var any bool
	if json.Unmarshal(want, &any) == nil && !bytes.Equal(want, []byte("null")) {
		return n > 0
	}
	return n
}

// isList reports whether a value is a list.
func isList(raw json.RawMessage) bool {
	var list []json.RawMessage
	return json.Unmarshal(raw, &list) == nil && list != nil
}

// answered is how many tasks have acknowledged, or have not, by checkpoint, or of the only one; or whether all have.
func (r *lifecycleRun) answered(key string, want json.RawMessage) (any, bool) {
	of := func(p *checkpoint.Pending, want json.RawMessage) any {
		switch {
		case key == "fullyAcknowledged":
			return p.Left == 0
		case isList(want):
			return listed(want, r.tasksThat(p, key == "acknowledged"))
		case key == "notAcknowledged":
			return p.Left
		}
		return r.acks - p.Left
	}
	var asked map[string]json.RawMessage
	if json.Unmarshal(want, &asked) != nil || asked == nil {
		if r.coord.NumPending() != 1 {
			return nil, false
		}
		return of(r.coord.Pending(0), want), true
	}
	got := map[string]any{}
	for name := range asked {
		id, err := r.id(name)
		if err != nil {
			return nil, false
		}
		if p := r.coord.Find(id); p != nil {
			got[name] = of(p, asked[name])
		}
	}
	return got, true
}

// disposed are those of the asked checkpoints that are not pending any more, or by name whether they are.
func (r *lifecycleRun) disposed(want json.RawMessage) (any, bool) {
	var list []string
	var each map[string]json.RawMessage
	gone := map[string]bool{}
	if json.Unmarshal(want, &list) != nil && json.Unmarshal(want, &each) != nil {
		return nil, false
	}
	for _, name := range append(list, sortedKeys(each)...) {
		id, err := r.id(name)
		if err != nil {
			return nil, false
		}
		gone[name] = r.coord.Find(id) == nil
	}
	if each != nil {
		return gone, true
	}
	if len(list) == 0 { // that none is
		for _, name := range sortedKeys(r.requests) {
			if id, begun := r.begun[r.requests[name]]; begun && r.coord.Find(id) == nil {
				list = append(list, name)
			}
		}
		return append([]string{}, list...), true
	}
	return slices.DeleteFunc(append([]string{}, list...), func(name string) bool { return !gone[name] }), true
}

// armed are the timeouts of checkpoints that are pending.
func (r *lifecycleRun) armed() (pending []event.Checkpoint) {
	for i := range r.coord.NumPending() {
		pending = append(pending, r.coord.Pending(i).ID)
	}
	return pending
}

// counts are those of the REST interface that are asked for.
func (r *lifecycleRun) counts(want json.RawMessage) (any, bool) {
	var asked map[string]json.RawMessage
	if json.Unmarshal(want, &asked) != nil {
		return nil, false
	}
	c := r.coord.Counts()
	all := map[string]int64{"total": c.Total, "inProgress": c.InProgress, "completed": c.Completed, "failed": c.Failed, "restored": int64(len(r.restored))}
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
	var asked map[string]json.RawMessage
	if json.Unmarshal(want, &asked) != nil {
		return nil, false
	}
	got := map[string]any{}
	for task := range asked {
		if !slices.Contains(r.tasks, task) && !(r.coordinates && task == "coordinator") {
			return nil, false
		}
		if got[task] = numbered(r.symbols(told), asked[task]); json.Unmarshal(asked[task], new(int)) == nil { // of how many
			got[task] = len(told)
		}
	}
	return got, true
}

// parts are those of the asked "<checkpoint>/<task>" parts that are discarded, or kept; a checkpoint without a task is all of its parts.
func (r *lifecycleRun) parts(want json.RawMessage, discarded bool) (any, bool) {
	var asked []word
	if json.Unmarshal(want, &asked) != nil {
		return nil, false
	}
	if len(asked) == 0 { // that nothing was: what was kept nobody lists
		return append([]string{}, sortedKeys(r.discarded)...), discarded
	}
	got := []string{}
	for _, part := range asked {
		name, taskName, _ := strings.Cut(string(part), "/")
		tasks := r.tasks[:r.acks]
		if taskName != "" {
			tasks = []string{taskName}
		}
		all := true
		for _, of := range tasks {
			id, task, err := r.part(name, of)
			if err != nil {
				return nil, false
			}
			all = all && r.discarded[fmt.Sprint(id, "/", task)] == discarded
		}
		if all {
			got = append(got, string(part))
		}
	}
	return numbered(got, want), true
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
	if json.Unmarshal(want, &asked) != nil || len(asked) == 0 {
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
