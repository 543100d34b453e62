// Package failover decides what happens after a failure: whether the job may restart, and after which back-off.
// What restarts is job.Graph's to say (pipelined regions); Strategy says when.
package failover

import (
	"math"

	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/core/sim"
)

// Strategy is Flink's restart strategy as a state machine (spec 1.4, 9.2; vectors restart.*). It is told of failures and
// asked whether and when to restart. Flink counts in whole milliseconds, and so do the back-offs here.
type Strategy struct {
	kind     option.RestartKind
	attempts int64 // fixed-delay: restarts allowed; exponential-delay: attempts before the job fails; math.MaxInt64 = no limit
	delay    event.Time

	// failure-rate
	interval event.Time
	failures []event.Time // a ring of the last max+1 failures
	oldest   int          // index of the oldest once the ring is full
	room     int          // max+1

	// exponential-delay
	initialMs, maxMs   int64
	multiplier, jitter float64
	reset              event.Time
	each               bool       // before 1.19: each failure is an attempt
	currentMs          int64      // of the last failure, without jitter; used with each
	last               event.Time // that failure, used with each; -1 before the first one

	restarts int64      // attempts since the start or the last reset
	end      event.Time // the current back-off ends then; -1 before the first failure
}

// New is the strategy that the options ask for. RestartDefault is none without periodic checkpoints; with them it is
// exponential-delay, or, in 1.18, a fixed delay of 1 s without limit.
func New(cfg *option.Config) Strategy {
	s := Strategy{
		kind: cfg.Restart, attempts: int64(cfg.RestartAttempts), delay: cfg.RestartDelay,
		interval:  cfg.RestartFailureInterval,
		initialMs: cfg.RestartInitialBackoff / event.Millisecond, maxMs: cfg.RestartMaxBackoff / event.Millisecond,
		multiplier: cfg.RestartMultiplier, jitter: cfg.RestartJitter, reset: cfg.RestartResetThreshold,
		each: cfg.Version == "1.18", last: -1, end: -1,
	}
	if s.kind == option.RestartDefault {
		s.kind = defaultKind(cfg)
		if s.kind == option.RestartFixedDelay {
			s.attempts, s.delay = math.MaxInt64, event.Second
		}
	}
	switch s.kind {
	case option.RestartNone: // NoRestartBackoffTimeStrategy#getBackoffTime
		s.delay = 0
	case option.RestartFailureRate:
		s.delay = cfg.RestartFailureDelay
		s.room = cfg.RestartFailures + 1
		s.failures = make([]event.Time, 0, s.room)
	case option.RestartExponentialDelay:
		s.attempts = int64(cfg.RestartAttemptsToReset)
		if s.attempts < 0 {
			s.attempts = math.MaxInt64
		}
	}
	return s
}

// defaultKind is what restart-strategy.type is when nobody sets it (spec 1.4).
func defaultKind(cfg *option.Config) option.RestartKind {
	switch {
	case cfg.Interval == 0:
		return option.RestartNone
	case cfg.Version == "1.18":
		return option.RestartFixedDelay
	default:
		return option.RestartExponentialDelay
	}
}

// OnFailure notes a failure at now. If restart is true the job restarts at now+delay, else it has failed for good. A failure
// during a back-off gets what is left of it. rng is drawn from only for jitter.
func (s *Strategy) OnFailure(now event.Time, rng *sim.Stream) (delay event.Time, restart bool) {
	s.Note(now, rng)
	if !s.CanRestart(now) {
		return 0, false
	}
	return s.Backoff(now), true
}

// Note notes a failure and reports whether it counts as a new attempt: with exponential-delay, since 1.19, one that arrives
// before the current attempt's back-off has ended is merged into it.
func (s *Strategy) Note(now event.Time, rng *sim.Stream) (newAttempt bool) {
	switch s.kind {
	case option.RestartFixedDelay:
		s.restarts++
	case option.RestartFailureRate:
		if len(s.failures) < s.room {
			s.failures = append(s.failures, now)
		} else {
			s.failures[s.oldest] = now
			s.oldest = (s.oldest + 1) % s.room
		}
	case option.RestartExponentialDelay:
		if s.each {
			s.grow(now, rng)
			return true
		}
		if now <= s.end {
			return false
		}
		if s.end < 0 || now-s.end >= s.reset {
			s.restarts = 0
		}
		s.end = now + s.nextMs(rng)*event.Millisecond
		s.restarts++
	}
	return true
}

// grow is exponential-delay before 1.19: a failure during a back-off makes the next one longer, too; the delay starts at initial
// again if a failure comes the reset threshold and the current delay after the one before, or later; with jitter it may be below
// initial, and there is no limit of attempts (ExponentialDelayRestartBackoffTimeStrategy of 1.18, package flip1).
func (s *Strategy) grow(now event.Time, rng *sim.Stream) {
	if s.last < 0 || now-s.last >= s.reset+s.currentMs*event.Millisecond {
		s.currentMs = s.initialMs
	} else {
		longer := min(float64(float64(s.currentMs)*s.multiplier), float64(s.maxMs))
		s.currentMs = max(s.initialMs, int64(longer))
	}
	s.last = now
	s.end = now + min(s.jittered(s.currentMs, rng), s.maxMs)*event.Millisecond
}

// CanRestart reports whether the failures noted so far leave the job a restart at now. Asking changes nothing.
func (s *Strategy) CanRestart(now event.Time) bool {
	switch s.kind {
	case option.RestartFixedDelay, option.RestartExponentialDelay:
		return s.restarts <= s.attempts
	case option.RestartFailureRate:
		return len(s.failures) < s.room || now-s.failures[s.oldest] > s.interval
	default:
		return false
	}
}

// Backoff is how long after now the restart begins, in ns.
func (s *Strategy) Backoff(now event.Time) event.Time {
	if s.kind == option.RestartExponentialDelay {
		return max(0, s.end-now)
	}
	return s.delay
}

// nextMs is the back-off of the next attempt: initial · multiplier^restarts, give or take jitter, within [initial, max].
// The jitter is that of the uncapped delay, so that far above the maximum none is left (testJitter: the 4th back-off of
// 2, 4, 8, 16 ms with jitter 0.25 and maximum 7 is 7 alone).
func (s *Strategy) nextMs(rng *sim.Stream) int64 {
	const ceiling = 1 << 61 // ms; keeps the draw within int64, and nobody waits that long
	delay := float64(s.initialMs)
	for i := int64(0); i < s.restarts && delay < ceiling; i++ {
		delay = min(float64(delay*s.multiplier), ceiling)
	}
	return max(s.initialMs, min(s.jittered(int64(delay), rng), s.maxMs))
}

// jittered is a delay give or take its share of jitter.
func (s *Strategy) jittered(ms int64, rng *sim.Stream) int64 {
	if s.jitter <= 0 {
		return ms
	}
	offset := int64(float64(float64(ms) * s.jitter))
	return ms + rng.Int64n(2*offset+1) - offset
}

// CopyFrom makes s an independent copy of src, in s's own memory.
func (s *Strategy) CopyFrom(src *Strategy) {
	failures := append(s.failures[:0], src.failures...)
	*s = *src
	s.failures = failures
}

// FirstDelay is the back-off of a failure that comes after a long time without one, without jitter.
func (s *Strategy) FirstDelay() event.Time {
	if s.kind == option.RestartExponentialDelay {
		return s.initialMs * event.Millisecond
	}
	return s.delay
}
