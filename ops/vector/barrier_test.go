package vector

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

var barrierFiles = []string{"barrier-aligned.json", "barrier-tracker.json", "barrier-unaligned.json", "barrier-alternating.json", "barrier-more.json"}

func TestBarrierVectors(t *testing.T) {
	for _, name := range barrierFiles {
		if open := replay(t, name); len(open) > 0 {
			t.Errorf("%s: not modelled yet: %v", name, open)
		}
	}
}

// barrierCases are the cases of all files.
func barrierCases(t *testing.T) (cases []Case) {
	t.Helper()
	for _, name := range barrierFiles {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		var f File
		if err := json.Unmarshal(data, &f); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, f.Cases...)
	}
	return cases
}

// TestEachBarrierExpectationMatters turns each expected value into another one; no case may pass then.
func TestEachBarrierExpectationMatters(t *testing.T) {
	turned := 0
	for _, c := range barrierCases(t) {
		var expect map[string]any
		if err := json.Unmarshal(c.Expect, &expect); err != nil {
			t.Fatal(err)
		}
		for _, at := range leaves(expect, nil) {
			bad := c
			bad.Expect, _ = json.Marshal(replaced(expect, at))
			turned += mustNotPass(t, bad, fmt.Sprint(at))
		}
		for i, raw := range c.Events {
			if verb, args, _ := Event(raw); verb == "check" {
				var check map[string]any
				if err := json.Unmarshal(args[0], &check); err != nil {
					t.Fatal(err)
				}
				for _, at := range leaves(check, nil) {
					bad := c
					bad.Events = append([]json.RawMessage{}, c.Events...)
					bad.Events[i], _ = json.Marshal([]any{"check", replaced(check, at)})
					turned += mustNotPass(t, bad, fmt.Sprint(i, at))
				}
			}
		}
	}
	if turned < 300 {
		t.Errorf("only %d expectations were turned", turned)
	}
}

func mustNotPass(t *testing.T, c Case, what string) int {
	if s, _ := runCase(c); s == Pass {
		t.Errorf("%s passes with another %s: %s", c.Name, what, c.Expect)
	}
	return 1
}

// leaves are the paths of the values of an expectation. Left out are the null that only says that a number is asserted,
// and a minimum, for which a larger one may hold.
func leaves(v any, at []any) (paths [][]any) {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			if (k == "aborted" && e == nil) || k == "after" || strings.HasSuffix(k, "Min") {
				continue
			}
			if list, ok := e.([]any); ok && k != "checks" {
				e = fmt.Sprint(list) // a list is one value
			}
			paths = append(paths, leaves(e, append(append([]any{}, at...), k))...)
		}
	case []any:
		for i, e := range v {
			paths = append(paths, leaves(e, append(append([]any{}, at...), i))...)
		}
	default:
		paths = append(paths, at)
	}
	return paths
}

// replaced is a copy of v in which the value at the path is another one of its form.
func replaced(v any, at []any) any {
	if len(at) == 0 {
		return another(v)
	}
	if m, ok := v.(map[string]any); ok {
		c := map[string]any{}
		for k, e := range m {
			c[k] = e
		}
		c[at[0].(string)] = replaced(m[at[0].(string)], at[1:])
		return c
	}
	c := append([]any{}, v.([]any)...)
	c[at[0].(int)] = replaced(c[at[0].(int)], at[1:])
	return c
}

func another(v any) any {
	switch v := v.(type) {
	case nil:
		return 1.0
	case bool:
		return !v
	case float64:
		return v + 1
	case string:
		return v + " not"
	case []any:
		return append(append([]any{}, v...), 0.0)
	}
	panic("an expectation of another form")
}

// TestUnknownBarrierWordsAreNotModelled puts an unknown verb, key or argument into each case.
func TestUnknownBarrierWordsAreNotModelled(t *testing.T) {
	for _, c := range barrierCases(t) {
		for what, bad := range map[string]func(*Case){
			"verb": func(c *Case) { c.Events = append(c.Events[:0:0], append(c.Events, json.RawMessage(`["jump", 1]`))...) },
			"argument": func(c *Case) {
				c.Events = append(c.Events[:0:0], append(c.Events, json.RawMessage(`["eop", 0, 1, 2]`))...)
			},
			"check key": func(c *Case) {
				c.Events = append(c.Events[:0:0], append(c.Events, json.RawMessage(`["check", {"colour": 1}]`))...)
			},
			"given key":  func(c *Case) { c.Given = with(c.Given, "colour", "1") },
			"expect key": func(c *Case) { c.Expect = with(c.Expect, "colour", "1") },
			"channels":   func(c *Case) { c.Given = with(c.Given, "channels", `"RX"`) },
			"form":       func(c *Case) { c.Expect = with(c.Expect, "latestId", `["A"]`) },
		} {
			b := c
			bad(&b)
			if s, diff := runCase(b); s != NotModelled {
				t.Errorf("%s with an unknown %s: %v %s", c.Name, what, s, diff)
			}
		}
	}
}

// with is a JSON object with a key set.
func with(raw json.RawMessage, key, value string) json.RawMessage {
	m := map[string]json.RawMessage{}
	if err := json.Unmarshal(raw, &m); err != nil {
		panic(err)
	}
	m[key] = json.RawMessage(value)
	out, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return out
}
