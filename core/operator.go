package core

import (
	"iter"

	"checkpointlab/core/event"
	"checkpointlab/core/job"
	"checkpointlab/core/state"
	"checkpointlab/core/state/backend"
	"checkpointlab/core/state/keyed"
	"checkpointlab/core/task"
)

// State that belongs to no key: lists whose elements are dealt or given to all, and broadcast state. A restore deals it apart from what
// belongs to keys (RoundRobinOperatorStateRepartitioner).

// elements is how many elements of its k-th state, which belongs to no key, a subtask has. Those of a list lie as a restore would deal them,
// one list behind the other; where one begins is told by the order of the states, which in Flink is that of a HashMap.
func (v *Vertex) elements(k, subtask int) int64 {
	shape := &v.State[k]
	switch shape.Kind {
	case keyed.Broadcast:
		return shape.Keys
	case keyed.Union:
		n := int64(v.Parallelism)
		return shape.Keys*int64(subtask+1)/n - shape.Keys*int64(subtask)/n
	}
	first := 0
	for i := range k {
		if v.State[i].Kind == keyed.Operator {
			_, _, first = job.SplitRange(0, v.State[i].Keys, v.Parallelism, first)
		}
	}
	from, to, _ := job.SplitRange(subtask, shape.Keys, v.Parallelism, first)
	return to - from
}

// hasLists reports whether the vertex has state that belongs to no key.
func (v *Vertex) hasLists() bool {
	return v.has(keyed.Operator) || v.has(keyed.Union) || v.has(keyed.Broadcast)
}

// holding is what an old subtask has stored of operator state.
type holding struct {
	owner  event.Task
	file   state.File // its bytes are those that are read
	stores []keyed.Store
}

// lists are the files of operator state that a task reads of a checkpoint, each with the task that stored it and as many bytes as it
// reads; inline: those in the metadata, too.
func (l *Lab) lists(t event.Task, s *task.Save, inline bool) iter.Seq2[event.Task, state.File] {
	return func(yield func(event.Task, state.File) bool) {
		w := &l.world.Tasks[t]
		v := int(w.Vertex)
		vert := &l.plan.setup.Vertices[v]
		if !vert.hasLists() || l.dropped(v, s) {
			return
		}
		then := l.plan.phases[s.Phase].setup.Vertices[v].Parallelism
		if then == vert.Parallelism && !vert.has(keyed.Union) && !vert.has(keyed.Broadcast) { // nobody reads another's
			if f, small, ok := s.Parts[t].Operator(); ok && (inline || !small) {
				yield(t, f)
			}
			return
		}
		for _, h := range l.holdings(v, int(w.Index), then, s, inline) {
			if h.file.Bytes > 0 && !yield(h.owner, h.file) {
				return
			}
		}
	}
}

// holdings are what the old subtasks of a vertex have stored of operator state, with what subtask i reads of each.
func (l *Lab) holdings(v, i, then int, s *task.Save, inline bool) (held []holding) {
	vert := &l.plan.setup.Vertices[v]
	var small []bool
	for k := range then {
		owner := l.plan.first[v] + event.Task(k)
		if f, in, ok := s.Parts[owner].Operator(); ok {
			f.Bytes = 0
			held, small = append(held, holding{owner, f, s.Parts[owner].Stores}), append(small, in)
		}
	}
	first := 0
	for k := range vert.State {
		if !vert.State[k].Keyed() {
			first = l.readsOf(held, vert, k, i, then, first)
		}
	}
	for k := range held {
		if small[k] && !inline {
			held[k].file.Bytes = 0
		}
	}
	return held
}

// readsOf adds what subtask i reads of the k-th state: of a list with the same parallelism its own, else what is dealt to it, beginning with
// subtask first; of a union list all; of broadcast state a copy. It gives where the next list begins.
func (l *Lab) readsOf(held []holding, vert *Vertex, k, i, then, first int) (next int) {
	shape, total, old := &vert.State[k], int64(0), make([]int, len(held))
	for h := range held {
		total += held[h].stores[k].Keys()
		old[h] = int(l.world.Tasks[held[h].owner].Index)
	}
	reads := func(h int, elements int64) {
		held[h].file.Bytes += backend.Stored(&l.plan.setup.Options, shape, elements)
	}
	if shape.Kind != keyed.Operator {
		for _, o := range job.Copied(shape.Kind == keyed.Union, i, then, vert.Parallelism, old, nil) {
			for h := range held {
				if old[h] == o {
					reads(h, held[h].stores[k].Keys())
				}
			}
		}
		return first
	}
	from, to, next := job.SplitRange(i, total, vert.Parallelism, first)
	at := int64(0)
	for h := range held {
		n := held[h].stores[k].Keys()
		switch {
		case then != vert.Parallelism:
			reads(h, max(0, min(to, at+n)-max(from, at)))
		case old[h] == i:
			reads(h, n)
		}
		at += n
	}
	return next
}
