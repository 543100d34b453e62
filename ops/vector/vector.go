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
	"slices"
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

// Case is one case of a file, with its parts left for the runner to read.
type Case struct {
	Name    string            `json:"name"`
	From    string            `json:"from"`
	Note    string            `json:"note"`
	Given   json.RawMessage   `json:"given"`
	Expect  json.RawMessage   `json:"expect"`
	Events  []json.RawMessage `json:"events"`
	Derived bool              `json:"derived"`

	unread []string // keys that the case has besides, in order
}

// telling are keys of a case or of a file that say where it comes from: nothing hangs on them.
var telling = []string{"source", "schema", "version", "commit", "path", "repo", "url", "comment", "description"}

// UnmarshalJSON reads a case and remembers what it does not know.
func (c *Case) UnmarshalJSON(raw []byte) error {
	type plain Case
	var keys map[string]json.RawMessage
	if err := errors.Join(json.Unmarshal(raw, (*plain)(c)), json.Unmarshal(raw, &keys)); err != nil {
		return err
	}
	c.unread = unreadOf(keys, append([]string{"name", "from", "note", "given", "expect", "events", "derived"}, telling...))
	return nil
}

// unreadOf are the keys that are none of the known ones, in order.
func unreadOf(keys map[string]json.RawMessage, known []string) (unread []string) {
	for _, key := range sortedKeys(keys) {
		if !slices.Contains(known, key) {
			unread = append(unread, key)
		}
	}
	return unread
}

// File is one file of vectors.
type File struct {
	Source json.RawMessage `json:"source"`
	Schema json.RawMessage `json:"schema"`
	Cases  []Case          `json:"cases"`

	unread []string // keys that the file has besides, in order
}

// UnmarshalJSON reads a file and remembers what it does not know.
func (f *File) UnmarshalJSON(raw []byte) error {
	type plain File
	var keys map[string]json.RawMessage
	if err := errors.Join(json.Unmarshal(raw, (*plain)(f)), json.Unmarshal(raw, &keys)); err != nil {
		return err
	}
	f.unread = unreadOf(keys, append([]string{"cases", "note"}, telling...))
	return nil
}

// Runner replays one case on a state machine of the core. Diff is empty on Pass.
type Runner func(c Case) (status Status, diff string)

// Run replays every case of a file. name is used in the results and in errors only.
// An error means that the data is not a file of vectors; a case that cannot be read is a result, not an error.
func Run(name string, data []byte) ([]Result, error) {
	var f File
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, fmt.Errorf("%s is not a file of vectors: %v; it must be JSON with source, schema and cases", name, err)
	}
	if f.Cases == nil {
		return nil, fmt.Errorf("%s has no cases; a file of vectors is an object with source, schema and cases", name)
	}
	results := make([]Result, 0, len(f.Cases))
	for _, c := range f.Cases {
		c.unread = append(c.unread, f.unread...)
		status, diff := runCase(c)
		results = append(results, Result{File: name, Case: c.Name, Status: status, Diff: diff})
	}
	return results, nil
}

// runCase finds the runner and guards against a case whose numbers drive the machine out of its preconditions.
func runCase(c Case) (status Status, diff string) {
	if len(c.unread) > 0 { // it may say something that the runner would pass over
		return NotModelled, fmt.Sprintf("the runner does not know what %s of a case or of its file means", strings.Join(c.unread, ", "))
	}
	unit := Unit(c)
	run, ok := runners[unit]
	if !ok {
		return NotModelled, fmt.Sprintf("no runner for unit %q", unit)
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
	if status != NotModelled {
		return status, diff
	}
	if status, diff := run(reworded(c, unit)); status != NotModelled {
		return status, diff
	}
	return status, diff
}

// Unit is what a case drives: given.unit, else given.handler, else given.strategy, else the first word of its name.
func Unit(c Case) string {
	var g struct{ Unit, Handler, Strategy string }
	_ = json.Unmarshal(c.Given, &g) // a given of another form has no unit; the name decides
	first, _, _ := strings.Cut(c.Name, ".")
	for _, u := range []string{g.Unit, g.Handler, g.Strategy, first} {
		if u != "" {
			return runnersName(u)
		}
	}
	return ""
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
