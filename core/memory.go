package core

import (
	"fmt"
	"math/bits"

	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/core/state/keyed"
)

// DefaultMemory is what a run may take if the setup does not say, in bytes: a page's WebAssembly addresses 4 GB, and the page
// itself and a twin for looking back need some of it.
const DefaultMemory int64 = 3 << 30

// What the parts of a run take, in bytes: the sizes of their types and of what they hold, plus some room. A test compares the
// sum with what is really allocated.
const (
	channelMemory = 600  // the channel, its wiring and credit, an open buffer with a run, a barrier at its receiver, what it is while it runs express
	taskMemory    = 7500 // the task, its gauges, a second of shares, a snapshot's record
	slotMemory    = 4    // one slot of a period of dealing, in both of its tables
	runMemory     = 32   // latencies of a run of records
	flightMemory  = 66   // a run of records in flight
	bufferMemory  = 100  // a buffer in flight, without its runs
	fileMemory    = 400  // a file of RocksDB or ForSt, in its level and in what checkpoints keep of it
	readMemory    = 40   // a file that a restore reads
	wireMemory    = 100  // a channel's wiring, in the plan of a phase
	placeMemory   = 400  // a task's place in the plan of a phase
	phasesMemory  = 96   // a task's part of a recorded checkpoint
)

// Memory estimates what a run of the setup takes at its end, in bytes: channels, tasks, dealing, and what is recorded. If the
// job is started anew, every phase is laid out at the start, and the largest one counts as running.
func (s *Setup) Memory() int64 {
	total, largest := s.recordedMemory(), int64(0)
	for i, phase := range s.rescaled() {
		if i > 0 {
			total = satAdd(total, phase.planMemory())
		}
		largest = max(largest, phase.runningMemory())
	}
	return satAdd(total, largest)
}

// planMemory is what one further phase takes from the start, even before it runs.
func (s *Setup) planMemory() int64 {
	total := int64(s.Channels()) * wireMemory
	for i := range s.Vertices {
		total += int64(s.Vertices[i].Parallelism) * placeMemory
	}
	return satAdd(total, s.allDealingMemory())
}

// runningMemory is what a running phase takes, its plan included.
func (s *Setup) runningMemory() int64 {
	total := int64(s.Channels()) * channelMemory
	for i := range s.Vertices {
		total += int64(s.Vertices[i].Parallelism) * taskMemory
	}
	total = satAdd(satAdd(total, s.allDealingMemory()), satAdd(s.filesMemory(), s.unionsMemory()))
	if s.mayFill() {
		for i := range s.Edges {
			buffers, runs := s.inFlight(&s.Edges[i])
			total = satAdd(total, satAdd(satMul(buffers, bufferMemory), satMul(runs, flightMemory)))
		}
	}
	return total
}

// filesMemory is of the files in which states lie that are full from the start.
func (s *Setup) filesMemory() (total int64) {
	file := s.Options.Rocks.FileBase
	switch s.Options.Backend {
	case option.HashMap:
		return 0
	case option.ForSt:
		file = s.Options.ForSt.FileBase
	}
	for i := range s.Vertices {
		for k := range s.Vertices[i].State {
			shape := &s.Vertices[i].State[k]
			entries, _ := shape.AtStart(s.arrivingIn(shape.Kept()))
			files := satScale(satMul(entries, shape.EntryBytes()), shape.Left(), 1000*max(1, file))
			total = satAdd(total, satMul(files, fileMemory))
		}
	}
	return total
}

// unionsMemory is of what is under way while a restore reads union state: every subtask reads the file of every one.
func (s *Setup) unionsMemory() (total int64) {
	for i := range s.Vertices {
		if v := &s.Vertices[i]; s.Storage.On && v.has(keyed.Union) {
			total = satAdd(total, int64(v.Parallelism)*int64(v.Parallelism)*readMemory)
		}
	}
	return total
}

func (s *Setup) allDealingMemory() (total int64) {
	for i := range s.Edges {
		e := &s.Edges[i]
		total = satAdd(total, e.dealingMemory(int64(s.Vertices[e.From].Parallelism), int64(s.Vertices[e.To].Parallelism)))
	}
	return total
}

// mayFill reports whether buffers can pile up: the sources offer more than the slowest vertex takes, or something can happen
// that has this effect.
func (s *Setup) mayFill() bool {
	for i := range s.Vertices {
		if v := &s.Vertices[i]; v.Load.on() || v.History > 0 {
			return true
		}
	}
	offered, taken := s.offered(), s.taken()
	return offered > taken || len(s.Script) > 0
}

// togetherInFlight is the least average number of records per run in flight where nothing splits runs: a back-pressured task
// ends a step with each buffer of 222 records that fills, and the buffers of many channels fill shortly one after the other
// (measured with 4 to 200 channels: 14 and more).
const togetherInFlight = 8

// inFlight bounds how many buffers an exchange has, and how many runs of records they hold. Where a task deals on to several
// channels what was dealt to it, neighbouring records part and each is a run of its own; so is a record that fills a buffer.
func (s *Setup) inFlight(e *Edge) (buffers, runs int64) {
	producers, consumers := int64(s.Vertices[e.From].Parallelism), int64(s.Vertices[e.To].Parallelism)
	channels, o := int64(e.Partition.Channels(int(producers), int(consumers))), &s.Options
	pools := max(channels+producers, channels*int64(o.BuffersPerChannel)+producers*int64(o.FloatingPerGate))
	if e.Partition == Broadcast { // a segment is in each channel
		pools = satMul(pools, consumers)
	}
	gates := channels*int64(o.BuffersPerChannel) + consumers*int64(o.FloatingPerGate)
	buffers = satAdd(pools, gates)
	records := satMul(buffers, 1+int64(o.SegmentSize)/int64(max(1, s.smallest())))
	if s.dealsAgain(e) || s.looks(e.Partition) > 0 && !e.dealsToOne(s) { // a writer that looks writes record by record
		return buffers, records
	}
	return buffers, max(records/togetherInFlight, min(records, buffers))
}

// smallest is the least bytes of a record on the wire.
func (s *Setup) smallest() int32 {
	least := int32(1 << 30)
	for i := range s.Vertices {
		if wire := s.Vertices[i].wire(s.Overhead); wire > 0 {
			least = min(least, wire)
		}
	}
	return least
}

// dealsAgain reports whether a task deals on to several channels what reached it by such an exchange. Of two HASH exchanges of
// equal parallelism the second uses one channel per producer (mechanisms 7).
func (s *Setup) dealsAgain(e *Edge) bool {
	if e.dealsToOne(s) {
		return false
	}
	for i := range s.Edges {
		before := &s.Edges[i]
		equal := before.Partition == Hash && e.Partition == Hash && s.Vertices[e.From].Parallelism == s.Vertices[e.To].Parallelism
		if before.To == e.From && !equal && !before.dealsToOne(s) {
			return true
		}
	}
	return false
}

// dealsToOne reports whether each producer sends everything to a single channel.
func (e *Edge) dealsToOne(s *Setup) bool {
	switch from, to := s.Vertices[e.From].Parallelism, s.Vertices[e.To].Parallelism; e.Partition {
	case Forward, Global, Broadcast:
		return true
	case Rescale:
		return from >= to
	default:
		return to == 1
	}
}

// dealingMemory: a hash or shuffle exchange deals a period by tables, with few channels as bits, too.
func (e *Edge) dealingMemory(producers, consumers int64) int64 {
	switch {
	case e.Partition == Forward || e.Partition == Broadcast || e.Partition == Global:
		return 0
	case e.Partition != Hash && e.Partition != Shuffle:
		return producers * consumers * 2 * slotMemory
	case consumers <= 16:
		return producers * dealingPeriod * (slotMemory + consumers/4)
	}
	return producers * (dealingPeriod*slotMemory + 2*slotMemory*consumers)
}

// recordedMemory is what is recorded: latencies, with one entry for processing and one for visibility of each run of records,
// and checkpoints. A channel makes at most one run per flush, and one whenever a buffer fills.
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

// throughput bounds how many records a second the sources read, limited by the slowest vertex.
func (s *Setup) throughput() int64 {
	return min(s.offered(), s.taken())
}

// offered is at most how many records a second the sources read, taken how many the slowest vertex takes.
func (s *Setup) offered() (read int64) {
	for i := range s.Vertices {
		switch v := &s.Vertices[i]; {
		case v.Kind != Source:
		case v.RateNum == 0:
			read = satAdd(read, v.most())
		default:
			read = satAdd(read, min(v.most(), satMul(v.RateNum*v.logs(), event.Second)/max(1, v.RatePer)))
		}
	}
	return read
}

func (s *Setup) taken() int64 {
	least := event.Never
	for i := range s.Vertices {
		if v := &s.Vertices[i]; v.Kind != Source {
			least = min(least, max(1, v.most()))
		}
	}
	return least
}

// most is how many records a second all subtasks of a vertex can take.
func (v *Vertex) most() int64 {
	if c := v.cost(); c > 0 {
		return satMul(int64(v.Parallelism), event.Second) / c
	}
	return event.Never
}

// satMul and satAdd saturate at the greatest number instead of overflowing; their operands are not negative.
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

// satScale is a * b / c, which stays at the greatest number instead of running over.
func satScale(a, b, c int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if hi >= uint64(c) {
		return event.Never
	}
	q, _ := bits.Div64(hi, lo, uint64(c))
	return int64(min(q, uint64(event.Never)))
}

func inGB(bytes int64) string { return fmt.Sprintf("%.1f GB", float64(bytes)/(1<<30)) }

// checkMemory refuses a run that does not fit before any of it is made.
func (s *Setup) checkMemory() error {
	most := s.MostMemory
	if most == 0 {
		most = DefaultMemory
	}
	if need := s.Memory(); need > most {
		return fmt.Errorf("the run needs about %s of memory (%d channels, %d s recorded) and may take %s; lower the parallelism, the rate or the duration",
			inGB(need), s.Channels(), s.Duration/event.Second, inGB(most))
	}
	return nil
}
