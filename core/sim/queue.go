// Package sim is simulated time without a word of Flink: the event queue that says what happens next, and seeded random
// streams that can be copied, so that a snapshot of a run goes on exactly as the run itself.
//
// Read Queue first, then Stream.
package sim

import (
	"cmp"
	"math"
	"slices"

	"checkpointlab/core/event"
)

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
// The soonest few stand in order, all others in a 4-ary heap, heap[i] ≤ heap[4i+1 … 4i+4] for all i; Push and Pop take
// O(log n) and allocate only to grow. What is known to come in order needs neither: items pushed in a lane, each at its
// instant or later than the last of that lane, and those behind one instant. Where an item stands never changes what is
// handed out.
type Queue struct {
	near   []Item // at most nearMost, the soonest last; all come before all of heap
	heap   []Item
	lanes  [Lanes]lane
	order  [Lanes]uint8 // the lanes that have any, by their heads
	busy   int          // how many
	behind line
	place  place // of the item that comes next, if it is known; then
	first  key   // is its own
	taken  Item  // handed out last
	seq    int64

	at     event.Time // of the item handed out last, popped is its sequence number
	popped int64
	limit  event.Time // up to which what comes next may be done without being handed out
	held   bool       // nothing may: something is due that is not here
}

// key is an item's part in the order.
type key struct {
	at  event.Time
	seq int64
}

// place is where an item stands.
type place uint8

const (
	unknown place = iota
	nowhere
	inNear
	inLane // the first one
	inLine
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

// PushInLane is Push for items that fall due in the order in which they are pushed, such as messages that are all as long
// under way: it costs O(1) if they do. lane is in [0, Lanes).
func (q *Queue) PushInLane(lane int, it Item) {
	q.seq++
	it.Seq = q.seq
	l := &q.lanes[lane]
	switch {
	case l.n == 0:
		l.push(&it)
		q.enter(lane)
		q.added(&it, inLane)
	case l.last().At <= it.At:
		l.push(&it)
	default:
		q.add(&it)
	}
}

// Upcoming is the i-th item from the head of a lane, nil if there are fewer.
func (q *Queue) Upcoming(lane, i int) *Item {
	if l := &q.lanes[lane]; i < l.n {
		return l.at(i)
	}
	return nil
}

// TakeFrom takes the head of a lane out, whatever else comes before it, nil if the lane is empty. What it points to holds until
// something is pushed in that lane.
func (q *Queue) TakeFrom(lane int) *Item {
	l := &q.lanes[lane]
	if l.n == 0 {
		return nil
	}
	it := l.head()
	q.leave(lane)
	if l.pop(); l.n > 0 {
		q.enter(lane)
	}
	q.place = unknown
	return it
}

// GiveTo puts an item behind all others of its lane, with the sequence number that it has: one from TakeFrom, or one reserved.
func (q *Queue) GiveTo(lane int, it Item) {
	l := &q.lanes[lane]
	if l.push(&it); l.n == 1 {
		q.enter(lane)
		q.place = unknown
	}
}

// Gather puts all items of a kind that stand elsewhere into the lane in which its others stand: many that were not pushed in order
// are so handed out without a heap.
func (q *Queue) Gather(lane int, belongs func(*Item) bool) {
	var found []Item
	for l := &q.lanes[lane]; l.n > 0; {
		found = append(found, *q.TakeFrom(lane))
	}
	rest := append(append([]Item(nil), q.near...), q.heap...)
	q.near, q.heap = q.near[:0], q.heap[:0]
	for i := range rest {
		if belongs(&rest[i]) {
			found = append(found, rest[i])
		} else {
			q.add(&rest[i])
		}
	}
	slices.SortFunc(found, func(a, b Item) int { return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Seq, b.Seq)) })
	for i := range found {
		q.GiveTo(lane, found[i])
	}
	q.place = unknown
}

// Reserve gives away the next sequence number: what Push would have given an item.
func (q *Queue) Reserve() int64 {
	q.seq++
	return q.seq
}

// PushReserved adds an item with the sequence number that was reserved for it as it.Seq.
func (q *Queue) PushReserved(it Item) { q.add(&it) }

// Behind puts what is done now behind everything else of that instant: nothing more is due then (Quiet).
func (q *Queue) Behind(at event.Time) { q.at, q.popped = at, 1<<62 }

// Passed tells whether an item of that instant and sequence number, had it been pushed, would have been handed out by now.
func (q *Queue) Passed(at event.Time, seq int64) bool {
	return at < q.at || at == q.at && seq < q.popped
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
		q.added(&it, inLine)
	} else {
		q.add(&it)
	}
}

// added notes that an item stands there now: it may come next.
func (q *Queue) added(it *Item, at place) {
	if q.place != unknown && (it.At < q.first.at || it.At == q.first.at && it.Seq < q.first.seq) {
		q.place, q.first = at, key{it.At, it.Seq}
	}
}

func (q *Queue) add(it *Item) {
	if len(q.near) == nearMost && before(it, &q.near[0]) {
		q.spill()
	}
	n := len(q.near)
	if n == 0 && len(q.heap) > 0 || n > 0 && (n == nearMost || len(q.heap) > 0) && before(&q.near[0], it) {
		q.pushHeap(it)
		return
	}
	q.near = append(q.near, *it)
	near, i := q.near, n
	for ; i > 0 && before(&near[i-1], it); i-- {
		near[i] = near[i-1]
	}
	if near[i] = *it; i == n {
		q.added(it, inNear)
	}
}

// spill moves the later half of near to the heap.
func (q *Queue) spill() {
	for i := range nearMost / 2 {
		q.pushHeap(&q.near[i])
	}
	q.near = q.near[:copy(q.near, q.near[nearMost/2:])]
}

// fill brings the soonest of the heap to near, which is empty.
func (q *Queue) fill() {
	n := min(nearMost/2, len(q.heap))
	q.near = slices.Grow(q.near, nearMost)[:n]
	for i := n - 1; i >= 0; i-- {
		q.near[i] = q.popHeap()
	}
}

// Limit is up to which instant what comes next may be done at once, without being pushed and handed out (Alone); before the
// first call, or with one before now, nothing may.
func (q *Queue) Limit(at event.Time) { q.limit = at }

// Alone tells whether what falls due at that instant would be handed out next, be it pushed with any rank, and may be done at
// once instead; Reach does so.
func (q *Queue) Alone(at event.Time) bool {
	if at > q.limit || q.held {
		return false
	}
	return q.soonest() > at
}

// Reached is as if an item of that instant and sequence number was handed out now.
func (q *Queue) Reached(at event.Time, seq int64) { q.at, q.popped = at, seq }

// Limited is the last Limit.
func (q *Queue) Limited() event.Time { return q.limit }

// Hold is that something is due of which the queue does not know, until it is called with false: nothing is Quiet or Alone.
func (q *Queue) Hold(on bool) { q.held = on }

// Next is what Pop would take out, nil if none waits. It holds until something is pushed or taken out.
func (q *Queue) Next() *Item { return q.next() }

// Reach is as if an item pushed ahead at that instant was handed out now.
func (q *Queue) Reach(at event.Time) { q.at, q.popped = at, -1<<32 }

// Now is the instant of what was handed out last.
func (q *Queue) Now() event.Time { return q.at }

// Quiet reports whether nothing is due at that instant or before.
func (q *Queue) Quiet(at event.Time) bool { return q.soonest() > at && !q.held }

// soonest is the instant of the item that comes first, event.Never if none waits.
func (q *Queue) soonest() event.Time {
	if q.place == unknown {
		q.find()
	}
	return q.first.at
}

// next is the item that comes first, nil if none waits. Where it stands is known until it is taken.
func (q *Queue) next() *Item {
	if q.place == unknown {
		q.find()
	}
	switch q.place {
	case inNear:
		return &q.near[len(q.near)-1]
	case inLane:
		return q.lanes[q.order[0]].head()
	case inLine:
		return q.behind.head()
	}
	return nil
}

// find notes which item comes first.
func (q *Queue) find() {
	if len(q.near) == 0 && len(q.heap) > 0 {
		q.fill()
	}
	at, first := nowhere, key{event.Never, math.MaxInt64}
	if n := len(q.near); n > 0 {
		it := &q.near[n-1]
		at, first = inNear, key{it.At, it.Seq}
	}
	if q.busy > 0 {
		if it := q.lanes[q.order[0]].head(); it.At < first.at || it.At == first.at && it.Seq < first.seq {
			at, first = inLane, key{it.At, it.Seq}
		}
	}
	if q.behind.len() > 0 {
		if it := q.behind.head(); it.At < first.at || it.At == first.at && it.Seq < first.seq {
			at, first = inLine, key{it.At, it.Seq}
		}
	}
	q.place, q.first = at, first
}

// enter puts a lane that was empty into the order of lanes.
func (q *Queue) enter(lane int) {
	head, i := q.lanes[lane].head(), q.busy
	for q.busy++; i > 0 && before(head, q.lanes[q.order[i-1]].head()); i-- {
		q.order[i] = q.order[i-1]
	}
	q.order[i] = uint8(lane)
}

// leave takes a lane that is not empty out of the order of lanes.
func (q *Queue) leave(lane int) {
	i := 0
	for q.order[i] != uint8(lane) {
		i++
	}
	for q.busy--; i < q.busy; i++ {
		q.order[i] = q.order[i+1]
	}
}

// popLane takes the head of the first lane, which mostly stays the first.
func (q *Queue) popLane() {
	first := q.order[0]
	l := &q.lanes[first]
	i := 1
	if l.pop(); l.n == 0 {
		for q.busy--; i <= q.busy; i++ {
			q.order[i-1] = q.order[i]
		}
		return
	}
	for head := l.head(); i < q.busy && before(q.lanes[q.order[i]].head(), head); i++ {
		q.order[i-1] = q.order[i]
	}
	q.order[i-1] = first
}

// Peek is the next item; ok is false when none waits.
func (q *Queue) Peek() (it Item, ok bool) {
	next := q.next()
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

// PopUntil takes the next item out if it is due at that instant or before, else it is nil. What it points to holds until the
// next item is taken out.
func (q *Queue) PopUntil(at event.Time) *Item {
	if q.place == unknown {
		q.find()
	}
	if q.first.at > at || q.place == nowhere {
		return nil
	}
	t := &q.taken
	switch q.place {
	case inNear:
		n := len(q.near) - 1
		*t = q.near[n]
		q.near = q.near[:n]
	case inLane:
		*t = *q.lanes[q.order[0]].head()
		q.popLane()
	default:
		*t = *q.behind.head()
		q.behind.pop()
	}
	q.at, q.popped, q.place = q.first.at, q.first.seq, unknown
	return t
}

func (q *Queue) pushHeap(it *Item) {
	q.heap = append(q.heap, Item{})
	q.up(it, len(q.heap)-1)
}

func (q *Queue) popHeap() Item {
	root, n := q.heap[0], len(q.heap)-1
	last := q.heap[n]
	if q.heap = q.heap[:n]; n > 0 {
		q.down(&last)
	}
	return root
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

// Reset empties the queue and begins the sequence again; its memory is kept.
func (q *Queue) Reset() {
	q.near, q.heap, q.busy, q.seq, q.at, q.popped = q.near[:0], q.heap[:0], 0, 0, 0, 0
	for i := range q.lanes {
		q.lanes[i].n = 0
	}
	q.behind, q.place = line{items: q.behind.items[:0]}, unknown
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
	q.order, q.busy, q.place, q.first, q.seq = src.order, src.busy, src.place, src.first, src.seq
	q.at, q.popped = src.at, src.popped
}

// before is the order of the queue. It is total but for items pushed ahead or behind with the same rank.
func before(a, b *Item) bool { return a.At < b.At || a.At == b.At && a.Seq < b.Seq }

// up puts it into the vacant place i or further toward the root, where the heap's order holds.
func (q *Queue) up(it *Item, i int) {
	for i > 0 {
		parent := (i - 1) / fan
		if !before(it, &q.heap[parent]) {
			break
		}
		q.heap[i] = q.heap[parent]
		i = parent
	}
	q.heap[i] = *it
}

// down puts it where the vacant root's place leads it.
func (q *Queue) down(it *Item) {
	i, n := 0, len(q.heap)
	for {
		child := fan*i + 1
		if child >= n {
			break
		}
		least := child
		for c := child + 1; c < min(child+fan, n); c++ {
			if before(&q.heap[c], &q.heap[least]) {
				least = c
			}
		}
		if !before(&q.heap[least], it) {
			break
		}
		q.heap[i] = q.heap[least]
		i = least
	}
	q.heap[i] = *it
}
