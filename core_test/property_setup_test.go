package core_test

import (
	"cmp"
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// anyOf draws one of the values; the first one is the simplest.
func anyOf[T any](t *rapid.T, name string, values ...T) T {
	return rapid.SampledFrom(values).Draw(t, name)
}

// spans draws a span between two, in ms, as an option's text. A range alone would mostly give short ones.
func spans(t *rapid.T, name string, from, to int64) string {
	return fmt.Sprintf("%d ms", from+spread(t, name, to-from))
}

// spread draws from 0 … to more evenly than a range does, which prefers small numbers.
func spread(t *rapid.T, name string, to int64) int64 {
	part := (to + 15) / 16
	return min(to, anyOf[int64](t, name+", 16ths", 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)*part+rapid.Int64Range(0, part).Draw(t, name))
}

// anySetup is any setup that Setup.Check accepts, within what a person would try: a job of 2 to 7 vertices, any options
// that act, a script of what happens.
func anySetup(t *rapid.T) core.Setup {
	s := core.Setup{
		Options:      anyOptions(t),
		Duration:     anyOf(t, "duration", 2*event.Second, event.Second, 4*event.Second, 8*event.Second, 20*event.Second),
		Seed:         rapid.Uint64Range(0, 9).Draw(t, "seed"),
		Keys:         anyOf(t, "keys", 1024, 1, 3, 100),
		HotShareMill: anyOf[int64](t, "hot share", 0, 500_000, 990_000),
		Overhead:     anyOf[int32](t, "overhead", 47, 0, 4),
		FirstTrigger: anyOf(t, "first trigger", core.AtRunning, core.AtRandom, core.AtInterval),
		FlusherPhase: anyOf(t, "flushers' phase", core.PhaseAligned, core.PhaseRandom),
		Control:      anyOf(t, "control", core.Control{}, core.MeasuredControl(), slowControl),
		Cluster:      core.Cluster{Slots: rapid.IntRange(0, 4).Draw(t, "slots"), Sharing: anyOf(t, "slot sharing", false, true)},
		Chaining:     anyOf(t, "chaining", false, true),
	}
	look(&s)
	anyVertices(t, &s)
	anyEdges(t, &s)
	anyMore(t, &s)
	s.Script = anyScript(t, &s)
	keepRescalable(&s)
	return s
}

// keepRescalable drops what rescales a job that cannot be: not every vertex can alone, and none with modelled state.
func keepRescalable(s *core.Setup) {
	if s.Check() != nil {
		s.Script = slices.DeleteFunc(s.Script, func(a core.Action) bool { return a.Do == core.RescaleJob || a.Do == core.RestoreJob })
	}
}

// slowControl has a control plane as slow as the data.
var slowControl = core.Control{
	RPC: 40 * event.Millisecond, Net: 3 * event.Millisecond, Wake: event.Millisecond, WakeOutput: 2 * event.Millisecond, WakeSpread: 5 * event.Millisecond, Finalize: 20 * event.Millisecond, Restore: 300 * event.Millisecond,
	LogLead: event.Second, FirstFails: true, Send: 30_000, Receive: 10_000, InFlight: 7 * event.Millisecond,
}

func anyVertices(t *rapid.T, s *core.Setup) {
	sources, maps, sinks := anyOf(t, "sources", 1, 2), rapid.IntRange(0, 3).Draw(t, "maps"), anyOf(t, "sinks", 1, 1, 2)
	even := rapid.IntRange(0, 5).Draw(t, "parallelism of all") // 0 = each its own
	for i := range sources + maps + sinks {
		v := core.Vertex{Parallelism: even}
		if even == 0 {
			v.Parallelism = rapid.IntRange(1, 5).Draw(t, "parallelism")
		}
		switch {
		case i < sources:
			v.Name, v.Kind = fmt.Sprintf("source%d", i), core.Source
			anySource(t, &v)
		case i < sources+maps:
			v.Name = fmt.Sprintf("map%d", i)
			v.Cost = anyCost(t)
			v.Payload = anyOf[int32](t, "payload out", 0, 0, 0, 0, 10, 10_000)
			if anyWindow(t, s, &v) {
				break
			}
			if anyOf(t, "async", false, false, false, true) {
				v.Async = core.Async{Capacity: anyOf(t, "capacity", 10, 1, 100), Latency: anyOf(t, "latency", event.Millisecond, 0, 50*event.Millisecond),
					Spread: anyOf(t, "spread", 0, 5*event.Millisecond), Unordered: anyOf(t, "unordered", false, true),
					Errors: anyOf[int64](t, "errors", 0, 0, 1000, 300_000), Retries: anyOf[int64](t, "retries", 20, 3), Backoff: anyOf(t, "backoff", 0, 20*event.Millisecond),
					Timeout: anyOf(t, "time limit", 0, 0, 500*event.Millisecond)}
				break
			}
			if anyOf(t, "as many out as in", true, true, false) {
				break
			}
			v.Burst = anyOf(t, "burst", false, true)
			v.EmitNum, v.EmitDen = anyOf[int64](t, "out", 1, 2, 3, 100), anyOf[int64](t, "in", 1, 3, 50)
		default:
			v.Name, v.Kind = fmt.Sprintf("sink%d", i), core.Sink
			v.Cost = anyCost(t)
			v.Guarantee = anyOf(t, "guarantee", core.ExactlyOnce, core.ExactlyOnce, core.AtLeastOnce, core.NoGuarantee)
			v.TransactionTimeout = anyOf(t, "transaction timeout", 0, 0, 0, 300*event.Millisecond, 2*event.Second)
		}
		v.Snapshot = core.Snapshot{
			Sync:  anyOf(t, "sync", 0, 0, 0, event.Millisecond, 80*event.Millisecond),
			Async: anyOf(t, "async", 0, 0, event.Millisecond, 300*event.Millisecond),
			Size:  anyOf[int64](t, "state", 0, 1<<20),
		}
		s.Vertices = append(s.Vertices, v)
	}
}

// anyWindow makes a map a window operator once in a while, if there is event time to go by.
func anyWindow(t *rapid.T, s *core.Setup, v *core.Vertex) bool {
	timed := false
	for i := range s.Vertices {
		timed = timed || s.Vertices[i].Watermarks.On
	}
	if !timed || !anyOf(t, "window", false, false, true) {
		return false
	}
	v.Window = core.Window{
		Size: anyOf(t, "window size", 500*event.Millisecond, 70*event.Millisecond, 2*event.Second), List: anyOf(t, "list", false, true),
		Fire: anyOf(t, "cost of a timer", -1, 0, 100*event.Microsecond), Results: anyOf[int64](t, "results", 1, 3), Entry: 10,
	}
	v.Window.Slide = anyOf(t, "slides", 0, 0, v.Window.Size/5)
	return true
}

func anyCost(t *rapid.T) event.Time {
	return anyOf(t, "cost", -1, -1, 0, 20*event.Microsecond, 20*event.Microsecond, 200*event.Microsecond, 200*event.Microsecond,
		event.Millisecond, 5*event.Millisecond)
}

func anySource(t *rapid.T, v *core.Vertex) {
	v.Payload = anyOf[int32](t, "payload", 100, 100, 1, 1000, 1000, 10_000, 100_000)
	v.Partitions = anyOf(t, "partitions a subtask", 0, 1, 3) * v.Parallelism
	if v.Partitions > 0 && anyOf(t, "uneven partitions", false, true) {
		v.Partitions++
	} else if v.Partitions == v.Parallelism && anyOf(t, "one subtask without a partition", false, true) {
		v.Partitions = max(1, v.Partitions-1)
	}
	if v.Cost = anyCost(t); anyOf(t, "max rate", false, true) {
		if v.Cost == 0 {
			v.Cost = -1
		}
	} else {
		v.RateNum, v.RatePer = anyOf[int64](t, "rate", 1000, 1000, 1, 37, 20_000), event.Second
	}
	if v.RateNum > 0 && anyOf(t, "load", false, false, false, true) {
		v.Load = core.Load{Period: anyOf(t, "period", 0, event.Second), SwingMill: 700_000, BurstEvery: anyOf(t, "bursts", 0, 500*event.Millisecond),
			BurstFor: 50 * event.Millisecond, BurstTimes: 10, Quiet: anyOf(t, "silent", false, true), QuietFrom: event.Second, QuietTo: 2 * event.Second}
	}
	if anyOf(t, "event time", false, false, true) {
		v.Watermarks = core.Watermarks{On: true, Bound: anyOf(t, "bound", 0, 250*event.Millisecond), Idle: anyOf(t, "idle", 0, 100*event.Millisecond)}
	}
	if anyOf(t, "ends", false, false, true) {
		v.Until = 1 + spread(t, "until", 4*event.Second)
	}
	if v.RateNum > 0 {
		v.History = anyOf[int64](t, "history", 0, 0, 500)
	}
	switch anyOf(t, "bounded", 0, 0, 0, 1, 2) {
	case 1:
		v.EndsAt = 1 + spread(t, "ends at", 4*event.Second)
	case 2:
		v.EndsAfter = anyOf[int64](t, "ends after", 100, 1, 3000)
	}
}

// anyEdges gives every vertex inputs from vertices before it; what nobody reads then goes to the last sink.
func anyEdges(t *rapid.T, s *core.Setup) {
	read := make([]int, len(s.Vertices))
	join := func(from, to int) {
		e := core.Edge{From: from, To: to, Partition: anyOf(t, "partition", core.Hash, core.Rebalance, core.Forward, core.Rescale, core.Shuffle, core.Broadcast, core.Global)}
		if e.Partition == core.Forward && s.Vertices[from].Parallelism != s.Vertices[to].Parallelism || s.Vertices[to].Window.Size > 0 {
			e.Partition = core.Hash
		}
		read[from]++
		s.Edges = append(s.Edges, e)
	}
	for to := range s.Vertices {
		if s.Vertices[to].Kind == core.Source {
			continue
		}
		for range anyOf(t, "inputs", 1, 1, 2) {
			from := rapid.IntRange(0, to-1).Draw(t, "input")
			for s.Vertices[from].Kind == core.Sink {
				from--
			}
			join(from, to)
		}
	}
	for from := range s.Vertices {
		if read[from] == 0 && s.Vertices[from].Kind != core.Sink {
			join(from, len(s.Vertices)-1)
		}
	}
	drawInputCosts(t, s)
}

// anyOptions are options as a person would write them, and segments smaller than Flink allows.
func anyOptions(t *rapid.T) option.Config {
	var pairs []option.Pair
	set := func(key, value string) { pairs = append(pairs, option.Pair{Key: key, Value: value}) }
	const network, checkpoints = "taskmanager.network.memory.", "execution.checkpointing."
	version := anyOf(t, "version", "2.3", "1.20", "1.18")
	if anyOf(t, "periodic", true, true, true, true, false) {
		set(interval, anyOf(t, "interval", "200 ms", "10 ms", "37 ms", "100 ms", "500 ms", "1 s", "5 s"))
	}
	kind := anyOf(t, "kind", "aligned", "at-least-once", "unaligned", "timeout")
	if version != "1.18" {
		set(checkpoints+"unaligned.interruptible-timers.enabled", anyOf(t, "interruptible", "false", "true"))
	}
	switch kind {
	case "at-least-once":
		set(mode, "AT_LEAST_ONCE")
	case "unaligned":
		set(unaligned, "true")
	case "timeout":
		set(unaligned, "true")
		set(aligned, spans(t, "alignment timeout", 1, 1000))
	}
	if kind == "aligned" || kind == "at-least-once" {
		set(checkpoints+"max-concurrent-checkpoints", anyOf(t, "concurrent", "1", "2", "5"))
	}
	if anyOf(t, "may expire", false, false, false, true) {
		set(checkpoints+"timeout", spans(t, "timeout", 10, 1000))
	}
	set(checkpoints+"tolerable-failed-checkpoints", anyOf(t, "tolerable", "1000", "1000", "0", "2"))
	if anyOf(t, "quick heartbeats", true, true, false) {
		set("heartbeat.interval", "100 ms")
		set("heartbeat.timeout", "350 ms")
	}
	if anyOf(t, "another interval during backlog", false, true) {
		set(checkpoints+"interval-during-backlog", anyOf(t, "during backlog", "0", "10 s"))
	}
	if anyOf(t, "none after tasks finish", false, false, false, true) {
		set(checkpoints+"checkpoints-after-tasks-finish.enabled", "false")
	}
	set(checkpoints+"min-pause", anyOf(t, "min-pause", "0 ms", "0 ms", "20 ms", "1 s"))
	set("execution.checkpointing.num-retained", anyOf(t, "retained", "1", "3"))
	set("execution.buffer-timeout.interval", anyOf(t, "buffer timeout", "100 ms", "0 ms", "1 ms", "-1 ms"))
	set("pipeline.auto-watermark-interval", anyOf(t, "watermark interval", "200 ms", "10 ms"))
	if anyOf(t, "debloat", false, true) {
		set(debloat, "true")
		set(network+"buffer-debloat.period", anyOf(t, "debloating period", "200 ms", "10 ms"))
		set(network+"buffer-debloat.target", anyOf(t, "debloating target", "1 s", "10 ms"))
	}
	if version == "2.3" && anyOf(t, "output recovers downstream", false, false, true) {
		set(checkpoints+"unaligned.recover-output-on-downstream.enabled", "true")
		set(checkpoints+"during-recovery.enabled", anyOf(t, "checkpoints during recovery", "true", "false"))
	}
	exclusive, floating := rapid.IntRange(0, 4).Draw(t, "exclusive"), rapid.IntRange(1, 8).Draw(t, "floating")
	set(network+"floating-buffers-per-gate", fmt.Sprint(floating))
	anyRestart(t, set)
	paused := append(slices.Clone(pairs), option.Pair{Key: pauseSources, Value: "true"})
	if _, _, err := option.Resolve(version, paused); err == nil && version == "2.3" && floating%3 == 0 { // not beside an interval of 0 during backlog
		pairs = paused
	}
	c, _, err := option.Resolve(version, pairs)
	if err != nil {
		t.Fatalf("%v: %v", pairs, err)
	}
	if version != "2.3" {
		c.BuffersPerChannel = exclusive
		c.MaxPerChannel = anyOf(t, "queue limit", 10, 2, 3) // with 1 the open buffer alone stops the writer, and nothing finishes it
		c.MaxOverdraft = anyOf(t, "overdraft", 5, 0, 20)
	}
	c.SegmentSize = anyOf[int32](t, "segment", 32<<10, 32<<10, 4<<10, 1<<10, 256)
	c.MinSegmentSize, c.StartingSegmentSize = min(c.MinSegmentSize, c.SegmentSize), min(c.StartingSegmentSize, c.SegmentSize)
	return c
}

func anyRestart(t *rapid.T, set func(key, value string)) {
	switch kind := anyOf(t, "restart", "fixed-delay", "fixed-delay", "exponential-delay", "failure-rate", "none", ""); kind {
	case "fixed-delay":
		set("restart-strategy.type", kind)
		set("restart-strategy.fixed-delay.attempts", anyOf(t, "attempts", "1000", "1000", "1"))
		set("restart-strategy.fixed-delay.delay", anyOf(t, "delay", "100 ms", "0 ms", "1 s"))
	case "failure-rate":
		set("restart-strategy.type", kind)
		set("restart-strategy.failure-rate.max-failures-per-interval", anyOf(t, "failures", "100", "1"))
		set("restart-strategy.failure-rate.failure-rate-interval", "10 s")
		set("restart-strategy.failure-rate.delay", "30 ms")
	case "exponential-delay":
		set("restart-strategy.type", kind)
		set("restart-strategy.exponential-delay.initial-backoff", anyOf(t, "back-off", "10 ms", "1 s"))
	case "none":
		set("restart-strategy.type", kind)
	}
}

// anyScript is what happens, two things at once among them.
func anyScript(t *rapid.T, s *core.Setup) []core.Action {
	var script []core.Action
	for i := range rapid.IntRange(0, 6).Draw(t, "actions") {
		a := core.Action{At: spread(t, "at", s.Duration), Do: anyOf(t, "do", core.Kill, core.Slow, core.Rate, core.Trigger, core.Savepoint, core.Trigger, core.Savepoint, core.Stop, core.Lose, core.Backlog, core.RescaleJob, core.RestoreJob, core.Hang, core.StorageFault, core.Elect, core.RefuseCommits, core.Pause, core.Throttle),
			Native: anyOf(t, "native", false, true)}
		a.Silent, a.Back = anyOf(t, "silent", false, true), anyOf[event.Time](t, "back", 0, 700*event.Millisecond)
		a.Drain = a.Do == core.Stop && anyOf(t, "drain", false, true)
		if i > 0 && anyOf(t, "at once", false, false, true) {
			a.At = script[i-1].At
		}
		a.Vertex = rapid.IntRange(0, len(s.Vertices)-1).Draw(t, "vertex")
		v := &s.Vertices[a.Vertex]
		a.Subtask = rapid.IntRange(-1, v.Parallelism-1).Draw(t, "subtask")
		switch a.Do {
		case core.RescaleJob:
			a.Parallelism, a.FromSavepoint = rapid.IntRange(1, 6).Draw(t, "new parallelism"), anyOf(t, "from a savepoint", false, true)
			if anyOf(t, "all vertices", true, false) {
				a.Vertex = -1
			}
		case core.RestoreJob:
			anyRestore(t, s, &a)
		case core.Trigger:
			a.Full = anyOf(t, "full", false, true)
		case core.Hang:
			a.For, a.InSync = anyOf(t, "hangs for", 300*event.Millisecond, event.Millisecond, 0), anyOf(t, "in its synchronous part", false, true)
			s.SyncTimeout = anyOf(t, "timeout of the synchronous part", 0, 10*event.Millisecond, 400*event.Millisecond)
		case core.RefuseCommits:
			anyRefusal(t, s, &a)
		case core.Elect:
			a.For = anyOf(t, "without a leader", 0, 300*event.Millisecond, 2*event.Second)
		case core.Pause:
			a.For, a.Master = anyOf(t, "stands still for", 300*event.Millisecond, event.Millisecond, 3*event.Second), anyOf(t, "the JobManager", false, false, true)
		case core.Throttle:
			a.For, a.Times = anyOf(t, "throttled for", 300*event.Millisecond, 3*event.Second), anyOf[int64](t, "times", 3000, 1500, 50_000)
		case core.StorageFault:
			anyFault(t, s, &a)
		case core.Backlog:
			if a.Over = anyOf(t, "over", false, true); v.Kind != core.Source {
				a.Vertex, a.Subtask = 0, -1
			}
		case core.Slow:
			if a.Cost = max(0, anyCost(t)); a.Cost == 0 && v.Kind == core.Source {
				a.Cost = event.Microsecond
			}
		case core.Rate:
			if v.Kind != core.Source {
				a.Vertex, a.Subtask = 0, -1
			}
			a.RateNum, a.RatePer = anyOf[int64](t, "new rate", 100, 1, 30_000), event.Second
		}
		script = append(script, a)
	}
	sortScript(script)
	return script
}

// anyRestore starts another version of the job, which may be one that cannot start.
func anyRestore(t *rapid.T, s *core.Setup, a *core.Action) {
	s.Options.Retention, s.Options.ClaimMode = option.RetainOnCancel, option.ClaimMode(rapid.IntRange(0, 2).Draw(t, "claim mode"))
	s.Options.IgnoreUnclaimed = anyOf(t, "ignore unclaimed state", true, true, false)
	a.FromSavepoint, a.Renamed = anyOf(t, "from a savepoint", false, true), anyOf(t, "another uid", false, false, true)
	a.Parallelism = anyOf(t, "new parallelism", 0, 0, 1, 3, 6)
	a.Backend = anyOf(t, "new backend", 0, 0, 1, 2, 3)
	if anyOf(t, "another max parallelism", false, false, false, true) {
		a.MaxParallel = 77
	}
}

func sortScript(script []core.Action) {
	slices.SortStableFunc(script, func(a, b core.Action) int { return cmp.Compare(a.At, b.At) })
}
