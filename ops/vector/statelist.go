package vector

import (
	"errors"
	"fmt"
	"slices"

	"checkpointlab/core/job"
)

// runStateLists replays unit OperatorStateRepartitioner: how the parts of operator state of mode SPLIT_DISTRIBUTE are dealt anew.
// Lists are dealt in the order of their names, as the subtasks had them one after the other.
func runStateLists(c Case) (Status, string) {
	var v struct {
		Unit, Mode      string
		Parts           *int             // of the only list
		PartsPerSubtask []int            // likewise, by old subtask
		States          map[string][]int // by list and old subtask
		OldParallelism  *int
		NewParallelism  int
	}
	if err := Decode(c.Given, &v); err != nil {
		return Unknown("given", err)
	}
	if err := errors.Join(known("mode", v.Mode, "", "SPLIT_DISTRIBUTE"), atLeast("newParallelism", v.NewParallelism, 1)); err != nil {
		return Unknown("given", err)
	}
	if v.Parts != nil {
		v.PartsPerSubtask = append(v.PartsPerSubtask, *v.Parts)
	}
	if v.PartsPerSubtask != nil {
		v.States = map[string][]int{"": v.PartsPerSubtask}
	}
	counts, lists := map[string][]int{}, map[string][][]int{}
	all := make([]int, v.NewParallelism)
	first := 0
	for _, name := range sortedKeys(v.States) {
		parts := 0
		for _, n := range v.States[name] {
			if err := atLeast("parts", n, 0); err != nil {
				return Unknown("given", err)
			}
			parts += n
		}
		start := first
		counts[name], first = job.SplitList(parts, v.NewParallelism, first, nil)
		for i, n := range counts[name] {
			all[i] += n
		}
		lists[name] = partsOf(counts[name], start)
	}
	got := answers{"partsPerNewSubtask": all, "partsMax": slices.Max(all), "partsMin": slices.Min(all)}
	if len(v.States) == 1 {
		for name := range lists {
			got["partsOfNewSubtasks"] = lists[name]
		}
	} else {
		got["partsPerNewSubtaskByState"], got["partsOfNewSubtasksByState"] = counts, lists
	}
	return compared(c, got)
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
