package core_test

import (
	"encoding/json"
	"io/fs"
	"testing"

	"checkpointlab/ops/vector"
)

// networkVectors are the files of this area with the number of their cases.
var networkVectors = map[string]int{"network-credit-pool.json": 15, "buffer-debloat.json": 17}

// Pools, credit, receive queues and debloating do what Flink's own tests say (spec 4.1, 4.3, 5).
func TestNetworkVectors(t *testing.T) {
	for file, cases := range networkVectors {
		results := runVectors(t, file, readVectors(t, file))
		if len(results) != cases {
			t.Errorf("%s: %d results of %d cases", file, len(results), cases)
		}
		for _, r := range results {
			if r.Status != vector.Pass {
				t.Errorf("%s %s: %v: %s", file, r.Case, r.Status, r.Diff)
			}
		}
	}
}

// No expectation of the files is passed over: a case with any one of its numbers, truths or nulls changed fails.
func TestNetworkVectorsAssertEveryValue(t *testing.T) {
	for file := range networkVectors {
		var f struct {
			Cases []map[string]any `json:"cases"`
		}
		if err := json.Unmarshal(readVectors(t, file), &f); err != nil {
			t.Fatal(err)
		}
		for _, c := range f.Cases {
			changed := 0
			change := func() {
				changed++
				data, err := json.Marshal(map[string]any{"cases": []any{c}})
				if err != nil {
					t.Fatal(err)
				}
				if r := runVectors(t, file, data)[0]; r.Status != vector.Fail {
					t.Errorf("%s with a changed expectation: %v %s", data, r.Status, r.Diff)
				}
			}
			eachValue(c["expect"], change)
			events, _ := c["events"].([]any)
			for _, e := range events {
				if list, ok := e.([]any); ok && list[0] == "check" {
					eachValue(list[1], change)
				}
			}
			if changed == 0 {
				t.Errorf("%s asserts nothing", c["name"])
			}
		}
	}
}

// eachValue changes the numbers, truths and nulls in v one after the other, calls do, and changes them back.
func eachValue(v any, do func()) {
	each := func(now any, set func(any)) {
		switch x := now.(type) {
		case float64:
			set(x + 1e6) // beyond any bound that a case gives
		case bool:
			set(!x)
		case nil:
			set(1e6)
		default:
			eachValue(now, do)
			return
		}
		do()
		set(now)
	}
	switch x := v.(type) {
	case map[string]any:
		for key, now := range x {
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
