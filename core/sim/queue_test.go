package sim

import (
	"slices"
	"testing"

	"checkpointlab/core/event"

	"pgregory.net/rapid"
)

func TestTiesGoBySequence(t *testing.T) {
	var q Queue
	for i := range 100 {
		q.Push(Item{At: event.Time(i % 3), ID: int64(i), Seq: 999})
	}
	var last Item
	for i := range 100 {
		it, ok := q.Pop()
		if !ok {
			t.Fatalf("empty after %d", i)
		}
		if i > 0 && (it.At < last.At || it.At == last.At && it.ID <= last.ID) {
			t.Fatalf("%+v after %+v", it, last)
		}
		last = it
	}
	if _, ok := q.Pop(); ok {
		t.Fatal("an item out of an empty queue")
	}
}

// sorted is a queue under test, a spare one for copies, and what the queue holds as a sorted slice.
type sorted struct {
	q, spare Queue
	model    []Item
	seq      int64
}

// insert puts an item where it belongs in the slice.
func (s *sorted) insert(it Item) {
	i, _ := slices.BinarySearchFunc(s.model, it, func(a, b Item) int {
		if before(&a, &b) {
			return -1
		}
		return 1
	})
	s.model = slices.Insert(s.model, i, it)
}

func (s *sorted) push(t *rapid.T) {
	s.seq++
	it := Item{At: rapid.Int64Range(0, 5).Draw(t, "at"), Kind: rapid.Uint8().Draw(t, "kind"), A: int32(s.seq), ID: -s.seq}
	if lane := rapid.IntRange(-1, Lanes-1).Draw(t, "lane"); lane >= 0 {
		s.q.PushInLane(lane, it)
	} else {
		s.q.Push(it)
	}
	it.Seq = s.seq
	s.insert(it)
}

func (s *sorted) pushWithRank(t *rapid.T) {
	s.seq++ // each rank once
	rank := int32(-s.seq)
	it := Item{At: rapid.Int64Range(0, 5).Draw(t, "at"), ID: s.seq}
	if rapid.Bool().Draw(t, "ahead") {
		s.q.PushAhead(it, rank)
		it.Seq = int64(rank) - 1<<32
	} else {
		s.q.PushBehind(it, int64(rank))
		it.Seq = int64(rank) + 1<<62
	}
	s.insert(it)
	s.q.seq = s.seq
}

func (s *sorted) pop(t *rapid.T) {
	it, ok := s.q.Pop()
	if ok != (len(s.model) > 0) {
		t.Fatalf("ok = %v with %d items", ok, len(s.model))
	}
	if ok {
		if it != s.model[0] {
			t.Fatalf("popped %+v, want %+v", it, s.model[0])
		}
		s.model = s.model[1:]
	}
}

// copy goes on with a copy; what happened to it before it was made again must not reach the original.
func (s *sorted) copy(*rapid.T) {
	s.spare.CopyFrom(&s.q)
	s.spare.Push(Item{At: -1})
	s.spare.Pop()
	s.q, s.spare = s.spare, s.q
	s.q.CopyFrom(&s.spare)
}

// check: what can be asked of the queue is what the slice says.
func (s *sorted) check(t *rapid.T) {
	if at := rapid.Int64Range(0, 5).Draw(t, "instant"); s.q.Quiet(at) != (len(s.model) == 0 || s.model[0].At > at) {
		t.Fatalf("Quiet(%d) with %v", at, s.model)
	}
	if s.q.Len() != len(s.model) {
		t.Fatalf("Len = %d, want %d", s.q.Len(), len(s.model))
	}
	if it, ok := s.q.Peek(); ok && it != s.model[0] {
		t.Fatalf("Peek = %+v, want %+v", it, s.model[0])
	}
	n := 0
	s.q.Each(func(it Item) {
		if n++; !slices.Contains(s.model, it) {
			t.Fatalf("Each has %+v", it)
		}
	})
	if n != len(s.model) {
		t.Fatalf("Each has %d items of %d", n, len(s.model))
	}
	inOrder(t, &s.q)
}

// inOrder: the items near by descend, none of the heap comes before them, and each of the heap comes behind its parent.
func inOrder(t *rapid.T, q *Queue) {
	for i := 1; i < len(q.near); i++ {
		if before(&q.near[i-1], &q.near[i]) {
			t.Fatalf("item %d near by is out of order", i)
		}
	}
	for i := range q.heap {
		if len(q.near) > 0 && before(&q.heap[i], &q.near[0]) {
			t.Fatalf("item %d of the heap comes before one near by", i)
		}
	}
	for i := 1; i < len(q.heap); i++ {
		if before(&q.heap[i], &q.heap[(i-1)/fan]) {
			t.Fatalf("item %d is before its parent", i)
		}
	}
}

// The heap against a sorted slice, through any mix of pushes, pops and copies.
func TestQueueLikeASortedSlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s sorted
		t.Repeat(map[string]func(*rapid.T){
			"push": s.push, "push with a rank": s.pushWithRank, "pop": s.pop, "copy": s.copy, "": s.check,
		})
	})
}

func TestQueueDoesNotAllocate(t *testing.T) {
	var q, copied Queue
	for i := range 1000 {
		q.Push(Item{At: event.Time(i * 7919 % 1000)})
	}
	copied.CopyFrom(&q)
	if n := testing.AllocsPerRun(100, func() {
		it, _ := q.Pop()
		it.At += 1000
		q.Push(it)
		it, _ = q.Pop()
		it.At += 2000
		q.PushInLane(1, it)
		it, _ = q.Pop()
		q.PushBehind(it, 3)
		copied.CopyFrom(&q)
	}); n != 0 {
		t.Fatalf("%v allocations a round", n)
	}
}

func BenchmarkQueue(b *testing.B) {
	var q Queue
	s := NewStream(1, "bench")
	for range 1000 {
		q.Push(Item{At: s.Int64n(1e6)})
	}
	for b.Loop() {
		it, _ := q.Pop()
		it.At += s.Int64n(1e6)
		q.Push(it)
	}
}

// TestGatherChangesNothing: items that are gathered into a lane are handed out as they would have been elsewhere.
func TestGatherChangesNothing(t *testing.T) {
	var plain, gathered Queue
	draws := NewStream(1, "gather")
	for i := range 500 {
		it := Item{At: draws.Int64n(50), Kind: uint8(draws.Int64n(3)), A: int32(i)}
		for _, q := range []*Queue{&plain, &gathered} {
			if it.Kind == 1 && i%3 == 0 {
				q.PushInLane(2, it)
			} else {
				q.Push(it)
			}
		}
	}
	gathered.Gather(2, func(it *Item) bool { return it.Kind == 1 })
	if gathered.Upcoming(2, 100) == nil {
		t.Error("a third of the items was to be gathered")
	}
	for n := range 500 {
		want, _ := plain.Pop()
		if got, ok := gathered.Pop(); !ok || want != got {
			t.Fatalf("the %d-th item is %+v, want %+v", n, got, want)
		}
	}
}
