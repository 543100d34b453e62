package job

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
