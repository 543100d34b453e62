package scenarios

import (
	"math"
	"slices"
	"strconv"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// chainPhases is over how many phases of its checkpoints each further job of a chain is measured: jobs that are started one by one do
// not lie to each other in any way of their own, and a single draw would be far from the mean.
const chainPhases = 24

// mostChained is how many jobs a chain has at most.
const mostChained = 8

// chained is the mean time to the reader behind the last of so many jobs like s: each reads with read_committed what the one before
// commits, so that its log fills at that job's commits and at no other time. No job hinders the one before it, so they run one after
// the other, and the time of a record is the sum of its times in each.
func (s *Scenario) chained(e *Expectation, first *core.Lab, with []option.Pair, run func(*Scenario, []option.Pair) (*core.Lab, error)) (float64, error) {
	total, before := e.In(first), first.History().Commits
	for job := range e.Chain - 1 {
		sum, commits := 0.0, before
		for i := range chainPhases {
			v, err := s.changed(with)
			if err != nil {
				return 0, err
			}
			v.Setup.Duration += 2 * v.Setup.Options.Interval // the last commits are shown, too
			phase := v.Setup.Options.Interval * event.Time(2*i+1) / (2 * chainPhases)
			if before = nil; !v.feed(commits, phase) {
				return math.NaN(), nil // nothing was committed
			}
			lab, err := run(v, append(slices.Clone(with), option.Pair{Key: "chain", Value: strconv.Itoa(job+2) + ", phase " + strconv.Itoa(i)}))
			if err != nil {
				return 0, err
			}
			sum += e.In(lab)
			before = lab.History().Commits
		}
		total += sum / chainPhases
	}
	return total, nil
}

// burst is how long the records of a commit take to appear in the log, in place of no time at all.
const burst = event.Millisecond

// feed lets the scenario's sources read commits that begin phase before their instants; false: there are none.
func (s *Scenario) feed(commits []core.CommitRecord, phase event.Time) bool {
	arrivals := map[event.Time]int64{}
	for i := range commits {
		if c := &commits[i]; c.Records > 0 && c.At > phase {
			arrivals[c.At-phase] += c.Records // of all of a job's sinks at once
		}
	}
	var script []core.Action
	for i := range s.Setup.Vertices {
		v := &s.Setup.Vertices[i]
		if v.Kind != core.Source {
			continue
		}
		v.RateNum, v.RatePer = 1, longestRun
		for at, n := range arrivals {
			n = max(1, n/int64(v.Logs()))
			script = append(script, core.Action{At: at, Do: core.Rate, Vertex: i, Subtask: -1, RateNum: n, RatePer: burst},
				core.Action{At: at + burst, Do: core.Rate, Vertex: i, Subtask: -1, RateNum: 1, RatePer: longestRun})
		}
	}
	slices.SortFunc(script, func(a, b core.Action) int { return int(a.At - b.At) })
	s.Setup.Script = script
	return len(arrivals) > 0
}
