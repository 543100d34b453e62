package reference

import (
	"slices"

	"checkpointlab/core"
	"checkpointlab/core/event"
	"checkpointlab/core/state/storage"
)

// State that belongs to no key: lists whose elements are dealt or given to all, and broadcast state (RoundRobinOperatorStateRepartitioner).

// elements is how many of a state a subtask has. Elements of lists are dealt to the subtasks as a restore deals them; of a union list each
// has its share; of broadcast state each has all.
func elements(v *core.Vertex, state, index, parallelism int) (n int64) {
	s := &v.State[state]
	switch kind(s) {
	case "broadcast":
		return s.Keys
	case "union":
		return s.Keys*int64(index+1)/int64(parallelism) - s.Keys*int64(index)/int64(parallelism)
	}
	first := 0
	for i := range state {
		if kind(&v.State[i]) == "operator" {
			first = (first + int(v.State[i].Keys%int64(parallelism))) % parallelism
		}
	}
	return dealtTo(index, s.Keys, parallelism, first)
}

// dealtTo is how many of some elements a subtask gets: all get as many, and, from the first one on, one more each of those that are left.
func dealtTo(index int, all int64, parallelism, first int) int64 {
	n, left := all/int64(parallelism), all%int64(parallelism)
	if int64((index-first+parallelism)%parallelism) < left {
		n++
	}
	return n
}

// listPart is what a subtask reads of the file with the operator state of another.
type listPart struct {
	of    *task
	file  file
	bytes int64
}

// lists is what a task reads of operator state: with the same parallelism its own lists, and the union lists of all; with another one
// what is dealt to it. Of broadcast state it reads a copy, its own if all subtasks have one.
func (r *Run) lists(t *task, s *save) (all []listPart) {
	if t.hashmap == nil || s.dropped[t.vertexIndex] {
		return nil
	}
	then := s.parallelism[t.vertexIndex]
	var have []listPart // the subtasks that have stored some
	for _, o := range r.all {
		if o.vertexIndex != t.vertexIndex || o.index >= then {
			continue
		}
		for _, f := range s.part(o).made {
			if f.operator {
				have = append(have, listPart{of: o, file: f})
			}
		}
	}
	first, now := 0, t.vertex.Parallelism
	for i := range t.vertex.State {
		x := &t.vertex.State[i]
		left := x.LeftMill
		if left == 0 || !r.setup.Options.SnapshotCompression {
			left = 1000
		}
		reads := func(h *listPart, n int64) { h.bytes += n * bytes(x) * left / 1000 }
		stored := func(h *listPart) int64 { return s.part(h.of).states[i].keys }
		switch kind(x) {
		case "union":
			for k := range have {
				reads(&have[k], stored(&have[k]))
			}
		case "broadcast":
			for k := range have {
				if then == now && len(have) == then && have[k].of == t || (then != now || len(have) < then) && k == t.index%len(have) {
					reads(&have[k], x.Keys)
				}
			}
		case "operator":
			total := int64(0)
			for k := range have {
				if then == now && have[k].of == t {
					reads(&have[k], stored(&have[k]))
				}
				total += stored(&have[k])
			}
			if then == now {
				continue
			}
			// one element after the other, beginning with subtask first
			begin, end := int64(0), int64(0)
			for k := range now {
				index := (first + k) % now
				n := dealtTo(index, total, now, first)
				if end = begin + n; index == t.index {
					break
				}
				begin = end
			}
			at := int64(0)
			for k := range have {
				n := stored(&have[k])
				if mine := min(end, at+n) - max(begin, at); mine > 0 {
					reads(&have[k], mine)
				}
				at += n
			}
			first = (first + int(total%int64(now))) % now
		}
	}
	for _, h := range have {
		if h.bytes > 0 {
			all = append(all, h)
		}
	}
	return all
}

// item is what is asked of the storage.
func (l *listPart) item() storage.Item {
	item := l.file.Item
	item.Bytes = l.bytes
	return item
}

// hasUnions reports whether an operator has a union list.
func (r *Run) hasUnions() bool { return slices.ContainsFunc(r.setup.Vertices, unites) }

func unites(v core.Vertex) bool {
	return slices.ContainsFunc(v.State, func(s core.KeyedState) bool { return kind(&s) == "union" })
}

// endedInPart reports whether some subtasks of an operator with a union list had ended by a checkpoint and others not: then it cannot be
// completed (DefaultCheckpointPlan.fulfillFinishedTaskStatus).
func (r *Run) endedInPart(id event.Checkpoint) bool {
	for v := range r.setup.Vertices {
		ended, tasks := 0, r.subtasks(v)
		for _, t := range tasks {
			if t.end.first != 0 && id >= t.end.first || t.end.finished && t.end.first == 0 {
				ended++
			}
		}
		if unites(r.setup.Vertices[v]) && ended > 0 && ended < len(tasks) {
			return true
		}
	}
	return false
}
