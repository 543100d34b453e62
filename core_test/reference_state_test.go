package core_test

import (
	"slices"
	"testing"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
	"checkpointlab/core/state/storage"
	"checkpointlab/core_test/reference"

	"pgregory.net/rapid"
)

// drawState gives some vertices states in hashmap, some of which belong to no key, on heaps that are collected now and then and may be
// too small.
func drawState(t *rapid.T, s *core.Setup) {
	o := &s.Options
	o.SnapshotCompression = rapid.Bool().Draw(t, "compression")
	o.Memory.FrameworkHeap, o.Memory.TaskHeap = 64<<20, drawn[int64](t, "heap", 8<<20, 1<<30, 2<<20, 100_000)
	for v := range s.Vertices {
		x := &s.Vertices[v]
		if x.Snapshot.Change > 0 {
			continue
		}
		keyed := x.Kind != core.Source
		for _, e := range s.Edges {
			keyed = keyed && (e.To != v || e.Partition == core.Hash)
		}
		if oneIn(t, 2, "a list") {
			x.State = append(x.State, core.KeyedState{Name: "l", Kind: 4, Keys: drawn[int64](t, "elements", 7, 2, 1000), ValueBytes: drawn[int32](t, "of bytes", 10_000, 100)})
		}
		for range rapid.IntRange(0, 3).Draw(t, "states") {
			k := drawShape(t, keyed && !oneIn(t, 3, "of no key"))
			k.Filled = oneIn(t, 3, "filled") && (k.Kept() == 0 || !slices.ContainsFunc(s.Vertices, func(x core.Vertex) bool { return x.Kind == core.Source && x.RateNum == 0 }))
			x.State = append(x.State, k)
		}
	}
}

// drawShape is one state; not keyed: an operator's list, which is split or united, or a broadcast one.
func drawShape(t *rapid.T, isKeyed bool) core.KeyedState {
	k := core.KeyedState{Name: "s", Keys: drawn[int64](t, "state's keys", 100, 1, 7, 20_000), KeyBytes: 8, ValueBytes: drawn[int32](t, "value", 10, 0, 700),
		LeftMill: drawn[int64](t, "compressed to", 0, 333)}
	kinds := []string{"operator", "union", "broadcast"}
	if isKeyed {
		kinds = append(kinds, "value", "value", "list", "window", "join", "timers")
	}
	is := drawn(t, "kind of state", kinds...)
	for i, name := range core.StateKinds() {
		if name == is {
			k.Kind = core.StateKind(i)
		}
	}
	k.WriteNum, k.WriteDen = drawn[int64](t, "writes", 1, 3), drawn[int64](t, "of records", 1, 4)
	k.ReadNum, k.ReadDen = drawn[int64](t, "reads", 1, 0), 1
	span := drawn(t, "span", 64*ms, 150*ms, 1000*ms, event.Time(64*ms+7))
	switch is {
	case "value":
		k.NewMill, k.TTL = drawn[int64](t, "new", 0, 500_000), drawn(t, "ttl", 0, span)
	case "window":
		k.Size, k.Slide = span, span/drawn[int64](t, "panes", 1, 7)
	case "list":
		k.Retention = drawn(t, "retention", 0, span)
	case "join", "timers":
		k.Retention = span
	}
	return k
}

// meetState counts what a run had to do with its states.
func meetState(met map[string]int, s *core.Setup, lab *core.Lab, events []event.Event) {
	var v core.View
	lab.View(&v)
	had := map[string]bool{}
	for i := range v.Vertices {
		for k := range v.Vertices[i].Tasks {
			had["a collection of the heap"] = had["a collection of the heap"] || v.Vertices[i].Tasks[k].Keyed.Collections > 0
		}
	}
	for _, f := range lab.History().Failures {
		had["an OutOfMemoryError"] = had["an OutOfMemoryError"] || f.Cause == event.OutOfMemory
	}
	lists := slices.ContainsFunc(s.Vertices, func(x core.Vertex) bool {
		return slices.ContainsFunc(x.State, func(k core.KeyedState) bool { return core.StateKinds()[k.Kind] == "operator" })
	})
	for _, e := range events {
		had["lists that are dealt anew"] = had["lists that are dealt anew"] || lists && e.Kind == event.Rescaled && e.Checkpoint != 0
	}
	for what, yes := range had {
		if yes {
			met[what]++
		}
	}
}

// TestReferenceOfChangelogs: what a changelog uploads when, when checkpoints are complete with it, and when state is materialized. What is
// deleted is not compared, nor what a restart reads: a job is followed up to its first failure.
func TestReferenceOfChangelogs(t *testing.T) {
	cases(t, 80)
	met := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		s := drawSetup(t, wide{script: true, unaligned: rapid.Bool().Draw(t, "unaligned"), state: true, changing: true})
		drawChangelog(t, &s)
		events, lab := followLog(t, s)
		meetChangelog(met, &s, lab, events)
	})
	for _, what := range []string{"an upload", "a materialization", "a thread that waits for its log", "an upload that fails"} {
		if met[what] == 0 && !t.Failed() && !testing.Short() {
			t.Errorf("no run had %s: the drawn jobs are too tame", what)
		}
	}
	t.Log(met)
}

// followLog runs a job with a changelog in both ways, up to its first failure.
func followLog(t rapid.TB, s core.Setup) (events []event.Event, lab *core.Lab) {
	t.Helper()
	lab, err := core.New(s)
	if err != nil {
		t.Fatal(err)
	}
	p := pair{lab: lab, ref: reference.New(atStart(lab.Setup(), &s), lab.Setup())}
	p.listen()
	for at, failed := event.Time(0), false; at < s.Duration && len(p.want) < 50_000 && !failed; {
		at = min(at+ms, s.Duration)
		p.ref.Advance(at)
		lab.Advance(at, 0)
		p.got, p.want = slices.DeleteFunc(p.got, deletes), slices.DeleteFunc(p.want, deletes)
		failed = p.failed()
		p.sameEvents(t)
		if !failed {
			p.sameTimes(t)
			p.sameCounts(t)
		}
	}
	return p.want, lab
}

// TestReferenceOfALogThatFills: behind the barrier with which too much of it is to be uploaded, no record is read of what has come.
func TestReferenceOfALogThatFills(t *testing.T) {
	s := example(t)
	s.Vertices[0].RateNum, s.Vertices[0].RatePer, s.Vertices[1].Snapshot = 0, 0, core.Snapshot{Size: 100_001, Change: 1000}
	o := &s.Options
	o.Mode, o.Changelog, o.Interval, o.ChangelogInFlight, o.ChangelogBatchSize, o.BufferTimeout = option.AtLeastOnce, true, 20*ms, 6000, 4000, ms // nothing waits behind a barrier that blocks its sender
	s.Storage = core.Storage{On: true, Bandwidth: 2 << 20}
	events, _ := followLog(t, s)
	if !slices.ContainsFunc(events, func(e event.Event) bool { return e.Kind == event.BackPressured && e.A == 1 }) {
		t.Error("the log holds up nobody")
	}
}

// failed reports whether something has failed, and cuts off what follows.
func (p *pair) failed() bool {
	fails := func(e event.Event) bool { return e.Kind == event.TaskFailed }
	i, k := slices.IndexFunc(p.want, fails), slices.IndexFunc(p.got, fails)
	if i < 0 || k < 0 {
		return false
	}
	p.want, p.got = p.want[:i+1], p.got[:k+1]
	return true
}

// deletes reports whether an event tells of files that were deleted.
func deletes(e event.Event) bool {
	if e.Kind != event.FilesStored && e.Kind != event.FilesFailed {
		return false
	}
	purpose := storage.Purpose(e.B)
	return purpose == storage.Cleaning || purpose == storage.Ending || purpose == storage.Discard
}

// drawChangelog keeps a changelog of the states, in a storage in which deleting takes no time.
func drawChangelog(t *rapid.T, s *core.Setup) {
	o := &s.Options
	o.Changelog, o.ChangelogFailures = true, 1_000_000
	o.ChangelogPreemptive = drawn[int64](t, "threshold", 5<<20, 1500, 20_001)
	o.ChangelogBatchDelay, o.ChangelogBatchSize = drawn(t, "delay of a batch", 10*ms, 0, 3*ms), drawn[int64](t, "size of a batch", 10<<20, 4000)
	o.ChangelogInFlight = max(o.ChangelogBatchSize, drawn[int64](t, "in flight", 100<<20, 6000))
	o.ChangelogMaterialize, o.ChangelogRetryDelay = drawn(t, "materialized every", 60*ms, 0, 200*ms, 15*ms), drawn(t, "tried again after", 500*ms, 4*ms)
	s.Storage = core.Storage{On: true, Bandwidth: drawn[int64](t, "bandwidth", 10<<20, 0, 1<<20, 200_000), PerManager: drawn[int64](t, "of a task manager", 0, 500_000)}
	o.Interval, o.Tolerable, o.FileMerging, o.Storage, o.Timeout = drawn(t, "interval", 20*ms, 0, 7*ms, 60*ms), 1_000_000, false, option.FileSystemStorage, 600*event.Second
	o.InlineThreshold = drawn[int64](t, "inline", 0, 1000)
	var script []core.Action
	for _, a := range s.Script {
		switch a.Do {
		case core.Slow, core.Rate, core.Savepoint, core.Throttle, core.Backlog, core.SlowFlush:
			a.Native = false
			script = append(script, a)
		}
	}
	for range rapid.IntRange(0, 2).Draw(t, "faults") {
		at := s.Duration * event.Time(rapid.IntRange(1, 15).Draw(t, "at, 16ths")) / 16
		script = append(script, core.Action{At: at, Do: core.StorageFault, Slow: drawn[int64](t, "slow", 0, 20_000), Fail: drawn[int64](t, "fail", 1_000_000, -1), Where: core.OnlyTasks},
			core.Action{At: at + 70*ms, Do: core.StorageFault, Slow: 1000})
	}
	slices.SortStableFunc(script, func(a, b core.Action) int { return int(a.At - b.At) })
	s.Script = script
}

// meetChangelog counts what a run had to do with a changelog.
func meetChangelog(met map[string]int, s *core.Setup, lab *core.Lab, events []event.Event) {
	had := map[string]bool{}
	for _, e := range events {
		purpose, stored := storage.Purpose(e.B), e.Kind == event.FilesStored
		if !stored && e.Kind != event.FilesFailed {
			continue
		}
		had["an upload"] = had["an upload"] || stored && purpose == storage.Log
		had["an upload that fails"] = had["an upload that fails"] || !stored && purpose == storage.Log
		had["a materialization"] = had["a materialization"] || stored && purpose == storage.Materialize
	}
	var v core.View
	lab.View(&v)
	for i := range v.Vertices {
		for k := range v.Vertices[i].Tasks {
			had["a thread that waits for its log"] = had["a thread that waits for its log"] || v.Vertices[i].Tasks[k].LogWaits
		}
	}
	for what, yes := range had {
		if yes {
			met[what]++
		}
	}
}
