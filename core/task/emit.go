package task

import "checkpointlab/core/event"

// maxOutputs is the most output edges of a task.
const maxOutputs = 8

// emitted is how many records are out after the n-th record in.
func (t *Task) emitted(n int64) int64 { return n * t.EmitNum / t.EmitDen }

// emit writes what the task makes of the records of r to every output.
func (w *World) emit(now event.Time, t *Task, r event.Run) {
	before := t.emitted(t.Seen)
	t.Seen += r.Count
	if t.EmitNum != t.EmitDen {
		in := r.Count
		if r.Count = t.emitted(t.Seen) - before; r.Count > 1 { // none is younger than the last one in
			r.PosStep, r.BornStep = r.PosStep*(in-1)/(r.Count-1), r.BornStep*(in-1)/(r.Count-1)
		}
	}
	if r.Count == 0 {
		return
	}
	t.Out += r.Count
	for i, p := range t.Outs {
		if t.EmitNum <= t.EmitDen {
			t.waiting += w.Net.Emit(now, p, r)
			continue
		}
		t.rest[i] = r
		w.emitRest(now, t, i)
	}
}

// emitRest goes on with a record that makes many: it cannot be interrupted, only a missing segment stops it, with the
// thread blocked in the middle of it (spec 4.1, 4.4).
func (w *World) emitRest(now event.Time, t *Task, i int) {
	r, p := &t.rest[i], t.Outs[i]
	for r.Count > 0 {
		n := w.Net.Boundary(p, r.Size, r.Count)
		if waiting := w.Net.Emit(now, p, r.Cut(n)); waiting > 0 {
			t.waiting += waiting
			return
		}
	}
}

// inputsFor is how many records in it takes until k more are out.
func (t *Task) inputsFor(k int64) int64 {
	need := t.emitted(t.Seen) + k
	return (need*t.EmitDen+t.EmitNum-1)/t.EmitNum - t.Seen
}

// OutOf is how many records the next d records in make.
func (t *Task) OutOf(d int64) int64 {
	if t.Kind == Source {
		return d
	}
	return t.emitted(t.Seen+d) - t.emitted(t.Seen)
}
