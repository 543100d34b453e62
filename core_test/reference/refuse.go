package reference

import "checkpointlab/core/event"

// refusal is an outside system that refuses commits until an instant.
type refusal struct {
	till event.Time
	each event.Time       // what an attempt takes
	owes event.Checkpoint // of a task that starts: what was refused before
}

// tries is how long commits up to a checkpoint are tried in vain: sink.committer.retries times after the first time, each
// transaction by itself; fails: the last time, too.
func (t *task) tries(id event.Checkpoint) (span event.Time, fails bool) {
	at := t.run.now
	for range t.pending(id) {
		for n := 0; at < t.refusal.till; n++ {
			at += t.refusal.each
			if n == t.run.setup.Options.CommitRetries {
				return at - t.run.now, true
			}
		}
	}
	return at - t.run.now, false
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
	span, fails := t.tries(id)
	switch {
	case fails: // no sooner than a millisecond after the attempt began
		t.failBehind(max(span, event.Millisecond))
	case span == 0:
		t.commit(id)
	default:
		t.hold(span, func() { t.commit(id) })
	}
}
