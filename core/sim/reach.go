package sim

import "checkpointlab/core/event"

// How far the run is, and what may be done at once without being pushed and handed out.

// Limit is up to which instant what comes next may be done at once, without being pushed and handed out (Alone); before the
// first call, or with one before now, nothing may.
func (q *Queue) Limit(at event.Time) { q.limit = at }

// Limited is the last Limit.
func (q *Queue) Limited() event.Time { return q.limit }

// Alone reports whether what falls due at that instant would be handed out next, be it pushed with any rank, and may be done at
// once instead; Reach does so.
func (q *Queue) Alone(at event.Time) bool {
	if at > q.limit || q.held {
		return false
	}
	return q.soonest() > at
}

// Hold is that something is due of which the queue does not know, until it is called with false: nothing is Quiet or Alone.
func (q *Queue) Hold(on bool) { q.held = on }

// Quiet reports whether nothing is due at that instant or before.
func (q *Queue) Quiet(at event.Time) bool { return q.soonest() > at && !q.held }

// Behind puts what is done now behind everything else of that instant: nothing more is due then (Quiet).
func (q *Queue) Behind(at event.Time) { q.at, q.popped = at, 1<<62 }

// Reach is as if an item pushed ahead at that instant was handed out now.
func (q *Queue) Reach(at event.Time) { q.at, q.popped = at, -1<<32 }

// Reached is as if an item of that instant and sequence number was handed out now.
func (q *Queue) Reached(at event.Time, seq int64) { q.at, q.popped = at, seq }

// Discard takes the next item out without handing it out: what is done now stays where it is, for other things may come before it.
func (q *Queue) Discard() {
	at, popped := q.at, q.popped
	q.Pop()
	q.at, q.popped = at, popped
}

// Passed reports whether an item of that instant and sequence number, had it been pushed, would have been handed out by now.
func (q *Queue) Passed(at event.Time, seq int64) bool {
	return at < q.at || at == q.at && seq < q.popped
}

// Reserve gives away the next sequence number: what Push would have given an item.
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
