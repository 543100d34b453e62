package vector

import (
	"errors"
	"fmt"
	"slices"

	"checkpointlab/core/job"
)

// modes are how the lists of operator state are dealt anew, by Flink's names (OperatorStateHandle.Mode).
var modes = []string{"SPLIT_DISTRIBUTE", "UNION", "BROADCAST"}

// stateLists is operator state that is dealt anew: the parts of each list, by old subtask.
type stateLists struct {
	Unit            string
	Mode            string            // of all lists, SPLIT_DISTRIBUTE unless it is said
	Modes           map[string]string // of each list by its name
	Parts           *int              // of the only list
	PartsPerSubtask []int             // likewise, by old subtask
	States          map[string][]int  // by list and old subtask
	OldParallelism  *int
	NewParallelism  int
}

// runStateLists replays unit OperatorStateRepartitioner: what each subtask gets of the lists of operator state. Lists that are split
// are dealt in the order of their names, as the subtasks had them one after the other.
func runStateLists(c Case) (Status, string) {
	var v stateLists
	if err := Decode(c.Given, &v); err != nil {
		return Unknown("given", err)
	}
	if v.Parts != nil {
		v.PartsPerSubtask = append(v.PartsPerSubtask, *v.Parts)
	}
	if v.PartsPerSubtask != nil {
		v.States = map[string][]int{"": v.PartsPerSubtask}
	}
	if err := v.check(); err != nil {
		return Unknown("given", err)
	}
	counts, lists := map[string][]int{}, map[string][][]int{}
	all := make([]int, v.NewParallelism)
	first := 0
	for _, name := range sortedKeys(v.States) {
		lists[name], first = v.deal(name, first)
		for i, parts := range lists[name] {
			counts[name] = append(counts[name], len(parts))
			all[i] += len(parts)
		}
	}
	got := answers{"partsPerNewSubtask": all, "partsMax": slices.Max(all), "partsMin": slices.Min(all), "partsPerNewSubtaskByState": counts, "partsOfNewSubtasksByState": lists}
	if len(v.States) == 1 {
		for name := range lists {
			got["partsOfNewSubtasks"] = lists[name]
		}
	}
	return compared(c, got)
}

func (v *stateLists) check() error {
	err := errors.Join(known("mode", v.Mode, append(modes, "")...), atLeast("newParallelism", v.NewParallelism, 1))
	for _, name := range sortedKeys(v.Modes) {
		err = errors.Join(err, known("mode of "+name, v.Modes[name], modes...), known("list", name, sortedKeys(v.States)...))
	}
	for _, parts := range v.States {
		for _, n := range parts {
			err = errors.Join(err, atLeast("parts", n, 0))
		}
		if v.OldParallelism != nil && len(parts) != *v.OldParallelism && v.Parts == nil {
			err = errors.Join(err, fmt.Errorf("parts of %d subtasks, oldParallelism is %d", len(parts), *v.OldParallelism))
		}
	}
	return err
}

// deal is which parts of a list each new subtask gets. A list that is split begins at subtask first, the next one at next.
func (v *stateLists) deal(name string, first int) (lists [][]int, next int) {
	old, parts, mode := v.States[name], 0, v.Modes[name]
	begins, has := make([]int, len(old)), []int{}
	for k, n := range old {
		begins[k] = parts
		if parts += n; n > 0 {
			has = append(has, k)
		}
	}
	if mode == "" {
		mode = v.Mode
	}
	switch split := mode == "" || mode == "SPLIT_DISTRIBUTE"; {
	case split && v.Parts == nil && len(old) == v.NewParallelism: // nothing is dealt anew
		for k, n := range old {
			lists = append(lists, []int{})
			for part := range n {
				lists[k] = append(lists[k], begins[k]+part)
			}
		}
		return lists, first
	case split:
		counts, next := job.SplitList(parts, v.NewParallelism, first, nil)
		return partsOf(counts, first), next
	}
	lists = make([][]int, v.NewParallelism)
	for i := range lists {
		lists[i] = []int{}
		for _, k := range job.Copied(mode == "UNION", i, len(old), v.NewParallelism, has, nil) {
			for part := range old[k] {
				lists[i] = append(lists[i], begins[k]+part)
			}
		}
	}
	return lists, first
}

// partsOf is which parts each subtask has: they are handed out from subtask start on.
func partsOf(counts []int, start int) [][]int {
	lists := make([][]int, len(counts))
	part := 0
	for i := range counts {
		at := (start + i) % len(counts)
		lists[at] = []int{}
		for range counts[at] {
			lists[at] = append(lists[at], part)
			part++
		}
	}
	return lists
}

func atLeast(key string, n, least int) error {
	if n < least {
		return fmt.Errorf("%s %d, it must be at least %d", key, n, least)
	}
	return nil
}
