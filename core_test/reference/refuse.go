package reference

import "checkpointlab/core/event"

// refusal is an outside system that refuses commits until an instant.
type refusal struct {
	till event.Time
	each event.Time       // what an attempt takes
	owes event.Checkpoint // of a task that starts: what was refused before
}

// tries is how long commits up to a checkpoint are tried in vain: sink.committer.retries times after the first time, each
// transaction by itself; fails: the last time, too. In 1.18 once, and left is up to which checkpoint they are refused.
func (t *task) tries(id event.Checkpoint) (span event.Time, left event.Checkpoint, fails bool) {
	if t.retries() {
		span, left = t.once(id)
		return span, left, false
	}
	at := t.run.now
	for range t.pending(id) {
		for n := 0; at < t.refusal.till; n++ {
			at += t.refusal.each
			if n == t.run.setup.Options.CommitRetries {
				return at - t.run.now, 0, true
			}
		}
	}
	return at - t.run.now, 0, false
}

// once is how long one attempt at each transaction up to a checkpoint takes, and up to which they are refused: 1.18 leaves those to a
// timer, but behind the end of the input it goes round until none is left.
func (t *task) once(upTo event.Checkpoint) (span event.Time, left event.Checkpoint) {
	at, x := t.run.now, &t.refusal
	for _, p := range t.pending(upTo) {
		if at < x.till {
			at, left = at+x.each, p.id
		}
	}
	if left != 0 && t.writer.ended {
		for left = 0; at < x.till; at += x.each {
			if x.each == 0 {
				at = x.till
			}
		}
	}
	return at - t.run.now, left
}

// retries reports whether refused commits are tried again by a timer.
func (t *task) retries() bool { return t.run.setup.Options.Version == "1.18" }

// commitBut commits up to a checkpoint what is not refused once more, and begins a timer if something is sealed behind that.
func (t *task) commitBut(left, id event.Checkpoint) {
	t.writer.refused = left
	t.commit(id)
	t.writer.refused = 0
	t.retryLater()
}

func (t *task) retryLater() {
	if w := t.writer; t.retries() && t.alive && w.transactional && len(w.sealed) > 0 && !w.ended {
		t.later(t.run.now+1001*event.Millisecond, func() { t.mail(mail{kind: event.MailRetry}) })
	}
}

// retry is the timer.
func (t *task) retry() {
	if t.writer.ended {
		return
	}
	id := t.writer.complete
	if len(t.pending(id)) == 0 {
		t.retryLater()
		return
	}
	span, left := t.once(id)
	t.inTime(span, func() { t.commitBut(left, id) })
}

// inTime holds the thread for what is done then.
func (t *task) inTime(span event.Time, then func()) {
	if span == 0 {
		then()
		return
	}
	t.hold(span, then)
}

// pending is what is sealed up to a checkpoint.
func (t *task) pending(id event.Checkpoint) (all []transaction) {
	if t.writer == nil {
		return nil
	}
	for _, x := range t.writer.sealed {
		if t.commits(x.id, id) {
			all = append(all, x)
		}
	}
	return all
}

// failBehind fails the task when the last attempt is over.
func (t *task) failBehind(span event.Time) {
	if span == 0 {
		t.fails()
		return
	}
	t.hold(span, t.fails)
}

// commitOwed commits first of all what was refused before the task was restarted.
func (t *task) commitOwed() {
	id := t.refusal.owes
	if t.refusal.owes = 0; id == 0 {
		return
	}
	span, left, fails := t.tries(id)
	if fails { // no sooner than a millisecond after the attempt began
		t.failBehind(max(span, event.Millisecond))
		return
	}
	t.inTime(span, func() { t.commitBut(left, id) })
}
