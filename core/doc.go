// Package core is a run of a Flink job as a pure function of a Setup: vertices, exchanges, Flink's options, what happens in
// the world, and a seed. The same Setup gives the same run, event for event, on every machine.
//
// Read Setup first (setup.go). New checks it and makes a Lab; an error names key, value and remedy. Advance computes the Lab up to
// an instant and may be cut anywhere; Step goes to the next event that can be seen. Nothing moves in between: the package has
// no clock, no goroutine and reads no file, and a Lab belongs to one caller.
//
// What a run was is read in three ways:
//
//   - History is what has been recorded up to Now: latencies, samples, checkpoints, failures. It only grows.
//   - View fills in the state at Now, down to each buffer in each queue. The caller keeps the View, whose memory is used again.
//   - Listen gets each event as it happens, and Hash is a digest of all of them: equal hashes mean equal runs.
//
// Snapshot copies the state of a Lab and Restore sets one of the same Setup to it; Advance then goes on as if nothing had
// been. History and Listen are not part of a Snapshot: a Twin replays without recording twice. Package timeline builds on that.
//
// Time is nanoseconds since the start of the run (event.Time), sizes are bytes, positions count records.
//
// Inside, a Lab takes the earliest of what is due and hands it to the room it belongs to (handle in lab.go): the tasks' loops
// (core/task), the network between them (core/network), the coordinator (core/checkpoint). What lies between the rooms is here:
// failures and restarts, the control plane, rescaling, and what becomes of files. docs/architecture.md says where each rule
// has its home.
package core
