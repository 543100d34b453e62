package vector

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"checkpointlab/core/job"
)

// taskStates are the states of a vertex that cases name; only CREATED bears on what restarts.
var taskStates = []string{
	"CREATED", "SCHEDULED", "DEPLOYING", "INITIALIZING", "RUNNING", "FINISHED", "CANCELING", "CANCELED", "FAILED", "RECONCILING",
}

// regionRun is a graph of single vertices, each by its name.
type regionRun struct {
	graph    *job.Graph
	index    map[string]int
	names    []string
	lost     []bool
	created  []bool
	full     bool
	restarts [][]string // after each failure
}

// runRegion replays unit region: which vertices form a region, and which a failure restarts.
func runRegion(c Case) (Status, string) {
	var v struct {
		Unit                 string
		Vertices             json.RawMessage
		Edges                [][3]string
		UnavailableResultsOf []string
		Strategy             string // jobmanager.execution.failover-strategy
	}
	if err := Decode(c.Given, &v); err != nil {
		return Unknown("given", err)
	}
	if err := known("strategy", v.Strategy, "", "region", "full"); err != nil {
		return Unknown("given", err)
	}
	r := &regionRun{graph: &job.Graph{}, index: map[string]int{}, full: v.Strategy == "full"}
	if err := r.addVertices(v.Vertices); err != nil {
		return Unknown("vertices", err)
	}
	if err := r.addEdges(v.Edges); err != nil {
		return Unknown("edges", err)
	}
	for _, name := range v.UnavailableResultsOf {
		if err := r.lose(name); err != nil {
			return Unknown("unavailableResultsOf", err)
		}
	}
	for i, raw := range c.Events {
		if err := r.event(raw); err != nil {
			return Unknown(fmt.Sprintf("event %d", i), err)
		}
	}
	return r.compare(c.Expect)
}

// addVertices reads {name: state} or a list of names.
func (r *regionRun) addVertices(raw json.RawMessage) error {
	var states map[string]string
	if err := json.Unmarshal(raw, &states); err != nil {
		if err := json.Unmarshal(raw, &r.names); err != nil {
			return err
		}
	} else {
		r.names = sortedKeys(states)
	}
	for i, name := range r.names {
		if state, ok := states[name]; ok && !slices.Contains(taskStates, state) {
			return fmt.Errorf("state %s is not known to the runner", state)
		}
		r.index[name] = i
		r.created = append(r.created, states[name] == "CREATED")
		r.graph.Operators = append(r.graph.Operators, job.Operator{Parallelism: 1})
	}
	r.lost = make([]bool, len(r.names))
	return nil
}

func (r *regionRun) addEdges(edges [][3]string) error {
	for _, e := range edges {
		from, known := r.index[e[0]]
		to, too := r.index[e[1]]
		result, typed := job.ParseResultType(e[2])
		if !known || !too || !typed {
			return fmt.Errorf("%v is not known to the runner", e)
		}
		r.graph.Edges = append(r.graph.Edges, job.Edge{From: from, To: to, Partitioner: job.Forward, Result: result})
	}
	return nil
}

// lose makes a vertex's results unreadable.
func (r *regionRun) lose(name string) error {
	i, ok := r.index[name]
	if !ok {
		return fmt.Errorf("no vertex %s", name)
	}
	r.lost[i] = true
	return nil
}

// event is ["fail", vertex, optional {partitionOf: producer whose result could not be read}].
func (r *regionRun) event(raw json.RawMessage) error {
	verb, args, err := Event(raw)
	if err != nil || verb != "fail" || len(args) < 1 || len(args) > 2 {
		return errUnknown
	}
	var name string
	var cause struct{ PartitionOf string }
	if err := json.Unmarshal(args[0], &name); err != nil {
		return err
	}
	failed, ok := r.index[name]
	if !ok {
		return fmt.Errorf("no vertex %s", name)
	}
	lost := slices.Clone(r.lost) // what could not be read is produced again by the restart
	if len(args) == 2 {
		if err := Decode(args[1], &cause); err != nil {
			return err
		}
		if err := r.lose(cause.PartitionOf); err != nil {
			return err
		}
	}
	r.restarts = append(r.restarts, r.named(r.graph.Restarts(failed, job.Standing{Full: r.full, Lost: r.lost, Created: r.created})))
	r.lost = lost
	return nil
}

func (r *regionRun) named(tasks []int) []string {
	out := []string{}
	for _, t := range tasks {
		out = append(out, r.names[t])
	}
	return out
}

// regions is the vertices of each region.
func (r *regionRun) regions() [][]string {
	var out [][]string
	for t, region := range r.graph.Regions() {
		if region == len(out) {
			out = append(out, nil)
		}
		out[region] = append(out[region], r.names[t])
	}
	return out
}

// compare holds sets of vertices against each other: order means nothing.
func (r *regionRun) compare(expect json.RawMessage) (Status, string) {
	var want struct {
		Restarts     *[]string
		RestartsEach *[][]string
		Regions      *[][]string
	}
	if err := Decode(expect, &want); err != nil {
		return Unknown("expect", err)
	}
	switch {
	case want.Restarts == nil && want.RestartsEach == nil && want.Regions == nil:
		return Unknown("expect", errors.New("nothing is expected"))
	case want.Restarts != nil && len(r.restarts) != 1:
		return Unknown("restarts", fmt.Errorf("one set for %d failures", len(r.restarts)))
	case want.Restarts != nil && !sameSet(r.restarts[0], *want.Restarts):
		return Differ("restarts", r.restarts[0], *want.Restarts)
	case want.RestartsEach != nil && !slices.EqualFunc(r.restarts, *want.RestartsEach, sameSet):
		return Differ("restartsEach", r.restarts, *want.RestartsEach)
	case want.Regions != nil && !sameSets(r.regions(), *want.Regions):
		return Differ("regions", r.regions(), *want.Regions)
	}
	return Pass, ""
}

// sameSets reports whether both hold the same sets, in any order.
func sameSets(a, b [][]string) bool {
	for _, set := range a {
		if !slices.ContainsFunc(b, func(other []string) bool { return sameSet(set, other) }) {
			return false
		}
	}
	return len(a) == len(b)
}
