package network

import (
	"slices"
	"testing"

	"checkpointlab/core/event"

	"pgregory.net/rapid"
)

func dataOf(bytes int32) Entry { return Entry{Kind: Data, Bytes: bytes} }

func barrierOf(id event.Checkpoint, flags uint8) Entry {
	return Entry{Kind: Barrier, ID: id, Flags: flags}
}

// sizes lists the bytes of the data in the places from … to-1.
func sizesIn(q *InputQueue, from, to int) (s []int32) {
	for i := from; i < to; i++ {
		if q.At(i).Kind == Data {
			s = append(s, q.At(i).Bytes)
		}
	}
	return s
}

// A priority barrier overtakes; data behind it, and data that comes after it, is not in flight (mechanisms 9, spec 3.4).
func TestArrivedPriorityBarrierEndsInFlightData(t *testing.T) {
	var q InputQueue
	q.Add(dataOf(1))
	if a := q.Add(barrierOf(1, Priority)); !a.FirstPriority {
		t.Error("the gate is not told of the priority event")
	}
	q.Add(dataOf(2))
	from, to, ok := q.Start(1)
	if got := sizesIn(&q, from, to); !ok || !slices.Equal(got, []int32{1}) {
		t.Errorf("in flight are %v", got)
	}
	if a := q.Add(dataOf(3)); a.Persist != 0 {
		t.Error("data behind the barrier is taken for in flight")
	}
}

// A channel whose barrier has not come persists all that is queued and all that comes until it does (spec 3.4).
func TestChannelWithoutBarrierPersistsUntilItComes(t *testing.T) {
	var q InputQueue
	q.Add(dataOf(1))
	q.Add(Entry{Kind: Cancel})
	from, to, _ := q.Start(4)
	if got := sizesIn(&q, from, to); !slices.Equal(got, []int32{1}) {
		t.Errorf("in flight are %v", got)
	}
	if a := q.Add(dataOf(2)); a.Persist != 4 {
		t.Errorf("data before the barrier is persisted for %d", a.Persist)
	}
	if a := q.Add(barrierOf(3, Blocking)); a.Persist != 0 || a.FirstPriority {
		t.Errorf("an old barrier: %+v", a)
	}
	if a := q.Add(dataOf(3)); a.Persist != 4 {
		t.Error("the barrier of an older checkpoint ends the in-flight data")
	}
	q.Add(barrierOf(4, Priority))
	if a := q.Add(dataOf(4)); a.Persist != 0 {
		t.Error("data behind the barrier is persisted")
	}
}

// An announced barrier keeps its place until its alignment times out (spec 3.5).
func TestAnnouncedBarrierIsPrioritizedInItsPlace(t *testing.T) {
	var q InputQueue
	q.Add(dataOf(1))
	if a := q.Add(barrierOf(1, Blocking|Timeoutable)); !a.FirstPriority || q.Len() != 3 || q.Urgent() != 1 {
		t.Fatalf("%+v, %d places, %d urgent", a, q.Len(), q.Urgent())
	}
	r, _ := q.Poll()
	if !r.Announcement || r.Sequence != 1 || r.ID != 1 {
		t.Fatalf("%+v is polled first", r)
	}
	if !q.Prioritize(r.Sequence) {
		t.Error("the prioritized barrier is not the first priority element")
	}
	if from, to := q.InflightBuffers(1); !slices.Equal(sizesIn(&q, from, to), []int32{1}) {
		t.Errorf("in flight are %v", sizesIn(&q, from, to))
	}
	if r, _ = q.Poll(); r.Kind != Barrier || r.Announcement {
		t.Errorf("%+v follows", r)
	}
	mustPanic(t, "barrier that was polled", func() { q.Prioritize(1) })
}

func TestSubsumedCheckpointDoesNotStart(t *testing.T) {
	var q InputQueue
	q.Add(dataOf(1))
	q.Add(barrierOf(2, Priority))
	if _, _, ok := q.Start(1); ok {
		t.Error("checkpoint 1 starts behind the barrier of 2")
	}
	mustPanic(t, "in-flight data of checkpoint 1", func() { q.InflightBuffers(1) })
	q.Stop(2)
	if a := q.Add(barrierOf(2, Priority)); a.FirstPriority || q.Urgent() != 2 {
		t.Errorf("a late barrier behind another one: %+v, %d urgent", a, q.Urgent())
	}
	if _, _, ok := q.Start(3); !ok || q.Add(dataOf(2)).Persist != 3 {
		t.Error("checkpoint 3 does not start after 2 was stopped")
	}
}

// A checkpoint that has ended on the channel takes no more data, and a late barrier does not revive it.
func TestStoppedCheckpointPersistsNothing(t *testing.T) {
	var q InputQueue
	q.Start(2)
	if q.Stop(1); q.Add(dataOf(1)).Persist != 2 {
		t.Error("the end of an older checkpoint ends the in-flight data")
	}
	if q.Stop(2); q.Add(dataOf(2)).Persist != 0 {
		t.Error("a checkpoint that was given up takes data")
	}
	q.Add(barrierOf(2, Priority))
	q.Add(dataOf(3))
	if from, to, ok := q.Start(2); !ok || !slices.Equal(sizesIn(&q, from, to), []int32{1, 2, 3}) || q.Add(dataOf(4)).Persist != 0 {
		t.Errorf("started again: %v, in flight %v; the late barrier counts", ok, sizesIn(&q, from, to))
	}
	q.Add(barrierOf(3, Priority))
	q.Add(dataOf(5))
	q.Stop(3)
	if from, to := q.InflightBuffers(3); !slices.Equal(sizesIn(&q, from, to), []int32{1, 2, 3, 4, 5}) {
		t.Errorf("in flight %v; the barrier of an ended checkpoint bounds nothing", sizesIn(&q, from, to))
	}
}

func TestClearedQueueIsNew(t *testing.T) {
	q := NewInputQueue(7)
	q.Add(barrierOf(5, Priority))
	q.Start(6)
	q.Clear()
	a := q.Add(dataOf(1))
	if r, ok := q.Poll(); !ok || r.Sequence != 0 || a.Persist != 0 || q.Len() != 0 || q.Urgent() != 0 {
		t.Errorf("%+v %v %+v, %d places, %d urgent", r, ok, a, q.Len(), q.Urgent())
	}
	if _, _, ok := q.Start(1); !ok {
		t.Error("checkpoint 1 does not start: a former one is remembered")
	}
}

// numberedAs is e with the sequence number of its arrival.
func numberedAs(e Entry, sequence int32) Entry {
	e.Sequence = sequence
	return e
}

// plainQueue is the queue done in the plainest way: two lists.
type plainQueue struct{ urgent, rest []Entry }

func (p *plainQueue) all() []Entry { return append(slices.Clone(p.urgent), p.rest...) }

// The queue hands out what two plain lists would, and finds what lies ahead of a barrier, over the wrap of the sequence
// numbers and after a copy, too (RemoteInputChannelTest#testGetInflightBuffersOverflow).
func TestQueueAgainstPlainLists(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first := rapid.SampledFrom([]int32{0, -1 << 31, 1<<31 - 5, -3}).Draw(t, "first")
		q, p, next, id := NewInputQueue(first), plainQueue{}, first, event.Checkpoint(0)
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			switch do := rapid.IntRange(0, 6).Draw(t, "do"); do {
			case 0, 1:
				p.rest = append(p.rest, numberedAs(dataOf(next), next))
				q.Add(dataOf(next))
				next++
			case 2:
				id++
				p.urgent = append(p.urgent, numberedAs(barrierOf(id, Priority), next))
				if a := q.Add(barrierOf(id, Priority)); a.FirstPriority != (len(p.urgent) == 1) {
					t.Fatalf("first priority is %v with %d urgent", a.FirstPriority, len(p.urgent))
				}
				next++
			case 3:
				id++
				e := barrierOf(id, Timeoutable)
				p.rest = append(p.rest, numberedAs(e, next))
				announced := numberedAs(e, next)
				announced.Announcement = true
				p.urgent = append(p.urgent, announced)
				q.Add(e)
				next++
			case 4, 5:
				want := p.all()
				got, ok := q.Poll()
				if ok != (len(want) > 0) || ok && got != want[0] {
					t.Fatalf("polled %+v, expected the first of %+v", got, want)
				}
				if len(p.urgent) > 0 {
					p.urgent = p.urgent[1:]
				} else if ok {
					p.rest = p.rest[1:]
				}
			case 6:
				var other InputQueue
				other.CopyFrom(&q)
				q = other
				p.prioritizeAny(t, &q)
			}
			p.check(t, &q, id)
		}
	})
}

// prioritizeAny prioritizes a barrier whose announcement has been polled.
func (p *plainQueue) prioritizeAny(t *rapid.T, q *InputQueue) {
	for i, r := range p.rest {
		if r.Kind == Barrier && !slices.ContainsFunc(p.urgent, func(u Entry) bool { return u.Sequence == r.Sequence }) {
			q.Prioritize(r.Sequence)
			p.urgent = append(p.urgent, r)
			p.rest = slices.Delete(slices.Clone(p.rest), i, i+1)
			return
		}
	}
}

func (p *plainQueue) check(t *rapid.T, q *InputQueue, id event.Checkpoint) {
	want := p.all()
	if q.Len() != len(want) || q.Urgent() != len(p.urgent) {
		t.Fatalf("%d places and %d urgent, expected %d and %d", q.Len(), q.Urgent(), len(want), len(p.urgent))
	}
	var ahead []int32
	at, came := int32(0), false
	for i, r := range want {
		if *q.At(i) != r {
			t.Fatalf("place %d holds %+v, expected %+v", i, *q.At(i), r)
		}
		if r.Kind == Barrier && r.ID == id {
			at, came = r.Sequence, true
		}
	}
	if id == 0 || !came { // whether it has been polled is not written down here
		return
	}
	for _, r := range p.rest {
		if r.Kind == Data && r.Sequence-at < 0 {
			ahead = append(ahead, r.Bytes)
		}
	}
	if from, to := q.InflightBuffers(id); !slices.Equal(sizesIn(q, from, to), ahead) {
		t.Fatalf("in flight for %d are %v, expected %v", id, sizesIn(q, from, to), ahead)
	}
}

func BenchmarkQueue(b *testing.B) {
	var q InputQueue
	b.ReportAllocs()
	for i := range b.N {
		q.Add(dataOf(100))
		if i&63 == 0 {
			q.Add(barrierOf(event.Checkpoint(i+1), Blocking|Timeoutable))
		}
		for q.Len() > 4 {
			q.Poll()
		}
	}
}

// A barrier that stands ahead of data has overtaken what came before it, and not what came after.
func TestOvertakerIsTheBarrierThatCameLaterAndStandsAhead(t *testing.T) {
	q := NewInputQueue(-2) // numbers wrap around
	q.Add(dataOf(1))
	q.Add(barrierOf(3, Timeoutable))
	q.Add(dataOf(2))
	for i := range q.Len() {
		if e := q.At(i); e.Kind == Data && q.Overtaker(e) != 0 {
			t.Errorf("an announcement overtakes %d bytes", e.Bytes)
		}
	}
	q.Add(barrierOf(4, Priority))
	q.Add(dataOf(3))
	q.Add(barrierOf(5, Priority))
	want := map[int32]event.Checkpoint{1: 5, 2: 5, 3: 5}
	for range 2 {
		for i := range q.Len() {
			if e := q.At(i); e.Kind == Data && q.Overtaker(e) != want[e.Bytes] {
				t.Errorf("%d bytes are overtaken by %d, want %d", e.Bytes, q.Overtaker(e), want[e.Bytes])
			}
		}
		for q.At(0).ID != 5 {
			q.Poll()
		}
		q.Add(dataOf(4)) // behind both
	}
}
