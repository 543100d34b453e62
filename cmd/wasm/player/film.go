package player

import (
	"checkpointlab/core"
	"checkpointlab/core/event"
)

// film is a run as the player sees it: computed bit by bit, then seen at any instant. Times are ns of the simulation.
type film interface {
	// Extend computes on by about budget events and reports whether the run's end was reached.
	Extend(budget int) bool
	// Reach is Extend up to an instant: it reports whether that is computed, or the end, and a look at it is cheap then.
	Reach(at event.Time, budget int) bool
	// Computed is the instant up to which the run can be seen.
	Computed() event.Time
	// Duration is the run's length.
	Duration() event.Time
	// At is the state at t, at most Computed; it is valid until the next call.
	At(t event.Time) *core.View
	// Next is the instant of the first thing to be seen after t; Computed if there is none yet.
	Next(t event.Time) event.Time
	// Previous is the instant of the last thing to be seen before t; 0 if there is none.
	Previous(t event.Time) event.Time
	// History is what was recorded up to Computed.
	History() *core.History
	// Setup is the run's own, in which chained vertices are one.
	Setup() *core.Setup
	// Hash is the trace hash up to Computed.
	Hash() uint64
}
