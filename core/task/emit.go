package task

import "checkpointlab/core/event"

// emitted is how many records have been made after the n-th record in.
func (t *Task) emitted(n int64) int64 {
	if t.EmitNum == t.EmitDen && !t.Burst { // nearly always: spares the division
		return n
	}
	return emitted(n, t.EmitNum, t.EmitDen, t.Burst)
}

// emitted is how many records n make of which den make num: all with the last of them in a burst, else as evenly as they can.
func emitted(n, num, den int64, burst bool) int64 {
	if burst {
		return n / den * num
	}
	return n * num / den
}

// emit writes what the task makes of the records of r to every output.
func (w *World) emit(now event.Time, t *Task, r *event.Run) {
	seen := t.turned()
	if t.Seen += r.Count; t.Step.apart {
		t.seenBy[t.Step.Gates[0]] += r.Count
	}
	switch {
	case t.windows:
		w.collect(t, *r)
		return
	case t.asks:
		w.request(now, t, *r)
		return
	}
	if t.Size > 0 {
		r.Size = t.Size
	}
	if t.EmitNum != t.EmitDen || t.Burst {
		in := r.Count
		if r.Count = t.emitted(seen+in) - t.emitted(seen); r.Count > 1 { // none is younger than the last one in
			r.BornStep = r.BornStep * (in - 1) / (r.Count - 1)
		}
	}
	w.write(now, t, r)
}

// write writes records to every output.
func (w *World) write(now event.Time, t *Task, r *event.Run) {
	if r.Count == 0 {
		return
	}
	t.Out += r.Count
	if len(t.Outs) == 1 && t.EmitNum <= t.EmitDen && !t.Burst && (!t.windows || t.window.result <= 1) && w.Rules.BufferTimeout != 0 { // the step ends where a segment may be missing
		t.waiting = w.Net.Emit(now, t.Outs[0], r)
		return
	}
	t.rest, t.restAt = *r, 0
	w.writeRest(now, t)
}

// writeRest continues with what is made but not written. Each record goes to one output after the other, and a missing segment
// stops the thread in the middle (spec 4.1, 4.4).
func (w *World) writeRest(now event.Time, t *Task) {
	for t.rest.Count > 0 {
		if n := w.unhindered(t); n > 0 {
			r := t.rest.Cut(n)
			for _, p := range t.Outs {
				w.Net.Emit(now, p, &r)
			}
		}
		one := t.rest
		one.Count = 1
		for t.restAt < len(t.Outs) {
			p := t.Outs[t.restAt]
			t.restAt++
			if t.waiting = w.Net.Emit(now, p, &one); t.waiting > 0 {
				return
			}
			w.written(now, p)
		}
		t.rest.Cut(1)
		t.restAt = 0
	}
}

// unhindered is how many records of the rest can be written to all outputs at once.
func (w *World) unhindered(t *Task) int64 {
	if t.restAt > 0 || w.Rules.BufferTimeout == 0 {
		return 0
	}
	n := t.rest.Count
	for _, p := range t.Outs {
		n = w.Net.Boundary(p, t.rest.Size, n)
	}
	return n - 1
}

// written is called after a record is written to an output: with a buffer timeout of 0 it is flushed (spec 4.2).
func (w *World) written(now event.Time, p int32) {
	if w.Rules.BufferTimeout == 0 {
		w.Net.FlushLast(now, p)
	}
}

// continueWriting goes on after a segment came back.
func (w *World) continueWriting(now event.Time, t *Task) {
	if t.time.outs > 0 {
		w.continueMarks(now, t)
		return
	}
	at := max(t.restAt, 1) - 1
	if t.waiting = w.Net.Continue(now, t.Outs[at]); t.waiting > 0 {
		return
	}
	w.written(now, t.Outs[at])
	if w.writeRest(now, t); t.time.queued > 0 {
		w.writeMarks(now, t)
	}
}

// inputsFor is how many records in it takes to make k more records.
func (t *Task) inputsFor(k int64) int64 {
	seen := t.turned()
	need := t.emitted(seen) + k
	if t.Burst {
		return (need+t.EmitNum-1)/t.EmitNum*t.EmitDen - seen
	}
	return (need*t.EmitDen+t.EmitNum-1)/t.EmitNum - seen
}

// OutOf is how many records the next d records in, or the next d timers, make.
func (t *Task) OutOf(d int64) int64 {
	if t.Step.Fire {
		return d * t.window.result
	}
	if t.Kind == Source {
		return d
	}
	seen := t.turned()
	return t.emitted(seen+d) - t.emitted(seen)
}
