package scenarios

import (
	"strings"
	"testing"
)

// A key at the wrong place of a file is told its place, with the vertex and the field that were meant.
func TestKeysAtTheWrongPlace(t *testing.T) {
	const job = "job:\n  vertices:\n    - {name: source, kind: source, rate: 1000/s}\n    - {name: sink, kind: sink}\n  edges: [{from: source, to: sink, partition: HASH}]\n"
	for key, want := range map[string]string{
		"source.parallelism":      "write parallelism: for the vertex source, under job.vertices",
		"sink.csot":               "write cost: for the vertex sink, under job.vertices",
		"job.vertices.sink.cost":  "write cost: for the vertex sink, under job.vertices",
		"parallelism":             "it is a field of a vertex, under job.vertices",
		"sink":                    "it is a vertex of the job, whose fields stand under job.vertices",
		"run.duration":            "write duration: under run:",
		"execution.runtime-mode":  "an option of Flink belongs under flink:",
		"questio":                 "did you mean",
		"nothing.like.it.at.home": "the fields here are",
	} {
		_, err := Parse([]byte(job + key + ": 1\n"))
		if err == nil || !strings.Contains(err.Error(), "line 6: "+key) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected %q", key, err, want)
		}
	}
	s, err := Parse([]byte(job))
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{
		"source.paralelism": "did you mean job.vertices.source.parallelism?",
		"rate":              "did you mean job.vertices.NAME.rate?",
	} {
		if err := s.Set(key, "1"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("--set %s: %v, expected %q", key, err, want)
		}
	}
}
