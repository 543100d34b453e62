package checkpoint

import "checkpointlab/core/option"

// Ending is the status in which a job ends for good (JobStatus).
type Ending uint8

// The endings.
const (
	JobFinished Ending = iota
	JobFailed
	JobCanceled
	JobSuspended // the JobManager has lost its leadership: another one goes on with the job
)

// Discards reports whether the checkpoints of a job are deleted as it ends (CheckpointProperties.forCheckpoint,
// CompletedCheckpoint.shouldBeDiscardedOnShutdown): of one that has finished always, of one that has failed only if they are not
// externalized, of one that was cancelled unless they are retained then.
func Discards(r option.Retention, e Ending) bool {
	switch e {
	case JobFinished:
		return true
	case JobFailed:
		return r == option.NotExternalized
	case JobCanceled:
		return r != option.RetainOnCancel
	}
	return false // the store is kept where high availability keeps it (DefaultCompletedCheckpointStore.shutdown)
}

// ShutDownStore ends the store of completed checkpoints with the job, behind Shutdown or Cancel (SchedulerBase.shutDownCheckpointServices):
// those that are to be deleted leave it. What the job has started from and does not own stays (CheckpointProperties.forUnclaimedSnapshot).
func (c *Coordinator) ShutDownStore(e Ending, out []Effect) []Effect {
	if !Discards(c.cfg.Retention, e) {
		return out
	}
	kept := c.store[:0]
	for _, id := range c.store {
		if id == c.foreign {
			kept = append(kept, id)
			continue
		}
		out = append(out, Effect{Kind: Deleted, ID: id})
	}
	c.store = kept
	return out
}
