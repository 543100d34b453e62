package vector

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"

	"checkpointlab/core/checkpoint"
	"checkpointlab/core/event"
	"checkpointlab/core/job"
)

// planGiven is a graph of vertices, some of whose subtasks have finished.
type planGiven struct {
	Unit     string
	Vertices []struct {
		Parallelism int
		Finished    []int
	}
	Edges [][3]json.RawMessage // from, to, distribution pattern
}

var patterns = map[string]job.Pattern{"ALL_TO_ALL": job.AllToAll, "POINTWISE": job.Pointwise}

// runPlan replays unit checkpointPlan: which subtasks a checkpoint asks once others have finished.
func runPlan(c Case) (Status, string) {
	var v planGiven
	if err := Decode(c.Given, &v); err != nil {
		return Unknown("given", err)
	}
	first, finished := []int{0}, []bool{}
	for i, x := range v.Vertices {
		if x.Parallelism < 1 {
			return Unknown("given", fmt.Errorf("vertex %d has no parallelism", i))
		}
		first = append(first, first[i]+x.Parallelism)
		for k := range x.Parallelism {
			finished = append(finished, slices.Contains(x.Finished, k))
		}
	}
	producers, err := v.producers(first)
	if err != nil {
		return Unknown("edges", err)
	}
	asked := checkpoint.Asked(len(finished), func(t event.Task) bool { return finished[t] },
		func(t event.Task) iter.Seq[event.Task] { return slices.Values(producers[t]) }, nil)
	trigger, running := map[string][]int{}, map[string][]int{}
	for i := range v.Vertices {
		for k := range v.Vertices[i].Parallelism {
			t := first[i] + k
			if slices.Contains(asked, event.Task(t)) {
				trigger[fmt.Sprint(i)] = append(trigger[fmt.Sprint(i)], k)
			}
			if !finished[t] {
				running[fmt.Sprint(i)] = append(running[fmt.Sprint(i)], k)
			}
		}
	}
	return compared(c, answers{"toTrigger": trigger, "toWaitFor": running})
}

// producers is what each subtask reads from, by dense id.
func (v *planGiven) producers(first []int) ([][]event.Task, error) {
	all := make([][]event.Task, first[len(v.Vertices)])
	for _, e := range v.Edges {
		var from, to int
		var word string
		if err := errors.Join(json.Unmarshal(e[0], &from), json.Unmarshal(e[1], &to), json.Unmarshal(e[2], &word)); err != nil {
			return nil, err
		}
		pattern, known := patterns[word]
		if !known || from < 0 || to < 0 || max(from, to) >= len(v.Vertices) {
			return nil, fmt.Errorf("%d to %d, %q", from, to, word)
		}
		s, c := v.Vertices[from].Parallelism, v.Vertices[to].Parallelism
		for i := range c {
			lo, hi := pattern.Producers(i, s, c)
			for j := lo; j < hi; j++ {
				all[first[to]+i] = append(all[first[to]+i], event.Task(first[from]+j))
			}
		}
	}
	return all, nil
}
