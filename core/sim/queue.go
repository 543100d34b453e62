// Package sim is simulated time without a word of Flink: the event queue that says what happens next, and seeded random
// streams that can be copied, so that a snapshot of a run goes on exactly as the run itself.
//
// Read Queue first, then Stream.
package sim

import "checkpointlab/core/event"

// Item is one thing that will happen. Kind, Gen, A, B and ID are the caller's; Gen lets it recognize an item that has
// been overtaken, since items are not removed from the middle.
type Item struct {
	At   event.Time
	Seq  int64 // assigned by Push, PushAhead and PushBehind; breaks ties of At
	ID   int64
	Gen  uint32
	A, B int32
	Kind uint8
}

// Queue hands out items by (At, Seq): of two at the same instant, the one pushed first; but what was pushed ahead comes
// before all others of its instant and what was pushed behind comes after them, each by rank. The zero value is empty.
//
// It is a 4-ary heap, items[i] ≤ items[4i+1 … 4i+4] for all i; Push and Pop take O(log n) and allocate only to grow.
type Queue struct {
	items []Item
	seq   int64
}

// fan is the number of children of a node; 4 keeps the siblings in two or three cache lines and halves the depth.
const fan = 4

// Len is the number of items waiting.
func (q *Queue) Len() int { return len(q.items) }

// Push adds it and gives it the next sequence number, whatever it.Seq was.
func (q *Queue) Push(it Item) {
	q.seq++
	q.add(it, q.seq)
}

// PushAhead adds it before all that Push adds for the same instant, lower ranks first. Items of the same instant and rank
// come in any order.
func (q *Queue) PushAhead(it Item, rank int32) { q.add(it, int64(rank)-1<<32) }

// PushBehind adds it behind all that Push adds for the same instant, lower ranks first, as PushAhead does.
// The rank is below 1<<61.
func (q *Queue) PushBehind(it Item, rank int64) { q.add(it, rank+1<<62) }

func (q *Queue) add(it Item, seq int64) {
	it.Seq = seq
	q.items = append(q.items, it)
	q.up(len(q.items) - 1)
}

// Quiet reports whether nothing is due at that instant or before.
func (q *Queue) Quiet(at event.Time) bool { return len(q.items) == 0 || q.items[0].At > at }

// Peek is the next item; ok is false when none waits.
func (q *Queue) Peek() (it Item, ok bool) {
	if len(q.items) == 0 {
		return Item{}, false
	}
	return q.items[0], true
}

// Pop takes the next item out; ok is false when none waits.
func (q *Queue) Pop() (it Item, ok bool) {
	n := len(q.items) - 1
	if n < 0 {
		return Item{}, false
	}
	it = q.items[0]
	last := q.items[n]
	q.items = q.items[:n]
	if n > 0 {
		q.down(last)
	}
	return it, true
}

// Each calls f with every item that waits, in no order.
func (q *Queue) Each(f func(Item)) {
	for _, it := range q.items {
		f(it)
	}
}

// Reset empties the queue and begins the sequence again; its memory is kept.
func (q *Queue) Reset() { q.items, q.seq = q.items[:0], 0 }

// CopyFrom makes q an independent copy of src, in q's own memory.
func (q *Queue) CopyFrom(src *Queue) {
	q.items = append(q.items[:0], src.items...)
	q.seq = src.seq
}

// before is the order of the queue. It is total but for items pushed ahead or behind with the same rank.
func before(a, b *Item) bool { return a.At < b.At || a.At == b.At && a.Seq < b.Seq }

// up moves item i toward the root until the heap's order holds.
func (q *Queue) up(i int) {
	it := q.items[i]
	for i > 0 {
		parent := (i - 1) / fan
		if !before(&it, &q.items[parent]) {
			break
		}
		q.items[i] = q.items[parent]
		i = parent
	}
	q.items[i] = it
}

// down puts it where the vacant root's place leads it.
func (q *Queue) down(it Item) {
	i, n := 0, len(q.items)
	for {
		child := fan*i + 1
		if child >= n {
			break
		}
		least := child
		for c := child + 1; c < min(child+fan, n); c++ {
			if before(&q.items[c], &q.items[least]) {
				least = c
			}
		}
		if !before(&q.items[least], &it) {
			break
		}
		q.items[i] = q.items[least]
		i = least
	}
	q.items[i] = it
}
