package task

import (
	"fmt"
	"slices"

	"checkpointlab/core/event"
	"checkpointlab/core/sim"
	"checkpointlab/core/watermark"
)

// asyncIO is an operator that sends a request for each record and goes on: up to capacity of them are under way. A record for
// which there is no room waits in the thread, which then runs only the mails of answers (AsyncWaitOperator,
// MailboxExecutor.yield). An answer arrives as a mail and makes a record: in the order of the records, or as answers arrive,
// but never past a watermark. What is under way is state, so a barrier does not wait for answers; after a restore the requests
// are sent again. An attempt may fail and be repeated. A request that is given up, or that exceeds the time limit for all of
// its attempts, fails the task or makes no record (AsyncRetryStrategy, AsyncFunction.timeout).
type asyncIO struct {
	rule  AsyncRule // fixed
	queue Requests

	asked    int64 // requests in all: the number of the next one
	made     int64 // records made, by the state
	dropped  int64 // … and given up
	yielding bool  // a record waits for room
	ending   bool  // the end of the data waits for the answers
}

// AsyncRule describes an asynchronous operator.
type AsyncRule struct {
	Capacity  int
	Latency   event.Time // the least time until an attempt is answered
	Spread    event.Time // added to it, drawn evenly from 0 to Spread
	Unordered bool       // answers are passed on as they come, but not past a watermark; else in the order of the records

	Errors  int64      // millionths of the attempts that fail
	Retries int64      // attempts after the first
	Backoff event.Time // from a failed attempt to the next one
	Timeout event.Time // from the request on; 0 = none
	Drop    bool       // one that is given up makes no record; else the task fails
}

// UseAsync makes a task an asynchronous operator.
func (t *Task) UseAsync(r AsyncRule) {
	t.asks, t.EmitNum, t.EmitDen = true, 0, 1
	t.requests = asyncIO{rule: r, queue: NewRequests(r.Capacity, r.Unordered)}
}

func (x *asyncIO) copyFrom(src *asyncIO) {
	queue := x.queue
	queue.copyFrom(&src.queue)
	*x = *src
	x.queue = queue
}

// UnderWay is the number of requests whose answers have not come or are not written, and the capacity.
func (t *Task) UnderWay() (n, capacity int) {
	return t.requests.queue.underWay(), t.requests.rule.Capacity
}

// request sends one request for each record of r.
func (w *World) request(now event.Time, t *Task, r event.Run) {
	for r.Count > 0 {
		w.ask1(now, t, r.Cut(1))
	}
}

func (w *World) ask1(now event.Time, t *Task, r event.Run) {
	x := &t.requests
	id := x.asked
	x.asked++
	x.queue.Put(id, r)
	after, kind := x.rule.outcome(w.Rules.Seed, t.ID, id)
	w.Queue.Push(sim.Item{At: now + after, Kind: event.DueMail, A: t.ID, B: kind, ID: id, Gen: t.Gen})
}

// outcome is how long request id takes over all its attempts, and whether it is answered. The next attempt begins when it is
// due, whatever the thread does.
func (r *AsyncRule) outcome(seed uint64, t event.Task, id int64) (after event.Time, kind event.Mail) {
	const attempts = 1 << 40 // the numbers of a request's further draws are that far apart
	kind = event.MailNoAnswer
	for n := int64(0); n <= r.Retries && kind == event.MailNoAnswer; n++ {
		if n > 0 {
			after += r.Backoff
		}
		draw := id + 2*n*attempts
		after += drawn(seed, t, draw, r.Spread) + r.Latency
		if r.Errors == 0 || drawn(seed, t, draw+attempts, 1_000_000) >= r.Errors {
			kind = event.MailAnswer
		}
	}
	if r.Timeout > 0 && after > r.Timeout {
		return r.Timeout, event.MailNoAnswer
	}
	return after, kind
}

// drawn is a time of 0 to most that depends on the seed, the task and the number of the request.
func drawn(seed uint64, t event.Task, id int64, most event.Time) event.Time {
	if most == 0 {
		return 0
	}
	const bits = 29
	h := event.Turn(seed, id, t) >> 32 // evenly of 0 … 2^29 - 1
	return most>>bits*h + most&(1<<bits-1)*h>>bits
}

// queueMark queues a watermark after the requests ahead of it.
func (w *World) queueMark(now event.Time, t *Task, mark int64) {
	x := &t.requests
	id := x.asked
	x.asked++
	x.queue.Put(id, event.MarkRun(mark))
	w.writeAnswers(now, t)
}

// answered handles an answer that has arrived.
func (w *World) answered(now event.Time, t *Task, id int64) {
	t.requests.queue.Answer(id, false)
	w.writeAnswers(now, t)
}

// notAnswered handles a request that is given up.
func (w *World) notAnswered(now event.Time, t *Task, id int64) {
	x := &t.requests
	if x.queue.find(id) < 0 {
		return
	}
	if !x.rule.Drop {
		w.failed(now, t, event.RequestGivenUp)
		return
	}
	x.queue.Answer(id, true)
	w.writeAnswers(now, t)
}

// writeAnswers writes the answers that may be written, until an output lacks a segment.
func (w *World) writeAnswers(now event.Time, t *Task) {
	x := &t.requests
	for t.waiting == 0 {
		r, none, ok := x.queue.Pop()
		if !ok {
			return
		}
		if r.IsMark() {
			w.say(now, t, r.Since)
			w.writeMarks(now, t)
			continue
		}
		if none {
			x.dropped++
			continue
		}
		x.made++
		if t.Size > 0 {
			r.Size = t.Size
		}
		r.Since = max(r.Since, t.Latest)
		w.write(now, t, &r)
	}
}

// answers reports whether a mail is about a request.
func answers(kind event.Mail) bool { return kind == event.MailAnswer || kind == event.MailNoAnswer }

// goOnAsking writes answers, and continues with a record that waits for room among the requests. taken: there is one; waits:
// the thread has to wait.
func (w *World) goOnAsking(now event.Time, t *Task) (taken, waits bool) {
	if w.writeAnswers(now, t); t.waiting > 0 {
		w.become(now, t, Hard)
		return false, true
	}
	if !t.requests.yielding {
		return false, false
	}
	taken = !t.requests.ending
	return taken, w.yields(now, t)
}

// yields lets a thread whose record waits for room read the mails of answers, and no others. It is true while there is no room.
func (w *World) yields(now event.Time, t *Task) bool {
	for i := 0; i < len(t.mails) && t.waiting == 0; {
		if m := t.mails[i]; answers(m.kind) {
			t.mails = slices.Delete(t.mails, i, i+1)
			w.readMail(now, t, m)
			continue
		}
		i++
	}
	if t.waiting > 0 {
		w.become(now, t, Hard)
		return true
	}
	x := &t.requests
	x.yielding = x.queue.Full() || x.ending && x.queue.Len() > 0
	switch {
	case x.yielding:
		w.become(now, t, Busy)
	case x.ending:
		x.ending = false
		w.endData(now, t, !t.End.undrained)
	}
	return x.yielding
}

// AsyncSave is the operator's part of a checkpoint.
type AsyncSave struct {
	Records       []event.Run
	Made, Dropped int64
}

func (s *AsyncSave) copyFrom(src *AsyncSave) {
	s.Records, s.Made, s.Dropped = append(s.Records[:0], src.Records...), src.Made, src.Dropped
}

// saveAsync stores what is under way with a checkpoint; watermarks are in no checkpoint.
func (t *Task) saveAsync(s *Save) {
	if !t.asks {
		return
	}
	x := &s.Async[t.ID]
	x.Made, x.Dropped = t.requests.made, t.requests.dropped
	x.Records = t.requests.queue.records(x.Records[:0])
}

// restoreAsync sends the requests again that were under way at the checkpoint, none if s is nil.
func (w *World) restoreAsync(now event.Time, t *Task, s *Save) {
	x := &t.requests
	x.queue.clear()
	x.yielding, x.ending, x.made, x.dropped = false, false, 0, 0
	if !t.asks || s == nil {
		return
	}
	x.made, x.dropped = s.Async[t.ID].Made, s.Async[t.ID].Dropped
	for _, r := range s.Async[t.ID].Records {
		w.ask1(now, t, r)
	}
}

// storedAsync is the size of the records that a task has stored as being under way, in bytes.
func (w *World) storedAsync(t *Task, id event.Checkpoint) (bytes int64) {
	s := w.Save(id)
	if !t.asks || s == nil {
		return 0
	}
	for _, r := range s.Async[t.ID].Records {
		bytes += int64(r.Size)
	}
	return bytes
}

// auditAsync: every record seen is under way or has made a record.
func (t *Task) auditAsync() error {
	if x := &t.requests; t.asks && t.Seen != x.made+x.dropped+int64(x.queue.underWay()) {
		return fmt.Errorf("%d records seen, %d made, %d given up and %d under way", t.Seen, x.made, x.dropped, x.queue.underWay())
	}
	return nil
}

// passMark puts a watermark where it has to wait: into the queue of requests, or behind the timers of windows.
func (w *World) passMark(now event.Time, t *Task, o watermark.Output) bool {
	switch {
	case t.asks:
		w.queueMark(now, t, o.Mark)
	case t.windows:
		t.window.begin(now, o)
	default:
		return false
	}
	return true
}
