package core_test

import (
	"fmt"
	"slices"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"

	"pgregory.net/rapid"
)

// wide says which settings a drawn setup may have beyond the plain ones.
type wide struct {
	unaligned, script bool
	rescaled          bool // it gets other parallelisms, or a new version
	windows           bool // it has event time, and maps that keep windows where they can
	storage           bool // its checkpoints are kept in a storage, which may be slow or fail
	changing          bool // records change its state, of which snapshots store what has changed
	state             bool // its vertices have states in a backend, hashmap
}

// drawn is one of several values.
func drawn[V any](t *rapid.T, label string, values ...V) V {
	return rapid.SampledFrom(values).Draw(t, label)
}

// oneIn is true once in n times; shrinking makes it false.
func oneIn(t *rapid.T, n int, label string) bool { return rapid.IntRange(0, n-1).Draw(t, label) == n-1 }

// takeTime gives times to what takes none in most setups: network threads, and writing data in flight. The seed says which, so
// that a setup without them is not another one than before.
func takeTime(s *core.Setup) {
	if s.Seed%3 == 2 {
		s.Control.Send, s.Control.Receive = event.Time(s.Seed%5)*17_001, event.Time(s.Seed%7)*9_003
	}
	if s.Seed%4 == 3 {
		s.Control.InFlight = 1_234_567 * event.Time(1+s.Seed%50)
	}
}

// look lets writers look for the channel with the least to send, as takeTime does in some of the setups.
func look(s *core.Setup) {
	if s.Seed%5 == 1 {
		s.Options.AdaptivePartitioner, s.Options.AdaptiveTraverse = true, 2+int(s.Seed/5)%3
	}
}

// drawSetup draws a small job with its settings, so that a run has some ten thousand records at most.
func drawSetup(t *rapid.T, w wide) core.Setup {
	s := core.Setup{
		Duration: rapid.Int64Range(20, 600).Draw(t, "duration in ms") * event.Millisecond,
		Seed:     rapid.Uint64Range(0, 1000).Draw(t, "seed"),
		Keys:     drawn(t, "keys", 1024, 100, 7, 1), HotShareMill: drawn[int64](t, "hot share", 0, 0, 300_000), MaxParallel: 128,
		Overhead:     drawn[int32](t, "overhead", 47, 4, 1),
		FirstTrigger: core.FirstTrigger(rapid.IntRange(0, 2).Draw(t, "first trigger")),
		FlusherPhase: core.FlusherPhase(rapid.IntRange(0, 1).Draw(t, "flusher phase")),
		Control: drawn(t, "control", core.Control{}, core.MeasuredControl(),
			core.Control{RPC: 70_001, Net: 3_333, Wake: 1_777, WakeOutput: 60_013, WakeSpread: 1_100_009, Finalize: 12_345, FlushExtra: 11, FlushDrift: 7, Restore: 2_000_003, LogLead: 5_000_011}),
	}
	takeTime(&s)
	if oneIn(t, 3, "task managers") {
		s.Cluster = core.Cluster{Slots: rapid.IntRange(1, 4).Draw(t, "slots"), Sharing: rapid.Bool().Draw(t, "sharing")}
	}
	s.Options = drawOptions(t, w)
	look(&s)
	drawVertices(t, &s, w)
	if w.windows {
		makeEven(t, &s)
	}
	drawEdges(t, &s)
	if w.script {
		drawScript(t, &s)
	}
	drawOperators(t, &s)
	if w.rescaled {
		drawAnew(t, &s)
	}
	if w.windows || oneIn(t, 3, "event time") {
		drawWatermarks(t, &s)
		drawGroups(t, &s)
	}
	if w.windows {
		drawWindows(t, &s)
	}
	longer := w.changing || w.state || w.rescaled && w.storage
	if longer {
		goLonger(&s)
	}
	if w.storage {
		drawStorage(t, &s)
		if longer {
			workWell(&s)
		}
		if w.rescaled {
			drawClaim(t, &s)
		}
	}
	if w.changing {
		drawChanges(t, &s)
	}
	if w.state {
		drawState(t, &s)
	}
	keepMakers(&s)
	shorten(&s)
	s.Options.PauseSources = s.Options.Version == "2.3" && s.Options.IntervalDuringBacklog != 0 && s.Options.Interval > 0 && oneIn(t, 4, "sources pause until the first checkpoint")
	return s
}

func drawVertices(t *rapid.T, s *core.Setup, w wide) {
	n := rapid.IntRange(2, 5).Draw(t, "vertices")
	if w.windows {
		n = max(n, 3)
	}
	sources := 1
	if n > 2 {
		sources += rapid.IntRange(0, 1).Draw(t, "more sources")
	}
	for v := range n {
		x := core.Vertex{
			Name: fmt.Sprint("v", v), Kind: core.Map, Parallelism: rapid.IntRange(1, 4).Draw(t, "parallelism"),
			Cost: drawn[event.Time](t, "cost", 5_000, 0, 370, 20_000, 77_777, 200_000, 1_000_000),
			Snapshot: core.Snapshot{
				Sync:  drawn[event.Time](t, "sync", 0, 0, 100_000, 5_000_000),
				Async: drawn[event.Time](t, "async", 0, 1_000_000, 30_000_000), Size: drawn[int64](t, "size", 0, 1000),
			},
		}
		switch {
		case v < sources:
			x.Kind = core.Source
			drawSource(t, s, &x)
		case v == n-1:
			x.Kind = core.Sink
		default:
			ratio := drawn(t, "emits", [2]int64{}, [2]int64{}, [2]int64{1, 3}, [2]int64{3, 1}, [2]int64{2, 3}, [2]int64{40, 7})
			x.EmitNum, x.EmitDen = ratio[0], ratio[1]
			x.Burst = x.EmitDen > 0 && oneIn(t, 2, "burst")
			x.Payload = drawn[int32](t, "payload out", 0, 0, 0, 30, 9000)
		}
		s.Vertices = append(s.Vertices, x)
	}
}

func drawSource(t *rapid.T, s *core.Setup, x *core.Vertex) {
	x.Payload = drawn[int32](t, "payload", 100, 0, 10, 1000, 5000, 50_000)
	if oneIn(t, 3, "unlimited") {
		x.Cost = max(x.Cost, 20_000)
	} else {
		x.RateNum, x.RatePer = drawn[int64](t, "rate", 1000, 10, 333, 5000, 20_000), event.Second
	}
	if x.RateNum > 0 && oneIn(t, 4, "a past") {
		x.History = drawn[int64](t, "records at the start", 50, 1, 1000)
	}
	if oneIn(t, 5, "ends") {
		x.Until = s.Duration / 2
	}
	switch {
	case !oneIn(t, 3, "bounded"):
	case rapid.Bool().Draw(t, "by number"):
		x.EndsAfter = drawn[int64](t, "ends after", 20, 1, 3, 100, 1000)
	default:
		x.EndsAt = s.Duration / drawn[event.Time](t, "ends at", 2, 3, 10)
	}
	if oneIn(t, 3, "more partitions") {
		x.Partitions = max(1, x.Parallelism+rapid.IntRange(-2, 3).Draw(t, "partitions more than subtasks"))
	}
}

// drawInputCosts lets some operators with several inputs take another time for each.
func drawInputCosts(t *rapid.T, s *core.Setup) {
	for i := range s.Edges {
		inputs := 0
		for _, e := range s.Edges {
			if e.To == s.Edges[i].To {
				inputs++
			}
		}
		if inputs > 1 && oneIn(t, 3, "an input's own cost") {
			s.Edges[i].Cost = drawn[event.Time](t, "cost of the input", 1000, 77_000, 2_000_000)
		}
		if inputs > 1 && s.Vertices[s.Edges[i].To].Kind == core.Map && oneIn(t, 2, "an input's own records") {
			ratio := drawn(t, "the input emits", [2]int64{0, 1}, [2]int64{0, 0}, [2]int64{1, 3}, [2]int64{3, 1}, [2]int64{2, 5})
			s.Edges[i].EmitNum, s.Edges[i].EmitDen = ratio[0], ratio[1]
			s.Edges[i].Payload = drawn[int32](t, "of the size", 0, 0, 50, 5000)
		}
	}
}

// keepMakers lets inputs make records of their own only where they can.
func keepMakers(s *core.Setup) {
	for i := range s.Edges {
		e, inputs := &s.Edges[i], 0
		for _, o := range s.Edges {
			if o.To == e.To {
				inputs++
			}
		}
		if v := &s.Vertices[e.To]; v.Kind != core.Map || v.Window.Size > 0 || v.Async.Capacity > 0 || inputs < 2 {
			e.EmitNum, e.EmitDen, e.Payload = 0, 0, 0
		}
	}
}

// drawEdges gives every vertex but the sources one input or two, and every vertex without an output one to the last or makes
// a sink of it.
func drawEdges(t *rapid.T, s *core.Setup) {
	last := len(s.Vertices) - 1
	reads := map[int]bool{}
	join := func(from, to int) {
		e := core.Edge{From: from, To: to, Partition: core.Partition(rapid.IntRange(0, 6).Draw(t, "partition"))}
		if e.Partition == core.Forward && s.Vertices[from].Parallelism != s.Vertices[to].Parallelism {
			e.Partition = core.Rebalance
		}
		s.Edges = append(s.Edges, e)
		reads[from] = true
	}
	for v := range s.Vertices {
		if s.Vertices[v].Kind == core.Source {
			continue
		}
		first := rapid.IntRange(0, v-1).Draw(t, "reads from")
		join(first, v)
		if other := rapid.IntRange(0, v-1).Draw(t, "reads from, too"); other != first && oneIn(t, 2, "two inputs") {
			join(other, v)
		}
	}
	for v := range last {
		switch {
		case reads[v]:
		case s.Vertices[v].Kind == core.Map && oneIn(t, 2, "sink"):
			s.Vertices[v].Kind, s.Vertices[v].EmitNum, s.Vertices[v].EmitDen = core.Sink, 0, 0
		default:
			join(v, last)
		}
	}
	for v := range s.Vertices {
		if s.Vertices[v].Kind == core.Sink {
			s.Vertices[v].Guarantee = core.Guarantee(rapid.IntRange(0, 2).Draw(t, "guarantee"))
			s.Vertices[v].TransactionTimeout = drawn[event.Time](t, "transaction timeout", 0, 0, 60_000_000)
		}
	}
	drawInputCosts(t, s)
}

func drawOptions(t *rapid.T, w wide) option.Config {
	c, _, err := option.Resolve("2.3", nil)
	if err != nil {
		t.Fatal(err)
	}
	ms := event.Millisecond
	c.Interval = drawn(t, "interval", 100*ms, 0, 10*ms, 35*ms, 250*ms)
	c.MinPause = drawn(t, "min pause", 0, 0, 20*ms)
	c.IntervalDuringBacklog = drawn(t, "during backlog", -1, 0, 300*ms)
	c.Timeout = drawn(t, "timeout", 600*event.Second, 40*ms, 15*ms)
	c.Tolerable = drawn(t, "tolerable", 1000, 2, 0)
	c.MaxConcurrent = drawn(t, "max concurrent", 1, 1, 3)
	c.AfterTasksFinish = !oneIn(t, 6, "no checkpoints after tasks finish")
	c.Retained = drawn(t, "retained", 1, 3)
	c.BufferTimeout = drawn(t, "buffer timeout", 100*ms, 10*ms, ms, 0, -1)
	c.SegmentSize = drawn[int32](t, "segment", 32768, 8192, 4096)
	c.StartingSegmentSize, c.MinSegmentSize = 1024, 256
	c.BuffersPerChannel = drawn(t, "exclusive", 2, 2, 1, 0, 5)
	c.FloatingPerGate = drawn(t, "floating", 8, 8, 1)
	c.MaxPerChannel = drawn(t, "max per channel", 10, 10, 2)
	c.MaxOverdraft = drawn(t, "overdraft", 20, 20, 5, 0)
	if oneIn(t, 3, "debloat") {
		c.Debloat = true
		c.DebloatPeriod, c.DebloatTarget = drawn(t, "period", 200*ms, 20*ms), drawn(t, "target", 1000*ms, 50*ms)
	}
	c.Restart, c.RestartAttempts = option.RestartFixedDelay, drawn(t, "restarts", 5, 5, 1)
	c.RestartDelay = drawn(t, "restart delay", 10*ms, 0)
	c.FailoverFull = oneIn(t, 5, "full failover")
	c.CancelTimeout = drawn(t, "cancellation timeout", 180*event.Second, 0, 20*ms)
	c.HeartbeatInterval, c.HeartbeatTimeout, c.HeartbeatFailures = drawn(t, "heartbeats", 20*ms, 7*ms), drawn(t, "heartbeat timeout", 50*ms, 30*ms), drawn(t, "failed heartbeats", 2, -1, 0)
	switch {
	case oneIn(t, 3, "at least once"):
		c.Mode = option.AtLeastOnce
	case w.unaligned:
		c.Unaligned, c.MaxConcurrent = true, 1
		c.WithoutFlow = drawn(t, "without in-flight data", -1, -1, 2, 5)
		c.AlignedTimeout = drawn(t, "aligned timeout", 0, 0, ms, 10*ms, 30*ms)
		c.RecoverDownstream = oneIn(t, 3, "output recovers downstream")
		c.DuringRecovery = c.RecoverDownstream && oneIn(t, 2, "checkpoints during recovery")
	}
	return c
}

func drawScript(t *rapid.T, s *core.Setup) {
	for range rapid.IntRange(0, 4).Draw(t, "actions") {
		v := rapid.IntRange(0, len(s.Vertices)-1).Draw(t, "vertex")
		a := core.Action{
			At: rapid.Int64Range(0, s.Duration/event.Millisecond).Draw(t, "at ms") * event.Millisecond,
			Do: drawn(t, "do", core.Slow, core.Rate, core.Kill, core.Trigger, core.Savepoint, core.Stop, core.Lose, core.Hang, core.Hang, core.Elect, core.Backlog, core.RefuseCommits, core.Pause, core.Pause, core.Throttle), Vertex: v, Subtask: rapid.IntRange(-1, s.Vertices[v].Parallelism-1).Draw(t, "subtask"),
		}
		if oneIn(t, 2, "odd") {
			a.At += 123_457
		}
		switch {
		case a.Do == core.Slow && s.Vertices[v].Kind == core.Sink && s.Vertices[v].Guarantee != core.NoGuarantee && oneIn(t, 2, "flush"):
			a.Do, a.Cost = core.SlowFlush, drawn(t, "new flush", 0, 10*ms)
		case a.Do == core.RefuseCommits:
			if v = len(s.Vertices) - 1; s.Vertices[v].Guarantee != core.ExactlyOnce {
				a.Do = core.Trigger
			}
			a.Vertex, a.Subtask = v, min(a.Subtask, s.Vertices[v].Parallelism-1)
			a.For, a.Cost = drawn(t, "refuse for", 60*ms, 200*ms, 1), drawn(t, "an attempt takes", 3*ms, 0, 40*ms)
			s.Options.CommitRetries = drawn(t, "retries of commits", 10, 0, 2)
		case a.Do == core.Slow:
			if a.Cost = drawn[event.Time](t, "new cost", 20_000, 0, 3_000_000); s.Vertices[v].Kind == core.Source {
				a.Cost = max(a.Cost, 20_000)
			}
		case a.Do == core.Backlog && s.Vertices[v].Kind != core.Source:
			a.Do = core.Trigger
		case a.Do == core.Rate && s.Vertices[v].Kind != core.Source:
			a.Do = core.Kill
		case a.Do == core.Rate:
			a.RateNum, a.RatePer = drawn[int64](t, "new rate", 100, 7, 10_000), event.Second
		}
		switch a.Do {
		case core.Trigger:
			a.Full = rapid.Bool().Draw(t, "full")
		case core.Lose:
			a.Silent, a.Back = rapid.Bool().Draw(t, "silent"), drawn(t, "back", 0, 0, 30*ms, 400*event.Second)
		case core.Hang:
			a.For, a.InSync = drawn(t, "hangs for", 15*ms, 0, 1), rapid.Bool().Draw(t, "in its synchronous part")
			a.Deaf = rapid.Bool().Draw(t, "deaf")
			s.SyncTimeout = drawn(t, "timeout of the synchronous part", 0, 10*ms, 20*ms)
		case core.Pause:
			a.For, a.Back = drawn(t, "stands still for", 20*ms, 1, 7*ms+1, 90*ms, 300*ms), drawn(t, "other slots", 0, 0, 30*ms)
			a.Master = oneIn(t, 3, "the JobManager")
		case core.Throttle:
			a.For, a.Times = drawn(t, "throttled for", 30*ms, 7*ms+1, 200*ms), drawn[int64](t, "times", 3000, 1001, 20_000)
		case core.Elect:
			a.For = drawn(t, "without a leader", 0, 40*ms, 1)
		}
		a.Over = a.Do == core.Backlog && rapid.Bool().Draw(t, "over")
		a.Native, a.Drain = rapid.Bool().Draw(t, "native"), a.Do == core.Stop && rapid.Bool().Draw(t, "drain")
		s.Script = append(s.Script, a)
	}
	slices.SortStableFunc(s.Script, func(a, b core.Action) int { return int(a.At - b.At) })
}

// shorten cuts a run that would have too many records, large ones counting as several.
func shorten(s *core.Setup) {
	const enough = 20_000
	perSecond := int64(0)
	for _, v := range s.Vertices {
		switch {
		case v.RateNum > 0:
			perSecond += (1 + 2*v.Load.BurstTimes/3) * v.RateNum * int64(v.Logs()) * (1 + int64(v.Payload)/1000)
		case v.Kind == core.Source:
			perSecond += int64(v.Parallelism) * event.Second / v.Cost * (1 + int64(v.Payload)/1000)
		case v.EmitNum > v.EmitDen:
			perSecond *= v.EmitNum/v.EmitDen + 1
		}
	}
	for _, e := range s.Edges {
		if e.EmitNum > e.EmitDen {
			perSecond *= 4
		}
	}
	s.Duration = min(s.Duration, enough*event.Second/max(1, perSecond))
}

// drawWatermarks lets some sources make watermarks; a log without a rate that gets one has no times to compare.
func drawWatermarks(t *rapid.T, s *core.Setup) {
	ms := event.Millisecond
	s.Options.AutoWatermark = drawn(t, "watermark interval", 20*ms, 3*ms, 200*ms)
	s.Options.Version = drawn(t, "version", "2.3", "1.18")
	for v := range s.Vertices {
		x := &s.Vertices[v]
		if x.Kind == core.Source && (x.RateNum > 0 || len(s.Script) == 0) && !oneIn(t, 4, "no watermarks") {
			x.Watermarks = core.Watermarks{On: true, Bound: drawn(t, "bound", 0, 5*ms, 100*ms),
				Idle: drawn(t, "idle", 0, 30*ms, 5*ms), Behind: drawn(t, "behind", 0, 0, 1000*ms)}
		}
	}
}

// drawAnew lets the job begin anew a few times with other parallelisms or as a new version, where it can.
func drawAnew(t *rapid.T, s *core.Setup) {
	s.Options.Retention, s.Options.ClaimMode = option.RetainOnCancel, option.Claim
	s.Options.IgnoreUnclaimed = !oneIn(t, 4, "unclaimed state counts")
	before := slices.Clone(s.Script)
	for range rapid.IntRange(1, 3).Draw(t, "times") {
		a := core.Action{
			At: rapid.Int64Range(1, s.Duration/ms).Draw(t, "anew at ms")*ms + 1, Do: core.RescaleJob, Vertex: -1, Subtask: -1,
			Parallelism: rapid.IntRange(1, 5).Draw(t, "new parallelism"), FromSavepoint: rapid.Bool().Draw(t, "from a savepoint"),
			Native: rapid.Bool().Draw(t, "native"),
		}
		if a.FromSavepoint {
			a.Drain = oneIn(t, 4, "drain")
		}
		if oneIn(t, 2, "one vertex") {
			a.Vertex = rapid.IntRange(0, len(s.Vertices)-1).Draw(t, "vertex")
		}
		if oneIn(t, 4, "a new version") {
			a.Do, a.Vertex = core.RestoreJob, rapid.IntRange(0, len(s.Vertices)-1).Draw(t, "vertex")
			a.Renamed = oneIn(t, 2, "renamed")
			if oneIn(t, 2, "the same parallelism") {
				a.Parallelism = 0
			}
		}
		s.Script = append(s.Script, a)
	}
	slices.SortStableFunc(s.Script, func(a, b core.Action) int { return int(a.At - b.At) })
	if s.Check() != nil { // not every vertex can have another parallelism alone
		s.Script = before
	}
}
