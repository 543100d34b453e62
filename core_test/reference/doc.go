// Package reference is the simulation a second time, as plainly as it can be said: every record is a value of its own that
// is read, worked on, written, sent, received and shown one by one. There are no runs of records and no steps; nothing is
// booked later than it happens. It is slow, and it exists to be compared with core: both must tell the same events at the
// same nanosecond (core_test/reference_test.go).
//
// It is written from the rules (spec 3–6, truth/mechanisms), not from core. It uses core's state machines that are checked
// against Flink's own facts: barrier handlers, the coordinator, gates, pools, receive queues, debloaters, restart
// strategies, the storage, and the dealing of exchanges.
//
// Read agenda.go (what happens next), loop.go and work.go (what a thread does), output.go, send.go and input.go (how records travel),
// checkpoint.go and channelstate.go (a task's part of a checkpoint), coordinator.go and failure.go (the job as a whole), part.go and
// changes.go (what of a task's state a checkpoint stores), entries.go, hashmap.go and operator.go (states of their own in hashmap, and those
// that belong to no key), changelog.go (the log of changes, up to a restart), storage.go, storing.go and reading.go (where it is kept), uses.go and
// cleaning.go (until when).
package reference
