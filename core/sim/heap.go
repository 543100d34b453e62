package sim

import "slices"

// Items whose order is not known beforehand: the soonest few are sorted, the others are in a heap, which is empty whenever
// there are none.

func (q *Queue) add(it *Item) {
	if len(q.near) == nearMost && before(it, &q.near[0]) {
		q.spill()
	}
	n := len(q.near)
	if n > 0 && (n == nearMost || len(q.heap) > 0) && before(&q.near[0], it) {
		q.pushHeap(it)
		return
	}
	if n == cap(q.near) {
		q.near = slices.Grow(q.near, nearMost)
	}
	near, i := q.near[:n+1], n
	q.near = near
	for ; i > 0 && before(&near[i-1], it); i-- {
		near[i] = near[i-1]
	}
	if near[i] = *it; i == n {
		q.heads[inNear] = keyOf(it)
	}
}

// popNear removes the soonest item.
func (q *Queue) popNear() {
	if q.near = q.near[:len(q.near)-1]; len(q.near) == 0 && len(q.heap) > 0 {
		q.fill()
	}
	q.lookNear()
}

// lookNear notes which item is the soonest.
func (q *Queue) lookNear() {
	if n := len(q.near); n > 0 {
		q.heads[inNear] = keyOf(&q.near[n-1])
	} else {
		q.heads[inNear] = key{}
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
