// Package player is the page's thinking: which run is shown at which instant, what a control does to it, and what is said
// about it. It knows neither the browser nor Ebitengine, so that all of it is tested natively.
//
// Read Player first: it holds a scenario, the run made from it and a playhead. A change of a setting makes a new run; the
// former one stays in view until the new one has been computed past the playhead, and its curve remains as a ghost.
// Tick is the clock: it moves the playhead and computes ahead for as long as the caller allows. State is everything that
// the document shows; Caption and the twin say what is to be seen; Link and Open carry the state in an address.
package player
