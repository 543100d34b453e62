package report

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
)

// SubtaskGauges are one subtask's metrics at the end of a run under Flink's names (spec 11).
type SubtaskGauges struct {
	Vertex  string           `json:"vertex"`
	Subtask int              `json:"subtask"`
	Metrics map[string]int64 `json:"metrics"`
}

func taskMetrics(v *core.View) []SubtaskGauges {
	all := []SubtaskGauges{}
	for i := range v.Vertices {
		for k := range v.Vertices[i].Tasks {
			t := &v.Vertices[i].Tasks[k]
			m := gaugesOf(t)
			kindGauges(m, v.Vertices[i].Kind, t)
			if t.Stateful {
				stateGauges(m, &t.Keyed)
			}
			all = append(all, SubtaskGauges{Vertex: v.Vertices[i].Name, Subtask: t.Index, Metrics: m})
		}
	}
	return all
}

func gaugesOf(t *core.TaskView) map[string]int64 {
	m := &t.Metrics
	return map[string]int64{
		"busyTimeMsPerSecond":              m.BusyTimeMsPerSecond,
		"idleTimeMsPerSecond":              m.IdleTimeMsPerSecond,
		"backPressuredTimeMsPerSecond":     m.BackPressuredTimeMsPerSecond,
		"softBackPressuredTimeMsPerSecond": m.SoftBackPressuredTimeMsPerSecond,
		"hardBackPressuredTimeMsPerSecond": m.HardBackPressuredTimeMsPerSecond,
		"checkpointAlignmentTime":          m.CheckpointAlignmentTime,
		"checkpointStartDelayNanos":        m.CheckpointStartDelayNanos,
		"debloatedBufferSize":              m.DebloatedBufferSize,
		"estimatedTimeToConsumeBuffersMs":  m.EstimatedTimeToConsumeBuffersMs,
		"numRecordsIn":                     m.NumRecordsIn,
		"numRecordsOut":                    m.NumRecordsOut,
		"numBytesIn":                       m.NumBytesIn,
		"numBytesOut":                      m.NumBytesOut,
	}
}

// kindGauges adds what only some operators have: a source's unread records, a sink's transactions that wait for their commit,
// watermarks where there are any, the timers of a window.
func kindGauges(m map[string]int64, kind core.VertexKind, t *core.TaskView) {
	switch kind {
	case core.Source:
		m["pendingRecords"] = t.Log.Arrived - t.Log.Read
	case core.Sink:
		for i := range t.Output.Transactions {
			if t.Output.Transactions[i].Checkpoint != 0 {
				m["pendingCommittables"]++
			}
		}
	}
	m["isBackPressured"] = 0
	if t.Thread == core.ThreadSoft || t.Thread == core.ThreadHard {
		m["isBackPressured"] = 1
	}
	if in := t.Metrics.CurrentInputWatermark; in != core.NoWatermark {
		m["currentInputWatermark"] = in
	}
	if out := t.Metrics.CurrentOutputWatermark; out != core.NoWatermark {
		m["currentOutputWatermark"] = out
	}
	if w := &t.Window; w.Fired > 0 || w.Open > 0 {
		m["numFiredTimers"], m["numLateRecordsDropped"] = w.Fired, w.Late
	}
}

// jobMetrics are the coordinator's metrics under Flink's names. What is told of the last checkpoint is of the checkpoint or savepoint
// that completed last, and -1 before there is one (CheckpointStatsTracker.latestCompletedCheckpoint and its gauges).
func jobMetrics(h *core.History, v *core.View) map[string]int64 {
	m := map[string]int64{
		"lastCheckpointDuration":        -1,
		"lastCheckpointSize":            -1,
		"lastCheckpointFullSize":        -1,
		"lastCompletedCheckpointId":     -1,
		"numberOfInProgressCheckpoints": int64(len(v.Coord.Pending)),
		"numberOfCompletedCheckpoints":  v.Coord.Completed,
		"numberOfFailedCheckpoints":     v.Coord.FailedTotal,
		"totalNumberOfCheckpoints":      v.Coord.Completed + v.Coord.FailedTotal + int64(len(v.Coord.Pending)),
		"numRestarts":                   v.Coord.Restarts,
	}
	if last := lastCompleted(h); last != nil {
		var full, stored int64
		for _, t := range last.Tasks {
			full, stored = full+t.Size, stored+t.Stored
		}
		m["lastCheckpointSize"], m["lastCheckpointFullSize"] = stored, full
		m["lastCheckpointDuration"], m["lastCompletedCheckpointId"] = last.Duration()/event.Millisecond, last.ID
	}
	return m
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
