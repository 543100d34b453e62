// Package sim is simulated time without a word of Flink: the event queue that says what happens next, and seeded random
// streams that can be copied, so that a snapshot of a run goes on exactly as the run itself.
//
// Read Queue first (queue.go; heap.go and lanes.go are where items stand, reach.go what may be done without being handed out), then Stream.
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

// Queue hands out items by (At, Seq): of two at the same instant, the one pushed first. What was pushed ahead comes before all
// others of its instant, what was pushed behind comes after them, each by rank. The zero value is empty.
//
// The soonest few items are sorted, all others are in a 4-ary heap, heap[i] ≤ heap[4i+1 … 4i+4] for all i; Push and Pop take
// O(log n) and allocate only to grow. Items known to come in order need neither: those pushed in a lane, each at the instant of
// the lane's last item or later, and those behind one instant. Where an item is kept never changes what is handed out. Instants
// are at least -1 and below event.Never.
type Queue struct {
	heads  [places]key // the first item of near, of the lanes and of behind
	near   []Item      // at most nearMost, the soonest last; all come before all of heap
	heap   []Item
	lanes  [Lanes]lane
	order  [Lanes]uint8 // the lanes that have any, by their heads
	busy   int          // how many
	behind line
	taken  Item // handed out last
	seq    int64

	at     event.Time // of the item handed out last, popped is its sequence number
	popped int64
	limit  event.Time // up to which what comes next may be done without being handed out
	held   bool       // nothing may: something is due that is not here
}

// key is an item's place in the order. The zero value belongs to no item and comes after all others.
type key struct {
	at  event.Time // less event.Never
	seq int64
}

func keyOf(it *Item) key { return key{it.At - event.Never, it.Seq} }

// The places where an item that comes next can stand.
const (
	inNear = iota
	inLane // the first one
	inLine
	places
)

// Lanes is how many lanes there are, counted from 0.
const Lanes = 6

// nearMost is up to how many items moving some of them is cheaper than the heap.
const nearMost = 24

// fan is the number of children of a node; 4 keeps the siblings in two or three cache lines and halves the depth.
const fan = 4

// Len is the number of items waiting.
func (q *Queue) Len() int {
	n := len(q.near) + len(q.heap) + q.behind.len()
	for i := range q.lanes {
		n += q.lanes[i].n
	}
	return n
}

// Push adds it and gives it the next sequence number, whatever it.Seq was.
func (q *Queue) Push(it Item) {
	q.seq++
	it.Seq = q.seq
	q.add(&it)
}

// PushAhead adds it before all that Push adds for the same instant, lower ranks first. Items of the same instant and rank
// come in any order.
func (q *Queue) PushAhead(it Item, rank int32) {
	it.Seq = int64(rank) - 1<<32
	q.add(&it)
}

// PushBehind adds it behind all that Push adds for the same instant, lower ranks first, as PushAhead does.
// The rank is below 1<<61.
func (q *Queue) PushBehind(it Item, rank int64) {
	it.Seq = rank + 1<<62
	if q.behind.push(&it) {
		q.heads[inLine] = keyOf(q.behind.head())
	} else {
		q.add(&it)
	}
}

// Next is what Pop would return, nil if nothing waits. It is valid until something is pushed or removed.
func (q *Queue) Next() *Item {
	switch place, first := q.first(); {
	case first.at == 0:
		return nil
	case place == inNear:
		return &q.near[len(q.near)-1]
	case place == inLane:
		return q.lanes[q.order[0]].head()
	}
	return q.behind.head()
}

// first is the place of the item that comes first, and its key.
func (q *Queue) first() (place int, first key) {
	place, first = inNear, q.heads[inNear]
	if k := q.heads[inLane]; k.at < first.at || k.at == first.at && k.seq < first.seq {
		place, first = inLane, k
	}
	if k := q.heads[inLine]; k.at < first.at || k.at == first.at && k.seq < first.seq {
		place, first = inLine, k
	}
	return place, first
}

// Peek is the next item; ok is false when none waits.
func (q *Queue) Peek() (it Item, ok bool) {
	next := q.Next()
	if next == nil {
		return Item{}, false
	}
	return *next, true
}

// Pop takes the next item out; ok is false when none waits.
func (q *Queue) Pop() (it Item, ok bool) {
	if next := q.PopUntil(event.Never); next != nil {
		return *next, true
	}
	return Item{}, false
}

// PopUntil removes and returns the next item if it is due at that instant or earlier, else nil. The result is valid until the
// next item is removed.
func (q *Queue) PopUntil(at event.Time) *Item {
	place, first := q.first()
	if first.at > at-event.Never || first.at == 0 {
		return nil
	}
	t := &q.taken
	switch place {
	case inNear:
		*t = q.near[len(q.near)-1]
		q.popNear()
	case inLane:
		*t = *q.lanes[q.order[0]].head()
		q.popLane()
	default:
		*t = *q.behind.head()
		q.popLine()
	}
	q.at, q.popped = first.at+event.Never, first.seq
	return t
}

// Each calls f with every item that waits, in no order.
func (q *Queue) Each(f func(Item)) {
	for _, it := range q.near {
		f(it)
	}
	for _, it := range q.heap {
		f(it)
	}
	for i := range q.lanes {
		for k := range q.lanes[i].n {
			f(*q.lanes[i].at(k))
		}
	}
	for _, it := range q.behind.items[q.behind.begin:] {
		f(it)
	}
}

// CopyFrom makes q an independent copy of src, in q's own memory.
func (q *Queue) CopyFrom(src *Queue) {
	q.heap = append(q.heap[:0], src.heap...)
	q.near = append(q.near[:0], src.near...)
	for i := range q.lanes {
		q.lanes[i].copyFrom(&src.lanes[i])
	}
	q.behind.items = append(q.behind.items[:0], src.behind.items[src.behind.begin:]...)
	q.behind.begin = 0
	q.order, q.busy, q.heads, q.seq = src.order, src.busy, src.heads, src.seq
	q.at, q.popped = src.at, src.popped
}
