package scenarios

import (
	"strings"
	"testing"

	"checkpointlab/core"
)

// ruled is a job whose map has two inputs, with further fields of each edge into it.
func ruled(data, rules, more string) string {
	return `format: 1
title: Rules
job:
  vertices:
    - {name: data, kind: source, parallelism: 1, rate: 1000/s, record: 100 b}
    - {name: rules, kind: source, parallelism: 1, rate: 10/s, record: 50 b}
    - {name: apply, parallelism: 1` + more + `}
    - {name: sink, kind: sink, parallelism: 1}
  edges:
    - {from: data, to: apply, partition: HASH` + data + `}
    - {from: rules, to: apply, partition: BROADCAST` + rules + `}
    - {from: apply, to: sink, partition: HASH}
run: {duration: 10 s, seed: 1}
`
}

// A stream of rules makes nothing itself, and each input counts its own records (KeyedBroadcastProcessFunction).
func TestOutputsByInput(t *testing.T) {
	for _, c := range []struct {
		data, rules string
		out         int64 // in the first 9 s, to a hundredth
	}{
		{"", "", 9090}, {"", ", emit: 0", 9000}, {", emit: 1/3", ", emit: 0", 3000}, {", emit: 0", ", emit: 20", 1800}, {", emit: 2, record: 1 kb", ", emit: 1/2", 18045},
	} {
		s, err := Parse([]byte(ruled(c.data, c.rules, "")))
		if err != nil {
			t.Fatal(err)
		}
		l, err := core.New(s.Setup)
		if err != nil {
			t.Fatal(err)
		}
		l.Advance(9_000_000_000, 0)
		var v core.View
		l.View(&v)
		if out := v.Vertices[2].Tasks[0].Metrics.NumRecordsOut; out < c.out*99/100-2 || out > c.out*101/100+2 {
			t.Errorf("with%s and%s it has made %d records, expected are %d", c.data, c.rules, out, c.out)
		}
	}
}

// What cannot make records of its own says so.
func TestMistakesOfOutputsByInput(t *testing.T) {
	for text, want := range map[string]string{
		ruled(", emit: 0/3", "", ""):                                                            "is not a ratio",
		ruled(", emit: 1", "", ", window: {size: 1 s}"):                                         "a window operator or asynchronous",
		strings.Replace(ruled("", "", ""), "to: sink, partition: HASH", "to: sink, emit: 0", 1): "which is a sink",
		strings.Replace(ruled("", "", ""), "    - {from: rules, to: apply, partition: BROADCAST}\n", "    - {from: rules, to: sink, partition: HASH}\n", 1): "",
	} {
		_, err := Parse([]byte(text))
		if want == "" && err == nil {
			continue
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\nsays %v, expected is %q", text, err, want)
		}
	}
}
