package metric

import (
	"testing"

	"checkpointlab/core/event"

	"pgregory.net/rapid"
)

const ms = event.Millisecond

// Spec 4.4: a change shows fully only after 60 s, in steps of 5 s; integer division at each.
func TestGaugeLagsByItsSpan(t *testing.T) {
	g := NewTimeGauge(GaugeSpan, GaugeStep)
	now := event.Time(0)
	step := func() int64 { now += GaugeStep; g.Update(now); return g.Value() }
	for range 12 {
		if got := step(); got != 0 {
			t.Fatalf("idle so far, but %d", got)
		}
	}
	g.Start(now)
	for k := int64(1); k <= 12; k++ {
		if got, want := step(), 5000*k/60; got != want {
			t.Errorf("after %d steps: %d, want %d", k, got, want)
		}
	}
	if got := g.Longest(); got != 60*event.Second {
		t.Errorf("longest %d, want 60 s: it is measured from its start", got)
	}
}

// An update that comes late finds more than its step holds; Flink cuts the value at 1000.
func TestGaugeIsCutAtAWholeSecond(t *testing.T) {
	g := NewTimeGauge(GaugeSpan, GaugeStep)
	g.Start(0)
	if g.Update(3 * GaugeStep); g.Value() != 1000 {
		t.Errorf("Value = %d", g.Value())
	}
}

// Whatever starts, ends and updates there are, what has accumulated is the time it ran, as far as it was looked at.
func TestGaugeAgainstAdding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := NewTimeGauge(20*event.Second, GaugeStep)
		var now, since, sum, inStep, longest event.Time
		var steps []event.Time
		running := false
		t.Repeat(map[string]func(*rapid.T){
			"advance": func(t *rapid.T) {
				d := rapid.Int64Range(0, 3*event.Second).Draw(t, "by")
				now += d
				if running {
					sum, inStep = sum+d, inStep+d
					longest = max(longest, now-since)
				}
			},
			"start": func(*rapid.T) {
				if !running {
					running, since = true, now
				}
				g.Start(now)
			},
			"end": func(*rapid.T) {
				if running { // counts as seen in this step, even if an update has just been
					running, longest = false, max(longest, now-since)
				}
				g.End(now)
			},
			"update": func(t *rapid.T) {
				if running {
					longest = max(longest, now-since)
				}
				g.Update(now)
				steps = append(steps, inStep)
				last := steps[max(0, len(steps)-4):]
				var total event.Time
				for _, s := range last {
					total += s
				}
				if want := min(1000, total/ms/int64(5*len(last))); g.Value() != want {
					t.Fatalf("Value = %d, want %d", g.Value(), want)
				}
				if g.Longest() != longest {
					t.Fatalf("Longest = %d, want %d", g.Longest(), longest)
				}
				if g.Accumulated() != sum {
					t.Fatalf("Accumulated = %d, want %d", g.Accumulated(), sum)
				}
				inStep, longest = 0, 0
			},
		})
	})
}

// Spec 4.4: busy = 1000 - idle - (soft + hard), never below 0; vector taskio.snapshot for the accumulated one.
func TestBusyIsTheRest(t *testing.T) {
	times := NewTaskTimes(0)
	times.Idle.Start(0)
	times.Idle.End(1000 * ms)
	times.Soft.Start(1000 * ms)
	times.Soft.End(1500 * ms)
	times.Hard.Start(1500 * ms)
	times.Hard.End(2500 * ms)
	times.Changelog.Start(2500 * ms)
	times.Changelog.End(3500 * ms)
	times.Update(GaugeStep)
	if got := [3]int64{times.Idle.Value(), times.BackPressuredMs(), times.BusyMs()}; got != [3]int64{200, 300, 500} {
		t.Errorf("idle, back-pressured, busy = %v", got)
	}
	if got := times.AccumulatedBusy(GaugeStep); got != 2500*ms {
		t.Errorf("accumulated busy %d", got)
	}
	times.Idle.Start(GaugeStep)
	times.Soft.Start(GaugeStep) // both at once, as in the test of Flink
	for k := event.Time(2); k <= 13; k++ {
		times.Update(k * GaugeStep)
	}
	if times.BusyMs() != 0 {
		t.Errorf("busy %d", times.BusyMs())
	}
}

func TestGaugeSpanIsChecked(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("13 steps are accepted")
		}
	}()
	NewTimeGauge(13*GaugeStep, GaugeStep)
}

// Spec 4.5, both sides of each limit.
func TestLevels(t *testing.T) {
	for share, want := range map[int64]string{0: "ok", 100: "ok", 101: "low", 500: "low", 501: "high", 1000: "high"} {
		if got := LevelOf(share).String(); got != want {
			t.Errorf("%d: %s, want %s", share, got, want)
		}
	}
}
