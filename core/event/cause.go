package event

// Cause is why the job, or a region of it, was cancelled; a real job would log it as an exception.
type Cause uint8

// The causes.
const (
	NoCause           Cause = iota
	TaskKilled              // the script's: an exception of the user's code
	ManagerLost             // a TaskManager was lost (heartbeats, broken connections)
	CheckpointsFailed       // more failed in a row than are tolerable
	LeaderLost              // the JobManager lost its leadership
	NoSlots                 // no slots in time (NoResourceAvailableException)
	StateUnread             // its checkpoint could not be read from the storage
	StateUnfit              // its state is not of a kind that it can read
	SinkFailed              // a transaction could not be pre-committed or committed
	RequestGivenUp          // asynchronous I/O without an answer
	OutOfMemory             // the state did not fit the TaskManager's memory
	SyncTooLong             // the synchronous part of a snapshot took longer than it may (FLINK-40200)
	LogUnwritten            // the changelog could not be written
	SavepointFailed         // the savepoint with which it was to stop failed
)

var causes = [...]string{
	"", "TASK_FAILURE", "TASK_MANAGER_LOST", "CHECKPOINT_FAILURES", "LEADERSHIP_LOST", "NO_SLOTS", "STATE_NOT_READ", "STATE_NOT_FITTING", "SINK_FAILURE",
	"ASYNC_REQUEST_FAILED", "OUT_OF_MEMORY", "SYNC_PHASE_TIMEOUT", "CHANGELOG_NOT_WRITTEN", "SAVEPOINT_FAILURE",
}

// String is the cause as a report names it.
func (c Cause) String() string { return causes[c] }
