package reference

import (
	"slices"

	"checkpointlab/core/event"
)

// asking is an operator of asynchronous I/O: what it has asked for and not passed on.
type asking struct {
	queue  []*request // in the order of the records
	came   []*request // the answered ones, as they came
	asked  int64      // requests so far, restarts included
	yields bool       // the thread waits for room or for the last answer, and reads no mails but answers
	ending bool       // … for the last answer
}

// request is a record whose answer is waited for, or a watermark in its place.
type request struct {
	id     int64
	record record
	done   bool
	none   bool // it is given up and makes no record
}

// asks reports whether the task is such an operator.
func (t *task) asks() bool { return t.vertex.Async.Capacity > 0 }

// full reports whether a record, or a watermark, finds no room.
func (t *task) full() bool { return len(t.asking.queue) >= t.vertex.Async.Capacity }

// sendRequest sends the request for a record.
func (t *task) sendRequest(r record) {
	a := &t.asking
	id := a.asked
	a.asked++
	a.queue = append(a.queue, &request{id: id, record: r})
	after, kind := t.attempts(id)
	t.later(t.run.now+after, func() { t.mail(mail{kind: kind, id: id}) })
}

// attempts tries a request until it is answered, its attempts are used up or its time is over.
func (t *task) attempts(id int64) (after event.Time, kind event.Mail) {
	rule, kind := &t.vertex.Async, event.MailNoAnswer
	for n := int64(0); n <= rule.Retries; n++ {
		if n > 0 {
			after += rule.Backoff
		}
		after += rule.Latency + t.chance(id, 2*n, rule.Spread)
		if rule.Errors == 0 || t.chance(id, 2*n+1, 1_000_000) >= rule.Errors {
			kind = event.MailAnswer
			break
		}
	}
	if rule.Timeout > 0 && after > rule.Timeout {
		return rule.Timeout, event.MailNoAnswer
	}
	return after, kind
}

// chance is the n-th draw of a request, evenly of 0 … most - 1, from the same dice as the simulation's.
func (t *task) chance(id, n, most int64) int64 {
	dice := event.Turn(t.run.setup.Seed, id+n<<40, t.id) >> 32 // of 29 bits
	return most>>29*dice + most&(1<<29-1)*dice>>29
}

// isAnswer reports whether a mail is about a request.
func isAnswer(m mail) bool { return m.kind == event.MailAnswer || m.kind == event.MailNoAnswer }

// answered is an answer that has come, or the word that none will.
func (t *task) answered(m mail) {
	for _, q := range t.asking.queue {
		if q.id != m.id {
			continue
		}
		if m.kind == event.MailNoAnswer && !t.vertex.Async.Drop {
			t.fails()
			return
		}
		q.done, q.none = true, m.kind == event.MailNoAnswer
		t.asking.came = append(t.asking.came, q)
	}
	t.passAnswers()
}

// passAnswers writes the answers whose turn it is, until an output is missing a segment.
func (t *task) passAnswers() {
	for len(t.writing) == 0 {
		q := t.nextAnswer()
		if q == nil {
			return
		}
		switch {
		case q.record.mark != nil:
			t.say(*q.record.mark)
		case !q.none:
			t.emit(q.record, 1)
		}
		t.write()
	}
}

// nextAnswer takes the next one off the queue: the first, or unordered that ahead of the first watermark which came first.
func (t *task) nextAnswer() *request {
	a := &t.asking
	if len(a.queue) == 0 {
		return nil
	}
	if first := a.queue[0]; first.done && (!t.vertex.Async.Unordered || first.record.mark != nil) {
		a.take(first)
		return first
	}
	if !t.vertex.Async.Unordered {
		return nil
	}
	for _, q := range a.came {
		if a.aheadOfMark(q) {
			a.take(q)
			return q
		}
	}
	return nil
}

// aheadOfMark reports whether a request is in the queue ahead of the first watermark.
func (a *asking) aheadOfMark(q *request) bool {
	for _, other := range a.queue {
		if other.record.mark != nil {
			return false
		}
		if other == q {
			return true
		}
	}
	return false
}

// take takes a request out.
func (a *asking) take(q *request) {
	is := func(other *request) bool { return other == q }
	a.queue, a.came = slices.DeleteFunc(a.queue, is), slices.DeleteFunc(a.came, is)
}

// yield reads the mails of answers and no others; true: the thread goes on waiting.
func (t *task) yield() bool {
	a := &t.asking
	for i := 0; i < len(t.mailbox) && len(t.writing) == 0; {
		m := t.mailbox[i]
		if !isAnswer(m) {
			i++
			continue
		}
		t.mailbox = append(t.mailbox[:i:i], t.mailbox[i+1:]...)
		t.answered(m)
	}
	if len(t.writing) > 0 {
		t.do(hard)
		return true
	}
	if a.ending && len(a.queue) > 0 || !a.ending && t.full() {
		t.do(busy)
		return true
	}
	a.yields = false
	if a.ending {
		a.ending = false
		t.endData()
	}
	return false
}

// underWay is the records among what is asked for.
func (t *task) underWay() (all []record) {
	for _, q := range t.asking.queue {
		if q.record.mark == nil {
			all = append(all, q.record)
		}
	}
	return all
}
