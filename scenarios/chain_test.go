package scenarios

import (
	"math"
	"strings"
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/option"
)

const chainOfJobs = `
job:
  overhead: 0 b
  vertices:
    - {name: source, kind: source, parallelism: 2, rate: 500/s, record: 100 b}
    - {name: map, parallelism: 1, snapshot: {async: 1 s}}
    - {name: sink, kind: sink, parallelism: 2}
  edges:
    - {from: source, to: map, partition: HASH}
    - {from: map, to: sink, partition: HASH}
flink: {execution.checkpointing.interval: 10 s}
firstTrigger: interval
control: {firstFails: false}
run: {duration: 101 s, seed: 1}
expect:
  - {measure: visibility.mean, chain: 3, about: 18 s, within: 5 %, source: "k x (I/2 + D)"}
`

// Each job of a chain reads what the one before commits, all of it and at its commits, and waits for its own.
func TestAChainAddsHalfAnIntervalForEachJob(t *testing.T) {
	s, err := Parse([]byte(chainOfJobs))
	if err != nil {
		t.Fatal(err)
	}
	var read []int64
	seen, holds, err := s.Check(&s.Expect[0], func(v *Scenario, _ []option.Pair) (*core.Lab, error) {
		lab := ran(t, v)
		n := int64(0)
		for _, c := range lab.History().Commits {
			n += c.Records
		}
		read = append(read, n)
		return lab, nil
	}, nil)
	if err != nil || !holds {
		t.Errorf("%s: %v", seen, err)
	}
	if len(read) != 1+2*chainPhases {
		t.Fatalf("%d runs", len(read))
	}
	for i, n := range read[1:] {
		if math.Abs(float64(n-read[0])) > 0.01*float64(read[0]) {
			t.Errorf("run %d shows %d records, the first job %d", i+1, n, read[0])
		}
	}
}

// Only times that add up can be asked of a chain.
func TestAChainIsOfMeanTimes(t *testing.T) {
	for _, bad := range []string{"measure: visibility.max, chain: 3", "measure: visibility.mean, chain: 1", "measure: visibility.mean, chain: 2, against: {}"} {
		if _, err := Parse([]byte(strings.Replace(chainOfJobs, "measure: visibility.mean, chain: 3", bad, 1))); err == nil || !strings.Contains(err.Error(), "chain") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
