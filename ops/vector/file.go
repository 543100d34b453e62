package vector

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

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
	wrong  string   // why it cannot be read
	line   int      // of the file, from 1
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
	Cases []Case

	unread []string // keys that the file has besides source, schema and cases, in order
}

// read reads a file. name is used in errors only, which say what is wrong and on which line. A case that is wrong is read as
// one that says so.
func read(name string, data []byte) (f File, err error) {
	if err := wellFormed(data); err != nil {
		return f, fmt.Errorf("%s is not a file of vectors: %w; it must be JSON with source, schema and cases", name, err)
	}
	var keys map[string]json.RawMessage
	if json.Unmarshal(data, &keys) != nil || keys["cases"] == nil {
		return f, fmt.Errorf("%s has no cases; a file of vectors is an object with source, schema and cases", name)
	}
	var list []json.RawMessage
	if err := json.Unmarshal(keys["cases"], &list); err != nil || len(list) == 0 {
		return f, fmt.Errorf("%s: cases on line %d is no list of cases; each is an object with name, from, given, events and expect", name, lineOf(data, keys["cases"], 0))
	}
	f.unread = unreadOf(keys, append([]string{"cases", "note"}, telling...))
	from := bytes.Index(data, keys["cases"])
	for _, raw := range list {
		c := Case{}
		if err := json.Unmarshal(raw, &c); err != nil {
			c = Case{Name: nameOfCase(raw), wrong: fmt.Sprintf("it cannot be read: %v; a case is an object with name, from, given, events and expect", err)}
		}
		at := from + max(0, bytes.Index(data[from:], raw))
		c.line = 1 + bytes.Count(data[:at], []byte("\n"))
		from = at + len(raw)
		f.Cases = append(f.Cases, c)
	}
	return f, nil
}

// nameOfCase is the name of a case that cannot be read, if it has one.
func nameOfCase(raw json.RawMessage) (name string) {
	var keys map[string]json.RawMessage
	if json.Unmarshal(raw, &keys) == nil {
		_ = json.Unmarshal(keys["name"], &name) // then it has none
	}
	return name
}

// lineOf is the line on which a part of a file begins, looked for from an offset on.
func lineOf(data, part []byte, from int) int {
	return 1 + bytes.Count(data[:from+max(0, bytes.Index(data[from:], part))], []byte("\n"))
}

// wellFormed refuses what is not JSON, and an object that has a key twice: nobody can know which one counts.
func wellFormed(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	line := func(offset int64) int { return 1 + bytes.Count(data[:min(int(offset), len(data))], []byte("\n")) }
	err := values(d, line)
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("line %d: %w", line(syntax.Offset), err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("line %d: it ends too early", line(int64(len(data))))
	case err != nil:
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("line %d: something follows its end", line(d.InputOffset()))
	}
	return nil
}

// values reads one value and all inside.
func values(d *json.Decoder, line func(int64) int) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	open, ok := token.(json.Delim)
	if !ok {
		return nil
	}
	seen := map[string]bool{}
	for d.More() {
		if open == '{' {
			key, err := d.Token()
			if err != nil {
				return err
			}
			if name, ok := key.(string); ok && seen[name] {
				return fmt.Errorf("line %d: %q comes twice in one object", line(d.InputOffset()), name)
			} else if ok {
				seen[name] = true
			}
		}
		if err := values(d, line); err != nil {
			return err
		}
	}
	_, err = d.Token()
	return err
}
