package sink

import (
	"slices"

	"checkpointlab/core/event"
)

// DefaultRetries is the default of sink.committer.retries: eleven attempts (spec 6.1).
const DefaultRetries = 10

// CommitterConfig is what does not change of a committer.
type CommitterConfig struct {
	Subtask       int32
	Retries       int  // sink.committer.retries, 0 or more
	PostCommit    bool // what was committed goes on downstream
	Checkpointing bool // a final checkpoint follows the end of the input; false in batch

	// Later is how 1.18 tries again: a call makes one attempt at each committable, what is refused stays behind, and the operator calls
	// again by a timer, for as long as it takes (CommitterOperator.retryWithDelay). Retries does not count then.
	Later bool
}

// RetryDelay is how long after a call 1.18 calls again, if something is left (CommitterOperator.RETRY_DELAY, by a timer).
const RetryDelay = 1000*event.Millisecond + event.TimerLag

// Tries is how often a committable is tried before the task fails.
func (c *CommitterConfig) Tries() int { return c.Retries + 1 }

// Counts are a committer's metrics (spec 11).
type Counts struct {
	Pending                              int64 // pendingCommittables
	Successful, Already, Failed, Retried int64
}

// Committer is the committer's operator (CommitterOperator with its CommittableCollector): it collects what writers hand
// over by checkpoint, and commits it when a checkpoint completes (spec 6.1, 3 to 5).
type Committer struct {
	CommitterConfig
	last     event.Checkpoint // completed as far as is known
	ended    bool
	batches  []batch   // ascending by checkpoint, then by writer
	requests []request // likewise; those of one batch in the order of arrival
	counts   Counts
}

// batch is what one writer announced for one checkpoint.
type batch struct {
	checkpoint event.Checkpoint
	subtask    int32
	announced  int32
	received   int32
}

// request is one committable.
type request struct {
	Message
	state   requestState
	retries int // with Later: how often it was refused
}

type requestState uint8

const (
	waiting requestState = iota
	committed
	failed
)

// NewCommitter is a committer that has collected nothing.
func NewCommitter(c CommitterConfig) Committer {
	if c.Retries < 0 {
		panic("sink: the number of retries is 0 or more")
	}
	return Committer{CommitterConfig: c}
}

// Metrics are the counts so far.
func (c *Committer) Metrics() Counts {
	n := c.counts
	for i := range c.requests {
		if c.requests[i].state == waiting {
			n.Pending++
		}
	}
	return n
}

// Collected is the number of committables that wait for a completed checkpoint.
func (c *Committer) Collected() int { return len(c.requests) }

// Take takes a message of a writer.
func (c *Committer) Take(m Message) Failure {
	i, known := c.find(m.Checkpoint, m.Subtask)
	if m.Kind == Summary {
		return c.takeSummary(m, i, known)
	}
	if !known || c.batches[i].received == c.batches[i].announced {
		return NotAnnounced
	}
	c.batches[i].received++
	c.insert(request{Message: m})
	return NoFailure
}

// takeSummary: of the end of the input there may be several of a writer, after a restore; they add up.
func (c *Committer) takeSummary(m Message, i int, known bool) Failure {
	switch {
	case !known:
		c.batches = slices.Insert(c.batches, i, batch{checkpoint: m.Checkpoint, subtask: m.Subtask, announced: m.Count})
	case m.Checkpoint == EndOfInput:
		c.batches[i].announced += m.Count
	default:
		return SummaryTwice
	}
	return NoFailure
}

// find is the place of a batch, or where it belongs.
func (c *Committer) find(id event.Checkpoint, subtask int32) (i int, known bool) {
	i = len(c.batches)
	for i > 0 && before(id, subtask, c.batches[i-1].checkpoint, c.batches[i-1].subtask) {
		i--
	}
	if i > 0 && c.batches[i-1].checkpoint == id && c.batches[i-1].subtask == subtask {
		return i - 1, true
	}
	return i, false
}

// insert puts r behind those of its batch and of earlier ones.
func (c *Committer) insert(r request) {
	i := len(c.requests)
	for i > 0 && before(r.Checkpoint, r.Subtask, c.requests[i-1].Checkpoint, c.requests[i-1].Subtask) {
		i--
	}
	c.requests = slices.Insert(c.requests, i, r)
}

func before(id event.Checkpoint, subtask int32, otherID event.Checkpoint, other int32) bool {
	return id < otherID || id == otherID && subtask < other
}

// Complete is notifyCheckpointComplete: everything collected for checkpoints up to id, or up to a newer one that is known
// to be complete, is committed, the oldest first and each checkpoint fully before the next. An older notification that
// comes late finds nothing to do. After the end of the input what was handed over under no checkpoint goes with it.
func (c *Committer) Complete(now event.Time, id event.Checkpoint, ext External, out []Effect) ([]Effect, Failure) {
	c.last = max(c.last, id)
	return c.commit(now, ext, out)
}

// EndInput is the end of the input: without a final checkpoint to wait for, everything is committed at once.
func (c *Committer) EndInput(now event.Time, ext External, out []Effect) ([]Effect, Failure) {
	c.ended = true
	if c.Checkpointing {
		return out, NoFailure
	}
	c.last = EndOfInput
	return c.commit(now, ext, out)
}

// Restore goes on from what was stored with checkpoint id, one part a subtask before, and commits it at once: nobody knows
// whether it was (vector committer.restore-commits-at-once). c must be new; the parts stay as they are.
func (c *Committer) Restore(now event.Time, id event.Checkpoint, ext External, out []Effect, parts ...*Committer) ([]Effect, Failure) {
	for _, p := range parts {
		c.merge(p)
	}
	c.last = id
	return c.commit(now, ext, out)
}

// merge adds what p has collected.
func (c *Committer) merge(p *Committer) {
	for _, b := range p.batches {
		i, known := c.find(b.checkpoint, b.subtask)
		if !known {
			c.batches = slices.Insert(c.batches, i, b)
			continue
		}
		c.batches[i].announced += b.announced
		c.batches[i].received += b.received
	}
	for _, r := range p.requests {
		c.insert(r)
	}
}

// Unfinished reports whether something is collected that is not committed, for whichever checkpoint (CommittableCollector.isFinished).
func (c *Committer) Unfinished() bool {
	return slices.ContainsFunc(c.batches, func(b batch) bool { return b.announced > 0 })
}

// commit commits all checkpoints that are due.
func (c *Committer) commit(now event.Time, ext External, out []Effect) ([]Effect, Failure) {
	if c.Later {
		return c.commitOnce(now, ext, out)
	}
	for len(c.batches) > 0 && c.due(c.batches[0].checkpoint) {
		batches, requests, missing := c.first()
		if missing {
			return out, Incomplete
		}
		var f Failure
		if out, f = c.attempt(now, c.requests[:requests], ext, out); f != NoFailure {
			return out, f
		}
		if c.PostCommit {
			out = c.emit(c.batches[0].checkpoint, c.requests[:requests], out)
		}
		c.batches = c.batches[:copy(c.batches, c.batches[batches:])]
		c.requests = c.requests[:copy(c.requests, c.requests[requests:])]
	}
	return out, NoFailure
}

// due reports whether what was collected for a checkpoint is to be committed: up to the completed one, and, once the input has ended,
// what belongs to none (before 2.1, CommittableMessage.EOI).
func (c *Committer) due(id event.Checkpoint) bool {
	return id <= c.last || c.ended && id == EndOfInput
}

// first is how many batches and requests the oldest checkpoint has, and whether announced ones are missing.
func (c *Committer) first() (batches, requests int, missing bool) {
	id := c.batches[0].checkpoint
	for batches < len(c.batches) && c.batches[batches].checkpoint == id {
		b := &c.batches[batches]
		requests += int(b.received)
		missing = missing || b.received < b.announced
		batches++
	}
	return batches, requests, missing
}

// attempt tries all of one checkpoint's committables, and again at once those that ask for it (spec 6.1, retries).
func (c *Committer) attempt(now event.Time, requests []request, ext External, out []Effect) ([]Effect, Failure) {
	for attempt := 0; ; attempt++ {
		left := 0
		for i := range requests {
			r := &requests[i]
			if r.state != waiting {
				continue
			}
			answer := ext.Attempt(now, r.Message, attempt)
			c.counts.add(answer)
			if out = r.take(answer, out); r.state == waiting {
				left++
			}
			if answer == FailedUnknown {
				return out, CommitFailed
			}
		}
		switch {
		case left == 0:
			return out, NoFailure
		case attempt+1 == c.Tries():
			return out, RetriesExhausted
		}
	}
}

// take notes what the outside system has answered; one that is to be tried again goes on waiting.
func (r *request) take(a Answer, out []Effect) []Effect {
	switch a {
	case Success, Already:
		r.state = committed
		return append(out, Effect{Kind: Committed, Message: r.Message})
	case Retry:
		return out
	default:
		r.state = failed
		return append(out, Effect{Kind: Lost, Message: r.Message})
	}
}

// commitOnce is commit with Later: one attempt at all that is due and has come from its writer in full, unless its checkpoint is an older
// one (CheckpointCommittableManagerImpl.commit of 1.18). What is over is dropped, the rest and what has not come stay.
func (c *Committer) commitOnce(now event.Time, ext External, out []Effect) ([]Effect, Failure) {
	for i := range c.requests {
		r := &c.requests[i]
		at, _ := c.find(r.Checkpoint, r.Subtask)
		b := &c.batches[at]
		if !c.due(r.Checkpoint) || r.Checkpoint == c.last && !c.ended && b.received < b.announced {
			continue
		}
		answer := ext.Attempt(now, r.Message, r.retries)
		c.counts.add(answer)
		if out = r.take(answer, out); r.state == waiting {
			r.retries++
			continue
		}
		if answer == FailedUnknown {
			return out, CommitFailed
		}
		b.announced--
		b.received--
	}
	out = c.emitOnce(out)
	c.requests = slices.DeleteFunc(c.requests, func(r request) bool { return r.state != waiting })
	c.batches = slices.DeleteFunc(c.batches, func(b batch) bool { return b.announced == 0 && c.due(b.checkpoint) })
	return out, NoFailure
}

// emitOnce tells what follows the committer of each checkpoint of which something was committed (CommitterOperator.commitAndEmit of 1.18).
func (c *Committer) emitOnce(out []Effect) []Effect {
	for from := 0; c.PostCommit && from < len(c.requests); {
		id, to, some := c.requests[from].Checkpoint, from, false
		var over []request
		for ; to < len(c.requests) && c.requests[to].Checkpoint == id; to++ {
			if some = some || c.requests[to].state == committed; c.requests[to].state != waiting {
				over = append(over, c.requests[to])
			}
		}
		if from = to; some {
			out = c.emit(id, over, out)
		}
	}
	return out
}

func (n *Counts) add(a Answer) {
	switch a {
	case Success:
		n.Successful++
	case Already:
		n.Already++
	case Retry:
		n.Retried++
	default:
		n.Failed++
	}
}

// emit tells what follows the committer of one checkpoint; messages carry the committer's own subtask. What failed is left out.
func (c *Committer) emit(id event.Checkpoint, requests []request, out []Effect) []Effect {
	at := len(out)
	out = append(out, Effect{Kind: Emitted, Message: Message{Kind: Summary, Checkpoint: id, Subtask: c.Subtask}})
	for i := range requests {
		if requests[i].state == failed {
			continue
		}
		out[at].Count++
		out = append(out, Effect{Kind: Emitted, Message: Message{Kind: Committable, Checkpoint: id, Subtask: c.Subtask, ID: requests[i].ID}})
	}
	return out
}

// Reset forgets everything: the task was cancelled.
func (c *Committer) Reset() {
	*c = Committer{CommitterConfig: c.CommitterConfig, batches: c.batches[:0], requests: c.requests[:0]}
}

// ForgetAfter forgets what belongs to checkpoints behind id: the task was cancelled, and goes on from that one.
func (c *Committer) ForgetAfter(id event.Checkpoint) {
	c.batches = slices.DeleteFunc(c.batches, func(b batch) bool { return b.checkpoint > id })
	c.requests = slices.DeleteFunc(c.requests, func(r request) bool { return r.Checkpoint > id })
	c.ended = false
}

// CopyFrom makes c a deep copy of src: also what a checkpoint stores of it.
func (c *Committer) CopyFrom(src *Committer) {
	batches, requests := append(c.batches[:0], src.batches...), append(c.requests[:0], src.requests...)
	*c = *src
	c.batches, c.requests = batches, requests
}
