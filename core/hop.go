package core

import "checkpointlab/core/event"

// hop handles the buffers that arrive at one instant once the first of them hops through its task (task/hop.go): they are taken
// together, and threads look and steps end until all hops have landed or something else is due.
func (l *Lab) hop(now event.Time) {
	w, q := &l.world, &l.queue
	q.Hold(true)
	defer q.Hold(false)
	for next := q.Next(); next != nil && next.At == now && next.Kind == event.DueDeliver; next = q.Next() {
		it := q.PopUntil(now)
		l.fetch(it)
		if l.reaches(it) {
			w.Deliver(now, it.A)
		}
	}
	for w.Hopping() {
		next, last := q.Next(), min(w.Landing(), q.Limited())
		if next == nil || next.At > last {
			w.Land(q.Limited() + 1)
			return
		}
		if next.Kind != event.DueRun && next.Kind != event.DueStep || w.HopsThrough(next.A) {
			w.Land(next.At)
			return
		}
		it := q.PopUntil(last)
		l.now = it.At
		l.handle(it)
	}
}
