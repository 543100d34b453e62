package job

import "slices"

// Mapper says which old subtasks' in-flight data a new subtask reads when a job is restored with another parallelism
// (spec 10.2, 10.4). Each partitioner has its own for the downstream side.
type Mapper uint8

// The mappers, in Flink's words.
const (
	Unsupported Mapper = iota // the exchange carries no in-flight data in a checkpoint
	First                     // everything to subtask 0
	Full                      // everything to every subtask, which filters
	Range                     // the old subtasks whose key groups overlap
	RoundRobin                // old subtask i to new subtask i mod parallelism
)

// SplitList deals a list of so many parts in operator state of mode SPLIT_DISTRIBUTE: shares[i] is how many subtask i gets, one
// after the other from subtask first on, the first of them one more each of what does not go up. The next list of the same operator
// begins at next, behind those (RoundRobinOperatorStateRepartitioner.repartitionSplitState; spec 10.4). shares is made longer if it
// has to be.
func SplitList(parts, parallelism, first int, shares []int) (_ []int, next int) {
	each, more := parts/parallelism, parts%parallelism
	for range parallelism {
		shares = append(shares, each)
	}
	for i := range more {
		shares[len(shares)-parallelism+(first+i)%parallelism]++
	}
	return shares, (first + more) % parallelism
}

// SplitRange is which of so many parts subtask i gets of SplitList: those from … to, not included.
func SplitRange(i int, parts int64, parallelism, first int) (from, to int64, next int) {
	each, more := parts/int64(parallelism), parts%int64(parallelism)
	k := int64((i - first + parallelism) % parallelism)
	from, to = k*each+min(k, more), (k+1)*each+min(k+1, more)
	return from, to, (first + int(more)) % parallelism
}

// Copied appends to out, in ascending order, the old subtasks whose parts of an operator's list new subtask i of newParallelism reads
// whole, if only those of has hold a part: in mode UNION all of them; of the mode BROADCAST its own if the parallelism is the same and
// none is missing, else one copy, dealt in turn (RoundRobinOperatorStateRepartitioner.repartitionUnionState, repartitionBroadcastState).
func Copied(union bool, i, oldParallelism, newParallelism int, has, out []int) []int {
	switch {
	case union:
		return append(out, has...)
	case len(has) == 0:
		return out
	case oldParallelism == newParallelism && len(has) == oldParallelism:
		return append(out, i)
	}
	return append(out, has[i%len(has)])
}

// OldSubtasks appends to out, in ascending order, the old subtasks that new subtask i of newParallelism reads.
// It panics for Unsupported.
func (m Mapper) OldSubtasks(i, oldParallelism, newParallelism int, out []int) []int {
	from, to, step := 0, oldParallelism, 1
	switch m {
	case First:
		if i > 0 {
			to = 0
		}
	case Full:
	case Range:
		first, last := KeyGroupRange(i, newParallelism, MaxKeyGroups)
		from = SubtaskOf(first, oldParallelism, MaxKeyGroups)
		to = SubtaskOf(last, oldParallelism, MaxKeyGroups) + 1
	case RoundRobin:
		from, step = i, newParallelism
	default:
		panic("job: this exchange has no in-flight data to map")
	}
	for old := from; old < to; old += step {
		out = append(out, old)
	}
	return out
}

// NewSubtasks appends to out, in ascending order, the new subtasks that read what old subtask k has. Where there are several, the
// records of k's channels are ambiguous, and each reader keeps its own (InflightDataRescalingDescriptor.isAmbiguous).
// It panics for Unsupported.
func (m Mapper) NewSubtasks(k, oldParallelism, newParallelism int, out []int) []int {
	var reads []int
	for i := range newParallelism {
		if reads = m.OldSubtasks(i, oldParallelism, newParallelism, reads[:0]); slices.Contains(reads, k) {
			out = append(out, i)
		}
	}
	return out
}
