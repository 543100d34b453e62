package core

import (
	"checkpointlab/core/event"
	"checkpointlab/core/metric"
)

// History is everything the recorders kept of a run. It only grows and is not part of snapshots. A view at time t reads the
// prefix up to t.
type History struct {
	Checkpoints []CheckpointRecord
	Commits     []CommitRecord
	Samples     []Sample
	Moments     []Moment
	Visible     metric.Latencies // visibility latency of every record that became visible
	Pipeline    metric.Latencies // pipeline latency of every record a sink has processed
	Fired       metric.Latencies // for every timer of a window: how long after the window's end it fired
	Failures    []FailureRecord
	Refusals    []RefusalRecord
	Stalls      []StallRecord
	Passages    []Passage // of barriers; empty in jobs with more than MostPassing channels
}

// Outcome is how a checkpoint stands.
type Outcome uint8

// The outcomes.
const (
	InProgress Outcome = iota
	Completed
	FailedCheckpoint
)

// CheckpointRecord is one checkpoint as Flink's REST interface would show it (spec 7.1).
type CheckpointRecord struct {
	ID        event.Checkpoint
	Savepoint bool
	Stop      bool // the job stops with it
	Native    bool // a savepoint in the backend's own format
	Full      bool // a checkpoint whose user asked for all of the state
	Triggered event.Time
	Ended     event.Time // completion or failure
	Finalized event.Time // how long writing its metadata took, between the last acknowledgement and Ended
	Outcome   Outcome
	Reason    event.Reason
	Tasks     []TaskPhases // by task id
	Written   int64        // bytes written to the storage for it, including metadata and channel state but not failed attempts
	Requests  int64        // requests made to write it
	Cleaned   event.Time   // when its own files were deleted; 0 = they are not
	Deletes   int64        // requests made to delete them
}

// Duration is Flink's end-to-end duration: from the trigger to the last acknowledgement, or to the failure.
func (c *CheckpointRecord) Duration() event.Time { return c.Ended - c.Triggered - c.Finalized }

// TaskPhases is one subtask's part of a checkpoint. Times ns; -1 = not known.
type TaskPhases struct {
	Acked      event.Time // instant of the acknowledgement at the coordinator; -1 = none
	StartDelay event.Time
	Alignment  event.Time
	Sync       event.Time
	Async      event.Time
	SyncEnded  event.Time // instant at which the synchronous part was over; -1 = not known
	Processed  int64      // bytes processed between first and last barrier
	Persisted  int64      // bytes of channel state
	Size       int64      // bytes of state, channel state included: the full size
	Stored     int64      // of them, those that this checkpoint added: the checkpointed size
	Unaligned  bool
	Reused     event.Checkpoint // its part is this earlier checkpoint's (region checkpoints, not in Flink); 0 = its own
	Finished   bool             // it had finished before: nobody asked it, and all else is unknown
	Offset     int64            // sources: records read before the barrier
	Sent       event.Time       // instant at which it sent the barrier on; -1 = not known
}

// Passage is one barrier's passage through one channel.
type Passage struct {
	Channel    event.Channel
	Checkpoint event.Checkpoint
	From, To   event.Task
	Sent       event.Time // the sender put it into the flow
	Received   event.Time // the receiver's handler has seen it
}

// MostPassing is the largest number of channels for which the passages of barriers are recorded: in wider jobs they would be
// most of the history, and a picture of them would be solid black.
const MostPassing = 256

// CommitRecord is one checkpoint's records becoming visible, over all sinks. Mean, P99, Max and Min are of their visibility
// latency.
type CommitRecord struct {
	At             event.Time
	Checkpoint     event.Checkpoint
	Records        int64
	Mean, P99, Max event.Time
	Min            event.Time
}

// Sample is one row of the series, every SamplePeriod of simulated time.
type Sample struct {
	At        event.Time
	OldestAge event.Time // age of the oldest record no reader can see
	Pipeline  event.Time // mean time from source to sink of the records processed in the last second
	Lag       int64      // records in the log not yet read (pendingRecords)
	InFlight  int64      // bytes in all queues
	Read      int64      // records read by the sources, in all
	Shown     int64      // records visible, in all
	MarkLag   event.Time // now minus the least watermark that has reached a sink; -1 = none has
}

// SamplePeriod is the time between two samples.
const SamplePeriod = 100 * event.Millisecond

// Moment is an event that the time axis marks.
type Moment struct {
	At   event.Time
	Kind event.Kind // Committed, ScriptDone, TaskFailed, TaskRunning, CheckpointFailed, BackPressured, ChannelBlocked (first alignment)
	Task event.Task
	A    int64
	ID   event.Checkpoint
}

// FailureRecord is one failure and what it cost.
type FailureRecord struct {
	At         event.Time
	RunningAt  event.Time
	RestoredTo event.Checkpoint
	Reread     int64 // records the sources read again
	Duplicates int64 // records shown again by at-least-once sinks
	Rescaled   bool  // no failure: the job restarted with another parallelism, or as a new version
	Cause      event.Cause
	Task       event.Task // whose failure it was; -1 = the job's as a whole
}

// StallRecord is a process that stood still.
type StallRecord struct {
	At      event.Time
	For     event.Time   // as long as it was to
	Until   event.Time   // it went on then; -1 = it has not, or nobody waited for it any more
	Manager event.Task   // the task manager; -1 = the JobManager
	Tasks   []event.Task // that ran there
}

// RefusalRecord is a job that could not start from a snapshot.
type RefusalRecord struct {
	At         event.Time
	Action     int // of the script
	Checkpoint event.Checkpoint
	Why        Refusal
	Words      string // key, value and remedy
}
