package task

import (
	"slices"

	"checkpointlab/core/event"
)

// Requests are the records whose answers an asynchronous operator waits for, and watermarks in their places, up to a capacity
// (StreamElementQueue). Answers leave in the order of the records, or unordered as they come, but not past a watermark
// (OrderedStreamElementQueue, UnorderedStreamElementQueue). NewRequests makes one.
type Requests struct {
	capacity  int
	unordered bool
	list      []request // in the order of the records
	answers   int64     // so far
}

// request is a record whose answer is waited for, or a watermark in its place.
type request struct {
	id       int64
	run      event.Run
	answered int64 // as the how-manieth, from 1; 0 = not yet
	none     bool  // given up: makes no record
}

// NewRequests has room for so many, at least 1.
func NewRequests(capacity int, unordered bool) Requests {
	return Requests{capacity: capacity, unordered: unordered}
}

// Len is how many there are, watermarks included: those take room, too.
func (q *Requests) Len() int { return len(q.list) }

// Full reports whether the next one has to wait (StreamElementQueue.tryPut).
func (q *Requests) Full() bool { return len(q.list) >= q.capacity }

// Put adds a record, or a watermark, which needs no answer. Ids ascend.
func (q *Requests) Put(id int64, r event.Run) {
	x := request{id: id, run: r}
	if r.IsMark() {
		q.answers++
		x.answered = q.answers
	}
	q.list = append(q.list, x)
}

// Answer takes in that request id is answered, or given up and makes no record. One that is not there, or was answered, stays as it is.
func (q *Requests) Answer(id int64, none bool) {
	if i := q.find(id); i >= 0 && q.list[i].answered == 0 {
		q.answers++
		q.list[i].answered, q.list[i].none = q.answers, none
	}
}

func (q *Requests) find(id int64) int {
	i, found := slices.BinarySearchFunc(q.list, id, func(r request, id int64) int { return int(r.id - id) })
	if !found {
		return -1
	}
	return i
}

// Pop takes out what leaves next; ok is false if nothing may. none: it makes no record.
func (q *Requests) Pop() (r event.Run, none, ok bool) {
	i := q.next()
	if i < 0 {
		return event.Run{}, false, false
	}
	r, none = q.list[i].run, q.list[i].none
	q.list = slices.Delete(q.list, i, i+1)
	return r, none, true
}

// MayPop reports whether something may leave (StreamElementQueue.hasCompletedElements).
func (q *Requests) MayPop() bool { return q.next() >= 0 }

// next is the place of what leaves next, -1 if nothing may: the first one, or unordered that ahead of the first watermark which was
// answered first.
func (q *Requests) next() int {
	first := -1
	for i := range q.list {
		r := &q.list[i]
		if i > 0 && (!q.unordered || r.run.IsMark() || q.list[0].run.IsMark()) {
			break
		}
		if r.answered > 0 && (first < 0 || r.answered < q.list[first].answered) {
			first = i
		}
	}
	return first
}

// records appends the records among them, in their order.
func (q *Requests) records(out []event.Run) []event.Run {
	for i := range q.list {
		if r := q.list[i].run; !r.IsMark() {
			out = append(out, r)
		}
	}
	return out
}

// underWay is how many records there are.
func (q *Requests) underWay() (n int) {
	for i := range q.list {
		if !q.list[i].run.IsMark() {
			n++
		}
	}
	return n
}

func (q *Requests) clear() { q.list = q.list[:0] }

func (q *Requests) copyFrom(src *Requests) {
	list := append(q.list[:0], src.list...)
	*q = *src
	q.list = list
}
