package core_test

import (
	"testing"

	"pgregory.net/rapid"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/option"
)

// TestAnyRunWithStateKeepsTheLaws is TestAnyRunKeepsTheLaws for jobs with states in any backend.
func TestAnyRunWithStateKeepsTheLaws(t *testing.T) {
	cases(t, 60)
	stateful := 0
	rapid.Check(t, func(t *rapid.T) {
		s := anySetup(t)
		anyState(t, &s)
		keepRescalable(&s)
		if err := s.Check(); err != nil {
			t.Fatalf("drew what no run takes: %v", err)
		}
		w, err := watch(s, rapid.Uint64Range(0, 99).Draw(t, "cuts"), budget)
		if err != nil {
			t.Fatal(err)
		}
		for i := range w.now.Vertices {
			for k := range w.now.Vertices[i].Tasks {
				if task := &w.now.Vertices[i].Tasks[k]; task.Stateful && task.Keyed.Bytes > 0 {
					stateful++
				}
			}
		}
		for _, err := range []error{sameInOneGo(w), sameByStep(w), sameFromASnapshot(w, rapid.IntRange(0, w.items).Draw(t, "snapshot"))} {
			if err != nil {
				t.Fatal(err)
			}
		}
	})
	if stateful == 0 {
		t.Error("no task kept anything")
	}
}

// anyState gives vertices states of any kind, in any backend, with memtables small enough that files come and go.
func anyState(t *rapid.T, s *core.Setup) {
	o := &s.Options
	o.Backend, o.Incremental = anyOf(t, "backend", option.RocksDB, option.HashMap, option.ForSt), anyOf(t, "incremental", true, false)
	for _, l := range []*option.LSM{&o.Rocks, &o.ForSt} {
		l.Buffer, l.LevelBase, l.FileBase = 64<<10, 1<<20, 256<<10
		l.Style, l.Dynamic, l.Bloom = rapid.IntRange(0, 1).Draw(t, "style"), anyOf(t, "dynamic", false, true), anyOf(t, "bloom", false, true)
	}
	o.AsyncBuffer = anyOf(t, "records in flight", 6000, 1, 50)
	s.Cluster.Disk = anyOf(t, "disk", core.Disk{}, core.Disk{Throughput: 1 << 20, Burst: 4 << 20, Credit: 1 << 20, Latency: event.Millisecond})
	for i := range s.Vertices {
		keyed := s.Vertices[i].Kind != core.Source
		for _, e := range s.Edges {
			keyed = keyed && (e.To != i || e.Partition == core.Hash)
		}
		for range rapid.IntRange(0, 2).Draw(t, "states") {
			s.Vertices[i].State = append(s.Vertices[i].State, anyShape(t, keyed))
		}
	}
}

// anyShape is one state; not keyed: an operator's, whose list is split or united, or a broadcast one.
func anyShape(t *rapid.T, isKeyed bool) core.KeyedState {
	k := core.KeyedState{Name: "s", Kind: 4, Keys: anyOf[int64](t, "state's keys", 100, 1, 20_000), KeyBytes: 8, ValueBytes: anyOf[int32](t, "value", 10, 0, 2000)}
	if !isKeyed {
		k.Kind = anyOf[core.StateKind](t, "kind of state", 4, 5, 7)
		return k
	}
	k.WriteNum, k.WriteDen = anyOf[int64](t, "writes", 1, 3), anyOf[int64](t, "of records", 1, 4)
	k.ReadNum, k.ReadDen = anyOf[int64](t, "reads", 1, 0), 1
	span := anyOf(t, "span", event.Second, 100*event.Millisecond, 5*event.Second)
	switch k.Kind = core.StateKind(rapid.IntRange(0, 7).Draw(t, "kind of state")); core.StateKinds()[k.Kind] {
	case "value":
		k.NewMill, k.TTL = anyOf[int64](t, "new", 0, 500_000), anyOf(t, "ttl", 0, span)
	case "window":
		k.Size, k.Slide = span, span/anyOf[int64](t, "panes", 1, 7)
	case "list", "join", "timers":
		k.Retention = span
	}
	return k
}
