package core

import (
	"errors"
	"fmt"

	"checkpointlab/core/event"
	"checkpointlab/core/job"
	"checkpointlab/core/sink"
)

// Limits that keep a run within memory.
const (
	maxParallelism = 32768
	maxChannels    = 100_000_000 // what fits is decided by memory
	maxPartitions  = 1_000_000
	maxDuration    = Longest
	maxInputs      = 8
	maxFiles       = 10_000 // of one subtask's part of a checkpoint
	maxPhases      = 1000   // all are laid out at the start
	maxRate        = 10     // records per ns in all partitions of a source, so that the records of 64 sources over 30 days fit into int64
)

// Longest is the longest duration that a run may have.
const Longest = 30 * 24 * 3600 * event.Second

// Check returns everything wrong with a setup, each mistake a sentence that names what, the value and the remedy. Whether the
// run fits into memory is checked by New.
func (s *Setup) Check() error {
	var errs []error
	bad := func(format string, a ...any) { errs = append(errs, fmt.Errorf(format, a...)) }
	if len(s.Vertices) == 0 {
		return errors.New("the job has no vertices; give it at least a source and a sink")
	}
	if s.Duration <= 0 || s.Duration > maxDuration {
		bad("run.duration is %d ns; give between 1 ns and 30 days", s.Duration)
	}
	for i := range s.Vertices {
		s.checkVertex(&s.Vertices[i], bad)
		s.checkState(i, bad)
	}
	if s.Cluster.Slots < 0 {
		bad("cluster.slots is %d; give at least 1, or leave it out for one task manager a subtask", s.Cluster.Slots)
	}
	s.checkNumbers(bad)
	s.checkStorage(bad)
	s.checkEdges(bad)
	for i := range s.Vertices {
		s.checkWindow(i, bad)
	}
	s.checkRescales(bad)
	for i, a := range s.Script {
		s.checkAction(i, &a, bad)
	}
	if len(errs) == 0 {
		s.checkBuffers(bad)
	}
	return errors.Join(errs...)
}

// checkVertex finds what is wrong with one vertex by itself.
func (s *Setup) checkVertex(v *Vertex, bad func(string, ...any)) {
	limit := s.MaxParallel
	if limit == 0 {
		limit = maxParallelism
	}
	switch {
	case v.Parallelism < 1:
		bad("parallelism of %s is %d; give at least 1", v.Name, v.Parallelism)
	case v.Parallelism > limit:
		bad("parallelism of %s is %d, above the max parallelism of %d; lower it or raise pipeline.max-parallelism", v.Name, v.Parallelism, limit)
	}
	if v.Cost < -1 {
		bad("cost of %s is negative; give 0 or more", v.Name)
	}
	v.checkSnapshot(bad)
	v.checkEmission(bad)
	if v.Payload < 0 || int64(v.Payload)+int64(s.Overhead) > 1<<30 {
		bad("record of %s is %d bytes; give between 0 and 1 gb", v.Name, v.Payload)
	}
	s.checkWatermarks(v, bad)
	v.checkAsync(bad)
	v.checkLoad(s.Duration, bad)
	switch v.Kind {
	case Sink:
		v.checkTransactions(bad)
	case Source:
		s.checkSource(v, bad)
	}
}

// checkSnapshot refuses snapshots out of range.
func (v *Vertex) checkSnapshot(bad func(string, ...any)) {
	if v.Snapshot.Sync < 0 || v.Snapshot.Async < 0 || v.Snapshot.Size < 0 || v.Snapshot.Change < 0 || v.Snapshot.Amplification < 0 {
		bad("snapshot of %s has a negative time or size; give 0 or more", v.Name)
	}
	if v.Snapshot.Files < 0 || v.Snapshot.Files > maxFiles {
		bad("snapshot of %s has %d files; give up to %d", v.Name, v.Snapshot.Files, maxFiles)
	}
	if v.Snapshot.Skew < 0 || v.Snapshot.Skew > 1_000_000 {
		bad("the first subtask of %s has %d millionths of the state; give 0 to 1000000", v.Name, v.Snapshot.Skew)
	}
}

// checkEmission refuses a ratio of records out to records in that is out of range, or not a map's.
func (v *Vertex) checkEmission(bad func(string, ...any)) {
	if v.EmitNum < 0 || v.EmitDen < 0 || (v.EmitNum == 0) != (v.EmitDen == 0) || v.EmitNum > 1000 || v.EmitDen > 1_000_000 {
		bad("%s emits %d records for %d; give a ratio between 1/1000000 and 1000", v.Name, v.EmitNum, v.EmitDen)
	} else if v.Kind != Map && !v.oneForOne() {
		bad("%s emits %d records for %d, but only a map does so; put a map behind it", v.Name, v.EmitNum, v.EmitDen)
	}
}

// checkSource refuses rates, records and partitions that a log cannot have.
func (s *Setup) checkSource(v *Vertex, bad func(string, ...any)) {
	switch {
	case v.RateNum < 0 || v.RateNum > 0 && v.RatePer <= 0:
		bad("rate of %s is not positive; give records per second, or max for a source that is never short", v.Name)
	case v.RateNum == 0 && v.Cost == 0:
		bad("%s reads as fast as it can at no cost; give it a cost or a rate", v.Name)
	case v.RatePer > maxDuration:
		bad("rate of %s is %d records every %d ns; give a time of at most 30 days", v.Name, v.RateNum, v.RatePer)
	case v.tooFast(v.RateNum, v.RatePer):
		bad("rate of %s is %d records every %d ns in each of %d partitions; give at most %d a ns in all of them", v.Name, v.RateNum, v.RatePer, v.logs(), maxRate)
	case int64(v.Payload)+int64(s.Overhead) < 1:
		bad("record of %s is %d bytes with an overhead of %d; give it at least 1 byte on the wire", v.Name, v.Payload, s.Overhead)
	case v.Partitions < 0:
		bad("partitions of %s is %d; give 0 for one a subtask, or more", v.Name, v.Partitions)
	}
}

// Logs is how many partitions a source's log has.
func (v *Vertex) Logs() int {
	if v.Partitions > 0 {
		return v.Partitions
	}
	return max(1, v.Parallelism)
}

func (v *Vertex) logs() int64 { return int64(v.Logs()) }

// tooFast reports whether more than maxRate records arrive in all partitions; per must not exceed maxDuration.
func (v *Vertex) tooFast(num int64, per event.Time) bool { return num > maxRate*per/v.logs() }

func (s *Setup) checkEdges(bad func(string, ...any)) {
	in, out := make([]int, len(s.Vertices)), make([]int, len(s.Vertices))
	channels := 0
	for _, e := range s.Edges {
		if e.From < 0 || e.To < 0 || e.From >= len(s.Vertices) || e.To >= len(s.Vertices) {
			bad("an edge joins vertices %d and %d, of which one does not exist", e.From, e.To)
			return
		}
		if e.Partition >= partitionKinds {
			bad("an edge has partitioner %d, which does not exist", e.Partition)
			return
		}
		from, to := &s.Vertices[e.From], &s.Vertices[e.To]
		out[e.From]++
		in[e.To]++
		if e.Partition == Forward && from.Parallelism != to.Parallelism {
			bad("FORWARD from %s (%d) to %s (%d) needs equal parallelism; use REBALANCE or HASH", from.Name, from.Parallelism, to.Name, to.Parallelism)
		}
		channels += e.Partition.Channels(from.Parallelism, to.Parallelism)
	}
	if channels > maxChannels {
		bad("the job has %d channels; the lab takes at most %d, so lower the parallelism", channels, maxChannels)
		return
	}
	for _, e := range s.Edges {
		switch {
		case e.Cost < 0 || e.Cost > maxCost:
			bad("a record from %s costs %s %d ns; give between 0, for the cost of the vertex, and %d", s.Vertices[e.From].Name, s.Vertices[e.To].Name, e.Cost, maxCost)
		case e.EmitNum < 0 || e.EmitDen < 0 || e.EmitNum > 0 && e.EmitDen == 0 || e.EmitNum > 1000 || e.EmitDen > 1_000_000:
			bad("a record from %s makes %d records for %d in %s; give a ratio between 1/1000000 and 1000, or 0 for 1", s.Vertices[e.From].Name, e.EmitNum, e.EmitDen, s.Vertices[e.To].Name)
		case e.Payload < 0 || int64(e.Payload)+int64(s.Overhead) > 1<<30:
			bad("a record from %s makes one of %d bytes in %s; give between 0, for the size of the vertex, and 1 gb", s.Vertices[e.From].Name, e.Payload, s.Vertices[e.To].Name)
		case e.makes() && in[e.To] < 2:
			bad("the edge from %s says what its records make, and %s has no other input; say it of the vertex", s.Vertices[e.From].Name, s.Vertices[e.To].Name)
		case e.makes() && (s.Vertices[e.To].Kind != Map || s.Vertices[e.To].alone() && !s.Vertices[e.To].NoChain):
			bad("the edge from %s says what its records make, but %s is a sink, a window operator or asynchronous; leave it out", s.Vertices[e.From].Name, s.Vertices[e.To].Name)
		case e.Cost > 0 && in[e.To] < 2:
			bad("the edge from %s has a cost, and %s has no other input; give the vertex that cost", s.Vertices[e.From].Name, s.Vertices[e.To].Name)
		}
	}
	for i := range s.Vertices {
		s.checkDegree(i, in[i], out[i], bad)
	}
	if _, ok := topological(s); !ok {
		bad("the edges form a cycle; the lab runs acyclic jobs")
	}
}

// OpenAtMost is how long the broker leaves a transaction of the sink open: its transaction.timeout.ms, or what KafkaSink sets.
func (v *Vertex) OpenAtMost() event.Time {
	if v.TransactionTimeout == 0 {
		return sink.KafkaSinkTimeout
	}
	return v.TransactionTimeout
}

// checkTransactions: an EXACTLY_ONCE producer whose timeout the broker does not allow fails at its start (spec 6.2).
func (v *Vertex) checkTransactions(bad func(string, ...any)) {
	if v.TransactionTimeout < 0 || v.BrokerMaxTimeout < 0 {
		bad("a transaction timeout of %s is negative; give 1 ms or more", v.Name)
		return
	}
	if v.Guarantee != ExactlyOnce || v.BrokerMaxTimeout == 0 {
		return
	}
	if err := sink.CheckTimeout(v.OpenAtMost(), v.BrokerMaxTimeout); err != nil {
		bad("%s: %v", v.Name, err)
	}
}

func (s *Setup) checkDegree(i, in, out int, bad func(string, ...any)) {
	v := &s.Vertices[i]
	switch {
	case v.Kind == Source && in > 0:
		bad("source %s has an incoming edge; remove it", v.Name)
	case v.Kind != Source && in == 0:
		bad("nothing flows into %s; add an edge to it", v.Name)
	case v.Kind == Sink && out > 0:
		bad("sink %s has an outgoing edge; remove it", v.Name)
	case v.Kind != Sink && out == 0:
		bad("nothing reads from %s; add an edge from it", v.Name)
	case out > maxInputs:
		bad("%s has %d outputs; the lab takes at most %d", v.Name, out, maxInputs)
	case in > maxInputs:
		bad("%s has %d inputs; the lab takes at most %d", v.Name, in, maxInputs)
	}
}

// maxParallelism is the job's: the configured one, or else derived from the largest parallelism at the start.
func (s *Setup) maxParallelism() int {
	if s.MaxParallel > 0 {
		return s.MaxParallel
	}
	most := 1
	for _, v := range s.Vertices {
		most = max(most, v.Parallelism)
	}
	return job.DefaultMaxParallelism(most)
}

// withDefaults fills in what the scenario left open.
func (s Setup) withDefaults() Setup {
	if s.Keys == 0 {
		s.Keys = 1024
	}
	s.MaxParallel = s.maxParallelism()
	s.Options = withinReach(s.Options)
	return s.chain()
}
