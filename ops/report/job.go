package report

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
)

// jobMetrics are the coordinator's metrics under Flink's names. What is told of the last checkpoint is of the checkpoint or savepoint
// that completed last, and -1 before there is one (CheckpointStatsTracker.latestCompletedCheckpoint and its gauges).
func jobMetrics(version string, h *core.History, v *core.View) map[string]int64 {
	m := map[string]int64{
		"lastCheckpointDuration":        -1,
		"lastCheckpointSize":            -1,
		"lastCheckpointFullSize":        -1,
		"lastCompletedCheckpointId":     -1,
		"lastCheckpointProcessedData":   -1,
		"lastCheckpointPersistedData":   -1,
		"numberOfInProgressCheckpoints": int64(len(v.Coord.Pending)),
		"numberOfCompletedCheckpoints":  v.Coord.Completed,
		"numberOfFailedCheckpoints":     v.Coord.FailedTotal,
		"totalNumberOfCheckpoints":      v.Coord.Completed + v.Coord.FailedTotal + int64(len(v.Coord.Pending)),
		"numRestarts":                   v.Coord.Restarts,
	}
	if version == "2.3" {
		m["numRescales"] = v.Coord.Rescales
	}
	statusMetrics(m, &v.Coord.Status)
	if last := lastCompleted(h); last != nil {
		var full, stored, processed, persisted int64
		for _, t := range last.Tasks {
			full, stored, processed, persisted = full+t.Size, stored+t.Stored, processed+t.Processed, persisted+t.Persisted
		}
		m["lastCheckpointProcessedData"], m["lastCheckpointPersistedData"] = processed, persisted
		m["lastCheckpointSize"], m["lastCheckpointFullSize"] = stored, full
		m["lastCheckpointDuration"], m["lastCompletedCheckpointId"] = last.Duration()/event.Millisecond, last.ID
	}
	return m
}

// statusMetrics adds how long the job has been in the statuses in which it spends time here, and what Flink tells of that besides
// (JobStatusMetrics, UpTimeGauge, DownTimeGauge: a job that restarts is not FAILING, so downtime is 0 until it is over). Instants are ms
// of the run.
func statusMetrics(m map[string]int64, s *core.StatusView) {
	const ms = event.Millisecond
	m["runningTime"], m["runningTimeTotal"] = s.RunningTime/ms, s.RunningTotal/ms
	m["restartingTime"], m["restartingTimeTotal"] = s.RestartingTime/ms, s.RestartingTotal/ms
	m["runningState"], m["restartingState"] = flag(s.Status == core.JobRunning), flag(s.Status == core.JobRestarting)
	m["uptime"], m["downtime"] = s.RunningTime/ms, 0
	if s.Status == core.JobOver {
		m["uptime"], m["downtime"] = -1, -1
	}
	m["lastCheckpointRestoreTimestamp"] = -1
	if s.Restored >= 0 {
		m["lastCheckpointRestoreTimestamp"] = s.Restored / ms
	}
}

func flag(on bool) int64 {
	if on {
		return 1
	}
	return 0
}

// lastCompleted is the checkpoint or savepoint that completed last, nil if none has: with a savepoint beside it, not always the one
// of the highest id.
func lastCompleted(h *core.History) (last *core.CheckpointRecord) {
	for i := range h.Checkpoints {
		if r := &h.Checkpoints[i]; r.Outcome == core.Completed && (last == nil || r.Ended >= last.Ended) {
			last = r
		}
	}
	return last
}
