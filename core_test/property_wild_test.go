package core_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"checkpointlab/core"
	"checkpointlab/core/option"
)

// TestWhatIsAcceptedRuns puts numbers far beyond reason into setups: Setup.Check refuses them, they need more memory than there is, or the run does not
// panic.
func TestWhatIsAcceptedRuns(t *testing.T) {
	cases(t, 1000)
	ran := 0
	rapid.Check(t, func(t *rapid.T) {
		s := anySetup(t)
		for range rapid.IntRange(1, 3).Draw(t, "wild fields") {
			makeWild(t, &s)
		}
		if s.Check() != nil || s.Memory() > core.DefaultMemory {
			return
		}
		lab, err := core.New(s)
		if err != nil {
			t.Fatalf("Check finds nothing and %d bytes are enough, New says: %v", s.Memory(), err)
		}
		ran++
		lab.Advance(min(s.Duration, longestDrawn), 3000)
		lab.View(new(core.View))
	})
	if ran == 0 {
		t.Error("no wild setup was accepted")
	}
}

// longestDrawn is the longest run of anySetup.
const longestDrawn = 20_000_000_000

func wild[T int | int32 | int64](t *rapid.T, largest T) T {
	return anyOf(t, "wild", 0, -1, 1, largest, largest-1, largest/3, -largest, 7, 1000)
}

func makeWild(t *rapid.T, s *core.Setup) {
	v := &s.Vertices[rapid.IntRange(0, len(s.Vertices)-1).Draw(t, "vertex")]
	a := new(core.Action)
	if len(s.Script) > 0 {
		a = &s.Script[rapid.IntRange(0, len(s.Script)-1).Draw(t, "action")]
	}
	const most = math.MaxInt64
	fields := []func(){
		func() { s.Duration = wild[int64](t, most) },
		func() { s.Keys = wild[int](t, most) },
		func() { s.HotShareMill = wild[int64](t, most) },
		func() { s.Overhead = wild[int32](t, math.MaxInt32) },
		func() { s.MaxParallel = wild[int](t, most) },
		func() {
			k := anyShape(t, true)
			for _, f := range []*int64{&k.Keys, &k.WriteNum, &k.WriteDen, &k.ReadNum, &k.ReadDen, &k.LeftMill, &k.NewMill, &k.TTL, &k.Retention, &k.Size, &k.Slide} {
				if anyOf(t, "wild", false, false, true) {
					*f = wild[int64](t, most)
				}
			}
			k.Filled, k.ValueBytes = anyOf(t, "filled", false, true), anyOf[int32](t, "value", 10, math.MaxInt32, -1)
			v.State = append(v.State, k)
		},
		func() {
			s.Cluster.Disk = core.Disk{Throughput: wild[int64](t, most), Burst: wild[int64](t, most), Credit: wild[int64](t, most), Latency: wild[int64](t, most), Size: wild[int64](t, most)}
		},
		func() {
			s.Cluster.Remote = core.Remote{Throughput: wild[int64](t, most), Latency: wild[int64](t, most)}
		},
		func() { s.FirstTrigger = 7 },
		func() { s.FlusherPhase = 7 },
		func() { s.Control.RPC = wild[int64](t, most) },
		func() { s.Control.Net = wild[int64](t, most) },
		func() { s.Control.Send, s.Control.Receive = wild[int64](t, most), wild[int64](t, most) },
		func() { s.Control.InFlight = wild[int64](t, most) },
		func() { s.Control.Wake = wild[int64](t, most) },
		func() { s.Control.WakeOutput, s.Control.WakeSpread = wild[int64](t, most), wild[int64](t, most) },
		func() { s.Control.FlushExtra = wild[int64](t, most) },
		func() { s.Control.FlushDrift = wild[int64](t, most) },
		func() { s.Control.Finalize = wild[int64](t, most) },
		func() { s.Control.Restore = wild[int64](t, most) },
		func() { s.Control.LogLead = wild[int64](t, most) },
		func() { s.Cluster.Slots = wild[int](t, most) },
		func() { v.Parallelism = wild[int](t, 40) },
		func() { v.Kind = 7 },
		func() { v.Cost = wild[int64](t, most) },
		func() { v.Snapshot.Sync = wild[int64](t, most) },
		func() { v.Snapshot.Async = wild[int64](t, most) },
		func() { v.Snapshot.Size = wild[int64](t, most) },
		func() { v.EmitNum, v.EmitDen = wild[int64](t, 1000), wild[int64](t, 1_000_000) },
		func() { v.Partitions = wild[int](t, most) },
		func() { v.RateNum, v.RatePer = wild[int64](t, most), wild[int64](t, most) },
		func() { v.Payload = wild[int32](t, math.MaxInt32) },
		func() { v.Until = wild[int64](t, most) },
		func() { v.Guarantee = 7 },
		func() { v.TransactionTimeout, v.BrokerMaxTimeout = wild[int64](t, most), wild[int64](t, most) },
		func() { s.Edges[0].Partition = 7 },
		func() { s.Edges[0].From, s.Edges[0].To = wild[int](t, 3), wild[int](t, 3) },
		func() { a.At = wild[int64](t, most) },
		func() { a.Do = 7 },
		func() { a.Vertex, a.Subtask = wild[int](t, 5), wild[int](t, 5) },
		func() { a.Cost = wild[int64](t, most) },
		func() { a.RateNum, a.RatePer = wild[int64](t, most), wild[int64](t, most) },
		func() { s.Options = wildOptions(t, s.Options) },
	}
	fields[rapid.IntRange(0, len(fields)-1).Draw(t, "field")]()
}

// wildOptions are options at the ends of what Resolve takes; those before, if it does not take them.
func wildOptions(t *rapid.T, before option.Config) option.Config {
	var pairs []option.Pair
	for _, o := range option.All() {
		if o.Field == "" || rapid.IntRange(0, 3).Draw(t, "set") > 0 {
			continue
		}
		value := anyOf(t, o.Key, "0", "1", "-1", "2147483647", "1 ns", "1 ms", "106751 d", "1 b", "64 mb", "1 gb", "0.5", "100", "true", "false")
		pairs = append(pairs, option.Pair{Key: o.Key, Value: value})
	}
	c, _, err := option.Resolve(before.Version, pairs)
	if err != nil {
		return before
	}
	return c
}
