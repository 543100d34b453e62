package core

import (
	"fmt"

	"checkpointlab/core/event"
)

// DefaultMemory is what a run may take if the setup says nothing: a page's WebAssembly addresses 4 GB, and the page itself
// and a twin for looking back need some of it.
const DefaultMemory int64 = 3 << 30

// What the parts of a run take, in bytes: the sizes of their types and of what stands in them, with some room. A test
// compares the sum with what is really taken.
const (
	channelMemory = 600  // the channel, its wiring and credit, an open buffer with a run
	taskMemory    = 6000 // the task, its gauges, a second of shares, a snapshot's record
	slotMemory    = 4    // one slot of a period of dealing, in both of its tables
	runMemory     = 40   // latencies of a run of records
	phasesMemory  = 96   // a task's part of a recorded checkpoint
)

// Memory estimates what a run of the setup takes at its end, in bytes: channels, tasks, dealing, and what is recorded.
func (s *Setup) Memory() int64 {
	total := int64(s.Channels())*channelMemory + s.recordedMemory()
	for i := range s.Vertices {
		total += int64(s.Vertices[i].Parallelism) * taskMemory
	}
	for _, e := range s.Edges {
		total += e.dealingMemory(int64(s.Vertices[e.From].Parallelism), int64(s.Vertices[e.To].Parallelism))
	}
	return total
}

// dealingMemory: a hash or shuffle exchange deals a period by tables, with few channels counted at each slot.
func (e *Edge) dealingMemory(producers, consumers int64) int64 {
	switch {
	case e.Partition == Forward || e.Partition == Broadcast || e.Partition == Global:
		return 0
	case e.Partition != Hash && e.Partition != Shuffle:
		return producers * consumers * 2 * slotMemory
	case consumers <= 16:
		return producers * dealingPeriod * (slotMemory + 2*consumers)
	}
	return producers * (dealingPeriod*slotMemory + 2*slotMemory*consumers)
}

// recordedMemory is the latencies, of which each run of records has one of processing and one of becoming visible, and the
// checkpoints. A channel makes at most a run with every flush, and one as often as a buffer fills.
func (s *Setup) recordedMemory() int64 {
	seconds := s.Duration/event.Second + 1
	records, tasks := s.throughput(), int64(0)
	for i := range s.Vertices {
		tasks += int64(s.Vertices[i].Parallelism)
	}
	flushes := int64(1)
	if t := s.Options.BufferTimeout; t > 0 {
		flushes = max(1, event.Second/t)
	}
	runs := min(records, int64(s.Channels())*flushes+records/50)
	total := satMul(satMul(runs, 2*runMemory), seconds)
	if interval := s.Options.Interval; interval > 0 {
		total = satAdd(total, satMul(s.Duration/max(interval, event.Millisecond), tasks*phasesMemory))
	}
	return total
}

// throughput is at most how many records a second the sources read and the slowest vertex takes.
func (s *Setup) throughput() int64 {
	read, least := int64(0), event.Never
	for i := range s.Vertices {
		v := &s.Vertices[i]
		most := event.Never
		if c := v.cost(); c > 0 {
			most = satMul(int64(v.Parallelism), event.Second) / c
		}
		switch {
		case v.Kind != Source:
			least = min(least, max(1, most))
		case v.RateNum == 0:
			read = satAdd(read, most)
		default:
			read = satAdd(read, min(most, satMul(v.RateNum*v.logs(), event.Second)/max(1, v.RatePer)))
		}
	}
	return min(read, least)
}

// satMul and satAdd stay at the greatest number instead of running over; their operands are not negative.
func satMul(a, b int64) int64 {
	if a > 0 && b > event.Never/a {
		return event.Never
	}
	return a * b
}

func satAdd(a, b int64) int64 {
	if a > event.Never-b {
		return event.Never
	}
	return a + b
}

func inGB(bytes int64) string { return fmt.Sprintf("%.1f GB", float64(bytes)/(1<<30)) }

// checkMemory refuses what does not fit before anything of it is made.
func (s *Setup) checkMemory(bad func(string, ...any)) {
	most := s.MostMemory
	if most == 0 {
		most = DefaultMemory
	}
	if need := s.Memory(); need > most {
		bad("the run needs about %s of memory (%d channels, %d s recorded) and may take %s; lower the parallelism, the rate or the duration",
			inGB(need), s.Channels(), s.Duration/event.Second, inGB(most))
	}
}
