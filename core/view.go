package core

import (
	"checkpointlab/core/event"
	"checkpointlab/core/metric"
	"checkpointlab/core/sink"
	"checkpointlab/core/task"
)

// View is what can be seen of a run at one instant: everything that is drawn or exported comes from it and from the History.
// Lab.View fills it into the caller's memory, so that repeated views allocate nothing.
type View struct {
	At        event.Time
	Computed  event.Time // the run is computed up to here
	Duration  event.Time
	Vertices  []VertexView
	Exchanges []ExchangeView
	Coord     CoordinatorView
	Managers  []ManagerView      // task managers; empty in a wide job
	Latencies []metric.Histogram // mailboxLatencyMs by task; empty in a wide job
	Budget    Budget
	Account   Account
}

// VertexView is one operator with its subtasks.
type VertexView struct {
	Name  string
	Kind  VertexKind
	Cost  event.Time // ns per record at this instant
	Rate  int64      // sources: records per second and partition, 0 = as fast as it can
	Tasks []TaskView
}

// TaskState is what a subtask is doing, in the words of the picture's state glyph.
type TaskState uint8

// The states, strongest last.
const (
	Running TaskState = iota
	Paused            // by watermark alignment: a source that is ahead of its group
	Aligning
	Syncing
	Uploading    // asynchronous part
	Stalled      // its whole process stands still
	Initializing // works off restored input and has not asked for more (StreamTask.restoreInternal)
	Restoring    // its state is being read
	Waiting      // cancelled, the back-off runs
	Failed       // it failed and waits for its restart, or the job is not restarted
	Finished     // it has come to its end and is gone
	Lost         // gone with its task manager, which nobody has noticed yet
)

// TaskView is one subtask.
type TaskView struct {
	Task              event.Task
	Index             int
	State             TaskState
	Since             event.Time       // Aligning: since when; else since when its thread does what Thread says
	Thread            Thread           // what its thread does at this instant
	Busy, Soft, Hard  int              // per mille of the last second; Idle is the rest
	RateIn, RateOut   int64            // records in the last second
	InUsed, InTotal   int              // buffers of the input gates
	OutUsed, OutTotal int              // buffers of the output pools
	Aligned, ToAlign  int              // channels whose barrier has come, of all; 0, 0 when not aligning
	Checkpoint        event.Checkpoint // the one it aligns, syncs or uploads
	Times             int64            // its records take so many times as long as usual, per mille, for its task manager is throttled; 0 = as usual
	MarkedIdle        bool             // it has told its receivers that it is idle
	InputWatermarks   []int64          // of each input of an operator with several, ms; NoWatermark: none yet
	Window            WindowView       // window operators
	UnderWay, MayBe   int              // requests of asynchronous I/O, and how many there may be; 0, 0 for other operators
	Log               LogView          // sources
	Output            OutputView       // sinks
	Metrics           TaskMetrics
	Stateful          bool
	Keyed             StateView // if Stateful
	HasChangelog      bool
	Changelog         LogCounts // if HasChangelog
	LogWaits          bool      // it passes no record until more of its changelog is written (state.changelog.dstl.dfs.upload.max-in-flight)
}

// Thread is what the task's thread does.
type Thread uint8

// The thread's activities (spec 4.4).
const (
	ThreadIdle Thread = iota
	ThreadBusy
	ThreadSoft // waits for output at the start of a record; mails still run
	ThreadHard // blocked inside an emit
	ThreadSync // in the synchronous part of a snapshot
	ThreadOff  // not running
)

// TaskMetrics are Flink's gauges by Flink's rules (60 s in 5-s steps, spec 4.4), under Flink's names.
type TaskMetrics struct {
	BusyTimeMsPerSecond              int64 // ms in a second, 0 to 1000, as all times per second; -1: Flink's is NaN, for it is a SourceFunction's
	IdleTimeMsPerSecond              int64
	BackPressuredTimeMsPerSecond     int64
	SoftBackPressuredTimeMsPerSecond int64
	HardBackPressuredTimeMsPerSecond int64
	ChangelogBusyTimeMsPerSecond     int64 // part of busy
	MaxSoftBackPressureTimeMs        int64 // ms; the longest single one of the last update, from its own start
	MaxHardBackPressureTimeMs        int64
	AccumulateIdleTimeMs             int64 // ms, since the start of the attempt, as the others
	AccumulateBackPressuredTimeMs    int64
	AccumulateBusyTimeMs             int64 // -1: Flink's is NaN, for the task is not RUNNING or a SourceFunction's
	InitializationTime               int64 // ms
	CheckpointAlignmentTime          int64 // ns
	CheckpointStartDelayNanos        int64 // ns
	DebloatedBufferSize              int64 // bytes
	EstimatedTimeToConsumeBuffersMs  int64 // ms
	NumRecordsIn, NumRecordsOut      int64
	NumBytesIn, NumBytesOut          int64 // out: in buffers that are finished
	NumBytesInLocal                  int64 // in the same task manager; events count as in Flink
	NumBytesInRemote                 int64
	NumBuffersInLocal                int64
	NumBuffersInRemote               int64
	NumBuffersOut                    int64
	NumFiredTimers                   int64
	MailboxQueueSize                 int64
	Rates
	CurrentInputWatermark  int64 // ms; the least int64 = none yet
	CurrentOutputWatermark int64
	Source                 SourceMetrics
}

// SourceMetrics are those of a source's reader (FLIP-33), ms. NoWatermark: Flink has no such gauge yet, or it is undefined.
type SourceMetrics struct {
	SourceIdleTime          int64 // since when it has had nothing to read
	CurrentEmitEventTimeLag int64
	WatermarkLag            int64
	WatermarkAlignmentDrift int64
}

// LogView is the part of the outside log that one source subtask reads. Positions count records, summed over its partitions.
type LogView struct {
	Arrived    int64      // records that are in the log by now
	Read       int64      // records read: the position
	OldestWait event.Time // age of the oldest unread record; 0 if none
	ReadAgain  int64      // records that would be read again if the job failed now
	ReplayTo   int64      // after a failure: positions below this one were read before; 0 = none
	Marks      []LogMark  // barriers that the source has sent, oldest first
}

// LogMark is a position at which a barrier was put into the flow.
type LogMark struct {
	Checkpoint event.Checkpoint
	Position   int64
	Completed  bool
}

// OutputView is what one sink subtask has written to the outside log.
type OutputView struct {
	Guarantee    Guarantee
	Visible      int64 // records a read_committed reader can see
	Written      int64 // records a read_uncommitted reader can see, aborted ones included
	VisibleUpTo  event.Checkpoint
	Duplicates   int64
	Lost         int64             // pre-committed records whose transaction was open for too long
	Transactions []TransactionView // not yet visible, oldest first; the open one last
	Commits      Commits
}

// Commits and LogCounts are the counters of a committer, and of a changelog.
type (
	Commits   = sink.Counts
	LogCounts = task.LogCounts
)

// TransactionView is one transaction that no read_committed reader can see yet.
type TransactionView struct {
	Checkpoint event.Checkpoint // the one that will commit it; 0 = still open
	Records    int64
	Since      event.Time // opened
}

// ExchangeView is one edge with its channels, producer-major, those of a producer in the order of its subpartitions.
type ExchangeView struct {
	From, To  int
	Partition Partition
	Ins, Outs int        // the most channels of a consumer's gate, of a producer's partition
	Gates     []GateView // one per consumer subtask
	Channels  []ChannelView
}

// GateView is an input gate's floating buffers.
type GateView struct {
	Floating     int // in all
	FloatingFree int
}

// CellKind is what one place of a queue holds.
type CellKind uint8

// The kinds of a cell.
const (
	Data CellKind = iota
	Barrier
	Other // another event, such as a cancellation marker
)

// Cell is one place of a queue: a buffer or an event. Queues are listed head first (the head is consumed next).
type Cell struct {
	Kind       CellKind
	Unaligned  bool  // barrier: overtakes
	Open       bool  // the writer still appends to it
	Stored     bool  // in the channel state of the checkpoint in Checkpoint
	Exclusive  bool  // at the receiver: an exclusive buffer, not a floating one
	Bytes      int32 // written (at the sender: not yet sent)
	Usable     int32 // the size it may reach (debloated or the segment)
	Records    int64
	Watermarks int              // among the records
	Oldest     event.Time       // when its oldest record arrived in the log
	Checkpoint event.Checkpoint // barrier: its id; data: 0 or the checkpoint that stored it
	Overtaken  event.Checkpoint // data at the receiver: the newest barrier that came after it and stands ahead of it; 0 = none
	Progress   int              // on the wire: per mille of the way
}

// ChannelView is one channel.
type ChannelView struct {
	Channel   event.Channel
	From, To  int  // subtask indexes
	Sub       int  // its index among its producer's subpartitions
	Input     int  // its index in its consumer's gate
	Local     bool // both ends in one task manager: no credit, no receiver's queue
	Sender    []Cell
	Wire      []Cell
	Receiver  []Cell
	Current   Cell // what the consumer has in hand (Records 0 and Bytes 0: nothing)
	Holding   bool // Current is valid
	Credit    int  // what the sender knows
	Available int  // free buffers the receiver holds for it
	Floating  int  // floating buffers lent to it (free or filled)
	Backlog   int
	Blocked   bool             // the sender waits for the end of the alignment
	BlockedBy event.Checkpoint // the barrier it has handed out
	Usable    int32            // announced buffer size
	Moved     event.Time       // when the sender's queue last moved up because a whole buffer left it; 0 = not known
	Taken     event.Time       // when the consumer took Current, if it is Holding
}

// CoordinatorView is the coordinator's strip.
type CoordinatorView struct {
	Pending        []PendingView // oldest first
	Queued         int           // periodic and user requests that wait
	LastCompleted  event.Checkpoint
	LastDuration   event.Time
	NextTrigger    event.Time // planned; event.Never when off
	Completed      int64      // numberOfCompletedCheckpoints
	FailedTotal    int64      // numberOfFailedCheckpoints
	Restarts       int64      // numRestarts, those by rescaling included
	Rescales       int64      // numRescales
	RestartingTill event.Time // the back-off ends then; 0 = the job runs
	JobFailed      bool
	JobFinished    bool
	Stalled        bool // the JobManager's process stands still
	Backlog        bool // a source works off a backlog: the interval is the one for that
	Stopping       bool // a savepoint is under way with which the job stops
	Status         StatusView
}

// PendingView is one checkpoint in progress.
type PendingView struct {
	Checkpoint event.Checkpoint
	Triggered  event.Time
	Timeout    event.Time
	Savepoint  bool
	Unaligned  bool   // its barriers overtake from the start
	Acks       []bool // by task id
}

// Budget says where the oldest record that no reader can see has spent its age. The parts sum to Age.
type Budget struct {
	Age       event.Time
	Log       event.Time
	Exchanges []event.Time     // by exchange along the path
	Output    event.Time       // in a transaction
	Behind    event.Checkpoint // it follows right behind this barrier; 0 = none yet
}
