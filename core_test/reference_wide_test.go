package core_test

import (
	"slices"

	"checkpointlab/core"
	"checkpointlab/core/event"

	"pgregory.net/rapid"
)

// drawOperators makes some vertices more than plain: sources whose load comes and goes or that hold a lock, operators that
// ask for answers or keep windows, callbacks, state that lies unevenly.
func drawOperators(t *rapid.T, s *core.Setup) {
	for v := range s.Vertices {
		x := &s.Vertices[v]
		if oneIn(t, 5, "uneven state") {
			x.Snapshot.Size, x.Snapshot.Skew, x.Snapshot.Files = 1001, drawn[int64](t, "skew", 900_000, 0, 1), drawn[int64](t, "files", 0, 7)
		}
		if oneIn(t, 6, "callback") {
			x.Callback = core.Callback{Time: drawn(t, "callback's time", 3*ms, 0), Grows: drawn(t, "grows", ms, 0)}
		}
		if x.Kind == core.Sink && x.Guarantee != core.NoGuarantee && oneIn(t, 3, "flush") {
			x.Flush = drawn(t, "flush's time", 4*ms, 1, 45*ms)
		}
		switch {
		case x.Kind == core.Source:
			drawLoad(t, x)
			x.Lock = drawn(t, "lock", core.NoLock, core.NoLock, core.NoLock, core.NoLock, core.LockEmit, core.LockFirst)
			if x.History > 0 && x.Lock != core.NoLock {
				x.Lock = drawn(t, "lock with a past", core.LockSnapshot, x.Lock)
			}
		case x.Kind == core.Map && oneForOne(x) && oneIn(t, 4, "asynchronous"):
			x.Async = core.Async{Capacity: drawn(t, "capacity", 3, 1, 50), Latency: drawn(t, "latency", ms, 0, 7*ms), Spread: drawn(t, "spread", 0, 3*ms),
				Unordered: rapid.Bool().Draw(t, "unordered"), Errors: drawn[int64](t, "errors", 0, 0, 200_000), Retries: drawn[int64](t, "retries", 5, 0, 1),
				Backoff: drawn(t, "backoff", 0, 2*ms), Timeout: drawn(t, "time limit", 0, 0, 5*ms), Drop: rapid.Bool().Draw(t, "drop")}
		}
	}
}

func oneForOne(x *core.Vertex) bool { return x.EmitNum == x.EmitDen && !x.Burst }

func drawLoad(t *rapid.T, x *core.Vertex) {
	if x.RateNum == 0 || !oneIn(t, 6, "load") {
		return
	}
	x.Load = core.Load{Period: drawn(t, "period of the load", 0, 100*ms, 77*ms), SwingMill: drawn[int64](t, "swing", 700_000, 50_000)}
	if oneIn(t, 2, "bursts") {
		x.Load.BurstEvery, x.Load.BurstFor, x.Load.BurstTimes = drawn(t, "burst every", 50*ms, 120*ms), 10*ms+1, 3
	}
	if oneIn(t, 2, "silent") {
		x.Load.Quiet, x.Load.QuietSubtask = true, rapid.IntRange(0, x.Parallelism-1).Draw(t, "silent subtask")
		if oneIn(t, 2, "some partitions") {
			n := rapid.IntRange(2, 4).Draw(t, "partitions of a subtask")
			x.Partitions, x.Load.QuietSplits = n*x.Parallelism, rapid.IntRange(1, n-1).Draw(t, "silent partitions")
		}
		x.Load.QuietFrom = drawn(t, "silent from", 30*ms, 0)
		x.Load.QuietTo = x.Load.QuietFrom + drawn(t, "silent for", 40*ms, 300*ms)
	}
}

// drawGroups lets sources of watermarks wait for each other.
func drawGroups(t *rapid.T, s *core.Setup) {
	if !oneIn(t, 3, "alignment of watermarks") {
		return
	}
	for v := range s.Vertices {
		if w := &s.Vertices[v].Watermarks; w.On {
			w.Align = core.Alignment{Group: drawn(t, "group", "a", "a", "b", ""), Drift: drawn(t, "drift", 10*ms, 0, 40*ms), Update: drawn(t, "update", 20*ms, 5*ms, 0)}
		}
	}
}

// makeEven gives every source a rate at which records arrive at whole ns, and lets most maps make one record of one.
func makeEven(t *rapid.T, s *core.Setup) {
	s.Duration = max(s.Duration, 200*ms)
	for v := range s.Vertices {
		x := &s.Vertices[v]
		switch {
		case x.Kind == core.Source:
			x.RateNum, x.RatePer, x.Partitions = drawn[int64](t, "even rate", 1000, 5000, 100), event.Second, 0
		case x.Kind == core.Map && x.EmitNum < 40: // else of 7 records it makes 40
			x.EmitNum, x.EmitDen, x.Burst = 0, 0, false
		}
	}
}

// drawWindows makes window operators of maps whose records' times are exact in the simulation: a run that is dealt to several
// channels is thinned evenly, so that a record behind it may lie in another window than the reference's.
func drawWindows(t *rapid.T, s *core.Setup) {
	if !slices.ContainsFunc(s.Vertices, func(v core.Vertex) bool { return v.Watermarks.On }) {
		return
	}
	switch rapid.IntRange(0, 2).Draw(t, "exact by") {
	case 0:
		for v := range s.Vertices {
			if x := &s.Vertices[v]; x.Kind == core.Map {
				x.Parallelism, x.EmitNum, x.EmitDen, x.Burst = 1, 0, 0, false
			}
		}
	case 1:
		s.Keys = 1
	default:
		s.Options.BufferTimeout = 0
	}
	for i := range s.Script {
		a := &s.Script[i]
		if a.Do == core.Rate {
			a.RateNum = drawn[int64](t, "even new rate", 100, 10_000)
		}
		a.Subtask = min(a.Subtask, s.Vertices[a.Vertex].Parallelism-1)
	}
	for i := range s.Edges {
		if e := &s.Edges[i]; e.Partition == core.Forward && s.Vertices[e.From].Parallelism != s.Vertices[e.To].Parallelism {
			e.Partition = core.Global
		}
	}
	s.Options.InterruptibleTimers = rapid.Bool().Draw(t, "interruptible timers")
	for v := range s.Vertices {
		x := &s.Vertices[v]
		if x.Kind != core.Map || x.Async.Capacity > 0 || !oneForOne(x) || !byKey(s, v) || !exactTimes(s, v) {
			continue
		}
		x.Window = core.Window{Size: drawn(t, "window", 40*ms, 7*ms, 150*ms), List: rapid.Bool().Draw(t, "list"), Fire: drawn(t, "timer", 100_000, -1, 0, 3*ms),
			Results: drawn[int64](t, "results", 1, 3), Entry: drawn[int64](t, "entry", 10, 0)}
		if oneIn(t, 2, "sliding") {
			x.Window.Slide = drawn(t, "slide", x.Window.Size/3/ms*ms, ms, x.Window.Size)
		}
		x.Window.Slide = max(x.Window.Slide, 0)
	}
}

// byKey reports whether a vertex may have windows: all inputs are dealt by key, or there is one subtask.
func byKey(s *core.Setup, v int) bool {
	for _, e := range s.Edges {
		if e.To == v && e.Partition != core.Hash && s.Vertices[v].Parallelism > 1 {
			return false
		}
	}
	return true
}

// exactTimes reports whether the simulation knows when each record that comes to a vertex has arrived in the log.
func exactTimes(s *core.Setup, v int) bool {
	for _, e := range s.Edges {
		if e.To != v {
			continue
		}
		from := &s.Vertices[e.From]
		dealt := s.Vertices[v].Parallelism > 1 && (e.Partition == core.Rebalance || e.Partition == core.Rescale || e.Partition == core.Shuffle || e.Partition == core.Hash && s.Keys > 1)
		switch {
		case from.Window.Size > 0:
		case dealt && s.Options.BufferTimeout != 0, !oneForOne(from), from.Kind != core.Source && !exactTimes(s, e.From), from.Kind == core.Source && !evenTimes(s, e.From):
			return false
		}
	}
	return true
}

// evenTimes reports whether records arrive in a log at whole ns.
func evenTimes(s *core.Setup, v int) bool {
	x := &s.Vertices[v]
	even := func(num int64, per event.Time) bool {
		for i := range x.Parallelism {
			partitions := int64(max(x.Partitions, x.Parallelism)-i+x.Parallelism-1) / int64(x.Parallelism)
			if num > 0 && per%(num*partitions) != 0 {
				return false
			}
		}
		return true
	}
	for _, a := range s.Script {
		if a.Do == core.Rate && a.Vertex == v && (!even(a.RateNum, a.RatePer) || x.RateNum == 0) {
			return false
		}
	}
	return even(x.RateNum, x.RatePer) && x.Load == core.Load{}
}
