package report

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
)

// Storage is what checkpoints cost in a run and what is kept at its end. Sizes are bytes.
type Storage struct {
	Written       int64    `json:"bytes_written"`
	Read          int64    `json:"bytes_read"`
	Writes        int64    `json:"write_requests"`
	Reads         int64    `json:"read_requests"`
	Deletes       int64    `json:"delete_requests"`
	Refused       int64    `json:"refused_requests"`
	Failed        int64    `json:"failed_requests"`
	Files         int64    `json:"files"`
	Bytes         int64    `json:"bytes"`
	Referred      int64    `json:"files_referred"` // several may be in one file
	Savepoints    int64    `json:"savepoint_bytes"`
	Orphaned      int64    `json:"orphaned_bytes"`
	Sync          float64  `json:"sync_share"`       // of the time of all tasks' threads
	Cores         float64  `json:"background_cores"` // flushes, compactions, writing of snapshots, in all task managers
	Disk          int64    `json:"disk_bytes"`
	DiskShare     float64  `json:"disk_share"`     // of what all local disks can move
	PerCheckpoint Cost     `json:"per_checkpoint"` // mean of the completed ones
	PerHour       Cost     `json:"per_hour"`
	Recovery      Recovery `json:"recovery_if_it_failed_now"`
}

// Cost is bytes and requests.
type Cost struct {
	Bytes    float64 `json:"bytes"`
	Requests float64 `json:"requests"`
}

// Recovery is what a failure at the end of the run would take until the tasks run again. Times ms.
type Recovery struct {
	Checkpoint int64   `json:"checkpoint"`
	Backoff    float64 `json:"backoff_ms"`
	Bytes      int64   `json:"bytes"`
	Reading    float64 `json:"reading_ms"`
	Control    float64 `json:"control_ms"`
	Total      float64 `json:"total_ms"`
	Reread     int64   `json:"reread"`
}

// storageOf is nil for a run without a storage.
func storageOf(h *core.History, v *core.View) *Storage {
	a := &v.Account
	if !a.On {
		return nil
	}
	s := &Storage{
		Written: a.Written, Read: a.Read, Writes: a.Writes, Reads: a.Reads, Deletes: a.Deletes, Refused: a.Refused, Failed: a.Failed,
		Files: a.Files, Bytes: a.Bytes, Referred: a.Logical, Savepoints: a.Savepoints, Orphaned: a.Orphaned,
		Sync: float64(a.SyncMill) / 1000, Cores: float64(a.CoresMill) / 1000, Disk: a.Disk, DiskShare: float64(a.DiskMill) / 1000,
		Recovery: Recovery{
			Checkpoint: a.Recovery.Checkpoint, Backoff: Millis(a.Recovery.Backoff), Bytes: a.Recovery.Bytes,
			Reading: Millis(a.Recovery.Reading), Control: Millis(a.Recovery.Control), Total: Millis(a.Recovery.Total), Reread: a.Recovery.Reread,
		},
	}
	n := 0.0
	for i := range h.Checkpoints {
		if c := &h.Checkpoints[i]; c.Outcome == core.Completed {
			n++
			s.PerCheckpoint.Bytes += float64(c.Written)
			s.PerCheckpoint.Requests += float64(c.Requests)
		}
	}
	if n > 0 {
		s.PerCheckpoint.Bytes /= n
		s.PerCheckpoint.Requests /= n
	}
	if hours := float64(v.At) / float64(3600*event.Second); hours > 0 {
		s.PerHour = Cost{float64(a.Written+a.Read) / hours, float64(a.Writes+a.Reads+a.Deletes) / hours}
	}
	return s
}
