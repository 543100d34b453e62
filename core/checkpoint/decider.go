package checkpoint

import "checkpointlab/core/event"

// Snapshot is what kind of checkpoint is asked for.
type Snapshot uint8

// The kinds.
const (
	Checkpoint        Snapshot = iota
	Savepoint                  // plain: not in the store, subsumes nothing, followed by no notification (spec 2.4)
	StopWithSavepoint          // synchronous: like Savepoint, but subsumes and notifies
	StopWithDrain              // … after which no state goes on: the operators end first
)

// Format is how a snapshot is written: a savepoint as its user says, a checkpoint as the backend does, unless it is asked for Full.
type Format uint8

// The formats, in Flink's words.
const (
	Canonical Format = iota // the same for all backends
	Native                  // the backend's own
	Full                    // a checkpoint that uses no file of those before it (CheckpointType.FULL, spec 2.2)
)

// IsSavepoint reports whether the kind is one of the savepoints.
func (s Snapshot) IsSavepoint() bool { return s != Checkpoint }

// IsSynchronous reports whether the job stops with it (SavepointType.isSynchronous).
func (s Snapshot) IsSynchronous() bool { return s >= StopWithSavepoint }

// Request asks for one checkpoint.
type Request struct {
	Number   int64 // 1, 2, … in the order of submission
	At       event.Time
	Snapshot Snapshot
	Format   Format
	Periodic bool
	Force    bool // runs although the limit of concurrent checkpoints is reached
}

// before is the order of the queue (spec 2.2).
func (r Request) before(o Request) bool {
	switch {
	case r.Snapshot.IsSavepoint() != o.Snapshot.IsSavepoint():
		return r.Snapshot.IsSavepoint()
	case r.Force != o.Force:
		return r.Force
	case r.Periodic != o.Periodic:
		return o.Periodic
	case r.At != o.At:
		return r.At < o.At
	}
	return r.Number < o.Number
}

// MaxQueued is Flink's limit of queued requests (spec 2.2).
const MaxQueued = 1000

// Decider keeps the queue of requests and decides which may start (spec 2.2, vectors decider.*).
type Decider struct {
	maxQueued     int
	maxConcurrent int
	minPause      event.Time
	queue         []Request // in order; the head runs next
}

// NewDecider makes an empty queue. maxQueued and maxConcurrent are at least 1, minPause is in ns.
func NewDecider(maxQueued, maxConcurrent int, minPause event.Time) Decider {
	if maxQueued < 1 || maxConcurrent < 1 {
		panic("checkpoint: a decider needs room for one request and one checkpoint")
	}
	return Decider{maxQueued: maxQueued, maxConcurrent: maxConcurrent, minPause: minPause}
}

// Submit queues a request. If the queue is full, dropped is the request that lost its place (perhaps r itself), for
// TOO_MANY_CHECKPOINT_REQUESTS: a queue that ends in user requests keeps them all, else its last one goes. look reports whether the
// queue is looked at then: a request that is refused at the door starts no other (CheckpointRequestDecider#chooseRequestToExecute).
func (d *Decider) Submit(r Request) (dropped Request, full, look bool) {
	n := len(d.queue)
	if n >= d.maxQueued && !d.queue[n-1].Periodic {
		return r, true, false
	}
	i := n
	for i > 0 && r.before(d.queue[i-1]) {
		i--
	}
	d.queue = append(d.queue, Request{})
	copy(d.queue[i+1:], d.queue[i:])
	d.queue[i] = r
	if len(d.queue) <= d.maxQueued {
		return Request{}, false, true
	}
	dropped = d.queue[len(d.queue)-1]
	d.queue = d.queue[:len(d.queue)-1]
	return dropped, true, true
}

// Situation is what a decision depends on besides the queue.
type Situation struct {
	Now            event.Time
	LastCompletion event.Time // of any completed snapshot, savepoints included
	Triggering     bool       // a trigger phase is running
	Pending        int
	Cleaning       int // checkpoints whose state is being deleted
}

// Verdict is what becomes of the head of the queue.
type Verdict uint8

// The verdicts.
const (
	Wait  Verdict = iota // nothing to do now
	Start                // run it
	Drop                 // MINIMUM_TIME_BETWEEN_CHECKPOINTS; fire the periodic trigger again after Rest
)

// Decision is a verdict with the request that left the queue.
type Decision struct {
	Verdict Verdict
	Request Request
	Rest    event.Time // Drop: what remains of the pause
}

// Choose looks at the head of the queue once (spec 2.2).
func (d *Decider) Choose(s Situation) Decision {
	if s.Triggering || len(d.queue) == 0 || s.Cleaning > d.maxConcurrent {
		return Decision{}
	}
	head := d.queue[0]
	if s.Pending >= d.maxConcurrent {
		if !head.Force {
			return Decision{}
		}
		return Decision{Verdict: Start, Request: d.pop()}
	}
	if rest := s.LastCompletion + d.minPause - s.Now; head.Periodic && !head.Force && rest > 0 {
		return Decision{Verdict: Drop, Request: d.pop(), Rest: rest}
	}
	return Decision{Verdict: Start, Request: d.pop()}
}

// Len is the number of queued requests.
func (d *Decider) Len() int { return len(d.queue) }

// pop takes the head.
func (d *Decider) pop() Request {
	head := d.queue[0]
	copy(d.queue, d.queue[1:])
	d.queue = d.queue[:len(d.queue)-1]
	return head
}

// CopyFrom makes d a copy of o that shares no memory with it.
func (d *Decider) CopyFrom(o *Decider) {
	queue := append(d.queue[:0], o.queue...)
	*d = *o
	d.queue = queue
}
