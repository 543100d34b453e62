package core

import (
	"checkpointlab/core/event"
	"checkpointlab/core/job"
	"checkpointlab/core/option"
)

// VertexKind says what a vertex does.
type VertexKind uint8

// The kinds of a vertex.
const (
	Map    VertexKind = iota // one record in, one record out
	Source                   // reads a partitioned log
	Sink                     // writes to an outside log
)

// Partition is how an exchange deals records to channels (spec 10.2).
type Partition uint8

// The partitioners.
const (
	Hash Partition = iota
	Rebalance
	Forward
	Rescale
	Shuffle
	Broadcast
	Global
	partitionKinds
)

// partitioners are Flink's partitioners, in the order of Partition.
var partitioners = [partitionKinds]job.Partitioner{
	Hash: job.Hash, Rebalance: job.Rebalance, Forward: job.Forward, Rescale: job.Rescale, Shuffle: job.Shuffle,
	Broadcast: job.Broadcast, Global: job.Global,
}

// Partitioner is Flink's partitioner: its name, its wiring, whether unaligned barriers may travel it.
func (p Partition) Partitioner() job.Partitioner { return partitioners[p] }

// String is the partitioner's name as the plan of a job spells it.
func (p Partition) String() string { return p.Partitioner().String() }

// Guarantee is a sink's delivery guarantee (spec 6.2).
type Guarantee uint8

// The guarantees.
const (
	ExactlyOnce Guarantee = iota // two-phase commit: visible at the commit
	AtLeastOnce                  // flushed at the barrier, visible at once
	NoGuarantee                  // visible at once
)

// Snapshot is what a task's part of a checkpoint costs, given by the scenario (spec 7.1).
type Snapshot struct {
	Sync  event.Time // the task's thread is blocked that long
	Async event.Time // from the end of sync until the state is written
	Size  int64      // bytes of state per subtask
	Files int64      // in which a subtask stores it, without Change; 0 = 1
	Skew  int64      // share of all subtasks' state that the first one has, in millionths; 0 = all have as much

	Change        int64 // bytes that a record changes; 0 = every snapshot stores all, and a changelog logs nothing
	Amplification int64 // bytes that a snapshot stores for 1000 bytes changed since the last one, by compaction; 0 = 1000
}

// Callback is what an operator does on its thread when it hears that a checkpoint is complete (notifyCheckpointComplete). Its
// records become visible when it ends, and mails wait meanwhile, so that the next barrier is late.
type Callback struct {
	Time  event.Time // the first time
	Grows event.Time // by which each time is longer than the one before: a commit that reads the table's whole history
}

// Lock says when a source holds the checkpoint lock: the trigger of a checkpoint waits for it.
type Lock uint8

// The locks.
const (
	NoLock       Lock = iota // it reads when there is room for a record (FLIP-27)
	LockEmit                 // a SourceFunction: it emits under the checkpoint lock, and waits for a buffer in the middle of a record
	LockFirst                // it also holds the lock from its start until its first record has come
	LockSnapshot             // … from its start until it has read what was there at the start (Vertex.History): the snapshot of a table
)

// Vertex is one operator (or chain) of the job.
type Vertex struct {
	Name        string
	Kind        VertexKind
	Parallelism int
	Cost        event.Time // ns that one record holds the task's thread; -1 = the measured default of its kind
	Snapshot    Snapshot
	NoChain     bool  // it is not joined with its neighbours (Setup.Chaining)
	EmitNum     int64 // maps: EmitNum records out for every EmitDen in; 0, 0 = one for one
	EmitDen     int64
	Window      Window
	Async       Async
	Burst       bool         // maps: EmitDen records in make EmitNum at once, with the last of them; else they come as evenly as they can
	State       []KeyedState // what it keeps in the state backend, beside Snapshot.Size
	Callback    Callback

	// Sources.
	Partitions int        // partitions of the log; partition p belongs to subtask p mod Parallelism, so that with fewer some read nothing; 0 = Parallelism
	RateNum    int64      // records that arrive per RatePer in each partition; 0 = a record arrives the moment it can be read
	RatePer    event.Time // ns; 0 when RateNum is 0
	Lock       Lock
	Payload    int32 // bytes of a record's payload, of a map's output, too (0 = as it came in); on the wire it is payload + Setup.Overhead
	Watermarks Watermarks
	Load       Load
	Until      event.Time // the log stops growing then; 0 = never
	EndsAt     event.Time // the source is bounded: its log ends then, and so does the source when it has read all; 0 = no such time
	History    int64      // records of each partition that are there at the start: while they are read the source works off a backlog
	EndsAfter  int64      // … or after that many records of each partition; 0 = no such number

	// Sinks. The times are Kafka's, for EXACTLY_ONCE (spec 6.2).
	Guarantee          Guarantee
	Flush              event.Time // ahead of a barrier, until the outside system has taken what was written; with NoGuarantee, and if nothing was, a writer does not wait (spec 6.2)
	TransactionTimeout event.Time // transaction.timeout.ms; 0 = 1 h, as KafkaSink sets it
	BrokerMaxTimeout   event.Time // transaction.max.timeout.ms, 15 min by default on a broker; 0 = the lab does not check
}

// Edge is one exchange. From and To index Setup.Vertices.
type Edge struct {
	From, To  int
	Partition Partition

	// Of an operator with several inputs (CoProcessFunction), a record of this input:
	Cost             event.Time // holds the thread that many ns; 0 = the vertex's cost
	EmitNum, EmitDen int64      // and EmitNum make for EmitDen of it, 0 for 1 = none; 0, 0 = the vertex's
	Payload          int32      // with a payload of so many bytes; 0 = the vertex's
}

// FirstTrigger says when the first periodic checkpoint is triggered after tasks run (spec 2.1; scheduler.go).
type FirstTrigger uint8

// The behaviours on offer.
const (
	AtRunning  FirstTrigger = iota // as the version does it; 2.3: min-pause after the first task runs, so that it may fail
	AtRandom                       // uniform in [min-pause, interval) after they run, whatever the version
	AtInterval                     // one interval after the start, as the chapter has it
)

// Control holds the times of the control plane. Zero for closed forms; MeasuredControl is what recorded runs show.
type Control struct {
	RPC        event.Time // coordinator to task and back, one way
	Net        event.Time // a buffer's way over the network, one way (credits and resumes take the same)
	Send       event.Time // ns per 1,000 bytes that a sender's network thread writes, one buffer after another
	Receive    event.Time // ns per 1,000 bytes that a receiver's network thread reads; one core does so for all of them
	Wake       event.Time // a thread that slept for input wakes up
	WakeOutput event.Time // a thread that waited for a segment goes on that long after one came back …
	WakeSpread event.Time // … and up to that much later, drawn evenly: how long it waits for a processor
	Finalize   event.Time // from the last acknowledgement until the metadata is written, which a Storage times by itself
	InFlight   event.Time // until a task's data in flight is written where no Storage times that
	FlushExtra event.Time // a flusher's period is the timeout plus this …
	FlushDrift event.Time // … less this for each exchange before the task: flushers that start together part slowly
	Flush      event.Time // ns of processor time that a flusher takes for each channel of its task
	Restore    event.Time // from the end of the back-off until the tasks run again
	LogLead    event.Time // the log began to fill that long before the tasks ran
	FirstFails bool       // whether a trigger within Restore of a start can fail because a task is not RUNNING yet
}

// FlusherPhase says how the tasks' flushers are offset from each other (truth/mechanisms 12).
type FlusherPhase uint8

// The phases on offer.
const (
	PhaseRandom  FlusherPhase = iota // independent, uniform, from the seed: a real cluster
	PhaseAligned                     // all at once, downstream first: a cluster in one process
)

// Do is what a scripted action does.
type Do uint8

// The actions.
const (
	Slow          Do = iota // the vertex's cost becomes Action.Cost
	Rate                    // the source's rate becomes RateNum per RatePer
	Kill                    // the subtask fails
	Trigger                 // a user asks for a checkpoint
	Savepoint               // a user asks for a savepoint
	StorageFault            // the storage becomes slow or lets requests fail
	Stop                    // a user stops the job with a savepoint
	Backlog                 // the source says that it works off a backlog, or that it does not any more
	Lose                    // the task manager of the subtask is lost
	RescaleJob              // the job restarts with another parallelism of the vertex, or of all
	RestoreJob              // a new version of the job is started from a snapshot of this one
	Hang                    // the subtask's thread does nothing for a while
	Elect                   // the JobManager loses its leadership; another one leads after Action.For
	RefuseCommits           // the sink's outside system refuses to commit for Action.For; an attempt takes Action.Cost
	Pause                   // the whole process of the subtask's task manager, or the JobManager's, stands still for Action.For
	Throttle                // the records of all tasks of the subtask's task manager take Action.Times as long for Action.For
	SlowFlush               // the sink's Flush becomes Action.Cost
)

// Action is something that happens in the world at a time. It belongs to the setup, so that a link carries it.
type Action struct {
	At      event.Time
	Do      Do
	Vertex  int
	Subtask int // -1 = all subtasks
	Cost    event.Time
	RateNum int64
	RatePer event.Time

	// StorageFault.
	Slow  int64      // per mille of the usual time that everything takes from then on; 0 = as before
	Fail  int64      // share of requests that fail from then on, in millionths; -1 = as before
	Late  int64      // share of requests whose answer comes By later from then on, in millionths
	By    event.Time // 0 = as before
	Where Where

	Full   bool // Trigger: it stores all and uses no file of the checkpoints before it (triggerType FULL of the REST interface)
	Native bool // Savepoint, Stop: in the backend's own format, not the canonical one
	Drain  bool // Stop: the operators end, so that no state goes on (--drain)
	Over   bool // Backlog: it does not any more

	For    event.Time // Hang: so long; 0 = until the task is restarted. Elect: without a leader. RefuseCommits, Pause, Throttle: so long
	Times  int64      // Throttle: per mille, more than 1000
	Master bool       // Pause: the JobManager's process
	InSync bool       // Hang: not at once, but in the synchronous part of the subtask's next snapshot
	Deaf   bool       // Hang: no interrupt ends it, so that a restart waits for it, or for the end of the process (task.cancellation.timeout)

	// RescaleJob, RestoreJob.
	Parallelism   int  // of Vertex, or with -1 of all; RestoreJob: 0 = as it was
	FromSavepoint bool // it is stopped with a savepoint and starts from that; else it is cancelled and goes back to the last checkpoint

	// RestoreJob: what is different in the new version. Whose the snapshot is says execution.state-recovery.claim-mode.
	Renamed     bool // Vertex has another uid
	MaxParallel int  // pipeline.max-parallelism; 0 = as it was
	Backend     int  // 1 + state.backend.type, an option.StateBackend; 0 = as it was

	// Lose, Pause.
	Silent bool       // Lose: nobody notices: its host hangs or is cut off; else its process ends, and its connections break
	Back   event.Time // as many slots are there again so long after; 0 = Lose: there are free ones, Pause: when the process goes on
}

// Where says whose requests a fault of the storage is about.
type Where uint8

// The clients.
const (
	Everywhere Where = iota
	OnlyTasks
	OnlyJobManager
)

// Cluster says which tasks share a task manager; channels within one are local (spec 4.3). The zero value gives every
// subtask a task manager of its own, as in the recorded runs.
type Cluster struct {
	Slots   int    // per task manager; 0 = one task manager a subtask
	Disk    Disk   // of each task manager; the zero value is a local SSD
	Remote  Remote // where ForSt works; the zero value is an object store
	Sharing bool   // slot sharing: a slot holds one subtask of every vertex; else one subtask
}

// Setup determines a run completely: the same setup gives the same run, to the last event.
type Setup struct {
	Vertices     []Vertex
	Edges        []Edge
	Options      option.Config
	Script       []Action // in order of At
	Duration     event.Time
	Seed         uint64
	Keys         int   // distinct keys, dealt to key groups by their hash code (spec 10.1); default 1024
	HotShareMill int64 // share of records with key 0 on top of the even ones, in millionths
	Overhead     int32 // bytes a record costs on the wire beyond its payload; default 47
	MaxParallel  int   // pipeline.max-parallelism; 0 = derived from the largest parallelism (job.DefaultMaxParallelism)
	FirstTrigger FirstTrigger
	FlusherPhase FlusherPhase
	Control      Control
	Cluster      Cluster
	Storage      Storage
	Chaining     bool       // pipeline.operator-chaining.enabled: FORWARD neighbours run in one task (spec 10.3)
	RegionReuse  int        // region checkpoints, which no released Flink has: how many times in a row a region's last part may be used again (checkpoint.Regions); 0 = none
	SyncTimeout  event.Time // a task whose synchronous part takes longer fails: execution.checkpointing.sync-phase-timeout of FLINK-40200, which no released Flink has; 0 = never
	MostMemory   int64      // bytes that the run may take by Memory's estimate; 0 = DefaultMemory
}

// MeasuredControl is the control plane of the recorded runs (truth/). Flush is too small to show in them; it comes from the
// benchmark in Flink's blog, "A Deep-Dive into Flink's Network Stack" (2019): on 100 nodes with 8 slots a timeout of 1 ms
// leaves at most 75 % of the throughput at 100 ms, that is, a quarter of 1.33 ms for 800 channels.
func MeasuredControl() Control {
	return Control{
		RPC: 1500 * event.Microsecond, Net: 100 * event.Microsecond, Finalize: 2 * event.Millisecond,
		FlushExtra: 90 * event.Microsecond, FlushDrift: 1500, Flush: 400, Restore: 15 * event.Millisecond, FirstFails: true,
	}
}

// Channels counts the channels of an exchange.
func (p Partition) Channels(producers, consumers int) int {
	if p.Partitioner().Pattern() == job.Pointwise {
		return max(producers, consumers)
	}
	return producers * consumers
}

// Channels counts the channels of the job's exchanges.
func (s *Setup) Channels() int {
	n := 0
	for _, e := range s.Edges {
		n += e.Partition.Channels(s.Vertices[e.From].Parallelism, s.Vertices[e.To].Parallelism)
	}
	return n
}
