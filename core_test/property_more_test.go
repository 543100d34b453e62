package core_test

import (
	"pgregory.net/rapid"

	"checkpointlab/core"
	"checkpointlab/core/event"
)

// anyMore adds to a job what few have: locks, callbacks, state that lies unevenly, sources that wait for each other, a storage
// with limits.
func anyMore(t *rapid.T, s *core.Setup) {
	for i := range s.Edges {
		if e := &s.Edges[i]; anyOf(t, "an input's own records", false, false, true) {
			e.EmitNum, e.EmitDen, e.Payload = anyOf[int64](t, "it emits", 0, 1, 2), anyOf[int64](t, "for", 1, 3), anyOf[int32](t, "of the size", 0, 300)
		}
	}
	keepMakers(s)
	for i := range s.Vertices {
		v := &s.Vertices[i]
		if v.Kind == core.Source {
			v.Lock = anyOf(t, "lock", core.NoLock, core.NoLock, core.NoLock, core.LockEmit, core.LockFirst)
			if v.History > 0 && v.Lock != core.NoLock {
				v.Lock = anyOf(t, "lock with a past", core.LockSnapshot, v.Lock)
			}
			if v.Watermarks.On {
				v.Watermarks.Align = core.Alignment{Group: anyOf(t, "group", "", "a", "b"), Drift: anyOf(t, "drift", 100*event.Millisecond, 0), Update: anyOf(t, "update", 0, 50*event.Millisecond)}
			}
		}
		if anyOf(t, "callback", false, false, false, false, true) {
			v.Callback = core.Callback{Time: anyOf(t, "callback's time", 20*event.Millisecond, 0), Grows: anyOf(t, "grows", 0, event.Millisecond)}
		}
		if v.Kind == core.Sink && v.Guarantee != core.NoGuarantee && anyOf(t, "flush", false, false, true) {
			v.Flush = anyOf(t, "flush's time", 30*event.Millisecond, 1)
		}
		if v.Async.Capacity > 0 {
			v.Async.Drop = anyOf(t, "drop", false, true)
		}
		v.Snapshot.Skew, v.Snapshot.Files = anyOf[int64](t, "skew", 0, 0, 900_000), anyOf[int64](t, "files", 0, 0, 9)
	}
	if anyOf(t, "storage", false, false, false, true) {
		s.Storage = core.Storage{On: true, Bandwidth: anyOf[int64](t, "bandwidth", 0, 4<<20), PerManager: anyOf[int64](t, "bandwidth of a task manager", 0, 1<<20),
			Latency: anyOf(t, "latency of a request", 0, 30*event.Millisecond), Requests: anyOf[int64](t, "requests", 0, 50), Refuse: anyOf(t, "refuse", false, true)}
		s.Options.FileMerging = anyOf(t, "file merging", false, true)
	}
}

// anyRefusal makes an action one of a sink's commits, if the last vertex has some.
func anyRefusal(t *rapid.T, s *core.Setup, a *core.Action) {
	a.Vertex, a.Subtask = len(s.Vertices)-1, -1
	if s.Vertices[a.Vertex].Guarantee != core.ExactlyOnce {
		a.Do = core.Savepoint
		return
	}
	s.Options.CommitRetries = anyOf(t, "retries", 10, 0, 2)
	a.For, a.Cost = anyOf(t, "refused for", 300*event.Millisecond, 1, 2*event.Second), anyOf(t, "an attempt takes", 0, 20*event.Millisecond, 700*event.Millisecond)
}

// anyFault makes an action one of the storage, if there is one.
func anyFault(t *rapid.T, s *core.Setup, a *core.Action) {
	if !s.Storage.On {
		a.Do = core.Savepoint
		return
	}
	a.Slow, a.Fail = anyOf[int64](t, "slow", 0, 500, 20_000), anyOf[int64](t, "fail", -1, 0, 100_000, 1_000_000)
	a.Where = anyOf(t, "where", core.Everywhere, core.OnlyTasks, core.OnlyJobManager)
}
