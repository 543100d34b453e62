package core_test

import (
	"slices"

	"checkpointlab/core"
	"checkpointlab/core/event"

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
