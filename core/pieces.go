package core

import (
	"checkpointlab/core/event"
	"checkpointlab/core/job"
	"checkpointlab/core/option"
	"checkpointlab/core/state"
	"checkpointlab/core/state/keyed"
	"checkpointlab/core/state/storage"
	"checkpointlab/core/task"
)

// piece is a part of a checkpoint that holds state of a subtask: mine of all of its contents, by key groups (spec 10.4).
type piece struct {
	owner     event.Task // who stored it
	part      *state.Part
	mine, all int64
}

// noPart is the empty part, from which a task starts if it is given no state.
var noPart state.Part

// pieces appends the parts that hold a task's state in a checkpoint: its own part or, if that was stored with another
// parallelism, every part whose key groups meet its own (StateAssignmentOperation.reAssignSubKeyedStates). State that belongs
// to no key is dealt apart (lists).
func (l *Lab) pieces(t event.Task, s *task.Save, out []piece) []piece {
	w := &l.world.Tasks[t]
	v, i := int(w.Vertex), int(w.Index)
	if l.dropped(v, s) {
		return append(out, piece{t, &noPart, 1, 1})
	}
	then := l.plan.phases[s.Phase].setup.Vertices[v].Parallelism
	now := l.plan.setup.Vertices[v].Parallelism
	if then == now {
		return append(out, piece{t, &s.Parts[t], 1, 1})
	}
	most := l.plan.setup.MaxParallel
	for k := range then {
		lo, hi, some := job.SharedKeyGroups(i, now, k, then, most)
		if !some {
			continue
		}
		owner := l.plan.first[v] + event.Task(k)
		a, b := job.KeyGroupRange(k, then, most)
		p := piece{owner: owner, part: &s.Parts[owner], mine: int64(hi - lo + 1), all: int64(b - a + 1)}
		if len(p.part.Groups) > 0 {
			p.weigh(lo, hi)
		}
		out = append(out, p)
	}
	return out
}

// weigh sets the shares for key groups lo to hi by the bytes that the part has of each.
func (p *piece) weigh(lo, hi int) {
	mine, all := int64(0), int64(0)
	for g, n := range p.part.Groups {
		if all += n; int(p.part.First)+g >= lo && int(p.part.First)+g <= hi {
			mine += n
		}
	}
	if all > 0 {
		p.mine, p.all = mine, all
	}
}

// dropped reports whether a vertex goes on without its state of a checkpoint, because a later version of the job gave it
// another uid.
func (l *Lab) dropped(v int, s *task.Save) bool {
	return l.plan.renames(l.plan.phases[s.Phase], v)
}

// partsOf is pieces in the form that a task's backend takes.
func (l *Lab) partsOf(t event.Task, s *task.Save, out []*state.Part) (parts []*state.Part, own bool) {
	l.scratch = l.pieces(t, s, l.scratch[:0])
	for i := range l.scratch {
		out = append(out, l.scratch[i].part)
	}
	return out, l.ownPart(t, s)
}

// ownPart reports whether a task restores from exactly its own part of a checkpoint.
func (l *Lab) ownPart(t event.Task, s *task.Save) bool {
	v := int(l.world.Tasks[t].Vertex)
	return l.plan.phases[s.Phase].setup.Vertices[v].Parallelism == l.plan.setup.Vertices[v].Parallelism && !l.dropped(v, s)
}

// share says how much of a file belongs to a task: mine of all; all is 0 if nothing does.
type share struct{ mine, all int64 }

func (s share) of(n int64) int64 { return keyed.Scale(n, s.mine, s.all) }

// shareOf is a task's share of what a piece refers to: the piece's, or of what another task stored (state.File.Of) by the key groups
// that this one had then (ChangelogStateBackendHandleImpl.getIntersection).
func (l *Lab) shareOf(t event.Task, p *piece, of int32, phase uint16) share {
	if of == 0 {
		return share{p.mine, p.all}
	}
	w, o := &l.world.Tasks[t], &l.world.Tasks[of-1]
	most := l.plan.setup.MaxParallel
	now, then := l.plan.setup.Vertices[w.Vertex].Parallelism, l.plan.phases[phase].setup.Vertices[o.Vertex].Parallelism
	lo, hi, some := job.SharedKeyGroups(int(w.Index), now, int(o.Index), then, most)
	if !some {
		return share{}
	}
	a, b := job.KeyGroupRange(int(o.Index), then, most)
	return share{int64(hi - lo + 1), int64(b - a + 1)}
}

// reads is how many bytes a task that needs a share of a part reads of a file. Files of RocksDB and ForSt are read whole,
// others key group by key group (KeyGroupsStateHandle); what of operator state it reads is told by lists.
func (l *Lab) reads(t event.Task, p *piece, s *task.Save, f state.File) int64 {
	mine := l.shareOf(t, p, f.Of, f.Phase)
	switch {
	case mine.all == 0, f.Operator:
		return 0
	case f.Shared || s.Kind != state.CanonicalSavepoint && p.part.Threads > 0 && !storage.IsChannelState(f.ID):
		return f.Bytes
	}
	return mine.of(f.Bytes)
}

// inherit makes the part that a task's changelog goes on from: its own part as it is. From one stored with another parallelism,
// or from a savepoint, the files of every part become its base, and all logs stay until it materializes
// (ChangelogStateBackend.castHandles, ChangelogKeyedStateBackend.completeRestore). Operator state is no part of it.
func (l *Lab) inherit(t event.Task, s *task.Save, into *state.Part) {
	if l.ownPart(t, s) && !s.Savepoint {
		into.CopyFrom(&s.Parts[t])
		into.DropOperator()
		return
	}
	l.scratch = l.pieces(t, s, l.scratch[:0])
	into.Base.At = -1
	for i := range l.scratch {
		p := &l.scratch[i]
		into.Inline += p.part.Inline
		if f, small, ok := p.part.Operator(); ok && small {
			into.Inline -= f.Bytes
		}
		into.Threads = max(into.Threads, p.part.Threads)
		for f := range p.part.Files() {
			if f.Operator || storage.IsChannelState(f.ID) || l.shareOf(t, p, f.Of, f.Phase).all == 0 {
				continue
			}
			if f.Of == 0 {
				f.Of, f.Phase = int32(p.owner)+1, uint16(s.Phase)
			}
			f.Whole = f.Whole || s.Savepoint
			into.Reused = append(into.Reused, f)
			into.Full += f.Bytes
		}
		for _, g := range p.part.Log {
			if l.shareOf(t, p, g.Of, g.Phase).all == 0 {
				continue
			}
			if g.Of == 0 {
				g.Of, g.Phase = int32(p.owner)+1, uint16(s.Phase)
			}
			into.Log = append(into.Log, g)
			into.Full += g.Bytes()
		}
	}
	into.Full += into.Inline
}

// fetches reports whether a task must get a file from the storage for a restore, which is none of operator state: that exists only there, as
// channel state does (DefaultOperatorStateBackendSnapshotStrategy.asyncSnapshot has no local part). What the task manager has a copy of is read from its disk (execution.state-recovery.from-local), and ForSt works on the files where they
// are.
func (l *Lab) fetches(t event.Task, s *task.Save, f state.File) bool {
	switch {
	case storage.IsChannelState(f.ID):
		return true
	case l.plan.setup.Options.Backend == option.ForSt && l.world.Tasks[t].Working != nil && s.Kind != state.CanonicalSavepoint && f.Shared:
		return s.Foreign && !l.world.Rules.BuildOn // it copies them (DataTransferStrategyBuilder)
	}
	return !l.hasCopy(t, s)
}

// hasCopy reports whether a task finds its part of a checkpoint on the disk of its task manager: it stored the part there, and
// has run there since.
func (l *Lab) hasCopy(t event.Task, s *task.Save) bool {
	o := &l.plan.setup.Options
	if p := &s.Parts[t]; (len(p.Log) > 0 || p.Base != state.Materialization{}) && p.Base.At < l.storing.since[t] {
		return false // its base was stored elsewhere (ChangelogStateBackendLocalHandle)
	}
	return o.LocalBackup && o.FromLocal && !s.Savepoint && s.Phase == l.world.Phase && s.At[t] >= l.storing.since[t]
}
