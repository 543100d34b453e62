package vector

import (
	"cmp"
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
		States               map[string]string // beside vertices that are given by their names
		Edges                []givenExchange
		Results              []givenResult // in the edges' place
		UnavailableResultsOf []string
		AvailableResultsOf   []string // all others that somebody reads are not
		Strategy             string   // jobmanager.execution.failover-strategy
	}
	if err := Decode(c.Given, &v); err != nil {
		return Unknown("given", err)
	}
	if err := known("strategy", v.Strategy, "", "region", "full"); err != nil {
		return Unknown("given", err)
	}
	r := &regionRun{graph: &job.Graph{}, index: map[string]int{}, full: v.Strategy == "full"}
	if err := r.addVertices(v.Vertices, v.States); err != nil {
		return Unknown("vertices", err)
	}
	for _, result := range v.Results {
		for _, consumer := range result.Consumers {
			v.Edges = append(v.Edges, givenExchange{result.Producer, consumer, result.Type})
		}
	}
	if err := r.addEdges(v.Edges); err != nil {
		return Unknown("edges", err)
	}
	for _, name := range v.UnavailableResultsOf {
		if err := r.lose(name, true); err != nil {
			return Unknown("unavailableResultsOf", err)
		}
	}
	if v.AvailableResultsOf != nil {
		if err := r.loseAllBut(v.AvailableResultsOf); err != nil {
			return Unknown("availableResultsOf", err)
		}
	}
	return replayOn(r, c)
}

// givenExchange is [producer, consumer, result partition type], or an object of the three.
type givenExchange [3]string

// UnmarshalJSON reads it.
func (e *givenExchange) UnmarshalJSON(raw []byte) error {
	if json.Unmarshal(raw, (*[3]string)(e)) == nil {
		return nil
	}
	var object struct{ From, Producer, To, Type string }
	err := Decode(raw, &object)
	*e = givenExchange{cmp.Or(object.From, object.Producer), object.To, object.Type}
	return err
}

// givenResult is what a vertex produces, with all that read it.
type givenResult struct {
	Producer  string
	Consumers []string
	Type      string
}

// addVertices reads {name: state}, a list of names, whose states may be given beside, or a list of {id, state}.
func (r *regionRun) addVertices(raw json.RawMessage, states map[string]string) error {
	var listed []struct{ ID, State string }
	var objects map[string]struct{ State string }
	if states == nil && json.Unmarshal(raw, &states) == nil {
		r.names = sortedKeys(states)
	} else if Decode(raw, &objects) == nil {
		r.names, states = sortedKeys(objects), map[string]string{}
		for name, v := range objects {
			states[name] = v.State
		}
	} else if json.Unmarshal(raw, &r.names) != nil {
		if err := Decode(raw, &listed); err != nil {
			return err
		}
		r.names, states = nil, map[string]string{}
		for _, v := range listed {
			r.names = append(r.names, v.ID)
			states[v.ID] = v.State
		}
	}
	for i, name := range r.names {
		if state, ok := states[name]; ok && !slices.Contains(taskStates, state) {
			return fmt.Errorf("state %s is not known to the runner", state)
		}
		r.index[name] = i
		r.created = append(r.created, states[name] == "CREATED")
		r.graph.Operators = append(r.graph.Operators, job.Operator{Parallelism: 1})
	}
	for _, name := range sortedKeys(states) {
		if _, ok := r.index[name]; !ok {
			return fmt.Errorf("a state of %s, which is no vertex", name)
		}
	}
	r.lost = make([]bool, len(r.names))
	return nil
}

func (r *regionRun) addEdges(edges []givenExchange) error {
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

// loseAllBut makes the results of all other vertices that have any unreadable.
func (r *regionRun) loseAllBut(names []string) error {
	for _, e := range r.graph.Edges {
		r.lost[e.From] = true
	}
	for _, name := range names {
		if err := r.lose(name, false); err != nil {
			return err
		}
	}
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
	var cause struct{ PartitionOf, Producer, Cause *string }
	if err := Decode(raw, &cause); err != nil {
		return err
	}
	if cause.PartitionOf == nil {
		cause.PartitionOf = cause.Producer
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
	case "notRestarted": // with it, of all vertices
		if len(r.restarts) != r.seen+1 {
			return nil, false
		}
		return inOrderOf(want, without(r.names, r.restarts[r.seen]))
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
	_, restarted := keys["restarts"]
	_, left := keys["notRestarted"]
	if restarted || left {
		r.seen = len(r.restarts)
	}
}

// without is a list less the words of another one.
func without(words, others []string) []string {
	left := []string{}
	for _, w := range words {
		if !slices.Contains(others, w) {
			left = append(left, w)
		}
	}
	return left
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
