package fidelity

import (
	"strconv"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/scenarios"
)

// ChapterSetup is the scenario "chapter" with an interval.
func ChapterSetup(interval event.Time) (core.Setup, error) {
	s, err := scenarios.Load("chapter")
	if err != nil {
		return core.Setup{}, err
	}
	if err := s.Set("execution.checkpointing.interval", strconv.FormatInt(interval/event.Millisecond, 10)+" ms"); err != nil {
		return core.Setup{}, err
	}
	return s.Setup, nil
}
