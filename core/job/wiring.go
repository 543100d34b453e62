package job

import "strings"

// Pattern is how the subtasks of two vertices are connected (spec 10.2).
type Pattern uint8

// The patterns.
const (
	AllToAll  Pattern = iota // every producer feeds every consumer
	Pointwise                // every producer feeds its share of the consumers, or the other way round
)

// Partitioner is how an exchange chooses the channel of a record (spec 10.2).
type Partitioner uint8

// The partitioners.
const (
	Forward Partitioner = iota
	Rescale
	Rebalance
	Shuffle
	Hash
	Broadcast
	Global
	Custom
	partitioners
)

// partitionerFacts is the table of spec 10.2: name in the plan, wiring, and which old subtasks' in-flight data the
// consumers read on a rescale.
var partitionerFacts = [partitioners]struct {
	name    string
	pattern Pattern
	mapper  Mapper
}{
	Forward:   {"FORWARD", Pointwise, Unsupported},
	Rescale:   {"RESCALE", Pointwise, Unsupported},
	Rebalance: {"REBALANCE", AllToAll, RoundRobin},
	Shuffle:   {"SHUFFLE", AllToAll, RoundRobin},
	Hash:      {"HASH", AllToAll, Range},
	Broadcast: {"BROADCAST", AllToAll, Unsupported},
	Global:    {"GLOBAL", AllToAll, First},
	Custom:    {"CUSTOM", AllToAll, Full},
}

// String is the partitioner's name as the plan of a job spells it.
func (p Partitioner) String() string { return partitionerFacts[p].name }

// Pattern is the wiring of the exchange.
func (p Partitioner) Pattern() Pattern { return partitionerFacts[p].pattern }

// Mapper is how its in-flight data is dealt on a rescale.
func (p Partitioner) Mapper() Mapper { return partitionerFacts[p].mapper }

// CarriesUnaligned reports whether unaligned barriers may travel the exchange; pointwise and broadcast ones carry
// aligned ones only (spec 3.7).
func (p Partitioner) CarriesUnaligned() bool { return p.Mapper() != Unsupported }

// CarryUnaligned reports whether unaligned barriers may travel the exchanges into an operator: all of them, or none if one is pointwise
// or a broadcast (StreamGraphGenerator.generate; spec 3.7).
func CarryUnaligned(inputs []Partitioner) bool {
	for _, p := range inputs {
		if !p.CarriesUnaligned() {
			return false
		}
	}
	return true
}

// ParsePartitioner finds a partitioner by its name, in upper or lower case.
func ParsePartitioner(s string) (p Partitioner, ok bool) {
	for p := range partitioners {
		if strings.EqualFold(partitionerFacts[p].name, s) {
			return p, true
		}
	}
	return 0, false
}

// Producers is the producer subtasks [from, to) that a consumer subtask reads, in the order of its channels.
func (p Pattern) Producers(consumer, producers, consumers int) (from, to int) {
	switch {
	case p == AllToAll:
		return 0, producers
	case producers >= consumers:
		return consumer * producers / consumers, (consumer + 1) * producers / consumers
	default:
		from = consumer * producers / consumers
		return from, from + 1
	}
}

// Consumers is the consumer subtasks [from, to) that a producer subtask feeds.
func (p Pattern) Consumers(producer, producers, consumers int) (from, to int) {
	switch {
	case p == AllToAll:
		return 0, consumers
	case producers >= consumers:
		from = ((producer+1)*consumers - 1) / producers
		return from, from + 1
	default:
		return ceilDiv(producer*consumers, producers), ceilDiv((producer+1)*consumers, producers)
	}
}

// Subpartition is the index of a consumer's subpartition at each producer that feeds it: with pointwise wiring the
// consumer's index modulo the number of that producer's consumers.
func (p Pattern) Subpartition(consumer, producers, consumers int) int {
	if p == AllToAll {
		return consumer
	}
	producer, _ := p.Producers(consumer, producers, consumers)
	from, to := p.Consumers(producer, producers, consumers)
	return consumer % (to - from)
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }
