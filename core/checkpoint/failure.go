package checkpoint

import (
	"math"

	"checkpointlab/core/event"
)

// NoID stands for a checkpoint that failed before it had an id.
const NoID event.Checkpoint = -1

// UnlimitedFailures as the tolerable number means that no failure counts.
const UnlimitedFailures = math.MaxInt32

// FailureManager counts consecutive failures of checkpoints (spec 2.6, vectors failures.*).
type FailureManager struct {
	tolerable     int
	continuous    int
	lastSucceeded event.Checkpoint
	counted       []event.Checkpoint // each checkpoint counts once; at most tolerable + 1
}

// NewFailureManager starts with no failure. tolerable is at least 0.
func NewFailureManager(tolerable int) FailureManager {
	if tolerable < 0 {
		panic("checkpoint: the tolerable number of failures is negative")
	}
	return FailureManager{tolerable: tolerable, lastSucceeded: math.MinInt64}
}

// Fail notes a failure and reports whether the job has to fail. fromTask says that a task reported it; failures before the
// tasks are asked count as the coordinator's, whoever reports them.
func (m *FailureManager) Fail(id event.Checkpoint, reason event.Reason, s Snapshot, fromTask bool) (failJob bool) {
	if fromTask && !preFlight(reason) {
		if s.IsSynchronous() {
			return true // else the job would wait forever for the savepoint that it stops with
		}
	} else if s.IsSavepoint() {
		return false // asked for by hand; a restart would not help
	}
	if id != NoID && id <= m.lastSucceeded {
		return false
	}
	m.count(id, reason)
	if m.continuous <= m.tolerable {
		return false
	}
	m.reset()
	return true
}

// count adds a failure if its reason counts and its checkpoint has not counted yet.
func (m *FailureManager) count(id event.Checkpoint, reason event.Reason) {
	if m.tolerable == UnlimitedFailures || !Counted(reason) {
		return
	}
	if id != NoID {
		for _, c := range m.counted {
			if c == id {
				return
			}
		}
		m.counted = append(m.counted, id)
	}
	m.continuous++
}

// Succeed notes a completed checkpoint or savepoint: the count starts anew if no newer one has succeeded.
func (m *FailureManager) Succeed(id event.Checkpoint) {
	if id > m.lastSucceeded {
		m.lastSucceeded = id
		m.reset()
	}
}

// Continuous is the number of consecutive failures that count.
func (m *FailureManager) Continuous() int { return m.continuous }

func (m *FailureManager) reset() {
	m.continuous = 0
	m.counted = m.counted[:0]
}

// CopyFrom makes m a copy of o that shares no memory with it.
func (m *FailureManager) CopyFrom(o *FailureManager) {
	counted := append(m.counted[:0], o.counted...)
	*m = *o
	m.counted = counted
}

// Counted reports whether failures of this reason count against the tolerable ones (spec 2.6).
func Counted(r event.Reason) bool {
	switch r {
	case event.IOException, event.CheckpointAsyncException, event.CheckpointDeclined, event.CheckpointExpired,
		event.FinalizeCheckpointFailure:
		return true
	}
	return false
}

// preFlight reports whether Flink marks the reason as arising before tasks are asked (CheckpointFailureReason).
func preFlight(r event.Reason) bool {
	switch r {
	case event.PeriodicSchedulerShutdown, event.TooManyCheckpointRequests, event.MinimumTimeBetweenCheckpoints,
		event.NotAllRequiredTasksRunning, event.IOException, event.BlockingOutputExist:
		return true
	}
	return false
}
