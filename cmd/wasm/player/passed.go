package player

import (
	"cmp"
	"slices"

	"checkpointlab/core"
	"checkpointlab/core/event"
)

// Passed is the start or the end of a checkpoint that the playhead has passed. Times are in seconds.
type Passed struct {
	ID        int64   `json:"id"` // 0: it failed before it had one
	Savepoint bool    `json:"savepoint"`
	Status    string  `json:"status"` // IN_PROGRESS, COMPLETED or FAILED, as Flink's REST interface has it
	At        float64 `json:"at"`
	Duration  float64 `json:"duration"` // end to end; 0 while it is in progress
}

// Passed lists what checkpoints did after from and up to the instant to, in order of time.
func (p *Player) Passed(from, to event.Time) []Passed {
	out := []Passed{}
	for i := range p.film.History().Checkpoints {
		c := &p.film.History().Checkpoints[i]
		if from < c.Triggered && c.Triggered <= to {
			out = append(out, Passed{int64(c.ID), c.Savepoint, "IN_PROGRESS", seconds(c.Triggered), 0})
		}
		if c.Outcome != core.InProgress && from < c.Ended && c.Ended <= to {
			out = append(out, Passed{int64(c.ID), c.Savepoint, statuses[c.Outcome], seconds(c.Ended), seconds(c.Duration())})
		}
	}
	slices.SortStableFunc(out, func(a, b Passed) int { return cmp.Compare(a.At, b.At) })
	return out
}

var statuses = map[core.Outcome]string{core.Completed: "COMPLETED", core.FailedCheckpoint: "FAILED"}
