package vector

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

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
	seen     int        // of them
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
		if err := r.lose(name, true); err != nil {
			return Unknown("unavailableResultsOf", err)
		}
	}
	return replayOn(r, c)
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

// lose makes a vertex's results unreadable, or readable again.
func (r *regionRun) lose(name string, lost bool) error {
	i, ok := r.index[name]
	if !ok {
		return fmt.Errorf("no vertex %s", name)
	}
	r.lost[i] = lost
	return nil
}

// event knows fail vertex, with {partitionOf: producer whose result could not be read} or nothing else of its cause, failGlobally, and
// lose and regain of a vertex's results.
func (r *regionRun) event(verb string, args []json.RawMessage) (Status, string) {
	var name string
	switch n := len(args); {
	case verb == "failGlobally" && n <= 1: // whatever it is, all restart (ExecutionFailureHandler#getGlobalFailureHandlingResult)
		r.restarts = append(r.restarts, slices.Clone(r.names))
	case verb == "fail" && (n == 1 || n == 2):
		return done(r.fail(args))
	case (verb == "lose" || verb == "regain") && n == 1:
		if err := scan(args, &name); err != nil {
			return done(err)
		}
		return done(r.lose(name, verb == "lose"))
	case verb == "setState" && n == 2:
		return done(r.setState(args))
	default:
		return Unknown(fmt.Sprintf("%s with %d arguments", verb, n), errUnknown)
	}
	return Pass, ""
}

func (r *regionRun) fail(args []json.RawMessage) error {
	var name string
	if err := json.Unmarshal(args[0], &name); err != nil {
		return err
	}
	failed, ok := r.index[name]
	if !ok {
		return fmt.Errorf("no vertex %s", name)
	}
	lost := slices.Clone(r.lost) // what could not be read is produced again by the restart
	if len(args) == 2 {
		if err := r.unread(args[1]); err != nil {
			return err
		}
	}
	r.restarts = append(r.restarts, r.named(r.graph.Restarts(failed, job.Standing{Full: r.full, Lost: r.lost, Created: r.created})))
	r.lost = lost
	return nil
}

// unread notes whose result a failure could not read. Another cause bears on nothing.
func (r *regionRun) unread(raw json.RawMessage) error {
	var cause struct{ PartitionOf, Cause *string }
	if err := Decode(raw, &cause); err != nil {
		return err
	}
	if cause.PartitionOf != nil {
		return r.lose(*cause.PartitionOf, true)
	}
	if cause.Cause != nil && strings.HasPrefix(*cause.Cause, "Partition") {
		return errors.New("whose partition is not said")
	}
	return nil
}

func (r *regionRun) setState(args []json.RawMessage) error {
	var name, state string
	if err := scan(args, &name, &state); err != nil {
		return err
	}
	i, ok := r.index[name]
	if !ok || !slices.Contains(taskStates, state) {
		return fmt.Errorf("vertex %s, state %s", name, state)
	}
	r.created[i] = state == "CREATED"
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

// value knows sets of vertices: order means nothing.
func (r *regionRun) value(key string, want json.RawMessage) (any, bool) {
	switch key {
	case "restarts": // with the only failure since the last look
		if len(r.restarts) != r.seen+1 {
			return nil, false
		}
		return inOrderOf(want, r.restarts[r.seen])
	case "restartsEach":
		var each [][]string
		if json.Unmarshal(want, &each) == nil && slices.EqualFunc(r.restarts, each, sameSet) {
			return each, true
		}
		return r.restarts, true
	case "regions":
		var sets [][]string
		if json.Unmarshal(want, &sets) == nil && sameSets(r.regions(), sets) {
			return sets, true
		}
		return r.regions(), true
	case "sameRegion": // all of these
		var names []string
		if json.Unmarshal(want, &names) != nil {
			return nil, false
		}
		for _, region := range r.regions() {
			if !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(region, name) }) {
				return names, true
			}
		}
		return r.regions(), true
	}
	return nil, false
}

// looked remembers which failures a case has looked at.
func (r *regionRun) looked(keys map[string]json.RawMessage) {
	if _, ok := keys["restarts"]; ok {
		r.seen = len(r.restarts)
	}
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
