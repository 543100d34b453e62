package watermark

import (
	"testing"

	"checkpointlab/core/event"

	"pgregory.net/rapid"
)

// told is what came out, as a list.
func told(o Output) (all []int64) {
	const idle, active = -1000, -2000
	status := map[Status]int64{Idle: idle, Active: active}
	if o.Status != Same && !o.After {
		all = append(all, status[o.Status])
	}
	if o.Moved {
		all = append(all, o.Mark)
	}
	if o.Status != Same && o.After {
		all = append(all, status[o.Status])
	}
	return all
}

func expect(t *testing.T, what string, got Output, want ...int64) {
	t.Helper()
	all := told(got)
	if len(all) != len(want) {
		t.Fatalf("%s: %v came out, expected %v", what, all, want)
	}
	for i := range all {
		if all[i] != want[i] {
			t.Fatalf("%s: %v came out, expected %v", what, all, want)
		}
	}
}

const idle, active = -1000, -2000

// Flink's rules (StatusWatermarkValve): one channel, several, idle ones, ones that come back behind the others.
func TestTheValveFollowsItsRules(t *testing.T) {
	t.Run("one channel", func(t *testing.T) {
		v := NewValve(1)
		expect(t, "0", v.Mark(0, 0), 0)
		expect(t, "25", v.Mark(0, 25), 25)
		expect(t, "18 is behind", v.Mark(0, 18))
		expect(t, "42", v.Mark(0, 42), 42)
		expect(t, "idle", v.Status(0, Idle), idle)
		expect(t, "a watermark while idle", v.Mark(0, 52))
		expect(t, "active", v.Status(0, Active), active)
		expect(t, "60", v.Mark(0, 60), 60)
	})
	t.Run("the least of three", func(t *testing.T) {
		v := NewValve(3)
		expect(t, "0 of the first", v.Mark(0, 0))
		expect(t, "0 of the second", v.Mark(1, 0))
		expect(t, "0 of the third", v.Mark(2, 0), 0)
		expect(t, "12 of the first", v.Mark(0, 12))
		expect(t, "8 of the third", v.Mark(2, 8))
		expect(t, "10 of the third", v.Mark(2, 10))
		expect(t, "15 of the second", v.Mark(1, 15), 10)
		expect(t, "17 of the third", v.Mark(2, 17), 12)
		expect(t, "20 of the first", v.Mark(0, 20), 15)
	})
	t.Run("an idle channel does not hold up the others", func(t *testing.T) {
		v := NewValve(3)
		v.Mark(0, 15)
		v.Mark(1, 10)
		expect(t, "third idle", v.Status(2, Idle), 10)
		expect(t, "18 of the second", v.Mark(1, 18), 15)
		expect(t, "second idle", v.Status(1, Idle))
		expect(t, "20 of the first", v.Mark(0, 20), 20)
		expect(t, "third active, behind", v.Status(2, Active))
		expect(t, "17 of the third does not count", v.Mark(2, 17))
		expect(t, "25 of the first", v.Mark(0, 25), 25)
		expect(t, "30 of the third has caught up", v.Mark(2, 30))
		expect(t, "28 of the first", v.Mark(0, 28), 28)
		expect(t, "40 of the first", v.Mark(0, 40), 30)
	})
	t.Run("all idle: the greatest comes out", func(t *testing.T) {
		v := NewValve(3)
		v.Mark(0, 10)
		v.Mark(1, 5)
		v.Mark(2, 12)
		expect(t, "first idle", v.Status(0, Idle))
		expect(t, "third idle", v.Status(2, Idle))
		expect(t, "second idle", v.Status(1, Idle), 12, idle)
	})
}

// Whatever channels say in whatever order, the watermark never falls, and while a channel is active and has caught up it does
// not pass it.
func TestValveNeverPassesAChannel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(t, "channels")
		v := NewValve(n)
		last := None
		for range rapid.IntRange(1, 80).Draw(t, "steps") {
			c := int32(rapid.IntRange(0, n-1).Draw(t, "channel"))
			var out Output
			switch rapid.IntRange(0, 4).Draw(t, "do") {
			case 0:
				out = v.Status(c, Idle)
			case 1:
				out = v.Status(c, Active)
			default:
				out = v.Mark(c, rapid.Int64Range(0, 30).Draw(t, "mark"))
			}
			if out.Moved && out.Mark <= last {
				t.Fatalf("%d came after %d", out.Mark, last)
			}
			if out.Moved {
				last = out.Mark
			}
			low := 0
			for i := range v.inputs {
				in := &v.inputs[i]
				if in.aligned && in.mark < v.out {
					t.Fatalf("the watermark is %d, channel %d counts and has %d", v.out, i, in.mark)
				}
				if in.aligned && in.mark == v.out {
					low++
				}
			}
			if low != v.low && v.active > 0 {
				t.Fatalf("%d channels hold the watermark, it counts %d", low, v.low)
			}
		}
	})
}

// The watermark is the greatest time less the bound less 1 ms; idleness begins at the first tick without a record and is told
// at the first one after strictly more than the timeout.
func TestAWatermarkIsTheGreatestTimeLessTheBound(t *testing.T) {
	g := Generator{Bound: 250, Timeout: event.Second}
	g.Reset(0)
	const tick = 200 * event.Millisecond
	expect(t, "nothing yet", g.Tick(0, 0, None, None))
	g.Reset(0)
	expect(t, "first", g.Tick(tick, 10, 1000, None), 749)
	expect(t, "no record", g.Tick(2*tick, 10, 1000, None))
	for k := event.Time(3); k <= 7; k++ { // the timer runs from 400 ms on
		expect(t, "still counting", g.Tick(k*tick, 10, 1000, None))
	}
	expect(t, "idle", g.Tick(8*tick, 10, 1000, None), idle)
	expect(t, "told once", g.Tick(9*tick, 10, 1000, None))
	expect(t, "a late record does not wake it", g.Tick(10*tick, 11, 1000, None))
	expect(t, "active", g.Tick(11*tick, 12, 2000, None), active, 1749)
}

// As the last split turns idle the newest record of all counts, for none holds the others back any more (FLINK-38454,
// WatermarkOutputMultiplexerTest.whenAllDeferredOutputsEmitAndIdleWatermarkAdvances); before 2.2 the least did.
func TestTheNewestRecordCountsAsAllSplitsTurnIdle(t *testing.T) {
	const tick = 200 * event.Millisecond
	for _, c := range []struct {
		newest int64
		want   []int64
	}{{None, []int64{idle}}, {1500, []int64{1249, idle}}, {1000, []int64{idle}}} {
		g := Generator{Bound: 250, Timeout: tick}
		g.Reset(0)
		expect(t, "first", g.Tick(tick, 10, 1000, c.newest), 749)
		expect(t, "no record", g.Tick(2*tick, 10, 1000, c.newest))
		expect(t, "still counting", g.Tick(3*tick, 10, 1000, c.newest))
		expect(t, "idle", g.Tick(4*tick, 10, 1000, c.newest), c.want...)
		expect(t, "told once", g.Tick(5*tick, 10, 1000, c.newest))
	}
}
