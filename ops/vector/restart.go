package vector

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"checkpointlab/core/event"
	"checkpointlab/core/failover"
	"checkpointlab/core/option"
	"checkpointlab/core/sim"
)

// restartRun drives a restart strategy: units exponential-delay, fixed-delay, failure-rate and none.
type restartRun struct {
	cfg      option.Config
	strategy failover.Strategy
	rng      sim.Stream
	now      event.Time

	before, newAttempt, after []bool  // at each failure: restart possible just before, new attempt, possible after
	backoffMs                 []int64 // just after each failure
	spacingMs, failTimes      int64   // of the verb failTimes
}

var restartKinds = map[string]option.RestartKind{
	"none": option.RestartNone, "fixed-delay": option.RestartFixedDelay,
	"failure-rate": option.RestartFailureRate, "exponential-delay": option.RestartExponentialDelay,
}

func runRestart(c Case) (Status, string) {
	var v struct {
		Unit, Strategy                                          string
		InitialMs, MaxMs, ResetThresholdMs, DelayMs, IntervalMs *event.Time
		Multiplier, Jitter                                      *float64
		Attempts, MaxFailuresPerInterval                        *int
	}
	if err := Decode(c.Given, &v); err != nil {
		return Unknown("given", err)
	}
	kind, ok := restartKinds[cmp.Or(v.Strategy, Unit(c))]
	if !ok {
		return Unknown("strategy "+v.Strategy, errUnknown)
	}
	r := &restartRun{rng: sim.NewStream(1, "restart"), cfg: option.Defaults("")} // what is left out has its default
	r.cfg.Restart = kind
	spans := map[*event.Time]*event.Time{
		&r.cfg.RestartDelay: v.DelayMs, &r.cfg.RestartFailureDelay: v.DelayMs, &r.cfg.RestartFailureInterval: v.IntervalMs,
		&r.cfg.RestartInitialBackoff: v.InitialMs, &r.cfg.RestartMaxBackoff: v.MaxMs, &r.cfg.RestartResetThreshold: v.ResetThresholdMs,
	}
	for own, ms := range spans {
		if ms != nil {
			*own = *ms * event.Millisecond
		}
	}
	setIf(&r.cfg.RestartAttempts, v.Attempts)
	setIf(&r.cfg.RestartAttemptsToReset, v.Attempts)
	setIf(&r.cfg.RestartFailures, v.MaxFailuresPerInterval)
	setIf(&r.cfg.RestartMultiplier, v.Multiplier)
	setIf(&r.cfg.RestartJitter, v.Jitter)
	r.strategy = failover.New(&r.cfg)
	return replayOn(r, c)
}

// setIf sets what is given.
func setIf[T any](own *T, given *T) {
	if given != nil {
		*own = *given
	}
}

// event knows fail, failAt ms, advance ms, advanceThresholdPlusBackoffMinus ms, failThenAdvance times ms and failTimes times ms.
func (r *restartRun) event(verb string, args []json.RawMessage) (Status, string) {
	var times, ms int64
	var err error
	switch verb {
	case "fail":
		if err = scan(args); err == nil {
			r.fail()
		}
	case "failAt": // since the beginning
		if err = scan(args, &ms); err == nil && ms*event.Millisecond < r.now {
			err = fmt.Errorf("%d ms have passed already", r.now/event.Millisecond)
		} else if err == nil {
			r.now = ms * event.Millisecond
			r.fail()
		}
	case "advance":
		if err = scan(args, &ms); err == nil {
			r.now += ms * event.Millisecond
		}
	case "advanceThresholdPlusBackoffMinus":
		if err = scan(args, &ms); err == nil {
			r.now += r.cfg.RestartResetThreshold + r.strategy.Backoff(r.now) - ms*event.Millisecond
		}
	case "failThenAdvance", "failTimes":
		if len(args) == 1 { // at one instant
			args = append(args[:1:1], json.RawMessage("0"))
		}
		if err = scan(args, &times, &ms); err == nil && times > 1<<20 {
			err = fmt.Errorf("%d failures are more than the runner makes", times)
		} else if err == nil {
			for range times {
				r.fail()
				r.now += ms * event.Millisecond
			}
		}
		if verb == "failTimes" {
			r.failTimes, r.spacingMs = times, ms
		}
	case "canRestart": // asking changes nothing
		possible := r.strategy.CanRestart(r.now)
		want := possible
		if err = scan(args[:min(len(args), 1)], []any{&want}[:min(len(args), 1)]...); err == nil && want != possible {
			return Differ(verb, possible, want)
		}
	default:
		return Unknown(verb, errUnknown)
	}
	return done(err)
}

// fail notes a failure and what the strategy says about it.
func (r *restartRun) fail() {
	r.before = append(r.before, r.strategy.CanRestart(r.now))
	r.newAttempt = append(r.newAttempt, r.strategy.Note(r.now, &r.rng))
	r.after = append(r.after, r.strategy.CanRestart(r.now))
	r.backoffMs = append(r.backoffMs, r.strategy.Backoff(r.now)/event.Millisecond)
}

func (r *restartRun) value(key string, want json.RawMessage) (got any, ok bool) {
	switch key {
	case "backoffMs":
		return r.backoffs(want)
	case "error": // of asking for the back-off before a failure (ExponentialDelayRestartBackoffTimeStrategy#getBackoffTime)
		return illegalState.by(r.cfg.Restart == option.RestartExponentialDelay && len(r.backoffMs) == 0), true
	case "newAttempt": // at each failure, or at the last one
		if saysYesOrNo(want) && len(r.newAttempt) > 0 {
			return r.newAttempt[len(r.newAttempt)-1], true
		}
		return r.newAttempt, len(r.newAttempt) > 0
	case "canRestart": // behind each failure, or now
		if saysYesOrNo(want) {
			return r.strategy.CanRestart(r.now), true
		}
		return r.after, len(r.after) > 0
	case "numberOfRestarts": // a failure that is merged into an attempt brings none (ExecutionFailureHandler)
		n := 0
		for i := range r.after {
			if r.after[i] && r.newAttempt[i] {
				n++
			}
		}
		return n, true
	case "canRestartAtEnd":
		return r.strategy.CanRestart(r.now), true
	case "canRestartBeforeEach":
		return allOr(r.before, want)
	case "newAttemptEach":
		return allOr(r.newAttempt, want)
	case "possibleBackoffMsAfterFailures":
		return r.possible(want)
	}
	return nil, false
}

// backoffs is the back-off after each failure, with null where nothing is expected, or a single one: the current.
func (r *restartRun) backoffs(want json.RawMessage) (any, bool) {
	var each []*int64
	if string(want) == `"error"` {
		return r.value("error", want)
	}
	if json.Unmarshal(want, &each) != nil {
		return r.strategy.Backoff(r.now) / event.Millisecond, true
	}
	got := make([]*int64, len(r.backoffMs))
	for i := range got {
		if i >= len(each) || each[i] != nil {
			got[i] = &r.backoffMs[i]
		}
	}
	return got, true
}

// saysYesOrNo reports whether one answer is expected, and no list.
func saysYesOrNo(want json.RawMessage) bool {
	var one bool
	return string(want) != "null" && json.Unmarshal(want, &one) == nil
}

// allOr is the list if one is expected, else the one value that all of it have.
func allOr(list []bool, want json.RawMessage) (any, bool) {
	var all bool
	if json.Unmarshal(want, &all) != nil {
		return list, true
	}
	if slices.Contains(list, !all) {
		return list, true
	}
	return all, len(list) > 0
}

// possible is the back-offs that many fresh strategies have after the expected numbers of failures, spaced as the case says.
func (r *restartRun) possible(want json.RawMessage) (any, bool) {
	var expected map[string][]int64
	if json.Unmarshal(want, &expected) != nil || r.failTimes == 0 {
		return nil, false
	}
	got := map[string][]int64{}
	for _, key := range sortedKeys(expected) {
		failures, err := strconv.Atoi(key)
		if err != nil {
			return nil, false
		}
		seen := map[int64]bool{}
		for range 2000 {
			s, now := failover.New(&r.cfg), event.Time(0)
			for range failures {
				s.Note(now, &r.rng)
				now += r.spacingMs * event.Millisecond
			}
			seen[s.Backoff(now-r.spacingMs*event.Millisecond)/event.Millisecond] = true
		}
		got[key] = slices.Sorted(maps.Keys(seen))
		slices.Sort(expected[key])
	}
	return got, true
}
