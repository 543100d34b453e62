package network

import "math/bits"

// Ring is a queue of entries whose places are cells shared by many queues, so that a channel costs memory only for what it
// holds: a job of 1,000 subtasks has 10⁶ channels per exchange, nearly all of them empty at any time. The zero value is an
// empty queue with cells of its own.
type Ring struct {
	in         *cells
	head, tail int32 // of n > 0
	n          int32
}

// cells are the places of many queues, in blocks that never move. The first free one is taken, which can be found without
// reading its memory, so that places taken one after the other lie side by side in whatever order they were returned.
type cells struct {
	blocks []*[blockSize]cell
	free   []uint64 // by block: its free cells
	some   []uint64 // the blocks that have any
	first  int      // the words of some before it are all 0
	last   int32    // 1 + the cell returned last, which is not among the free ones and is taken first; 0 = none
}

type cell struct {
	value Entry
	next  int32 // in its list
}

const (
	blockBits = 6
	blockSize = 1 << blockBits // as many as the bits of a word
)

func (c *cells) at(i int32) *cell { return &c.blocks[i>>blockBits][i&(blockSize-1)] }

func (c *cells) take() int32 {
	if i := c.last; i > 0 {
		c.last = 0
		return i - 1
	}
	return c.takeFree()
}

func (c *cells) takeFree() int32 {
	for c.first < len(c.some) && c.some[c.first] == 0 {
		c.first++
	}
	if c.first == len(c.some) {
		c.grow()
	}
	b := c.first<<blockBits + bits.TrailingZeros64(c.some[c.first])
	i := bits.TrailingZeros64(c.free[b])
	if c.free[b] &= c.free[b] - 1; c.free[b] == 0 {
		c.some[c.first] &= c.some[c.first] - 1
	}
	return int32(b<<blockBits + i)
}

// grow adds a block when all others are full. It is rare, so it is kept out of the code that takes a place.
//
//go:noinline
func (c *cells) grow() {
	b := len(c.blocks)
	c.blocks, c.free = append(c.blocks, new([blockSize]cell)), append(c.free, ^uint64(0))
	if c.first = b >> blockBits; c.first == len(c.some) {
		c.some = append(c.some, 0)
	}
	c.some[c.first] |= 1 << (b & (blockSize - 1))
}

func (c *cells) give(i int32) {
	if c.last == 0 {
		c.last = i + 1
	} else {
		c.giveFree(i)
	}
}

func (c *cells) giveFree(i int32) {
	b := int(i >> blockBits)
	w := b >> blockBits
	c.free[b] |= 1 << (i & (blockSize - 1))
	c.some[w] |= 1 << (b & (blockSize - 1))
	c.first = min(c.first, w)
}

// copyFrom copies every place; the lists in them are copied by copyHead.
func (c *cells) copyFrom(src *cells) {
	for len(c.blocks) < len(src.blocks) {
		c.blocks = append(c.blocks, new([blockSize]cell))
	}
	for i := range src.blocks {
		*c.blocks[i] = *src.blocks[i]
	}
	c.free, c.some, c.first = append(c.free[:0], src.free...), append(c.some[:0], src.some...), src.first
	c.last = src.last
	for b := len(src.blocks); b < len(c.blocks); b++ { // src does not have this one: it is free
		c.free = append(c.free, 0)
		if b>>blockBits == len(c.some) {
			c.some = append(c.some, 0)
		}
		for i := range int32(blockSize) {
			c.give(int32(b<<blockBits) + i)
		}
	}
}

// Len is the number of places.
func (q *Ring) Len() int { return int(q.n) }

// At is the i-th place from the head: O(i), but O(1) for the last one.
func (q *Ring) At(i int) *Entry {
	if i == int(q.n)-1 {
		return &q.in.at(q.tail).value
	}
	at := q.head
	for range i {
		at = q.in.at(at).next
	}
	return &q.in.at(at).value
}

// Last is the newest place; the list must not be empty.
func (q *Ring) Last() *Entry { return &q.in.at(q.tail).value }

// Push appends v and returns its place, which does not move.
func (q *Ring) Push(v Entry) *Entry {
	p := q.grow()
	*p = v
	return p
}

// grow is Push of what the caller writes into the place.
func (q *Ring) grow() *Entry {
	if q.in == nil {
		q.own()
	}
	i := q.in.take()
	if q.n == 0 {
		q.head = i
	} else {
		q.in.at(q.tail).next = i
	}
	q.tail = i
	q.n++
	return &q.in.at(i).value
}

// own gives a list cells of its own.
//
//go:noinline
func (q *Ring) own() { q.in = new(cells) }

// Pop takes the head off; the list must not be empty.
func (q *Ring) Pop() Entry { return *q.take() }

// take is Pop by reference, valid until a queue with the same cells grows.
func (q *Ring) take() *Entry {
	i := q.head
	c := q.in.at(i)
	q.head = c.next
	q.n--
	q.in.give(i)
	return &c.value
}

// moveTo is Pop and Push to a queue with the same cells, without moving the contents.
func (q *Ring) moveTo(to *Ring) *Entry {
	i := q.head
	c := q.in.at(i)
	q.head = c.next
	q.n--
	if to.n == 0 {
		to.head = i
	} else {
		to.in.at(to.tail).next = i
	}
	to.tail = i
	to.n++
	return &c.value
}

// first is the first place; the list must not be empty.
func (q *Ring) first() *Entry { return &q.in.at(q.head).value }

// Insert puts v in front of the i-th place.
func (q *Ring) Insert(i int, v Entry) {
	switch {
	case i == int(q.n):
		q.Push(v)
	case i == 0:
		k := q.in.take()
		*q.in.at(k) = cell{v, q.head}
		q.head = k
		q.n++
	default:
		before := q.cellAt(i - 1)
		k := q.in.take()
		*q.in.at(k) = cell{v, before.next}
		before.next = k
		q.n++
	}
}

// Remove takes the i-th place out.
func (q *Ring) Remove(i int) Entry {
	if i == 0 {
		return q.Pop()
	}
	before := q.cellAt(i - 1)
	k := before.next
	c := q.in.at(k)
	before.next = c.next
	if q.n--; i == int(q.n) {
		q.tail = q.head
		for range i - 1 {
			q.tail = q.in.at(q.tail).next
		}
	}
	q.in.give(k)
	return c.value
}

func (q *Ring) cellAt(i int) *cell {
	at := q.head
	for range i {
		at = q.in.at(at).next
	}
	return q.in.at(at)
}

// CopyFrom makes q a deep copy of src, in q's own cells.
func (q *Ring) CopyFrom(src *Ring) {
	for q.n > 0 {
		q.Pop()
	}
	for i := range src.Len() {
		q.Push(*src.At(i))
	}
}

// copyHead makes q the list that src is, whose cells were copied to q's.
func (q *Ring) copyHead(src *Ring) { q.head, q.tail, q.n = src.head, src.tail, src.n }
