package option

import "checkpointlab/core/event"

// Mode is execution.checkpointing.mode.
type Mode uint8

// The modes.
const (
	ExactlyOnce Mode = iota
	AtLeastOnce
)

// RestartKind is restart-strategy.type.
type RestartKind uint8

// The strategies (spec 1.4, 9.2).
const (
	RestartDefault RestartKind = iota // none without checkpointing, exponential-delay with it (>= 1.19)
	RestartNone
	RestartFixedDelay
	RestartFailureRate
	RestartExponentialDelay
)

// StorageKind is execution.checkpointing.storage.
type StorageKind uint8

// The kinds.
const (
	FileSystemStorage StorageKind = iota // what a directory gives, and what the lab takes where nothing is said
	JobManagerStorage                    // all state in the metadata, on the JobManager's heap
)

// Config is the options that act in a run, typed and with Flink's defaults applied.
// Times are ns, sizes bytes. It is made by Resolve and read by every room of the core.
type Config struct {
	Version string // "1.18", "1.20" or "2.3": decides which options act and how

	Interval              event.Time // execution.checkpointing.interval; 0 = periodic checkpoints off
	IntervalDuringBacklog event.Time // -1 = not set
	Mode                  Mode
	Timeout               event.Time
	MinPause              event.Time
	MaxConcurrent         int
	Tolerable             int
	Unaligned             bool
	AlignedTimeout        event.Time
	InterruptibleTimers   bool // a barrier comes in between two timers of one watermark; only with Unaligned
	AfterTasksFinish      bool
	Retained              int

	BufferTimeout event.Time // execution.buffer-timeout.interval; 0 = flush after each record, -1 = disabled

	Debloat          bool
	DebloatPeriod    event.Time
	DebloatSamples   int
	DebloatTarget    event.Time
	DebloatThreshold int // per cent

	SegmentSize         int32
	MinSegmentSize      int32
	StartingSegmentSize int32
	BuffersPerChannel   int // 2 in 2.x whatever is set (spec 1.2)
	FloatingPerGate     int // 8
	MaxPerChannel       int // 10
	MaxOverdraft        int // 20 in 2.x, 5 in 1.x

	AdaptivePartitioner bool // REBALANCE and RESCALE look for the channel with the least to send
	AdaptiveTraverse    int  // … among so many, 2 or more

	Restart                RestartKind
	RestartAttempts        int        // fixed-delay
	RestartDelay           event.Time // fixed-delay
	RestartFailures        int        // failure-rate: max failures per interval
	RestartFailureDelay    event.Time // failure-rate
	RestartFailureInterval event.Time
	RestartInitialBackoff  event.Time
	RestartMaxBackoff      event.Time
	RestartMultiplier      float64
	RestartResetThreshold  event.Time
	RestartJitter          float64
	RestartAttemptsToReset int // exponential-delay; -1 = infinite

	Storage             StorageKind // execution.checkpointing.storage
	InlineThreshold     int64       // files up to so many bytes go into the metadata
	ParallelClean       bool        // the files of one checkpoint are deleted at once by all I/O threads
	IOPool              int         // jobmanager.io-pool.size: I/O threads of the JobManager
	FileMerging         bool
	FileMergingAcross   bool
	FileMergingSize     int64
	ChannelFileSubtasks int // subtasks that put their channel state into one file

	ClaimMode       ClaimMode // of the snapshot that a new version of the job starts from
	IgnoreUnclaimed bool      // state of an operator that the job does not have is dropped at the start; else it fails
	Retention       Retention // what becomes of the checkpoints of a job that fails for good or is cancelled
	LocalBackup     bool      // state is kept on the task manager's disk, too
	FromLocal       bool      // … and read from there where it is

	Changelog            bool
	ChangelogMaterialize event.Time // 0 = never
	ChangelogFailures    int        // consecutive failures of a materialization that are tolerated
	ChangelogBatchDelay  event.Time
	ChangelogBatchSize   int64
	ChangelogPreemptive  int64
	ChangelogInFlight    int64
	ChangelogRetryDelay  event.Time

	HeartbeatInterval event.Time
	HeartbeatTimeout  event.Time // longer than the interval
	HeartbeatFailures int        // heartbeat.rpc-failure-threshold; -1 = off
	KeepIdle          int        // s without traffic until a connection is probed
	KeepInterval      int        // s from probe to probe
	KeepCount         int        // unanswered probes that end it
	CommitRetries     int        // sink.committer.retries
	WithoutFlow       int        // execution.state-recovery.without-channel-state.checkpoint-id; -1 = none
	RecoverDownstream bool       // execution.checkpointing.unaligned.recover-output-on-downstream.enabled: restored output goes to its consumers
	DuringRecovery    bool       // execution.checkpointing.during-recovery.enabled: restored input does not hold a task; only with RecoverDownstream
	PauseSources      bool       // pipeline.sources.pause-until-first-checkpoint: restored sources read nothing before their first snapshot
	CancelTimeout     event.Time // task.cancellation.timeout; 0 = a task manager waits forever
	FailoverFull      bool       // jobmanager.execution.failover-strategy: every failure restarts all tasks

	AutoWatermark  event.Time // pipeline.auto-watermark-interval; 0 = no watermarks
	Chaining       bool       // pipeline.operator-chaining.enabled
	Parallelism    int        // parallelism.default: of the vertices that name none
	MaxParallelism int        // pipeline.max-parallelism; -1 = derived from the parallelism (spec 10.1)

	Backend             StateBackend
	Incremental         bool
	SnapshotCompression bool
	Rocks               LSM
	ForSt               LSM
	ForStCacheLimit     int64 // 0 = as much as fits
	ForStCacheReserve   int64
	ForStPromote        int // cache.lru.access-before-promote
	ForStReadIO         int // executor.read-io-parallelism
	ForStWriteIO        int
	ForStInlineWrite    bool
	AsyncBuffer         int // execution.async-state.total-buffer-size
	Memory              Memory
}

// KeepAlive is how long an idle connection lives whose other end does not answer.
func (c *Config) KeepAlive() event.Time {
	return (event.Time(c.KeepIdle) + event.Time(c.KeepInterval)*event.Time(c.KeepCount)) * event.Second
}
