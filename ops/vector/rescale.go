package vector

import (
	"errors"
	"fmt"

	"checkpointlab/core/job"
)

// runChannelState replays unit channelState: whose in-flight data each subtask reads after a restore with another parallelism,
// at an exchange, on the side that reads and on the side that writes.
func runChannelState(c Case) (Status, string) {
	var v struct {
		Unit, Partitioner              string
		InputMapper, OutputMapper      string
		OldParallelism, NewParallelism int  // of both vertices, unless one has its own
		OldUpstream, NewUpstream       *int // the vertex that writes
		OldDownstream, NewDownstream   *int // the vertex that reads
	}
	if err := Decode(c.Given, &v); err != nil {
		return Unknown("given", err)
	}
	oldUp, newUp := intOr(v.OldUpstream, v.OldParallelism), intOr(v.NewUpstream, v.NewParallelism)
	oldDown, newDown := intOr(v.OldDownstream, v.OldParallelism), intOr(v.NewDownstream, v.NewParallelism)
	for _, n := range []int{oldUp, newUp, oldDown, newDown} {
		if n < 1 || n > job.MaxKeyGroups {
			return Unknown("given", fmt.Errorf("a parallelism of %d", n))
		}
	}
	in, out, err := sides(v.Partitioner, v.InputMapper, v.OutputMapper)
	if err != nil {
		return Unknown("given", err)
	}
	if in == job.Unsupported {
		return compared(c, answers{"error": unsupported.by(oldUp != newUp || oldDown != newDown)})
	}
	ambiguous := []int{}
	for k := range oldDown {
		if len(in.NewSubtasks(k, oldDown, newDown, nil)) > 1 {
			ambiguous = append(ambiguous, k)
		}
	}
	return compared(c, answers{
		"inputOldSubtasksPerNew": reads(in, oldDown, newDown), "outputOldSubtasksPerNew": reads(out, oldUp, newUp), "ambiguous": ambiguous,
		"noRescale": oldUp == newUp && oldDown == newDown, "error": thrown(""),
	})
}

// sides are the mappers of an exchange: those that are given, or a partitioner's for what is read and round robin, which is Flink's
// ARBITRARY, for what is written.
func sides(partitioner, input, output string) (in, out job.Mapper, err error) {
	out = job.RoundRobin
	if output != "" {
		m, ok := mappers[output]
		if !ok || m == job.Unsupported {
			return 0, 0, fmt.Errorf("outputMapper %q", output)
		}
		out = m
	}
	if m, ok := mappers[input]; ok && partitioner == "" {
		return m, out, nil
	}
	p, ok := job.ParsePartitioner(partitioner)
	if !ok || input != "" {
		return 0, 0, errors.New("a partitioner or an inputMapper is needed, by its name in Flink")
	}
	return p.Mapper(), out, nil
}

// feeds is the new subtasks that read each old one.
func feeds(m job.Mapper, old, now int) [][]int {
	all := make([][]int, old)
	for k := range all {
		all[k] = m.NewSubtasks(k, old, now, []int{})
	}
	return all
}

// reads is the old subtasks that each new one reads.
func reads(m job.Mapper, old, now int) [][]int {
	all := make([][]int, now)
	for i := range all {
		all[i] = m.OldSubtasks(i, old, now, []int{})
	}
	return all
}

// runKeyedState replays unit keyedState: which key groups of which old subtasks each new one reads.
func runKeyedState(c Case) (Status, string) {
	var v struct {
		Unit                                           string
		OldParallelism, NewParallelism, MaxParallelism int
	}
	if err := Decode(c.Given, &v); err != nil {
		return Unknown("given", err)
	}
	if v.OldParallelism < 1 || v.NewParallelism < 1 || max(v.OldParallelism, v.NewParallelism) > v.MaxParallelism || v.MaxParallelism > job.MaxKeyGroups {
		return Unknown("given", fmt.Errorf("parallelisms %d and %d with %d key groups", v.OldParallelism, v.NewParallelism, v.MaxParallelism))
	}
	from := make([][]int, v.NewParallelism)
	shared := make([][][2]int, v.NewParallelism)
	ranges := make([][2]int, v.NewParallelism)
	for i := range from {
		from[i] = []int{}
		ranges[i][0], ranges[i][1] = job.KeyGroupRange(i, v.NewParallelism, v.MaxParallelism)
		for k := range v.OldParallelism {
			if first, last, ok := job.SharedKeyGroups(i, v.NewParallelism, k, v.OldParallelism, v.MaxParallelism); ok {
				from[i], shared[i] = append(from[i], k), append(shared[i], [2]int{first, last})
			}
		}
	}
	return compared(c, answers{"oldSubtasksPerNew": from, "sharedRangesPerNew": shared, "inclusiveRanges": ranges})
}
