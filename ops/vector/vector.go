// Package vector replays facts from Flink's own tests on the state machines that the simulation uses.
//
// A file holds cases; a case names its unit, what is given, the events in order and what is expected. The table in
// runners.go says who replays which unit. A case that no runner knows, or that uses a verb or a key its runner does not
// know, is reported as not modelled yet; it never passes.
package vector

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Status is how a case went.
type Status uint8

// The statuses.
const (
	Pass Status = iota
	Fail
	NotModelled
)

var statusNames = [...]string{"pass", "fail", "not modelled yet"}

// String is the status in words.
func (s Status) String() string { return statusNames[s] }

// Result is how one case went. Diff says what differs (Fail) or what is not known (NotModelled).
type Result struct {
	File, Case string
	Status     Status
	Diff       string
}

// Runner replays one case on a state machine of the core. Diff is empty on Pass.
type Runner func(c Case) (status Status, diff string)

// Run replays every case of a file. name is used in the results and in errors only.
// An error means that the data is not a file of vectors; a case that cannot be read is a result, not an error.
func Run(name string, data []byte) ([]Result, error) {
	f, err := read(name, data)
	if err != nil {
		return nil, err
	}
	results := make([]Result, 0, len(f.Cases))
	for _, c := range f.Cases {
		c.unread = append(c.unread, f.unread...)
		status, diff := runCase(c)
		if status != Pass {
			diff = fmt.Sprintf("line %d: %s", c.line, diff)
		}
		results = append(results, Result{File: name, Case: c.Name, Status: status, Diff: diff})
	}
	return results, nil
}

// runCase finds the runner and guards against a case whose numbers drive the machine out of its preconditions.
func runCase(c Case) (status Status, diff string) {
	if c.wrong != "" {
		return NotModelled, c.wrong
	}
	if len(c.unread) > 0 { // it may say something that the runner would pass over
		return NotModelled, fmt.Sprintf("the runner does not know what %s of a case or of its file means", strings.Join(c.unread, ", "))
	}
	unit := Unit(c)
	run, ok := runners[unit]
	if !ok {
		return NotModelled, fmt.Sprintf("no runner for unit %q%s", unit, nearest(unit, unitWords()))
	}
	if other := reworded(c, unit); !asserts(c) && !saysByEvents(c) && !asserts(other) && !saysByEvents(other) {
		return Unknown("case", errNothing)
	}
	defer func() {
		if p := recover(); p != nil {
			status, diff = Fail, fmt.Sprintf("the machine panicked: %v", p)
		}
	}()
	status, diff = run(c)
	if status == Pass {
		return status, diff
	}
	if other, said := run(reworded(c, unit)); other == Pass || other == Fail && status == NotModelled {
		return other, said
	} else if status == Fail {
		return status, diff
	} else if hint := lexicons()[unit].hint(c); hint != "" {
		return status, diff + hint
	} else { // every word is known by another name: what is wrong is behind them
		return status, said
	}
}

// Unit is what a case drives: given.unit, else given.handler, else given.strategy or another key that says it, else the first word of its name;
// if none of them is known, the class of the test that it is from.
func Unit(c Case) string {
	var g struct {
		Unit, Handler, Strategy, RestartStrategy, DistributionPattern string
		RestartType                                                   string `json:"restart-strategy.type"`
	}
	_ = json.Unmarshal(c.Given, &g) // a given of another form has no unit; the name decides
	first, _, _ := strings.Cut(c.Name, ".")
	unit := ""
	for _, u := range []string{g.Unit, g.Handler, g.Strategy, g.RestartStrategy, g.RestartType, g.DistributionPattern, first} {
		if u != "" {
			unit = runnersName(u)
			break
		}
	}
	if _, ok := unitNames[fold(unit)]; !ok { // the class whose test it is from says it, too
		class, _, _ := strings.Cut(strings.TrimPrefix(c.From, "derived: "), "#")
		if own, ok := unitNames[fold(strings.TrimSuffix(class, "Test"))]; ok {
			return own
		}
	}
	return unit
}

// runnersName is the name under which a unit has a runner, if it is another one of a unit that has.
func runnersName(unit string) string {
	if own, ok := unitNames[fold(unit)]; ok {
		return own
	}
	return unit
}

// Decode reads raw into v and refuses keys that v does not have: a runner answers such an error with Unknown.
// Absent raw leaves v as it is.
func Decode(raw json.RawMessage, v any) error {
	if len(raw) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	return d.Decode(v)
}

// Event splits an event into its verb and arguments: a list [verb, arguments…] or a bare verb.
func Event(raw json.RawMessage) (verb string, args []json.RawMessage, err error) {
	if err = json.Unmarshal(raw, &verb); err == nil {
		return verb, nil, nil
	}
	var list []json.RawMessage
	if err = json.Unmarshal(raw, &list); err != nil || len(list) == 0 {
		return "", nil, errors.New("an event is a verb or a list that begins with one")
	}
	if err = json.Unmarshal(list[0], &verb); err != nil {
		return "", nil, errors.New("an event's first element is its verb")
	}
	return verb, list[1:], nil
}

// Unknown is the answer to a verb or key that a runner does not know.
func Unknown(what string, err error) (Status, string) {
	return NotModelled, fmt.Sprintf("%s: %v", what, err)
}

// Differ is the answer to a value that differs from the expected one.
func Differ(key string, got, want any) (Status, string) {
	return Fail, fmt.Sprintf("%s is %v, expected %v", key, got, want)
}
