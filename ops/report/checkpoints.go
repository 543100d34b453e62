package report

import (
	"slices"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/metric"
)

// Checkpoints are the counts, as Flink's REST interface counts, the durations of the completed ones and the history.
type Checkpoints struct {
	Restored   int          `json:"restored"` // how often the job went back to one
	Total      int          `json:"total"`
	InProgress int          `json:"in_progress"`
	Completed  int          `json:"completed"`
	Merged     int          `json:"merged,omitempty"` // of the completed ones: with a region's part of an earlier one (region checkpoints, not in Flink)
	Failed     int          `json:"failed"`
	Duration   Latencies    `json:"duration_ms"` // end to end, of the completed ones
	History    []Checkpoint `json:"history"`     // oldest first
}

// Checkpoint is one checkpoint or savepoint.
type Checkpoint struct {
	ID        int64     `json:"id"`
	Savepoint bool      `json:"is_savepoint"`
	Status    string    `json:"status"` // IN_PROGRESS, COMPLETED, FAILED
	Triggered float64   `json:"triggered_ms"`
	Duration  float64   `json:"end_to_end_duration_ms"` // -1 while in progress
	Reason    string    `json:"failure_reason,omitempty"`
	Size      int64     `json:"state_size"`        // of all acknowledged subtasks
	Stored    int64     `json:"checkpointed_size"` // of them, what it added
	Requests  int64     `json:"requests"`          // to the storage
	Subtasks  []Subtask `json:"subtasks"`
}

// Subtask is one subtask's part of a checkpoint. Times ms, -1 = not known.
type Subtask struct {
	Vertex     string  `json:"vertex"`
	Index      int     `json:"subtask"`
	Duration   float64 `json:"end_to_end_duration_ms"`
	StartDelay float64 `json:"start_delay_ms"`
	Alignment  float64 `json:"alignment_ms"`
	Sync       float64 `json:"sync_ms"`
	Async      float64 `json:"async_ms"`
	Processed  int64   `json:"processed_data"`
	Persisted  int64   `json:"persisted_data"`
	Size       int64   `json:"state_size"`
	Stored     int64   `json:"checkpointed_size"`
	Unaligned  bool    `json:"unaligned_checkpoint"`
	Finished   bool    `json:"finished"`              // it had finished before
	Reused     int64   `json:"reused_from,omitempty"` // its part is this earlier checkpoint's (region checkpoints, not in Flink)
}

var statuses = [...]string{core.InProgress: "IN_PROGRESS", core.Completed: "COMPLETED", core.FailedCheckpoint: "FAILED"}

func checkpointsOf(s *core.Setup, h *core.History) Checkpoints {
	owners := subtaskNames(s)
	c := Checkpoints{Total: len(h.Checkpoints), History: make([]Checkpoint, 0, len(h.Checkpoints))}
	var durations metric.Latencies
	for i := range h.Checkpoints {
		r := &h.Checkpoints[i]
		switch r.Outcome {
		case core.Completed:
			c.Completed++
			if slices.ContainsFunc(r.Tasks, func(t core.TaskPhases) bool { return t.Reused != 0 }) {
				c.Merged++
			}
			durations.Add(event.Time(i), r.Duration()*metric.Unit, 0, 1)
		case core.FailedCheckpoint:
			c.Failed++
		default:
			c.InProgress++
		}
		c.History = append(c.History, checkpointOf(r, owners))
	}
	for i := range h.Failures {
		if h.Failures[i].RestoredTo != 0 {
			c.Restored++
		}
	}
	c.Duration = latenciesOf(&durations, metric.Everything())
	return c
}

func checkpointOf(r *core.CheckpointRecord, owners []Subtask) Checkpoint {
	c := Checkpoint{
		ID: r.ID, Savepoint: r.Savepoint, Status: statuses[r.Outcome], Reason: r.Reason.String(),
		Triggered: Millis(r.Triggered), Duration: -1, Requests: r.Requests, Subtasks: make([]Subtask, len(r.Tasks)),
	}
	if r.Outcome != core.InProgress {
		c.Duration = Millis(r.Duration())
	}
	for i, p := range r.Tasks {
		t := owners[i]
		t.Duration = -1
		if p.Acked >= 0 {
			t.Duration = Millis(p.Acked - r.Triggered)
		}
		t.StartDelay, t.Alignment, t.Sync, t.Async = Millis(p.StartDelay), Millis(p.Alignment), Millis(p.Sync), Millis(p.Async)
		t.Stored = p.Stored
		if t.Reused = p.Reused; p.Acked >= 0 || p.Reused != 0 {
			c.Size += p.Size
			c.Stored += p.Stored
		}
		t.Processed, t.Persisted, t.Size, t.Unaligned, t.Finished = p.Processed, p.Persisted, p.Size, p.Unaligned, p.Finished
		c.Subtasks[i] = t
	}
	return c
}

// subtaskNames lists vertex and index by task id: the ids are dense over the vertices in order.
func subtaskNames(s *core.Setup) []Subtask {
	var names []Subtask
	for i := range s.Vertices {
		for k := range s.Vertices[i].Parallelism {
			names = append(names, Subtask{Vertex: s.Vertices[i].Name, Index: k})
		}
	}
	return names
}
