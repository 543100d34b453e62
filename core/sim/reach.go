package sim

import "checkpointlab/core/event"

// How far the run has got, and what may be done at once without being pushed and handed out.

// Limit sets the instant up to which what comes next may be done at once, without being pushed and handed out (Alone). Before
// the first call, or with an instant before now, nothing may.
func (q *Queue) Limit(at event.Time) { q.limit = at }

// Limited is the last Limit.
func (q *Queue) Limited() event.Time { return q.limit }

// Alone reports whether an item due at that instant would be handed out next, with whatever rank it was pushed, and so may be
// done at once (Reach).
func (q *Queue) Alone(at event.Time) bool {
	if at > q.limit || q.held {
		return false
	}
	return q.soonest() > at
}

// Hold tells the queue that something is due which it does not contain: until it is called with false, nothing is Quiet or
// Alone.
func (q *Queue) Hold(on bool) { q.held = on }

// Quiet reports whether nothing is due at that instant or before.
func (q *Queue) Quiet(at event.Time) bool { return q.soonest() > at && !q.held }

// Behind marks everything else of that instant as done: nothing more is due then (Quiet).
func (q *Queue) Behind(at event.Time) { q.at, q.popped = at, 1<<62 }

// Reach acts as if an item pushed ahead at that instant had been handed out now.
func (q *Queue) Reach(at event.Time) { q.at, q.popped = at, -1<<32 }

// Reached acts as if the item of that instant and sequence number had been handed out now.
func (q *Queue) Reached(at event.Time, seq int64) { q.at, q.popped = at, seq }

// Discard drops the next item without handing it out; the present instant stays as it is, since other things may come before
// the item.
func (q *Queue) Discard() {
	at, popped := q.at, q.popped
	q.Pop()
	q.at, q.popped = at, popped
}

// Passed reports whether an item of that instant and sequence number, had it been pushed, would have been handed out by now.
func (q *Queue) Passed(at event.Time, seq int64) bool {
	return at < q.at || at == q.at && seq < q.popped
}

// Reserve takes the next sequence number, the one that Push would have given an item.
func (q *Queue) Reserve() int64 {
	q.seq++
	return q.seq
}

// PushReserved adds an item with the sequence number that was reserved for it as it.Seq.
func (q *Queue) PushReserved(it Item) { q.add(&it) }

// Now is the instant of what was handed out last.
func (q *Queue) Now() event.Time { return q.at }

// soonest is the instant of the item that comes first, event.Never if none waits.
func (q *Queue) soonest() event.Time {
	return min(q.heads[inNear].at, q.heads[inLane].at, q.heads[inLine].at) + event.Never
}
