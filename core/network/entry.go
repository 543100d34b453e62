package network

import "checkpointlab/core/event"

// What an Entry holds.
const (
	Data uint8 = iota
	Barrier
	Cancel
	End     // of the partition: nothing follows
	EndData // of the records: barriers may follow
)

// Flags of a barrier entry. The network carries them and acts only on Blocking and Priority.
const (
	Blocking    uint8 = 1 << iota // the sender stops after it has handed this out, until resumed (spec 3.2)
	Priority                      // overtakes data (spec 3.4)
	Timeoutable                   // aligned, becomes unaligned when its timeout passes (spec 3.5)
	Forced                        // would be unaligned, but the exchange cannot carry it (spec 3.7)
	Save                          // of a savepoint
)

// Entry is one place of a queue: a buffer with the records that end in it, or an event.
type Entry struct {
	Kind      uint8
	Flags     uint8
	Exclusive bool // at the receiver: which kind of buffer it occupies
	Extra     bool // restored channel state: in none of the pool's or gate's buffers
	Lent      bool // of a local channel: the segment goes back to the producer's pool when it is read
	Finished  bool // the writer appends no more
	Bytes     int32
	Sent      int32 // of Bytes, already taken by the network as a slice
	Size      int32 // usable size of the segment
	Backlog   int32 // on the wire: the sender's backlog at that moment
	Records   int64 // in Runs
	Runs      event.Runs
	ID        event.Checkpoint // an event's; of a buffer the checkpoint that stored it, 0 = none
	Stamp     event.Time       // barrier: creation at the coordinator
	Timeout   event.Time       // barrier: alignment timeout
	Arrives   event.Time       // on the wire
	Left      event.Time       // on the wire
}

// Ring is a queue of entries that reuses its memory.
type Ring struct {
	buf  []Entry
	head int
	n    int
}

// Len is the number of entries.
func (q *Ring) Len() int { return q.n }

// At is the i-th entry from the head.
func (q *Ring) At(i int) *Entry {
	i += q.head
	if i >= len(q.buf) {
		i -= len(q.buf)
	}
	return &q.buf[i]
}

// Last is the newest entry; the ring must not be empty.
func (q *Ring) Last() *Entry { return q.At(q.n - 1) }

// Push appends and returns the new entry's place.
func (q *Ring) Push(e Entry) *Entry {
	if q.n == len(q.buf) {
		q.grow()
	}
	q.n++
	p := q.Last()
	*p = e
	return p
}

// Insert puts e in front of the i-th entry.
func (q *Ring) Insert(i int, e Entry) {
	q.Push(e)
	for k := q.n - 1; k > i; k-- {
		*q.At(k) = *q.At(k - 1)
	}
	*q.At(i) = e
}

// Remove takes the i-th entry out.
func (q *Ring) Remove(i int) Entry {
	e := *q.At(i)
	for ; i < q.n-1; i++ {
		*q.At(i) = *q.At(i + 1)
	}
	q.n--
	return e
}

// Pop takes the head off; the ring must not be empty.
func (q *Ring) Pop() Entry {
	e := q.buf[q.head]
	q.head++
	if q.head == len(q.buf) {
		q.head = 0
	}
	q.n--
	return e
}

func (q *Ring) grow() {
	bigger := make([]Entry, max(4, 2*len(q.buf)))
	for i := 0; i < q.n; i++ {
		bigger[i] = *q.At(i)
	}
	q.buf, q.head = bigger, 0
}

// CopyFrom makes q a deep copy of src.
func (q *Ring) CopyFrom(src *Ring) {
	if len(q.buf) < src.n {
		q.buf = make([]Entry, len(src.buf))
	}
	q.head, q.n = 0, src.n
	for i := 0; i < src.n; i++ {
		q.buf[i] = *src.At(i)
	}
}
