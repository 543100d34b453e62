package core

import (
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// Limits that keep every sum and product of a run within int64.
const (
	maxCost  = 100 * event.Second // of the records of the largest buffer
	maxState = 1 << 50            // bytes
	maxKeys  = 10_000_000

	maxReuse   = 1000              // of a region's part
	maxRecords = 1_000_000_000_000 // of a bounded partition
	maxRoom    = 1 << 20           // bytes of a record's overhead

	reach  = 3650 * 24 * 3600 * event.Second // a wait that no run outlives
	target = 24 * 3600 * event.Second        // of debloating; throughput times it is counted
)

// checkNumbers refuses numbers so large that a run's sums could overflow.
func (s *Setup) checkNumbers(bad func(string, ...any)) {
	whole := upTo(bad, "")
	whole("the number of keys", int64(s.Keys), maxKeys)
	whole("the hot key's share in millionths", s.HotShareMill, 1_000_000)
	whole("the overhead of a record in bytes", int64(s.Overhead), maxRoom)
	whole("the max parallelism", int64(s.MaxParallel), maxParallelism)
	whole("regionCheckpoints", int64(s.RegionReuse), maxReuse)
	whole("syncPhaseTimeout in ns", s.SyncTimeout, maxDuration)
	c := &s.Control
	whole("control.rpc in ns", c.RPC, maxDuration)
	whole("control.net in ns", c.Net, maxDuration)
	whole("control.send in ns per 1,000 bytes", c.Send, int64(event.Second))
	whole("control.receive in ns per 1,000 bytes", c.Receive, int64(event.Second))
	whole("control.wake in ns", c.Wake, maxDuration)
	whole("control.wakeOutput in ns", c.WakeOutput, maxDuration)
	whole("control.wakeSpread in ns", c.WakeSpread, int64(3600*event.Second))
	whole("control.finalize in ns", c.Finalize, maxDuration)
	whole("control.inFlight in ns", c.InFlight, maxDuration)
	whole("control.flushExtra in ns", c.FlushExtra, maxDuration)
	whole("control.flushDrift in ns", c.FlushDrift, maxDuration)
	whole("control.flush in ns for each channel", c.Flush, int64(event.Second))
	whole("control.restore in ns", c.Restore, maxDuration)
	whole("control.logLead in ns", c.LogLead, maxDuration)
	for i := range s.Vertices {
		s.Vertices[i].checkNumbers(bad)
	}
	for i := range s.Script {
		if a := &s.Script[i]; a.Do == Slow && a.Cost > maxCost {
			bad("action %d of the script gives a cost of %d ns; give at most %d", i+1, a.Cost, maxCost)
		}
	}
}

// upTo refuses numbers outside of 0 to most; prefix stands before their names. Inlined at each of its numbers it would be 10 kB that
// a page compiles before its first picture.
//
//go:noinline
func upTo(bad func(string, ...any), prefix string) func(what string, n, most int64) {
	return func(what string, n, most int64) {
		if n < 0 || n > most {
			bad("%s%s is %d; give between 0 and %d", prefix, what, n, most)
		}
	}
}

// checkNumbers refuses what is too large; negative numbers are refused elsewhere.
func (v *Vertex) checkNumbers(bad func(string, ...any)) {
	atMost := func(what string, n, most int64) {
		if n > most {
			bad("%s of %s is %d; give at most %d", what, v.Name, n, most)
		}
	}
	atMost("the cost in ns", v.Cost, maxCost)
	atMost("the synchronous part of the snapshot in ns", v.Snapshot.Sync, maxDuration)
	atMost("the asynchronous part of the snapshot in ns", v.Snapshot.Async, maxDuration)
	atMost("the callback in ns", v.Callback.Time, maxDuration)
	atMost("the flush in ns", v.Flush, maxDuration)
	switch {
	case v.Flush < 0:
		bad("the flush of %s is negative; give 0 or more", v.Name)
	case v.Flush > 0 && (v.Kind != Sink || v.Guarantee == NoGuarantee):
		bad("%s has a flush, but only a sink that guarantees something waits for one; leave it out", v.Name)
	}
	atMost("the growth of the callback in ns", v.Callback.Grows, maxCost)
	if v.Callback.Time < 0 || v.Callback.Grows < 0 {
		bad("the callback of %s is negative; give 0 or more", v.Name)
	}
	if v.Lock == LockSnapshot && v.History == 0 {
		bad("%s holds its lock while it reads a snapshot, but its log has no history to read; give it one, or the lock emit", v.Name)
	}
	if v.Lock > LockSnapshot || v.Lock != NoLock && v.Kind != Source {
		bad("%s holds lock %d; only a source holds one", v.Name, v.Lock)
	}
	atMost("the change of a record in bytes", v.Snapshot.Change, maxRoom<<10)
	atMost("the amplification per mille", v.Snapshot.Amplification, maxRoom)
	atMost("the state in bytes", v.Snapshot.Size, maxState)
	atMost("the number of partitions", int64(v.Partitions), maxPartitions)
	atMost("the end of the log in ns", v.Until, maxDuration)
	atMost("the end of the source in ns", v.EndsAt, maxDuration)
	atMost("the number of records of a partition", v.EndsAfter, maxRecords)
	atMost("the number of records at the start", v.History, maxRecords)
	switch {
	case v.History < 0:
		bad("%s has %d records at the start; give 0 or more", v.Name, v.History)
	case v.History > 0 && (v.Kind != Source || v.RateNum == 0):
		bad("%s has records at the start; only a source with a rate has", v.Name)
	case v.EndsAt < 0 || v.EndsAfter < 0:
		bad("%s ends at %d ns or after %d records; give 0 for a source without end, or more", v.Name, v.EndsAt, v.EndsAfter)
	case v.Kind != Source && (v.EndsAt > 0 || v.EndsAfter > 0):
		bad("%s has an end, but only a source has one of its own; remove it", v.Name)
	}
	if v.Until < 0 {
		bad("the log of %s ends at %d ns; give 0 for a log without end, or more", v.Name, v.Until)
	}
}

// withinReach shortens waits that no run outlives, so that they can be added to an instant.
func withinReach(o option.Config) option.Config {
	for _, t := range []*event.Time{
		&o.Interval, &o.IntervalDuringBacklog, &o.Timeout, &o.MinPause, &o.AlignedTimeout, &o.BufferTimeout, &o.DebloatPeriod, &o.AutoWatermark,
		&o.HeartbeatInterval, &o.HeartbeatTimeout, &o.RestartDelay, &o.RestartFailureDelay, &o.RestartFailureInterval, &o.RestartInitialBackoff, &o.RestartMaxBackoff, &o.RestartResetThreshold,
	} {
		*t = min(*t, reach)
	}
	o.DebloatTarget = min(o.DebloatTarget, target)
	return o
}
