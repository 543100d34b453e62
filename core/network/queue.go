package network

import "checkpointlab/core/event"

// InputQueue is what a remote channel has received and the task has not polled (spec 3.4, 3.5; Flink's RemoteInputChannel
// with its PrioritizedDeque and ChannelStatePersister). Each arrival has a sequence number; priority events stand in front,
// in the order of their arrival; behind a timeoutable barrier an announcement of it goes to the front.
//
// Data ahead of a checkpoint's barrier, by sequence number, is in flight for it: what is queued when the task starts the
// checkpoint (Start), and what comes later until the barrier does (Arrival.Persist). The zero value is an empty queue
// whose first sequence number is 0.
type InputQueue struct {
	places    Ring
	urgent    int32 // priority elements; they are the first ones
	sequence  int32 // of the next arrival; it wraps around
	barrierAt int32 // sequence number of barrier; meaningless if that is 0
	status    persisting
	barrier   event.Checkpoint // newest one whose barrier is queued
	seen      event.Checkpoint // newest checkpoint whose barrier came or is waited for
}

// persisting is where the channel stands with the checkpoint seen.
type persisting uint8

const (
	persistDone persisting = iota // or none yet
	barrierPending
	barrierReceived
)

// Arrival is what the arrival of an entry means.
type Arrival struct {
	FirstPriority bool             // the only priority element now: the gate has to look at this channel first
	Persist       event.Checkpoint // not 0: the entry is data in flight for that checkpoint
}

// NewInputQueue is an empty queue that gives its first arrival that sequence number.
func NewInputQueue(first int32) InputQueue { return InputQueue{sequence: first} }

// Len is the number of places taken, events and announcements included.
func (q *InputQueue) Len() int { return q.places.Len() }

// Urgent is the number of priority elements, which are the first ones.
func (q *InputQueue) Urgent() int { return int(q.urgent) }

// At is the i-th place from the head.
func (q *InputQueue) At(i int) *Entry { return q.places.At(i) }

// Add receives an entry (RemoteInputChannel.onBuffer). A barrier with Priority goes to the front; one with Timeoutable and
// without Priority stays in place and is announced at the front.
func (q *InputQueue) Add(e Entry) Arrival { return q.add(&e) }

func (q *InputQueue) add(e *Entry) (a Arrival) {
	if e.Kind == Data {
		on := q.places.grow()
		*on = *e
		return q.came(on)
	}
	return q.addEvent(e)
}

// take is Add of the head of a wire. A buffer keeps its place; e holds until something else is sent.
func (q *InputQueue) take(wire *Ring) (e *Entry, a Arrival) {
	if wire.first().Kind == Data {
		e = wire.moveTo(&q.places)
		return e, q.came(e)
	}
	e = wire.take()
	return e, q.addEvent(e)
}

// came is that a buffer stands in the queue now.
func (q *InputQueue) came(e *Entry) (a Arrival) {
	e.Sequence = q.sequence
	q.sequence++
	if q.status == barrierPending {
		a.Persist = q.seen
	}
	return a
}

// addEvent is add for what is no data.
func (q *InputQueue) addEvent(e *Entry) (a Arrival) {
	r := *e
	r.Sequence = q.sequence
	q.sequence++
	switch {
	case e.Flags&Priority != 0:
		a.FirstPriority = q.prioritize(r)
	default:
		q.places.Push(r)
		if e.Kind == Barrier && e.Flags&Timeoutable != 0 {
			r.Announcement = true
			a.FirstPriority = q.prioritize(r)
		}
	}
	if e.Kind == Barrier {
		q.barrierCame(e.ID, r.Sequence)
	}
	return a
}

// Pass sees an entry that the consumer of a local channel takes from the subpartition itself: there is no arrival, so data
// is in flight for a checkpoint when it is read before the barrier (LocalInputChannel.getNextBuffer).
func (q *InputQueue) Pass(e *Entry) (persist event.Checkpoint) {
	switch {
	case e.Kind == Barrier:
		q.barrierCame(e.ID, q.sequence)
	case e.Kind == Data && q.status == barrierPending:
		return q.seen
	}
	return 0
}

// Poll takes the head; ok is false if the queue is empty.
func (q *InputQueue) Poll() (r Entry, ok bool) {
	if head := q.poll(); head != nil {
		return *head, true
	}
	return Entry{}, false
}

// poll is Poll, nil if the queue is empty; what it points to holds until something else is received.
func (q *InputQueue) poll() *Entry {
	if q.places.n == 0 {
		return nil
	}
	q.urgent = max(0, q.urgent-1)
	return q.places.take()
}

// Prioritize moves the barrier with that sequence number, whose announcement has been polled, behind the other priority
// elements: its alignment has timed out (RemoteInputChannel.convertToPriorityEvent). Only its place changes. It tells
// whether it is the only priority element.
func (q *InputQueue) Prioritize(sequence int32) (first bool) {
	for i := int(q.urgent); i < q.Len(); i++ {
		if r := q.At(i); r.Sequence == sequence && r.Kind == Barrier {
			q.places.Insert(int(q.urgent), q.places.Remove(i))
			q.urgent++
			return q.urgent == 1
		}
	}
	panic("network: no barrier to prioritize; it is polled, prioritized or was never received")
}

// Start begins checkpoint id on this channel: the data in the places from … to-1 is in flight for it, and until its
// barrier comes so is all data that arrives. ok is false if a newer checkpoint's barrier has come
// (CHECKPOINT_SUBSUMED); nothing changes then.
func (q *InputQueue) Start(id event.Checkpoint) (from, to int, ok bool) {
	if id < q.barrier {
		return 0, 0, false
	}
	if id > q.barrier {
		q.barrier = 0
	}
	from, to = q.InflightBuffers(id)
	if id > q.seen {
		q.seen, q.status = id, barrierPending
	}
	return from, to, true
}

// Stop ends checkpoint id on this channel: it is complete or given up.
func (q *InputQueue) Stop(id event.Checkpoint) {
	if id >= q.seen {
		q.seen, q.status = id, persistDone
	}
	if id == q.barrier {
		q.barrier = 0
	}
}

// InflightBuffers is the range of places from … to-1 ahead of the barrier of checkpoint id, or of all places if that
// barrier has not come. The data among them is in flight; events are not. id is not older than the newest barrier.
func (q *InputQueue) InflightBuffers(id event.Checkpoint) (from, to int) {
	if id < q.barrier {
		panic("network: in-flight data of a subsumed checkpoint")
	}
	from, to = int(q.urgent), q.Len()
	if id > q.barrier || q.barrier == 0 {
		return from, to
	}
	for to = from; to < q.Len() && q.At(to).Sequence-q.barrierAt < 0; { // a difference, for numbers wrap around
		to++
	}
	return from, to
}

// Overtaker is the newest barrier that stands among the priority elements and came after an entry of the queue; 0 = none.
func (q *InputQueue) Overtaker(e *Entry) (id event.Checkpoint) {
	for i := range int(q.urgent) {
		if r := q.At(i); r.Kind == Barrier && !r.Announcement && e.Sequence-r.Sequence < 0 { // a difference, for numbers wrap around
			id = max(id, r.ID)
		}
	}
	return id
}

// Clear empties the queue and forgets checkpoints; sequence numbers begin at 0 again.
func (q *InputQueue) Clear() {
	for q.places.n > 0 {
		q.places.Pop()
	}
	*q = InputQueue{places: q.places}
}

// CopyFrom makes q a deep copy of src.
func (q *InputQueue) CopyFrom(src *InputQueue) {
	places := q.places
	places.CopyFrom(&src.places)
	*q = *src
	q.places = places
}

// barrierCame remembers where the newest barrier is. An older checkpoint's barrier, or one of a checkpoint that has ended
// here, changes nothing of what is persisted (ChannelStatePersister.checkForBarrier).
func (q *InputQueue) barrierCame(id event.Checkpoint, sequence int32) {
	if id < q.seen || id == q.seen && q.status == persistDone {
		return
	}
	q.seen, q.status = id, barrierReceived
	if id > q.barrier {
		q.barrier, q.barrierAt = id, sequence
	}
}

// prioritize puts r behind the other priority elements.
func (q *InputQueue) prioritize(r Entry) (first bool) {
	q.places.Insert(int(q.urgent), r)
	q.urgent++
	return q.urgent == 1
}
