package core

import (
	"slices"

	"checkpointlab/core/event"
	"checkpointlab/core/state"
	"checkpointlab/core/state/keyed"
	"checkpointlab/core/task"
)

// What a plan makes of a vertex for each of its tasks: costs, sizes, snapshots.

// flushPeriod is the period of a vertex's flushers: never shorter than the timeout, for which a flusher sleeps.
func (p *plan) flushPeriod(v int) event.Time {
	timeout, c := max(1, p.setup.Options.BufferTimeout), p.setup.Control
	return max(timeout, timeout+c.FlushExtra-event.Time(p.depth[v])*c.FlushDrift)
}

// wire is the size on the wire, in bytes, of the records that a vertex makes; 0 = as they came in.
func (v *Vertex) wire(overhead int32) int32 {
	switch {
	case v.Kind == Source || v.Payload > 0:
		return v.Payload + overhead
	case v.Window.Size > 0:
		return windowBytes + overhead
	}
	return 0
}

// of is the snapshot of the i-th of n subtasks; the first one may have more than an even share.
func (s Snapshot) of(i, n int) Snapshot {
	if s.Skew == 0 || n == 1 {
		return s
	}
	first := keyed.Scale(s.Size*int64(n), s.Skew, 1_000_000)
	if i > 0 {
		first = (s.Size*int64(n) - first) / int64(n-1)
	}
	s.Size = first
	return s
}

// backend is the state of the size that the scenario gives.
func (s *Snapshot) backend() state.Backend {
	if s.Change == 0 {
		return &state.Given{Sync: s.Sync, Async: s.Async, Size: s.Size, Files: s.Files}
	}
	amplify := s.Amplification
	if amplify == 0 {
		amplify = 1000
	}
	return &state.Delta{Sync: s.Sync, Async: s.Async, Size: s.Size, Change: s.Change, Amplify: amplify, Threads: 4}
}

// costsOf is what a record of each input costs; nil if all cost the same.
func (p *plan) costsOf(v int) (costs []event.Time) {
	uneven := false
	for _, e := range p.setup.Edges {
		if e.To != v {
			continue
		}
		cost := p.setup.Vertices[v].cost()
		if e.Cost > 0 {
			cost, uneven = e.Cost, true
		}
		costs = append(costs, cost)
	}
	if !uneven {
		return nil
	}
	return costs
}

// inputsOf is what each input of a vertex makes; nil if all make the same.
func (p *plan) inputsOf(v int) (all []task.Input) {
	vert, apart := &p.setup.Vertices[v], false
	for _, e := range p.setup.Edges {
		if e.To != v {
			continue
		}
		in := task.Input{Size: vert.wire(p.setup.Overhead)}
		in.EmitNum, in.EmitDen = vert.emits()
		if e.EmitDen > 0 {
			in.EmitNum, in.EmitDen = e.EmitNum, e.EmitDen
		}
		if e.Payload > 0 {
			in.Size = e.Payload + p.setup.Overhead
		}
		apart = apart || e.makes()
		all = append(all, in)
	}
	if !apart {
		return nil
	}
	return all
}

// makes reports whether an input makes records of its own.
func (e *Edge) makes() bool { return e.EmitDen > 0 || e.Payload > 0 }

// apart reports whether some input of a vertex does.
func (s *Setup) apart(v int) bool {
	return slices.ContainsFunc(s.Edges, func(e Edge) bool { return e.To == v && e.makes() })
}

// taskOf is a task as it is before the start.
func (p *plan) taskOf(v, i int) task.Task {
	vert := &p.setup.Vertices[v]
	id := p.first[v] + event.Task(i)
	snapshot := vert.Snapshot.of(i, vert.Parallelism)
	t := task.New(id, int32(v), int32(i), p.gates[id], p.outs[id])
	t.Own, t.Manager, t.Group, t.Size = vert.cost(), p.home[id], p.group[id], vert.wire(p.setup.Overhead)
	t.ByGate = p.costsOf(v)
	t.Backend, t.Change = snapshot.backend(), vert.Snapshot.Change
	t.FlushPeriod = p.flushPeriod(v)
	if p.eventTime {
		t.UseEventTime(p.channelsOf(id))
	}
	t.EmitNum, t.EmitDen = vert.emits()
	t.Burst = vert.Burst
	if all := p.inputsOf(v); all != nil {
		t.UseInputs(all)
	}
	t.Callback, t.Grows = vert.Callback.Time, vert.Callback.Grows
	t.Pushes, t.LockedFirst, t.LockedPast = vert.Lock != NoLock, vert.Lock == LockFirst, vert.Lock == LockSnapshot
	t.PausedFirst = vert.Kind == Source && vert.Lock == NoLock && p.setup.Options.PauseSources && p.setup.Options.Interval > 0
	if vert.Async.Capacity > 0 {
		t.UseAsync(vert.Async)
	}
	if vert.Window.Size > 0 {
		t.UseWindows(vert.windowRule(i, p.keys[v]))
	}
	switch vert.Kind {
	case Source:
		t.Kind = task.Source
		t.Own = max(1, t.Own) // no record arrives and is read at the same instant
	case Sink:
		t.Kind = task.Sink
		if vert.Guarantee != NoGuarantee {
			t.Flush = vert.Flush
		}
	}
	t.Own = p.shared(v, id, t.Own)
	for g := range t.ByGate {
		t.ByGate[g] = p.shared(v, id, t.ByGate[g])
	}
	t.Cost = t.Own
	t.Working, _ = t.Backend.(state.Working)
	return t
}

// keepLog gives a task whose records change its state a changelog, if the options and the storage have one.
func (p *plan) keepLog(vert *Vertex, t *task.Task) {
	o := &p.setup.Options
	keyed := slices.ContainsFunc(vert.State, func(k KeyedState) bool { return k.Keyed() })
	if !o.Changelog || !p.setup.Storage.On || t.Change == 0 && !keyed {
		return
	}
	t.KeepLog(state.ChangelogConfig{
		Preemptive: o.ChangelogPreemptive, BatchSize: o.ChangelogBatchSize, BatchDelay: o.ChangelogBatchDelay,
		MaxInFlight: o.ChangelogInFlight, MaxFailures: o.ChangelogFailures,
	}, o.ChangelogMaterialize)
}
