package sim

import (
	"cmp"
	"slices"
)

// Items that come in order stand in lanes, which stand in the order of their heads.

// PushInLane is Push for items that fall due in the order in which they are pushed, such as messages that all take equally
// long; then it costs O(1). lane is in [0, Lanes).
func (q *Queue) PushInLane(lane int, it Item) {
	q.seq++
	it.Seq = q.seq
	l := &q.lanes[lane]
	if n := l.n; n > 0 && n < len(l.items) && l.at(n-1).At <= it.At { // as nearly always
		*l.at(n) = it
		l.n++
		return
	}
	q.pushInLane(lane, &it)
}

// pushInLane is the rest of PushInLane.
//
//go:noinline
func (q *Queue) pushInLane(lane int, it *Item) {
	l := &q.lanes[lane]
	if l.n > 0 && l.last().At > it.At {
		q.add(it)
		return
	}
	if l.push(it); l.n == 1 {
		q.enter(lane)
	}
}

// Upcoming is the i-th item from the head of a lane, nil if there are fewer.
func (q *Queue) Upcoming(lane, i int) *Item {
	if l := &q.lanes[lane]; i < l.n {
		return l.at(i)
	}
	return nil
}

// TakeFrom removes the head of a lane, whatever else is due before it; nil if the lane is empty. The result is valid until
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
	return it
}

// GiveTo appends an item to its lane with the sequence number that it has: one from TakeFrom, or a reserved one.
func (q *Queue) GiveTo(lane int, it Item) {
	l := &q.lanes[lane]
	if l.push(&it); l.n == 1 {
		q.enter(lane)
	}
}

// Gather moves all items of a kind that are elsewhere into the lane in which the others of that kind are, so that many items
// pushed out of order are handed out without a heap.
func (q *Queue) Gather(lane int, belongs func(*Item) bool) {
	var found []Item
	for l := &q.lanes[lane]; l.n > 0; {
		found = append(found, *q.TakeFrom(lane))
	}
	rest := append(append([]Item(nil), q.near...), q.heap...)
	q.near, q.heap = q.near[:0], q.heap[:0]
	q.lookNear()
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
}

// enter puts a lane that was empty into the order of lanes.
func (q *Queue) enter(lane int) {
	head, i := q.lanes[lane].head(), q.busy
	for q.busy++; i > 0 && before(head, q.lanes[q.order[i-1]].head()); i-- {
		q.order[i] = q.order[i-1]
	}
	if q.order[i] = uint8(lane); i == 0 {
		q.heads[inLane] = keyOf(head)
	}
}

// lookLanes notes which item of all lanes comes first.
func (q *Queue) lookLanes() {
	if q.busy > 0 {
		q.heads[inLane] = keyOf(q.lanes[q.order[0]].head())
	} else {
		q.heads[inLane] = key{}
	}
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
	q.lookLanes()
}

// popLane takes the head of the first lane, which mostly stays the first.
func (q *Queue) popLane() {
	first := q.order[0]
	l := &q.lanes[first]
	if l.pop(); l.n == 0 {
		q.busy--
		copy(q.order[:q.busy], q.order[1:])
		q.lookLanes()
		return
	}
	head, i := l.head(), 1
	for ; i < q.busy && before(q.lanes[q.order[i]].head(), head); i++ {
		q.order[i-1] = q.order[i]
	}
	if q.order[i-1] = first; i == 1 {
		q.heads[inLane] = keyOf(head)
	} else {
		q.lookLanes()
	}
}
