package network

import (
	"slices"
	"testing"

	"checkpointlab/core/event"
	"checkpointlab/core/sim"

	"pgregory.net/rapid"
)

// producer hears what the network tells a task.
type producer struct{ passed, displaced []event.Checkpoint }

func (p *producer) Wake(event.Time, event.Task)                         {}
func (p *producer) Offered(event.Time, event.Task, event.Channel, bool) {}
func (p *producer) Book(event.Time, event.Task)                         {}
func (p *producer) Passed(_ event.Time, _ event.Task, id event.Checkpoint) {
	p.passed = append(p.passed, id)
}
func (p *producer) Displaced(_ event.Time, _ event.Task, id event.Checkpoint) {
	p.displaced = append(p.displaced, id)
}

// oneChannel is a network of one channel with so much credit that none is missing.
func oneChannel(p *producer) *Network {
	feed := event.NewFeed()
	return New(Plan{
		Wires: []Wire{{}}, Partitions: []Partition{{Count: 1}}, Dealers: []Dealer{nil}, GateInputs: [][]event.Channel{{0}},
		Exclusive: 1 << 20, MaxPerSub: 1 << 20, Segment: 100,
	}, &sim.Queue{}, &feed, p)
}

// numbered is a full buffer that can be told from others by its bytes.
func numbered(k int32) Entry {
	return Entry{Kind: Data, Bytes: k, Size: k, Finished: true, Extra: true, Runs: event.EmptyRuns}
}

func barrier(id event.Checkpoint, flags uint8) Entry {
	return Entry{Kind: Barrier, ID: id, Flags: flags, Runs: event.EmptyRuns}
}

// plain is a subpartition as its rules are told (spec 3.2, 3.4, 3.5): a list, nothing else.
type plain struct {
	queue   []Entry
	blocked bool
}

func (q *plain) take() (Entry, bool) {
	if q.blocked || len(q.queue) == 0 {
		return Entry{}, false
	}
	e := q.queue[0]
	q.queue = q.queue[1:]
	q.blocked = e.Flags&Blocking != 0
	return e, true
}

// jump puts a priority barrier ahead of the first behind entries, but for other priority ones; it returns the buffers it passes.
func (q *plain) jump(behind int, e Entry) (stored []int32) {
	at := 0
	for at < behind && q.queue[at].Flags&Priority != 0 {
		at++
	}
	for _, o := range q.queue[at:behind] {
		if o.Kind == Data {
			stored = append(stored, o.Bytes)
		}
	}
	q.queue = slices.Insert(q.queue, at, e)
	return stored
}

func (q *plain) timeOut(id event.Checkpoint) (stored []int32) {
	for i, e := range q.queue {
		if e.ID == id && e.Flags&Timeoutable != 0 {
			q.queue = slices.Delete(q.queue, i, i+1)
			return q.jump(i, barrier(id, Priority))
		}
	}
	return nil
}

// TestSubpartitionDoesAsItsRulesSay drives a channel and a plain list alike: what is taken, stored and left must agree.
func TestSubpartitionDoesAsItsRulesSay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := &producer{}
		n, model := oneChannel(p), plain{}
		ch, next, bytes := &n.Channels[0], event.Checkpoint(0), int32(0)
		var stored, wanted []int32
		keep := func(_ event.Channel, e *Entry) { stored = append(stored, e.Bytes) }
		held := func(do func()) { // the reader is away
			blocked := ch.Blocked
			ch.Blocked = true
			do()
			ch.Blocked = blocked
		}
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			switch rapid.SampledFrom([]string{"data", "aligned", "timeoutable", "unaligned", "timeout", "take", "take", "resume"}).Draw(t, "step") {
			case "data":
				bytes++
				ch.Add(numbered(bytes))
				model.queue = append(model.queue, numbered(bytes))
			case "aligned":
				next++
				held(func() { n.Broadcast(0, 0, barrier(next, Blocking)) })
				model.queue = append(model.queue, barrier(next, Blocking))
			case "timeoutable":
				next++
				held(func() { n.Broadcast(0, 0, barrier(next, Blocking|Timeoutable)) })
				model.queue = append(model.queue, barrier(next, Blocking|Timeoutable))
			case "unaligned":
				next++
				held(func() { n.Overtake(0, 0, barrier(next, Priority), keep) })
				wanted = append(wanted, model.jump(len(model.queue), barrier(next, Priority))...)
			case "timeout":
				id := rapid.Int64Range(0, next).Draw(t, "id")
				held(func() { n.TimeOut(0, 0, id, keep) })
				wanted = append(wanted, model.timeOut(id)...)
			case "take":
				want, ok := model.take()
				if got := n.Take(0, 0); got != ok {
					t.Fatalf("took %v, by the rules %v", got, ok)
				} else if ok {
					if e := ch.Wire.Last(); e.Kind != want.Kind || e.ID != want.ID || e.Bytes != want.Bytes || e.Flags != want.Flags {
						t.Fatalf("took %+v, by the rules %+v", *e, want)
					}
				}
			case "resume":
				ch.Blocked, model.blocked = false, false
			}
			if ch.Queue.Len() != len(model.queue) || ch.Blocked != model.blocked || !slices.Equal(stored, wanted) {
				t.Fatalf("%d queued, blocked %v, stored %v; by the rules %d, %v, %v", ch.Queue.Len(), ch.Blocked, stored, len(model.queue), model.blocked, wanted)
			}
		}
	})
}

// TestOlderTimeoutableBarrierIsDisplaced (vector subpartition.second-timeoutable-barrier): by a newer one while it waits, not
// once it is decided.
func TestOlderTimeoutableBarrierIsDisplaced(t *testing.T) {
	p := &producer{}
	n := oneChannel(p)
	n.Channels[0].Blocked = true
	for id := event.Checkpoint(1); id <= 3; id++ {
		n.Broadcast(0, 0, barrier(id, Blocking|Timeoutable))
	}
	n.TimeOut(0, 0, 3, func(event.Channel, *Entry) {})
	n.Broadcast(0, 0, barrier(4, Blocking|Timeoutable))
	if !slices.Equal(p.displaced, []event.Checkpoint{1, 2}) {
		t.Errorf("displaced are %v", p.displaced)
	}
}

// TestNothingFollowsTheEnd (vector subpartition.add-after-finish).
func TestNothingFollowsTheEnd(t *testing.T) {
	n := oneChannel(&producer{})
	ch := &n.Channels[0]
	if got := ch.Add(numbered(1)); got != 100 {
		t.Errorf("the next buffer may have %d bytes, the segment has 100", got)
	}
	n.Broadcast(0, 0, Entry{Kind: End, Runs: event.EmptyRuns})
	if got := ch.Add(numbered(2)); got != -1 || ch.Wire.Len() != 2 || ch.Queue.Len() != 0 {
		t.Errorf("%d behind the end, %d sent, %d queued", got, ch.Wire.Len(), ch.Queue.Len())
	}
	n.Reset(0)
	if got := ch.Add(numbered(3)); got != 100 {
		t.Errorf("a restarted channel answers %d", got)
	}
	defer func() {
		if recover() == nil {
			t.Error("a record is written behind the end")
		}
	}()
	n.Broadcast(0, 0, Entry{Kind: End, Runs: event.EmptyRuns})
	n.Emit(0, 0, &event.Run{Count: 1, Size: 10})
}
