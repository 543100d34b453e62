package job

// Graph is a job's operators and the exchanges between them. As given by a user it is what Chains works on; with one
// entry a job vertex it is what Regions and Restarts work on.
type Graph struct {
	Operators []Operator
	Edges     []Edge
}

// Operator is one operator or job vertex.
type Operator struct {
	Parallelism    int
	MaxParallelism int // 0 = not configured
	SlotGroup      string
	Strategy       ChainingStrategy
	Source         SourceKind
	Yielding       bool // hands the thread over while it works (async I/O)
}

// SourceKind tells sources from other operators, and old ones from new ones.
type SourceKind uint8

// The kinds.
const (
	NoSource SourceKind = iota
	NewSource
	LegacySource // pushes records itself, from a thread of its own
)

// ChainingStrategy is what an operator says about sharing a task with its neighbours.
type ChainingStrategy uint8

// The strategies, in Flink's words.
const (
	Always ChainingStrategy = iota
	Never
	Head            // begins a chain
	HeadWithSources // begins a chain, but for sources in front of it
)

// Edge is one exchange between two operators, by their index.
type Edge struct {
	From, To    int
	Partitioner Partitioner
	Result      ResultType
}

// ResultType is how the result of an exchange is kept for its consumers.
type ResultType uint8

// The types. PipelinedBounded is that of every streaming exchange (spec 10.2).
const (
	PipelinedBounded ResultType = iota
	Pipelined
	PipelinedApproximate
	Blocking
	BlockingPersistent // of a cached result
	HybridFull
	HybridSelective
	resultTypes
)

// resultFacts: together says that producer and consumer must run at the same time and so fail together; again that a
// result once produced can be read again.
var resultFacts = [resultTypes]struct {
	name            string
	together, again bool
}{
	PipelinedBounded:     {"PIPELINED_BOUNDED", true, false},
	Pipelined:            {"PIPELINED", true, false},
	PipelinedApproximate: {"PIPELINED_APPROXIMATE", false, true}, // a consumer may come back and miss what is gone
	Blocking:             {"BLOCKING", false, true},
	BlockingPersistent:   {"BLOCKING_PERSISTENT", false, true},
	HybridFull:           {"HYBRID_FULL", false, true},
	HybridSelective:      {"HYBRID_SELECTIVE", false, false},
}

// String is the type in Flink's spelling.
func (r ResultType) String() string { return resultFacts[r].name }

// ParseResultType finds a type by Flink's spelling.
func ParseResultType(s string) (r ResultType, ok bool) {
	for r := range resultTypes {
		if resultFacts[r].name == s {
			return r, true
		}
	}
	return 0, false
}

// ExchangeMode is what a user asks of an exchange.
type ExchangeMode uint8

// The modes.
const (
	UndefinedExchange ExchangeMode = iota // left to Flink
	PipelinedExchange
	BatchExchange // consumers begin when the producers have ended
)

// Result is the type of result that a streaming job makes of the mode (vectors chain.*).
func (m ExchangeMode) Result() ResultType {
	if m == BatchExchange {
		return Blocking
	}
	return PipelinedBounded
}

// Tasks is the number of subtasks of all operators. Their dense ids count subtasks within operators, in order.
func (g *Graph) Tasks() int {
	n := 0
	for i := range g.Operators {
		n += g.Operators[i].Parallelism
	}
	return n
}

// firstTasks is the dense id of subtask 0 of each operator.
func (g *Graph) firstTasks() []int {
	first, n := make([]int, len(g.Operators)), 0
	for i := range g.Operators {
		first[i] = n
		n += g.Operators[i].Parallelism
	}
	return first
}

// topological is the operators in an order in which each comes after those it reads; of several, the lowest index first.
// It panics on a cycle.
func (g *Graph) topological() []int {
	waits := make([]int, len(g.Operators))
	for _, e := range g.Edges {
		waits[e.To]++
	}
	order := make([]int, 0, len(waits))
	for len(order) < len(waits) {
		next := -1
		for i, n := range waits {
			if n == 0 {
				next = i
				break
			}
		}
		if next < 0 {
			panic("job: the graph has a cycle")
		}
		waits[next] = -1
		order = append(order, next)
		for _, e := range g.Edges {
			if e.From == next {
				waits[e.To]--
			}
		}
	}
	return order
}
