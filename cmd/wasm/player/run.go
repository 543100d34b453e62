package player

import (
	"fmt"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/timeline"
)

// mostChannels is what a tab's memory takes, with some snapshots along the run.
const mostChannels = 40_000

// run is the film of a timeline.
type run struct{ *timeline.Timeline }

// newRun makes the film of a setup. A mistake in the setup is an error that names what, the value and the remedy.
func newRun(s core.Setup) (film, error) {
	if n := s.Channels(); n > mostChannels {
		return nil, fmt.Errorf("job: %d channels are more than a page can hold (%d); lower a parallelism, or run the scenario with the command", n, mostChannels)
	}
	t, err := timeline.New(s)
	if err != nil {
		return nil, err
	}
	return run{t}, nil
}

func (r run) Duration() event.Time { return r.Lab().Setup().Duration }

func (r run) Setup() *core.Setup { return r.Lab().Setup() }

func (r run) History() *core.History { return r.Lab().History() }

// Hash is that of what is computed, not of what is shown.
func (r run) Hash() uint64 { return r.Lab().Hash() }

func (r run) Next(t event.Time) event.Time {
	r.At(t)
	if v, ok := r.StepForward(); ok {
		return v.At
	}
	return r.Computed()
}

// Previous goes back over everything that happened at one instant: a picture shows all of it.
func (r run) Previous(t event.Time) event.Time {
	r.At(t)
	for {
		v, ok := r.StepBack()
		if !ok || v.At < t {
			return v.At
		}
	}
}
