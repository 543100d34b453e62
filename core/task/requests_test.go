package task

import (
	"testing"

	"checkpointlab/core/event"
)

// A watermark has a place in the queue of requests like a record (StreamElementQueue.tryPut), but is none under way.
func TestWatermarksTakeRoom(t *testing.T) {
	q := NewRequests(2, false)
	if q.Put(0, event.MarkRun(5)); q.Full() {
		t.Error("full with one of two")
	}
	if q.Put(1, event.Run{Count: 1}); !q.Full() || q.underWay() != 1 {
		t.Errorf("full is %v with a watermark and a record in two places, %d records", q.Full(), q.underWay())
	}
}

// Unordered, what is behind a watermark leaves as it came once the watermark has left (UnorderedStreamElementQueue).
func TestAnswersLeaveAsTheyCame(t *testing.T) {
	q := NewRequests(10, true)
	q.Put(0, event.Run{Born: 0, Count: 1})
	q.Put(1, event.MarkRun(7))
	q.Put(2, event.Run{Born: 2, Count: 1})
	q.Put(3, event.Run{Born: 3, Count: 1})
	q.Answer(3, false)
	q.Answer(2, false)
	if _, _, ok := q.Pop(); ok {
		t.Fatal("an answer passes the watermark ahead of it")
	}
	q.Answer(0, false)
	q.Answer(0, true) // the first word counts
	for i, want := range []int64{0, 7, 3, 2} {
		r, none, ok := q.Pop()
		if r.IsMark() {
			r.Born = r.Since
		}
		if !ok || none || r.Born != want {
			t.Fatalf("number %d is %d (given up %v, there %v), expected %d", i, r.Born, none, ok, want)
		}
	}
}
