package core_test

import (
	"encoding/json"
	"io/fs"
	"strings"
	"testing"

	"checkpointlab/ops/vector"
)

// TestNoExpectationIsPassedOver: a case in which any one of its expected values is changed, at its end or in a check on the
// way, does not pass.
func TestNoExpectationIsPassedOver(t *testing.T) {
	for file := range files {
		var f struct {
			Cases []map[string]any `json:"cases"`
		}
		if err := json.Unmarshal(readVectors(t, file), &f); err != nil {
			t.Fatal(err)
		}
		for _, c := range f.Cases {
			change := func() {
				data, err := json.Marshal(map[string]any{"cases": []any{c}})
				if err != nil {
					t.Fatal(err)
				}
				if r := runVectors(t, file, data)[0]; r.Status == vector.Pass {
					t.Errorf("%s passes with a changed expectation", data)
				}
			}
			eachValue(c["expect"], change)
			events, _ := c["events"].([]any)
			for _, e := range events {
				if list, ok := e.([]any); ok && list[0] == "check" {
					eachValue(list[1], change)
				}
			}
		}
	}
}

// eachValue changes the numbers, texts, truths, nulls and empty lists in v one after the other, calls do, and changes them back.
func eachValue(v any, do func()) {
	each := func(now any, set func(any)) {
		switch x := now.(type) {
		case float64:
			set(x + 1e6) // beyond any bound that a case gives
		case string:
			set(x + "?")
		case bool:
			set(!x)
		case nil:
			set(1e6)
		default:
			if list, ok := now.([]any); ok && len(list) == 0 {
				set([]any{1e6})
				break
			}
			eachValue(now, do)
			return
		}
		do()
		set(now)
	}
	switch x := v.(type) {
	case map[string]any:
		for key, now := range x {
			if strings.HasSuffix(key, "_not") {
				continue // what is not so is not so of an index that does not exist, either
			}
			each(now, func(other any) { x[key] = other })
		}
	case []any:
		for i, now := range x {
			each(now, func(other any) { x[i] = other })
		}
	}
}

func readVectors(t *testing.T, file string) []byte {
	t.Helper()
	data, err := fs.ReadFile(vector.Recorded(), file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func runVectors(t *testing.T, file string, data []byte) []vector.Result {
	t.Helper()
	results, err := vector.Run(file, data)
	if err != nil {
		t.Fatal(err)
	}
	return results
}
