package vector

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"checkpointlab/core/event"
)

// lifecycleCheck is what a check can assert.
type lifecycleCheck struct {
	Pending, Retained, Queued, TaskTriggers           *int
	IsTriggering                                      *bool
	TriggersSentTo, Completed, Aborted                *[]string
	StateDiscarded, StateKept                         []string
	NotifiedComplete                                  map[string][]string
	Failed                                            *[]json.Number
	UnknownTaskStateDiscarded, OtherJobStateDiscarded *bool
	DuplicateStateDiscarded                           *bool
}

// checkState compares the coordinator's state with what a check asserts.
func (r *lifecycleRun) checkState(raw json.RawMessage) (Status, string) {
	var c lifecycleCheck
	if err := Decode(raw, &c); err != nil {
		return Unknown("check", err)
	}
	r.checks++
	for _, step := range []func(*lifecycleCheck) (Status, string){r.checkCounts, r.checkLists, r.checkStates, r.checkFlags} {
		if status, diff := step(&c); status != Pass {
			return status, diff
		}
	}
	return Pass, ""
}

func (r *lifecycleRun) checkCounts(c *lifecycleCheck) (Status, string) {
	for _, n := range []struct {
		key  string
		want *int
		got  int
	}{
		{"pending", c.Pending, r.coord.NumPending()},
		{"retained", c.Retained, len(r.coord.Retained())},
		{"queued", c.Queued, r.coord.Queued()},
		{"taskTriggers", c.TaskTriggers, r.triggers},
	} {
		if n.want != nil && *n.want != n.got {
			return Differ(n.key, n.got, *n.want)
		}
	}
	if c.IsTriggering != nil && *c.IsTriggering != r.coord.Triggering() {
		return Differ("isTriggering", r.coord.Triggering(), *c.IsTriggering)
	}
	return Pass, ""
}

func (r *lifecycleRun) checkLists(c *lifecycleCheck) (Status, string) {
	if c.TriggersSentTo != nil && !sameSet(r.sentTo, *c.TriggersSentTo) {
		return Differ("triggersSentTo", r.sentTo, *c.TriggersSentTo)
	}
	if c.Completed != nil {
		if got := r.symbols(r.coord.Retained()); !slices.Equal(got, *c.Completed) {
			return Differ("completed", got, *c.Completed)
		}
	}
	if c.Aborted != nil {
		if got := r.symbols(r.aborted); !slices.Equal(got, *c.Aborted) {
			return Differ("aborted", got, *c.Aborted)
		}
	}
	for _, task := range sortedKeys(c.NotifiedComplete) {
		if !slices.Contains(r.tasks, task) {
			return Unknown("notifiedComplete", fmt.Errorf("task %s", task))
		}
		if got := r.symbols(r.notified); !slices.Equal(got, c.NotifiedComplete[task]) {
			return Differ("notifiedComplete of "+task, got, c.NotifiedComplete[task])
		}
	}
	if c.Failed == nil {
		return Pass, ""
	}
	want := make([]string, 0, len(*c.Failed))
	for _, n := range *c.Failed {
		want = append(want, n.String())
	}
	if got := r.failedNumbers(); !sameSet(got, want) {
		return Differ("failed", got, want)
	}
	return Pass, ""
}

// checkStates looks at "<checkpoint>/<task>" parts.
func (r *lifecycleRun) checkStates(c *lifecycleCheck) (Status, string) {
	for i, part := range slices.Concat(c.StateDiscarded, c.StateKept) {
		name, taskName, _ := strings.Cut(part, "/")
		id, task, err := r.part(name, taskName)
		if err != nil {
			return Unknown(part, err)
		}
		want := i < len(c.StateDiscarded)
		if got := r.discarded[fmt.Sprint(id, "/", task)]; got != want {
			return Differ("discarded "+part, got, want)
		}
	}
	return Pass, ""
}

func (r *lifecycleRun) checkFlags(c *lifecycleCheck) (Status, string) {
	for _, f := range []struct {
		key       string
		want, got *bool
	}{
		{"unknownTaskStateDiscarded", c.UnknownTaskStateDiscarded, r.check.unknown},
		{"otherJobStateDiscarded", c.OtherJobStateDiscarded, r.check.otherJob},
		{"duplicateStateDiscarded", c.DuplicateStateDiscarded, r.check.duplicate},
	} {
		if f.want == nil {
			continue
		}
		if f.got == nil {
			return Unknown(f.key, fmt.Errorf("no such acknowledgement came before"))
		}
		if *f.got != *f.want {
			return Differ(f.key, *f.got, *f.want)
		}
	}
	return Pass, ""
}

// expect compares the end of the case.
func (r *lifecycleRun) expect(raw json.RawMessage) (Status, string) {
	var e struct {
		Failed    map[string]string
		NotFailed []json.Number
	}
	if err := Decode(raw, &e); err != nil {
		return Unknown("expect", err)
	}
	if r.checks == 0 && e.Failed == nil && e.NotFailed == nil {
		return Unknown("case", fmt.Errorf("it asserts nothing"))
	}
	for _, number := range sortedKeys(e.Failed) {
		if got := r.failed[r.requests[number]].String(); got != e.Failed[number] {
			return Differ("failure of "+number, got, e.Failed[number])
		}
	}
	for _, number := range e.NotFailed {
		if reason, failed := r.failed[r.requests[number.String()]]; failed {
			return Differ("failure of "+number.String(), reason, "none")
		}
	}
	return Pass, ""
}

// failedNumbers are the case's numbers of the requests that failed.
func (r *lifecycleRun) failedNumbers() []string {
	var numbers []string
	for _, number := range sortedKeys(r.requests) {
		if _, failed := r.failed[r.requests[number]]; failed {
			numbers = append(numbers, number)
		}
	}
	return numbers
}

// symbols are the case's names of ids; an id without one is shown as its number.
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
