package failover

import (
	"maps"
	"testing"

	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/core/sim"

	"pgregory.net/rapid"
)

const ms = event.Millisecond

func exponential() option.Config {
	return option.Config{
		Version: "2.3", Interval: event.Second, Restart: option.RestartExponentialDelay,
		RestartInitialBackoff: 2 * ms, RestartMaxBackoff: 7 * ms, RestartMultiplier: 2,
		RestartResetThreshold: 80 * ms, RestartAttemptsToReset: -1,
	}
}

// ExponentialDelayRestartBackoffTimeStrategyTest#testJitter: which back-offs are possible after the k-th failure.
func TestJitterOfTheUncappedDelay(t *testing.T) {
	cfg := exponential()
	cfg.RestartJitter = 0.25
	rng := sim.NewStream(1, "jitter")
	for failures, want := range map[int]map[event.Time]bool{
		2: {3: true, 4: true, 5: true},
		3: {6: true, 7: true},
		4: {7: true},
	} {
		got := map[event.Time]bool{}
		for range 1000 {
			s := New(&cfg)
			var delay event.Time
			for k := range failures {
				delay, _ = s.OnFailure(event.Time(k)*8*ms, &rng)
			}
			got[delay/ms] = true
		}
		if !maps.Equal(got, want) {
			t.Errorf("after %d failures: %v, want %v", failures, got, want)
		}
	}
}

// However many failures there are, the back-off stays within [initial, max].
func TestBackoffStaysWithinItsBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := exponential()
		cfg.RestartJitter = rapid.Float64Range(0, 1).Draw(t, "jitter")
		cfg.RestartMultiplier = rapid.Float64Range(1.01, 1e6).Draw(t, "multiplier")
		s, rng, now := New(&cfg), sim.NewStream(rapid.Uint64().Draw(t, "seed"), ""), event.Time(0)
		for range 200 {
			delay, restart := s.OnFailure(now, &rng)
			if !restart || delay < 2*ms || delay > 7*ms {
				t.Fatalf("delay %d, restart %v", delay, restart)
			}
			now += delay + 1
		}
	})
}

// Spec 9.2: merged during the back-off, reset after the threshold.
func TestExponentialMergesAndResets(t *testing.T) {
	cfg := exponential()
	s, rng := New(&cfg), sim.NewStream(1, "")
	for _, step := range []struct {
		at, delay  event.Time
		newAttempt bool
	}{
		{0, 2, true}, {1, 1, false}, {2, 0, false}, // an instant that is the end itself still belongs to the back-off
		{3, 4, true}, {8, 7, true},
		{94, 7, true}, // 79 ms after the end at 15
		{181, 2, true},
	} {
		if got := s.Note(step.at*ms, &rng); got != step.newAttempt {
			t.Errorf("at %d: new attempt %v", step.at, got)
		}
		if got := s.Backoff(step.at * ms); got != step.delay*ms {
			t.Errorf("at %d: back-off %d, want %d ms", step.at, got, step.delay)
		}
	}
}

func TestExponentialGivesUp(t *testing.T) {
	cfg := exponential()
	cfg.RestartAttemptsToReset = 2
	s, rng := New(&cfg), sim.NewStream(1, "")
	for k, want := range []bool{true, true, false} {
		if _, got := s.OnFailure(event.Time(k)*10*ms, &rng); got != want {
			t.Errorf("failure %d: restart %v", k+1, got)
		}
	}
}

func TestFixedDelayRestartsSoManyTimes(t *testing.T) {
	cfg := option.Config{Restart: option.RestartFixedDelay, RestartAttempts: 2, RestartDelay: 5 * event.Second}
	s := New(&cfg)
	for k, want := range []bool{true, true, false} {
		delay, restart := s.OnFailure(0, nil)
		if restart != want || restart && delay != 5*event.Second {
			t.Errorf("failure %d: %d, %v", k+1, delay, restart)
		}
	}
}

// Spec 9.2: a failure older than the interval frees its place.
func TestAFailureOlderThanTheIntervalFreesItsPlace(t *testing.T) {
	cfg := option.Config{Restart: option.RestartFailureRate, RestartFailures: 2, RestartFailureInterval: 10 * ms, RestartFailureDelay: ms}
	s := New(&cfg)
	for _, step := range []struct {
		at      event.Time
		restart bool
	}{{0, true}, {5, true}, {11, true}, {15, false}, {16, false}, {25, false}, {27, true}} {
		delay, restart := s.OnFailure(step.at*ms, nil)
		if restart != step.restart || restart && delay != ms {
			t.Errorf("at %d: %d, %v", step.at, delay, restart)
		}
	}
}

// Spec 1.4: what the default means.
func TestDefaultStrategy(t *testing.T) {
	for _, c := range []struct {
		version  string
		interval event.Time
		want     option.RestartKind
	}{
		{"2.3", 0, option.RestartNone}, {"1.18", 0, option.RestartNone},
		{"2.3", 1, option.RestartExponentialDelay}, {"1.20", 1, option.RestartExponentialDelay}, {"1.18", 1, option.RestartFixedDelay},
	} {
		cfg := exponential()
		cfg.Restart, cfg.Version, cfg.Interval = option.RestartDefault, c.version, c.interval
		s, rng := New(&cfg), sim.NewStream(1, "")
		if s.kind != c.want {
			t.Errorf("%s with interval %d: %v, want %v", c.version, c.interval, s.kind, c.want)
		}
		if _, restart := s.OnFailure(0, &rng); restart != (c.want != option.RestartNone) {
			t.Errorf("%s with interval %d: restart %v", c.version, c.interval, restart)
		}
	}
}

func TestCopyGoesOnTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := exponential()
		cfg.Restart = rapid.SampledFrom([]option.RestartKind{option.RestartFixedDelay, option.RestartFailureRate, option.RestartExponentialDelay}).Draw(t, "kind")
		cfg.RestartFailureDelay = cfg.RestartDelay
		cfg.RestartAttempts, cfg.RestartFailures, cfg.RestartFailureInterval, cfg.RestartAttemptsToReset = 6, 3, 9*ms, 5
		a, now := New(&cfg), event.Time(0)
		rng := sim.NewStream(1, "")
		note := func(s *Strategy, n int) (last event.Time, ok bool) {
			for range n {
				now += 3 * ms
				last, ok = s.OnFailure(now, &rng)
			}
			return last, ok
		}
		note(&a, rapid.IntRange(0, 6).Draw(t, "before"))
		b := New(&cfg)
		note(&b, 2)
		b.CopyFrom(&a)
		at, n := now, rapid.IntRange(1, 6).Draw(t, "after")
		wantDelay, wantRestart := note(&a, n)
		now = at
		if delay, restart := note(&b, n); delay != wantDelay || restart != wantRestart {
			t.Fatalf("the copy says %d, %v, the original %d, %v", delay, restart, wantDelay, wantRestart)
		}
	})
}

// Spec 9.2 holds since 1.19. In 1.18 a failure during the back-off counts, the reset threshold runs from the failure before, with the
// delay on top, and no jitter lifts a delay to initial (ExponentialDelayRestartBackoffTimeStrategy of 1.18, package flip1).
func TestExponentialDelayOf118(t *testing.T) {
	cfg := exponential()
	cfg.Version = "1.18"
	s := New(&cfg)
	for _, step := range []struct{ at, delay event.Time }{
		{0, 2}, {1, 4}, {2, 7}, {3, 7},
		{3 + 86, 7}, {3 + 86 + 87, 2}, // 80 ms and the delay of 7 after the failure before
	} {
		if delay, restart := s.OnFailure(step.at*ms, nil); delay != step.delay*ms || !restart {
			t.Errorf("at %d: %d ms, restart %v, want %d", step.at, delay/ms, restart, step.delay)
		}
	}
	cfg.RestartInitialBackoff, cfg.RestartMaxBackoff, cfg.RestartJitter = 4*ms, 6*ms, 0.5
	got, rng := map[event.Time]bool{}, sim.NewStream(1, "jitter")
	for range 1000 {
		s := New(&cfg)
		delay, _ := s.OnFailure(0, &rng)
		got[delay/ms] = true
	}
	if want := map[event.Time]bool{2: true, 3: true, 4: true, 5: true, 6: true}; !maps.Equal(got, want) {
		t.Errorf("the first delays are %v, want %v", got, want)
	}
}
