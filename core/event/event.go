// Package event holds the ids, the time and the feed of events that all rooms of the core share.
//
// Time is int64 nanoseconds since the start of the simulation, sizes are bytes, counts are integers. The feed is how a run
// reports what happened: recorders (history, plots, traces, tests) listen to it and never look into a room.
package event

// Time is an instant in nanoseconds since the run's start, or a span in nanoseconds.
type Time = int64

// Spans of simulated time in nanoseconds.
const (
	Microsecond Time = 1_000
	Millisecond Time = 1_000_000
	Second      Time = 1_000_000_000
	// TimerLag is by how much a timer of Flink fires behind the time it was registered for (ProcessingTimeServiceUtil.getProcessingTimeDelay).
	TimerLag = Millisecond
	// Never is later than every instant of a run.
	Never Time = 1<<63 - 1
)

// Task is the dense id of one subtask of one vertex, 0-based over the whole job.
type Task = int32

// Channel is the dense id of one channel (one producer subtask to one consumer subtask of one edge), 0-based.
type Channel = int32

// Checkpoint is a checkpoint's id; Flink counts from 1 (spec 2.3).
type Checkpoint = int64

// Kind says what happened.
type Kind uint8

// The kinds of the feed. A, B and N carry what the comment says; unused fields are 0.
const (
	None                Kind = iota
	BufferSent               // Channel; A bytes, N records: the network took it from the subpartition
	BufferReceived           // Channel; A bytes, N records: it stands in the receiver's queue
	BarrierSent              // Channel, Checkpoint; A 1 if it is a priority (unaligned) barrier
	BarrierReceived          // Channel, Checkpoint; the task's handler has seen it
	ChannelBlocked           // Channel, Checkpoint
	ChannelResumed           // Channel
	CheckpointTriggered      // Checkpoint; A its kind (checkpoint.Snapshot), B the format of a savepoint (checkpoint.Format)
	TaskSnapshot             // Task, Checkpoint; A start delay, N alignment (ns), B bytes processed between first and last barrier: the barrier was sent on
	TaskAligned              // Task, Checkpoint; A alignment (ns), N bytes processed in it, B bytes of channel state: the last barrier of an unaligned checkpoint came
	TaskSynced               // Task, Checkpoint; A sync (ns): the synchronous part is over
	TaskStored               // Task, Checkpoint; A bytes of state and channel state, N those that it added, B of channel state: the asynchronous part is over
	TaskAcknowledged         // Task, Checkpoint: the coordinator has the acknowledgement
	CheckpointCompleted      // Checkpoint; A end-to-end duration in ns
	CheckpointFailed         // Checkpoint; A the Reason
	CheckpointDropped        // a request that was not started; A the Reason
	Committed                // Task, Checkpoint; N records made visible
	TaskFailed               // Task
	JobRestarting            // A the back-off in ns
	TaskRestored             // Task; A offset for a source
	TaskRunning              // Task
	JobFailed                // no restart possible
	BufferSize               // Channel; A announced usable size in bytes (debloating)
	BackPressured            // Task; A 1 begins, 0 ends
	ScriptDone               // A index into the setup's script
	TransactionAborted       // Task, Checkpoint (0 = the open one); N records
	EndSent                  // Channel; A 0 EndOfData, 1 EndOfPartition: the network took it from the subpartition
	TaskEnded                // Task; A 1 with the end of its operators (drain), 0 without: it has sent EndOfData
	TaskFinished             // Task: it has sent EndOfPartition and is gone
	JobFinished              // every task is known to have finished
	Watermark                // Task; A its output watermark in ms, N 1 if it has become idle, 2 if active again
	Rescaled                 // Checkpoint: the job goes back to it with another parallelism, or a new version starts from it; A index into the setup's script, N records that are read again
	RescaleRefused           // Checkpoint: the job cannot; A index into the setup's script, N why (core.Refusal)
	RegionReused             // Task, Checkpoint: it has the task's part of checkpoint A (region checkpoints, not in Flink)
	TaskInitializing         // Task: it is INITIALIZING until it has consumed its restored input; TaskRunning follows
	ProcessStalled           // A task manager (-1 the JobManager), N ns from now: the whole process stands still that long
	ProcessResumed           // A task manager (-1 the JobManager): it goes on
)

// Event is one line of the feed.
type Event struct {
	At         Time
	Kind       Kind
	Task       Task
	Channel    Channel
	Checkpoint Checkpoint
	A, N, B    int64
}

// Reason is Flink's CheckpointFailureReason, by its own names (spec 2.6).
type Reason uint8

// The reasons, in Flink's words.
const (
	NoReason Reason = iota
	PeriodicSchedulerShutdown
	TooManyCheckpointRequests
	MinimumTimeBetweenCheckpoints
	NotAllRequiredTasksRunning
	BlockingOutputExist
	IOException
	ChannelStateSharedStreamException
	CheckpointAsyncException
	CheckpointExpired
	CheckpointSubsumed
	CheckpointDeclined
	CheckpointDeclinedTaskNotReady
	CheckpointDeclinedTaskClosing
	CheckpointDeclinedSubsumed
	CheckpointDeclinedOnCancellationBarrier
	CheckpointDeclinedInputEndOfStream
	CheckpointCoordinatorShutdown
	CheckpointCoordinatorSuspend
	JobFailoverRegion
	TaskFailure
	TaskCheckpointFailure
	UnknownTaskCheckpointNotificationFailure
	FinalizeCheckpointFailure
	TriggerCheckpointFailure
	reasons
)

var reasonNames = [reasons]string{
	"", "PERIODIC_SCHEDULER_SHUTDOWN", "TOO_MANY_CHECKPOINT_REQUESTS", "MINIMUM_TIME_BETWEEN_CHECKPOINTS",
	"NOT_ALL_REQUIRED_TASKS_RUNNING", "BLOCKING_OUTPUT_EXIST", "IO_EXCEPTION", "CHANNEL_STATE_SHARED_STREAM_EXCEPTION",
	"CHECKPOINT_ASYNC_EXCEPTION", "CHECKPOINT_EXPIRED", "CHECKPOINT_SUBSUMED", "CHECKPOINT_DECLINED",
	"CHECKPOINT_DECLINED_TASK_NOT_READY", "CHECKPOINT_DECLINED_TASK_CLOSING", "CHECKPOINT_DECLINED_SUBSUMED",
	"CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER", "CHECKPOINT_DECLINED_INPUT_END_OF_STREAM",
	"CHECKPOINT_COORDINATOR_SHUTDOWN", "CHECKPOINT_COORDINATOR_SUSPEND", "JOB_FAILOVER_REGION", "TASK_FAILURE",
	"TASK_CHECKPOINT_FAILURE", "UNKNOWN_TASK_CHECKPOINT_NOTIFICATION_FAILURE", "FINALIZE_CHECKPOINT_FAILURE",
	"TRIGGER_CHECKPOINT_FAILURE",
}

// String is the reason in Flink's spelling.
func (r Reason) String() string { return reasonNames[r] }

// AllReasons lists every reason but NoReason.
func AllReasons() []Reason {
	all := make([]Reason, 0, int(reasons)-1)
	for r := NoReason + 1; r < reasons; r++ {
		all = append(all, r)
	}
	return all
}

// ParseReason finds a reason by Flink's spelling; ok is false for an unknown one.
func ParseReason(s string) (r Reason, ok bool) {
	for i, n := range reasonNames {
		if n == s && i > 0 {
			return Reason(i), true
		}
	}
	return NoReason, false
}
