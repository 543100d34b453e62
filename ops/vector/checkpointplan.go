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
	Vertices json.RawMessage      // a list, or an object by name
	Edges    [][3]json.RawMessage // from, to, distribution pattern

	names    []string
	vertices []planVertex
}

// planVertex is a vertex of a plan's graph.
type planVertex struct {
	Parallelism       int
	Finished          []int
	Tasks             []string // instead of both: the state of each subtask
	UnionListState    bool     // an operator has state of mode UNION
	FinishedOperators []int    // subtasks that run but whose operators have ended
	FinishedOnRestore []int    // subtasks that were restored as finished
}

var patterns = map[string]job.Pattern{"ALL_TO_ALL": job.AllToAll, "POINTWISE": job.Pointwise}

// runPlan replays unit checkpointPlan: which subtasks a checkpoint asks once others have finished, and what of that is in it.
func runPlan(c Case) (Status, string) {
	var v planGiven
	if err := Decode(c.Given, &v); err != nil {
		return Unknown("given", err)
	}
	if err := v.read(); err != nil {
		return Unknown("vertices", err)
	}
	first, finished, fails := []int{0}, []bool{}, false
	full, parts := []string{}, map[string][]int{}
	for i, x := range v.vertices {
		first = append(first, first[i]+x.Parallelism)
		ended, runs := 0, true
		for k := range x.Parallelism {
			over := slices.Contains(x.Finished, k) || slices.Contains(x.FinishedOnRestore, k)
			finished = append(finished, over)
			if over || slices.Contains(x.FinishedOperators, k) {
				ended++
			}
			if over {
				parts[v.names[i]] = append(parts[v.names[i]], k)
			}
			runs = runs && (len(x.Tasks) == 0 || x.Tasks[k] == "RUNNING" || x.Tasks[k] == "FINISHED")
		}
		if len(parts[v.names[i]]) == x.Parallelism {
			delete(parts, v.names[i])
			full = append(full, v.names[i])
		}
		fails = fails || !runs || x.UnionListState && checkpoint.EndedInPart(ended, x.Parallelism)
	}
	producers, err := v.producers(first)
	if err != nil {
		return Unknown("edges", err)
	}
	asked := checkpoint.Asked(len(finished), func(t event.Task) bool { return finished[t] },
		func(t event.Task) iter.Seq[event.Task] { return slices.Values(producers[t]) }, nil)
	trigger, running := map[string][]int{}, map[string][]int{}
	for i := range v.vertices {
		for k := range v.vertices[i].Parallelism {
			t := first[i] + k
			if slices.Contains(asked, event.Task(t)) {
				trigger[v.names[i]] = append(trigger[v.names[i]], k)
			}
			if !finished[t] {
				running[v.names[i]] = append(running[v.names[i]], k)
			}
		}
	}
	return compared(c, answers{"toTrigger": trigger, "toWaitFor": running, "error": fails, "fullyFinished": full, "finishedSubtasks": parts})
}

// read takes the vertices as a list, named by their numbers, or by name.
func (v *planGiven) read() error {
	if Decode(v.Vertices, &v.vertices) == nil && v.vertices != nil {
		for i := range v.vertices {
			v.names = append(v.names, fmt.Sprint(i))
		}
	} else {
		var named map[string]planVertex
		if err := Decode(v.Vertices, &named); err != nil {
			return err
		}
		for _, name := range sortedKeys(named) {
			v.names, v.vertices = append(v.names, name), append(v.vertices, named[name])
		}
	}
	for i := range v.vertices {
		x := &v.vertices[i]
		for k, state := range x.Tasks {
			if !slices.Contains(taskStates, state) {
				return fmt.Errorf("state %q", state)
			}
			if state == "FINISHED" {
				x.Finished = append(x.Finished, k)
			}
		}
		if len(x.Tasks) > 0 {
			x.Parallelism = len(x.Tasks)
		}
		if x.Parallelism < 1 {
			return fmt.Errorf("vertex %s has no parallelism", v.names[i])
		}
	}
	return nil
}

// producers is what each subtask reads from, by dense id.
func (v *planGiven) producers(first []int) ([][]event.Task, error) {
	all := make([][]event.Task, first[len(v.vertices)])
	for _, e := range v.Edges {
		var a, b word
		var name string
		if err := errors.Join(json.Unmarshal(e[0], &a), json.Unmarshal(e[1], &b), json.Unmarshal(e[2], &name)); err != nil {
			return nil, err
		}
		pattern, known := patterns[name]
		from, to := slices.Index(v.names, string(a)), slices.Index(v.names, string(b))
		if !known || from < 0 || to < 0 {
			return nil, fmt.Errorf("%s to %s, %q", a, b, name)
		}
		s, c := v.vertices[from].Parallelism, v.vertices[to].Parallelism
		for i := range c {
			lo, hi := pattern.Producers(i, s, c)
			for j := lo; j < hi; j++ {
				all[first[to]+i] = append(all[first[to]+i], event.Task(first[from]+j))
			}
		}
	}
	return all, nil
}
