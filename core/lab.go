// Package core is the facade of the simulation: a run is a pure function of a Setup.
package core

import "checkpointlab/core/event"

// Lab is one run. It is not safe for concurrent use.
type Lab struct {
	setup   Setup
	history History
}

// New prepares a run at time 0. A mistake in the setup is an error that names what, the value and the remedy.
func New(s Setup) (*Lab, error) { return &Lab{setup: s}, nil }

// Setup is what the run was made from.
func (l *Lab) Setup() *Setup { return &l.setup }

// Now is the instant up to which the run is computed.
func (l *Lab) Now() event.Time { return 0 }

// Advance computes the run up to until, handling at most budget events (0 = no limit); it reports whether until was reached.
// It can be cut anywhere: the run does not depend on how it is cut.
func (l *Lab) Advance(until event.Time, budget int) bool { return true }

// Step handles events until one that can be seen has happened, and reports whether there was one before the end.
func (l *Lab) Step() bool { return false }

// View fills v with the state at Now.
func (l *Lab) View(v *View) {}

// History is what was recorded so far.
func (l *Lab) History() *History { return &l.history }

// Hash is the 64-bit trace hash of everything that happened up to Now.
func (l *Lab) Hash() uint64 { return 0 }
